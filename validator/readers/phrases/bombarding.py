"""Bombardments as people tell them: `u1 bombards 0609`, `bombard 0609 by u1, u2: 40, col 11-20`, `2x20 = 40`."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order
from hexforge.validator.readers.phrases.order import Tokens

_VALUE: Final = re.compile("[1-9][0-9]{0,2}")
_SPAN: Final = re.compile(r"[1-9][0-9]?-[1-9][0-9]?|[1-9][0-9]?\+")
_PRODUCT: Final = re.compile("([1-9][0-9]{0,2})[x\u00d7*]([1-9][0-9]{0,2})")
_FACES: Final = re.compile("[1-6]{2}")
"""What may be two dice as well."""
_TIMES: Final = ("x", "\u00d7", "*")
_FACTORS: Final = 3
"""Words of a product: `2 x 20`."""
_MOST: Final = 8
"""Words that such figures are at most."""


def reckoned(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> list[Tokens]:
    """The bombardment, and its figures, each as a line of its own; nothing for any other line.

    Only behind guns, and only of a value or a product with its column, or behind a colon: a figure alone may be
    points that fire as well.
    """
    begins = tokens[0].kind == "word" and words.meaning("statements", tokens[0].key) == base.WORDS[st.Bombard][0]
    at = _figures(tokens, words, declared) if begins else 0
    if not at or len(tokens) - at > _MOST:
        return []
    rest = tokens[at + 1 :] if tokens[at].text == ":" else tokens[at:]
    value, column = _value(rest, words), _column(rest, words)
    said = column is not None or (rest and _names(rest[0], "value", words))
    if value is None or not (said or (tokens[at].text == ":" and not _FACES.fullmatch(value.text))):
        return []
    told = [in_place(value, "statements", base.WORDS[st.Declare][0], words)]
    told += [in_place(value, "words", "value", words), value]
    told += [in_place(column, "words", "column", words), column] if column is not None else []
    return [tokens[:at], tuple(told)]


def _figures(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> int:
    """Where figures begin behind the guns of a bombardment; 0 where they do not."""
    by = next((i for i, t in enumerate(tokens) if i > 1 and words.meaning("words", t.key) == "by"), 0)
    guns = False
    for i in range(by + 1 if by else len(tokens), len(tokens)):
        token = tokens[i]
        if token.key in declared or words.one(token.key):
            guns = True
            continue
        figures = token.text == ":" or _VALUE.fullmatch(token.text) or _PRODUCT.fullmatch(token.key)
        if guns and (figures or _names(token, "value", words) or _names(token, "column", words)):
            return i
        if not (token.text in ("+", "&", "/") or any(words.meaning(s, token.key) for s in _EMPTY)):
            return 0
    return 0


_EMPTY: Final = ("fillers", "beside-turns")


def _value(tokens: Sequence[Token], words: Vocabulary) -> Token | None:
    """The one value of some figures; that of a product where it is told what that comes to."""
    plain = [t for t in tokens if t.text not in ("=", ":") and not _names(t, "value", words)]
    plain = [t for t in plain if not _names(t, "column", words) and not _SPAN.fullmatch(t.text)]
    if product := next((m for t in plain[:1] if (m := _PRODUCT.fullmatch(t.key))), None):
        factors, plain = [product[1], product[2]], plain[1:]
    elif len(plain) >= _FACTORS and plain[1].key in _TIMES:
        factors, plain = [plain[0].text, plain[2].text], plain[3:]
    else:
        factors = []
    if len(plain) != 1 or not _VALUE.fullmatch(plain[0].text):
        return None
    if factors and not (
        all(map(_VALUE.fullmatch, factors)) and int(factors[0]) * int(factors[1]) == int(plain[0].text)
    ):
        return None
    return replace(plain[0], key=plain[0].text)


def _column(tokens: Sequence[Token], words: Vocabulary) -> Token | None:
    """The column that some figures end with."""
    found = [t for t in tokens if _SPAN.fullmatch(t.text)]
    return found[0] if len(found) == 1 and tokens[-1] is found[0] else None


def _names(token: Token, figure: str, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("words", token.key) == figure


def bombards_first(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """`the 28-art-3 bombards 4201` as `bombard 4201 by 28-art-3`."""
    bombard = base.WORDS[st.Bombard][0]
    if words.begins(tokens[0].key):
        return tokens
    at = next((i for i, t in enumerate(tokens) if i and words.meaning("statements", t.key) == bombard), 0)
    guns, hexes = tokens[:at], [t for t in tokens[at + 1 :] if not order.is_small(t, words)]
    if not at or not hexes or not all(t.kind == "word" and words.is_hex(t.text) for t in hexes):
        return tokens
    named = order.without_small(guns, words, declared)
    if not named or not all(order.is_subject(t, words, declared) for t in guns):
        return tokens
    return (tokens[at], *hexes, in_place(guns[0], "words", "by", words), *named)


def fired_by(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """`bombard 0709, 20 points beyond the map` with the word before who fires."""
    begins = words.meaning("statements", tokens[0].key) == base.WORDS[st.Bombard][0]
    if not begins or len(tokens) < 3 or not words.is_hex(tokens[1].text):
        return tokens
    fires = words.meaning("words", tokens[2].key) == "offboard" or order.names_unit(tokens[2], words, declared)
    return (*tokens[:2], in_place(tokens[2], "words", "by", words), *tokens[2:]) if fires else tokens
