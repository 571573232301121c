"""The main board as the compiler needs it: its picture, and where VASSAL's grid must lie over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from typing import TYPE_CHECKING

from hexforge.modulegen.plan.pictures import Picture
from hexforge.scenarios.hexgrid import Hex, HexGrid, column_row

if TYPE_CHECKING:
    from hexforge.modulegen.render.board_layout import Rect
    from hexforge.modulegen.words import ModuleWords
    from hexforge.scenarios.model import Scenario

IMAGE = "board.png"


@dataclass(frozen=True)
class Track:
    """A track printed on the board: its outline, and by number the name of each box and where a marker stands."""

    name: str
    corners: tuple[tuple[int, int], ...]
    boxes: Mapping[int, tuple[str, tuple[int, int]]]


@dataclass(frozen=True)
class BoardPlan:
    """Size in pixels, and VASSAL's hex grid: `x0 y0` the centre of its first hex, `dx dy` from hex to hex."""

    grid: HexGrid
    width: int
    height: int
    x0: int
    y0: int
    dx: float
    dy: float
    tracks: Mapping[str, Track] = field(default_factory=dict)

    @property
    def stagger(self) -> bool:
        """Whether VASSAL must count the rows of every second column one higher.

        Its grid always puts the second, fourth … column half a hex below the first. Where ours is half a hex above,
        the grid begins one row up in those columns, and `stagger` numbers that row like the first column's.
        """
        return self.grid.low == "odd"

    def centre(self, hex_: Hex) -> tuple[int, int]:
        """The pixel to which VASSAL snaps a piece in a hex (`HexGrid.hexX`, `hexY`)."""
        column, row = column_row(hex_)
        column, row = column - 1, row - 1
        odd = column % 2 == 1
        if odd and self.stagger:
            row -= 1
        return int(self.dx * column + self.x0), int(self.dy * row + self.y0 + (self.dy / 2 if odd else 0))


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


def _track(name: str, boxes: Mapping[int, Rect], key: str, words: ModuleWords) -> Track:
    left, top = min(b.x for b in boxes.values()), min(b.y for b in boxes.values())
    right, bottom = (max(b.x + b.width for b in boxes.values()), max(b.y + b.height for b in boxes.values()))
    x1, y1, x2, y2 = floor(left), floor(top), ceil(right), ceil(bottom)
    return Track(
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
