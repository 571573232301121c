"""Commands about a game's files: `list`, `check`, `data`, `schema`, `new`."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ..scenarios.commands import (
    EXIT_ERROR,
    EXIT_NO,
    Unusable,
    argument,
    command,
    json_option,
    language_option,
    misused,
    option,
    print_json,
    tell,
    whenever,
)
from ..scenarios.console import MOST_LINES, lined_up, problem_json, said, told_once, words
from ..scenarios.text.words import Message, message

if TYPE_CHECKING:
    from ..scenarios import DataChange, Problem, Scenario
    from ..scenarios.schema.base import Provenance


@command("modulegen.commands.list")
@json_option
def list_games(as_json: bool) -> None:
    """List the games that come with the program."""
    from ..scenarios import load, names
    from ..scenarios.commands import extensions
    from ..scenarios.compiled import load_extension

    games = [load(name, strict=False) for name in names()]
    rows: list[dict[str, str | int]] = [
        {
            "name": s.name,
            "title": s.game.module.name,
            "counters": len(s.counters),
            "map": f"{s.map.grid.columns} × {s.map.grid.rows}",
            "turns": f"{s.game.turns.first}–{s.game.turns.last}",
        }
        for s in games
    ]
    added: list[dict[str, str | int]] = [
        {
            "name": e.name,
            "title": e.game.module.name,
            "markers": len(e.game.markers),
            "tracks": len(e.game.tracks),
        }
        for e in (load_extension(name, strict=False) for name in extensions())
    ]
    if as_json:
        print_json([*rows, *({**row, "kind": "extension"} for row in added)])
        return
    lines = [(row["name"], said(message("modulegen.list.game", **row))) for row in rows]
    lines += [(row["name"], said(message("modulegen.list.extension", **row))) for row in added]
    for line in lined_up(lines):
        click.echo(line)


@command("modulegen.commands.check")
@argument("game", metavar="NAME|DIR")
@option("--watch", "watching", is_flag=True)
@option("--quiet", "-q", is_flag=True)
@json_option
def check(*, game: str, watching: bool, quiet: bool, as_json: bool) -> None:
    """Say everything that is wrong with a game's files, and what was changed in them."""
    if not watching:
        _check(game, quiet, as_json)
        return
    from ..scenarios.commands import find
    from .build_key import watched

    if as_json:
        misused("modulegen.usage.watch-json")
    folder = find(game)
    whenever(lambda: watched(folder), lambda: _check(game, quiet, as_json), 0.5)


def _check(game: str, quiet: bool, as_json: bool) -> None:
    from ..scenarios import ScenarioError
    from ..scenarios.changes import survey, totals
    from ..scenarios.compiled import load_any
    from .build import obstacles, undrawable

    try:
        scenario = load_any(game, strict=False)
    except ScenarioError as error:
        if as_json:
            print_json({"game": game, "problems": [problem_json(p) for p in error.problems], "usable": False})
            sys.exit(EXIT_ERROR)
        raise
    problems = [*scenario.warnings, *_without_look(scenario)]
    if any(p.severity == "error" for p in problems):
        problems += undrawable(scenario)
    else:
        problems += obstacles(scenario)
    if not any(p.severity == "error" for p in problems):
        problems += _own_pictures(scenario)
    changes = _changes(scenario)
    counts = totals(survey(scenario))
    if as_json:
        print_json(
            {
                "game": scenario.name,
                "usable": True,
                "problems": [problem_json(p) for p in problems],
                "changes": [change.text(words()) for change in changes],
                "provenance": counts,
            }
        )
    else:
        told_of = told_once(problems)
        errors = sum(problem.severity == "error" for problem, _ in told_of)
        for problem, line in told_of[:MOST_LINES]:
            is_error = problem.severity == "error"
            # Whoever sees no colours is told too.
            told = line if is_error else said(message("commands.warning", what=line))
            click.secho(told, fg="red" if is_error else "yellow")
        if not quiet:
            for change in changes:
                tell(change.text(words()), fg="cyan")
            tell(_sum(scenario.name, errors, len(told_of) - errors))
            _print_summary(counts)
    if any(p.severity == "error" for p in problems):
        sys.exit(EXIT_NO)


def _sum(game: str, errors: int, warnings: int) -> Message:
    """How much was found in a game: the last line of a check's answer."""
    counts = {"errors": ("error", errors), "warnings": ("warning", warnings)}
    told = {name: message(f"commands.counts.{key}", count=count) for name, (key, count) in counts.items()}
    return message("modulegen.check.count", game=game, **told)


def _own_pictures(scenario: Scenario) -> list[Problem]:
    """Pictures of counters that the game brings and that are nobody's, colours that hide figures."""
    from .render.counters import unmatched
    from .render.templates import faint_figures

    pictures = list(unmatched(scenario)) if scenario.has_map else []
    return [*pictures, *faint_figures(scenario)]


def _changes(scenario: Scenario) -> list[DataChange]:
    """What was changed in a game, and what rests on it; in an extension nothing rests on anything."""
    from ..scenarios import baseline, impact

    if scenario.has_map:
        before = baseline(scenario)
        return impact(before, scenario, words().language) if before else []
    from ..scenarios import changes as changes_extension

    then = changes_extension.extension_baseline(scenario)
    return changes_extension.extension_impact(then, scenario) if then else []


