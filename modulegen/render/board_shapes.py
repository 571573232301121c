"""Lines and outlines for boards: seeded chance, smooth curves, outlines of sets of hexes, chains of pieces.

All coordinates are drawing units: a hundredth of the height of a hex, y downwards.

Links that join at nodes, put together into long lines: rivers of hexsides, roads of steps between hexes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from math import atan2, cos, hypot, sin
from random import Random
from typing import Generic, TypeVar
from zlib import crc32

from ...scenarios.text.hexgrid import Hex, HexGrid, Point

UNIT = 100.0
"""Drawing units in the height of a hex."""

SPAN = 9000.0
"""Square units that a part of a line may span."""

Vertex = tuple[int, int]
"""A corner of hexes, as a key that is the same from whichever hex it is reached."""


def seeded(*parts: object) -> Random:
    """Chance that is the same on every machine for the same parts (a hex, a hexside, a purpose)."""
    return Random(crc32(" ".join(map(str, parts)).encode()))


def n1(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def xy(point: Point) -> str:
    """Two coordinates for a path."""
    return f"{n1(point[0])} {n1(point[1])}"


def mix(a: Point, b: Point, t: float) -> Point:
    """The point at share `t` of the way from `a` to `b`."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def shift(p: Point, direction: Point, distance: float) -> Point:
    """`p` moved along a unit vector."""
    return p[0] + direction[0] * distance, p[1] + direction[1] * distance


def unit(a: Point, b: Point) -> Point:
    """The unit vector from `a` to `b`; (0, 0) when they are the same point."""
    length = hypot(b[0] - a[0], b[1] - a[1])
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length) if length else (0.0, 0.0)


def right_of(direction: Point) -> Point:
    """The unit vector to the right of a direction of travel (y runs downwards)."""
    return -direction[1], direction[0]


@dataclass(frozen=True)
class HexField:
    """The grid in drawing units, its top left at the origin."""

    grid: HexGrid

    def center(self, hex_: Hex) -> Point:
        """Centre of a hex."""
        x, y = self.grid.center(hex_)
        return x * UNIT, y * UNIT

    @cached_property
    def around(self) -> dict[Hex, tuple[Hex | None, ...]]:
        """The neighbours of each hex in all directions, None beyond the map."""
        return self.grid.rings

    @cached_property
    def _corners(self) -> dict[Hex, list[Point]]:
        return {h: [(x * UNIT, y * UNIT) for x, y in self.grid.corners(h)] for h in self.grid.hexes}

    def corners(self, hex_: Hex) -> list[Point]:
        """The six corners, clockwise from the upper left, or from the top."""
        return self._corners[hex_]

    @cached_property
    def rim(self) -> list[tuple[Point, Point]]:
        """The outer hexsides of the map, clockwise."""
        nodes = [n.at for loop in outlines(self, self.grid.hexes, Coast("rim")) for n in loop]
        return list(zip(nodes[::2], nodes[1::2], strict=True))

    def ends(self, a: Hex, b: Hex) -> tuple[Point, Point]:
        """The two corners of the hexside between touching hexes."""
        (x1, y1), (x2, y2) = self.grid.side_ends(a, b)
        return (x1 * UNIT, y1 * UNIT), (x2 * UNIT, y2 * UNIT)

    def edge_point(self, hex_: Hex, direction: str) -> Point:
        """The middle of the side of a hex in a direction, also where the map ends there."""
        i = self.grid.compass.index(direction)
        corners = self.corners(hex_)
        return mix(corners[i], corners[(i + 1) % 6], 0.5)


def vertex(p: Point) -> Vertex:
    """The key of a corner."""
    return round(p[0]), round(p[1])


@dataclass
class OutlinePoint:
    """A point of an outline; `sharp` ones are corners, the others are passed smoothly."""

    at: Point
    sharp: bool = False
    edge: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Coast:
    """How the outline of a set of hexes runs.

    `inset` moves the line into the set, `wander` is how far chance may move it at most, `under` are hexes below
    which the line is pushed, because something else is drawn over it there. Along the edge of the map the line
    runs exactly on the hexes, unless `soft_edge` insets it there too.
    """

    seed: str
    inset: float = 0
    wander: float = 0
    under: Collection[Hex] = frozenset()
    soft_edge: bool = False


def outlines(ground: HexField, hexes: Collection[Hex], coast: Coast) -> list[list[OutlinePoint]]:
    """The closed outlines of a set of hexes, clockwise around it (holes the other way)."""
    inside = frozenset(hexes)
    following: dict[Vertex, tuple[Point, Point, Hex | None]] = {}
    for hex_ in sorted(inside):
        corners = ground.corners(hex_)
        for i, other in enumerate(ground.around[hex_]):
            if other not in inside:
                # Three hexes meet at a corner, so only one outline can leave it.
                following[vertex(corners[i])] = (corners[i], corners[(i + 1) % 6], other)
    loops: list[list[OutlinePoint]] = []
    while following:
        at = next(iter(following))
        loop: list[OutlinePoint] = []
        while at in following:
            a, b, other = following.pop(at)
            loop += _side_nodes(a, b, other, coast)
            at = vertex(b)
        loops.append(loop)
    return loops


