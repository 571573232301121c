"""The command `modulegen`. Heavy imports stand in the functions, so that `--help` is immediate."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modulegen import cli_data, cli_look
from modulegen.cli_common import (
    EXIT_NO,
    EXIT_STOPPED,
    MOST_PROBLEMS,
    Commands,
    ended_in_order,
    guarded,
    print_json,
    problem_json,
)

if TYPE_CHECKING:
    from modulegen.build import Options, Report, Result

EPILOG = """\b
Examples:
  modulegen list                          the games that come with the program
  modulegen build hurtgen                 dist/Hurtgen.vmod, ready for VASSAL 3.7
  modulegen build hurtgen --lang en       the same in English
  modulegen new my-game                   a commented game to start from
  modulegen check my-game                 what is wrong with its files, all at once
  modulegen watch my-game                 build again whenever a file changes
"""
BUILD_EPILOG = """\b
Examples:
  modulegen build hurtgen
  modulegen build bastogne metz --out ~/modules
  modulegen build ./my-game --lang en --scale 1.25
"""


@click.group(
    cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="hexforge", prog_name="modulegen")
def main() -> None:
    """Compile hex wargames, written down as plain files, into modules for VASSAL."""


def _build_options(command: click.decorators.FC) -> click.decorators.FC:
    for option in (
        click.option("--no-cache", is_flag=True, help="Draw every image anew and keep none."),
        click.option("--jobs", type=click.IntRange(1, 64), help="Processes that draw.  [default: one a processor]"),
        click.option(
            "--scale",
            type=click.FloatRange(0.25, 4),
            default=1.0,
            show_default=True,
            help="Size of board and counters.",
        ),
        click.option("--lang", type=click.Choice(["pt", "en"]), help="Language.  [default: the game's first]"),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            default=Path("dist"),
            show_default=True,
            help="Folder for the module, or its whole name if it ends in .vmod.",
        ),
    ):
        command = option(command)
    return command


@main.command(epilog=BUILD_EPILOG, short_help="Build the module of one game or several.")
@click.argument("games", nargs=-1, metavar="NAME|DIR...")
@_build_options
@click.option("--all", "all_games", is_flag=True, help="Build every game that comes with the program.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing unless something is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Say what was built as JSON.")
@guarded
def build(
    *,
    games: tuple[str, ...],
    out: Path,
    lang: str | None,
    scale: float,
    jobs: int | None,
    no_cache: bool,
    all_games: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Build the module of each game, NAME of a known one or DIR with its files.

    A module whose files have not changed is left as it is. Whatever goes wrong, the module that stood there before
    still stands.
    """
    from modulegen.build import Options

    if all_games:
        from modulegen.stamp import known_games

        games = tuple(known_games())
    if not games:
        raise click.UsageError("name a game, or a folder with its files ('modulegen list' names the games)")
    if out.suffix == ".vmod" and len(games) > 1:
        raise click.UsageError("several games do not go into one file; give a folder as --out")
    options = Options(out, lang, scale, jobs, not no_cache)
    results = [_build_one(game, options, quiet or as_json) for game in games]
    if as_json:
        print_json([_result_json(r) for r in results])


def _build_one(game: str, options: Options, quiet: bool) -> Result:
    import time

    from modulegen.build import build as run

    start = time.monotonic()
    with ended_in_order(), _progress(game, quiet) as report:
        result = run(game, options, report)
    if not quiet:
        for warning in result.warnings:
            click.secho(f"warning: {warning}", fg="yellow", err=True)
        if result.fresh:
            took = f"{result.size / 1e6:.1f} MB in {time.monotonic() - start:.1f} s"
            click.echo(f"{result.path}  version {result.version}, {result.images} images, {took}")
        else:
            click.echo(f"{result.path}  version {result.version}, unchanged")
    return result


def _result_json(result: Result) -> dict[str, object]:
    return {
        "path": str(result.path),
        "version": result.version,
        "size": result.size,
        "built": result.fresh,
        "warnings": [problem_json(p) for p in result.warnings],
    }


@contextmanager
def _progress(game: str, quiet: bool) -> Iterator[Report]:
    """A bar on standard error while images are drawn, if somebody is looking."""
    from modulegen.build import silent

    if quiet or not sys.stderr.isatty():
        yield silent
        return
    name = Path(game).name
    with click.progressbar(length=1, label=name, file=sys.stderr, show_eta=False) as bar:

        def report(stage: str, done: int, total: int) -> None:
            bar.label = f"{name}: {stage}"
            if stage == "draw":
                bar.length, bar.pos = max(total, 1), done
            bar.render_progress()

        yield report


@main.command("list", short_help="List the games that come with the program.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@guarded
def list_games(as_json: bool) -> None:
    """List the games that come with the program."""
    from scenarios import load, names

    rows = []
    for name in names():
        s = load(name, strict=False)
        size = f"{s.map.grid.columns} × {s.map.grid.rows}"
        turns = f"{s.game.turns.first}–{s.game.turns.last}"
        rows.append(
            {"name": name, "title": s.game.module.name, "counters": len(s.counters), "map": size, "turns": turns}
        )
    if as_json:
        print_json(rows)
        return
    width = max([4, *[len(str(r["name"])) for r in rows]])
    for r in rows:
        click.echo(
            f"{r['name']:{width}}  {r['title']}: {r['counters']} counters, map {r['map']}, turns {r['turns']}"
        )


@main.command(short_help="Build a game again whenever its files change.")
@click.argument("game", metavar="NAME|DIR")
@_build_options
@click.option("--interval", type=click.FloatRange(0.1, 60), default=0.5, show_default=True, help="Seconds between.")
@guarded
def watch(
    *, game: str, out: Path, lang: str | None, scale: float, jobs: int | None, no_cache: bool, interval: float
) -> None:
    """Build a game, and build it again whenever one of its files changes, until Ctrl+C.

    A file that cannot be used is reported, and watching goes on.
    """
    import time

    from modulegen.build import Options
    from modulegen.stamp import folder_of, watched
    from scenarios.loader import find

    folder = folder_of(game) or find(game)
    options = Options(out, lang, scale, jobs, not no_cache)
    seen: object = None
    try:
        while True:
            now = watched(folder)
            if now != seen:
                seen = now
                _try(game, options)
            time.sleep(interval)
    except KeyboardInterrupt:
        click.echo()


def _try(game: str, options: Options) -> None:
    guarded_build = guarded(_build_one)
    try:
        guarded_build(game, options, False)
    except SystemExit as end:
        if end.code == EXIT_STOPPED:
            raise
        click.secho("waiting for a change", dim=True, err=True)


@main.command(short_help="Check that nothing in a module is missing or unused.")
@click.argument("module", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@guarded
def verify(module: Path, as_json: bool) -> None:
    """Check that all a MODULE refers to is in it, and that nothing in it is unused.

    Slots, prototypes, images, boards, grids, set-ups and the numbers of pieces. Every build does this by itself.
    Exit code 1 if something is wrong.
    """
    from modulegen.verify import problems_of
    from scenarios.console import safe

    problems = list(problems_of(module))
    if as_json:
        print_json({"module": str(module), "problems": problems})
    else:
        for problem in problems[:MOST_PROBLEMS]:
            click.echo(safe(problem))
        if len(problems) > MOST_PROBLEMS:
            click.echo(f"… and {len(problems) - MOST_PROBLEMS} more")
        if not problems:
            click.echo(f"{module}: nothing is missing, nothing is unused")
    if problems:
        sys.exit(EXIT_NO)


for _command in (*cli_data.COMMANDS, *cli_look.COMMANDS):
    main.add_command(_command)
