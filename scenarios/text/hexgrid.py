"""Hex geometry: hexes with flat tops stand in columns, those with pointy tops lie in rows.

Every second column sits half a hex lower, every second row half a hex further right; `low` says whether the even or
the odd ones do, counted from 1 at the top left whatever the map calls them.

Hexes are called as the map calls them (`Naming`): CCRR, column, then row, each from 01, unless it says otherwise.
Where a game has several maps, each has a letter, and its hexes bear it before their number: B1305.

All geometry is worked out for hexes with flat tops. A map with pointy tops is such a one mirrored at the diagonal:
its rows are the other's columns, and x and y change places. `line` and `place` are column and row of the flat one.

Straight lines from the centre of a hex to that of another: the hexes and hexsides that they run through.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import dist, floor, sqrt
from typing import Literal, TypeAlias, TypeVar

from .words import BadValueError, message

Hex: TypeAlias = str
"""A hex as its map calls it: four digits `CCRR` or as `Naming` says, after the letter of its map if it has one."""

Side: TypeAlias = tuple[Hex, Hex]
"""A hexside: the two hexes that share it, the lower number first."""

Point: TypeAlias = tuple[float, float]
"""x to the right and y downwards; the distance between the centres of two neighbours is 1."""

N = TypeVar("N", bound=Hashable)

DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")
"""Of hexes with flat tops, clockwise; `POINTY` are those of hexes with pointy tops."""
POINTY = ("ne", "e", "se", "sw", "w", "nw")
_MIRRORED = {"ne": "sw", "e": "s", "se": "se", "sw": "ne", "w": "n", "nw": "nw"}
EDGES = ("north", "south", "east", "west")
_STEPS = {
    low: {"n": (0, -1), "ne": (1, low - 1), "se": (1, low), "s": (0, 1), "sw": (-1, low), "nw": (-1, low - 1)}
    for low in (False, True)
}
"""Columns and rows to the neighbour in each direction, from a column that sits high or low."""
COLUMN_WIDTH = sqrt(3) / 2
_REACH = 1.01 / COLUMN_WIDTH / 1.5
MAX_SIZE = 99


def hex_id(column: int, row: int, letter: str = "") -> Hex:
    """The usual number of the hex in `column` and `row`, both counted from 1, on the map of a letter."""
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


What = Literal["columns", "rows"]
Kind = Literal["digits", "letters"]
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Naming:
    """How a map calls its hexes.

    Columns and rows are `digits` filled up to so many with zeros, or `letters`: A to Z, then AA, BB and so on.
    `first` is said first. `columns_from` and `rows_from` are the lowest numbers (A is 1); those in `descending`
    count from the right or from the bottom.
    """

    columns: Kind = "digits"
    rows: Kind = "digits"
    first: What = "columns"
    columns_from: int = 1
    rows_from: int = 1
    descending: tuple[str, ...] = ()
    digits: int = 2

    def kind(self, what: What) -> Kind:
        """Whether columns or rows are digits or letters."""
        return self.columns if what == "columns" else self.rows

    def start(self, what: What) -> int:
        """The lowest number of columns or rows."""
        return self.columns_from if what == "columns" else self.rows_from

    def said(self, what: What, index: int, count: int) -> str:
        """What the `index`th of so many columns or rows is called, from the left or top, the first being 1."""
        number = self.start(what) + (count - index if what in self.descending else index - 1)
        if self.kind(what) == "digits":
            return f"{number:0{self.digits}d}"
        return _ALPHABET[(number - 1) % 26] * ((number - 1) // 26 + 1)

    @property
    def form(self) -> re.Pattern[str]:
        """What a hex's name is like, in capitals, without the letter of its map."""
        return _form(self)


@lru_cache(maxsize=16)
def _form(naming: Naming) -> re.Pattern[str]:
    # Kept apart from the naming, which is a part of games that are written down: a pattern is not.
    lettered = "letters" in (naming.columns, naming.rows)
    number = f"[0-9]{{{naming.digits},3}}" if lettered else f"[0-9]{{{naming.digits}}}"
    order: tuple[What, What] = ("columns", "rows") if naming.first == "columns" else ("rows", "columns")
    return re.compile("".join("[A-Z]{1,8}" if naming.kind(what) == "letters" else number for what in order))


