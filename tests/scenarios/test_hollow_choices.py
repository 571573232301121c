"""What is said twice, for nothing, for nobody or nowhere is told in its line, and what decides something is not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.scenarios.slips import told_of

GAMES = Path(__file__).parents[1] / "games"
EAST = "{side: east, phase: movement}"
FORCED = "{after: vacated, none: staff, must: true, %s"
WOOD = "{kind: terrain, terrain: wood}"
SHARELESS = "{kind: terrain, terrain: [open, wood, hill], share: none}"
SLIPS = [
    # Game, file, what stands there, what is written in its place, what is said.
    (
        "lowmarch",
        "game.yaml",
        "phase: attrition}",
        "phase: attrition}\n  - {side: west, phase: attrition}",
        "twice on",
    ),
    (
        "tarnhollow",
        "game.yaml",
        "{side: crimson, phase: fire, does: [bombard]}",
        "{side: crimson, phase: fire}",
        "cob",
    ),
    (
        "ashvale",
        "game.yaml",
        "{side: teal, phase: weather}",
        "{side: teal, phase: weather, does: [rail]}",
        "`rail`",
    ),
    (
        "karst",
        "game.yaml",
        "empire, phase: regroup, does: [recover",
        "empire, phase: regroup, does: [rally",
        "`rally`",
    ),
    ("tarnhollow", "game.yaml", '"4-6": cobalt}', '"4-6": crimson}', "the same whatever the dice"),
    ("ashvale", "game.yaml", 'shows: "8-10"', 'shows: "1-10"', "the same whatever the dice"),
    ("ashvale", "game.yaml", "not_across: river", "not_into: plain forest rough city", "reaches anywhere"),
    ("ashvale", "game.yaml", "points: {XX: 4, X: 3}", "points: {XX: 4, X: 3, III: 2}", "fits"),
    ("ashvale", "game.yaml", "terrain: {rough: 4}", "terrain: {rough: 0}", "may end in rough"),
    ("lowmarch", "game.yaml", FORCED % "far", FORCED % "most: 0, far", "nobody advances"),
    ("lowmarch", "game.yaml", "{side: east, most: 3}", "{side: east, most: 0}", "carries nobody"),
    ("lowmarch", "tables.yaml", "below: refused", "below: DE", "worse for the stronger"),
    ("lowmarch", "counters.csv", "XXX,5,5,4,2,3,", "XXX,0,0,4,0,0,", "neither attack nor defence"),
    ("kestrel", "victory.yaml", "points: {blue: 10, red: 5}", "points: {blue: 0, red: 0}", "it scores nothing"),
    ("kestrel", "victory.yaml", "at_turns: [4, 8]", "at_turns: [4, 8], each_turn: true", "every turn ends"),
    ("kestrel", "victory.yaml", "control: {ford: red", "control: {ford: blue", "holds it for red"),
    ("kestrel", "victory.yaml", "by: lead, least: 10", "by: lead, least: 1000", "never has so many points"),
    ("corrick", "victory.yaml", "last_turn: 8", "last_turn: 8, phases: combat", "but in movement"),
    ("corrick", "game.yaml", "hexes: 9}", "hexes: 0}", "no hex but that in which it begins"),
    ("corrick", "game.yaml", WOOD, WOOD + ", {kind: terrain, terrain: open}", "'wood' never holds"),
    ("kestrel", "tables.yaml", "road: {costs: {foot: 0.5", "road: {costs: {foot: 5", "dearer than the ground"),
    (
        "longridge",
        "game.yaml",
        "unmoved: true, phases: approach",
        "unmoved: true, phases: combat",
        "but in approach",
    ),
    (
        "longridge",
        "game.yaml",
        'shows: "3-6", phases: approach',
        'shows: "3-6", phases: straggling',
        "but in approach",
    ),
    (
        "longridge",
        "game.yaml",
        "{kind: phase, phases: combat}",
        "{kind: phase, phases: straggling}",
        "attacks nobody",
    ),
    ("longridge", "game.yaml", "{kind: terrain, terrain: hill}", SHARELESS, "every hex of the map has one"),
]
SOUND = [
    (
        "lowmarch",
        "game.yaml",
        "phase: attrition}",
        "phase: attrition}\n  - {side: west, phase: attrition, turns: [2, 3]}",
    ),
    ("lowmarch", "game.yaml", EAST, "{side: east, phase: movement, turns: [2, 8]}"),
    ("lowmarch", "game.yaml", EAST, "{side: east, phase: movement, who: infantry tank}"),
    ("ashvale", "game.yaml", 'shows: "8-10"', 'shows: "2-10"'),
    ("ashvale", "game.yaml", "not_across: river", "not_into: forest rough city"),
    ("lowmarch", "game.yaml", FORCED % "far", FORCED % "most: 1, far"),
    ("lowmarch", "tables.yaml", "below: refused", "below: AE"),
    ("kestrel", "victory.yaml", "control: {ford: red, abbey: red", "control: {abbey: red"),
    ("kestrel", "victory.yaml", "by: lead, least: 10", "by: lead, least: 12"),
    ("corrick", "game.yaml", "hexes: 9}", "hexes: 1}"),
    ("corrick", "game.yaml", WOOD, WOOD + ", {kind: terrain, terrain: open, share: none}"),
    ("corrick", "game.yaml", WOOD, WOOD + ", {kind: terrain, terrain: open, of: attackers}"),
    ("kestrel", "tables.yaml", "road: {costs: {foot: 0.5", "road: {costs: {foot: 1"),
    ("longridge", "game.yaml", "unmoved: true, phases: approach", "unmoved: true, phases: movement"),
    ("longridge", "game.yaml", "{kind: phase, phases: combat}", "{kind: phase, phases: combat march-on}"),
    (
        "longridge",
        "game.yaml",
        "{kind: terrain, terrain: hill}",
        "{kind: terrain, terrain: [open, wood], share: none}",
    ),
]

ELSEWHERE = [
    (
        "corrick",
        "game.yaml",
        "{kind: distance, zones: loss, away: true}",
        "{kind: fall_back}",
        "goes one hex",
        "tables.yaml",
        16,
    ),
    # The same, and the file and the line in which it is told.
    ("lowmarch", "game.yaml", EAST, "{side: east, phase: movement, turns: [3, 8]}", "in turn 2", "setup.yaml", 13),
    ("lowmarch", "game.yaml", EAST, "{side: east, phase: movement, who: tank}", "for infantry", "game.yaml", 14),
    ("lowmarch", "setup.yaml", "turn: 2, edges: [east]", 'turn: 2, hexes: "1104"', "swamp", "setup.yaml", 13),
    (
        "ashvale",
        "game.yaml",
        "teal, edges: [west]",
        "teal, edges: [north]",
        "lets them come by north",
        "setup.yaml",
        12,
    ),
]


def changed(folder: Path, slip: tuple[str, ...]) -> list[tuple[str, int, str, str]]:
    game, file, old, new = slip[:4]
    shutil.copytree(GAMES / game, folder / game)
    before = {str(p.message) for p in told_of(folder / game, [])}
    found = told_of(folder / game, [(file, old, new)])
    return [(Path(p.file).name, p.line, p.severity, str(p.message)) for p in found if str(p.message) not in before]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: f"{slip[0]}: {slip[3]}")
def test_what_decides_nothing_is_told_in_its_line(tmp_path: Path, slip: tuple[str, ...]) -> None:
    game, file, _, new, said = slip
    found = changed(tmp_path, slip)
    assert [(name, severity) for name, _, severity, _ in found] == [(file, "warning")], found
    line = (tmp_path / game / file).read_text("utf-8").splitlines()[found[0][1] - 1]
    assert new.splitlines()[-1] in line and said in found[0][3], (line, found)


@pytest.mark.parametrize("slip", ELSEWHERE, ids=lambda slip: f"{slip[0]}: {slip[3]}")
def test_what_a_change_makes_void_is_told_there(tmp_path: Path, slip: tuple[Any, ...]) -> None:
    *_, said, file, line = slip
    found = changed(tmp_path, slip)
    assert any(
        (name, at, severity) == (file, line, "warning") and said in text for name, at, severity, text in found
    )


@pytest.mark.parametrize("slip", SOUND, ids=lambda slip: f"{slip[0]}: {slip[3]}")
def test_what_decides_something_is_not(tmp_path: Path, slip: tuple[str, ...]) -> None:
    assert not changed(tmp_path, slip)
