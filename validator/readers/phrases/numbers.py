"""Numbers that are both a hex's and a unit's, where their place in the line says which: `attack 0507 with 1010`.

So with numbers that may be figures as well: `15 loses a step`.

Left alone where they may be either; what stands for a unit is written as its id.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import LogicalLine, Token
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import ways
from hexforge.validator.readers.phrases.deeds import talk

_FOUGHT: Final = frozenset(base.WORDS[cls][0] for cls in (st.Attack, st.Combat, st.Bombard))
_OF_UNITS: Final = frozenset(base.WORDS[cls][0] for cls in (st.Lose, st.Eliminate, st.Recover))
_OF_FIGURES: Final = frozenset(
    base.WORDS[cls][0] for cls in (st.Roll, st.Result, st.Declare, st.AirSupport, st.Score)
)
_GUARD: Final = base.WORDS[st.Guard][0]
_LEAST: Final = 2
_SHORT: Final = 2
"""Digits of a number that is a unit's, and else a figure."""
_ONWARD: Final = ("to", "->")


def meant(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with the ids of units in place of such numbers, wherever nothing but a unit can stand."""
    first = words.meaning("statements", tokens[0].key) if tokens[0].kind == "word" else None
    if _GUARD in (first, words.meaning("labels", tokens[0].key)):
        return _units(tokens, words, declared, lambda i: words.is_hex(tokens[i].text))
    goes = ways.has_way(first)
    if (first and not goes and first not in _OF_UNITS and first not in _FOUGHT) or len(tokens) < _LEAST:
        return tokens
    if goes and tokens[1].text == ":":
        tokens = (tokens[0], *tokens[2:])  # `Mov: 59 1204 1303`: that colon parts nobody from his way
    # Where units and their way are parted by a colon, no number of the way is one's.
    until = next((i for i, t in enumerate(tokens) if t.text == ":"), len(tokens)) if goes else len(tokens)
    if not any(_is_both(token, words, declared) for token in tokens[:until]):
        return tokens
    if first in _OF_UNITS:
        return _units(tokens, words, declared, lambda i: not _is_rest(tokens, i, words))
    at = next((i for i, t in enumerate(tokens) if i > 1 and _leads_to_units(t, words)), len(tokens))
    fought = len(tokens) > 1 and words.meaning("statements", tokens[1].key) in _FOUGHT and at < len(tokens)
    if first in _FOUGHT or fought:
        # Two digits may be a total there.
        return _units(tokens, words, declared, lambda i: i > at and words.is_hex(tokens[i].text))
    subject = 1 if goes else 0
    return _units(
        tokens,
        words,
        declared,
        lambda i: (
            i < until
            and not _is_rest(tokens, i, words)
            and _does(tokens, _last_of_list(tokens, i, words, declared), words, subject)
        ),
    )


def attackers(line: LogicalLine, words: Vocabulary, declared: Container[str], side: str) -> LogicalLine:
    """A line of a combat that nobody attacks in yet, who does so by numbers alone as the units of a side."""
    tokens = line.tokens
    if line.too_long or not tokens or words.meaning("statements", tokens[0].key) != base.WORDS[st.Attack][0]:
        return line
    if any(_leads_to_units(token, words) and i > 1 for i, token in enumerate(tokens)):
        return line
    named = [t for t in tokens if t.kind == "word" and words.is_hex(t.text)]
    if not named or any(words.side(words.numbered(t.key)) != side for t in named):
        return line
    return line.of(_units(tokens, words, declared, lambda i: True))


def _leads_to_units(token: Token, words: Vocabulary) -> bool:
    return (token.kind == "mark" and token.text == ":") or words.meaning("words", token.key) == "by"


def _last_of_list(tokens: Sequence[Token], i: int, words: Vocabulary, declared: Container[str]) -> int:
    """The last of the numbers that are joined to one: in `73 e 74 recuam` the second."""
    while i + 1 < len(tokens):
        joined = tokens[i + 1]
        small = joined.text in ("+", "&") or words.meaning("fillers", joined.key) == "and"
        at = i + 2 if small else i + 1
        if at >= len(tokens) or not _is_both(tokens[at], words, declared):
            break
        i = at
    return i


def _does(tokens: Sequence[Token], i: int, words: Vocabulary, subject: int) -> bool:
    """Whether what follows a number is done by a unit: a verb, a colon, or the way that it goes.

    `subject`: where the first unit of the line stands.
    """
    following = tokens[i + 1 :]
    if not following:
        return False
    behind, way = following[0], [t for t in following if words.hexes_of(t.text)]
    if behind.kind == "mark" and behind.text == ":":
        return bool(way)
    small = words.meaning("words", behind.key)
    if i != subject:
        return bool(i > subject and not small and _acts(following, words))
    if words.is_hex(behind.text):
        return len(way) > 1 and not _touch(tokens[i], behind, words)
    return _acts(following, words) or (small == "from" and len(way) > 1) or (small in _ONWARD and len(way) == 1)


def _acts(following: Sequence[Token], words: Vocabulary) -> bool:
    """Whether words begin with what units do."""
    behind = following[0]
    if words.meaning("copulas", behind.key) and len(following) > 1:
        behind = following[1]
    phrase = "-".join(t.key for t in following[:2])
    verb = any(words.meaning("behind-units", key) for key in (behind.key, phrase))
    return bool(verb or talk()["deeds"].get(behind.key) or words.meaning("statements", behind.key))


def _touch(one: Token, other: Token, words: Vocabulary) -> bool:
    if words.grid is None:
        return True
    return {one.text, other.text} <= set(words.grid) and words.adjacent(one.text, other.text)


def _is_both(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    plain = token.kind == "word" and token.key not in declared
    short = token.key.isdigit() and len(token.key) == _SHORT
    return plain and (short or words.is_hex(token.text)) and bool(words.numbered(token.key))


def _is_rest(tokens: Sequence[Token], i: int, words: Vocabulary) -> bool:
    """Whether a number that may be a figure goes on with what is before it, `SS 38`, or leads to figures."""
    if words.is_hex(tokens[i].text):
        return False
    behind = words.meaning("statements", tokens[i + 1].key) if i + 1 < len(tokens) else None
    if behind in _OF_FIGURES:
        return True
    if i == 0:
        return False
    before = tokens[i - 1].key
    small = any(words.meaning(section, before) for section in ("fillers", "beside-turns"))
    return not (small or words.begins(before) or words.numbered(before) or before in words.units)


def _units(
    tokens: Sequence[Token], words: Vocabulary, declared: Container[str], where: Callable[[int], bool]
) -> tuple[Token, ...]:
    found = [
        replace(t, text=unit, key=unit)
        if where(i) and _is_both(t, words, declared) and (unit := words.numbered(t.key))
        else t
        for i, t in enumerate(tokens)
    ]
    return tuple(found)
