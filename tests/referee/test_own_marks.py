"""Marks that units take of their own will: dug in, in reserve."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.validator.judging.answer import Answer
from tests.referee.conftest import Judge

SEQUENCE = [
    {"side": "crown", "phase": "movement"},
    {"side": "crown", "phase": "combat"},
    {"side": "crown", "phase": "works", "does": ["mark"]},
    {"side": "league", "phase": "movement"},
    {"side": "league", "phase": "combat"},
]
MOVING = [phase for phase in SEQUENCE if phase["phase"] != "works"]
LINES = """unit c1 crown footmen 6-6-4
unit c2 crown lancers 6-6-6
unit l1 league footmen 3-3-4
position
  c1 0503
  c2 0703
  l1 {enemy}
{status}turn 1 crown movement
{moves}{rest}"""


def played(judged: Judge, take: Any, moves: str, *, sequence: Any = None, **more: Any) -> Answer:
    told = {"enemy": "0901", "status": "", "rest": ""}
    told |= {name: more.pop(name) for name in told if name in more}
    marks = [{"mark": "dug-in", "section": "4.9", "take": take, **more}]
    lines = LINES.format(moves="".join(f"{move}\n" for move in moves.split("; ") if move), **told)
    return judged(lines, marks=marks, sequence=sequence or MOVING, combat={"modifiers": [SHELTER]})


SHELTER = {"name": "trench", "what": {"kind": "factor", "of": "defenders", "by": 2, "units": {"marks": "dug-in"}}}
MARK = "mark c1 as dug-in"


def wrong(answer: Answer) -> list[str]:
    return [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"]


@pytest.mark.parametrize(
    ("take", "moves", "said"),
    [
        ({}, MARK, []),
        ({}, f"{MARK}; {MARK}", ["mark-again"]),
        ({}, "mark c1 as garrison", ["mark-none"]),
        ({"types": "lancers"}, MARK, ["mark-unit"]),
        ({"side": "league"}, MARK, ["mark-unit"]),
        ({"turns": [2, 3]}, MARK, ["mark-unit"]),
        ({"unmoved": True}, MARK, []),
        ({"unmoved": True}, f"move c1: 0503 0504; {MARK}", ["mark-moved"]),
        ({"unmoved": True}, f"{MARK}; move c1: 0503 0504", ["move-given-up"]),
        ({}, f"move c1: 0503 0504; {MARK}", []),
        # Four points: two for the mark leave two hexes.
        ({"points": 2}, f"move c1: 0503 0504 0505; {MARK}", []),
        ({"points": 2}, f"move c1: 0503 0504 0505 0506; {MARK}", ["mark-points"]),
        ({"points": 2}, f"{MARK}; move c1: 0503 0504 0505", []),
        ({"points": 2}, f"{MARK}; move c1: 0503 0504 0505 0506", ["movement-cost"]),
        ({"terrain": "orchard"}, MARK, ["mark-terrain"]),
        ({"terrain": "steppe"}, MARK, []),
        ({}, "mark l1 as dug-in", ["wrong-side"]),
        ({"barred_marks": "dug-in"}, f"{MARK}; {MARK}", ["mark-unit", "mark-again"]),
    ],
)
def test_units_take_a_mark(judged: Judge, take: dict[str, Any], moves: str, said: list[str]) -> None:
    assert wrong(played(judged, take, moves)) == said


@pytest.mark.parametrize(("clear", "said"), [(True, ["mark-zone"]), (False, [])])
def test_next_to_the_enemy(judged: Judge, clear: bool, said: list[str]) -> None:
    assert wrong(played(judged, {"clear": clear}, MARK, enemy="0504")) == said


def test_in_a_phase_of_its_own(judged: Judge) -> None:
    late = f"turn 1 crown combat\nturn 1 crown works\n{MARK}\n"
    assert wrong(played(judged, {"points": 2}, "move c1: 0503 0504 0505 0506", sequence=SEQUENCE, rest=late)) == []
    assert wrong(played(judged, {}, MARK, sequence=SEQUENCE)) == ["wrong-phase"]


FIGHT = """turn 1 crown combat
turn 1 league movement
turn 1 league combat
combat 0503
  attack l1
  declare 3:{defence} odds 1-{odds}
