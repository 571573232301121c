"""What the library of commands says by itself (usage, options, mistakes in them), in Portuguese.

Click marks these texts for translation, but looks for compiled catalogues in the system's folders only, so its
marks are given this catalogue. A text that a later version words otherwise stays English.
"""

from __future__ import annotations

import sys
from typing import Final

from hexforge.scenarios.language import said

_PORTUGUESE: Final = {
    "Usage:": "Uso:",
    "Options": "Opções",
    "Commands": "Comandos",
    "Show this message and exit.": "Mostra esta ajuda.",
    "Aborted!": "Interrompido.",
    "Error: {message}": "Erro: {message}",
    "Try '{command} {option}' for help.": "Use '{command} {option}' para ajuda.",
    "Invalid value: {message}": "Valor inválido: {message}",
    "Invalid value for {param_hint}: {message}": "Valor inválido em {param_hint}: {message}",
    "Missing argument": "Falta o argumento",
    "Missing option": "Falta a opção",
    "Missing parameter": "Falta o parâmetro",
    "Missing command.": "Falta o comando.",
    "No such option {name!r}.": "Não há a opção {name!r}.",
    "No such option: {name}": "Não há a opção {name}",
    "No such command {name!r}.": "Não há o comando {name!r}.",
    "Did you mean {possibility}?": "Seria {possibility}?",
    "(Did you mean one of: {possibilities}?)": "(Seria uma destas: {possibilities}?)",
    "(Possible options: {possibilities})": "(Opções parecidas: {possibilities})",
    "Got unexpected extra argument ({args})": "Argumento a mais ({args})",
    "Got unexpected extra arguments ({args})": "Argumentos a mais ({args})",
    "Option {name!r} does not take a value.": "A opção {name!r} não leva valor.",
    "Option {name!r} requires an argument.": "A opção {name!r} pede um valor.",
    "Option {name!r} requires {nargs} arguments.": "A opção {name!r} pede {nargs} valores.",
    "Choose from:\n\t{choices}": "Escolha entre:\n\t{choices}",
    "{value!r} is not {choice}.": "{value!r} não é {choice}.",
    "{value!r} is not one of {choices}.": "{value!r} não é um de {choices}.",
    "{value!r} is not a valid {number_type}.": "{value!r} não é um número válido.",
    "{value} is not in the range {range}.": "{value} está fora de {range}.",
    "{name} {filename!r} does not exist.": "{name} {filename!r} não existe.",
    "{name} {filename!r} is a file.": "{name} {filename!r} é um arquivo.",
    "{name} {filename!r} is a directory.": "{name} {filename!r} é uma pasta.",
    "{name} {filename!r} is not readable.": "{name} {filename!r} não pode ser lido.",
    "{name} {filename!r} is not writable.": "{name} {filename!r} não pode ser gravado.",
    "File": "Arquivo",
    "Directory": "Pasta",
    "Path": "Caminho",
    "file": "arquivo",
    "directory": "pasta",
    "path": "caminho",
    "default: {default}": "padrão: {default}",
    "required": "obrigatória",
}
_MODULES: Final = ("core", "decorators", "exceptions", "formatting", "parser", "types")


def _one(text: str) -> str:
    return said(text, _PORTUGUESE.get(text, text))


def _several(one: str, more: str, count: int) -> str:
    return _one(one if count == 1 else more)


def teach() -> None:
    """Let Click speak the language of the process from here on."""
    for name in _MODULES:
        module = sys.modules.get(f"click.{name}")
        for mark, spoken in (("_", _one), ("ngettext", _several)):
            if module is not None and hasattr(module, mark):
                setattr(module, mark, spoken)
