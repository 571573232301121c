"""Bridges that are built: where, by whom, beside whom, and how long they stand, as a game chooses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.conftest import Judge

UNITS = "unit e1 crown sappers 1-2-4\nunit c1 crown footmen 3-3-4\nunit l1 league footmen 15-3-4\n"
UNITS += "unit g1 league bombards 3-3-4\n"
BUILDING = {"side": "crown", "types": "sappers", "first_turn": 1, "section": "3.4"}


def findings_on_bridges(
    judged: Judge, lines: str, *, ground: str = "stream 0504/0505", severity: str = "illegal", **chosen: Any
) -> list[str]:
    """The findings on lines of a sheet in which bridges are built in the way that is `chosen`."""
    answer = judged(f"partial\n{UNITS}{lines}", ground=ground, movement={"bridging": {**BUILDING, **chosen}})
    return [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == severity]


BUILT = "turn 1 crown movement\nbuild bridge 0504/0505 by e1\n"


@pytest.mark.parametrize(
    ("clear", "enemy", "wrong"),
    [
        ("zones", "0604", ["bridge-zone"]),
        ("enemies", "0604", ["bridge-enemies"]),
        ("nothing", "0604", []),
        ("zones", "0603", []),  # two hexes away
        ("nothing", "0505", ["bridge-enemy"]),  # he stands on the other bank
    ],
)
def test_who_builds_stands_clear_of_the_enemy(judged: Judge, clear: str, enemy: str, wrong: list[str]) -> None:
    assert findings_on_bridges(judged, f"position\n  e1 0504\n  l1 {enemy}\n{BUILT}", clear=clear) == wrong


def test_next_to_an_enemy_without_a_zone_one_builds_if_only_zones_forbid_it(judged: Judge) -> None:
    lines = f"partial\n{UNITS}position\n  e1 0504\n  l1 0604\n{BUILT}"
    for clear, wrong in (("zones", []), ("enemies", ["findings.bridge-enemies"])):
        movement = {"bridging": {**BUILDING, "clear": clear}, "zones": {"exerted": False}}
        answer = judged(lines, ground="stream 0504/0505", movement=movement)
        assert [f.message.key for f in answer.findings if f.severity == "illegal"] == wrong


@pytest.mark.parametrize(
    ("where", "ground", "wrong"),
    [
        ("any", "stream 0504/0505", []),
        ("way", "stream 0504/0505", ["bridge-way"]),
        ("way", "stream 0504/0505\ncanal 0503 0504 0505", []),
        ("way", "", ["bridge-water"]),
    ],
)
def test_repairs_are_where_a_bridge_was(judged: Judge, where: str, ground: str, wrong: list[str]) -> None:
    lines = f"position\n  e1 0504\n  l1 0101\n{BUILT}"
    assert findings_on_bridges(judged, lines, ground=ground, where=where) == wrong


@pytest.mark.parametrize(
    ("held", "control", "wrong"),
    [
        ("any", "", []),
        ("any", "control league 0505", []),
        ("now", "control league 0505", ["bridge-held-now"]),
        ("now", "control crown 0505", []),
        ("turn", "control league 0505", ["bridge-held"]),
        ("turn", "control crown 0505", []),
    ],
)
def test_whose_the_banks_must_be(judged: Judge, held: str, control: str, wrong: list[str]) -> None:
    lines = f"position\n  e1 0504\n  l1 0101\n  {control}\n{BUILT}"
    assert findings_on_bridges(judged, lines, held=held) == wrong


def test_hexes_taken_in_the_turn_are_ones_own_now_but_were_not_when_it_began(judged: Judge) -> None:
    """Footmen come to the far bank in the same phase, from behind."""
    lines = "position\n  e1 0504\n  c1 0506\n  l1 0101\n  control league 0505\nturn 1 crown movement\n"
    lines += "move c1: 0506 0505\nbuild bridge 0504/0505 by e1\n"
    assert findings_on_bridges(judged, lines, held="now") == []
    assert findings_on_bridges(judged, lines, held="turn") == ["bridge-held"]


def test_a_bank_that_a_ruling_gives_has_been_its_holders_since_the_turn_began(judged: Judge) -> None:
    lines = "position\n  e1 0504\n  l1 0101\n  control league 0505\nturn 1 crown movement\n{}"
    lines += "build bridge 0504/0505 by e1\n"
    ruled = lines.format("control 0505 crown because it fell last turn\n")
    assert findings_on_bridges(judged, lines.format(""), held="turn") == ["bridge-held"]
    assert findings_on_bridges(judged, ruled, held="turn") == []
    lost = lines.replace("control league", "control crown").format("control 0505 league because it was lost\n")
    assert findings_on_bridges(judged, lost, held="turn") == ["bridge-held"]


@pytest.mark.parametrize(
    ("said", "start", "wrong"),
    [
        ("control crown 0505", "league", []),
        ("control league 0505", "crown", ["bridge-held"]),
        ("control crown 0505\n  held league 0505", "crown", ["bridge-held"]),
        ("control crown 0505\n  held crown 0504", "league", ["bridge-held"]),  # all such places are told: not it
    ],
)
def test_a_position_within_a_turn_that_tells_holders_alone_tells_those_of_its_beginning(
    judged: Judge, said: str, start: str, wrong: list[str]
) -> None:
    phases = [("crown", "movement"), ("crown", "combat"), ("crown", "movement"), ("league", "movement")]
    sequence = [{"side": side, "phase": phase} for side, phase in phases]
    lines = f"partial\n{UNITS}position after turn 1 crown combat\n  e1 0504\n  l1 0607\n  {said}\n"
    lines += f"  stood crown 0504\n  stood {start} 0505\n{BUILT}"
    movement = {"bridging": {**BUILDING, "held": "turn", "waits": "phase"}}
    answer = judged(lines, ground="stream 0504/0505", sequence=sequence, movement=movement)
    found = [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"]
    assert found == wrong


@pytest.mark.parametrize(("waits", "wrong"), [("phase", []), ("turn", ["bridge-since"])])
def test_who_was_put_there_in_the_turn_may_build_if_it_need_not_wait(
    judged: Judge, waits: str, wrong: list[str]
) -> None:
    lines = f"position\n  e1 0504\n  l1 0101\n  status e1 since 1\n{BUILT}"
    assert findings_on_bridges(judged, lines, waits=waits) == wrong
    moved = lines.replace("e1 0504", "e1 0503").replace("build", "move e1: 0503 0504\nbuild", 1)
    assert findings_on_bridges(judged, moved, waits=waits) == ["bridge-moved"]


OVER = """position
  marker bridge 0504/0505
  g1 0506
  c1 0209
