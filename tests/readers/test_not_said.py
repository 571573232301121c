"""Who denies, asks, doubts or takes back has moved nobody: no such line is taken, and none passes as talk."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from hexforge.validator.readers.intake import games_of
from hexforge.validator.readers.mails.mail import read_mails
from hexforge.validator.readers.mails.threads import threads
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.taken import account_of

HEAD = "game hurtgen\nturn 2 american movement\n109-1 0705 0805\n"


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
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@example.org", "turn"
    mail.set_content(f"{HEAD}{line}\nmove 112-1: 0806 0907\n", cte="8bit")
    [sheet] = [game.sheet() for thread in threads(read_mails(bytes(mail), "a.eml"))[0] for game in games_of(thread)]
    assert [s.units for s in sheet.statements if isinstance(s, st.Move)] == [("us-109-1",), ("us-112-1",)]
    assert [(part.first, part.last) for part in account_of(sheet) if part.part == "not-read"] == [(4, 4)]
