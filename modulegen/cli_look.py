"""Commands that show what is in a module or what a game looks like: `preview`, `inspect`, `diff`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from modulegen.cli_common import EXIT_NO, guarded, print_json


@click.command(
    short_help="Say what differs between two modules or games.",
    epilog="\b\nExamples:\n  modulegen diff dist/Hurtgen.vmod old/Hurtgen.vmod\n  modulegen diff ./mine ./theirs",
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@guarded
def diff(before: str, after: str, as_json: bool) -> None:
    """Say what differs between two modules (.vmod), or between two games (names or folders).

    Counters, map, tables, images, set-up. Exit code 0: nothing; 1: something differs.
    """
    from modulegen.diff import compare
    from scenarios.console import safe

    found = compare(before, after)
    if as_json:
        print_json({section: [c.json() for c in changes] for section, changes in found.items()})
    else:
        for section, changes in found.items():
            click.secho(safe(f"{section} ({len(changes)})"), bold=True)
            for change in changes:
                click.echo(safe(f"  {change}"))
        if not found:
            click.echo("no difference")
    if found:
        sys.exit(EXIT_NO)


@click.command(short_help="Show what is in a module, saved game or log.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--module",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The module of a save or log, for the names of its locations.",
)
@click.option("--salvage", is_flag=True, help="Show what can still be read of a damaged file.")
@click.option("--reveal", metavar="SIDE", help="Show what this side may see of its hidden pieces.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@guarded
def inspect(*, file: Path, module: Path | None, salvage: bool, reveal: str | None, as_json: bool) -> None:
    """Show what is in a module, saved game or log (.vmod, .vsav, .vlog).

    Players' passwords are never shown, pieces that are hidden from view only to the side given with --reveal.
    """
    from modulegen.vassal.inspect import as_json as json_of
    from modulegen.vassal.inspect import as_text
    from scenarios.console import safe, safe_json

    if as_json:
        click.echo(safe_json(json_of(file, module=module, salvage=salvage, reveal=reveal)))
    else:
        click.echo(safe(as_text(file, module=module, salvage=salvage, reveal=reveal)))


@click.command(short_help="Draw board, counters and charts for looking and printing.")
@click.argument("game", metavar="NAME|DIR")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the pictures.  [default: dist/NAME-preview]",
)
@click.option("--lang", type=click.Choice(["pt", "en"]), help="Language.  [default: the game's first]")
@guarded
def preview(game: str, out: Path | None, lang: str | None) -> None:
    """Draw board, counter sheets (front and back) and charts for looking at and for printing.

    PNG and PDF at print-and-play size, and one page, index.html, that shows them all.
    """
    from modulegen.build import choose_language
    from modulegen.render.preview import preview as draw
    from scenarios import load

    scenario = load(game)
    folder = out or Path("dist") / f"{scenario.name}-preview"
    first = choose_language(scenario, lang)
    try:
        written = list(draw(scenario, folder, [first, *[code for code in scenario.texts if code != first]]))
    except OSError as error:
        # Writing to an open file that fails does not tell which.
        raise OSError(error.errno, error.strerror, error.filename or str(folder)) from error
    click.echo(f"{written[-1]}  and {len(written) - 1} files beside it")


COMMANDS = (preview, inspect, diff)
