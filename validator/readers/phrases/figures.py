"""Figures as people say them: `attack strength 13, defence strength 6`, `9-1 -> 7-1`, `no effect`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.cursor import DIGIT
from hexforge.validator.readers.notation.lexer import Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order

_FIGURE: Final = re.compile(r"[0-9]{1,3}")
_RATIO: Final = re.compile(r"[0-9]{1,2}-[0-9]{1,2}")
_DIGITS: Final = 2
"""So many digits at most have points of aircraft: more are a hex that lacks one."""
_ROLES: Final = {st.Attack: "attacker", st.Guard: "defender"}


def told(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """The line with its figures as the notation has them."""
    tokens = tuple(_coded(tokens, words))
    return _declared(_strengths(tokens, words), words)


def _coded(tokens: Sequence[Token], words: Vocabulary) -> Sequence[Token]:
    """`no effect` as the code that the game's tables have for it, in a line that says nothing else but `result`."""
    rest = [t for t in tokens[1:] if t.kind != "mark"]
    begins = words.meaning("statements", tokens[0].key) == base.WORDS[st.Result][0]
    found = rest if begins else [t for t in tokens if t.kind != "mark"]
    if len(found) != 1 or found[0].kind != "word" or not words.known.get("results"):
        return tokens
    code = words.meaning("results", found[0].key)
    if code is None:
        return tokens
    result = tokens[0] if begins else in_place(tokens[0], "statements", base.WORDS[st.Result][0], words)
    return (result, replace(found[0], text=code, key=code.lower()))


def _strengths(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`strength 13 against 6` and `attack 13, defence 6` as totals: `13 : 6`."""
    bare = tuple(t for t in tokens if not (t.kind == "word" and words.meaning("besides", t.key) == "strength"))
    marks = tuple(t for t in bare if t.kind != "mark" or t.text != ":")
    figures = [i for i, t in enumerate(marks) if _FIGURE.fullmatch(t.text)]
    both = len(marks) == 4 and figures == [1, 3]
    if both and (_role(marks[0], words), _role(marks[2], words)) == ("attacker", "defender"):
        colon = replace(marks[2], kind="mark", text=":", key=":")
        return (_declare(marks[0], words), marks[1], colon, marks[3])
    if len(bare) == len(tokens) or not bare:
        return tokens
    bare = bare[1:] if bare[0].text == ":" else bare
    first = bare[1:] if len(bare) > 3 and words.meaning("statements", bare[0].key) == "declare" else bare
    return tokens if len(first) < 3 or not _FIGURE.fullmatch(first[0].text) else _facing(first, words)


def _facing(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    return (_declare(tokens[0], words), *tokens) if order.faces((*tokens, tokens[-1]), words) else tokens


def _declare(at: Token, words: Vocabulary) -> Token:
    return in_place(at, "statements", base.WORDS[st.Declare][0], words)


def _role(token: Token, words: Vocabulary) -> str:
    role = words.meaning("roles", token.key)
    meant = words.meaning("statements", token.key)
    return role or next((name for cls, name in _ROLES.items() if base.WORDS[cls][0] == meant), "")


def _declared(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`odds: 48:4 -> 9-1 -> 7-1` and `9-1 -> 7-1` as declarations: of odds, and then of the column."""
    rest = tokens
    if words.meaning("words", tokens[0].key) == "odds" and len(tokens) > 1:
        rest = tokens[2:] if tokens[1].text == ":" else tokens[1:]
    arrows = tuple(replace(t, kind="mark", text="->", key="->") if _becomes(t, words) else t for t in rest)
    shifted = len(arrows) == 3 and arrows[1].text == "->" and all(_RATIO.fullmatch(t.text) for t in arrows[::2])
    totals = len(arrows) > 3 and order.faces(arrows, words) and _FIGURE.fullmatch(arrows[2].text)
    if shifted or (totals and rest is not tokens):
        return (_declare(tokens[0], words), *arrows)
    return tokens


def _becomes(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("words", token.key) == "becomes"


def air_within(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """Points of aircraft that are told within a combat as a strike, `ataque aéreo 2`: one by itself names a hex.

    So those that are told by their figure, `10 air points`, `com 10 pontos aéreos`.
    """
    told = [t for t in tokens if not _is_aside(t, words)]
    flown = [words.meaning("words", t.key) == "air" for t in told]
    if len(told) == len(("10", "air")) and flown == [False, True] and told[0].text.isdigit():
        return (in_place(told[1], "statements", base.WORDS[st.AirSupport][0], words), told[0])
    strikes = words.meaning("statements", tokens[0].key) == base.WORDS[st.AirStrike][0]
    figures = [t for t in tokens[1:] if DIGIT.search(t.text)]
    if not strikes or len(figures) != 1 or len(figures[0].text) > _DIGITS or words.hexes_of(figures[0].text):
        return tokens
    return (in_place(tokens[0], "statements", base.WORDS[st.AirSupport][0], words), *tokens[1:])


def _is_aside(token: Token, words: Vocabulary) -> bool:
    return words.meaning("words", token.key) in ("by", "from", "points")


def flown(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """The die for aircraft without the points that it gives, as the table says: `air die 4 (10 points)`."""
    rolled = words.meaning("statements", tokens[0].key) == base.WORDS[st.AirRoll][0]
    told = [i for i, t in enumerate(tokens) if i and t.kind == "word" and t.text.isdigit()]
    if not rolled or len(told) != len(("die", "points")):
        return tokens
    rest = [t for t in tokens[told[1] + 1 :] if t.kind == "word"]
    counted = {words.meaning("words", t.key) for t in rest} | {words.meaning("besides", t.key) for t in rest}
    return tokens[: told[0] + 1] if "points" in counted and len(rest) <= _DIGITS else tokens
