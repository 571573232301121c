"""A mail that tells a game from the middle on accuses nobody by where the printed set-up has him."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.intake import games_of, kept_games
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_sheet

GERMAN = "turn 2 german movement\nge-983-1: 1107 1206\n"
"""An order that is well given behind the American turn, in which the 983rd is driven from Vossenack."""


def judged_mail(text: str) -> Answer:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "bruno@example.org", "turn"
    mail.set_content(text, cte="8bit")
    [thread] = threads(read_mails(bytes(mail), "a.eml"))[0]
    [game], [kept] = games_of(thread), kept_games(thread)
    assert kept.opened().sheet() == game.sheet()
    return judge(game.sheet())


def found(text: str) -> list[tuple[str, str]]:
    return [(f.code, f.severity) for f in judged_mail(text).findings]


def test_who_stands_elsewhere_than_printed_is_not_accused() -> None:
    answer = judged_mail(f"Hurtgen\n{GERMAN}")
    assert [(f.code, f.severity) for f in answer.findings] == [("continuation", "info"), ("not-there", "doubtful")]
    assert answer.findings[1].rests_on and answer.verdict == "doubtful"


@pytest.mark.parametrize("head", ["sheet 1\ngame hurtgen\n", "Hurtgen\nposition printed\n"])
def test_who_says_how_the_game_stood_answers_for_it(head: str) -> None:
    assert found(f"{head}{GERMAN}") == [("not-there", "illegal")]


def test_the_first_phase_of_a_game_begins_with_the_printed_set_up() -> None:
    text = "Hurtgen\nturn 2 american movement\nus-112-1: 0906 0907\n"
    assert found(text) == [("not-there", "illegal")]


def test_a_sheet_begins_with_the_printed_set_up() -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 german movement\nmove {GERMAN.splitlines()[1]}\n")
    assert judge(sheet).verdict == "illegal"
