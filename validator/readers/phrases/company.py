"""Who cannot be meant together: enemies, or a unit and a kind that may be one more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hexforge.validator.readers.notation.lexer import Token
from hexforge.validator.readers.notation.words import Vocabulary


def of_one_side(units: Iterable[str], words: Vocabulary) -> bool:
    """Whether no two of some units are known to be enemies, who do nothing together."""
    return len({words.side(unit) for unit in units} - {""}) < _TWO


def stray_kind(tokens: Sequence[Token], units: Sequence[bool], words: Vocabulary) -> bool:
    """Whether a kind of unit is named that is said of none, and so may be one more: `the tanks and u1`.

    `units`: which of the tokens name units. A kind is said of the unit right before or behind it, if it is of it.
    """
    kinds = [not named and is_kind(token, words) for token, named in zip(tokens, units, strict=True)]
    return bool(words.counters) and any(
        kind and not any(fits(tokens[j], tokens[i], words) for j in _beside(i, kinds) if units[j])
        for i, kind in enumerate(kinds)
    )


def _beside(i: int, kinds: Sequence[bool]) -> Iterator[int]:
    """The places right before and behind the kinds that stand in a row around one of them."""
    first = last = i
    while first and kinds[first]:
        first -= 1
    while last < len(kinds) and kinds[last]:
        last += 1
    yield from {first, last} - {i, len(kinds)}


def fits(unit: Token, kind: Token, words: Vocabulary) -> bool:
    """Whether a word for a kind of unit may be said of one: `tanks` of no battalion of infantry."""
    arm = words.meaning("arms", kind.key)
    type_ = words.meaning("unit_types", kind.key)
    if arm is None and type_ is None:
        return True
    id_ = next(iter(words.like(unit.key)), unit.key)
    counter = words.counters.get(id_)
    return counter is None or counter.type == type_ or (arm is not None and words.calls.is_of(id_, kind.key))


def is_past(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    """Whether what is named there has been told already: `depois do combate 1007`."""
    after = tokens[at].kind == "word" and words.meaning("words", tokens[at].key) == "after"
    return after and at + 1 < len(tokens) and words.meaning("words", tokens[at + 1].key) == "from"


def is_kind(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what kind of unit one is, as people do before its name."""
    known = any(words.meaning(section, token.key) == id_ for section, id_ in _KINDS)
    return known or words.meaning("unit_types", token.key) is not None


_KINDS: Final = (
    ("besides", "battalion"),
    ("words", "regiment"),
    ("words", "division"),
    ("words", "corps"),
    ("words", "formation"),
)
_TWO: Final = 2
