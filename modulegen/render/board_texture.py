"""Small marks all over a cover: waves, dunes, stones, mines, furrows. A cover names one as its `texture`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final

from hexforge.modulegen.render.board_shapes import HexField, chunks, group, n1, pen, seeded, turned, xy
from hexforge.modulegen.render.board_style import Style
from hexforge.scenarios.hexgrid import Hex, Point

_REACH: Final = 40.0
"""How far from a hex's centre marks stand, in drawing units: the hexsides stay free."""
_MARKS: Final = 12
"""Marks drawn by one path."""


def _wave(at: Point, _: float) -> str:
    x, y = at
    return f"M{n1(x - 8)} {n1(y)}q4-4.4 8 0q4 4.4 8 0"


def _crescent(at: Point, _: float) -> str:
    """A dune: its crest, and the lee below it."""
    x, y = at
    return f"M{n1(x - 10)} {n1(y + 2)}q8-9.5 20-1M{n1(x - 4)} {n1(y + 2.4)}q6-4.4 11-1.6"


def _cross(at: Point, _: float) -> str:
    x, y = at
    return f"M{n1(x - 3.6)} {n1(y - 3.6)}l7.2 7.2m0-7.2l-7.2 7.2"


def _dot(at: Point, _: float) -> str:
    return f"M{xy(at)}h0"


def _ring(at: Point, chance: float) -> str:
    r = 2.4 + 1.8 * chance
    d, q = n1(2 * r), n1(r)
    return f"M{n1(at[0] - r)} {n1(at[1])}a{q} {q} 0 1 1 {d} 0a{q} {q} 0 1 1-{d} 0z"


def _furrows(at: Point, chance: float) -> str:
    """A ploughed strip, turned as its neighbours are not."""
    rows = [((-10.0, y), (10.0, y)) for y in (-6.0, -2.0, 2.0, 6.0)]
    ends = [turned(row, chance * pi, at) for row in rows]
    return "".join(f"M{xy(a)}L{xy(b)}" for a, b in ends)


MARKS: Final[Mapping[str, Callable[[Point, float], str]]] = MappingProxyType(
    {
        "waves": _wave,
        "crescents": _crescent,
        "crosses": _cross,
        "dots": _dot,
        "rings": _ring,
        "furrows": _furrows,
    }
)
"""The textures that are made of marks: the path of one, at a point, with a chance of 0 to 1 for what differs."""


def draw_marks(
    ground: HexField, hexes: Collection[Hex], style: Style, covered: Callable[[Point], bool]
) -> list[str]:
    """The marks of a cover on its hexes, none where `covered` says that something else stands."""
    draw = MARKS[style["texture"]]
    paths = []
    for hex_ in sorted(hexes):
        chance = seeded(style["texture"], hex_)
        for spot in _spread(ground.center(hex_), int(style["marks"]), hex_):
            shape = draw(spot, chance.random())
            if not covered(spot):
                paths.append(shape)
    return group(chunks(paths, _MARKS), pen(style["ink"], float(style["stroke"])))


def _spread(center: Point, count: int, hex_: Hex) -> list[Point]:
    """Points over a hex on a slightly shaken spiral, so that no two marks touch."""
    chance = seeded("marks", hex_)
    turn = chance.random() * 2 * pi
    points = []
    for k in range(count):
        r = _REACH * ((k + 0.5) / count) ** 0.5 + chance.uniform(-2, 2)
        angle = turn + k * 2.39996
        points.append((center[0] + r * cos(angle), center[1] + r * sin(angle)))
    return points
