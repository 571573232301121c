"""A combat told by its hex alone: `0705: 984-1 + 984-2`, `0705 by 984-1`, `984-1 984-2 x 0705`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary, fold
from hexforge.validator.readers.phrases import order, strengths
from hexforge.validator.readers.phrases.assault import assaulted, guns_apart
from hexforge.validator.readers.phrases.naming import numbered
from hexforge.validator.readers.phrases.spoken import phrased, with_units

_ARROWS: Final = ("<-", "<--", "\u2190")
_JOINTS: Final = (":", "-", "<-")
_SUM: Final = re.compile(r"[0-9-]+(?:\+[0-9-]+)+")
_LEAST: Final = 2


def met(
    line: LogicalLine,
    words: Vocabulary,
    declared: Container[str],
    engaged: frozenset[str],
    sides: tuple[str, str] = ("", ""),
) -> list[LogicalLine]:
    """The line with the word that begins a combat, where it begins with one hex and goes on with who attacks it.

    The guns that it names behind them stand in a line of their own. Only where combats may be told, for elsewhere
    units stand in hexes. `engaged`: the hexes of the combat that the line stands in; `sides`: the
    one that attacks in this phase, and that which attacks in the combat as long as nobody is said to.
    """
    line = strengths.told(_arrowed(line, words), words, declared)
    attacking, awaited = sides
    begins = attacking and len(line.tokens) > _LEAST and words.is_hex(line.tokens[0].text)
    if begins and line.tokens[1].text == ":":
        summed = _summed(line.of(line.tokens[2:]), words, declared, attacking)
        if summed:
            target = line.tokens[0]
            fight = in_place(target, "statements", base.WORDS[st.Combat][0], words)
            return [replace(line, tokens=(fight, target)), *summed]
    if awaited and (summed := _summed(line, words, declared, awaited)):
        return summed
    told = assaulted(line, words, declared, engaged)
    if told != [line]:
        return told
    tokens = line.tokens
    if line.too_long or len(tokens) < _LEAST or not words.is_hex(tokens[0].text):
        return [line]
    rest = tokens[1:]
    joined = rest[0].text in _JOINTS or words.meaning("words", rest[0].key) == "by"
    joined = joined or words.meaning("shortened", rest[0].key) == base.WORDS[st.Attack][0]
    rest = rest[1:] if joined else rest
    if not rest or not _may_be_unit(rest[0], words) or (not joined and not words.like(rest[0].key)):
        return [line]
    combat = in_place(tokens[0], "statements", base.WORDS[st.Combat][0], words)
    colon = replace(tokens[0], kind="mark", text=":", key=":", column=rest[0].column)
    rest = _of_side(tuple(_apart(rest)), words, attacking)
    support = base.WORDS[st.Support][0]
    last = len(rest) - 1
    at = next((i for i, t in enumerate(rest) if words.meaning("labels", t.key) == support and i < last), 0)
    if not at or not _may_be_unit(rest[at + 1], words):
        named = with_units(rest, words, declared)
        front, behind = guns_apart(named, words) if all(_may_be_unit(t, words) for t in named) else ([], [])
        if behind:
            firing = (in_place(behind[0], "statements", support, words), *behind)
            return [replace(line, tokens=(combat, tokens[0], colon, *front)), replace(line, tokens=firing)]
        return [replace(line, tokens=(combat, tokens[0], colon, *rest))]
    guns = (in_place(rest[at], "statements", support, words), *rest[at + 1 :])
    first = replace(line, tokens=(combat, tokens[0], colon, *rest[:at]), end=rest[at - 1].behind)
    return [first, replace(line, tokens=guns)]


def _arrowed(line: LogicalLine, words: Vocabulary) -> LogicalLine:
    """`Combat: 1007 <- u1` without its first word, for the arrow says as much."""
    tokens = line.tokens
    begins = len(tokens) > _LEAST and words.meaning("statements", tokens[0].key) == base.WORDS[st.Combat][0]
    at = 2 if begins and tokens[1].text == ":" else 1
    arrow = begins and len(tokens) > at + 1 and tokens[at + 1].text in _ARROWS
    return line.of(tokens[at:]) if arrow and words.is_hex(tokens[at].text) else line


def _of_side(tokens: tuple[Token, ...], words: Vocabulary, side: str) -> tuple[Token, ...]:
    """The units that begin a list by their ids, where they are called by short numbers: `0509: 2, 10, 11`.

    A number alone is none of several, and may be a total.
    """
    joins = (_may_be_unit(t, words) or words.meaning("fillers", t.key) == "and" for t in tokens)
    end = next((i for i, joined in enumerate(joins) if not joined), len(tokens))
    called = [words.numbered(t.key) if t.text.isdigit() else "" for t in tokens[:end]]
    if end < _LEAST or not side or any(unit and words.side(unit) != side for unit in called):
        return tokens
    named = (replace(t, text=u, key=u) if u else t for t, u in zip(tokens[:end], called, strict=True))
    return (*named, *tokens[end:])


def _summed(line: LogicalLine, words: Vocabulary, declared: Container[str], side: str) -> list[LogicalLine]:
    """`u1 + u2 + 30 offboard = 38 x 4, 9-1` of a side as who attacks, what supports and what they come to; none for
    others.
    """
    at = next((i for i, t in enumerate(line.tokens) if t.text == "="), 0)
    if not at or line.too_long or at + _LEAST >= len(line.tokens) or not line.tokens[at + 1].text.isdigit():
        return []
    named = with_units(phrased(tuple(_apart(line.tokens[:at])), words), words, declared)
    named = named if any(words.meaning("words", t.key) == "offboard" for t in named) else numbered(named, words)
    units = [t for t in named if order.names_unit(t, words, declared)]
    rest = [t for t in named if t not in units]
    points = [t for t in rest if t.text.isdigit()]
    beyond = [t for t in rest if words.meaning("words", t.key) == "offboard"]
    sides = {words.side(next(iter(words.like(t.key)), t.key)) for t in units}
    if sides != {side} or len(points) != len(beyond) or len(points) > 1 or len(rest) != len(points) + len(beyond):
        return []
    front, guns = guns_apart(units, words)
    behind = (*guns, *beyond, *points)
    told = [replace(line, tokens=(in_place(front[0], "statements", base.WORDS[st.Attack][0], words), *front))]
    if behind:
        support = in_place(behind[0], "statements", base.WORDS[st.Support][0], words)
        told.append(replace(line, tokens=(support, *behind)))
    return [*told, replace(line, tokens=line.tokens[at + 1 :])]


def _apart(tokens: Sequence[Token]) -> Iterator[Token]:
    """`1+984` as two words, and no `+` between units."""
    for token in tokens:
        if token.text == "+":
            continue
        column = token.column
        for piece in token.text.split("+") if _SUM.fullmatch(token.text) else [token.text]:
            yield replace(token, text=piece, key=fold(piece), column=column)
            column += len(piece) + 1


def _may_be_unit(token: Token, words: Vocabulary) -> bool:
    named = token.key in words.units or bool(words.like(token.key))
    return token.kind == "word" and not words.is_hex(token.text) and (named or token.text.isdigit())
