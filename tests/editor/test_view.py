"""What an editor is told of a sheet: suggestions, meanings, findings."""

from __future__ import annotations

import pytest

from hexforge.validator.app.language_view import View
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

MOVED = "sheet 1\ngame hurtgen\nturn 2 american movement\nmove us-112-1: 0806 0907\n"
FOUGHT = MOVED + "turn 2 american combat\ncombat 1007\n  attack us-112-1\n  roll 3 4\n"


def _offered(text: str) -> list[str]:
    """What is offered at the end of a sheet, the first first."""
    lines = text.split("\n")
    found, _ = View(text).suggestions(len(lines) - 1, len(lines[-1]))
    return [one.text for one in sorted(found, key=lambda one: (one.rank, one.text))]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (MOVED + "mo", "move"),
        ("planilha 1\njogo hurtgen\nturno 2 americano movimento\nmov", "mover"),
        ("sheet 1\ngame hu", "hurtgen"),
        ("sheet 1\ngame hurtgen\nturn 2 a", "american"),
        (MOVED + "move us-112-2: 0806 090", "0906"),
        (MOVED + "turn 2 american combat\ncombat 1007\n  attack 112-1", "us-112-1"),
        ("sheet 1\ngame hurtgen\nposition\n  us-109-1", "us-109-1"),
        ("sheet 1\ngame hurtgen\nposition\n  us-109-1 070", "0701"),
    ],
)
def test_what_may_stand_at_a_place_is_offered(text: str, first: str) -> None:
    assert _offered(text)[0] == first


def test_units_of_the_side_to_move_come_first_and_hexes_only_behind_the_colon() -> None:
    assert _offered(MOVED + "move ")[0].startswith("us-")
    assert not any(one.startswith("us-") for one in _offered(MOVED + "move us-112-2: "))


def test_a_hex_within_reach_is_offered_with_its_cost() -> None:
    text = MOVED + "move us-112-2: 0806 "
    found, _ = View(text).suggestions(4, len("move us-112-2: 0806 "))
    (near,) = [one for one in found if one.text == "0907"]
    assert near.rank == 0 and near.detail.startswith("cost 1; ") and near.detail.endswith("us-112-1")
    assert near.start == len("move us-112-2: 0806 ")


def test_nothing_is_offered_in_a_comment() -> None:
    assert _offered(MOVED + "# mo") == [] == _offered(MOVED + "move us-112-1: # 0")


def test_a_unit_says_who_and_where_it_is_before_its_line() -> None:
    told = View(FOUGHT).hover(3, 6)
    assert told.splitlines()[1:] == ["American, infantry 4-4-5 (2-2)", "0806"]
    assert View(FOUGHT).hover(6, 10).splitlines()[2] == "0907"


def test_a_move_says_what_it_costs_hex_by_hex() -> None:
    text = MOVED.replace("0907", "0907 0906")
    assert View(text).hover(3, 1).splitlines() == [
        "us-112-1: 0806 0907 0906 (cost 3, left 2)", "  0907  1  Open", "  0906  2  Forest",
    ]  # fmt: skip


def test_a_combat_says_its_odds_and_outcomes() -> None:
    for line in (5, 6, 7):
        told = View(FOUGHT).hover(line, 3)
        assert "4:4 = 1-1; terrain -2" in told and "DVI ARB" in told and "10/36" in told
    assert "Vossenack" in View(FOUGHT).hover(5, 8)


def test_findings_are_those_of_check_in_the_language_of_the_sheet() -> None:
    text = "planilha 1\njogo hurtgen\nturno 2 americano movimento\nmover us-112-1: 0806 0907 1007\nmvo x\n"
    found = View(text).remarks()
    assert [(one.line + 1, one.code) for one in found] == [
        (one.line, one.code) for one in judge(read_sheet(text)).findings
    ]
    (unread,) = [one for one in found if one.code == "syntax"]
    assert (unread.line, unread.start, unread.end) == (4, 0, 3) and "encontrado" in unread.text


@pytest.mark.parametrize(
    "text", ["", "\n", "x", "sheet 1\ngame nowhere\nmove", "sheet 1\ngame normandy\nturn 28 jun", "\0"]
)
def test_no_text_is_too_odd(text: str) -> None:
    view = View(text)
    view.remarks()
    for line in range(len(view.lines) + 2):
        view.suggestions(line, 3)
        view.hover(line, 0)
