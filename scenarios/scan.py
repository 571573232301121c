"""Where the hexes of a board lie in a picture of it, found from the centres of a few.

Two centres give place, turn and size, three also a picture that is stretched or sheared, four or more one that was
taken at an angle. The plane of hexes is that of `HexGrid.center`; pixels count from the picture's top left.

Where the pictures are that a game's folder, or the owner of a printed copy, brings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import copysign, fsum, hypot, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .text.words import HexforgeError, Message, message

if TYPE_CHECKING:
    from .text.hexgrid import Hex, HexGrid, Point


Matrix = tuple[float, float, float, float, float, float, float, float, float]
"""Row by row, for points as (x, y, 1); what comes out is divided by its third number."""

AGREED: Final = 0.15
"""Hexes by which a centre may lie beside where the others say."""
ANGLED: Final = 0.3
NO_DOUBT: Final = 0.08
"""So close do centres lie that were taken at an angle, and none of them is wrong."""
STRETCHED: Final = 1.04
TORN: Final = 1.25
"""How much longer one way than the other: beyond the first it is told, beyond the second refused."""
STEEPEST: Final = 3.0


class ScanError(HexforgeError):
    """Centres that are not those of one grid of hexes; `hex` is the one that is to blame, where one is."""

    def __init__(self, said: Message, hex_: Hex = "") -> None:
        super().__init__(said)
        self.hex = hex_


@dataclass(frozen=True)
class Fit:
    """A picture's hexes. `doubt` says why they may lie elsewhere, if anything does."""

    matrix: Matrix
    doubt: Message | None = None

    def pixel(self, point: Point) -> Point:
        """Where a point of the plane of hexes lies in the picture."""
        a, b, c, d, e, f, g, h, i = self.matrix
        x, y = point
        w = g * x + h * y + i
        return (a * x + b * y + c) / w, (d * x + e * y + f) / w

    def size_at(self, point: Point) -> float:
        """Pixels from a hex to the next there."""
        (x, y), (x0, y0) = point, self.pixel(point)
        x1, y1 = self.pixel((x + 1, y))
        x2, y2 = self.pixel((x, y + 1))
        return (hypot(x1 - x0, y1 - y0) + hypot(x2 - x0, y2 - y0)) / 2


def fit(grid: HexGrid, centres: Mapping[Hex, Point]) -> Fit:
    """The picture's hexes from the pixels of two centres or more. Raises ScanError where they contradict."""
    planar = [grid.center(hex_) for hex_ in centres]
    pixels = [(float(x), float(y)) for x, y in centres.values()]
    if len(planar) == 2:
        return Fit(_similar(planar, pixels))
    straight = _affine(planar, pixels)
    found = Fit(straight)
    off = _off(found, dict(zip(centres, zip(planar, pixels, strict=True), strict=True)))
    if len(planar) == 3:
        return Fit(straight, _shape(straight, TORN))
    if max(off.values()) <= AGREED:
        return Fit(straight, _shape(straight, 2 * TORN - 1))
    return _angled(grid, centres, planar, pixels)


def _angled(grid: HexGrid, centres: Mapping[Hex, Point], planar: list[Point], pixels: list[Point]) -> Fit:
    """A picture taken at an angle, or the centre that lies elsewhere than the others say."""
    found = Fit(_projective(planar, pixels))
    off = _off(found, dict(zip(centres, zip(planar, pixels, strict=True), strict=True)))
    worst = max(off, key=lambda hex_: off[hex_])
    alone = _stray(centres, planar, pixels) if off[worst] > NO_DOUBT else None
    if alone is not None:
        raise alone
    corners = [
        grid.center(hex_) for name in ("north", "south") for hex_ in (grid.edge(name)[0], grid.edge(name)[-1])
    ]
    upright = [found.matrix[6] * x + found.matrix[7] * y + found.matrix[8] for x, y in corners]
    if off[worst] > ANGLED or min(upright) <= 0:
        raise ScanError(message("scenario.scan.stray", hex=worst, away=round(off[worst], 1)), worst)
    sizes = [found.size_at(corner) for corner in corners]
    if max(sizes) > STEEPEST * min(sizes):
        raise ScanError(message("scenario.scan.steep", hexes=tuple(centres)))
    return Fit(found.matrix, message("scenario.scan.angled") if len(planar) == 4 else None)


def _stray(centres: Mapping[Hex, Point], planar: list[Point], pixels: list[Point]) -> ScanError | None:
    """The one centre, of five or more, without which all others agree."""
    if len(planar) < 5:
        return None
    for i, hex_ in enumerate(centres):
        rest = [p for k, p in enumerate(planar) if k != i], [p for k, p in enumerate(pixels) if k != i]
        others = {str(k): pair for k, pair in enumerate(zip(*rest, strict=True))}
        found = Fit(_affine(*rest))
        if max(_off(found, others).values()) <= AGREED:
            away = _off(found, {hex_: (planar[i], pixels[i])})[hex_]
            said = message("scenario.scan.stray", hex=hex_, away=round(away, 1))
            return ScanError(said, hex_)
    return None


def _off(found: Fit, centres: Mapping[str, tuple[Point, Point]]) -> dict[str, float]:
    """How many hexes each centre lies beside where the fit puts it."""
    off = {}
    for hex_, (planar, (x, y)) in centres.items():
        px, py = found.pixel(planar)
        off[hex_] = hypot(px - x, py - y) / max(found.size_at(planar), 1e-6)
    return off


