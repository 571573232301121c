"""How a board looks, out of `art/palettes/board.yaml`, with typed access and the style `other` as a fallback."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from modulegen.render.templates import palette

Style = Mapping[str, Any]


@cache
def board_palette() -> Style:
    """The board's colours and measures."""
    return palette("board")


def style_of(kind: str, name: str) -> Style:
    """The style of a terrain, hexside, way or area; that of `other` when the palette does not know it."""
    table = board_palette()[kind]
    found: Style = table.get(name, table["other"])
    return found


def side_colour(sides: tuple[str, ...], side: str | None) -> str:
    """The colour of a side on the board, by its place in the game's list of sides."""
    colours = board_palette()["sides"]
    colour: str = colours[sides.index(side) % len(colours)] if side in sides else board_palette()["neutral"]
    return colour
