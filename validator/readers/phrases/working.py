"""Engineers and what they do, in the order of the notation: `us-1117-eng builds a bridge 0318/0418`."""

from __future__ import annotations

from collections.abc import Container
from typing import Final, TypeAlias

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order

Tokens: TypeAlias = tuple[Token, ...]
_WORKS: Final = tuple(base.WORDS[cls][0] for cls in (st.BuildBridge, st.ClearTrail))


def worked_first(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """`u1 clears the trail at 1108, die 4` as `clear 1108 by u1 roll 4`; other lines as they are."""
    if words.begins(tokens[0].key):
        return tokens
    at = next((i for i, t in enumerate(tokens) if i and words.meaning("statements", t.key) in _WORKS), 0)
    who, what = tokens[:at], tokens[at + 1 :]
    named = [t for t in who if order.names_unit(t, words, declared)]
    first = next((i for i, t in enumerate(what) if words.is_hex(t.text)), -1)
    if not named or first < 0 or not all(order.is_subject(t, words, declared) for t in who):
        return tokens
    thrown = next((i for i, t in enumerate(what) if words.meaning("words", t.key) == "roll"), len(what))
    led = [t for t in what[:first] if words.meaning("words", t.key) == "bridge"]
    aside = [t for t in what[:first] if t not in led and not _says_nothing(t, words)]
    if aside or thrown < first:
        return tokens
    return (tokens[at], *led, *what[first:thrown], in_place(who[0], "words", "by", words), *named, *what[thrown:])


def _says_nothing(token: Token, words: Vocabulary) -> bool:
    small = any(words.meaning(section, token.key) for section in ("fillers", "beside-turns", "ways"))
    return small or words.meaning("numbers", token.key) == "1" or token.text == "a"
