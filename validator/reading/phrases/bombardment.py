"""Bombardments as people tell them: `u1 bombards 0609`, `bombard 0609 by u1, u2: 40, col 11-20`, `2x20 = 40`.

Marks that units take, and parts of their strength that they give, as people tell them: the unit first, say.

The verbs are declared in `art/words/notation.LANGUAGE.yaml` under `taking` and `giving`. Whoever only is in a state
(`c1 is dug in`) takes none: he may have told how it stands; and marks that results give are told by those. Where no
strength is divided, `c1 gives 3` is part of a sum.

Figures as people say them: `attack strength 13, defence strength 6`, `9-1 -> 7-1`, `no effect`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Final

from ...notation import base, statements
from ...notation.cursor import DIGIT, Token, in_place
from ...notation.words import Vocabulary
from . import naming, order
from .order import Tokens

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
    begins = (
        tokens[0].kind == "word" and words.meaning("statements", tokens[0].key) == base.WORDS[statements.Bombard][0]
    )
    at = _figures(tokens, words, declared) if begins else 0
    if not at or len(tokens) - at > _MOST:
        return []
    rest = tokens[at + 1 :] if tokens[at].text == ":" else tokens[at:]
    value, column = _value(rest, words), _column(rest, words)
    said = column is not None or (rest and _names(rest[0], "value", words))
    if value is None or not (said or (tokens[at].text == ":" and not _FACES.fullmatch(value.text))):
        return []
    told = [in_place(value, "statements", base.WORDS[statements.Declare][0], words)]
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
    bombard = base.WORDS[statements.Bombard][0]
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
    begins = words.meaning("statements", tokens[0].key) == base.WORDS[statements.Bombard][0]
    if not begins or len(tokens) < 3 or not words.is_hex(tokens[1].text):
        return tokens
    fires = words.meaning("words", tokens[2].key) == "offboard" or naming.names_unit(tokens[2], words, declared)
    return (*tokens[:2], in_place(tokens[2], "words", "by", words), *tokens[2:]) if fires else tokens


_FIGURE: Final = re.compile(r"[0-9]{1,3}")
_MARK, _SHARE = base.WORDS[statements.Mark][0], base.WORDS[statements.Share][0]
_JOINTS: Final = (":", "-", "=")
_SMALL: Final = ("as", "by", "from", "points")


def given(
    tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str], *, fighting: bool
) -> tuple[Token, ...]:
    """The line as `mark c1 as dug-in` or, in a combat, `share c1 3`, if it says that and nothing else."""
    return _marked(tokens, words, declared) or (fighting and _shared(tokens, words, declared)) or tokens


def _marked(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`c1 takes the mark dug-in`, `mark c1 dug-in`, `mark as dug-in: c1`."""
    at = next(
        (i for i, t in enumerate(tokens) if t.kind == "word" and words.meaning("flags", t.key) in words.taken), -1
    )
    others = [t for i, t in enumerate(tokens) if i != at]
    if at < 0 or not _says(others, "taking", _MARK, words, declared) or _begins_otherwise(tokens, _MARK, words):
        return ()
    units = [t for t in others if naming.names_unit(t, words, declared)]
    mark, as_ = in_place(tokens[0], "statements", _MARK, words), in_place(tokens[at], "words", "as", words)
    return (mark, *units, as_, tokens[at]) if units else ()