USUAL = Naming()


@dataclass(frozen=True)
class HexGrid:
    """A rectangle of `columns` x `rows` hexes (1 to 99 each), `letter` before the names of all."""

    columns: int
    rows: int
    low: Literal["even", "odd"] = "even"
    letter: str = ""
    tops: Literal["flat", "pointy"] = "flat"
    naming: Naming = USUAL

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= MAX_SIZE and 1 <= self.rows <= MAX_SIZE):
            raise BadValueError(message("scenario.value.grid", most=MAX_SIZE, columns=self.columns, rows=self.rows))

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """All hexes, column by column."""
        return tuple(self._id(c, r) for c in range(1, self.columns + 1) for r in range(1, self.rows + 1))

    @cached_property
    def pointy(self) -> bool:
        """Whether the hexes have pointy tops and lie in rows."""
        return self.tops == "pointy"

    @cached_property
    def usual(self) -> bool:
        """Whether hexes are called CCRR."""
        return self.naming == USUAL

    @cached_property
    def compass(self) -> tuple[str, ...]:
        """The six directions, clockwise: the side in the first joins the first two of `corners`."""
        return POINTY if self.pointy else DIRECTIONS

    @property
    def lines(self) -> int:
        """How many columns there are; rows where tops are pointy."""
        return self.rows if self.pointy else self.columns

    @property
    def places(self) -> int:
        """How many hexes stand in a line."""
        return self.columns if self.pointy else self.rows

    def _id(self, column: int, row: int) -> Hex:
        if self.usual:
            return hex_id(column, row, self.letter)
        across = self.naming.said("columns", column, self.columns)
        down = self.naming.said("rows", row, self.rows)
        return self.letter + (across + down if self.naming.first == "columns" else down + across)

    def at(self, column: int, row: int) -> Hex:
        """The hex in a column and a row, both counted from 1 at the top left."""
        return self._id(column, row)

    def _in_line(self, line: int, place: int) -> Hex:
        return self._id(place, line) if self.pointy else self._id(line, place)

    @cached_property
    def _cells(self) -> dict[Hex, tuple[int, int]]:
        spots = [(c, r) for c in range(1, self.columns + 1) for r in range(1, self.rows + 1)]
        return {self._id(c, r): (c, r) for c, r in spots}

    def cell(self, hex_: Hex) -> tuple[int, int]:
        """Column and row of a hex, both from 1 at the top left. Raises ValueError for what is no name here."""
        found = self._cells.get(hex_)
        if found is not None:
            return found
        if self.usual:
            return column_row(hex_)
        raise BadValueError(message("scenario.value.hex-named", given=repr(hex_), first=self.hexes[0]))

    def line_place(self, hex_: Hex) -> tuple[int, int]:
        """Column and row of a hex; row and column where tops are pointy."""
        column, row = self.cell(hex_)
        return (row, column) if self.pointy else (column, row)

    def named(self, text: str) -> Hex | None:
        """A hex's name as this map writes it, be it on the map or beyond it; None for what is no such name."""
        text = text.upper()
        if not text.startswith(self.letter) or not self.naming.form.fullmatch(text[len(self.letter) :]):
            return None
        return text

    @cached_property
    def rings(self) -> dict[Hex, tuple[Hex | None, ...]]:
        """What lies in each direction of `compass` from every hex; None off the map."""
        return {h: tuple(self.step(h, d) for d in self.compass) for h in self.hexes}

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
            for d, n in zip(self.compass, ring, strict=True)
            if n is not None
        }

    def __contains__(self, hex_: object) -> bool:
        return hex_ in self.neighbours

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.hexes)

    @cached_property
    def _wider(self) -> HexGrid:
        return replace(self, columns=min(self.columns + 1, MAX_SIZE), rows=min(self.rows + 1, MAX_SIZE))

    def beyond_rim(self, hex_: Hex, rim: Hex) -> bool:
        """Whether a name that the map has not is that of the place beside one of its hexes, right or below."""
        return hex_ not in self and rim in self and hex_ in self._wider.neighbours.get(rim, ())

    def is_low(self, line: int) -> bool:
        """Whether the column sits half a hex lower than its neighbours, or the row half a hex further right."""
        return (line % 2 == 0) == (self.low == "even")

    def counted_from(self, first: Hex) -> dict[tuple[int, int], Hex]:
        """Each hex by its line and place as VASSAL counts them, whose hex 0, 0 is `first`."""
        line, place = self.line_place(first)
        # VASSAL's second line begins half a hex below its first; where ours begins above it, it has one hex before.
        lower, found = self.is_low(line), dict[tuple[int, int], Hex]()
        for hex_ in self:
            at, along = self.line_place(hex_)
            raw = at - line
            found[raw, along - place - (raw % 2 if lower else 0)] = hex_
        return found

    def step(self, hex_: Hex, direction: str) -> Hex | None:
        """The neighbour in a direction (of `compass`); None off the map."""
        line, place = self.line_place(hex_)
        dl, dp = _STEPS[self.is_low(line)][_MIRRORED[direction] if self.pointy else direction]
        line, place = line + dl, place + dp
        return self._in_line(line, place) if 1 <= line <= self.lines and 1 <= place <= self.places else None

    def adjacent(self, a: Hex, b: Hex) -> bool:
        """Whether two hexes of the map touch."""
        return b in self.neighbours.get(a, ())

    def cube(self, hex_: Hex) -> tuple[int, int, int]:
        """Cube coordinates (they sum to 0), in which distances are straight arithmetic."""
        found = self._cubes.get(hex_)
        return self._cube(hex_) if found is None else found

    @cached_property
    def _cubes(self) -> dict[Hex, tuple[int, int, int]]:
        return {hex_: self._cube(hex_) for hex_ in self.hexes}

    def _cube(self, hex_: Hex) -> tuple[int, int, int]:
        line, place = self.line_place(hex_)
        # Places are counted along a slanted axis, half a one for each line passed; a low line has one half more.
        high = 2 * place + (1 if self.is_low(line) else 0)
        r = (high - line - (high - line) % 2) // 2
        return line, r, -line - r

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
        if not self.usual:
            return self._run(first, last)
        (c1, r1), (c2, r2), letter = column_row(first), column_row(last), map_letter(first)
        if c1 == c2 and letter == map_letter(last):
            return tuple(hex_id(c1, r, letter) for r in _span(r1, r2))
        if r1 == r2 and letter == map_letter(last):
            return tuple(hex_id(c, r1, letter) for c in _span(c1, c2))
        raise BadValueError(message("scenario.value.run", first=first, last=last))

    def _run(self, first: Hex, last: Hex) -> tuple[Hex, ...]:
        (c1, r1), (c2, r2) = self.cell(first), self.cell(last)
        if c1 != c2 and r1 != r2:
            raise BadValueError(message("scenario.value.run", first=first, last=last))
        return tuple(self._id(c, r) for c in _span(c1, c2) for r in _span(r1, r2))

    def center(self, hex_: Hex) -> Point:
        """Centre of a hex; the first of a high column lies at (COLUMN_WIDTH / 1.5, 0.5)."""
        line, place = self.line_place(hex_)
        x, y = (2 / 3 + line - 1) * COLUMN_WIDTH, place - 0.5 + (0.5 if self.is_low(line) else 0.0)
        return (y, x) if self.pointy else (x, y)

    def nearest(self, point: Point) -> Hex | None:
        """The hex whose centre is nearest to a point, None off the map (or half a hex or more beyond it)."""
        x, y = (point[1], point[0]) if self.pointy else point
        line = floor(x / COLUMN_WIDTH - 2 / 3) + 1
        best: tuple[float, Hex] | None = None
        for near in (line - 1, line, line + 1):
            place = min(max(round(y + 0.5 - (0.5 if self.is_low(near) else 0.0)), 1), self.places)
            if 1 <= near <= self.lines:
                hex_ = self._in_line(near, place)
                away = dist(self.center(hex_), point)
                if best is None or away < best[0]:
                    best = (away, hex_)
        return best[1] if best and best[0] <= _REACH else None

    @cached_property
    def size(self) -> Point:
        """Width and height of the rectangle that holds all hexes."""
        across = (self.lines + 1 / 3) * COLUMN_WIDTH
        lower = any(self.is_low(line) for line in (1, min(2, self.lines)))
        along = self.places + (0.5 if lower else 0.0)
        return (along, across) if self.pointy else (across, along)

    def corners(self, hex_: Hex) -> tuple[Point, ...]:
        """The six corners clockwise from the upper left, or the top: the side in `compass[i]` joins i and i+1."""
        x, y = self.center(hex_)
        half, quarter = 2 / 3 * COLUMN_WIDTH, 1 / 3 * COLUMN_WIDTH
        if self.pointy:
            return (
                (x, y - half),
                (x + 0.5, y - quarter),
                (x + 0.5, y + quarter),
                (x, y + half),
                (x - 0.5, y + quarter),
                (x - 0.5, y - quarter),
            )
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
        i = self.compass.index(direction)
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
def grid(
    columns: int,
    rows: int,
    low: Literal["even", "odd"],
    letter: str = "",
    *,
    tops: Literal["flat", "pointy"] = "flat",
    naming: Naming = USUAL,
) -> HexGrid:
    """A grid shared by all who ask for the same one, for its neighbours are costly to work out again."""
    return HexGrid(columns, rows, low, letter, tops, naming)


