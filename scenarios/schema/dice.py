"""The dice of a table: how many, how many faces each has, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Annotated, Final

from hexforge.scenarios.schema.declared import Field

_WRITTEN: Final = r"^[1-3]d(4|6|8|10|12|20)$|^2d(6|10) tens$"

DiceText = Annotated[
    str,
    Field(
        pattern=_WRITTEN,
        description="the dice of the table, up to three of 4, 6, 8, 10, 12 or 20 faces: `1d6`, `2d6` (their sum), "
        "`1d20`; `2d6 tens` reads the first as tens and the second as ones (11 to 66), `2d10 tens` likewise (1 to "
        "100, a pair of tens being 100)",
        examples=["2d6"],
    ),
]


@dataclass(frozen=True)
class Dice:
    """Dice that are read as one number: their sum, or tens and ones."""

    count: int
    faces: int
    tens: bool = False

    @classmethod
    def of(cls, text: str) -> Dice:
        """Dice as a file writes them (`DiceText`)."""
        return _dice(text)

    def __str__(self) -> str:
        return f"{self.count}d{self.faces}"

    def value(self, faces: Sequence[int]) -> int:
        """What faces that the dice can show are read as."""
        if not self.tens:
            return sum(faces)
        if self.faces == 10:
            return 10 * (faces[0] % 10) + faces[1] % 10 or 100
        return 10 * faces[0] + faces[1]

    def shows(self, faces: Sequence[int]) -> bool:
        """Whether the dice can show these faces."""
        return len(faces) == self.count and all(1 <= face <= self.faces for face in faces)

    @cached_property
    def ways(self) -> Mapping[int, int]:
        """Each number that can come up, rising, and how many throws give it."""
        found: dict[int, int] = {}
        for faces in product(range(1, self.faces + 1), repeat=self.count):
            value = self.value(faces)
            found[value] = found.get(value, 0) + 1
        return dict(sorted(found.items()))

    def skips(self, number: int) -> bool:
        """Whether a number lies between those that can come up and is none, as 17 with `2d6 tens`."""
        return number not in self.ways and self._rising[0] < number < self._rising[-1]

    def moved(self, value: int, by: int) -> int:
        """What the dice show, moved through the numbers that can come up: with `2d6 tens` 16 and 1 are 21.

        Beyond the last of them, and before the first, it goes on one by one.
        """
        values = self._rising
        place = self._places[value] + by
        if place < 0:
            return values[0] + place
        return values[place] if place < len(values) else values[-1] + place - len(values) + 1

    @cached_property
    def _rising(self) -> tuple[int, ...]:
        return tuple(self.ways)

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {value: place for place, value in enumerate(self._rising)}

    @property
    def throws(self) -> int:
        """How many throws there are."""
        return int(self.faces**self.count)


@lru_cache(maxsize=64)
def _dice(text: str) -> Dice:
    count, _, rest = text.partition("d")
    faces, _, tens = rest.partition(" ")
    return Dice(int(count), int(faces), tens == "tens")


_NUMBERS: Final = re.compile(r"(-?[0-9]{1,3})(?:(?:-|\.\.)(-?[0-9]{1,3}))?")
_WIDEST: Final = 200


def numbers(name: str) -> tuple[int, ...]:
    """The numbers of a row by its name: `2,12`, `3-5`, `-1..1`. Raises ValueError for what is none."""
    found: list[int] = []
    for part in name.split(","):
        match = _NUMBERS.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not 0 <= last - first < _WIDEST:
            raise ValueError(f"{name!r} names no numbers")
        found += range(first, last + 1)
    return tuple(found)


def covers(dice: str, names: Iterable[str]) -> bool:
    """Whether rows of these names have every number that dice can show, each once, and no other."""
    try:
        named = [n for name in names for n in numbers(name)]
    except ValueError:
        return False
    thrown = Dice.of(dice)
    return sorted(n for n in named if not thrown.skips(n)) == list(thrown.ways)
