"""Places as people list them in a position: the hex first (`3802 - u1, u2`), or several units in one hex."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation.lexer import LogicalLine, Token
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order

_JOINTS: Final = (":", "-", "->", "=")


def placed(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> list[LogicalLine]:
    """The line as one for each unit, if it says one hex and who stands there, and nothing else."""
    told = [t for t in line.tokens if t.text not in _JOINTS and not _joins(t, words)]
    hexes = [t for t in told if t.kind == "word" and words.is_hex(t.text) and t.key not in declared]
    if line.too_long or len(hexes) != 1 or len(told) < 2:
        return [line]
    (hex_,) = hexes
    if told[-1] is hex_ and len(told) > 2 and all(order.names_unit(t, words, declared) for t in told[:-1]):
        return [replace(line, tokens=(unit, hex_)) for unit in told[:-1]]
    if told[0] is not hex_ or not order.names_unit(told[1], words, declared):
        return [line]
    starts = [i for i, t in enumerate(told) if i and order.names_unit(t, words, declared)]
    pieces = (told[start:end] for start, end in zip(starts, [*starts[1:], len(told)], strict=True))
    return [replace(line, tokens=(unit, hex_, *rest)) for unit, *rest in pieces]


def _joins(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("fillers", token.key) == "and"
