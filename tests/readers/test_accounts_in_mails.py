"""What a mail tells of a game of accounts is judged or named as not read; none of it is passed as talk."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads

HEAD = (
    "sheet 1\ngame normandy\ncount truck 1\nunit hq-352 german infantry-hq division 352\n"
    "unit ost-439 german osttruppen steps 2\nposition\nhq-352 B1410\ntruck-1 B1410\nbattery-1 A0512\nlevel 7\n"
    "turn 25 jun am movement\n"
)


def sheet_of_mail(line: str, head: str = HEAD) -> st.Sheet:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "bruno@example.org", "Normandy"
    mail.set_content(f"{head}\n{line}\n\nBruno\n", cte="8bit")
    [sheet] = [game.sheet() for thread in threads(read_mails(bytes(mail), "a.eml"))[0] for game in games_of(thread)]
    return sheet


PLAYED = (
    "Battery-1 rolls forward to A0513",
    "battery-1 atira em A0513, valor 1",
    "hq-352 gets no bonus",
    "Ost-439 is without supply",
    "25 June AM combat",
    "25 de junho, noite, engenharia",
    "Night, engineering",
    "destruição vai a 6",
    "truck-2 comes on with hq-352",
)


@pytest.mark.parametrize("line", PLAYED)
def test_what_is_played_is_no_talk(line: str) -> None:
    judged = judge(sheet_of_mail(line))
    assert judged.verdict == "unread"
    assert [f.line for f in judged.findings if f.severity == "unread"] == [13]


TALK = (
    "Thanks for the game, Ana, see you on the 25th.",
    "I think hq-352 would be safer at B1411.",
    "Is battery-1 allowed to fire at night?",
    "A lovely night for engineers!",
    "I was away all June, sorry.",
)
