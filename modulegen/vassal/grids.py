"""What VASSAL calls a point of a board: hex, square and region grids, zones, and their numberings.

Every formula follows the class of the same name in `VASSAL.build.module.map.boardPicker.board`, its roundings
included: names must come out as the players see them. Points and sizes are whole pixels of the board.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Protocol

from .encoding import decode

Point = tuple[int, int]
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SQRT3_2 = math.sqrt(3) / 2


class Grid(Protocol):
    """What names points. `size` is the width and height of the board or zone that it lies on."""

    def location_name(self, point: Point, size: Point) -> str | None: ...

    def point_of(self, name: str, size: Point) -> Point | None: ...


def _nearest(value: float) -> int:
    """Java's Math.round."""
    return math.floor(value + 0.5)


def fill_format(text: str, values: dict[str, str]) -> str:
    """Put values for `$name$` into a message format; unknown names stay, without their dollars."""
    parts = decode(text, "$")
    last = len(parts) - 1
    return "".join(
        values.get(part, part) if index % 2 and index != last else part for index, part in enumerate(parts)
    )


@dataclass(frozen=True)
class Numbering:
    """How columns and rows are named (`RegularGridNumbering`)."""

    first: str = "H"
    sep: str = ""
    h_type: str = "N"
    v_type: str = "N"
    h_leading: int = 1
    v_leading: int = 1
    h_off: int = 1
    v_off: int = 1
    h_descend: bool = False
    v_descend: bool = False
    stagger: bool = True
    oblique: bool = False
    location_format: str = "$gridLocation$"

    def name(self, column: int, row: int) -> str:
        """The location name of a column and row counted from 0."""
        across = _number(column + self.h_off, self.h_type, self.h_leading)
        down = _number(row + self.v_off, self.v_type, self.v_leading)
        both = across + self.sep + down if self.first == "H" else down + self.sep + across
        return fill_format(self.location_format, {"gridLocation": both, "row": down, "column": across})

    def parse(self, name: str) -> Point | None:
        """Column and row of a location name, or None if it is none of this numbering."""
        across, down = _PATTERNS[self.h_type == "A"], _PATTERNS[self.v_type == "A"]
        order = [("c", across), ("r", down)] if self.first == "H" else [("r", down), ("c", across)]
        both = re.escape(self.sep).join(f"(?P<{key}>{pattern})" for key, pattern in order)
        parts = decode(self.location_format, "$")
        regex = ""
        for index, part in enumerate(parts):
            is_name = index % 2 == 1 and index != len(parts) - 1
            named = {"gridLocation": both, "column": f"(?P<c>{across})", "row": f"(?P<r>{down})"}
            regex += named.get(part, re.escape(part)) if is_name else re.escape(part)
        try:
            match = re.fullmatch(self._sized(regex), name)
        except re.error:
            return None
        if match is None or not {"c", "r"} <= match.groupdict().keys():
            return None
        return (
            _unnumber(match["c"], self.h_type) - self.h_off,
            _unnumber(match["r"], self.v_type) - self.v_off,
        )

    def _sized(self, regex: str) -> str:
        # Two numbers without a separator are told apart by the digits that leading zeros guarantee.
        if self.sep or "A" in (self.h_type, self.v_type):
            return regex
        sized = regex.replace(f"(?P<c>{_PATTERNS[0]})", f"(?P<c>-?[0-9]{{{self.h_leading + 1}}})")
        return sized.replace(f"(?P<r>{_PATTERNS[0]})", f"(?P<r>-?[0-9]{{{self.v_leading + 1},}})")


_PATTERNS = ("-?[0-9]+", "-?[A-Z]+")


