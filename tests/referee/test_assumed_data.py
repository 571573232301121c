"""An illegal finding stays illegal whatever a datum is that no rulebook prints: the game's own files are changed.

The referee weighs findings with suppositions of its own; here the scenario itself is another, and the whole sheet
is judged anew. The data near each fault are changed one at a time. Of the games that this makes a sample is tried,
first those in which the hexes of the finding itself are others; `make full` tries them all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from hexforge.scenarios.commands import EXTENSION, find, kind_of
from hexforge.scenarios.model import GameMap, Scenario
from hexforge.scenarios.schema.map import HexsideRun
from hexforge.scenarios.text.hexgrid import side
from hexforge.validator.judging import worlds
from hexforge.validator.judging.replay import replay
from hexforge.validator.judging.worlds import ALIKE
from hexforge.validator.notation import statements as st
from hexforge.validator.notation import statements_head
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.findings import Finding
from tests.cases.catalogue import cases
from tests.examples import FULL
from tests.referee.played import scenario

ROOT = Path(__file__).parents[2]
MISTAKES = [path.read_text("utf-8") for path in sorted((ROOT / "scenarios").glob("*/examples/*-mistakes.sheet"))]
PRINTED = [case.sheet for case in cases() if "map blank" not in case.sheet] + MISTAKES
GAME = re.compile(r"^(?:game|jogo) (\w+)", re.MULTILINE)
SHEETS = {
    f"{i}-{named[1]}": sheet
    for i, sheet in enumerate(PRINTED)
    # An extension has no map and no order of battle whose data could be assumed.
    if (named := GAME.search(sheet)) and kind_of(find(named[1])) != EXTENSION
}
MOST = 4
"""Other games that are tried for each finding, where not all are."""
EACH = 28
"""Of so many findings on a sheet full of mistakes one is looked at, where not all are."""


def found(game: Scenario, sheet: st.Sheet) -> tuple[Finding, ...]:
    return tuple(f for f in replay(game, sheet).findings if f.severity in ("illegal", "doubtful"))


def near(game: Scenario, finding: Finding) -> set[str]:
    named = {h for h in finding.hexes if h in game.map.grid}
    return named.union(*(game.map.grid.neighbours[h] for h in named))


def other_games(game: Scenario, sheet: st.Sheet, finding: Finding) -> Iterator[tuple[str, Scenario]]:
    """The game with one datum near a finding otherwise, each that no rulebook and no line of the sheet gives."""
    told = {h for s in sheet.statements if isinstance(s, statements_head.TerrainEdit) for h in s.hexes}
    own = set(finding.hexes)
    for h in sorted(near(game, finding) - told, key=lambda h: (h not in own, h)):
        for terrain in game.tables.terrain if game.map.provenance.get(h) != "printed" else ():
            if game.map.terrain[h] != (terrain,):
                changed = replace(game.map, terrain={**game.map.terrain, h: (terrain,)})
                yield f"{h} {terrain}", replace(game, map=changed)
    hexes = near(game, finding)
    for run in game.map.hexside_runs:
        for s in run.sides if run.provenance != "printed" else ():
            if hexes.issuperset(s):
                yield f"no {run.kind} {s}", replace(game, map=without_line(game.map, run, s))
    for way in game.map.ways:
        for a, b in pairwise(way.hexes) if way.provenance != "printed" else ():
            if hexes.issuperset((a, b)):
                cut = way.model_copy(update={"hexes": way.hexes[: way.hexes.index(a) + 1]})
                ways = tuple(cut if w is way else w for w in game.map.ways)
                yield f"no {way.kind} {a}/{b}", replace(game, map=replace(game.map, ways=ways))
    for u in finding.units:
        counter = game.counters.get(u)
        if counter is not None and counter.source_identity != "printed" and counter.regiment:
            alone = counter.model_copy(update={"regiment": ""})
            yield f"{u} alone", replace(game, counters={**game.counters, u: alone})


def without_line(map_: GameMap, run: HexsideRun, s: tuple[str, str]) -> GameMap:
    rest = run.model_copy(update={"sides": tuple(x for x in run.sides if side(*x) != side(*s))})
    return replace(map_, hexside_runs=tuple(rest if r is run else r for r in map_.hexside_runs))


def sample(others: list[tuple[str, Scenario]]) -> list[tuple[str, Scenario]]:
    """What is tried of other games: half of it those that come first, the rest from anywhere."""
    if FULL:
        return others
    first, rest = others[: MOST // 2], others[MOST // 2 :]
    return first + rest[:: max(1, len(rest) // (MOST - len(first) or 1))][: MOST - len(first)]


def still(finding: Finding, others: tuple[Finding, ...]) -> bool:
    """Whether a line, or the sums of its combat, are found fault with as before."""
    alike = next((group for group in ALIKE if finding.code in group), frozenset({finding.code}))
    return any(f.code in alike and abs(f.line - finding.line) <= 12 * (len(alike) > 1) for f in others)


@pytest.mark.parametrize("name", SHEETS)
def test_no_illegal_finding_rests_on_one_assumed_datum(name: str) -> None:
    hold(name, 1 if FULL or SHEETS[name] not in MISTAKES else EACH)


def hold(name: str, each: int) -> None:
    sheet = read_sheet(SHEETS[name])
    game = scenario(name.partition("-")[2])
    guilty = [f for f in found(game, sheet) if f.severity == "illegal"]
    for finding in guilty[::each]:
        for what, other in sample(list(other_games(game, sheet, finding))):
            assert still(finding, found(other, sheet)), (finding, what)


ATTACK = """sheet 1
game {game}
partial
unit x1 {attacker} infantry 6-4-10
unit x2 {attacker} infantry 6-4-10
unit y1 {defender} infantry 1-3-6
position
x1 {first}
x2 {second}
y1 {target}
turn {turn} {attacker} combat
combat {target}
attack x1 x2
declare 12:3 odds 4-1 column {column}
"""


def attack(game: Scenario, draw: random.Random) -> str:
    """A combat on the printed map, on ground of the reconstruction, with a column by chance."""
    name, grid = game.game.name, game.map.grid
    target = draw.choice(
        [h for h in grid if game.map.provenance.get(h) == "assumed" and len(grid.neighbours[h]) > 1]
    )
    first, second = draw.sample(list(grid.neighbours[target]), 2)
    attacker, defender = draw.sample([s.id for s in game.game.sides], 2)
    column = draw.choice(game.tables.crt.columns)
    turn = draw.randint(game.game.turns.first, game.game.turns.last)
    return ATTACK.format(**(locals() | {"game": name}))


@pytest.mark.parametrize("name", ["bastogne", "hurtgen", "metz"])
def test_no_column_is_illegal_that_other_ground_would_give(name: str) -> None:
    game, draw, held = scenario(name), random.Random(name), 0
    for _ in range(300 if FULL else 12):
        sheet = read_sheet(attack(game, draw))
        for finding in found(game, sheet):
            if finding.code == "column" and finding.severity == "illegal":
                held += 1
                others = list(other_games(game, sheet, finding))
                for what, other in others if FULL else others[: len(game.tables.terrain)]:
                    assert still(finding, found(other, sheet)), (finding, what)
    assert held > (50 if FULL else 2)


def test_a_referee_that_weighs_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "UNSURE", frozenset())
    with pytest.raises(AssertionError):
        for name, sheet in SHEETS.items():
            if sheet in MISTAKES:
                hold(name, 1)
