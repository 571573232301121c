"""Retreats of a side, of both or of all: whom they mean is asked of the result and the position."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.replay import Judgement
from hexforge.validator.judging.situation import format_sheet

from .combat_sheets import assault, faults

UNITS = """a1 infantry 9-9-5 @ 0909
a2 infantry 9-9-5 @ 0910
g1 infantry 2-1-5 size II reduced 1-1 @ 1010
g2 infantry 2-1-5 size II reduced 1-1 @ 1010"""
BEATEN = "attack a1 a2|declare 18:2 odds 9-1 column 9-1|roll 5 3|result DRB AVI"


def judged(acts: str, units: str = UNITS) -> Judgement:
    return assault("hurtgen", units, f"{BEATEN}|{acts}")


def who_goes(found: Judgement) -> list[tuple[str, ...]]:
    """The units of the notes that say who retreats."""
    return [f.units for f in found.findings if f.message.key == "findings.goes-as"]


def where(found: Judgement, *units: str) -> list[str | None]:
    return [found.position.hex_of(unit) for unit in units]


@pytest.mark.parametrize(
    "line",
    [
        "both retreat to 1110",
        "the defender retreats to 1110",
        "todos recuam para 1110",
        "os defensores recuam 1010 1110",
    ],
)
def test_both_defenders_go_where_they_are_said_to(line: str) -> None:
    found = judged(f"lose g1|{line}")
    assert faults(found) == faults(judged("lose g1|retreat g1 g2: 1010 1110"))
    assert who_goes(found) == [("g1", "g2")]
    assert where(found, "g1", "g2") == ["1110", "1110"]


def test_who_is_lost_or_goes_elsewhere_is_none_of_those_who_go() -> None:
    assert who_goes(judged("eliminate g1|the defender retreats to 1110")) == [("g2",)]
    found = judged("lose g1|retreat g1: 1010 1011|all retreat to 1110")
    assert who_goes(found) == [("g2",)] and where(found, "g1", "g2") == ["1011", "1110"]


@pytest.mark.parametrize(
    ("line", "units"),
    [
        ("both retreat to 1110", f"{UNITS}\ng3 infantry 2-1-5 @ 1010"),
        ("the attackers retreat to 0809", UNITS),
        ("both retreat 0909 0809", UNITS),
    ],
)
def test_nobody_is_accused_where_it_is_open_who_goes(line: str, units: str) -> None:
    found = judged(f"lose g1|{line}", units)
    assert ("unread", "nobody-named") in [(f.severity, f.message.key.partition(".")[2]) for f in found.findings]
    assert who_goes(found) == [] and where(found, "a1", "a2", "g1") == ["0909", "0910", "1010"]
    assert all(f.code != "retreat" or f.message.key == "findings.retreat-missing" for f in found.findings)


def test_the_canonical_form_names_the_units() -> None:
    head = "sheet 1\ngame hurtgen\npartial\nmap blank open 18x12\n"
    units = "unit a1 american infantry 9-9-5\nunit g1 german infantry 2-1-5\nunit g2 german infantry 2-1-5\n"
    places = "position\n  a1 0909\n  g1 1010\n  g2 1010\n"
    fight = "turn 6 american combat\ncombat 1010\nattack a1\nroll 5 3\nresult DRB AVI\n"
    written = format_sheet(f"{head}{units}{places}{fight}ambos recuam para 1110\n").text
    assert written.splitlines()[-1].strip() == "retreat g1 g2: 1110"
