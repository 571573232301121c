"""Hex geometry: flat-topped hexes in columns, numbered CCRR (column, then row, each from 01).

Where a game has several maps, each has a letter, and its hexes bear it before their number: B1305.

Every second column sits half a hex lower; `low` says whether the even or the odd columns do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import sqrt
from typing import Literal, TypeAlias, TypeVar

from hexforge.scenarios.words import BadValueError, message

Hex: TypeAlias = str
"""A hex by its number, four digits `CCRR`, after the letter of its map where that has one."""

Side: TypeAlias = tuple[Hex, Hex]
"""A hexside: the two hexes that share it, the lower number first."""

Point: TypeAlias = tuple[float, float]
"""x to the right and y downwards; the distance between the centres of two neighbours is 1."""

N = TypeVar("N", bound=Hashable)

DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")
EDGES = ("north", "south", "east", "west")
_STEPS = {
    low: {"n": (0, -1), "ne": (1, low - 1), "se": (1, low), "s": (0, 1), "sw": (-1, low), "nw": (-1, low - 1)}
    for low in (False, True)
}
"""Columns and rows to the neighbour in each direction, from a column that sits high or low."""
COLUMN_WIDTH = sqrt(3) / 2
MAX_SIZE = 99


def hex_id(column: int, row: int, letter: str = "") -> Hex:
    """The number of the hex in `column` and `row`, both counted from 1, on the map of a letter."""
    return f"{letter}{column:02d}{row:02d}"


def map_letter(hex_: Hex) -> str:
    """The letter of the map that a hex lies on; "" where maps have none."""
    return hex_[:-4]


def column_row(hex_: Hex) -> tuple[int, int]:
    """Column and row of a hex, both from 1. Raises ValueError unless it is four digits, perhaps after a letter."""
    number, letter = hex_[-4:], hex_[:-4]
    if len(number) != 4 or not (number.isdecimal() and hex_.isascii()):
        raise BadValueError(message("scenario.value.hex", given=repr(hex_)))
    if letter and not (len(letter) == 1 and letter.isupper()):
        raise BadValueError(message("scenario.value.hex", given=repr(hex_)))
    return int(number[:2]), int(number[2:])


def side(a: Hex, b: Hex) -> Side:
    """The hexside between two hexes, whichever comes first."""
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True)
class HexGrid:
    """A rectangle of `columns` x `rows` hexes (1 to 99 each), `letter` before the numbers of all."""

    columns: int
    rows: int
    low: Literal["even", "odd"] = "even"
    letter: str = ""

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= MAX_SIZE and 1 <= self.rows <= MAX_SIZE):
            raise BadValueError(message("scenario.value.grid", most=MAX_SIZE, columns=self.columns, rows=self.rows))

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """All hexes, column by column."""
        return tuple(self._id(c, r) for c in range(1, self.columns + 1) for r in range(1, self.rows + 1))

    def _id(self, column: int, row: int) -> Hex:
        return hex_id(column, row, self.letter)

    @cached_property
    def rings(self) -> dict[Hex, tuple[Hex | None, ...]]:
        """What lies in each of the `DIRECTIONS` from every hex; None off the map."""
        return {h: tuple(self.step(h, d) for d in DIRECTIONS) for h in self.hexes}

    @cached_property
    def neighbours(self) -> dict[Hex, tuple[Hex, ...]]:
        """The hexes of the map that touch each hex, clockwise from north."""
        return {h: tuple(n for n in ring if n is not None) for h, ring in self.rings.items()}

    @cached_property
    def directions(self) -> dict[tuple[Hex, Hex], str]:
        """For two touching hexes, the direction of the second seen from the first."""
        return {
            (h, n): d
            for h, ring in self.rings.items()
            for d, n in zip(DIRECTIONS, ring, strict=True)
            if n is not None
        }

    def __contains__(self, hex_: object) -> bool:
        return hex_ in self.neighbours

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.hexes)

    def is_low(self, column: int) -> bool:
        """Whether the column sits half a hex lower than its neighbours."""
        return (column % 2 == 0) == (self.low == "even")

    def step(self, hex_: Hex, direction: str) -> Hex | None:
        """The neighbour in a direction (`n ne se s sw nw`); None off the map."""
        column, row = column_row(hex_)
        dc, dr = _STEPS[self.is_low(column)][direction]
        column, row = column + dc, row + dr
        if 1 <= column <= self.columns and 1 <= row <= self.rows:
            return self._id(column, row)
        return None

    def adjacent(self, a: Hex, b: Hex) -> bool:
        """Whether two hexes of the map touch."""
        return b in self.neighbours.get(a, ())

    def cube(self, hex_: Hex) -> tuple[int, int, int]:
        """Cube coordinates (they sum to 0), in which distances are straight arithmetic."""
        column, row = column_row(hex_)
        # Rows are counted along a slanted axis, half a row for each column passed; a low column has one half more.
        high = 2 * row + (1 if self.is_low(column) else 0)
        r = (high - column - (high - column) % 2) // 2
        q = column
        return q, r, -q - r

    def distance(self, a: Hex, b: Hex) -> int:
        """Number of hexes from `a` to `b`: the target counts, the start does not."""
        qa, ra, sa = self.cube(a)
        qb, rb, sb = self.cube(b)
        return max(abs(qa - qb), abs(ra - rb), abs(sa - sb))

    def within(self, hex_: Hex, distance: int) -> tuple[Hex, ...]:
        """All hexes of the map at most `distance` away, the hex itself included."""
        return tuple(h for h in self.hexes if self.distance(hex_, h) <= distance)

    def edge(self, name: str) -> tuple[Hex, ...]:
        """The hexes along an edge of the rectangle (`north south east west`); corners lie on two."""
        match name:
            case "north":
                return tuple(self._id(c, 1) for c in range(1, self.columns + 1))
            case "south":
                return tuple(self._id(c, self.rows) for c in range(1, self.columns + 1))
            case "west":
                return tuple(self._id(1, r) for r in range(1, self.rows + 1))
            case "east":
                return tuple(self._id(self.columns, r) for r in range(1, self.rows + 1))
        raise BadValueError(message("scenario.unknown.edge", id=name, known=EDGES))

    def run(self, first: Hex, last: Hex) -> tuple[Hex, ...]:
        """The straight run of a row or a column from `first` to `last`, both included, in either sense.

        Raises ValueError when the two share neither row nor column, or lie on different maps.
        """
        (c1, r1), (c2, r2), letter = column_row(first), column_row(last), map_letter(first)
        if c1 == c2 and letter == map_letter(last):
            return tuple(hex_id(c1, r, letter) for r in _span(r1, r2))
        if r1 == r2 and letter == map_letter(last):
            return tuple(hex_id(c, r1, letter) for c in _span(c1, c2))
        raise BadValueError(message("scenario.value.run", first=first, last=last))

    def center(self, hex_: Hex) -> Point:
        """Centre of a hex; hex 0101 of a high column lies at (COLUMN_WIDTH / 1.5, 0.5)."""
        column, row = column_row(hex_)
        return (2 / 3 + column - 1) * COLUMN_WIDTH, row - 0.5 + (0.5 if self.is_low(column) else 0.0)

    @cached_property
    def size(self) -> Point:
        """Width and height of the rectangle that holds all hexes."""
        width = (self.columns + 1 / 3) * COLUMN_WIDTH
        lowest = max(self.center(self._id(c, self.rows))[1] for c in (1, min(2, self.columns)))
        return width, lowest + 0.5

    def corners(self, hex_: Hex) -> tuple[Point, ...]:
        """The six corners clockwise from the upper left: the side in `DIRECTIONS[i]` joins corners i and i+1."""
        x, y = self.center(hex_)
        half, quarter = 2 / 3 * COLUMN_WIDTH, 1 / 3 * COLUMN_WIDTH
        return (
            (x - quarter, y - 0.5),
            (x + quarter, y - 0.5),
            (x + half, y),
            (x + quarter, y + 0.5),
            (x - quarter, y + 0.5),
            (x - half, y),
        )

    def side_ends(self, a: Hex, b: Hex) -> tuple[Point, Point]:
        """The two corners that a hexside joins. Raises ValueError unless the hexes touch."""
        direction = self.directions.get((a, b))
        if direction is None:
            raise BadValueError(message("scenario.value.apart", a=a, b=b))
        i = DIRECTIONS.index(direction)
        corners = self.corners(a)
        return corners[i], corners[(i + 1) % 6]

    def gaps(self, path: Iterable[Hex]) -> list[Side]:
        """The places where a path jumps: consecutive hexes that do not touch."""
        return [(a, b) for a, b in pairwise(path) if not self.adjacent(a, b)]


def flood(start: Iterable[N], onward: Callable[[N], Iterable[N]]) -> Iterator[tuple[N, N]]:
    """All that can be reached, the nearest first, each with what it was reached from (a start from itself)."""
    queue = deque((node, node) for node in start)
    seen = {node for node, _ in queue}
    while queue:
        here, before = queue.popleft()
        yield here, before
        for there in onward(here):
            if there not in seen:
                seen.add(there)
                queue.append((there, here))


def _span(a: int, b: int) -> range:
    return range(a, b + 1) if a <= b else range(a, b - 1, -1)


@lru_cache(maxsize=16)
def grid(columns: int, rows: int, low: Literal["even", "odd"], letter: str = "") -> HexGrid:
    """A grid shared by all who ask for the same one, for its neighbours are costly to work out again."""
    return HexGrid(columns, rows, low, letter)
