"""A slip of the pen in a game's name keeps nothing from being judged, and is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.validator.app.batch import check_all
from hexforge.validator.judging.answer import Answer
from hexforge.validator.notation import games

ILLEGAL = "turn 2 american movement\nmove us-112-1: 0806 0808\n"


def answered(tmp_path: Path, name: str, text: str) -> Answer:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    (answer,) = check_all([path]).answers
    return answer


def findings_by_line(answer: Answer) -> list[tuple[int, str, str]]:
    return [(f.line, f.code, f.severity) for f in answer.findings]


def test_a_sheet_of_a_misspelt_game_is_judged_and_its_name_not_read(tmp_path: Path) -> None:
    answer = answered(tmp_path, "a.sheet", f"sheet 1\ngame hurtegn\n{ILLEGAL}")
    assert findings_by_line(answer) == [(2, "syntax", "unread"), (4, "not-adjacent", "illegal")]


def test_a_text_of_a_misspelt_game_is_judged_and_a_note_says_so(tmp_path: Path) -> None:
    answer = answered(tmp_path, "a.txt", f"Oi Bruno,\njogo hurtegn\n{ILLEGAL}")
    assert findings_by_line(answer) == [(2, "not-read", "info"), (4, "not-adjacent", "illegal")]


@pytest.mark.parametrize("line", ["game Huertgen", "we play Huertgen, don't we"])
def test_an_umlaut_may_be_two_letters(line: str, tmp_path: Path) -> None:
    answer = answered(tmp_path, "a.txt", f"Hi Bruno,\n{line}\n{ILLEGAL}")
    assert findings_by_line(answer) == [(4, "not-adjacent", "illegal")]


@pytest.mark.parametrize("name", ["bastogne2", "hurtgenwald", "chess"])
def test_another_name_is_no_slip_of_the_pen(name: str) -> None:
    assert games.meant(name) == ""


def mailed(tmp_path: Path, subject: str, text: str) -> Answer:
    return answered(tmp_path, "a.eml", f"From: a@example.org\nSubject: {subject}\n\n{text}")


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("our turns", f"hurtgen {ILLEGAL}And Metz next week?\n"),
        ("Metz and Hurtgen", f"hurtgen {ILLEGAL}"),
        ("Hurtgen", f"{ILLEGAL}We should play Hurtgen again.\n"),
    ],
)
def test_a_game_beside_its_turn_is_the_one_that_is_played(subject: str, text: str, tmp_path: Path) -> None:
    answer = mailed(tmp_path, subject, text)
    assert answer.game == "hurtgen"
    assert "not-adjacent" in [f.code for f in answer.findings]


def test_a_game_that_is_only_mentioned_is_not_taken_against_the_subject(tmp_path: Path) -> None:
    answer = mailed(tmp_path, "Hurtgen T2", f"{ILLEGAL}I remember Metz, where you lost.\n")
    assert [f.severity for f in answer.findings] == ["unread"]
    assert "hurtgen" in str(answer.findings[0].message.values["game"])
