"""`validator transcribe`: logs as readable records or turn sheets, and sheets as logs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hexforge.scenarios.language import Language, chosen, reason, said
from hexforge.validator.cli_common import Unusable, complain, fail, language, own_games, write_out

if TYPE_CHECKING:
    from hexforge.validator.readers.mail import Attached
    from hexforge.validator.transcribe.chain import Chain, Progress

_HELP = said(
    """Write down what happened in VASSAL logs.

    LOG is a .vlog or .vsav, or a mail (.eml, .mbox) that carries some; several are read as one game, in the order
    given. Any module's logs give a record: who did what when, moves by location, dice by face, chat, what was taken
    back. Logs of a module built by modulegen give a turn sheet, which `validator check` judges. The module is found
    if it lies beside the log.

    Combats are declared in the chat, in the sheet's own words, before the dice are thrown:

    \b
      combat 1007
      attack us-112-1 us-112-2
      support offboard 30

    A line that begins with ! goes into the sheet as it stands. What nobody declared is read from the dice and what
    followed, where only one reading is possible, and else left as a comment.

    A turn sheet is written as a log with --to: VASSAL then steps through the game.

    \b
      validator transcribe ana-2.vlog bruno-2.vlog -o turn2.sheet
      validator transcribe turn2.sheet --to turn2.vlog --module Hurtgen.vmod

    Players' passwords are never shown, pieces that are hidden from view only to the side given with --reveal.
    """,
    """Escreve o que aconteceu em registros do VASSAL.

    LOG é um .vlog ou .vsav, ou um e-mail (.eml, .mbox) que traz alguns; vários são lidos como uma só partida, na
    ordem dada. Os registros de qualquer módulo dão um relato: quem fez o quê e quando, movimentos por local, dados
    face a face, conversa, o que foi desfeito. Os de um módulo feito por modulegen dão uma planilha de turno, que
    `validator check` julga. O módulo é encontrado se estiver ao lado do registro.

    Os combates são declarados na conversa, nas palavras da planilha, antes de lançar os dados:

    \b
      combate 1007
      atacar us-112-1 us-112-2
      apoiar fora-do-mapa 30

    Uma linha que começa com ! vai para a planilha como está. O que ninguém declarou é deduzido dos dados e do que
    se seguiu, onde só há uma leitura possível, e senão fica como comentário.

    Uma planilha vira registro com --to: o VASSAL então avança pela partida.

    \b
      validator transcribe ana-2.vlog bruno-2.vlog -o turno2.sheet
      validator transcribe turno2.sheet --to turno2.vlog --module Hurtgen.vmod

    As senhas dos jogadores nunca são mostradas; peças ocultas, só para o lado dado com --reveal.
    """,
)
F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(exists=True, dir_okay=False)


def _options(*options: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[[F], F]:
    def all_of_them(command: F) -> F:
        taken: Any = command
        for option in options:
            taken = option(taken)
        found: F = taken
        return found

    return all_of_them


_SALVAGE = click.option(
    "--salvage",
    is_flag=True,
    help=said("Read what can still be read of a damaged log.", "Lê o que der de um registro danificado."),
)
_REVEAL = click.option(
    "--reveal",
    metavar="SIDE",
    help=said("Show what this side may see of its hidden pieces.", "Mostra as peças ocultas deste lado."),
)
_MODULE = click.option(
    "--module",
    type=_FILE,
    help=said("The logs' module (.vmod).", "O módulo dos registros (.vmod)."),
)
log_options = _options(_SALVAGE, _REVEAL, _MODULE)
"""The options of commands that read logs."""
question_options = _options(_SALVAGE, _MODULE)
"""The options of commands that read logs only for the position at their end."""


@contextmanager
def progress_shown(language_: Language) -> Iterator[Progress | None]:
    """Progress on standard error, where that is a terminal; nothing for logs that take no time."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def told(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name.replace("[", r"\["), total=total)
            bar.update(tasks[name], completed=done)

        yield told


@click.command(help=_HELP)
@click.argument("files", nargs=-1, required=True, metavar="LOG...", type=click.Path(exists=True, dir_okay=False))
@log_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help=said("Form of the record.", "Forma do relato."),
)
@click.option(
    "--record",
    is_flag=True,
    help=said("The plain record also for a module of ours.", "O relato simples, também para módulos nossos."),
)
@click.option(
    "--to",
    "target",
    metavar="LOG",
    type=click.Path(dir_okay=False),
    help=said("Write the sheet FILE as a log.", "Grava a planilha como registro."),
)
@click.option("--output", "-o", metavar="PATH", help=said("Write to a file.", "Grava num arquivo."))
@own_games
@language
def transcribe(
    *,
    files: tuple[str, ...],
    module: str | None,
    reveal: str | None,
    salvage: bool,
    form: str,
    record: bool,
    target: str | None,
    output: str | None,
    lang: str | None,
) -> None:
    """Logs as text, or a sheet as a log."""
    spoken = chosen(lang)
    if target is not None:
        _backward(files, target, module, spoken)
        return
    from hexforge.validator.readers.mail import read_mail
    from hexforge.validator.transcribe.chain import read_chain
    from hexforge.validator.transcribe.kind import is_log, is_mail

    logs: list[str | Attached] = []
    for file in files:
        if is_mail(file):
            try:
                logs += [part for part in read_mail(file) if part.is_log]
            except Exception as error:
                fail(error, spoken)
        elif is_log(file):
            logs.append(file)
        else:
            raise Unusable(
                f"{file}: "
                + said(
                    "is no VASSAL log; to make a log of a sheet, say --to LOG",
                    "não é um registro do VASSAL; para fazer um registro de uma planilha, use --to LOG",
                    spoken,
                )
            )
    if not logs:
        raise Unusable(" ".join(files) + ": " + said("no log in it", "sem nenhum registro", spoken))
    try:
        with progress_shown(spoken) as progress:
            chain = read_chain(logs, module=module, reveal=reveal, salvage=salvage, progress=progress)
        # The canonical words are English; --lang pt asks for the others.
        text = _rendered(chain, form, "pt" if lang == "pt" else "en", spoken, plain=record)
    except Exception as error:
        fail(error, spoken)
    write_out(text, output)


def _rendered(chain: Chain, form: str, sheet_language: Language, spoken: Language, *, plain: bool) -> str:
    from hexforge.scenarios.console import safe_json
    from hexforge.scenarios.words import Words
    from hexforge.validator.transcribe.record import note_data, record_data, record_lines
    from hexforge.validator.transcribe.sheet import transcript

    sheet = None if plain else transcript(chain, sheet_language)
    if form == "json":
        data = record_data(chain)
        data["sheet"] = sheet.text if sheet else None
        data["lines"] = [{"log": o.log, "step": o.step} for o in sheet.origins] if sheet else None
        if sheet:
            data["findings"] = [{"line": sheet.line_of(n.origin), **note_data(n)} for n in sheet.noted]
        return safe_json(json.dumps(data, ensure_ascii=False, indent=1))
    if sheet is None:
        return "\n".join(line for line, _ in record_lines(chain, spoken)) + "\n"
    for note in sheet.noted:
        complain(f"{note.origin.log}:{note.origin.step}: {Words(spoken).say(note.message)}")
    return sheet.text


def _backward(files: tuple[str, ...], target: str, module: str | None, spoken: Language) -> None:
    from hexforge.validator.check import game_of, scenario_of
    from hexforge.validator.games import names
    from hexforge.validator.readers.sheet import read_file
    from hexforge.validator.transcribe.backward import NoModule, game_module, write_log

    if len(files) != 1:
        raise Unusable(said("--to takes one sheet", "--to aceita uma só planilha", spoken))
    path = Path(files[0])
    try:
        sheet = read_file(path)
        game = game_of(sheet)
        scenario = scenario_of(sheet)
        if scenario is None:
            known = ", ".join(names())
            name = game.name if game is not None else "-"
            raise Unusable(
                f"{path}: "
                + said(f"game {name}; expected one of {known}", f"jogo {name}; esperava-se um de {known}", spoken)
            )
        folders = [path.parent, Path(target).parent, Path(), Path("dist")]
        found = Path(module) if module is not None else game_module(scenario.name, folders)
        write_log(sheet, scenario, found, Path(target))
    except NoModule as error:
        raise Unusable(
            said(
                f"there is no module of {error.game} beside the sheet or in dist/; build one with "
                f"`modulegen build {error.game}` or name it with --module",
                f"não há módulo de {error.game} ao lado da planilha nem em dist/; faça um com "
                f"`modulegen build {error.game}` ou indique-o com --module",
                spoken,
            )
        ) from error
    except click.ClickException:
        raise
    except OSError as error:
        raise Unusable(f"{error.filename or target}: {reason(error, spoken)}") from error
    except Exception as error:
        fail(error, spoken)
    click.echo(target)
