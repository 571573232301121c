"""Which unit of a game each piece of a module is: by what is written about it, by its worth, by where it begins.

Which unit a piece is by what is written about it: its name, the file of its picture, its place in the palette.

Makers name pictures after units (`ge_116pz_art_1.png`) and write formations in their own way (`2nd Bn 1023rd Rgt`
for `II/1023 Grenadier`). A tie needs the unit's id or whole name within a text, or the same numbers in both, and
nobody else to whom that applies.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from .ground import FieldDraft, Raw
from .pieces import CounterDraft, plain

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.schema.setup import CounterRow as Counter


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
                known[text] = _unit_in_text(text, names)
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


def _unit_in_text(text: str, names: dict[str, tuple[tuple[str, Label], ...]]) -> str:
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


_NUMBER: Final = re.compile(r" \(\d+\)$")
"""What tells counters apart in a draft whose pieces were called alike."""
_ROUNDS: Final = 8
"""Each tie leaves fewer to choose from; more rounds than these never found another."""
_PLACES: Final = 2000
"""Hexes with pieces that are looked at to find how two grids lie upon each other."""
_FEWEST: Final = 3
_SURE: Final = 0.6


@dataclass
class BoundPiece:
    """A piece of the module: its name, slot, place, worth, and the property that tells its face.

    `texts`: what else is written about it: the file of its picture, the palette's headings above it.
    """

    name: str
    slot: str
    map: str
    raw: Raw | None
    worth: CounterDraft
    properties: Mapping[str, str]
    step: str
    unit: str = ""
    id: str = ""
    texts: tuple[str, ...] = ()

    @property
    def figures(self) -> tuple[int, int, int] | None:
        """Attack, defence and movement, as far as the piece tells them; None where it does not."""
        if not {"attack", "move"} <= self.worth.told:
            return None
        told = self.worth.figures
        return told["attack"], told["defence"], told["move"]


@dataclass
class Tied:
    """How the module lies on the game: the game's name of VASSAL's hex 0, 0; sides of the module -> the game's.

    `guessed`: pieces that nothing but the hex in which they begin ties to their unit; `alike`: pieces and the units
    that they may be.
    """

    first: str
    sides: dict[str, str]
    guessed: list[BoundPiece] = field(default_factory=list)
    alike: list[tuple[list[BoundPiece], list[str]]] = field(default_factory=list)


def tie(scenario: Scenario, ground: FieldDraft, pieces: Sequence[BoundPiece], sides: Mapping[str, str]) -> Tied:
    """Give each piece its unit, where that can be told. `sides`: the module's that are known by their names."""
    _by_names(scenario, pieces)
    _by_labels(scenario, pieces, sides)
    starts = {u: p.hexes[0] for p in scenario.setup.at_start if len(p.hexes) == 1 for u in p.units}
    first, laid = _first(scenario, ground, pieces, starts)
    found = Tied(first, dict(sides))
    places = scenario.map.grid.counted_from(first)
    at = {id(p): places.get(p.raw, "") if p.raw else "" for p in pieces}
    for side in _told_sides(scenario, pieces, at if laid else {}, starts).items():
        found.sides.setdefault(*side)
    table = _TieTable(scenario, pieces, found.sides, starts, at)
    for _ in range(_ROUNDS):
        before = len(table.taken)
        table.by_figures()
        table.by_names_there()
        if laid:
            table.by_figures_there()
        if len(table.taken) == before:
            break
    if laid:
        found.guessed = table.by_places()
    found.alike = table.alike()
    return found


