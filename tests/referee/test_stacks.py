"""Stacks: how they are counted, by whose rules, and when they are looked at."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.validator.judging.answer import Answer
from tests.referee.conftest import Judge
from tests.referee.test_mechanics import codes, second_phase
from tests.referee.test_supply_and_replacements import illegal_by_line

STACKED = """unit c1 crown footmen 3-3-4 size II
unit c2 crown footmen 3-3-4 size X
unit c3 crown bombards 3-3-4 size I
position
  c1 0303
  c2 0304
  c3 0305
turn 1 crown movement
move c1: 0303 0304
move c3: 0305 0304
{more}
"""


def stacking(limit: int, **choices: Any) -> dict[str, Any]:
    return {"stacking": {"limit": limit, "section": "3.5", **choices}}


def heights(answer: Answer) -> list[tuple[object, int]]:
    return [(f.computed, f.line) for f in answer.findings if f.code == "stacking"]


def test_stacks_are_counted_in_units_or_in_points(judged: Judge) -> None:
    sheet = STACKED.format(more="")
    assert heights(judged(sheet, **stacking(2))) == [(3, 14)]
    assert heights(judged(sheet, **stacking(3))) == []
    points = {"X": 3, "II": 2}
    assert heights(judged(sheet, **stacking(5, points=points))) == [(6, 14)]
    assert heights(judged(sheet, **stacking(6, points=points))) == []
    assert heights(judged(sheet, **stacking(5, points=points, free="guns"))) == []
    assert heights(judged(sheet, **stacking(5, points={"bombards": 0, **points}))) == []
    # a counter's own points come before those of its kind
    named = sheet.replace("c3", "cr-red-1")
    assert heights(judged(named, **stacking(6, points=points))) == []
    assert heights(judged(named, **stacking(6, points={**points, "cr-red-1": 2}))) == [(7, 14)]


@pytest.mark.parametrize(
    ("reduced", "limit", "said"), [("", 11, [12]), ("", 12, []), (" reduced", 10, []), (" reduced", 9, [10])]
)
def test_stacks_are_counted_in_steps(judged: Judge, reduced: str, limit: int, said: list[int]) -> None:
    units = "".join(f"unit c{n} crown footmen 3-3-4 reduced 2-2\n" for n in (1, 2, 3))
    places = f"position\n  c1 0303\n  c2 0304{reduced}\n  c3 0304\n"
    answer = judged(
        f"{units}{places}turn 1 crown movement\nmove c1: 0303 0304\n",
        **stacking(limit, counted="steps", points={"footmen": 2}),
    )
    assert [count for count, _ in heights(answer)] == said


def test_some_terrain_takes_less(judged: Judge) -> None:
    sheet = STACKED.format(more="")
    low = stacking(3, terrain={"hills": 1})
    assert heights(judged(sheet, ground="terrain hills 0304", **low)) == [(2, 13), (3, 14)]
    assert heights(judged(sheet, **low)) == []


def test_a_side_stacks_by_rules_of_its_own(judged: Judge) -> None:
    sheet = STACKED.format(more="")
    assert heights(judged(sheet, **stacking(3, sides={"crown": {"limit": 2}}))) == [(3, 14)]
    assert heights(judged(sheet, **stacking(2, sides={"crown": {"limit": 3}}))) == []
    low = stacking(3, terrain={"hills": 2}, sides={"crown": {"limit": 4}})
    assert heights(judged(sheet, ground="terrain hills 0304", **low)) == [(3, 14)]
    mixed = sheet.replace("c1", "cr-red-1").replace("c2", "cr-household-1")
    apart = [f.message.key for f in judged(mixed, **stacking(9, sides={"league": {"alike": "branch"}})).findings]
    assert "findings.stacking-mixed" not in apart


def test_stacks_may_be_looked_at_when_the_phase_ends(judged: Judge) -> None:
    onward = STACKED.format(more="move c2: 0304 0404")
    assert heights(judged(onward, **stacking(2))) == [(3, 14)]
    assert heights(judged(onward, **stacking(2, checked="phase"))) == []
    assert heights(judged(STACKED.format(more=""), **stacking(2, checked="phase"))) == [(3, 12)]


CROWDED = """unit c1 crown footmen 3-3-4
unit c2 crown footmen 3-3-4
unit c3 crown footmen 3-3-4
unit l1 league footmen 3-3-4
position
  c1 0303
  c2 0303
  c3 0303
  l1 0908
turn 1 crown supply
turn 1 crown movement
{first}turn 1 crown combat
turn 1 crown movement
{second}turn 1 crown refit
turn 1 league movement
"""


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        ("", "", [15]),
        ("move c3: 0303 0304\n", "", []),
        ("move c3: 0303 0304\n", "move c3: 0304 0303\n", [18]),
        ("", "move c3: 0303 0304\n", [15]),
    ],
)
def test_stacks_are_looked_at_when_movement_ends_and_told_once(
    judged: Judge, first: str, second: str, lines: list[int]
) -> None:
    sequence = [
        {"side": "crown", "phase": "supply"},
        *second_phase()[:3],
        {"side": "crown", "phase": "refit", "does": ["enter"]},
        *second_phase()[3:],
    ]
    rule = {"stacking": {"limit": 2, "checked": "phase", "section": "3.4"}}
    answer = judged(CROWDED.format(first=first, second=second), sequence=sequence, **rule)
    assert illegal_by_line(answer) == [("stacking", line) for line in lines]


THROUGH = """unit c1 crown footmen 3-3-8
unit c2 crown footmen 3-3-8
unit c3 crown footmen 3-3-8
unit l1 league footmen 3-3-4
position
  c1 0303
  c2 0305
  c3 {at}
  l1 0908
turn 1 crown movement
move c1{beside}: {way}
"""


def test_stacks_may_be_looked_at_in_every_hex_of_a_way(judged: Judge) -> None:
    def found(at: str, way: str, *, beside: str = "", checked: str = "always", **more: Any) -> list[str]:
        rules = {"stacking": {"limit": 2, "checked": checked, "section": "3.4", **more}}
        return codes(judged(THROUGH.format(at=at, way=way, beside=beside), ground="terrain marsh 0304", **rules))

    past = "0303 0304 0305 0306"
    assert found("0305", past) == ["stacking"]
    assert found("0305", past, checked="move") == found("0109", past) == []
    assert found("0303", past, beside=" c3") == ["stacking"]  # together they are one too many
    assert found("0303", past, terrain={"marsh": 1}) == []
    assert found("0303", past, beside=" c3", terrain={"marsh": 1}) == ["stacking"]
    assert found("0305", "0303 0304 0305") == ["stacking"]  # told once where the move ends
    assert found("0305", "0303 - 0306") == []  # a way left open goes round