turn 1 league movement
move g1: 0506 0505 0504
"""


@pytest.mark.parametrize(
    ("chosen", "wrong", "notes"),
    [
        ({}, [], []),
        ({"falls": "entered"}, ["barred-water"], ["bridge-fell"]),
        ({"falls": "entered", "told": False}, ["barred-water"], []),
    ],
)
def test_a_bridge_stands_or_falls_before_the_enemy(
    judged: Judge, chosen: dict[str, Any], wrong: list[str], notes: list[str]
) -> None:
    assert findings_on_bridges(judged, OVER, **chosen) == wrong
    assert findings_on_bridges(judged, OVER, severity="info", **chosen) == notes


ADVANCE = """position
  marker bridge 0504/0505
  c1 0505
  l1 0506
turn 1 league combat
combat 0505
  attack l1
  roll 6 6
  eliminate c1
  advance l1: 0505
turn 1 league movement
"""


@pytest.mark.parametrize(("falls", "notes"), [("entered", ["bridge-fell"]), ("never", [])])
def test_an_advance_brings_a_bridge_down_as_a_move_does(judged: Judge, falls: str, notes: list[str]) -> None:
    assert [
        n for n in findings_on_bridges(judged, ADVANCE, severity="info", falls=falls) if n == "bridge-fell"
    ] == notes