@dataclass
class _TieTable:
    """Pieces and units on their way to each other. `at`: each piece's hex by its identity, blank beside them."""

    scenario: Scenario
    pieces: Sequence[BoundPiece]
    sides: Mapping[str, str]
    starts: Mapping[str, str]
    at: Mapping[int, str]

    def __post_init__(self) -> None:
        self.taken = {p.unit for p in self.pieces if p.unit}

    def alike(self) -> list[tuple[list[BoundPiece], list[str]]]:
        """Pieces of one side, strength and hex, and as many units, that nothing told apart."""
        pieces: dict[Hashable, list[BoundPiece]] = defaultdict(list)
        for piece in self.waiting:
            if self.side(piece):
                pieces[self.side(piece), piece.figures, self.at[id(piece)]].append(piece)
        units: dict[Hashable, list[str]] = defaultdict(list)
        for counter in self.units:
            for figures in (None, _figures(counter)):
                units[counter.side, figures, self.start(counter)].append(counter.id)
        return [(some, units[key]) for key, some in pieces.items() if units[key]]

    @property
    def units(self) -> list[Counter]:
        return [c for c in self.scenario.counters.values() if c.id not in self.taken]

    @property
    def waiting(self) -> list[BoundPiece]:
        return [p for p in self.pieces if not p.unit]

    def side(self, piece: BoundPiece) -> str:
        return self.sides.get(piece.worth.side, "")

    def start(self, counter: Counter) -> str:
        return self.starts.get(counter.id, "")

    def by_figures(self) -> None:
        """Units whose strengths no other of their side has."""
        worth = [(p, (self.side(p), p.figures)) for p in self.waiting if p.figures and self.side(p)]
        self._pair(worth, ((c, (c.side, _figures(c))) for c in self.units))

    def by_figures_there(self) -> None:
        """Units of strengths that no other has which begins in their hex: enemies never begin in one."""
        worth = [(p, (p.figures, self.at[id(p)])) for p in self.waiting if p.figures and self.at[id(p)]]
        self._pair(worth, ((c, (_figures(c), self.start(c))) for c in self.units))

    def by_places(self) -> list[BoundPiece]:
        """The only unit that begins in a hex, and the only piece of its side there. Those that were tied so."""
        there = [(p, (self.side(p), self.at[id(p)])) for p in self.waiting if self.side(p) and self.at[id(p)]]
        before = {id(p) for p in self.waiting}
        self._pair(there, ((c, (c.side, self.start(c))) for c in self.units))
        return [p for p in self.pieces if p.unit and id(p) in before]

    def by_names_there(self) -> None:
        """Units of which several are called alike, by the hexes that they begin in; in one hex all are the same."""
        units: dict[tuple[str, str], list[str]] = defaultdict(list)
        for counter in self.units:
            for name in {plain(_NUMBER.sub("", n)) for n in counter.names.values()}:
                units[name, self.start(counter)].append(counter.id)
        waiting: dict[tuple[str, str], list[BoundPiece]] = defaultdict(list)
        for piece in self.waiting:
            if piece.id:
                waiting[plain(piece.name), self.at[id(piece)]].append(piece)
        for key, alike in waiting.items():
            if len(alike) == len(units[key]) and self.taken.isdisjoint(units[key]):
                for piece, unit in zip(alike, units[key], strict=True):
                    self._tie(piece, unit)

    def _pair(
        self, pieces: Sequence[tuple[BoundPiece, Hashable]], units: Iterable[tuple[Counter, Hashable]]
    ) -> None:
        """Tie what one piece and one unit alone have, unless strength or side says otherwise."""
        mine: dict[Hashable, list[Counter]] = defaultdict(list)
        for counter, key in units:
            mine[key].append(counter)
        theirs = Tally(key for _, key in pieces)
        for piece, key in pieces:
            if theirs[key] == 1 and len(mine[key]) == 1:
                (counter,) = mine[key]
                if self.side(piece) in ("", counter.side) and piece.figures in (None, _figures(counter)):
                    self._tie(piece, counter.id)

    def _tie(self, piece: BoundPiece, unit: str) -> None:
        piece.unit = unit
        self.taken.add(unit)