def _shared(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`c1 gives 3 points`, `share of c1: 3`."""
    figures = [t for t in tokens if _FIGURE.fullmatch(t.text) and t.key not in declared]
    if not words.divided or len(figures) != 1 or _begins_otherwise(tokens, _SHARE, words):
        return ()
    others = [t for t in tokens if t is not figures[0]]
    units = [t for t in others if naming.names_unit(t, words, declared)]
    if len(units) != 1 or not _says(others, "giving", _SHARE, words, declared):
        return ()
    return (in_place(tokens[0], "statements", _SHARE, words), units[0], figures[0])


def _begins_otherwise(tokens: Sequence[Token], word: str, words: Vocabulary) -> bool:
    """Whether a line begins a statement of another kind."""
    return words.meaning("statements", tokens[0].key) not in (None, word)


def _says(tokens: Sequence[Token], section: str, word: str, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether words name units and say a section's verb behind them, or the statement's own, and nothing else."""
    told = named = False
    for token in tokens:
        if naming.names_unit(token, words, declared):
            named = True
        elif token.kind != "word":
            if token.text not in _JOINTS:
                return False
        elif words.meaning("statements", token.key) == word or (
            named and words.meaning(section, token.key) == word
        ):
            told = True
        elif not _is_small(token, section, words):
            return False
    return told


def _is_small(token: Token, section: str, words: Vocabulary) -> bool:
    if words.meaning("words", token.key) in _SMALL or words.meaning(section, token.key) == "aside":
        return True
    return any(words.meaning(one, token.key) for one in ("fillers", "beside-turns", "copulas"))


_FIGURES_FIGURE: Final = re.compile(r"[0-9]{1,3}")
_RATIO: Final = re.compile(r"[0-9]{1,2}-[0-9]{1,2}")
_DIGITS: Final = 2
"""So many digits at most have points of aircraft: more are a hex that lacks one."""
_ROLES: Final = {statements.Attack: "attacker", statements.Guard: "defender"}


def told(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """The line with its figures as the notation has them."""
    tokens = tuple(_coded(tokens, words))
    return _declared(_strengths(tokens, words), words)


def _coded(tokens: Sequence[Token], words: Vocabulary) -> Sequence[Token]:
    """`no effect` as the code that the game's tables have for it, in a line that says nothing else but `result`."""
    rest = [t for t in tokens[1:] if t.kind != "mark"]
    begins = words.meaning("statements", tokens[0].key) == base.WORDS[statements.Result][0]
    found = rest if begins else [t for t in tokens if t.kind != "mark"]
    if len(found) != 1 or found[0].kind != "word" or not words.known.get("results"):
        return tokens
    code = words.meaning("results", found[0].key)
    if code is None:
        return tokens
    result = tokens[0] if begins else in_place(tokens[0], "statements", base.WORDS[statements.Result][0], words)
    return (result, replace(found[0], text=code, key=code.lower()))


def _strengths(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`strength 13 against 6` and `attack 13, defence 6` as totals: `13 : 6`."""
    bare = tuple(t for t in tokens if not (t.kind == "word" and words.meaning("besides", t.key) == "strength"))
    marks = tuple(t for t in bare if t.kind != "mark" or t.text != ":")
    figures = [i for i, t in enumerate(marks) if _FIGURES_FIGURE.fullmatch(t.text)]
    both = len(marks) == 4 and figures == [1, 3]
    if both and (_role(marks[0], words), _role(marks[2], words)) == ("attacker", "defender"):
        colon = replace(marks[2], kind="mark", text=":", key=":")
        return (_declare(marks[0], words), marks[1], colon, marks[3])
    if len(bare) == len(tokens) or not bare:
        return tokens
    bare = bare[1:] if bare[0].text == ":" else bare
    first = bare[1:] if len(bare) > 3 and words.meaning("statements", bare[0].key) == "declare" else bare
    return tokens if len(first) < 3 or not _FIGURES_FIGURE.fullmatch(first[0].text) else _facing(first, words)


def _facing(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    return (_declare(tokens[0], words), *tokens) if order.faces((*tokens, tokens[-1]), words) else tokens


def _declare(at: Token, words: Vocabulary) -> Token:
    return in_place(at, "statements", base.WORDS[statements.Declare][0], words)


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
    totals = len(arrows) > 3 and order.faces(arrows, words) and _FIGURES_FIGURE.fullmatch(arrows[2].text)
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
        return (in_place(told[1], "statements", base.WORDS[statements.AirSupport][0], words), told[0])
    strikes = words.meaning("statements", tokens[0].key) == base.WORDS[statements.AirStrike][0]
    figures = [t for t in tokens[1:] if DIGIT.search(t.text)]
    if not strikes or len(figures) != 1 or len(figures[0].text) > _DIGITS or words.hexes_of(figures[0].text):
        return tokens
    return (in_place(tokens[0], "statements", base.WORDS[statements.AirSupport][0], words), *tokens[1:])


def _is_aside(token: Token, words: Vocabulary) -> bool:
    return words.meaning("words", token.key) in ("by", "from", "points")


def flown(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """The die for aircraft without the points that it gives, as the table says: `air die 4 (10 points)`."""
    rolled = words.meaning("statements", tokens[0].key) == base.WORDS[statements.AirRoll][0]
    told = [i for i, t in enumerate(tokens) if i and t.kind == "word" and t.text.isdigit()]
    if not rolled or len(told) != len(("die", "points")):
        return tokens
    rest = [t for t in tokens[told[1] + 1 :] if t.kind == "word"]
    counted = {words.meaning("words", t.key) for t in rest} | {words.meaning("besides", t.key) for t in rest}
    return tokens[: told[0] + 1] if "points" in counted and len(rest) <= _DIGITS else tokens
