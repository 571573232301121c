"""A turn's line with a misspelt side is made out, and the lines below it are judged."""

from __future__ import annotations

from hexforge.validator.readers.sheet import read_sheet


def test_a_misspelt_side_is_made_out() -> None:
    sheet = read_sheet("planilha 1\njogo hurtgen\nturno 2 amricano movimento\nmover us-112-1: 0806 0907\n")
    (problem,) = sheet.problems
    assert problem.assumed == "turno 2 americano movimento"
    assert [type(s).__name__ for s in sheet.statements][-2:] == ["TurnStart", "Move"]


def test_words_of_three_letters_are_made_out() -> None:
    (*_, problem) = read_sheet("sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nrol 5 3\n").problems
    assert "`roll`" in str(problem.expected)