def _by_names(scenario: Scenario, pieces: Sequence[BoundPiece]) -> None:
    """Units that a piece names: by the id in one of its properties, or by a name that one unit alone has."""
    names = Tally(plain(name) for c in scenario.counters.values() for name in {*c.names.values(), c.id})
    known = {
        plain(name): c.id
        for c in scenario.counters.values()
        for name in (*c.names.values(), c.id)
        if names[plain(name)] == 1
    }
    for piece in pieces:
        told = [value for value in piece.properties.values() if value in scenario.counters]
        piece.unit = told[0] if told else known.get(plain(piece.name), "")


def _by_labels(scenario: Scenario, pieces: Sequence[BoundPiece], sides: Mapping[str, str]) -> None:
    """Units whose name or numbers are written about one piece alone, of their side and with their strengths."""
    taken = {p.unit for p in pieces if p.unit}
    waiting = [p for p in pieces if not p.unit]
    units = [c for c in scenario.counters.values() if c.id not in taken]
    for index, counter in best([(p.name, *p.texts) for p in waiting], units):
        piece = waiting[index]
        side = sides.get(piece.worth.side, "")
        if side in ("", counter.side) and piece.figures in (None, _figures(counter)):
            piece.unit = counter.id


def _figures(counter: Counter) -> tuple[int, int, int]:
    return counter.attack, counter.defence, counter.move


def _first(
    scenario: Scenario, ground: FieldDraft, pieces: Sequence[BoundPiece], starts: Mapping[str, str]
) -> tuple[str, bool]:
    """The game's name of VASSAL's hex 0, 0, and whether the two grids are known to lie upon each other so.

    As most units tell that stand where they must begin; else as most hexes do in which pieces stand and units
    begin; else as the module's own numbers do.
    """
    grid = scenario.map.grid
    votes = Tally(
        _origin(scenario, ground, p.raw, starts[p.unit]) for p in pieces if p.raw is not None and p.unit in starts
    )
    del votes[""]
    if votes:
        return votes.most_common(1)[0][0], True
    raws = list(dict.fromkeys(p.raw for p in pieces if p.raw is not None))[:_PLACES]
    begins = set(starts.values())
    votes = Tally(_origin(scenario, ground, raw, hex_) for raw in raws for hex_ in begins)
    del votes[""]
    best = votes.most_common(2)
    if best and best[0][1] >= max(_FEWEST, _SURE * len(begins)) and best[0][1] > best[-1][1] * (len(best) > 1):
        return best[0][0], True
    votes = Tally(_origin(scenario, ground, raw, name) for raw, name in ground.printed.items() if name in grid)
    del votes[""]
    return (votes.most_common(1)[0][0] if votes else grid.at(1, 1)), False


def _origin(scenario: Scenario, ground: FieldDraft, raw: Raw, hex_: str) -> str:
    """What VASSAL's hex 0, 0 is called here if a hex of the module is this one; blank for none of the map's."""
    grid = scenario.map.grid
    if grid.pointy != ground.grid.sideways:
        return ""
    column, row = grid.cell(hex_)
    line, place = (row, column) if grid.pointy else (column, row)
    at, along = line - raw[0], place - raw[1]
    if at >= 1 and raw[0] % 2 and grid.is_low(at):
        along -= 1
    cell = (along, at) if grid.pointy else (at, along)
    return grid.at(*cell) if 1 <= cell[0] <= grid.columns and 1 <= cell[1] <= grid.rows else ""


def _told_sides(
    scenario: Scenario, pieces: Sequence[BoundPiece], at: Mapping[int, str], starts: Mapping[str, str]
) -> dict[str, str]:
    """The module's sides as the game's, as most pieces tell whose unit, or whose hex, is known."""
    there = {hex_: scenario.counters[unit].side for unit, hex_ in starts.items()}
    votes: dict[str, Tally[str]] = defaultdict(Tally)
    for piece in pieces:
        side = scenario.counters[piece.unit].side if piece.unit else there.get(at.get(id(piece), ""), "")
        if piece.worth.side and side:
            votes[piece.worth.side][side] += 1
    best = {mine: tally.most_common(1)[0] for mine, tally in votes.items()}
    return {mine: side for mine, (side, count) in best.items() if count >= _SURE * votes[mine].total()}
