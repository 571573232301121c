"""The command `validator`. Commands are imported when they are used, so that `--help` comes at once."""

from __future__ import annotations

import importlib
from typing import Any, Final

import click

from hexforge.scenarios.language import default_language, said

_COMMANDS: Final[dict[str, tuple[str, str, str]]] = {
    "check": (
        "hexforge.validator.cli_check:check",
        "Judge turn sheets and logs by the rulebook.",
        "Julga planilhas de turno e registros pelo livro de regras.",
    ),
    "transcribe": (
        "hexforge.validator.cli_transcribe:transcribe",
        "VASSAL logs as readable records and turn sheets, sheets as logs.",
        "Registros do VASSAL como relatos e planilhas, planilhas como registros.",
    ),
    "reach": (
        "hexforge.validator.cli_ask:reach",
        "Hexes that a unit can reach, with cost and way.",
        "Hexes que uma unidade alcança, com custo e caminho.",
    ),
    "odds": (
        "hexforge.validator.cli_ask:odds",
        "Compute an attack before it is made.",
        "Calcula um ataque antes que seja feito.",
    ),
    "duties": (
        "hexforge.validator.cli_ask:duties",
        "Who must attack, who is encircled, what is still to be done.",
        "Quem tem que atacar, quem está cercado, o que falta fazer.",
    ),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called.

    Other parts of the program add a command with an entry in `_COMMANDS`.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        from hexforge.scenarios.console import speaking

        with speaking("validator"):
            return super().main(*args, **kwargs)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in _COMMANDS if _exists(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS or not _exists(cmd_name):
            return None
        module, _, attribute = _COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        command.options_metavar = said("[OPTIONS]", "[OPÇÕES]")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # Click would import every command for its first line.
        language = default_language()
        rows = [(name, _COMMANDS[name][2 if language == "pt" else 1]) for name in self.list_commands(ctx)]
        with formatter.section("Comandos" if language == "pt" else "Commands"):
            formatter.write_dl(rows)


def _exists(name: str) -> bool:
    import importlib.util

    module = _COMMANDS[name][0].partition(":")[0]
    return importlib.util.find_spec(module) is not None


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from hexforge.validator.check import program

        click.echo(program())
        ctx.exit()


_HELP = {
    "en": """Judge games played by e-mail.

    A turn sheet is plain text: one statement a line, from `sheet 1` and `game NAME` on. `validator check` replays
    it, computes every move and combat itself, and says where the rulebook, or the players' own figures, are not
    met.

    \b
    validator check turn3.sheet                 what is wrong, in words
    validator check --format html -o r.html *.sheet
    validator check ana-3.vlog bruno-3.vlog     the same, from VASSAL logs
    validator duties turn3.sheet                before the mail is sent

    The project's folder has pages on turn sheets (docs/sheets.md) and for tournament directors
    (docs/tournament.md).
    """,
    "pt": """Julga partidas jogadas por e-mail.

    Uma planilha de turno é texto simples: uma instrução por linha, começando com `planilha 1` e `jogo NOME`.
    `validator check` refaz a partida, calcula cada movimento e combate e diz onde o livro de regras, ou as contas
    dos jogadores, não conferem.

    \b
    validator check turno3.sheet                o que está errado, em palavras
    validator check --format html -o r.html *.sheet
    validator check ana-3.vlog bruno-3.vlog     o mesmo, a partir de registros do VASSAL
    validator duties turno3.sheet               antes de enviar o e-mail

    A pasta do projeto tem páginas sobre as planilhas de turno (docs/pt/planilhas.md) e para diretores de torneio
    (docs/pt/torneio.md).
    """,
}


@click.group(
    cls=LazyGroup,
    help=_HELP[default_language()],
    options_metavar=said("[OPTIONS]", "[OPÇÕES]"),
    subcommand_metavar=said("COMMAND [ARGS]...", "COMANDO [...]"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Nome e versão." if default_language() == "pt" else "Name and version.",
)  # fmt: skip
def main(**_: Any) -> None:
    """Entry point of the console script."""