def _similar(planar: list[Point], pixels: list[Point]) -> Matrix:
    """Turned, moved and made larger, no more."""
    (p, q), (r, s) = (complex(*a) for a in planar), (complex(*a) for a in pixels)
    turn = (s - r) / (q - p)
    if abs(turn) < 1:
        raise ScanError(message("scenario.scan.tiny"))
    move = r - turn * p
    return turn.real, -turn.imag, move.real, turn.imag, turn.real, move.imag, 0.0, 0.0, 1.0


def _affine(planar: list[Point], pixels: list[Point]) -> Matrix:
    """Stretched and sheared too, as well as all centres allow."""
    axes = _axes([(x, y, 1.0) for x, y in planar])
    if axes[-1].length <= 1e-6 * axes[0].length:
        raise ScanError(message("scenario.scan.in-line"))
    (a, b, c), (d, e, f) = (
        [sum(_dot(axis.column, wanted) / axis.length**2 * axis.way[k] for axis in axes) for k in range(3)]
        for wanted in zip(*pixels, strict=True)
    )
    return a, b, c, d, e, f, 0.0, 0.0, 1.0


def _shape(m: Matrix, most: float) -> Message | None:
    """Doubt of a picture that is longer one way than the other. Raises ScanError beyond what pictures are."""
    a, b, d, e = m[0], m[1], m[3], m[4]
    turned = a * e - b * d
    total = a * a + b * b + d * d + e * e
    if turned <= 0:
        raise ScanError(message("scenario.scan.mirrored"))
    apart = sqrt(max(total * total - 4 * turned * turned, 0.0))
    ratio = sqrt((total + apart) / max(total - apart, 1e-9))
    percent = round(100 * (ratio - 1))
    if ratio > most:
        raise ScanError(message("scenario.scan.torn", percent=percent))
    return message("scenario.scan.stretched", percent=percent) if ratio > STRETCHED else None


def _projective(planar: list[Point], pixels: list[Point]) -> Matrix:
    """Seen from any side: a homography by least squares, of points brought to like sizes first (Hartley)."""

    def levelled(points: list[Point]) -> tuple[list[Point], float, Point]:
        middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
        apart = [(x - middle[0], y - middle[1]) for x, y in points]
        scale = max(1e-9, *(max(abs(x), abs(y)) for x, y in apart))
        return [(x / scale, y / scale) for x, y in apart], scale, middle

    (ours, size, (left, top)), (theirs, scale, (right, below)) = levelled(planar), levelled(pixels)
    rows: list[tuple[float, ...]] = []
    for (x, y), (u, v) in zip(ours, theirs, strict=True):
        rows += [(x, y, 1, 0, 0, 0, -u * x, -u * y, -u), (0, 0, 0, x, y, 1, -v * x, -v * y, -v)]
    way = _axes(rows)[-1].way
    # From the levelled points back to those that there are: first in the picture, then in the plane.
    thirds = way[:3], way[3:6], way[6:]
    one, two, last = [(a / size, b / size, c - (a * left + b * top) / size) for a, b, c in thirds]
    across = [scale * n + right * w for n, w in zip(one, last, strict=True)]
    down = [scale * n + below * w for n, w in zip(two, last, strict=True)]
    if abs(last[2]) < 1e-12:
        raise ScanError(message("scenario.scan.in-line"))
    a, b, c, d, e, f, g, h, i = (value / last[2] for value in (*across, *down, *last))
    return a, b, c, d, e, f, g, h, i


@dataclass(frozen=True)
class _Axis:
    """A way in which a matrix stretches: by `length`, to `column`."""

    length: float
    column: list[float]
    way: list[float]


def _axes(rows: Sequence[Sequence[float]]) -> list[_Axis]:
    """The singular values of a matrix with their axes, the longest first.

    Columns are turned in pairs until all stand at right angles (Hestenes, 1958), and the unit matrix with them.
    """
    columns = [list(column) for column in zip(*rows, strict=True)]
    ways = [[float(k == place) for k in range(len(columns))] for place in range(len(columns))]
    nothing = 1e-32 * sum(_dot(column, column) for column in columns)
    for _ in range(40):
        turned = False
        for p, q in combinations(range(len(columns)), 2):
            a, b, c = (_dot(columns[i], columns[j]) for i, j in ((p, p), (q, q), (p, q)))
            if abs(c) <= 1e-15 * sqrt(a * b) or min(a, b) <= nothing:
                continue
            turned = True
            slope = (b - a) / (2 * c)
            tangent = copysign(1.0, slope) / (abs(slope) + hypot(1.0, slope))
            cos, sin = 1 / hypot(1.0, tangent), tangent / hypot(1.0, tangent)
            for of in (columns, ways):
                pairs = list(zip(of[p], of[q], strict=True))
                of[p], of[q] = [cos * x - sin * y for x, y in pairs], [sin * x + cos * y for x, y in pairs]
        if not turned:
            break
    found = [_Axis(sqrt(_dot(column, column)), column, way) for column, way in zip(columns, ways, strict=True)]
    return sorted(found, key=lambda axis: -axis.length)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return fsum(x * y for x, y in zip(one, other, strict=True))


FOLDER: Final = "looks"
"""The folder of a game's own symbols, palettes, faces of counters, and board."""


@dataclass(frozen=True)
class OwnLooks:
    """`folder` has symbols and palettes, `counters` faces of counters, `board` is the picture of the whole board.

    None of these need be there; `board` is None where map.yaml names no scan.
    """

    folder: Path
    counters: Path
    board: Path | None = None

    @classmethod
    def of(cls, game: Path, scan: str = "") -> OwnLooks:
        """Those in a game's folder, with the picture that its map names."""
        folder = game / FOLDER
        return cls(folder, folder / "counters", folder / scan if scan else None)
