"""Commands about a game's files: `check`, `data`, `schema`, `new`."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modulegen.cli_common import EXIT_NO, fail, guarded, print_json, problem_json, problem_lines

if TYPE_CHECKING:
    from scenarios import Problem, Scenario
    from scenarios.schema.base import Provenance


@click.command(short_help="Say everything that is wrong with a game's files.")
@click.argument("game", metavar="NAME|DIR")
@click.option("--quiet", "-q", is_flag=True, help="Only problems.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@guarded
def check(game: str, quiet: bool, as_json: bool) -> None:
    """Check a game's files and say everything that is wrong, with file, line and cell.

    What has been changed in them, against the game as it was shipped or last committed, is listed with all that the
    change touches: set-ups, ways, objectives, totals.

    Exit code 0: the game is sound. 1: it contradicts itself. 2: its files cannot be read as a game at all.
    """
    from scenarios import ScenarioError, baseline, impact, load
    from scenarios.provenance import survey, totals

    try:
        scenario = load(game, strict=False)
    except ScenarioError as error:
        if as_json:
            print_json({"game": game, "problems": [problem_json(p) for p in error.problems], "usable": False})
            sys.exit(2)
        raise
    problems = (*scenario.warnings, *_without_look(scenario))
    errors = [p for p in problems if p.severity == "error"]
    before = baseline(scenario)
    changes = impact(before, scenario) if before else []
    if as_json:
        print_json(
            {
                "game": scenario.name,
                "usable": True,
                "problems": [problem_json(p) for p in problems],
                "changes": [str(change) for change in changes],
                "provenance": totals(survey(scenario)),
            }
        )
    else:
        for problem, line in zip(problems, problem_lines(problems), strict=False):
            click.secho(line, fg="red" if problem.severity == "error" else "yellow")
        if not quiet:
            for change in changes:
                click.secho(str(change), fg="cyan")
            click.echo(f"{scenario.name}: {len(errors)} errors, {len(problems) - len(errors)} warnings")
            _print_summary(totals(survey(scenario)))
    if errors:
        sys.exit(EXIT_NO)


def _without_look(scenario: Scenario) -> list[Problem]:
    """Kinds of the map that the board draws in the style called `other`, for want of one of their own."""
    from modulegen.render.board_style import undrawn
    from scenarios import Problem

    path = str(scenario.folder / "map.yaml")
    return [
        Problem(path, 0, f"looks.{kind}", f"{id_!r} has no style of its own; name one, such as {known}", "warning")
        for kind, id_, known in undrawn(scenario)
    ]


def _print_summary(counts: Mapping[str, Mapping[Provenance, int]]) -> None:
    for kind, row in counts.items():
        total = sum(row.values())
        words = ", ".join(f"{n} {word}" for word, n in row.items() if n)
        click.echo(f"  {kind:10} {total:5}   {words}")


@click.command(
    short_help="Show what is printed, what is assumed.",
    epilog="\b\nExamples:\n  modulegen data hurtgen\n  modulegen data bastogne --kind hexes --only assumed",
)
@click.argument("game", metavar="NAME|DIR")
@click.option("--kind", help="Only this kind: hex, hexside, way, place, strength …")
@click.option("--only", type=click.Choice(["printed", "gazetteer", "assumed"]), help="Only data of this origin.")
@click.option("--counts", is_flag=True, help="Counts only, no lists.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, each datum with its value and note.")
@guarded
def data(*, game: str, kind: str | None, only: str | None, counts: bool, as_json: bool) -> None:
    """Show where a game's data come from: printed in the rulebook, real geography, or assumed.

    By kind, with counts and lists; what is printed is only counted unless asked for. Correct what is assumed from
    your copy of the game, and change its provenance to printed.
    """
    from dataclasses import asdict

    from scenarios import load
    from scenarios.provenance import survey, totals

    scenario = load(game, strict=False)
    everything = survey(scenario)
    table = totals(everything)
    if kind is not None and kind not in table:
        fail(f"there is no kind {kind!r}; there are {', '.join(table)}")
    shown = [d for d in everything if kind in (None, d.kind) and only in (None, d.provenance)]
    if as_json:
        print_json({"game": scenario.name, "counts": table, "data": [asdict(d) for d in shown]})
        return
    for name, row in table.items():
        if kind not in (None, name):
            continue
        words = ", ".join(f"{n} {origin}" for origin, n in row.items() if n)
        click.secho(f"{name}: {words}", bold=True)
        for origin in row:
            ids = [
                d.id.replace(" ", "\N{NO-BREAK SPACE}") for d in shown if (d.kind, d.provenance) == (name, origin)
            ]
            if ids and not counts and (origin != "printed" or only):
                click.echo(click.wrap_text(" ".join(ids), 100, f"  {origin}: ", "    "))


@click.command(short_help="Write JSON Schemas of the scenario files.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder to write the schemas to.")
@guarded
def schema(out: Path | None) -> None:
    """Write the JSON Schemas of all scenario files, for editors that check while one types.

    Without --out they are printed as one JSON object.
    """
    from modulegen.starter import schema_file
    from scenarios.loader import json_schemas

    schemas = json_schemas()
    if out is None:
        print_json(schemas)
        return
    out.mkdir(parents=True, exist_ok=True)
    for name, value in schemas.items():
        path = out / schema_file(name)
        path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", "utf-8")
        click.echo(path)


@click.command(short_help="Write a commented starter game.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@guarded
def new(folder: Path) -> None:
    """Write a small commented game to DIR, to start one's own from. It builds as it is.

    With it come a page that says how to go on (README.md), a played turn for the validator to judge, and schemas by
    which editors complete and check the files.

    DIR must not exist yet, or be empty; its name becomes the name of the game.
    """
    from modulegen.starter import write

    for path in write(folder):
        if path.suffix != ".json":
            click.echo(path)
    name = shlex.quote(str(folder))
    click.echo(
        f"{folder / 'schemas'}\n\nNow: modulegen preview {name} --out {name}/preview; modulegen build {name}"
    )
    click.echo(f"     validator check {name}/examples    (a turn played well, and one with mistakes)")
    click.echo(f"     {folder / 'README.md'} says how to go on")


COMMANDS = (check, data, schema, new)
