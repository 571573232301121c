"""Set-ups: any choice that the rulebook leaves is right, and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.notation import base, statements_head
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

GAMES = ["bastogne", "metz", "hurtgen"]


def choice(scenario: Scenario) -> dict[str, str]:
    """A hex for every unit that starts on the map: the first of its area that has room."""
    limit = scenario.game.rules.stacking.limit
    room: Counter[str] = Counter()
    areas = {a.id: a.hexes for a in scenario.map.areas}
    quotas = {unit: quota for quota in scenario.setup.quotas for unit in quota.units}
    placed: dict[str, str] = {}
    free = scenario.map.grid.hexes
    for rule in scenario.setup.at_start:
        for unit in rule.units:
            hexes = [*rule.hexes, *(h for area in rule.areas for h in areas[area])] or list(free)
            if unit in quotas:
                quota = quotas[unit]
                regiments = list(dict.fromkeys(scenario.counters[u].regiment for u in quota.units))
                inside = scenario.counters[unit].regiment in regiments[: quota.regiments]
                hexes = [h for h in hexes if (h in areas[quota.area]) == inside]
            placed[unit] = next(h for h in hexes if room[h] < limit)
            room[placed[unit]] += 1
    return placed


def judged(scenario: Scenario, placed: dict[str, str], *, reduced: str = "") -> Answer:
    statements: list[base.Statement] = [
        statements_head.SheetVersion(1, 1),
        statements_head.GameName(2, scenario.name),
        statements_head.SetupStart(3),
    ]
    statements += [statements_head.Placement(0, unit, hex_, unit == reduced) for unit, hex_ in placed.items()]
    return judge(read_sheet(write_sheet(statements)))


@pytest.mark.parametrize("game", GAMES)
def test_a_complete_choice_is_legal(game: str) -> None:
    scenario = load(game)
    placed = choice(scenario)
    assert judged(scenario, placed).findings == ()
    # A player may mail the set-up of his side alone.
    side = scenario.game.sides[1]
    own = {u: h for u, h in placed.items() if scenario.counters[u].side == side.id}
    assert judged(scenario, own).findings == ()


@pytest.mark.parametrize("game", GAMES)
def test_a_unit_elsewhere_is_found(game: str) -> None:
    scenario = load(game)
    placed = choice(scenario)
    unit = next(u for rule in scenario.setup.at_start if len(rule.hexes) == 1 for u in rule.units)
    away = next(h for h in scenario.map.grid if h not in placed.values() and h != placed[unit])
    found = judged(scenario, {**placed, unit: away}).findings
    assert [(f.units, f.severity, f.hexes) for f in found] == [((unit,), "illegal", (away,))]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_missing_comes_later_or_is_reduced_is_found(game: str) -> None:
    scenario = load(game)
    placed = choice(scenario)
    first = next(iter(placed))
    assert [f.units for f in judged(scenario, {u: h for u, h in placed.items() if u != first}).findings] == [
        (first,)
    ]
    late = scenario.setup.reinforcements[0].units[0]
    found = judged(scenario, {**placed, late: placed[first]}).findings
    assert "reinforcement" in {f.code for f in found}
    assert judged(scenario, placed, reduced=first).verdict == "illegal"


def test_interchangeable_battalions_fill_their_places_in_any_order() -> None:
    text = """\
sheet 1
game bastogne
partial
unit x american infantry 3-4-10 regiment 109 division 28
unit y american infantry 3-4-10 regiment 109 division 28
unit z american infantry 3-4-10 regiment 109 division 28
setup
  x 5018
  y 4321
  z 4615
"""
    assert judge(read_sheet(text)).findings == ()
    (finding,) = judge(read_sheet(text.replace("z 4615", "z 5018"))).findings
    assert (finding.line, finding.rule, finding.units) == (10, "B 10.1.2", ("z",))


def test_a_hex_of_a_reconstructed_bivouac_is_in_doubt() -> None:
    text = "sheet 1\ngame bastogne\npartial\nsetup\n  ge-39-1 5101\n"
    (finding,) = judge(read_sheet(text)).findings
    assert finding.severity == "doubtful"
    assert "bivouac-26-vg" in str(finding.rests_on[0])


def test_regiments_that_start_beyond_the_river_are_counted() -> None:
    scenario = load("bastogne")
    placed = choice(scenario)
    quota = scenario.setup.quotas[0]
    west = next(a.hexes for a in scenario.map.areas if a.id == quota.area)
    mover = next(u for u in quota.units if placed[u] not in west)
    room = next(h for h in west if h not in placed.values())
    found = judged(scenario, {**placed, mover: room}).findings
    assert [(f.rule, f.severity) for f in found] == [("B 10.1.1", "doubtful")]
    # A regiment is torn apart: it is named, and the line is that of its battalion which stands wrong.
    assert found[0].line == 4 + list(placed).index(mover)
    assert f"and a part of {scenario.counters[mover].regiment}" in str(found[0].message)


def test_too_many_in_a_hex_and_both_sides_in_one() -> None:
    text = """\
sheet 1
game hurtgen
partial
map blank open 18x12
unit g1 german infantry 9-9-9
unit a1 american infantry 9-9-9
unit a2 american infantry 9-9-9
unit a3 american infantry 9-9-9
unit a4 american infantry 9-9-9
setup
  a1 0705
  a2 0705
  a3 0705
  a4 0705
  g1 0705
"""
    found = judge(read_sheet(text)).findings
    assert [(f.line, f.code) for f in found] == [(14, "stacking"), (15, "enemy-occupied")]
