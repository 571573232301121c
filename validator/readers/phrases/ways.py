"""Ways in the order of the notation, and without what is said of their price."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import Token
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases.company import of_one_side

Tokens: TypeAlias = tuple[Token, ...]


@cache
def has_way(word: str | None) -> bool:
    """Whether a word begins a statement with a way."""
    forms = (base.layout(cls) for cls in base.beginning(word or ""))
    return any(part.kind.part == "path" for form in forms for part in form.required)


def goes(tokens: Tokens, words: Vocabulary) -> bool:
    """Whether a line says where units go on the map."""
    return words.meaning("statements", tokens[0].key) in _GOING


def with_others(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """`move u1 to 0308 with u2` with all who go before the way."""
    at = next((i for i, t in enumerate(tokens) if i > 2 and words.meaning("words", t.key) == "by"), 0)
    if not at or not goes(tokens, words) or not words.hexes_of(tokens[at - 1].text):
        return tokens
    others = [t for t in tokens[at + 1 :] if not (t.text in ("+", "&") or _is_joint(t, words))]
    led = next((i for i in range(1, at) if words.hexes_of(tokens[i].text)), at)
    own = [i for i in range(1, led) if _unit(tokens[i], words, declared)]
    named = [_unit(t, words, declared) for t in others]
    if not own or not named or not all(named):
        return tokens
    if not of_one_side((*named, _unit(tokens[own[-1]], words, declared)), words):
        return tokens
    return (*tokens[: own[-1] + 1], *others, *tokens[own[-1] + 1 : at])


def _unit(token: Token, words: Vocabulary, declared: Container[str]) -> str:
    """The one unit that a word names; "" for none and for several."""
    if token.key in declared or token.key in words.units:
        return token.key
    return words.one(token.key) if token.kind == "word" and not words.is_hex(token.text) else ""


def _is_joint(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("fillers", token.key) in ("and", "hex")


def from_first(tokens: Tokens, words: Vocabulary) -> Tokens:
    """`to 0622 from 0522` in the order of the way."""
    said = [words.meaning("words", t.key) if t.kind == "word" else None for t in tokens]
    at = next((i for i, word in enumerate(said) if word == "from" and i > 1), 0)
    to = next((i for i, word in enumerate(said[:at]) if word == "to"), 0)
    hexes = [i for i, t in enumerate(tokens) if words.is_hex(t.text)]
    if not to or hexes != [to + 1, at + 1] or at + 2 != len(tokens):
        return tokens
    return (*tokens[:to], tokens[at], tokens[at + 1], tokens[to], tokens[to + 1], *tokens[to + 2 : at])


def unpriced(tokens: Tokens, words: Vocabulary) -> Tokens:
    """A way without what its writer says that it costs: `(2 MP)`."""
    if not has_way(words.meaning("statements", tokens[0].key)):
        return tokens
    if len(tokens) > 3 and _AMOUNT.fullmatch(tokens[-1].text):
        costs = -3 if tokens[-2].text in (":", "=") else -2
        if words.meaning("besides", tokens[costs].key) == "cost":
            tokens = tokens[:costs]
    kept: list[Token] = []
    for token in tokens:
        glued = None if words.is_hex(token.text) else _PRICE.fullmatch(token.key)
        unit = words.meaning("besides", _PRICE.sub(r"\2", token.key) if glued else token.key) == "mp"
        if token.kind != "word" or not unit or not kept:
            kept.append(token)
            continue
        counted = [glued]
        while len(kept) > 1 and _is_price(kept[-1]):
            counted.append(_AMOUNT.fullmatch(kept.pop().text))
        while len(kept) > 1 and words.meaning("besides", kept[-1].key) == "cost":
            kept.pop()
        if not any(counted):
            kept.append(token)
    return tuple(kept)


def from_where_it_stands(before: Tokens, way: Tokens, words: Vocabulary) -> Tokens:
    """A way of which the hexes are told that it goes through, open from where the units `before` it stand."""
    if words.meaning("statements", before[0].key) not in _GOING:
        return way
    colon = () if any(t.text == ":" for t in before) else (replace(way[0], kind="mark", text=":", key=":"),)
    return (*colon, replace(way[0], kind="word", text="-", key="-"), *way)


_GOING: Final = frozenset(base.WORDS[cls][0] for cls in (st.Move, st.Retreat))


def uncounted(tokens: Tokens, words: Vocabulary) -> Tokens:
    """A way without how many hexes long it is, where it is: `1007 1107 (1 hex)`, `recua 1 hex para 1107`."""
    hexes = [hex_ for t in tokens for hex_ in words.hexes_of(t.text)]
    steps = max(1, len(hexes) - 1) if hexes else 0
    for i, (number, unit) in enumerate(pairwise(tokens)):
        if words.meaning("besides", unit.key) != "hexes" or number.kind != "word" or not i:
            continue
        if (words.meaning("numbers", number.key) or number.text) == str(steps):
            return (*tokens[:i], *tokens[i + 2 :])
    return tokens


def _is_price(token: Token) -> bool:
    return token.text in ("+", "=") or _AMOUNT.fullmatch(token.text) is not None


_AMOUNT: Final = re.compile(r"(?:[0-9]{1,2}\u00bd?|\u00bd)(?:[.+](?:[0-9]{1,2}\u00bd?|\u00bd))*")
_PRICE: Final = re.compile(r"([0-9]{1,2}(?:[.][0-9])?)([a-z]{2,4})")


def way_first(tokens: Tokens, word: str, words: Vocabulary) -> Tokens:
    """`enter u1 from south by road at 0812` with the edge, and the kind of way, behind the hexes."""
    first = next((i for i, t in enumerate(tokens) if words.hexes_of(t.text)), 0)
    led = [
        i
        for i, (small, token) in enumerate(pairwise(tokens[:first]))
        if (words.meaning("words", small.key) == word and words.meaning("edges", token.key))
        or (words.meaning("words", small.key) == "by" and words.meaning("ways", token.key))
    ]
    before = {at for i in led for at in (i, i + 1)}
    # `entra por 0812`: what stands before the first hex alone leads to it.
    leads = first - 1 if words.meaning("words", tokens[first - 1].key) == "by" else -1
    kept = (t for i, t in enumerate(tokens) if i not in before and (i != leads or i < 1))
    return (*kept, *(tokens[i] for i in sorted(before)))
