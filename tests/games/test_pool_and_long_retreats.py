"""Units that begin destroyed and come by replacements, and retreats that go on where there is no room."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hexforge.modulegen.assemble.module import spots
from hexforge.modulegen.plan import plan
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.rules_combat import Distance
from hexforge.scenarios.schema.setup import Pool
from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario


@cache
def with_pool() -> Scenario:
    """Mirefield, where a third unit of riflemen begins in the pool and is no reinforcement."""
    game = scenario("tests/games/mirefield")
    coming = tuple(
        replace(line, units=tuple(u for u in line.units if u != "al-rif-3")) for line in game.setup.reinforcements
    )
    setup = replace(game.setup, reinforcements=coming, pool=(Pool(units=("al-rif-3",), section="1.2"),))
    return replace(game, setup=setup)


def judged(sheet: str) -> Judgement:
    return replay(with_pool(), read_sheet("sheet 1\ngame mirefield\n" + sheet))


def test_who_begins_in_the_pool_comes_by_a_replacement_and_nobody_has_scored_for_it() -> None:
    come = judged("turn 1 alder movement\nenter al-rif-3: 0105 from west\n")
    assert not [f for f in come.findings if f.severity == "illegal" and "al-rif-3" in f.units]
    assert come.position.hex_of("al-rif-3") == "0105"
    assert come.position.units["al-rif-3"].step == "reduced"
    assert come.score["brack"] == judged("turn 1 alder movement\n").score["brack"]


@pytest.mark.parametrize("line", ["move al-rif-3: 0203 0204", "enter al-rif-3: 0106 from west\nrecover al-rif-2"])
def test_who_begins_in_the_pool_is_not_on_the_map_and_has_its_price(line: str) -> None:
    assert [f for f in judged(f"turn 1 alder movement\n{line}\n").findings if f.severity == "illegal"]


def test_the_module_lays_who_begins_in_the_pool_among_the_dead() -> None:
    made = plan(with_pool(), "en")
    board, _, _ = next(spot for spot, units in spots(made) if "al-rif-3" in units)
    assert board == made.losses.name
    assert not [units for (where, _, _), units in spots(made) if "al-rif-3" in units and where != board]


def crowded(path: str, **way: object) -> list[str]:
    """What is found on a retreat of one hex out of 0504, where four points of troops fill 0604."""
    game = scenario("tests/games/karst")
    rule = replace(game.game.rules.combat.retreat, way=Distance(kind="distance", friends="through", **way))
    combat = replace(game.game.rules.combat, retreat=rule)
    rules = replace(game.game.rules, combat=combat)
    sheet = f"""sheet 1
game karst
position after turn 1 empire movement
  em-hq 0302
  re-hq 0805
  em-1 0403
  em-2 0403
  re-1 0504
  re-2 0604
  re-3 0604
turn 1 empire combat
combat 0504
  attack em-1 em-2
  declare 8:4 odds 2-1 column 2-1
  roll 3 2
  result DR
  retreat re-1: {path}
"""
    found = replay(replace(game, game=replace(game.game, rules=rules)), read_sheet(sheet)).findings
    return [f.message.key.removeprefix("findings.") for f in found if f.severity == "illegal"]


@pytest.mark.parametrize(
    ("path", "extended", "found"),
    [
        ("0504 0604 0704", True, []),
        ("0504 0604 0704", False, ["retreat-hexes"]),
        ("0504 0604 0704 0804", True, ["retreat-hexes"]),  # 0704 has room: there it ends
        ("0504 0603 0703", True, ["retreat-hexes"]),  # nobody stands in 0603
        ("0504 0603", True, []),
        ("0504 0604", True, ["overstacked-points"]),
    ],
)
def test_a_retreat_goes_on_past_full_hexes_to_the_next_with_room(
    path: str, extended: bool, found: list[str]
) -> None:
    assert crowded(path, extended=extended) == found