def _number(value: int, kind: str, leading: int) -> str:
    text = "-" if value < 0 else ""
    value = abs(value)
    if kind == "A":
        # A..Z, AA, BB: the letter is repeated. A length no map has is not spelt out.
        return text + _LETTERS[value % 26] * min(value // 26 + 1, 100)
    while leading > 0 and value < 10**leading:
        text += "0"
        leading -= 1
    return text + str(value)


def _unnumber(text: str, kind: str) -> int:
    if kind != "A":
        return int(text[:12])
    letters = text.lstrip("-")
    value = 26 * (len(letters) - 1) + _LETTERS.index(letters[-1])
    return -value if text.startswith("-") else value


@dataclass(frozen=True)
class HexGrid:
    """Hexes in columns, or in rows if `sideways` (`HexGrid`). `dx`: between columns, `dy`: within one."""

    dx: float
    dy: float
    x0: int = 0
    y0: int = 32
    sideways: bool = False
    numbering: Numbering | None = None

    def raw(self, point: Point) -> Point:
        """Column and row from the origin's hex, before any numbering."""
        x, y = (point[1], point[0]) if self.sideways else point
        column = math.floor((x - self.x0) / self.dx + 0.5)
        half = 0 if _nearest((x - self.x0) / self.dx) % 2 == 0 else self.dy / 2
        return column, _nearest((y - self.y0 - half) / self.dy)

    def _limits(self, size: Point) -> Point:
        # VASSAL divides the width by the hex height and the height by the hex width.
        return math.floor(size[0] / self.dy + 0.5), math.floor(size[1] / self.dx + 0.5)

    def location_name(self, point: Point, size: Point) -> str | None:
        n = self.numbering
        if n is None:
            return None
        raw_column, raw_row = self.raw(point)
        columns, rows = self._limits(size)
        column, row = raw_column, raw_row
        down = n.h_descend if self.sideways else n.v_descend
        across = n.v_descend if self.sideways else n.h_descend
        if across:
            column = (rows if self.sideways else columns) - column
        if down:
            row = (columns if self.sideways else rows) - row
        if n.stagger and raw_column % 2:
            row += -1 if down else 1
        if n.oblique:
            half = int(column / 2)
            row = half + row if n.stagger else row - half + 1
        return n.name(column, row)

    def point_of(self, name: str, size: Point) -> Point | None:
        """The centre of the hex with that name."""
        n = self.numbering
        found = n.parse(name) if n else None
        if n is None or found is None or n.oblique:
            return None
        column, row = found
        columns, rows = self._limits(size)
        down = n.h_descend if self.sideways else n.v_descend
        across = n.v_descend if self.sideways else n.h_descend
        if across:
            column = (rows if self.sideways else columns) - column
        if n.stagger and column % 2:
            row += 1 if down else -1
        if down:
            row = (columns if self.sideways else rows) - row
        x = int(column * self.dx) + self.x0
        y = int(row * self.dy + (self.dy / 2 if column % 2 else 0)) + self.y0
        return (y, x) if self.sideways else (x, y)


@dataclass(frozen=True)
class SquareGrid:
    """Rectangles (`SquareGrid`)."""

    dx: float = 48.0
    dy: float = 48.0
    x0: int = 24
    y0: int = 24
    numbering: Numbering | None = None

    def location_name(self, point: Point, size: Point) -> str | None:
        n = self.numbering
        if n is None:
            return None
        column = math.floor((point[0] - self.x0) / self.dx + 0.5)
        row = int((point[1] - self.y0) / self.dy + 0.5)
        if n.h_descend:
            column = int(size[0] / self.dx + 0.5) - column
        if n.v_descend:
            row = int(size[1] / self.dy + 0.5) - row
        return n.name(column, row)

    def point_of(self, name: str, size: Point) -> Point | None:
        n = self.numbering
        found = n.parse(name) if n else None
        if n is None or found is None:
            return None
        column, row = found
        if n.h_descend:
            column = int(size[0] / self.dx + 0.5) - column
        if n.v_descend:
            row = int(size[1] / self.dy + 0.5) - row
        return int(column * self.dx + self.x0), int(row * self.dy + self.y0)


@dataclass(frozen=True)
class RegionGrid:
    """Named points; every other point belongs to the nearest (`RegionGrid`)."""

    regions: tuple[tuple[str, Point], ...] = ()

    def location_name(self, point: Point, size: Point) -> str | None:
        if not self.regions:
            return None
        x, y = point
        # Two regions at one point: VASSAL's map keeps the later name at the earlier place.
        by_point = {place: name for name, place in self.regions}
        nearest = min(by_point, key=lambda p: (x - p[0]) ** 2 + (y - p[1]) ** 2)
        return by_point[nearest]

    def point_of(self, name: str, size: Point) -> Point | None:
        return next((place for region, place in self.regions if region == name), None)


@dataclass(frozen=True)
class Zone:
    """A polygon with a name and perhaps a grid of its own (`Zone`)."""

    name: str
    polygon: tuple[Point, ...]
    location_format: str = "$name$"
    grid: Grid | None = None
    use_parent_grid: bool = False

    def contains(self, point: Point) -> bool:
        """Java's rule for polygons: left and upper edges belong to it, right and lower do not."""
        x, y = point
        inside = False
        if len(self.polygon) < 3:
            return False
        for (ax, ay), (bx, by) in zip(self.polygon, (self.polygon[-1], *self.polygon[:-1]), strict=True):
            if ay == by:
                continue
            (lx, ly), (hx, hy) = ((ax, ay), (bx, by)) if ay < by else ((bx, by), (ax, ay))
            if ly <= y < hy and x - lx < (y - ly) / (hy - ly) * (hx - lx):
                inside = not inside
        return inside

    @property
    def size(self) -> Point:
        xs, ys = [p[0] for p in self.polygon], [p[1] for p in self.polygon]
        return (max(xs) - min(xs), max(ys) - min(ys)) if self.polygon else (0, 0)


@dataclass(frozen=True)
class ZonedGrid:
    """Zones, the first that holds a point naming it, before a background grid (`ZonedGrid`)."""

    zones: tuple[Zone, ...] = ()
    background: Grid | None = field(default=None)

    def zone_at(self, point: Point) -> Zone | None:
        return next((zone for zone in self.zones if zone.contains(point)), None)

    def _grid_of(self, zone: Zone, size: Point) -> tuple[Grid | None, Point]:
        # A zone's own grid measures the zone, the parent's grid the board.
        return (self.background, size) if zone.use_parent_grid else (zone.grid, zone.size)

    def location_name(self, point: Point, size: Point) -> str | None:
        zone = self.zone_at(point)
        if zone is not None:
            grid, extent = self._grid_of(zone, size)
            inner = grid.location_name(point, extent) if grid else None
            return fill_format(zone.location_format, {"name": zone.name, "gridLocation": inner or ""})
        return self.background.location_name(point, size) if self.background else None

    def point_of(self, name: str, size: Point) -> Point | None:
        for zone in self.zones:
            point = self._zone_point(zone, name, size)
            if point is not None and zone.contains(point):
                return point
        return self.background.point_of(name, size) if self.background else None

    def _zone_point(self, zone: Zone, name: str, size: Point) -> Point | None:
        grid, extent = self._grid_of(zone, size)
        mark = "\x00"
        shape = fill_format(zone.location_format, {"name": zone.name, "gridLocation": mark})
        if mark in shape:
            head, tail = shape.split(mark, 1)
            if grid is None or not (name.startswith(head) and name.endswith(tail)):
                return None
            return grid.point_of(name[len(head) : len(name) - len(tail)], extent)
        if name != shape or not zone.polygon:
            return None
        count = len(zone.polygon)
        centre = (
            int(sum(p[0] for p in zone.polygon) / count),
            int(sum(p[1] for p in zone.polygon) / count),
        )
        return centre if zone.contains(centre) else zone.polygon[0]


def default_width(height: float) -> float:
    """The distance between columns of regular hexes."""
    return _SQRT3_2 * height
