"""Lines that name what they tell and then tell it: `Hex: 3806`, `Artillery: 26art-1`, `Combat 2: 1007`, `1007: u1`.

A word that means something else elsewhere, and names a statement where a colon follows, is declared under `labels`
in `art/words/notation.LANGUAGE.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary, fold

_ATTACK: Final = base.WORDS[st.Attack][0]
_BOMBARD: Final = base.WORDS[st.Bombard][0]
_MOVE: Final = base.WORDS[st.Move][0]
_LONGEST: Final = 3
"""Words that a label has at most."""
_COUNT: Final = re.compile(r"#?[0-9]{1,2}[.)]?")


def labelled(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with the word of the notation in place of its label."""
    tokens = _counted(_formed(tokens, words), words)
    at = next((i for i, t in enumerate(tokens[: _LONGEST + 1]) if t.kind == "mark" and t.text in (":", "=")), 0)
    if not at or len(tokens) < at + 2 or any(t.kind != "word" or t.key in declared for t in tokens[:at]):
        return _hex_first(tokens, words, declared)
    label = fold("-".join(t.key for t in tokens[:at]))
    meant = words.meaning("labels", label)
    if meant is None and at > 1 and words.begins(label):
        meant = words.meaning("statements", label)
    if meant is None:
        return _hex_first(tokens, words, declared)
    return (in_place(tokens[0], "statements", meant, words), *tokens[at:])


def _formed(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`Unit: u1 From: 0806 To: 0907` without the colons of its labels, and the first of these."""
    ends = [i for i, t in enumerate(tokens[:-1]) if _names_end(t, words) and tokens[i + 1].text == ":"]
    if len(ends) < len(("from", "to")) or tokens[1].text != ":":
        return tokens
    if words.meaning("columns", tokens[0].key) != _MOVE:
        return tokens
    gone = {0, 1, *(i + 1 for i in ends), *(i - 1 for i in ends if tokens[i - 1].text in ("-", "/", "|"))}
    return tuple(t for i, t in enumerate(tokens) if i not in gone)


def _names_end(token: Token, words: Vocabulary) -> bool:
    """Whether a word names where a way begins, or ends."""
    return token.kind == "word" and words.meaning("words", token.key) in ("from", "to", "via")


def _counted(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`Combat 2: 1007` and `2nd combat: 1007` without the number of the combat."""
    combat = base.WORDS[st.Combat][0]
    first = words.meaning("statements", tokens[0].key) if len(tokens) > 2 else None
    fires = first == _BOMBARD and tokens[2].text == ":"
    begins = (
        first == combat or fires or (first == _ATTACK and tokens[2].text == ":" and words.is_hex(tokens[-1].text))
    )
    if begins and _COUNT.fullmatch(tokens[1].text):
        rest = tokens[3:] if tokens[2].text in (":", "-") else tokens[2:]
        return (tokens[0], *rest) if any(words.is_hex(t.text) for t in rest) else tokens
    return tokens


def _hex_first(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`1007: attack with u1`, `1007 attacked by u1` with the hex behind the word that it is told of."""
    first = tokens[0]
    if len(tokens) < 3 or first.kind != "word" or first.key in declared or not words.is_hex(first.text):
        return tokens
    at = 2 if tokens[1].text in (":", "-", "->") or words.meaning("copulas", tokens[1].key) else 1
    flown = words.meaning("statements", "-".join(t.key for t in tokens[at : at + 2]))
    if flown == base.WORDS[st.AirStrike][0]:
        return (in_place(tokens[at], "statements", flown, words), first, *tokens[at + 2 :])
    if len(tokens) < at + 2 or words.meaning("statements", tokens[at].key) not in (_ATTACK, _BOMBARD):
        return tokens
    if any(words.is_hex(t.text) for t in tokens[at:]):
        return tokens
    return (tokens[at], first, *tokens[at + 1 :])