def _side_nodes(a: Point, b: Point, other: Hex | None, coast: Coast) -> list[OutlinePoint]:
    if other is None and not coast.soft_edge:
        return [OutlinePoint(a, True, True), OutlinePoint(b, True, True)]
    inward = right_of(unit(a, b))
    chance = seeded(coast.seed, *sorted((vertex(a), vertex(b))))
    inset = -14.0 if other in coast.under else coast.inset
    wander = 0.0 if other in coast.under else coast.wander
    return [
        OutlinePoint(shift(mix(a, b, t), inward, inset + wander * (2 * chance.random() - 1)))
        for t in (0.22 + 0.1 * chance.random(), 0.68 + 0.1 * chance.random())
    ]


def closed_curve(nodes: Sequence[OutlinePoint]) -> Curve:
    """The closed line through the nodes (Catmull-Rom, sharp nodes kept as corners)."""
    count = len(nodes)
    pieces = []
    for i in range(count):
        p0, p1, p2, p3 = (nodes[(i + k) % count] for k in (-1, 0, 1, 2))
        if p1.at == p2.at:
            continue
        straight = p1.sharp and p2.sharp
        c1 = p1.at if p1.sharp else _handle(p0.at, p1.at, p2.at, 1)
        c2 = p2.at if p2.sharp else _handle(p1.at, p2.at, p3.at, -1)
        pieces.append((p1.at, p1.at, p2.at, p2.at) if straight else (p1.at, c1, c2, p2.at))
    return Curve(pieces)


def _handle(before: Point, at: Point, after: Point, sense: int) -> Point:
    return at[0] + sense * (after[0] - before[0]) / 6, at[1] + sense * (after[1] - before[1]) / 6


def blobs(curves: Sequence[Curve]) -> list[list[Curve]]:
    """Closed curves put together as a drawing fills them: each outer line with the holes in it."""
    outer = [c for c in curves if _area(c) > 0]
    found = [[c] for c in outer]
    for hole in curves:
        if _area(hole) <= 0:
            at = hole.pieces[0][0]
            around = [group for group in found if _holds(group[0], at)]
            min(around, key=lambda g: _area(g[0]), default=found[0] if found else []).append(hole)
    return found


def _area(curve: Curve) -> float:
    """Twice the area within, negative for holes."""
    return sum(a[0] * d[1] - d[0] * a[1] for a, _, _, d in curve.pieces)


def _holds(curve: Curve, p: Point) -> bool:
    inside = False
    for a, _, _, b in curve.pieces:
        if (a[1] > p[1]) != (b[1] > p[1]) and p[0] < a[0] + (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]):
            inside = not inside
    return inside


def sampled(curve: Curve, steps: int) -> Iterator[tuple[Point, Point]]:
    """Points along a closed curve, each with the unit vector into it."""
    for piece in curve.pieces:
        for k in range(steps):
            here = _cubic(*piece, k / steps)
            there = _cubic(*piece, (k + 0.5) / steps)
            yield here, right_of(unit(here, there))


def _cubic(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    s = 1 - t
    k0, k1, k2, k3 = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
    return (
        k0 * a[0] + k1 * b[0] + k2 * c[0] + k3 * d[0],
        k0 * a[1] + k1 * b[1] + k2 * c[1] + k3 * d[1],
    )


@dataclass
class Curve:
    """An open line of cubic pieces, each given by its start, two handles and end."""

    pieces: list[tuple[Point, Point, Point, Point]]

    def path(self) -> str:
        """The line as path data."""
        return _path(self.pieces)

    def parts(self) -> list[str]:
        """The line as path data of several short parts: a rasteriser works over all that a path spans."""
        out, start = [], 0
        for i in range(1, len(self.pieces) + 1):
            corners = [p for piece in self.pieces[start : i + 1] for p in (piece[0], piece[3])]
            wide = max(p[0] for p in corners) - min(p[0] for p in corners)
            tall = max(p[1] for p in corners) - min(p[1] for p in corners)
            if i == len(self.pieces) or (wide + 12) * (tall + 12) > SPAN:
                out.append(_path(self.pieces[start:i]))
                start = i
        return out

    def points(self, steps: int = 6) -> list[Point]:
        """Points along the line, `steps` a piece, both ends included."""
        out = [_cubic(*piece, k / steps) for piece in self.pieces for k in range(steps)]
        return [*out, self.pieces[-1][3]]


def _path(pieces: Sequence[tuple[Point, Point, Point, Point]]) -> str:
    return (
        "M"
        + xy(pieces[0][0])
        + "".join("L" + xy(d) if b == a and c == d else f"C{xy(b)} {xy(c)} {xy(d)}" for a, b, c, d in pieces)
    )


def group(paths: Iterable[str], attributes: str) -> list[str]:
    """Paths that look alike as one SVG group; nothing for no paths."""
    body = "".join(f'<path d="{d}"/>' for d in paths)
    return [f"<g {attributes}>{body}</g>"] if body else []


def pen(colour: str, width: float, cap: str = "round") -> str:
    """The attributes of a line."""
    return (
        f'fill="none" stroke="{colour}" stroke-width="{n1(width)}" stroke-linecap="{cap}" stroke-linejoin="round"'
    )


def chunks(pieces: Sequence[str], size: int) -> list[str]:
    """Small figures joined to paths of so many each."""
    return ["".join(pieces[i : i + size]) for i in range(0, len(pieces), size)]


def through_corner(a: Point, corner: Point, b: Point, pull: float = 2 / 3) -> tuple[Point, Point, Point, Point]:
    """A piece from `a` to `b` bent towards a corner; 2/3 makes it the quadratic with that corner as its handle."""
    return a, mix(a, corner, pull), mix(b, corner, pull), b


def offset(points: Sequence[Point], distance: float) -> list[Point]:
    """The line moved to the right of its direction of travel."""
    out = []
    for i, p in enumerate(points):
        direction = unit(points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)])
        out.append(shift(p, right_of(direction), distance))
    return out


