"""Who says that something is not done has said so: `recovery: none` names no unit, `u1 no advance` no advance."""

from __future__ import annotations

import pytest

from hexforge.scenarios.loader import load
from hexforge.validator.judging.check import judge
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import vocabulary_of
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails
from hexforge.validator.reading.sheet import read_each, read_sheet

HEAD = "sheet 1\ngame hurtgen\n"
MOVES = HEAD + "turn 2 american movement\nmove us-112-1: 0806 0907\n"
FIGHTS = HEAD + "turn 2 american combat\ncombat 1007\nattack us-112-1 us-112-2\nroll 5 3\nresult DRB AVI\n"
MAIL = "From: a@example.org\n\nhurtgen\nTurn 2, American movement\nus-112-1: 0806 0907\n"
NONE = [
    (MOVES, "recovery: none"),
    (MOVES, "Recupera\u00e7\u00e3o: nenhuma."),
    (MOVES, "no recovery"),
    (MOVES, "sem recupera\u00e7\u00e3o"),
    (FIGHTS, "losses: none"),
    (FIGHTS, "perdas: nenhuma"),
    (FIGHTS, "support: none"),
    (FIGHTS, "no advance"),
    (FIGHTS, "sem recuo"),
    (FIGHTS, "German losses: none"),
]
DENIED = [
    (FIGHTS, "112-1 no advance"),
    (FIGHTS, "no loss for 983-1"),
    (FIGHTS, "983-1 no retreat to 1107"),
    (FIGHTS, "983-1 loses no step"),
    (FIGHTS, "no support from 28-art-1"),
    (MOVES, "112-2 no move to 0908"),
    (MOVES, "no recovery for 112-1"),
    (MOVES, "112-2 no displace 0807 0908"),
]


@pytest.mark.parametrize("line", ["recovery: none", "recupera\u00e7\u00e3o: nenhuma", "no recovery"])
def test_in_a_mail_it_makes_nothing_unread(line: str) -> None:
    (letter,) = read_mails(f"{MAIL}{line}\n".encode(), "turn.eml")
    (game,) = games_of([letter])
    assert judge(game.sheet()).verdict == "legal"


@pytest.mark.parametrize(
    "line",
    [
        "recovery: nine",
        "recovery: none 0907",
        "no reinforcements or recovery",
    ],
)
def test_what_says_more_is_another_line(line: str) -> None:
    sheet = read_sheet(f"{MOVES}{line}\n")
    assert sheet.problems or any(isinstance(s, st.Recover) for s in sheet.statements)


def test_a_unit_of_the_sheet_may_be_called_so() -> None:
    sheet = read_sheet(
        f"{HEAD}unit none american infantry 3-3-5\nposition\nnone 0707 reduced\n"
        "turn 2 american movement\nrecover none\n"
    )
    assert [s.units for s in sheet.statements if isinstance(s, st.Recover)] == [("none",)]


@pytest.mark.parametrize(("above", "line"), DENIED)
def test_what_is_denied_is_not_read_as_done(above: str, line: str) -> None:
    sheet = read_sheet(f"{above}{line}\n")
    assert [problem.line for problem in sheet.problems] == [above.count("\n") + 1]
    assert sheet.statements == read_sheet(above).statements
    assert not read_each(line, vocabulary_of(load("hurtgen")))


@pytest.mark.parametrize("line", ["ataco no 1007 com 112-1"])
def test_in_the_is_no_denial(line: str) -> None:
    sheet = read_sheet(f"{HEAD}turn 2 american combat\n{line}\n")
    assert not sheet.problems
    assert isinstance(sheet.statements[-1], st.Combat)


@pytest.mark.parametrize(
    "line", ["Nenhum combate.", "Sem combate", "no attacks", "No combats this turn.", "combat: none"]
)
def test_where_combats_are_told_none_may_be(line: str) -> None:
    sheet = read_sheet(f"{HEAD}turn 2 american combat\n{line}\n")
    assert not sheet.problems and len(sheet.statements) == 3
    mail = f"From: a@example.org\n\nhurtgen\nTurn 2, American combat\n{line}\n"
    (letter,) = read_mails(mail.encode(), "turn.txt")
    (game,) = games_of([letter])
    assert not game.sheet().problems


@pytest.mark.parametrize("line", ["Nenhum combate foi bom", "no attack on 1007", "no combat for 112-1"])
def test_more_than_that_is_not_passed_over_in_a_sheet(line: str) -> None:
    assert read_sheet(f"{HEAD}turn 2 american combat\n{line}\n").problems