def _without_look(scenario: Scenario) -> list[Problem]:
    """Kinds of the map that the board draws in the style called `other`, for want of one of their own."""
    from ..scenarios import Problem
    from ..scenarios.loader import place_of
    from .render.board_layout import undrawn

    if not scenario.has_map:
        return []
    found = []
    for kind, id_, known in undrawn(scenario):
        path, line = place_of(scenario, "map.yaml", ["looks", kind])
        said = message("modulegen.check.no-style", id=id_, known=known)
        found.append(Problem(str(path), line, f"looks.{kind}", said, "warning"))
    return found


def _print_summary(counts: Mapping[str, Mapping[Provenance, int]]) -> None:
    from ..scenarios.changes import kind_name

    rows = ((said(kind_name(kind)), sum(row.values()), _origins(row)) for kind, row in counts.items())
    for line in lined_up(rows, right=[1], indent=2, fit=True):
        click.echo(line)


def _origins(row: Mapping[Provenance, int]) -> str:
    from ..scenarios.changes import origin_name

    return ", ".join(f"{n} {said(origin_name(origin))}" for origin, n in row.items() if n)


@command("modulegen.commands.data")
@argument("game", metavar="NAME|DIR")
@option("--kind", metavar="KIND")
@option("--only", type=click.Choice(["printed", "gazetteer", "assumed"]))
@option("--counts", is_flag=True)
@json_option
def data(*, game: str, kind: str | None, only: str | None, counts: bool, as_json: bool) -> None:
    """Show where a game's data come from."""
    from textwrap import fill

    from ..scenarios.changes import kind_name, origin_name, survey, totals
    from ..scenarios.compiled import load_any

    scenario = load_any(game, strict=False)
    everything = survey(scenario)
    table = totals(everything)
    if kind is not None and kind not in table:
        raise Unusable(message("modulegen.data.no-kind", kind=kind, known=tuple(table)))
    shown = [d for d in everything if kind in (None, d.kind) and only in (None, d.provenance)]
    if as_json:
        print_json({"game": scenario.name, "counts": table, "data": [asdict(d) for d in shown]})
        return
    for name, row in table.items():
        if kind not in (None, name):
            continue
        click.secho(f"{said(kind_name(name))}: {_origins(row)}", bold=True)
        for origin in row:
            ids = [
                d.id.replace(" ", "\N{NO-BREAK SPACE}") for d in shown if (d.kind, d.provenance) == (name, origin)
            ]
            if ids and not counts and (origin != "printed" or only):
                head = f"  {said(origin_name(origin))}: "
                listed = fill(
                    " ".join(ids), 100, initial_indent=head, subsequent_indent="    ", break_on_hyphens=False
                )
                click.echo(listed)
    if scenario.has_map and kind is None:
        _say_doubt(scenario)


def _say_doubt(scenario: Scenario) -> None:
    from ..scenarios.changes import doubt

    found = doubt(scenario)
    moves, fights = (
        words().percent(part / max(whole, 1))
        for part, whole in (
            (found.doubtful_steps, found.steps),
            (found.doubtful_counters, found.counters),
        )
    )
    tell(message("modulegen.data.doubt", moves=moves, fights=fights))


@command("modulegen.commands.schema")
@option("--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@language_option
def schema(out: Path | None, *, lang: str | None) -> None:
    """Write the JSON Schemas of all scenario files."""

    from ..scenarios.keys import json_schemas
    from ..scenarios.text.files import staged
    from .starter import schema_file

    schemas = json_schemas(words().language)
    if out is None:
        print_json(schemas)
        return
    with staged(out) as stage:
        for name, value in schemas.items():
            text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
            (stage / schema_file(name)).write_text(text, "utf-8")
    for name in schemas:
        tell(out / schema_file(name))


@command("modulegen.commands.keys")
@language_option
def keys(*, lang: str | None) -> None:
    """Print the page of all keys."""
    from ..scenarios.keys import page

    click.echo(page(words().language), nl=False)


@command("modulegen.commands.new")
@argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@option("--kind", type=click.Choice(["game", "extension"]), default="game", show_default=True)
@option("--like", metavar="NAME", default="somnium", show_default=True)
@click.pass_context
def new(ctx: click.Context, folder: Path, kind: str, like: str) -> None:
    """Write a small commented game, or an extension."""
    from .starter import EXTENSION_FILES, LIKE, models, write

    extension = kind == "extension"
    if extension and ctx.get_parameter_source("like") is not ParameterSource.DEFAULT:
        raise Unusable(message("modulegen.usage.like-extension"))
    if like not in (known := (*LIKE, *models())):
        raise Unusable(message("modulegen.usage.like", name=like, known=known))
    files = EXTENSION_FILES if extension else LIKE.get(like, {})
    for path in write(folder, words().language, files, "" if like in LIKE else like):
        if path.suffix != ".json":
            tell(path)
    if extension:
        click.echo(said(message("modulegen.new.next-extension", name=shlex.quote(str(folder)))), nl=False)
        return
    name, page = shlex.quote(str(folder)), str(folder / "README.md")
    click.echo(said(message("modulegen.new.next", folder=str(folder), name=name, page=page)), nl=False)
