"""The main board as the compiler needs it: its picture, and where VASSAL's grid must lie over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from modulegen.plan.pictures import Picture
from scenarios.hexgrid import Hex, HexGrid, column_row

if TYPE_CHECKING:
    from scenarios.model import Scenario

IMAGE = "board.png"


@dataclass(frozen=True)
class Ground:
    """Size in pixels, and VASSAL's hex grid: `x0 y0` the centre of its first hex, `dx dy` from hex to hex.

    `tracks` are boxes printed on the board: name of the track -> value -> centre in pixels.
    """

    grid: HexGrid
    width: int
    height: int
    x0: int
    y0: int
    dx: float
    dy: float
    tracks: Mapping[str, Mapping[int, tuple[int, int]]] = field(default_factory=dict)

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


def ground(scenario: Scenario, scale: float) -> Ground:
    """Where the hexes of the drawn board lie."""
    from modulegen.render.board_layout import board_layout

    layout = board_layout(scenario, scale)
    return Ground(
        grid=scenario.map.grid,
        width=layout.width,
        height=layout.height,
        x0=layout.x0,
        y0=layout.y0,
        dx=layout.dx,
        dy=layout.dy,
        tracks=layout.tracks,
    )


def picture(scenario: Scenario, language: str, scale: float, field: Ground) -> Picture:
    """The drawn board."""
    from modulegen.render.board import board_svg

    return Picture(IMAGE, board_svg(scenario, language, scale), field.width * field.height)
