"""Write a sheet as the notation has it: what was understood, line by line, and the rest as it stands.

A line that was read is written in its canonical form in one language, its comment kept; what could not be read, and
whatever is no statement, stays as it was typed. Written sheets read as what they were written from, and are written
as they stand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import Any, Final, TypeVar

from ...scenarios.text.words import Language
from ..notation import base, cursor, games, statements, statements_head
from ..notation.base import write_line
from ..notation.cursor import LogicalLine, Token, comment_of, is_comment, logical_lines
from ..notation.kinds import Pen
from ..notation.vocabulary import notation
from ..notation.words import FIRST, GROUPS, Vocabulary

S = TypeVar("S", bound=base.Statement)
_INDENT: Final = "  "
_SECTIONS: Final = (
    *FIRST,
    "words",
    "sides",
    "phases",
    "edges",
    "roles",
    "subjects",
    "flags",
    "markers",
    "unit_types",
    "terrain",
)
_BESIDE: Final = 2
"""Blanks before a comment at least."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A sheet as it is written, and what could not be read, with the lines of the sheet as it was."""

    text: str
    unread: tuple[cursor.SyntaxProblem, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """A line as it is written, and the number of the first line that it was typed on."""

    line: int
    text: str


def _with_unit_ids(statement: S, known: Mapping[tuple[int, str], Collection[str]]) -> S:
    """A statement, and the acts of a combat, with the ids of a regiment where it is known whom it means."""
    if isinstance(statement, statements.Engagement):
        return replace(statement, acts=tuple(_with_unit_ids(act, known) for act in statement.acts))
    units = getattr(statement, "units", ())
    if not any(unit.startswith(GROUPS) for unit in units):
        return statement
    said = (one for unit in units for one in known.get((statement.line, unit.rpartition("-")[2]), (unit,)))
    changes: Any = {"units": tuple(said)}
    return replace(statement, **changes)


def _acts(sheet: statements.Sheet) -> Iterator[base.Act]:
    for statement in sheet.statements:
        if isinstance(statement, statements.Engagement):
            yield from statement.acts


_GOES_AS: Final = "findings.goes-as"


def _words_of(sheet: statements.Sheet) -> Vocabulary:
    """The words of the game that a sheet is of, which its own lines need not say."""
    name = next((s.name for s in sheet.statements if isinstance(s, statements_head.GameName)), "")
    return games.vocabulary(name, sheet.source) or notation()


def _typed_lines(sheet: statements.Sheet, canonical: Mapping[int, str]) -> Iterator[tuple[bool, _Row]]:
    """Each line as it is written, and whether it is no statement."""
    marks, joined = sheet.intake.marks, sheet.intake.joined
    above = 0
    for number, typed in enumerate(sheet.lines, 1):
        if number in joined and above in canonical:
            continue
        above = number
        if number in canonical:
            yield False, _Row(number, _with_comments(canonical[number], (typed,)))
        else:
            yield (
                number in marks or number in sheet.heads,
                _Row(number, typed.rstrip() if typed.strip("> \t") else ""),
            )


def _renumbered(sheet: statements.Sheet, rows: Sequence[_Row], words: Vocabulary, language: Language) -> list[str]:
    """The lines as they are written, those that waive others naming these by the numbers that they now have."""
    lines = [text for row in rows for text in row.text.split("\n")]
    first = [row.line for row in rows]
    above = [0, *accumulate(1 + row.text.count("\n") for row in rows)]

    def now(line: int) -> range:
        if line > len(sheet.lines):
            return range(line, line + 1)
        # A line that is joined to one above has its number.
        row = bisect_right(first, line) - 1
        return range(above[row] + 1, above[row + 1] + 1)

    pen = Pen(words, language)
    unread = {problem.line for problem in sheet.problems}
    for statement in sheet.statements:
        if isinstance(statement, statements_head.Accept) and statement.line not in unread:
            at = now(statement.line)[0] - 1
            named = dict.fromkeys(line for old in statement.lines for line in now(old))
            moved = replace(statement, lines=tuple(named))
            before, after = write_line(statement, pen), write_line(moved, pen)
            lines[at] = lines[at].replace(before, after, 1)
    return lines


def _as_comment(line: str) -> str:
    return line if not line.strip() or is_comment(line) else f"# {line.strip()}"


def written(sheet: statements.Sheet, words: Vocabulary, language: Language) -> dict[int, str]:
    """What each line says that could be read, in its canonical form, by the line's number.

    What says two things is written as two lines.
    """
    pen = Pen(words, language)
    unread = {problem.line for problem in sheet.problems}
    found: dict[int, list[str]] = {}
    for statement in sheet.statements:
        indent = _INDENT if isinstance(statement, base.Positioned) else ""
        found.setdefault(statement.line, []).append(indent + write_line(statement, pen))
        for act in statement.acts if isinstance(statement, statements.Engagement) else ():
            found.setdefault(act.line, []).append(_INDENT + write_line(act, pen))
    return {line: "\n".join(texts) for line, texts in found.items() if line not in unread}


def _lines(sheet: statements.Sheet, canonical: Mapping[int, str]) -> Iterator[_Row]:
    spans = {source.line: source.end[0] for source in logical_lines(list(sheet.lines))}
    last = 0
    for number, typed in enumerate(sheet.lines, 1):
        end = spans.get(number, number)
        if number <= last:
            continue
        if number not in canonical:
            yield _Row(number, _as_comment(typed) if number in sheet.heads else typed.rstrip())
            continue
        last = end
        yield _Row(number, _with_comments(canonical[number], sheet.lines[number - 1 : end]))


def _with_comments(code: str, typed: tuple[str, ...]) -> str:
    comments = [(column, comment) for column, comment in map(comment_of, typed) if comment]
    if not comments:
        return code
    width = max(comments[0][0], len(code) + _BESIDE) if len(typed) == 1 else len(code) + _BESIDE
    return code.ljust(width) + " ".join(comment for _, comment in comments)


def _said(sheet: statements.Sheet) -> list[Any]:
    """What a sheet says, wherever in it: two sheets that say the same are judged alike."""
    return [_unplaced(s) for s in sheet.statements if not isinstance(s, base.Ruling)]


def _unplaced(statement: Any) -> Any:
    changed: dict[str, Any] = {"line": 0}
    if any(f.name == "acts" for f in fields(statement)):
        changed["acts"] = tuple(map(_unplaced, statement.acts))
    return replace(statement, **changed)


def understood(sheet: statements.Sheet, words: Vocabulary) -> dict[int, str]:
    """The lines that were read for something that is written otherwise, as it is written; by their numbers.

    Another form of the same word is no other reading, nor are commas, capitals and accents.
    """
    canonical = written(sheet, words, sheet.language)
    typed = {source.line: source for source in logical_lines(list(sheet.lines)) if source.line in canonical}
    told = {n: "; ".join(map(str.strip, canonical[n].split("\n"))) for n in typed}
    other = (n for n in typed if sheet.lines[n - 1].strip() != told[n])
    return {n: told[n] for n in other if not _same(typed[n], told[n], words)}


def _same(source: LogicalLine, text: str, words: Vocabulary) -> bool:
    """Whether two lines have the same words; optional parts may stand in any order, which is no other reading."""
    left = list(next(logical_lines([text])).tokens)
    for token in source.tokens:
        found = next((i for i, other in enumerate(left) if _alike(token, other, words)), None)
        if found is None:
            return False
        del left[found]
    return not left


def _alike(a: Token, b: Token, words: Vocabulary) -> bool:
    meanings = ((words.meaning(s, a.key), words.meaning(s, b.key)) for s in _SECTIONS)
    return a.key == b.key or any(one is not None and one == other for one, other in meanings)
