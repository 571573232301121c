"""A unit or hex that does not exist is a slip of the pen: nobody is accused of it, nor of what is missed for it."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import faults, play

HEAD = "sheet 1\ngame hurtgen\npartial\n"


def findings_by_line(text: str) -> list[tuple[int, str, str]]:
    return [(f.line, f.code, f.severity) for f in judge(read_sheet(HEAD + text)).findings if f.severity != "info"]


def test_a_mistyped_unit_is_unread_and_the_likely_one_named() -> None:
    answer = judge(read_sheet(HEAD + "turn 2 american movement\nmove us-707-tnk: 0807 0907\n"))
    (found,) = answer.findings
    assert (found.code, found.severity, answer.verdict) == ("unknown-unit", "unread", "unread")
    assert "us-707-tank" in str(found.message) and not answer.moves


def test_a_mistyped_hex_is_unread() -> None:
    assert findings_by_line("turn 2 american movement\nmove us-112-1: 0806 9907\n")[0] == (
        5,
        "unknown-hex",
        "unread",
    )


def test_a_way_over_the_edge_of_the_map_is_illegal() -> None:
    text = "map blank open 9x9\nunit a1 american infantry 4-4-5\nposition\na1 0909\nturn 2 american movement\n"
    assert findings_by_line(text + "move a1: 0909 1009\n")[0] == (9, "unknown-hex", "illegal")
    assert findings_by_line(text + "move a1: 0909 1909\n")[0] == (9, "unknown-hex", "unread")


COMBAT = """turn 2 american movement
move us-109-1 us-109-2 us-109-3: 0705 0805
turn 2 american combat
combat 0905
  attack us-109-1 us-109-2 {third}
  declare 12:4 odds 3-1 column 1-1
  roll 5 4
  result DVB ARI
"""


def test_what_is_missed_for_want_of_a_mistyped_unit_is_doubtful() -> None:
    found = findings_by_line(COMBAT.format(third="us-901-3"))
    assert (8, "unknown-unit", "unread") in found and "illegal" not in {severity for _, _, severity in found}
    assert "odds" in {code for _, code, severity in found if severity == "doubtful"}


def test_what_is_wrong_elsewhere_stays_illegal() -> None:
    found = findings_by_line(
        COMBAT.format(third="us-901-3") + "turn 2 german movement\nmove ge-1055-1: 0812 0101\n"
    )
    assert "illegal" in {severity for line, _, severity in found if line == 13}


def test_who_is_said_to_go_where_he_stands_breaks_no_rule() -> None:
    sheet = (
        "unit a1 american infantry 3-4-10\nunit a2 american infantry 3-4-10\nposition\n a1 1011\n a2 1011\n"
        "turn 20 american movement\nmove a1 a2: 1011\nmove a1: 1011 1012\n"
    )
    judgement = play("bastogne", sheet)
    assert faults(judgement) == [("not-adjacent", "warning")]
    assert [m.units for m in judgement.moves] == [("a1",)]


@pytest.mark.parametrize(
    ("declared", "severity"),
    [
        ("declare 12:4 odds 3-1 column 11", "unread"),
        ("declare 12:4 odds 31 column 1-1", "unread"),
        ("declare 12:4 odds 2-1 column 1-1", "illegal"),
    ],
)
def test_odds_and_columns_that_no_table_has_are_slips(declared: str, severity: str) -> None:
    told_ = findings_by_line(COMBAT.format(third="us-109-3").replace("declare 12:4 odds 3-1 column 1-1", declared))
    assert {s for line, code, s in told_ if line == 9 and code in ("odds", "column")} == {severity}


@pytest.mark.parametrize(("column", "severity"), [("1120", "unread"), ("3-1", "illegal")])
def test_a_column_of_another_table_is_no_slip(column: str, severity: str) -> None:
    found = findings_by_line(f"turn 2 american combat\nbombard 0709 by offboard 20\n  declare column {column}\n")
    assert (6, "column", severity) in found


@pytest.mark.parametrize("stop", [".", "!", ""])
def test_a_full_stop_is_none_of_a_column(stop: str) -> None:
    right = COMBAT.format(third="us-109-3").replace("column 1-1", f"column 1-1{stop}")
    assert not [found for found in findings_by_line(right) if found[0] == 9]
