"""Places said by their names where a hex may stand: `109-1 to Vossenack`, `attack Hill 400 with …`.

Only a place of one hex is taken, and only behind a word that leads to a hex, between the hexes of a way, or before
a colon that says what happens there; anywhere else a name may be a formation's, a road's, or the game's.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import ARROW, LogicalLine, Token
from hexforge.validator.readers.notation.words import Vocabulary, fold
from hexforge.validator.readers.phrases import order

_MOST: Final = 4
"""Words that a name has at most."""
_LEAD: Final = 2
_LEAST: Final = 2
"""Words of a way, its hexes joined, and of who goes it."""
_LEADING: Final = ("to", "from", "by", "at", "via", "into", "against")
_TURN: Final = re.compile(r"t[0-9]{1,2}")
_FREELY: Final = (st.Header, st.Ruling, st.Opening)
"""Statements in which a name is a name."""


def told(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line with the hexes of its places, and who goes a way before the way."""
    lead = "-".join(t.key for t in line.tokens[:_LEAD])
    if len(line.tokens) > _LEAD and words.meaning("lead-ins", lead):
        line = line.of(line.tokens[_LEAD:])  # `por fim, …`: as one word of it, that is a ruling's
    return with_units_first(with_hexes(_unlisted(line, words, declared), words, declared), words, declared)


def _unlisted(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line without the bullet that stands right before its first unit: `-112-2 0807 0908`."""
    first = line.tokens[0] if len(line.tokens) > 1 and not line.too_long else None
    if first is None or first.kind != "word" or first.text[0] not in "-+":
        return line
    bare = replace(first, text=first.text[1:], key=first.key[1:], column=first.column + 1)
    named = bool(bare.key) and order.names_unit(bare, words, declared)
    return line.of((bare, *line.tokens[1:])) if named else line


def with_hexes(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line with the hexes of the places that it names; itself where it names none."""
    if line.too_long or all(t.key not in words.first_of_places for t in line.tokens):
        return line
    first = line.tokens[0]
    begun = base.beginning(words.meaning("statements", first.key) or "") if first.kind == "word" else []
    if any(issubclass(cls, _FREELY) for cls in begun):
        return line
    found: list[Token] = []
    at = 0
    if any(words.meaning("statements", t.key) == "turn" or _TURN.fullmatch(t.key) for t in line.tokens):
        return line  # `turn 2 of Hürtgen`: the game
    while at < len(line.tokens):
        count, hexes = _place(line.tokens[at:], words, declared)
        behind = line.tokens[at + count] if at + count < len(line.tokens) else None
        if not count:
            found.append(line.tokens[at])
            at += 1
        elif _stands(found, words, hexes) or (behind is not None and _stands([behind], words, hexes)):
            at += count  # `Vossenack (1007)`, `1007 Vossenack`: the hex says it
        elif len(hexes) == 1 and not _bracketed(line, line.tokens[at]) and _leads(found, behind, words):
            if len(found) > 1 and all(words.meaning("words", t.key) == "to" for t in found[-2:]):
                found.pop()  # `para a Encruzilhada`: before a hex nobody says so
            found.append(replace(line.tokens[at], kind="word", text=hexes[0], key=fold(hexes[0])))
            at += count
        else:
            found += line.tokens[at : at + count]
            at += count
    return line.of(tuple(found))


def with_units_first(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """`0807 -> 0908 112-2, 112-3` as `112-2 112-3: 0807 -> 0908`; itself for any other line."""
    tokens = line.tokens
    if line.too_long or len(tokens) < _LEAST or tokens[0].key in declared or not words.hexes_of(tokens[0].text):
        return line
    way = next((i for i, t in enumerate(tokens) if not _of_way(t, words, declared)), len(tokens))
    units = [t for t in tokens[way:] if t.text != ":" and words.meaning("fillers", t.key) != "and"]
    linked = any(t.text in ("-", ARROW) or words.hexes_joined(t.text) for t in tokens[:way])
    # A number may be a hex or a unit: who means which nobody can say where both stand side by side.
    known = [order.names_unit(t, words, declared) and not words.is_hex(t.text) for t in units]
    if not linked or not known or not all(known) or tokens[way - 1].text in ("-", ARROW):
        return line
    colon = replace(tokens[way], kind="mark", text=":", key=":")
    return line.of((*units, colon, *tokens[:way]))


def _of_way(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    return token.text in ("-", ARROW) or (bool(words.hexes_of(token.text)) and token.key not in declared)


def _place(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> tuple[int, tuple[str, ...]]:
    """How many words from the first on are the name of a place, the longest such, and its hexes."""
    if tokens[0].key in declared or tokens[0].key in words.units or words.like(tokens[0].key):
        return 0, ()
    for count in range(min(_MOST, len(tokens)), 0, -1):
        named = tokens[:count]
        if all(t.kind in ("word", "name") for t in named):
            hexes = words.places.get(" ".join(t.key for t in named), ())
            if hexes:
                return count, hexes
    return 0, ()


def _stands(tokens: Sequence[Token], words: Vocabulary, hexes: Sequence[str]) -> bool:
    """Whether the last token is one of the hexes of a place, and no way through it."""
    return bool(tokens) and words.is_hex(tokens[-1].text) and tokens[-1].text.upper() in hexes


def _bracketed(line: LogicalLine, token: Token) -> bool:
    """Whether a word stands in brackets, where people say why they go somewhere."""
    before = line.texts[token.line - 1][: token.column - 1] if token.line <= len(line.texts) else ""
    return any(before.count(opened) > before.count(closed) for opened, closed in ("()", "[]"))


def _leads(before: Sequence[Token], behind: Token | None, words: Vocabulary) -> bool:
    """Whether a hex may stand between these. One right behind a name may be what its writer takes the place for."""
    if behind is not None and words.is_hex(behind.text):
        return False
    if not before:
        return behind is not None and (behind.text in (":", ARROW) or _acts(behind, words))
    last = before[-1]
    if any(t.text == "-" and any(words.is_hex(h.text) for h in before[:i]) for i, t in enumerate(before[:-1])):
        return False  # `0806 0907 - closing on Vossenack`
    if last.text == "-":
        # Behind a whole way a dash leads to a remark as often: `0807 0908 - Vossenack next`.
        hexes = [i for i, t in enumerate(before) if words.is_hex(t.text)]
        return len(hexes) == 1 and not (hexes[0] and words.meaning("words", before[hexes[0] - 1].key) == "to")
    if last.text == ARROW:
        return len(before) > 1
    if last.kind != "word":
        return last.text == ":"
    if behind is not None and (behind.text in ("-", ARROW) or words.meaning("words", behind.key) == "to"):
        return True  # `28-td Consthum - Hoscheid`
    small = words.meaning("words", last.key) in _LEADING or words.meaning("fillers", last.key) == "hex"
    return small or _acts(last, words) or words.is_hex(last.text)


def _acts(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what is done, and may be followed by where."""
    if token.kind != "word":
        return False
    if words.meaning("behind-units", token.key) or words.meaning("labels", token.key) == base.WORDS[st.Combat][0]:
        return True
    begun = base.beginning(words.meaning("statements", token.key) or "")
    return any(issubclass(cls, st.Play | st.Act) for cls in begun)
