"""A ratio that nobody says is odds or a column: it is whichever the units give, and else is named."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.replay import Judgement
from hexforge.validator.reading.sheet import read_sheet

from .combat_sheets import assault

UNITS = """a1 infantry 9-9-5 @ 0909
g1 infantry 2-2-5 size II reduced 1-1 @ 1010"""
REST = "roll 5 3|result DRB AVI|lose g1|retreat g1: 1010 1110|advance a1: 1010"
TOWN = "terrain town 1010"
"""Two columns for the defence: 9:2 are 4-1, in column 2-1."""


def judged(told: str) -> Judgement:
    return assault("hurtgen", UNITS, f"attack a1|{told}|{REST}", ground=TOWN)


@pytest.mark.parametrize(
    "told", ["at 4-1", "4-1", "a 4-1", "at 2-1", "2-1", "4-1|2-1", "9:2|4-1|2-1", "odds 4-1|2-1"]
)
def test_a_ratio_that_is_odds_or_column_is_right(told: str) -> None:
    found = judged(told)
    assert not [f for f in found.findings if f.code in ("odds", "column", "shifts", "syntax")]


@pytest.mark.parametrize("told", ["at 3-1", "5-1"])
def test_one_that_is_neither_is_named_and_nobody_accused(told: str) -> None:
    told_of = [(f.severity, f.message.key) for f in judged(told).findings if f.code == "odds"]
    assert told_of == [("unread", "findings.either")]


def test_what_is_said_of_odds_and_column_by_name_is_judged_as_that() -> None:
    assert [f.severity for f in judged("odds 2-1").findings if f.code == "odds"] == ["illegal"]
    assert [f.severity for f in judged("column 4-1").findings if f.code in ("column", "shifts")] == ["illegal"]


@pytest.mark.parametrize("lines", ["roll 5 3\n3-1", "4-1\n2-1\n1-1", "at 4-1 or so", "not at 4-1"])
def test_a_ratio_where_none_is_waited_for_is_not_read(lines: str) -> None:
    head = "sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nattack us-112-1\n"
    sheet = read_sheet(f"{head}{lines}\n")
    assert [p.line for p in sheet.problems] == [6 + lines.count("\n")]
