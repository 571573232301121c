"""Who denies, asks, doubts or takes back has moved nobody: no such line is taken, and none passes as talk."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads

HEAD = "game hurtgen\nturn 2 american movement\n109-1 0705 0805\n"


def typed(text: str) -> st.Sheet:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@example.org", "turn"
    mail.set_content(text, cte="8bit")
    [sheet] = [game.sheet() for thread in threads(read_mails(bytes(mail), "a.eml"))[0] for game in games_of(thread)]
    return sheet


@pytest.mark.parametrize(
    "line",
    [
        "se der, 112-2: 0807 0908, senão fica",
        "112-3: 0807 0908 (se você deixar)",
        "não movo o 707: 0807 0907",
        "Acho que vou mover o 112-2 pra 0908.",
        "Correção: 112-2: 0807 0907",
        "I won't move 112-1 to 0907",
        "112-2 does not move to 0908",
        "Don't move 707 from 0807 to 0907",
        "112-1 could go to 0907",
        "move 112-1: 0806 0907 unless you object",
        "move 112-2: 0807 0908?",
        "maybe move 112-3: 0807 0908",
        "move 707: 0807 0907 or 0906",
        "oops, not 0907 but 0906",
        "EDIT: 112-2 to 0907",
        "scratch that",
        "112-1 goes to 0907 and back",
        "112-1 climbs to 0907 and back again",
    ],
)
def test_it_is_named_as_not_read(line: str) -> None:
    sheet = typed(f"{HEAD}{line}\nmove 112-1: 0806 0907\n")
    assert [s.units for s in sheet.statements if isinstance(s, st.Move)] == [("us-109-1",), ("us-112-1",)]
    assert [(part.first, part.last) for part in account_of(sheet) if part.part == "not-read"] == [(4, 4)]


MISTAKE = f"{HEAD}109-2 0705 0609\n"
"""A step into a hex of the enemy."""


@pytest.mark.parametrize(
    "line",
    [
        "Ignore my last move.",
        "Ops, desconsidera o último, mando de novo amanhã.",
        "wrong hex, should be 0805",
        "turn 2 american combat\ncombat 0905\nattack 109-1\nForget the whole turn, I will send it again tomorrow.",
    ],
)
def test_nobody_is_accused_of_what_he_may_have_taken_back(line: str) -> None:
    assert judge(typed(f"{MISTAKE}{line}\n")).verdict == "unread"


def test_who_takes_back_a_move_answers_for_the_turn_before() -> None:
    later = "turn 2 american combat\nturn 2 german movement\nturn 2 german combat\nturn 3 american movement\n"
    judged = judge(typed(f"{MISTAKE}{later}109-1 0805 0705\nIgnore my last move.\n"))
    assert any(f.severity == "illegal" for f in judged.findings)
