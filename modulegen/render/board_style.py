"""How a board looks, out of `art/palettes/board.yaml`, with typed access and the style `other` as a fallback."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from hexforge.modulegen.render.templates import in_own_looks, palette

if TYPE_CHECKING:
    from hexforge.scenarios.model import GameMap, Scenario

Style = Mapping[str, Any]


def board_palette() -> Style:
    """The board's colours and measures."""
    return palette("board")


Styled = Literal["terrain", "hexsides", "ways", "areas"]
"""What has styles, by its section of map.yaml's `looks`."""


def style_of(game_map: GameMap, kind: Styled, id_: str, otherwise: str = "other") -> Style:
    """The style of a terrain, hexside, way or kind of area; that of `otherwise` where the palette knows none."""
    table = board_palette()["terrains" if kind == "terrain" else kind]
    found: Style = table.get(game_map.look(kind, id_), table[otherwise])
    return found


@in_own_looks
def undrawn(scenario: Scenario) -> list[tuple[Styled, str, str]]:
    """Kinds on a map that get the style called `other`: what they are, their id, and styles that there are."""
    ground, palette = scenario.map, board_palette()
    wet = {kind for kind, effect in scenario.tables.hexsides.items() if effect.water}
    present: list[tuple[Styled, set[str]]] = [
        ("terrain", {t for terrains in ground.terrain.values() for t in terrains}),
        ("hexsides", {run.kind for run in ground.hexside_runs} - wet),
        ("ways", {way.kind for way in ground.ways}),
    ]
    found: list[tuple[Styled, str, str]] = []
    for kind, ids in present:
        table = palette["terrains" if kind == "terrain" else kind]
        styles = ", ".join(name for name in table if name != "other")
        for id_ in sorted(ids):
            look = ground.look(kind, id_)
            if look not in table or look == "other":
                found.append((kind, id_, styles))
    return found


def water_style(game_map: GameMap, id_: str) -> Style:
    """The style of a hexside that is water: a river's where the palette knows none, or one that is no water."""
    style = style_of(game_map, "hexsides", id_, "river")
    return style if style["style"] == "water" else style_of(game_map, "hexsides", "", "river")


def wet_kinds(scenario: Scenario) -> frozenset[str]:
    """The kinds of hexsides that are drawn as water: those that are, and those that their style makes so."""
    return frozenset(
        kind
        for kind, effect in scenario.tables.hexsides.items()
        if effect.water or style_of(scenario.map, "hexsides", kind)["style"] == "water"
    )


def side_colour(sides: tuple[str, ...], side: str | None) -> str:
    """The colour of a side on the board, by its place in the game's list of sides."""
    colours = board_palette()["sides"]
    colour: str = colours[sides.index(side) % len(colours)] if side in sides else board_palette()["neutral"]
    return colour
