"""The account of a text: each line that is not blank is judged, prose, quoted or not read, and none is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from hexforge.validator.readers.notation.lexer import is_comment

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
