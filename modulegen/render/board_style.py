"""How a board looks, out of `art/palettes/board.yaml`, with typed access and the style `other` as a fallback."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from modulegen.render.templates import palette

if TYPE_CHECKING:
    from scenarios.model import GameMap

Style = Mapping[str, Any]


@cache
def board_palette() -> Style:
    """The board's colours and measures."""
    return palette("board")


Kind = Literal["terrain", "hexsides", "ways", "areas"]
"""What has styles, by its section of map.yaml's `looks`."""


def style_of(game_map: GameMap, kind: Kind, id_: str, otherwise: str = "other") -> Style:
    """The style of a terrain, hexside, way or kind of area; that of `otherwise` where the palette knows none."""
    table = board_palette()["terrains" if kind == "terrain" else kind]
    found: Style = table.get(game_map.look(kind, id_), table[otherwise])
    return found


def water_style(game_map: GameMap, id_: str) -> Style:
    """The style of a hexside that is water: a river's where the palette knows none."""
    return style_of(game_map, "hexsides", id_, "river")


def side_colour(sides: tuple[str, ...], side: str | None) -> str:
    """The colour of a side on the board, by its place in the game's list of sides."""
    colours = board_palette()["sides"]
    colour: str = colours[sides.index(side) % len(colours)] if side in sides else board_palette()["neutral"]
    return colour
