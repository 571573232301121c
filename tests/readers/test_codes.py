"""Codes that no table of the game has are slips of the pen: they read nothing off, and break no rule."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

HEAD = """sheet 1
game hurtgen
partial
turn 2 american movement
move us-112-1: 0806 0907
turn 2 american combat
combat 1007
  attack us-112-1
  roll 5 4
"""


@pytest.mark.parametrize(
    "line", ["result DRBB AVI", "result DVI XRI", "result: defender retreats, attacker loses a step", "result HIT"]
)
def test_what_is_no_code_is_not_read(line: str) -> None:
    findings = judge(read_sheet(f"{HEAD}  {line}\n")).findings
    assert [(f.line, f.code) for f in findings if f.severity == "unread"] == [(10, "syntax")]
    assert not [f for f in findings if f.severity == "illegal"]


@pytest.mark.parametrize("line", ["result DVI AE", "result DB"])
def test_codes_of_the_game_that_are_not_the_result_are_illegal(line: str) -> None:
    findings = judge(read_sheet(f"{HEAD}  {line}\n")).findings
    assert [(f.line, f.code) for f in findings if f.severity == "illegal"] == [(10, "result")]
