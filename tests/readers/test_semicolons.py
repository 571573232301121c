"""Semicolons part a line before what begins a statement, and nowhere else."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.situation import format_sheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_sheet

PARTED = """\
sheet 1; game hurtgen
partial; map blank open 12x8
unit a1 american infantry 4-4-5; unit g1 german infantry 2-2-5
position; a1 0304; g1 0504
turn 2 american movement; move a1: 0304 0404 # first; then
accept because agreed; move a1 by me
turn 2 american combat; combat 0504; attack a1; declare 4:2; odds 2-1; roll 3 4; mvoe a1
"""


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ('accept because "no terrain there"; move a1: 0404 0505', ["Accept", "Move"]),
        ("accept 5: agreed; move a1: 0404 0505; move a1: 0505 0506", ["Accept", "Move", "Move"]),
        ("put a1 0505 because it slipped; put a1 0606 because it slipped again", ["Put", "Put"]),
        ("aceite 5 porque sim; mover a1: 0404 0505", ["Accept", "Move"]),
        ('accept because "agreed; move a1: 0404 0505"', ["Accept"]),
        ("accept because we agreed; put it back, roll again; move on", ["Accept"]),
    ],
)
def test_no_statement_hides_in_the_reason_of_a_ruling(line: str, kinds: list[str]) -> None:
    sheet = read_sheet(PARTED.replace("accept because agreed; move a1 by me", line))
    assert [type(s).__name__ for s in sheet.statements if s.line == 6] == kinds


def test_what_is_parted_is_written_on_lines_of_its_own() -> None:
    text = PARTED.replace("; mvoe a1", "")
    written = format_sheet(text).text
    assert "move a1: 0304 0404  # first; then\n" in written
    assert "combat 0504\n  attack a1\n  declare 4:2 odds 2-1\n  roll 3 4\n" in written
    assert format_sheet(written).text == written


def test_a_mail_may_part_its_lines_too() -> None:
    mail = "From: ana@example.org\nSubject: turno\n\nOi!\n\n" + PARTED.replace("; mvoe a1", "") + "\nAbraço; Ana\n"
    (thread,) = threads(read_mails(mail.encode(), "turn.eml"))[0]
    game = next(iter(games_of(thread))).sheet()
    assert [type(s).__name__ for s in game.statements] == [type(s).__name__ for s in read_sheet(PARTED).statements]
