"""Which unit a piece is by what is written about it: its name, the file of its picture, its place in the palette.

Makers name pictures after units (`ge_116pz_art_1.png`) and write formations in their own way (`2nd Bn 1023rd Rgt`
for `II/1023 Grenadier`). A tie needs the unit's id or whole name within a text, or the same numbers in both, and
nobody else to whom that applies.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.drafting.pieces import plain

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter

_SHORTEST: Final = 4
"""Letters of an id or name that is looked for within a text."""
_WORD: Final = 3
_PART = re.compile(r"\d+|[a-z]+")
_ENDINGS: Final = frozenset(("st", "nd", "rd", "th", "a", "o"))
_NUMERALS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_ROMAN: Final = {numeral: str(number) for number, numeral in enumerate(_NUMERALS, 1)}
_ENOUGH: Final = 2


@dataclass(frozen=True)
class Label:
    """The numbers and words of a text, whatever their order."""

    numbers: tuple[str, ...]
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Label:
        """Roman numbers count as numbers, endings of ordinals as nothing."""
        parts = [_ROMAN.get(part, part) for part in _PART.findall(plain(text))]
        numbers = sorted(part.lstrip("0") or "0" for part in parts if part.isdigit())
        words = (p for p in parts if len(p) >= _WORD and p not in _ENDINGS and not p.isdigit())
        return cls(tuple(numbers), frozenset(words))

    def agrees(self, other: Label) -> int:
        """How much two texts have in common, 0 if their numbers differ or are too few to tell anything."""
        if not self.numbers or self.numbers != other.numbers:
            return 0
        shared = len(self.words & other.words)
        return shared + 1 if shared or len(self.numbers) >= _ENOUGH else 0


def best(pieces: Sequence[Sequence[str]], units: Sequence[Counter]) -> Iterator[tuple[int, Counter]]:
    """Pieces, by their place in the list, with the one unit that their texts name; nobody's second choice.

    `pieces`: the texts of each, the most telling first.
    """
    names = {unit.id: _names(unit) for unit in units}
    by_id = {unit.id: unit for unit in units}
    known: dict[str, str] = {}
    chosen: dict[str, list[int]] = defaultdict(list)
    for index, texts in enumerate(pieces):
        for text in texts:
            if text not in known:
                known[text] = _named(text, names)
            if known[text]:
                chosen[known[text]].append(index)
                break
    for unit, indexes in chosen.items():
        if len(indexes) == 1:
            yield indexes[0], by_id[unit]


def _names(unit: Counter) -> tuple[tuple[str, Label], ...]:
    """What a unit is called, its formation in brackets left out as well: plainly between dashes, and as a label."""
    written = {unit.id, *unit.names.values()}
    written |= {name.split("(")[0] for name in unit.names.values()}
    return tuple((f"-{plain(name)}-", Label.of(name)) for name in sorted(written) if name.strip())


def _named(text: str, names: dict[str, tuple[tuple[str, Label], ...]]) -> str:
    """The unit that a text names; blank for none, or for several."""
    there = f"-{plain(text)}-"
    inside = {
        unit: max((len(name) - 2 for name, _ in written if name in there), default=0)
        for unit, written in names.items()
    }
    if found := _single(inside, _SHORTEST):
        return found
    own = Label.of(text)
    if not own.numbers:
        return ""
    return _single({unit: max(own.agrees(label) for _, label in written) for unit, written in names.items()}, 1)


def _single(scores: dict[str, int], least: int) -> str:
    ranked: Iterable[tuple[str, int]] = Tally(scores).most_common(2)
    (unit, most), *others = [*ranked, ("", 0)]
    return unit if most >= least and (not others or others[0][1] < most) else ""
