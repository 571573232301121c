"""Who comes onto the map, as people tell it: `enters at 0812 (south, road), moves 0912`, `entra pelo sul: 0812`.

The edge and the kind of way stand wherever somebody thinks of them, and mostly without the words that lead to them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order
from hexforge.validator.readers.phrases.deeds import talk

_ENTER, _RAIL = base.WORDS[st.Enter][0], base.WORDS[st.RailMove][0]
_LEADING: Final = ("from", "by", "to")


def entered(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with units, way, edge and kind of way in the notation's order; itself where a word says more."""
    if words.meaning("statements", tokens[0].key) != _ENTER:
        return tokens
    units: list[Token] = []
    way: list[Token] = []
    edges: list[Token] = []
    kinds: list[Token] = []
    loose = False
    for i, token in enumerate(tokens[1:], 1):
        before, named = tokens[i - 1], order.names_unit(token, words, declared)
        if token.kind == "word" and not way and named:
            units.append(token)
        elif words.hexes_of(token.text) and not named:
            way.append(token)
        elif token.kind == "word" and words.meaning("edges", token.key):
            edges.append(token)
            loose = loose or words.meaning("words", before.key) != "from"
        elif token.kind == "word" and (kind := _kind(token, words)):
            kinds.append(in_place(token, "ways", kind, words))
            loose = loose or words.meaning("words", before.key) != "by"
        elif way and (token.text in ("-", "->") or _leads_on(tokens, i, words)):
            way.append(token)
        elif _goes_on(token, words) and way:
            loose = True
        elif not _is_empty(token, words):
            return tokens
    if not (units and way and loose) or len(edges) > 1 or len(kinds) > 1:
        return tokens
    while not words.hexes_of(way[-1].text):
        way.pop()
    found = [tokens[0], *units, *way]
    found += [in_place(edges[0], "words", "from", words), edges[0]] if edges else []
    return (*found, in_place(kinds[0], "words", "by", words), kinds[0]) if kinds else tuple(found)


def _kind(token: Token, words: Vocabulary) -> str:
    """The kind of way that a word says: `road`, `trem`."""
    if words.meaning("statements", token.key) == _RAIL:
        return _RAIL if words.known.get("ways", {}).get(_RAIL) else ""
    return words.meaning("ways", token.key) or ""


def _leads_on(tokens: Sequence[Token], i: int, words: Vocabulary) -> bool:
    """Whether a word leads from a hex of a way to the next one."""
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    return words.meaning("words", tokens[i].key) == "to" and following is not None and words.is_hex(following.text)


def _goes_on(token: Token, words: Vocabulary) -> bool:
    """Whether a word says that who came goes on."""
    moves = words.meaning("statements", token.key) == base.WORDS[st.Move][0]
    return token.kind == "word" and (moves or talk()["deeds"].get(token.key) in ("go", "over"))


def _is_empty(token: Token, words: Vocabulary) -> bool:
    if token.kind == "mark":
        return token.text in (":", ",")
    small = any(words.meaning(section, token.key) for section in ("fillers", "beside-turns", "lead-ins"))
    return small or words.meaning("words", token.key) in _LEADING
