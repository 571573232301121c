"""Tables as people paste them: a line that names columns, and below it a row for each move or combat.

`unit | from | to`, `hex ; attackers ; odds ; dice`: cells are parted by tabs, bars, semicolons or two blanks. What
names a column is declared under `columns` in `art/words/notation.LANGUAGE.yaml`. A table ends with the first line
that has not a cell for each column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from hexforge.validator.readers.notation.lexer import LogicalLine, Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary, fold
from hexforge.validator.readers.phrases import headings
from hexforge.validator.readers.phrases.deeds import talk

_GAP: Final = re.compile(r"\s*[|;\t]\s*|\s{2,}")
_EMPTY: Final = frozenset(("", "-", "--", "---"))
_LEAST: Final = 2
_WAY: Final = ("move", "from", "via", "to")
_FIGURES: Final = ("odds", "column")
"""Columns that are one declaration together."""
_RATIO: Final = re.compile(r"(?<![0-9])([0-9]{1,3}) ?[:x-] ?([0-9]{1,3})(?![0-9])")
_ASIDE: Final = "aside"
"""Columns that count rows, or what a way costs, and are passed over."""
_FIRST: Final = ("move", "combat", "bombard")
"""Columns of which a table has one: what each row begins with."""


def head(line: LogicalLine, words: Vocabulary) -> tuple[str, ...]:
    """What the columns of a table are called that a line begins, in the notation's words; none for another line."""
    cells = _cells(line)
    if len(cells) < _LEAST or line.too_long:
        return ()
    named = [words.meaning("columns", fold(" ".join(t.text for t in cell)).strip(".:#")) for cell in cells]
    found = tuple(name for name in named if name)
    if {*found} == {"move", "combat"}:
        return ()  # `unit | hex` may be where they go, and whom they attack
    if "combat" in found and "attack" not in found:
        found = tuple("attack" if name == "move" else name for name in found)
    whole = len(found) == len(cells) == len(set(found))
    return found if whole and len({*found} & {*_FIRST}) == 1 else ()


def rows(lines: Iterable[LogicalLine], words: Vocabulary, heads: set[int]) -> Iterator[LogicalLine]:
    """The lines, with the rows of tables as statements; the numbers of lines that name columns, or
    only head the next one, go into `heads`."""
    columns: tuple[str, ...] = ()
    for line in headings.joined(lines, words, heads):
        if found := head(line, words):
            columns = found
            heads.add(line.line)
            continue
        told = list(_row(line, columns, words)) if columns else []
        if not told:
            columns = ()
        yield from told or [line]


def _row(line: LogicalLine, columns: Sequence[str], words: Vocabulary) -> Iterator[LogicalLine]:
    cells = _cells(line)
    if line.too_long or len(cells) != len(columns) or not all(cells):
        return
    told = zip(columns, cells, strict=True)
    said = {name: cell for name, cell in told if name != _ASIDE and not _is_empty(cell)}
    first = next(name for name in columns if name in _FIRST)
    if first not in said:
        return
    if first == "move":
        way = [token for name in _WAY[1:] for token in said.get(name, ())]
        if not way or not all(words.hexes_of(t.text) for t in way if t.kind == "word"):
            return
        yield _statement(
            line, "move", (*said["move"], replace(way[0], kind="mark", text=":", key=":"), *way), words
        )
        return
    figures = [said[name] for name in _FIGURES if name in said]
    for name in (first, *(c for c in columns if c != first)):
        if name == "odds" and len(figures) == len(_FIGURES):
            # Two declarations of one combat would each leave out what the other says.
            column = (in_place(figures[1][0], "words", "column", words), *_bare(figures[1], "column", words))
            yield _statement(line, name, (*figures[0], *column), words)
        elif name in said and (name != "column" or len(figures) < len(_FIGURES)):
            yield _statement(line, name, said[name], words)


def _statement(line: LogicalLine, name: str, tokens: Sequence[Token], words: Vocabulary) -> LogicalLine:
    """A cell with the word of its column before it, unless it has that itself."""
    lead = ["declare", name] if name in _FIGURES else [name]
    if name in _FIGURES:
        tokens = _bare(tokens, name, words)
    if name == "odds" and _has_totals(tokens, words):
        lead = ["declare"]
    if name == "support" and all(token.text.isdigit() for token in tokens):
        lead.append("offboard")
    if words.meaning("statements", tokens[0].key) == name:
        lead = []
    before = (in_place(tokens[0], "words" if i else "statements", word, words) for i, word in enumerate(lead))
    return replace(line, tokens=(*before, *tokens), end=tokens[-1].behind)


def _bare(tokens: Sequence[Token], name: str, words: Vocabulary) -> Sequence[Token]:
    """What a cell says, without the word of its column."""
    return tokens[1:] if len(tokens) > 1 and words.meaning("words", tokens[0].key) == name else tokens


def _has_totals(tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a cell of odds gives the totals, alone or before the odds: `62:4`, `62:4 9-1`."""
    cell = list(takewhile(lambda t: words.meaning("words", t.key) != "column", tokens))
    ratios = _RATIO.findall(" ".join(t.text for t in cell))
    return len(ratios) > 1 or any("1" not in ratio for ratio in ratios)


def _is_empty(cell: Sequence[Token]) -> bool:
    none = len(cell) == 1 and talk()["doubts"].get(cell[0].key) == "none"
    return none or all(token.text in _EMPTY for token in cell)


def _cells(line: LogicalLine) -> list[list[Token]]:
    """The tokens of a line, cell by cell."""
    found: list[list[Token]] = []
    for token in line.tokens:
        before = found[-1][-1] if found else None
        if before is None:
            found.append([token])
            continue
        if before.line != token.line:
            return []
        width = len(before.text) + (2 if before.kind == "name" else 0)
        between = line.texts[token.line - 1][before.column - 1 + width : token.column - 1]
        if _GAP.search(between):
            found.append([token])
        else:
            found[-1].append(token)
    return found
