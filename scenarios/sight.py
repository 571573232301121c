"""Straight lines from the centre of a hex to that of another: the hexes and hexsides that they run through."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from hexforge.scenarios.hexgrid import Hex, HexGrid, Side, side


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
            span = _span(grid, a, b, hex_)
            if span is not None:
                spans.setdefault(span, []).append(hex_)
    through = tuple((*sorted(spans[span]), *[""] * (span[2] and len(spans[span]) == 1)) for span in sorted(spans))
    crossed = [(p[0], q[0]) for p, q in pairwise(through) if len(p) == len(q) == 1 and grid.adjacent(p[0], q[0])]
    followed = [(pair[0], pair[1]) for pair in through if len(pair) > 1 and pair[1]]
    return SightLine(through, frozenset(side(p, q) for p, q in (*crossed, *followed)))


def _span(grid: HexGrid, a: Hex, b: Hex, hex_: Hex) -> tuple[Fraction, Fraction, bool] | None:
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
