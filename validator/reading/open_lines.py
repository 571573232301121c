"""Open lines of a turn: those that were not read, what they may mean, and a player's answer that closes them.

An answer names an open line by its number and picks a reading by its letter, or gives the line anew: `1 a,
2 b, 3: move 112-1 0806 0907`. `4 -` says that a line is talk. What is answered stands in the turn as if it had
been typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ...scenarios.text.words import HexforgeError, message
from ..notation.cursor import SyntaxProblem

LETTERS: Final = "abc"
_NEXT: Final = re.compile(r"[,;\n]\s*(?=\d{1,3}\s*(?:[a-c]\b|[-:)]))", re.IGNORECASE)
_PICK: Final = re.compile(r"\s*(\d{1,3})\s*(?:([a-c])|(-)|[:)]\s*(\S.*))\s*", re.IGNORECASE)
_TALK: Final = "#"


class NoAnswer(HexforgeError):
    """A part of an answer that picks no reading of an open line."""

    def __init__(self, part: str, lines: int) -> None:
        super().__init__(message("notation.unreadable.no-answer", part=part.strip(), lines=lines))


def open_lines(problems: Iterable[SyntaxProblem]) -> list[SyntaxProblem]:
    """The problems of a sheet that stand for lines which were not read, one a line, in order."""
    found: dict[int, SyntaxProblem] = {}
    for problem in sorted(problems, key=lambda one: (one.line, one.column)):
        known = found.get(problem.line)
        if not problem.assumed and (known is None or (problem.proposed and not known.proposed)):
            found[problem.line] = problem
    return list(found.values())


def picked(problems: Iterable[SyntaxProblem], answer: str) -> dict[int, str]:
    """What an answer puts in the place of open lines, by the numbers of these in the sheet. Raises NoAnswer."""
    lines = open_lines(problems)
    found: dict[int, str] = {}
    for part in filter(str.strip, _NEXT.split(answer)):
        match = _PICK.fullmatch(part)
        number = int(match[1]) if match else 0
        if match is None or not 0 < number <= len(lines):
            raise NoAnswer(part, len(lines))
        problem = lines[number - 1]
        readings = dict(zip(LETTERS, (reading for reading, _ in problem.proposed), strict=False))
        text = _TALK if match[3] else match[4] or readings.get((match[2] or "").lower(), "")
        if not text:
            raise NoAnswer(part, len(lines))
        found[problem.line] = " ".join(text.split())
    return found


def put_in(text: str, lines: Mapping[int, str]) -> str:
    """A text with some of its lines, counted from 1, in other words."""
    rows = text.split("\n")
    for number, said in lines.items():
        rows[number - 1] = said
    return "\n".join(rows)