def length(points: Sequence[Point]) -> float:
    """Length of a line."""
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


def along(points: Sequence[Point], step: float, start: float = 0.0) -> Iterator[tuple[Point, Point]]:
    """Points at equal steps along a line, each with its direction of travel."""
    next_at, run = start, 0.0
    for a, b in pairwise(points):
        piece = hypot(b[0] - a[0], b[1] - a[1])
        direction = unit(a, b)
        while piece and next_at <= run + piece:
            yield shift(a, direction, next_at - run), direction
            next_at += step
        run += piece


def smooth_curve(points: Sequence[Point]) -> Curve:
    """The open line through points (Catmull-Rom)."""
    last = len(points) - 1
    return Curve(
        [
            (
                points[i],
                _handle(points[max(i - 1, 0)], points[i], points[i + 1], 1),
                _handle(points[i], points[i + 1], points[min(i + 2, last)], -1),
                points[i + 1],
            )
            for i in range(last)
        ]
    )


def straight(points: Sequence[Point]) -> Curve:
    """The line with corners at its points."""
    return Curve([(a, a, b, b) for a, b in pairwise(points)])


def polygon(points: Iterable[Point]) -> str:
    """A closed path with straight sides."""
    return "M" + "L".join(xy(p) for p in points) + "z"


def turned(points: Iterable[Point], angle: float, at: Point, scale: float = 1.0) -> list[Point]:
    """Points of a small figure turned (radians, clockwise as seen), enlarged and moved to a place."""
    c, s = cos(angle) * scale, sin(angle) * scale
    return [(at[0] + x * c - y * s, at[1] + x * s + y * c) for x, y in points]


def heading(direction: Point) -> float:
    """The angle of a direction, in radians."""
    return atan2(direction[1], direction[0])


N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True)
class LinkStep(Generic[N]):
    """One link passed in one sense: `link` is its index."""

    start: N
    link: int
    end: N


class Network(Generic[N]):
    """Links between nodes, and at each node which link goes on as which.

    `cost(node, a, b)` says how badly link `b` continues link `a`; pairs are made from the best down. None: never.
    """

    def __init__(self, links: Sequence[tuple[N, N]], cost: Callable[[N, int, int], float | None]) -> None:
        self.links = links
        self.at: dict[N, list[int]] = {}
        for i, (a, b) in enumerate(links):
            self.at.setdefault(a, []).append(i)
            self.at.setdefault(b, []).append(i)
        self.follows: dict[tuple[N, int], int] = {}
        for node, here in self.at.items():
            ranked = []
            for one, other in combinations(here, 2):
                price = cost(node, one, other)
                if price is not None:
                    ranked.append((price, one, other))
            for _, one, other in sorted(ranked):
                if (node, one) not in self.follows and (node, other) not in self.follows:
                    self.follows[node, one] = other
                    self.follows[node, other] = one

    def chains(self) -> list[list[LinkStep[N]]]:
        """Every link once, in lines that run as far as the pairs carry them. A ring starts anywhere."""
        used: set[int] = set()
        lines = []
        ends = [(n, i) for i, pair in enumerate(self.links) for n in pair if (n, i) not in self.follows]
        rings = [(pair[0], i) for i, pair in enumerate(self.links)]
        for node, link in ends + rings:
            if link in used:
                continue
            line: list[LinkStep[N]] = []
            at, here = node, link
            while here not in used:
                used.add(here)
                a, b = self.links[here]
                far = b if at == a else a
                line.append(LinkStep(at, here, far))
                if (far, here) not in self.follows:
                    break
                at, here = far, self.follows[far, here]
            lines.append(line)
        return lines

    def is_ring(self, line: Sequence[LinkStep[N]]) -> bool:
        """Whether a line from `chains` closes on itself."""
        last = line[-1]
        return (
            len(line) > 1 and self.follows.get((last.end, last.link)) == line[0].link and last.end == line[0].start
        )
