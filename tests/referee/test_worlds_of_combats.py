"""A line that could not be read, or a unit nobody has set up, softens what it can bear upon, and nothing else."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

TURN = """sheet 1
game hurtgen
turn 2 american movement
move us-110-1 us-110-2 us-110-3: 0307 0308
move us-112-1: 0806 0907
turn 2 american combat
{first}
combat 0309
  attack us-110-1 us-110-2 us-110-3
  support offboard 30
  {told}
  roll 2 3
  result {result}
"""
UNREAD = "combat 1007: with a will us-112-1\n  declare 4:4\n  roll 4 3"


@pytest.mark.parametrize(
    ("told", "result", "severity"),
    [
        ("declare 42:6 odds 7-1 column 5-1", "DRI AVB", "illegal"),  # misread in its own column
        ("declare 42:6 odds 7-1 column 9-1", "DE AVB", "illegal"),  # no ground gives it
        ("with a will", "DRI AVB", "doubtful"),  # the line of this combat may have said anything
    ],
)
def test_an_unread_line_of_another_combat_softens_nothing(told: str, result: str, severity: str) -> None:
    answer = judge(read_sheet(TURN.format(first=UNREAD, told=told, result=result)))
    figures = {f.severity for f in answer.findings if f.code in ("result", "column", "shifts")}
    assert figures == {severity}
