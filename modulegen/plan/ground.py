"""The main board as the compiler needs it: its picture, and where VASSAL's grid must lie over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from hexforge.modulegen.plan.pictures import Picture
from hexforge.scenarios.hexgrid import Hex, HexGrid, What

if TYPE_CHECKING:
    from hexforge.modulegen.render.board_layout import Rect
    from hexforge.modulegen.words import ModuleWords
    from hexforge.scenarios.model import Scenario

IMAGE = "board.png"


@dataclass(frozen=True)
class BoardTrack:
    """A track printed on the board: its outline, and by number the name of each box and where a marker stands."""

    name: str
    corners: tuple[tuple[int, int], ...]
    boxes: Mapping[int, tuple[str, tuple[int, int]]]


@dataclass(frozen=True)
class BoardPlan:
    """Size in pixels, and where hexes lie: `x0 y0` the centre of the first, `dx` from line to line, `dy` in one."""

    grid: HexGrid
    width: int
    height: int
    x0: int
    y0: int
    dx: float
    dy: float
    tracks: Mapping[str, BoardTrack] = field(default_factory=dict)

    @property
    def stagger(self) -> bool:
        """Whether VASSAL must count the places of every second line one higher.

        Its grid always puts the second, fourth … column half a hex below the first. Where ours is half a hex above,
        the grid begins one row up in those columns, and `stagger` numbers that row like the first column's. So with
        rows, where tops are pointy.
        """
        return self.grid.low == "odd"

    def centre(self, hex_: Hex) -> tuple[int, int]:
        """The pixel to which VASSAL snaps a piece in a hex (`HexGrid.hexX`, `hexY`)."""
        line, place = self.grid.line_place(hex_)
        line, place = line - 1, place - 1
        odd = line % 2 == 1
        if odd and self.stagger:
            place -= 1
        x0, y0 = self.origin
        x, y = int(self.dx * line + x0), int(self.dy * place + y0 + (self.dy / 2 if odd else 0))
        return (y, x) if self.grid.pointy else (x, y)

    @property
    def origin(self) -> tuple[int, int]:
        """`x0 y0` as VASSAL's grid has them: with pointy tops it counts down first, and then across."""
        return (self.y0, self.x0) if self.grid.pointy else (self.x0, self.y0)

    def numbering(self, *, whole: bool = True) -> dict[str, Any]:
        """How VASSAL must name lines and places (`RegularGridNumbering`) for hexes to be called as the map does.

        What descends it counts from the end of the board (`HexGridNumbering.getMaxRows`, `getMaxColumns`), which is
        `whole`, or as long as nothing. What it says of columns is meant of rows where the grid lies sideways.
        """
        names, pointy = self.grid.naming, self.grid.pointy
        order: tuple[What, What] = ("rows", "columns") if pointy else ("columns", "rows")
        counts = (self.grid.lines, self.grid.places)
        ends = self._ends() if whole else (0, 0)
        found: dict[str, Any] = {"first": "H" if names.first == order[0] else "V"}
        for key, what, count, end in zip("hv", order, counts, ends, strict=True):
            down = what in names.descending
            lettered = names.kind(what) == "letters"
            start = names.start(what) - lettered
            found[f"{key}Type"] = "A" if lettered else "N"
            found[f"{key}Leading"] = names.digits - 1
            found[f"{key}Off"] = start + count - 1 - end if down else start
            # Whether lines descend stands, on a grid that lies sideways, with what is said of the other direction.
            found[f"{'hv'[(key == 'v') != pointy]}Descend"] = down
        return found

    def _ends(self) -> tuple[int, int]:
        rows, columns = floor(self.height / self.dx + 0.5), floor(self.width / self.dy + 0.5)
        return (rows, columns) if self.grid.pointy else (columns, rows)


def ground(scenario: Scenario, words: ModuleWords, scale: float) -> BoardPlan:
    """Where the hexes and tracks of the drawn board lie."""
    from hexforge.modulegen.render.board_layout import board_layout

    layout = board_layout(scenario, scale)
    tracks = {
        key: _track(words(f"track.{key}"), boxes, key, words)
        for key, boxes in (("turn", layout.turn_boxes), ("air", layout.air_boxes))
        if boxes
    }
    return BoardPlan(
        grid=scenario.map.grid,
        width=layout.width,
        height=layout.height,
        x0=layout.x0,
        y0=layout.y0,
        dx=layout.dx,
        dy=layout.dy,
        tracks=tracks,
    )


def _track(name: str, boxes: Mapping[int, Rect], key: str, words: ModuleWords) -> BoardTrack:
    left, top = min(b.x for b in boxes.values()), min(b.y for b in boxes.values())
    right, bottom = (max(b.x + b.width for b in boxes.values()), max(b.y + b.height for b in boxes.values()))
    x1, y1, x2, y2 = floor(left), floor(top), ceil(right), ceil(bottom)
    return BoardTrack(
        name,
        ((x1, y1), (x2, y1), (x2, y2), (x1, y2)),
        {n: (words(f"track.{key}_box", n=n), b.beside) for n, b in boxes.items()},
    )


def picture(scenario: Scenario, language: str, scale: float, field: BoardPlan) -> Picture:
    """The drawn board."""
    from hexforge.modulegen.render.board import board_svg

    # A photograph of few colours is no longer one.
    colours = 0 if scenario.map.scan else 256
    return Picture(IMAGE, board_svg(scenario, language, scale), field.width * field.height, colours)
