"""`python -m tests.witness`: what VASSAL's own engine makes of a module, a save or a log."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from . import Engine, WitnessError, missing
from .install import SETUP_HINT
from .scripted import play_through

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def main() -> None:
    """Ask VASSAL's own engine (3.6) what it makes of our files."""


@main.command("open")
@click.argument("module", type=FILE)
@click.option("--save", "game", type=FILE, help="Load this save or log; a log is stepped through to its end.")
@click.option("--steps", type=int, default=-1, help="Take only so many steps of a log.")
@click.option("--setup", help="Start this predefined set-up instead ('*': the first).")
@click.option("--play", is_flag=True, help="Play by script from the set-up, replay the log, compare.")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Draw the map as the engine does.")
@click.option("--map", "map_name", help="Which map to draw (default: the first).")
@click.option("--json", "as_json", is_flag=True, help="Everything, as JSON.")
def open_module(  # noqa: PLR0917
    module: Path,
    game: Path | None,
    steps: int,
    setup: str | None,
    play: bool,
    png: Path | None,
    map_name: str | None,
    as_json: bool,
) -> None:
    """Open MODULE, report what is in it and what is wrong; exit code 1 if anything is."""
    lacks = missing()
    if lacks:
        raise click.UsageError(f"the engine cannot run, {SETUP_HINT}: there is no {', no '.join(lacks)}")
    report: dict[str, Any] = {}
    with Engine() as engine:
        try:
            report["module"] = engine.open(module)
            names = [one["name"] for one in report["module"]["setups"] if one["file"] or not one["uses_file"]]
            if (play or setup == "*") and not names:
                raise WitnessError("the module has no set-up")
            if play:
                chosen = names[0] if setup in (None, "*") else str(setup)
                scratch = engine.home / "play"
                scratch.mkdir()
                report["wrong"] = play_through(engine, report["module"], chosen, scratch)
                report["position"] = engine.position()
            elif game is not None:
                engine.load(game)
                report["position"] = engine.step(steps)
            elif setup is not None:
                report["position"] = engine.setup(names[0] if setup == "*" else setup)
            if "position" in report:
                report["chat"] = engine.chat()
            if png is not None:
                engine.snapshot(png, map_name)
        except WitnessError as error:
            report["error"] = str(error)
        report["problems"] = engine.problems
    if as_json:
        click.echo(json.dumps(report, indent=1, ensure_ascii=False))
    else:
        _show(report)
    sys.exit(1 if report["problems"] or report.get("wrong") or "error" in report else 0)


def _show(report: dict[str, Any]) -> None:
    module = report.get("module")
    if module:
        click.echo(f"{module['name']} {module['version']}: sides {', '.join(module['sides']) or 'none'}")
        for one in module["maps"]:
            boards = ", ".join(f"{board['name']} {board['width']}×{board['height']}" for board in one["boards"])
            click.echo(f"  map {one['name']}: {boards}")
        click.echo(
            f"  {len(module['slots'])} piece slots, {len(module['prototypes'])} prototypes, {module['images']}"
        )
        click.echo(f"  set-ups: {', '.join(one['name'] for one in module['setups']) or 'none'}")
    position = report.get("position")
    if position:
        for piece in sorted(position["pieces"], key=lambda one: (str(one["map"]), str(one["location"]))):
            click.echo(f"  {piece['map']} {piece['location']}: {piece['name']}")
        click.echo(f"  pieces by map: {dict(Counter(one['map'] for one in position['pieces']))}")
        click.echo(f"  turns: {position['turns']}; players: {position['players']}")
    for text in report.get("wrong", []):
        click.echo(f"wrong: {text}")
    for problem in report["problems"]:
        click.echo(f"{problem['kind']}: {problem['text']}")
    if "error" in report:
        click.echo(f"error: {report['error']}")
    elif not report["problems"] and not report.get("wrong"):
        click.echo("the engine reports nothing wrong")


if __name__ == "__main__":
    main(prog_name="python -m tests.witness")
