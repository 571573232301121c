"""Write a sheet as the notation has it: what was understood, line by line, and the rest as it stands.

A line that was read is written in its canonical form in one language, its comment kept; what could not be read, and
whatever is no statement, stays as it was typed. Written sheets read as what they were written from, and are written
as they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from hexforge.scenarios.words import Language
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.base import write_line
from hexforge.validator.readers.kinds import Pen
from hexforge.validator.readers.lexer import LogicalLine, Token, comment_of, logical_lines
from hexforge.validator.readers.sheet import read_sheet, vocabulary_for
from hexforge.validator.readers.words import FIRST, Vocabulary

_INDENT: Final = "  "
_SECTIONS: Final = (
    *FIRST,
    "words",
    "sides",
    "phases",
    "edges",
    "roles",
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
    unread: tuple[st.SyntaxProblem, ...]


def format_sheet(text: str, source: str = "", language: Language | None = None) -> Formatted:
    """A sheet in its canonical form, in a language: that of the sheet if none is given.

    Never raises. A line whose canonical form would not be read as the same is left as it was typed.
    """
    words = vocabulary_for(text, source)
    sheet = read_sheet(text, source)
    lines = list(_lines(sheet, written(sheet, words, language or sheet.language)))
    again = read_sheet("\n".join(lines) + "\n", source)
    if _said(again) != _said(sheet):
        return Formatted(text, sheet.problems)
    return Formatted("\n".join(lines) + "\n" if lines else "", sheet.problems)


def format_typed(sheet: st.Sheet, words: Vocabulary, language: Language | None = None) -> Formatted:
    """A game that was typed in a text or in mails as a sheet, in its canonical form.

    What is no statement of the game becomes a comment: a sheet has no talk, and nobody plays a quoted line twice.
    """
    lines = [
        _as_comment(line) if number is None else line
        for number, line in _typed_lines(sheet, written(sheet, words, language or sheet.language))
    ]
    return Formatted("\n".join(lines) + "\n", sheet.problems)


def _typed_lines(sheet: st.Sheet, canonical: Mapping[int, str]) -> Iterator[tuple[int | None, str]]:
    """Each line as it is written, with its number; None for the number of what is no statement."""
    marks, joined = sheet.intake.marks, sheet.intake.joined
    above = 0
    for number, typed in enumerate(sheet.lines, 1):
        if number in joined and above in canonical:
            continue
        above = number
        if number in canonical:
            yield number, _with_comments(canonical[number], (typed,))
        else:
            yield None if number in marks else number, typed.rstrip() if typed.strip("> \t") else ""


def _as_comment(line: str) -> str:
    return line if not line.strip() or line.lstrip().startswith("#") else f"# {line.strip()}"


def written(sheet: st.Sheet, words: Vocabulary, language: Language) -> dict[int, str]:
    """What each line says that could be read, in its canonical form, by the line's number."""
    pen = Pen(words, language)
    unread = {problem.line for problem in sheet.problems}
    found: dict[int, str] = {}
    for statement in sheet.statements:
        indent = _INDENT if isinstance(statement, st.Positioned) else ""
        found[statement.line] = indent + write_line(statement, pen)
        if isinstance(statement, st.Engagement):
            found |= {act.line: _INDENT + write_line(act, pen) for act in statement.acts}
    return {line: text for line, text in found.items() if line not in unread}


def _lines(sheet: st.Sheet, canonical: Mapping[int, str]) -> Iterator[str]:
    spans = {source.line: source.end[0] for source in logical_lines(list(sheet.lines))}
    # Rulings name lines by their numbers, so that none may be joined to the one above.
    rigid = any(isinstance(s, st.Ruling) for s in sheet.statements)
    last = 0
    for number, typed in enumerate(sheet.lines, 1):
        end = spans.get(number, number)
        if number <= last:
            continue
        if number not in canonical or (rigid and end > number):
            yield typed.rstrip()
            continue
        last = end
        yield _with_comments(canonical[number], sheet.lines[number - 1 : end])


def _with_comments(code: str, typed: tuple[str, ...]) -> str:
    comments = [(column, comment) for column, comment in map(comment_of, typed) if comment]
    if not comments:
        return code
    width = max(comments[0][0], len(code) + _BESIDE) if len(typed) == 1 else len(code) + _BESIDE
    return code.ljust(width) + " ".join(comment for _, comment in comments)


def _said(sheet: st.Sheet) -> list[Any]:
    """What a sheet says, wherever in it: two sheets that say the same are judged alike."""
    return [_unplaced(s) for s in sheet.statements if not isinstance(s, st.Ruling)]


def _unplaced(statement: Any) -> Any:
    changed: dict[str, Any] = {"line": 0}
    if any(f.name == "acts" for f in fields(statement)):
        changed["acts"] = tuple(map(_unplaced, statement.acts))
    return replace(statement, **changed)


def understood(sheet: st.Sheet, words: Vocabulary) -> dict[int, str]:
    """The lines that were read for something that is written otherwise, as it is written; by their numbers.

    Another form of the same word is no other reading, nor are commas, capitals and accents.
    """
    canonical = written(sheet, words, sheet.language)
    typed = {source.line: source for source in logical_lines(list(sheet.lines)) if source.line in canonical}
    return {n: canonical[n].strip() for n, source in typed.items() if not _same(source, canonical[n], words)}


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
