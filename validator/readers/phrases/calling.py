"""What people call units by, from a game's data: numbers, words of their names, what arm they are of.

`tanques do 707`, `116 Pz recon`, `CCA da 4ª`. Words for arms (`tanks`, `guns`) are declared under `arms` in
`art/words/notation.LANGUAGE.yaml`, those for what formations are of (`armored`, `pz`) under `kinds-of-formations`.
An arm fits every type of unit that its id is a part of, and whoever has a word for it in his own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexforge.validator.readers.notation.words import ROMAN, Kept, fold

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter
    from hexforge.validator.readers.notation.words import Vocabulary

_BEHIND: Final = re.compile(r"\([^()]*\)|/.*")
"""What stands in a name behind the unit's own: the formation that it is of."""
_GROUPS: Final = 2
"""Texts of a unit, at the end of all, that name what it is a part of."""
_OF_MANY: Final = ("arms", "kinds-of-formations")
_PIECE: Final = re.compile(r"([0-9]+)|([^\W\d_]{2,})")
_ORDINAL: Final = re.compile(r"(?:^|(?<=[/ ]))(iii?|iv|vi?|i)(?=[/ ])")
_SPOKEN: Final = (
    "fillers",
    "words",
    "beside-turns",
    "lead-ins",
    "adverbs",
    "behind-units",
    "numbers",
    "statements",
    "shortened",
    "slashed",
    "wholes",
    "copulas",
    "sides",
    "phases",
    "edges",
    "roles",
)
"""Sections whose words say something else, even if they stand in a unit's name."""


@dataclass(frozen=True)
class Called:
    """What one unit is called by: figures, folded words, ids of arms and of kinds of formation.

    `within`: the figures of those that it is a part of, its regiment and its division.
    """

    numbers: frozenset[str]
    within: frozenset[str]
    words: frozenset[str]
    arms: frozenset[str]
    formations: frozenset[str]


class Calls:
    """What all units of a game are called by."""

    def __init__(self, counters: Mapping[str, Counter], words: Vocabulary) -> None:
        self._words = words
        self._units = {unit: self._called(unit, counter) for unit, counter in counters.items()}
        self._own = frozenset(word for called in self._units.values() for word in called.words)
        names = {piece for place in words.places for piece in _words(place)}
        common = {word for section in _OF_MANY for word in words.known.get(section, {})}
        ids = {word for unit in counters for word in _words(fold(unit).partition("-")[2])}
        self._sole = (self._own & ids) - names - {words.name} - common

    def _called(self, unit: str, counter: Counter) -> Called:
        _, _, bare = unit.partition("-")
        texts = [bare or unit, *counter.names.values(), counter.regiment or "", counter.division or ""]
        folded = [fold(text) for text in texts]
        numbers = {n for text in folded for n, _ in _PIECE.findall(text) if n}
        within = {n for text in folded[-_GROUPS:] for n, _ in _PIECE.findall(text) if n}
        numbers |= {ROMAN[count] for text in folded for count in _ORDINAL.findall(text)}
        said = frozenset(word for text in folded for word in _words(text) if not self._says(word))
        own = (word for text in folded for word in _words(_BEHIND.sub("", text)))
        arms = {arm for word in own if (arm := self._arm(word))}
        arms |= {arm for arm in self._words.known.get("arms", {}).values() if _is_of(arm, counter.type)}
        formations = {kind for word in said if (kind := self._formation(word))}
        return Called(frozenset(numbers), frozenset(within), said, frozenset(arms), frozenset(formations))

    def _says(self, word: str) -> bool:
        ordinal = any(word in endings for endings in self._words.endings.values())
        return ordinal or any(self._words.meaning(section, word) for section in _SPOKEN)

    def _arm(self, word: str) -> str | None:
        return self._words.meaning("arms", word)

    def _formation(self, word: str) -> str | None:
        return self._words.meaning("kinds-of-formations", word)

    def names(self, key: str) -> str:
        """The folded word, without its plural, if units are called by it; "" for any other."""
        return self._named[key]

    @cached_property
    def _named(self) -> Mapping[str, str]:
        return Kept(self._names)

    def _names(self, key: str) -> str:
        big = self._words.meaning("besides", key) == "battalion" and not self._arm(key)
        if big or self._says(key):
            return ""
        told = (w for w in (key, key.removesuffix("s")) if w in self._own or self._arm(w) or self._formation(w))
        return next(told, "")

    def alone(self, word: str) -> bool:
        """Whether a word names units without any number, and nothing else, as a place."""
        return word in self._sole

    def fit(self, numbers: Iterable[str], said: Iterable[str]) -> tuple[str, ...]:
        """The units that all of some numbers and words are said of, in the order of their ids."""
        figures, spoken = frozenset(numbers), tuple(said)
        return tuple(
            sorted(
                unit
                for unit, called in self._units.items()
                if figures <= called.numbers and all(self._is_said(word, called) for word in spoken)
            )
        )

    def are_whole(self, units: Iterable[str], numbers: Iterable[str]) -> bool:
        """Whether some numbers are of what units are parts of, and not their own beside others of it."""
        return all(frozenset(numbers) <= self._units[unit].within for unit in units)

    def is_of(self, unit: str, word: str) -> bool:
        """Whether a word for an arm is said of a unit."""
        called = self._units.get(unit)
        return called is not None and self._is_said(word, called)

    def _is_said(self, word: str, called: Called) -> bool:
        own = word in called.words or self._arm(word) in called.arms
        return own or self._formation(word) in called.formations


def _is_of(arm: str, type_: str) -> bool:
    """Whether units of a type are of an arm: `mechanized_artillery` is `artillery`."""
    return arm == type_ or arm in type_.split("_")


def _words(text: str) -> Sequence[str]:
    return [word for _, word in _PIECE.findall(text) if word]
