"""A turn's line with a misspelt side is made out, and the lines below it are judged."""

from __future__ import annotations

import pytest

from hexforge.validator.readers import statements as st
from hexforge.validator.readers.sheet import read_sheet


def test_a_misspelt_side_is_made_out() -> None:
    sheet = read_sheet("planilha 1\njogo hurtgen\nturno 2 amricano movimento\nmover us-112-1: 0806 0907\n")
    (problem,) = sheet.problems
    assert problem.assumed == "turno 2 americano movimento"
    assert [type(s).__name__ for s in sheet.statements][-2:] == ["TurnStart", "Move"]


def test_words_of_three_letters_are_made_out() -> None:
    (*_, problem) = read_sheet("sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nrol 5 3\n").problems
    assert "`roll`" in str(problem.expected)


HEADERS = (
    "Turno 2\nmovimento americano",
    "TURNO 2\n\nFase de movimento do americano",
    "Turno 2\n---------\nAmericano\nMovimento",
    "Americanos - Turno 2\nMovimento:",
    "American\nTurn 2 movement",
    "TURN 2 AMERICAN\nMovement:",
    "Turn 2\nAmerican movement phase",
    "T2 - movimento americano",
    "Turno nº 2 - Americano - Movimento",
    "Turno 2. Movimento americano.",
    "Turno 2 | Americano | Movimento",
    "== Turno 2, americano, movimento ==",
    "**Turno 2 - movimento americano**",
    "Jogada americana, turno 2, movimento",
    "US Turn 2 - Movement",
    "[Turn 2] American player's movement",
)


@pytest.mark.parametrize("header", HEADERS)
def test_a_turn_is_opened_in_many_ways(header: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{header}\nmove us-112-1: 0806 0907\n")
    assert not sheet.problems
    assert sheet.statements[2] == st.TurnStart(3, 2, "american", "movement")
    assert isinstance(sheet.statements[3], st.Move)


def test_a_part_of_a_header_alone_is_told() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nTurno 2\ncombate 1007\natacar us-112-1\n")
    assert [p.line for p in sheet.problems] == [3]


def test_a_header_that_says_a_thing_twice_is_not_put_together() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nTurno 2 americano\nTurno 3 movimento\nmove us-112-1: 0806 0907\n")
    assert {3, 4} <= {p.line for p in sheet.problems} and len(sheet.statements) == 2


def test_what_stands_below_a_header_that_nobody_understood_breaks_no_rule() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nSegundo dia\nmove us-112-1: 0806 0907\nmove us-112-2: 0806 0907\n")
    assert [(p.line, p.below) for p in sheet.problems] == [(3, ()), (4, (5,))] and len(sheet.statements) == 2