@dataclass(frozen=True, slots=True)
class SightLine:
    """What lies between two hexes, these left out.

    `through` are the hexes that the line enters, each by itself, and pairs where it runs along their common side
    and enters neither; of a pair at the map's rim one is "". `sides` are the hexsides that it crosses or follows,
    but for those of the two hexes at its ends.
    """

    through: tuple[tuple[Hex, ...], ...]
    sides: frozenset[Side]


@lru_cache(maxsize=4096)
def sight_line(grid: HexGrid, a: Hex, b: Hex) -> SightLine:
    """The line between two hexes of a grid. Raises KeyError for hexes that it has not."""
    far, spans = grid.distance(a, b), dict[tuple[Fraction, Fraction, bool], list[Hex]]()
    for hex_ in grid.within(a, far) if far > 1 else ():
        # A line strays less than a hex from the shortest ways.
        if hex_ not in (a, b) and grid.distance(hex_, a) + grid.distance(hex_, b) <= far + 1:
            span = _sight_span(grid, a, b, hex_)
            if span is not None:
                spans.setdefault(span, []).append(hex_)
    through = tuple((*sorted(spans[span]), *[""] * (span[2] and len(spans[span]) == 1)) for span in sorted(spans))
    crossed = [(p[0], q[0]) for p, q in pairwise(through) if len(p) == len(q) == 1 and grid.adjacent(p[0], q[0])]
    followed = [(pair[0], pair[1]) for pair in through if len(pair) > 1 and pair[1]]
    return SightLine(through, frozenset(side(p, q) for p, q in (*crossed, *followed)))


def _sight_span(grid: HexGrid, a: Hex, b: Hex, hex_: Hex) -> tuple[Fraction, Fraction, bool] | None:
    """From which part of the line to which it runs through a hex, or (true) along its side; None where it does not.

    In cube coordinates a hex is where all differences of two of the three, from its centre, are at most 1.
    """
    (ax, ay, az), (bx, by, bz), (x, y, z) = grid.cube(a), grid.cube(b), grid.cube(hex_)
    start, end = (ax - x, ay - y, az - z), (bx - x, by - y, bz - z)
    first, last, beside = Fraction(0), Fraction(1), False
    for i, j in ((0, 1), (1, 2), (2, 0)):
        here, there = start[i] - start[j], end[i] - end[j]
        if here == there:
            if abs(here) > 1:
                return None
            beside = beside or abs(here) == 1
            continue
        low, high = sorted(Fraction(edge - here, there - here) for edge in (-1, 1))
        first, last = max(first, low), min(last, high)
    return (first, last, beside) if first < last else None
