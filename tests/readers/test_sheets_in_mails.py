"""Sheets in a mail, those of accounts too, are what they are by themselves: none of their lines is lost as talk."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Final

import pytest

from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import games
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_line, read_sheet

SCENARIOS: Final = Path(__file__).parents[2] / "scenarios"
SHEETS: Final = sorted(SCENARIOS.glob("*/examples/*.sheet"))


def mailed(text: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@example.org", "turno"
    mail.set_content(f"Oi Bruno,\n{text}\nAbraço,\nAna\n", cte="8bit")
    return bytes(mail)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_in_a_mail_is_taken_whole(path: Path) -> None:
    text = path.read_text("utf-8")
    told = threads(read_mails(mailed(text), "turno.eml"))[0]
    [sheet] = [game.sheet() for thread in told for game in games_of(thread)]
    alone = read_sheet(text, str(path), games.vocabulary)
    assert write_sheet(sheet.statements) == write_sheet(alone.statements)
    unread = sum(part.count for part in account_of(sheet) if part.part == "not-read")
    assert unread == len({problem.line for problem in alone.problems})


@pytest.mark.parametrize(
    "text",
    ["hq-352 B1410", "hq-352: B1410 B1411", "truck-1 attaches to hq-716", "tirei 5 e 3", "5 + 3", "atacam B1410"],
)
def test_words_of_other_games_end_nothing(text: str) -> None:
    words = games.vocabulary("normandy")
    assert words is not None
    for placing in (False, True):
        read_line(text, words, placing=placing, declared=("hq-352",))


@pytest.mark.parametrize(
    ("lines", "written"),
    [
        ("jogo normandy\nturno 25 jun noite engenharia\ndemolir", "turn 25 jun night engineering\ndemolish"),
        ("Normandy\nturn 25 jun night engineering\ndemolish", "turn 25 jun night engineering\ndemolish"),
        (
            "We play Normandy\nunit ost-1 german osttruppen steps 2\nturn 25 jun am end\nisolate ost-1 1",
            "unit ost-1 german osttruppen steps 2\nturn 25 jun am end\nisolate ost-1 1",
        ),
    ],
)
def test_accounts_may_be_told_without_the_first_line(lines: str, written: str) -> None:
    told = threads(read_mails(mailed(lines), "turno.eml"))[0]
    [sheet] = [game.sheet() for thread in told for game in games_of(thread)]
    meant = read_sheet(f"sheet 1\ngame normandy\n{written}\n")
    assert not meant.problems
    assert write_sheet(sheet.statements) == write_sheet(meant.statements)


@pytest.mark.parametrize("gap", ["", "\n", "# once begun, it is not called off\n"])
def test_a_line_of_small_words_alone_is_no_talk(gap: str) -> None:
    head = "sheet 1\ngame normandy\nturn 25 jun night engineering\ndemolish\n"
    told = threads(read_mails(mailed(f"{head}{gap}demolish stop\n"), "turno.eml"))[0]
    [sheet] = [game.sheet() for thread in told for game in games_of(thread)]
    assert write_sheet(sheet.statements).rstrip().endswith("demolish stop")
