"""Strengths told behind units, and what they come to: `112-1 (4) + 112-2 (4) + 30 offboard = 38`.

They are passed over where they are what the counters have, and the sum is theirs; the referee reckons by himself.
A strength or sum that is another one stays in the line, which then is not read.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.headers import FATES
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, ended
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import naming, order, spoken

_FIGURE: Final = re.compile("[1-9][0-9]?")
_SUM: Final = re.compile("[1-9][0-9]{0,2}")
_BETWEEN: Final = ("(", ")")


@dataclass
class _Reckoned:
    """What a line has told so far: the tokens that say no more than its counters, and what they come to."""

    empty: list[Token]
    total: int = 0
    known: bool = True


def told(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line without the strengths of its units and their sum, where both are right; else itself."""
    if line.too_long or not words.counters or not line.tokens:
        return line
    tokens = ended(line.tokens, declared)
    if any(_is_fate(t, words) for t in tokens):
        return line  # `u1 (2)` may have lost so many
    empty: list[Token] = []
    found, start = _Reckoned([]), 0
    for i, token in enumerate(tokens):
        if _FIGURE.fullmatch(token.text) and _in_brackets(token, line):
            _reckon(found, tokens[start:i], token, words, declared)
            start = i + 1
        elif token.text == "=" and _is_sum(line, tokens[i + 1 :]):
            _reckon(found, tokens[start:i], None, words, declared)
            empty += found.empty
            empty += tokens[i : i + 2] if found.known and found.total == int(tokens[i + 1].text) else ()
            found, start = _Reckoned([]), i + 2
    empty += found.empty
    kept = tuple(t for t in line.tokens if not any(t is other for other in empty))
    return line.of(kept) if empty and kept else line


def _is_fate(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what becomes of units, or throws dice."""
    if token.kind != "word":
        return False
    said = {words.meaning(section, token.key) for section in ("statements", "behind-units", "shortened")}
    return not said.isdisjoint(_OTHERS)


_OTHERS: Final = FATES | {base.WORDS[cls][0] for cls in (st.Recover, st.Roll)}


def _is_sum(line: LogicalLine, tokens: Sequence[Token]) -> bool:
    """Whether a line, or a part of it that a comma ends, ends with the first of some words, a figure."""
    if not tokens or not _SUM.fullmatch(tokens[0].text):
        return False
    first = tokens[0]
    text = line.texts[first.line - 1][first.column - 1 + len(first.text) :]
    return len(tokens) == 1 or text.lstrip()[:1] in (",", ";")


def _reckon(
    found: _Reckoned, piece: Sequence[Token], figure: Token | None, words: Vocabulary, declared: Container[str]
) -> None:
    """Note the units of a piece of the line, and the figure in brackets behind it if that is what they have."""
    tokens = spoken.with_units(spoken.phrased(tuple(piece), words), words, declared) if piece else ()
    tokens = tokens if _beyond(tokens, words) else naming.numbered(tokens, words)
    units = list(_units(tokens, words, declared))
    points = _points(tokens, words)
    worth = [_worth(unit, words) for unit in units]
    plain = sum(first for first, *_ in worth)
    if figure is None:
        found.total += plain + points
        return
    value = int(figure.text)
    last = worth[-1] if worth else ()
    if points:
        # `30 offboard (30)` says nothing new; another figure may be what is left.
        found.known = found.known and value == points
        found.empty += [figure] if value == points and not units else []
    elif units and tokens[-1].key in (units[-1], *_names(units[-1], words)) and value in last:
        found.empty.append(figure)
        plain += value - last[0]
    elif len(units) > 1 and value == plain:
        found.empty.append(figure)
    elif not units and _beyond(tokens, words):
        points = value
    else:
        found.known = False
    found.total += plain + points


def _names(unit: str, words: Vocabulary) -> Iterator[str]:
    tail = unit.partition("-")[2]
    if words.like(tail) == (unit,):
        yield tail


def _units(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> Iterator[str]:
    """The game's units that are named, none of which the sheet itself has given another strength."""
    for token in tokens:
        if token.kind != "word" or not order.names_unit(token, words, declared):
            continue
        unit = words.one(token.key)
        if unit in words.counters and unit not in declared:
            yield unit


def _worth(unit: str, words: Vocabulary) -> tuple[int, ...]:
    """What a unit may attack or defend with, first what it attacks with at full strength."""
    counter = words.counters[unit]
    told = (counter.attack, counter.defence, counter.reduced_attack, counter.reduced_defence)
    return tuple(int(value) for value in told if value is not None)


def _beyond(tokens: Sequence[Token], words: Vocabulary) -> bool:
    return any(words.meaning("words", t.key) in ("offboard", "air") for t in tokens if t.kind == "word")


def _points(tokens: Sequence[Token], words: Vocabulary) -> int:
    """The points beyond the map, or of aircraft, that a piece of a line tells."""
    figures = [int(t.text) for t in tokens if _FIGURE.fullmatch(t.text)]
    return figures[0] if _beyond(tokens, words) and len(figures) == 1 else 0


def _in_brackets(token: Token, line: LogicalLine) -> bool:
    """Whether a figure stands alone in brackets."""
    text, start = line.texts[token.line - 1], token.column - 1
    return text[:start].rstrip()[-1:] == _BETWEEN[0] and text[start + len(token.text) :].lstrip()[:1] == _BETWEEN[1]
