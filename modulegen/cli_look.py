"""Commands that show what is in a module or what a game looks like: `preview`, `inspect`, `diff`, `verify`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hexforge.modulegen.cli_common import (
    DIRECTORY,
    EXIT_NO,
    FILE,
    GAME,
    JSON_HELP,
    LANGUAGE_HELP,
    guarded,
    print_json,
    shortened,
)
from hexforge.scenarios.language import said


@click.command(
    short_help=said("Say what differs between two modules or games.", "Diz em que diferem dois módulos ou jogos."),
    help=said(
        """Say what differs between two modules (.vmod), or between two games (names or folders).

        Counters, map, tables, images, set-up. Exit code 0: nothing; 1: something differs.
        """,
        """Diz em que diferem dois módulos (.vmod), ou dois jogos (nomes ou pastas).

        Peças, mapa, tabelas, imagens, posição inicial. Código de saída 0: em nada; 1: em algo.
        """,
    ),
    epilog=said(
        "\b\nExamples:\n  modulegen diff dist/Hurtgen.vmod old/Hurtgen.vmod\n  modulegen diff ./mine ./theirs",
        "\b\nExemplos:\n  modulegen diff dist/Hurtgen.vmod velho/Hurtgen.vmod\n  modulegen diff ./meu ./outro",
    ),
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
@guarded
def diff(before: str, after: str, as_json: bool) -> None:
    """Say what differs between two modules or two games."""
    from hexforge.modulegen.diff import compare, section_name
    from hexforge.scenarios.console import safe

    found = compare(before, after, "en" if as_json else None)
    if as_json:
        print_json({section: [c.json() for c in changes] for section, changes in found.items()})
    else:
        for section, changes in found.items():
            click.secho(safe(f"{section_name(section)} ({len(changes)})"), bold=True)
            for change in changes:
                click.echo(safe(f"  {change}"))
        if not found:
            click.echo(said("no difference", "nenhuma diferença"))
    if found:
        sys.exit(EXIT_NO)


@click.command(
    short_help=said(
        "Show what is in a module, saved game or log.", "Mostra o que há num módulo, partida salva ou registro."
    ),
    help=said(
        """Show what is in a module, saved game or log (.vmod, .vsav, .vlog).

        Players' passwords are never shown, pieces that are hidden from view only to the side given with --reveal.
        """,
        """Mostra o que há num módulo, partida salva ou registro (.vmod, .vsav, .vlog).

        As senhas dos jogadores nunca são mostradas; as peças ocultas, só ao lado dado em --reveal.
        """,
    ),
)
@click.argument("file", metavar=FILE, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--module",
    metavar=FILE,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=said(
        "The module of a save or log, for the names of its locations.",
        "O módulo de uma partida ou registro, para os nomes dos lugares.",
    ),
)
@click.option(
    "--salvage",
    is_flag=True,
    help=said(
        "Show what can still be read of a damaged file.", "Mostra o que ainda se pode ler de um arquivo danificado."
    ),
)
@click.option(
    "--reveal",
    metavar=said("SIDE", "LADO"),
    help=said(
        "Show what this side may see of its hidden pieces.",
        "Mostra também o que este lado pode ver das suas peças ocultas.",
    ),
)
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
@guarded
def inspect(*, file: Path, module: Path | None, salvage: bool, reveal: str | None, as_json: bool) -> None:
    """Show what is in a module, saved game or log."""
    from hexforge.modulegen.vassal.inspect import as_json as json_of
    from hexforge.modulegen.vassal.inspect import as_text
    from hexforge.scenarios.console import safe, safe_json

    if as_json:
        click.echo(safe_json(json_of(file, module=module, salvage=salvage, reveal=reveal)))
    else:
        click.echo(safe(as_text(file, module=module, salvage=salvage, reveal=reveal)))


@click.command(
    short_help=said(
        "Draw board, counters and charts for looking and printing.",
        "Desenha mapa, peças e tabelas para ver e imprimir.",
    ),
    help=said(
        """Draw board, counter sheets (front and back) and charts for looking at and for printing.

        PNG and PDF at print-and-play size, and one page, index.html, that shows them all.
        """,
        """Desenha o mapa, as folhas de peças (frente e verso) e as tabelas, para ver e para imprimir.

        PNG e PDF no tamanho de imprimir e jogar, e uma página, index.html, que mostra tudo.
        """,
    ),
)
@click.argument("game", metavar=GAME)
@click.option(
    "--out",
    metavar=DIRECTORY,
    type=click.Path(file_okay=False, path_type=Path),
    help=said(
        "Folder for the pictures.  [default: dist/NAME-preview]",
        "Pasta para as imagens.  [padrão: dist/NOME-preview]",
    ),
)
@click.option("--lang", type=click.Choice(["pt", "en"]), help=LANGUAGE_HELP)
@guarded
def preview(game: str, out: Path | None, lang: str | None) -> None:
    """Draw board, counter sheets and charts."""
    from hexforge.modulegen.build import choose_language
    from hexforge.modulegen.render.preview import preview as draw
    from hexforge.scenarios import load

    scenario = load(game)
    folder = out or Path("dist") / f"{scenario.name}-preview"
    first = choose_language(scenario, lang)
    try:
        written = list(draw(scenario, folder, [first, *[code for code in scenario.texts if code != first]]))
    except OSError as error:
        # Writing to an open file that fails does not tell which.
        raise OSError(error.errno, error.strerror, error.filename or str(folder)) from error
    others = len(written) - 1
    click.echo(f"{written[-1]}  " + said(f"and {others} files beside it", f"e mais {others} arquivos ao lado"))


@click.command(
    short_help=said(
        "Check that nothing in a module is missing or unused.", "Confere que num módulo nada falta nem sobra."
    ),
    help=said(
        """Check that all a MODULE refers to is in it, and that nothing in it is unused.

        Slots, prototypes, images, boards, grids, set-ups and the numbers of pieces. Every build does this by
        itself. Exit code 1 if something is wrong.
        """,
        """Confere que tudo a que um módulo se refere está nele, e que nada nele fica sem uso.

        Peças da paleta, protótipos, imagens, mapas, grades, posições iniciais e números de peças. Cada `build` já
        faz isso. Código de saída 1 se algo está errado.
        """,
    ),
)
@click.argument(
    "module",
    metavar=said("MODULE", "MÓDULO"),
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
@guarded
def verify(module: Path, as_json: bool) -> None:
    """Check that nothing in a module is missing or unused."""
    from hexforge.modulegen.verify import problems_of
    from hexforge.scenarios.console import safe

    problems = list(problems_of(module))
    if as_json:
        print_json({"module": str(module), "problems": problems})
    else:
        for problem in shortened(problems):
            click.echo(safe(problem))
        if not problems:
            sound = said("nothing is missing, nothing is unused", "nada falta, nada fica sem uso")
            click.echo(f"{module}: {sound}")
    if problems:
        sys.exit(EXIT_NO)


COMMANDS = (preview, inspect, diff, verify)
