"""What the commands share: options, sources of sheets, messages of failure, writing a file."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from hexforge.scenarios.language import Language, default_language, reason, said, speak
from hexforge.scenarios.words import Words

F = TypeVar("F", bound=Callable[..., Any])


def complain(message: str) -> None:
    """Say on standard error what went wrong; names of files and what stands in them may be a stranger's."""
    from hexforge.scenarios.console import safe

    click.echo(f"validator: {safe(message)}", err=True)


class Unusable(click.ClickException):
    """Input that cannot be used at all: one line on standard error, exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        complain(self.message)


def options_given(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`name=value` arguments as a mapping."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, setting = value.partition("=")
        if not (name and equals and setting):
            raise click.BadParameter(
                said(f"{value!r} is not name=value", f"{value!r} não é nome=valor"), ctx=ctx, param=param
            )
        found[name.strip().lower()] = setting.strip().lower()
    return found


def rulings(command: F) -> F:
    """The option `--option name=value` that a tournament sets rulings with."""
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        callback=options_given,
        help=said(
            "Set a ruling otherwise than the scenario and the sheet do; may be repeated.",
            "Define uma interpretação das regras, no lugar do cenário e da planilha; pode repetir.",
        ),
    )(command)


def _learn(ctx: click.Context, param: click.Parameter, folders: tuple[str, ...]) -> None:
    if folders:
        from hexforge.scenarios.problems import ScenarioError
        from hexforge.validator import games

        for folder in folders:
            try:
                games.learn(folder)
            except ScenarioError as error:
                raise Unusable(error.text(Words(default_language()))) from error


def own_games(command: F) -> F:
    """The option `--game DIR`: a game that does not come with the program."""
    return click.option(
        "--game",
        "own_games",
        multiple=True,
        metavar="DIR",
        expose_value=False,
        callback=_learn,
        help=said(
            "Folder of a game of your own that sheets name; may be repeated. "
            "A sheet in its game's folder needs none.",
            "Pasta de um jogo seu, que as planilhas então citam; pode repetir. A planilha que está na pasta do seu "
            "jogo dispensa a opção.",
        ),
    )(command)


def _speak(ctx: click.Context, param: click.Parameter, value: Language | None) -> Language | None:
    speak(value)
    return value


def language(command: F) -> F:
    """The option `--lang`, heeded before the others, whose mistakes are then said in it."""
    return click.option(
        "--lang",
        is_eager=True,
        callback=_speak,
        type=click.Choice(["pt", "en"]),
        help=said("Language of the answer (default: the system's).", "Língua da resposta (padrão: a do sistema)."),
    )(command)


def colour(command: F) -> F:
    """The option `--color/--no-color`; without it, colour only for a terminal, and never with NO_COLOR set."""
    return click.option(
        "--color/--no-color",
        "color",
        default=None,
        help=said("Colour, or none (default: only on a terminal).", "Com ou sem cores (padrão: só no terminal)."),
    )(command)


def wants_colour(color: bool | None) -> bool:
    """Whether to colour what goes to standard output."""
    if color is not None:
        return color
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write_out(answer: str | bytes, output: str | None) -> None:
    """To standard output, or to a file, which is replaced only when all of it is written."""
    if output is None:
        click.echo(answer, nl=isinstance(answer, str) and not answer.endswith("\n"), color=True)
        return
    if isinstance(answer, str):
        answer = (answer if answer.endswith("\n") else answer + "\n").encode()
    target = Path(output)
    temporary = ""
    try:
        if target.exists() and not target.is_file():
            # A device or a pipe takes what is written; replaced by a file it would be gone.
            target.write_bytes(answer)
            return
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
            temporary = file.name
            file.write(answer)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise Unusable(f"{output}: {reason(error, default_language())}") from error


def explain(error: Exception, language: Language) -> str:
    """A failure in one line. Re-raises what is no fault of the input."""
    from hexforge.modulegen.vassal.errors import FormatError
    from hexforge.scenarios.problems import ScenarioError
    from hexforge.scenarios.words import Words
    from hexforge.validator.check import UnknownOption
    from hexforge.validator.readers.sheet import UnreadableSheet

    if isinstance(error, UnreadableSheet):
        return Words(language).say(error.message)
    if isinstance(error, ScenarioError):
        return error.text(Words(language))
    if isinstance(error, FormatError):
        return Words(language).say(error.message)
    if isinstance(error, OSError):
        return f"{error.filename}: {reason(error, language)}" if error.filename else str(error)
    if isinstance(error, UnknownOption):
        choices = error.known.get(error.name)
        if choices:
            values = ", ".join(choices)
            return said(
                f"option {error.name}: {error.value!r} is none of {values}",
                f"opção {error.name}: {error.value!r} não é um de {values}",
                language,
            )
        names = ", ".join(sorted(error.known))
        return said(
            f"this game has no option {error.name}; it has {names}",
            f"este jogo não tem a opção {error.name}; tem {names}",
            language,
        )
    raise error


def fail(error: Exception, language: Language) -> NoReturn:
    """End the command with one clear line. Re-raises what is no fault of the input."""
    raise Unusable(explain(error, language)) from error
