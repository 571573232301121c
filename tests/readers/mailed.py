"""Mails of a game that answer each other, as files and mailboxes, and what is judged of them."""

from __future__ import annotations

import io
import mailbox
import zipfile
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from hexforge.validator.app.batch import Judged, check_all
from hexforge.validator.judging.answer import Answer

HEAD = "sheet 1\ngame hurtgen\npartial\n"
FIRST = "turn 2 american movement\nmove us-112-1: 0806 0907\n"
SECOND = "turn 2 american combat\ncombat 1007\n  attack us-112-1\n  declare 4:4 odds 1-1\n"
DICE = "  roll 3 4\n"
SHEET = (HEAD + FIRST).encode()
THIRD = "turn 2 german movement\nmove ge-983-1: 1007 1107\n"


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def mail(number: int, body: str, *, answers: int = 0, by: str = "Ana", subject: str = "Hurtgen") -> EmailMessage:
    """A mail of day `number`, which answers that of another day."""
    message = EmailMessage()
    message["From"] = f"{by} <{by.lower()}@example.org>"
    message["To"] = "ana@example.org" if by == "Bruno" else "bruno@example.org"
    message["Date"] = format_datetime(datetime(2026, 11, number, 10, tzinfo=UTC))
    message["Message-ID"] = f"<{number}@example.org>"
    message["Subject"] = f"Re: {subject}" if answers else subject
    if answers:
        message["In-Reply-To"] = f"<{answers}@example.org>"
        message["References"] = " ".join(f"<{n}@example.org>" for n in range(1, answers + 1))
    message.set_content(body)
    return message


def boxed(path: Path, *mails: EmailMessage) -> Path:
    box = mailbox.mbox(path)
    for message in mails:
        box.add(message)
    box.close()
    return path


CHAIN = (
    mail(1, f"Oi!\n\n{HEAD}{FIRST}\nAbraço,\nAna\n"),
    mail(2, f"Boa.\n\nEm dom., Ana escreveu:\n{quoted(HEAD + FIRST)}", answers=1, by="Bruno"),
    mail(3, f"{SECOND}{DICE}\n> Boa.\n>\n> Em dom., Ana escreveu:\n{quoted(quoted(HEAD + FIRST))}", answers=2),
    mail(4, f"Minha vez:\n{THIRD}\nOn Tue, Ana wrote:\n{quoted(SECOND + DICE)}", answers=3, by="Bruno"),
)


def judged(path: Path) -> Judged:
    return check_all([path])


def one(path: Path) -> Answer:
    (answer,) = judged(path).answers
    return answer


def parts(answer: Answer) -> dict[str, list[tuple[str, str, int, int]]]:
    """What became of the lines, by part."""
    found: dict[str, list[tuple[str, str, int, int]]] = {}
    for a in answer.account:
        found.setdefault(a.part, []).append((a.why, a.source, a.first, a.last))
    return found


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return data.getvalue()