"""


@pytest.mark.parametrize(
    ("moves", "more", "defence"),
    [
        (MARK, {}, 12),
        ("", {}, 6),
        ("", {"status": "  status c1 dug-in\n"}, 12),
        ("move c1: 0503 0403; move c1: 0403 0503", {"status": "  status c1 dug-in\n", "in_place": True}, 6),
        (MARK, {"in_place": True}, 12),
        (MARK, {"lapses": [{"phase": "movement", "whose": "enemy", "at": "start"}]}, 6),
    ],
)
def test_what_the_mark_is_worth(judged: Judge, moves: str, more: dict[str, Any], defence: int) -> None:
    rest = FIGHT.format(defence=defence, odds=defence // 3)
    answer = played(judged, {}, moves, enemy="0504", rest=rest, **more)
    assert answer.combats[0].defence == defence


def test_a_mark_is_left_behind(judged: Judge) -> None:
    left = {"status": "  status c1 dug-in\n", "in_place": True}
    away = "move c1: 0503 0502; mark c1 as dug-in"
    assert wrong(played(judged, {}, away, **left)) == []
    assert wrong(played(judged, {}, away, status="  status c1 dug-in\n")) == ["mark-again"]


RESERVE = [*MOVING[:2], {"side": "crown", "phase": "movement", "marks": "dug-in"}, *MOVING[2:]]


@pytest.mark.parametrize(("move", "said"), [("move c1: 0503 0504", []), ("move c2: 0703 0704", ["phase-unmarked"])])
def test_the_reserve_alone_moves_later(judged: Judge, move: str, said: list[str]) -> None:
    late = f"turn 1 crown combat\nturn 1 crown movement\n{move}\n"
    rules = {"lapses": [{"phase": "movement", "whose": "enemy", "at": "end"}]}
    answer = played(judged, {}, "mark c1 as dug-in", sequence=RESERVE, rest=late, **rules)
    assert wrong(answer) == said


HELD = """unit c1 crown footmen 3-3-4
unit l1 league footmen 3-3-4
position
  c1 0504
  l1 0505
turn 1 crown combat
combat 0505
  attack c1
  roll 3 4
  result IMP
turn 1 crown movement
move c1: 0504 0503
"""


def test_a_result_may_give_a_mark_that_sheets_call_something_else_by(judged: Judge) -> None:
    rows = dict.fromkeys(("2,3,4", "5,6", "7", "8,9", "10,11,12"), ["IMP"] * 6)
    tables = {"crt": {"rows": rows}, "results": {"IMP": {"attacker": {"mark": "engaged"}}}}
    for marks, found in (("engaged", ["immobile"]), ("reinforcement", [])):
        held = {"immobile": [{"turns": [1, 6], "marks": marks, "section": "4.6"}]}
        answer = judged(HELD, tables=tables, movement=held, combat={"duty": {"units": "none"}})
        assert [
            f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"
        ] == found


TURNED = """unit c1 crown footmen 6-6-4
unit l1 league footmen 3-3-4
position
  c1 0503
  l1 0901
turn 1 crown movement
{first}turn 1 crown combat
turn 1 crown works
{then}turn 1 league movement
turn 1 league combat
turn 2 crown movement
{last}"""


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [(MARK, "", ["mark-phase"]), ("", MARK, []), ("move c1: 0503 0504", MARK, [])],
)
def test_a_mark_is_taken_in_its_phases_alone(judged: Judge, first: str, then: str, said: list[str]) -> None:
    marks = [{"mark": "dug-in", "section": "4.9", "take": {"phases": ["works"]}}]
    lines = TURNED.format(first=f"{first}\n" if first else "", then=f"{then}\n" if then else "", last="")
    sequence = [{**SEQUENCE[0], "does": ["mark"]}, *SEQUENCE[1:]]
    assert wrong(judged(lines, marks=marks, sequence=sequence, combat={"modifiers": [SHELTER]})) == said


@pytest.mark.parametrize(
    ("lapse", "free"),
    [
        # Charging becomes blown, which stays for a whole turn, although blown too goes as the phase begins.
        ({"phase": "works", "at": "start", "becomes": "blown"}, False),
        ({"phase": "works", "at": "end", "becomes": "blown"}, False),
        ({"phase": "works", "at": "end"}, True),
    ],
)
def test_a_mark_becomes_another(judged: Judge, lapse: Any, free: bool) -> None:
    marks = [
        {"mark": "charging", "section": "4.9", "take": {}, "lapses": [lapse]},
        {
            "mark": "blown",
            "section": "4.9",
            "take": {"types": "lancers"},
            "lapses": [{"phase": "works", "at": "start"}],
        },
    ]
    rest = {"immobile": [{"turns": [1, 6], "marks": "blown", "section": "4.9"}]}
    lines = TURNED.format(first="mark c1 as charging\n", then="", last="move c1: 0503 0504\n")
    sequence = [{**SEQUENCE[0], "does": ["mark"]}, *SEQUENCE[1:]]
    assert wrong(judged(lines, marks=marks, sequence=sequence, movement=rest)) == ["immobile"] * (not free)
