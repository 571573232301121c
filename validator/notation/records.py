"""Records of play: what kind of file one is, and what became of each of its lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from ...scenarios.console import open_file
from .cursor import is_comment

Part = Literal["judged", "prose", "quoted", "not-read"]
COMMENT: Final = "comment"
UNREAD: Final = "unread"
OUTSIDE: Final = "outside"
REFUSED: Final = frozenset((OUTSIDE, "again", "changed", "spare", "differs"))
"""Why lines that are statements were not read: each such line is a finding of its own."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What became of a line before it came to the reader of statements, and why: a key of `report.account`."""

    part: Part
    why: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail that a game was typed in: its file, who sent it, and when (ISO 8601; "" where it does not say)."""

    source: str
    sender: str = ""
    date: str = ""
    subject: str = ""


@dataclass(frozen=True)
class Intake:
    """Where the lines of a sheet come from that was not typed as one.

    `marks`: what became of lines that are no statements; `joined`: lines that go on with the one above them;
    `places`: the file, and the line there, of each line, where that is not the sheet's own; `aside`: names of what
    was not read at all, and why. `surmised`: the line that a sheet begins with which does not say its game, that
    game, and what tells it, a key of `findings`: `game-by-…`; `likely`: the game that
    statements of no sheet may be of. `unwritten`: nobody wrote `sheet 1`, and with it how the game begins.
    """

    marks: Mapping[int, Mark] = field(default_factory=dict)
    joined: frozenset[int] = frozenset()
    places: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    letters: tuple[Sent, ...] = ()
    aside: tuple[tuple[str, str], ...] = ()
    surmised: tuple[int, str, str] | None = None
    likely: str = ""
    unwritten: bool = False


NOTHING: Final = Intake()


@dataclass(frozen=True, slots=True)
class Account:
    """Lines of a file, from `first` to `last`, of which the same became; `why` is a key of `report.account`.

    `line` is the first one's number in the answer, `count` how many are not blank.
    """

    part: Part
    why: str
    source: str
    first: int
    last: int
    line: int
    count: int = 1


def accounts(
    lines: tuple[str, ...], judged: frozenset[int], unread: frozenset[int], source: str, intake: Intake = NOTHING
) -> tuple[Account, ...]:
    """What became of each line that is not blank: `judged` and `unread` are those that the reader says so of."""
    found: list[Account] = []
    before = 0
    for number, mark in _marks(lines, judged, unread, intake):
        file, line = intake.places.get(number, (source, number))
        last = found[-1] if found else None
        alike = last and (last.part, last.why, last.source) == (mark.part, mark.why, file)
        # Between them, blank lines at most.
        if last and alike and last.last - line == before - number:
            found[-1] = replace(last, last=line, count=last.count + 1)
        else:
            found.append(Account(mark.part, mark.why, file, line, line, number))
        before = number
    return tuple(found)


def _marks(
    lines: tuple[str, ...], judged: frozenset[int], unread: frozenset[int], intake: Intake
) -> Iterator[tuple[int, Mark]]:
    before, goes_on = Mark("not-read", "below"), False
    for number, text in enumerate(lines, 1):
        said = text.strip().lstrip("> \t")
        if not said and number not in intake.marks and number not in intake.joined:
            goes_on = False
            continue
        if number in intake.marks:
            mark = intake.marks[number]
        elif number in intake.joined:
            mark = before
        elif number in unread:
            mark = Mark("not-read", UNREAD)
        elif number in judged:
            mark = Mark("judged")
        elif goes_on:
            mark = before
        elif is_comment(said) or not any(map(str.isalnum, said)):
            mark = Mark("prose", COMMENT)
        else:
            mark = Mark("not-read", "below")
        before, goes_on = mark, said.endswith("\\")
        yield number, mark


def is_maildir(path: str | Path) -> bool:
    """Whether a folder is a mailbox of the form Maildir."""
    return (Path(path) / "cur").is_dir() and (Path(path) / "new").is_dir()


SUFFIXES = (".vlog", ".vsav")
MAILS = (".eml", ".mbox")
_HEAD = 4_096
_FIELD = re.compile(rb"(?:From [^\r\n]*\r?\n)?[A-Za-z][A-Za-z0-9-]{1,60}:[ \t]?[^\r\n]*\r?\n")
_SENT = re.compile(rb"^(?:From|Date|Received|Return-Path|Message-ID|MIME-Version):", re.MULTILINE | re.IGNORECASE)


def is_mail(path: str | Path) -> bool:
    """Whether a file is a mail or mailbox, or a folder a Maildir: by its name or, without an ending, its head."""
    path = Path(path)
    if path.suffix.lower() in MAILS:
        return True
    if path.is_dir():
        return is_maildir(path)
    return not path.suffix and path.is_file() and looks_like_mail(_head(path, _HEAD))


def looks_like_mail(head: bytes) -> bool:
    """Whether a file begins as a mail or a mailbox does."""
    head = head[:_HEAD]
    return _FIELD.match(head) is not None and _SENT.search(head) is not None


def is_text(path: str | Path) -> bool:
    """Whether a file is a text that may hold a sheet, by its name."""
    return Path(path).suffix.lower() == ".txt"


def is_log(path: str | Path) -> bool:
    """Whether a file is a save or log by its name or, where that says nothing, by its first bytes."""
    path = Path(path)
    if path.suffix.lower() in SUFFIXES:
        return True
    if path.suffix.lower() in (".sheet", ".txt", ".zip", *MAILS) or not path.is_file():
        return False
    return begins_as_log(_head(path, 6))


def begins_as_log(head: bytes) -> bool:
    """Whether a file begins as a save or log does, whatever it is called."""
    return head.startswith((b"PK\x03\x04", b"!VCS", b"VOBS", b"begin_"))


def _head(path: Path, count: int) -> bytes:
    try:
        with open_file(path) as file:
            return file.read(count)
    except OSError:
        return b""


@dataclass(frozen=True, slots=True)
class Attached:
    """A sheet or log out of a mail. `name` is safe to show and never a path; `mail` is what carried it."""

    name: str
    data: bytes
    is_log: bool
    mail: str = ""


VERSION: Final = 1


Progress = Callable[[str, int, int], None]
"""Told the file, how many of its actions are read, and how many it has."""
