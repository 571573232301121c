"""What a report lays over its map: ways as arrows, rings around hexes, bursts where there was a combat."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hexforge.scenarios.hexgrid import Hex, HexGrid, Point

UNIT: Final = 46.0
"""Pixels for one unit of the grid's own measure (a hex is one unit high)."""
_SHAFT: Final = 3.0
_HEAD: Final = 9.0
_SHORT: Final = 0.27
"""By how much of a hex an arrow keeps from the centres of its ends, so that counters there can be read."""
_RAYS: Final = 9


@dataclass(frozen=True, slots=True)
class Arrow:
    """A way from its first hex to its last; dashed for what is no move."""

    path: tuple[Hex, ...]
    colour: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Overlay:
    """Colours over hexes, short texts in them, coloured rings around them, arrows, and hexes that are attacked."""

    tints: Mapping[Hex, str] = field(default_factory=dict)
    notes: Mapping[Hex, str] = field(default_factory=dict)
    rings: Mapping[Hex, str] = field(default_factory=dict)
    arrows: Sequence[Arrow] = ()
    bursts: Collection[Hex] = ()


def at(point: Point) -> str:
    """A point of the grid as SVG writes it, in pixels."""
    return f"{point[0] * UNIT:.1f},{point[1] * UNIT:.1f}"


def polygon(corners: Sequence[Point], style: str) -> str:
    """A filled outline."""
    return f'<polygon points="{" ".join(map(at, corners))}" {style}/>'


def rings(grid: HexGrid, overlay: Overlay) -> Iterator[str]:
    """Outlines of the hexes that are spoken of."""
    for hex_, colour in overlay.rings.items():
        style = f'fill="none" stroke="{escape(colour, quote=True)}" stroke-width="3.5"'
        yield polygon(grid.corners(hex_), style)


def bursts(grid: HexGrid, overlay: Overlay) -> Iterator[str]:
    """A star at the upper corner of each hex that is attacked."""
    for hex_ in overlay.bursts:
        x, y = grid.center(hex_)
        points = [
            (x + 0.27 + radius * cos(step * pi / _RAYS), y - 0.24 + radius * sin(step * pi / _RAYS))
            for step in range(2 * _RAYS)
            for radius in [0.17 if step % 2 == 0 else 0.08]
        ]
        yield polygon(points, 'fill="#f2b705" stroke="#a61d24" stroke-width="1.2"')


def arrows(grid: HexGrid, overlay: Overlay) -> Iterator[str]:
    """The ways, from the centre of the first hex to shortly before that of the last."""
    for arrow in overlay.arrows:
        points = [grid.center(h) for h in arrow.path if h in grid]
        points = [p for p, q in pairwise([*points, None]) if p != q and p is not None]
        if len(points) < 2:
            continue
        colour = escape(arrow.colour, quote=True)
        (x, y), (dx, dy) = points[0], _direction(points[0], points[1])
        points[0] = (x + dx * _SHORT, y + dy * _SHORT)
        (x, y), (dx, dy) = points[-1], _direction(points[-2], points[-1])
        tip = (x - dx * _SHORT, y - dy * _SHORT)
        head = _HEAD / UNIT
        back = (tip[0] - dx * head, tip[1] - dy * head)
        dash = ' stroke-dasharray="5 4"' if arrow.dashed else ""
        shaft = " ".join(map(at, [*points[:-1], back]))
        common = f'points="{shaft}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
        yield f'<polyline {common} stroke="#fff" stroke-opacity="0.8" stroke-width="{_SHAFT + 2}"/>'
        yield f'<polyline {common} stroke="{colour}" stroke-width="{_SHAFT}"{dash}/>'
        side = (-dy * head / 2, dx * head / 2)
        corners = [tip, (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
        yield polygon(corners, f'fill="{colour}" stroke="#fff" stroke-width="0.6"')


def _direction(first: Point, last: Point) -> Point:
    dx, dy = last[0] - first[0], last[1] - first[1]
    length = hypot(dx, dy)
    return dx / length, dy / length
