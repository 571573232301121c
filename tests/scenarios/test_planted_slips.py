"""Slips as authors make them, planted in starters and in a game of ours: each is told in the file with the line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hexforge.modulegen.starter import LIKE
from hexforge.scenarios.console import Problem, ScenarioError
from hexforge.scenarios.loader import load
from tests import starters as fresh

GAMES = Path(__file__).parents[1] / "games"
SLIPS = [
    ("classic", "counters.csv", "no-1,north,line", "no-1,nord,line"),
    ("classic", "counters.csv", "infantry,X,4,4,4", "infantri,X,4,4,4"),
    ("classic", "counters.csv", "infantry,X,4,4,4", "infantry,X,4,4,"),
    ("classic", "counters.csv", "infantry,X,4,4,4", "infantry,X,four,4,4"),
    ("classic", "counters.csv", "no-2,", "no-1,"),
    ("classic", "counters.csv", ",2,printed,printed", "2,printed,printed"),
    ("classic", "counters.csv", "3,1,4,2,printed", "3,1,4,0,printed"),
    ("classic", "game.yaml", "languages: [pt, en]", "languages: [pt, fr]"),
    ("classic", "game.yaml", "movement: foot}", "movement: food}"),
    ("classic", "game.yaml", "{side: south, phase: movement}", "{side: suth, phase: movement}"),
    ("classic", "game.yaml", "first: 1, last: 6", "first: 6, last: 1"),
    ("classic", "game.yaml", "stacking: {limit: 2", "stacking: {limit: 0"),
    ("classic", "game.yaml", "hexsides: river}", "hexsides: rivr}"),
    ("classic", "game.yaml", "by: 1/2", "by: 1/0"),
    ("classic", "game.yaml", 'allowance: "3.1"', 'alowance: "3.1"'),
    ("classic", "map.yaml", "low: even", "low: evn"),
    ("classic", "map.yaml", "  ....w.....", "  ....x....."),
    ("classic", "map.yaml", "0104/0105", "0104/0106"),
    ("classic", "map.yaml", "kind: river", "kind: rivr"),
    ("classic", "map.yaml", "0501 0502 0503", "0501 0503"),
    ("classic", "map.yaml", "id: east-town", "id: bridge-town"),
    ("classic", "map.yaml", "provenance: printed\n    sides", "provenance: print\n    sides"),
    ("classic", "setup.yaml", 'hexes: "0504"', 'hexes: "0599"'),
    ("classic", "setup.yaml", "turn: 2, edges: [north]", "turn: 22, edges: [north]"),
    ("classic", "setup.yaml", "totals: {north: 5", "totals: {north: 6"),
    ("classic", "setup.yaml", "units: no-cav", "units: no-1"),
    ("classic", "victory.yaml", "points: {north: 5", "points: {norht: 5"),
    ("classic", "victory.yaml", "objectives:", "objectivs:"),
    ("classic", "tables.yaml", '"6": [AE', '"7": [AE'),
    ("classic", "tables.yaml", "1-1, 2-1", "2-1, 1-1"),
    ("classic", "tables.yaml", "costs: {foot: 1, horse: 1}}", "costs: {foot: 1}}"),
    ("classic", "tables.yaml", "costs: {foot: 2, horse: 3}", "costs: {foot: 2, horse: 3.3}"),
    ("classic", "text.en.yaml", "terrain: {open", "terain: {open"),
    ("classic", "text.en.yaml", "infantry: Infantry", "infatry: Infantry"),
    ("classic", "text.en.yaml", "river: River", "rver: River"),
    ("supply", "game.yaml", "marks: unsupplied", "marks: unsuplied"),
    ("supply", "game.yaml", "{kind: hexes, hexes: 3}", "{kind: hexes, hex: 3}"),
    ("sticky", "game.yaml", "leave: {kind: never}", "leave: {kind: nver}"),
    ("sticky", "game.yaml", "next_to: all", "next_to: al"),
    ("fire", "map.yaml", "tops: pointy", "tops: pointed"),
    ("fire", "map.yaml", "A4/B5 A4/A5", "A4/C5 A4/A5"),
    ("fire", "setup.yaml", "hexes: E4", "hexes: E44"),
    ("classic", "game.yaml", "family: classic", "family: clasic"),
    ("classic", "counters.csv", "3,1,4,2,printed", "3,1,4,99,printed"),
    ("corrick", "game.yaml", "areas: {south:", "areas: {soth:"),
    ("corrick", "game.yaml", '"3-6": mud}}', '"3-5": mud}}'),
    ("corrick", "game.yaml", "turn: 5, to: red", "turn: 5, to: blue"),
    ("corrick", "game.yaml", "turn: 5, to: red", "turn: 15, to: red"),
    ("corrick", "game.yaml", 'divisions: "3", before', 'divisions: "33", before'),
    ("corrick", "game.yaml", "does: [recover]}", "does: [recover], before: moved}"),
    ("corrick", "game.yaml", "depots: depot", "depots: depott"),
    ("corrick", "game.yaml", "near: {types: staff", "near: {side: blue, types: staff"),
    ("corrick", "game.yaml", "weather: mud, times: 2", "weather: mud, times: 3"),
    ("corrick", "game.yaml", "bonds: always", "bonds: alway"),
    ("corrick", "setup.yaml", "hexes: 0204~1", "hexes: 2204~1"),
    ("corrick", "setup.yaml", "near: {side: red", "near: {side: blue"),
    ("corrick", "victory.yaml", "hexes: 1203 1204", "hexes: 1103 1204"),
]


@pytest.fixture(scope="module")
def starters(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("starters")
    for like in {like for like, *_ in SLIPS}:
        if like in LIKE:
            fresh.write(home / like, "en", LIKE[like])
        else:
            shutil.copytree(GAMES / like, home / like)
    return {like: home / like for like, *_ in SLIPS}


def problems(folder: Path) -> tuple[Problem, ...]:
    try:
        return load(folder, strict=False).warnings
    except ScenarioError as error:
        return error.problems


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip[3])
def test_a_slip_is_told_where_it_is(starters: dict[str, Path], tmp_path: Path, slip: tuple[str, ...]) -> None:
    like, file, old, new = slip
    folder = tmp_path / "mine"
    shutil.copytree(starters[like], folder, ignore=shutil.ignore_patterns("schemas"))
    assert problems(folder) == ()
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    assert any(Path(p.file) == path and p.line for p in problems(folder))
