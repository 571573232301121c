"""Where everything on a board lies: the field of hexes, and beside it title, compass, tracks and terrain key.

How a board looks, out of `art/palettes/board.yaml`, with typed access and the style `other` as a fallback.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from ...scenarios.model import Scenario
from ...scenarios.text.hexgrid import COLUMN_WIDTH, Hex, HexGrid
from .board_shapes import UNIT
from .ground_words import rules_of_line
from .templates import in_own_looks, palette

if TYPE_CHECKING:
    from ...scenarios.model import GameMap
    from ...scenarios.schema.tables import HexsideEffect


HEX_HEIGHT = 90.0
"""Pixels from one hex to the next below it, at scale 1: room for a counter of 60 to 72 pixels."""
MARGIN = 46.0
"""Sheet around the field, in drawing units; the names of the edges stand in it."""
PANEL = 470.0
"""Width of the panel beside the field, in drawing units at the panel's scale 1."""
GUTTER = 10.0
AIR_BOXES = 10
TRACK_COLUMNS = 5
BOX = 86.0
GAP = 7.0
HEADER = 38.0
TITLE_HEIGHT, ROSE_HEIGHT, KEY_ROW, KEY_HEAD, KEY_FOOT = 196.0, 124.0, 37.0, 74.0, 42.0
MIN_PANEL_SCALE, MAX_PANEL_SCALE = 0.9, 1.35
BETWEEN = 34.0


@dataclass(frozen=True)
class Rect:
    """A rectangle by its left, top, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> tuple[int, int]:
        """Its middle, in whole pixels."""
        return round(self.x + self.width / 2), round(self.y + self.height / 2)

    @property
    def beside(self) -> tuple[int, int]:
        """Where a marker stands in the box of a track, beside the number, in whole pixels."""
        return round(self.x + self.width * 0.69), round(self.y + self.height * 0.47)

    def scaled(self, factor: float) -> Rect:
        """The rectangle with all four numbers multiplied."""
        return Rect(self.x * factor, self.y * factor, self.width * factor, self.height * factor)


@dataclass(frozen=True)
class BoardLayout:
    """Where things lie, in pixels.

    `x0, y0` is the centre of the first hex, in whole pixels as VASSAL stores it; `dx` is the distance from column
    to column, `dy` from hex to hex in a column; with pointy tops from row to row, and from hex to hex in a row.
    `turn_boxes` and `air_boxes` are the boxes of the tracks by number. `units` is pixels per drawing unit, `panel`
    holds the blocks of the side panel in drawing units, each with the panel's own scale in `panel_scale`.
    """

    grid: HexGrid
    width: int
    height: int
    x0: int
    y0: int
    dx: float
    dy: float
    units: float
    field_at: tuple[float, float]
    panel: Mapping[str, Rect]
    panel_scale: float
    turn_boxes: Mapping[int, Rect]
    air_boxes: Mapping[int, Rect]

    @property
    def tracks(self) -> dict[str, dict[int, tuple[int, int]]]:
        """Tracks printed on the board: name, number and where a marker stands in its box."""
        tracks = {"turn": self.turn_boxes, "air": self.air_boxes}
        return {name: {n: box.beside for n, box in boxes.items()} for name, boxes in tracks.items() if boxes}

    @property
    def field(self) -> Rect:
        """The smallest rectangle around all hexes, in pixels."""
        w, h = self.grid.size
        return Rect(self.field_at[0], self.field_at[1], w * self.dy, h * self.dy)

    def center(self, hex_: Hex) -> tuple[float, float]:
        """Centre of a hex."""
        x, y = self.grid.center(hex_)
        return self.field_at[0] + x * self.dy, self.field_at[1] + y * self.dy

    def hex_at(self, x: float, y: float) -> Hex | None:
        """The hex whose centre is nearest to a pixel, None off the field (or half a hex or more beyond it)."""
        return self.grid.nearest(((x - self.field_at[0]) / self.dy, (y - self.field_at[1]) / self.dy))


def board_layout(scenario: Scenario, scale: float = 1.0) -> BoardLayout:
    """The layout of a scenario's board, the same in every language. `scale` 1 makes hexes HEX_HEIGHT pixels high.

    Raises ValueError for a scale outside 0.2 to 4.
    """
    if not 0.2 <= scale <= 4:
        raise ValueError(f"the scale of a board is 0.2 to 4, not {scale:g}")
    grid = scenario.map.grid
    dy = HEX_HEIGHT * scale
    u = dy / UNIT
    dx = dy * COLUMN_WIDTH
    first_x, first_y = grid.center(grid.hexes[0])
    # The first hex lies on a whole pixel, for that is all VASSAL's grid can say.
    x0, y0 = ceil(MARGIN * u + first_x * dy), ceil(MARGIN * u + first_y * dy)
    at = (x0 - first_x * dy, y0 - first_y * dy)
    w, h = (v * UNIT for v in grid.size)
    blocks, panel_scale, panel_height = _blocks(scenario, h)
    left = at[0] / u + w + MARGIN * 0.9
    field_top = at[1] / u
    panel = {name: Rect(left + r.x, field_top + r.y, r.width, r.height) for name, r in blocks.items()}
    turns = range(scenario.game.turns.first, scenario.game.turns.last + 1)
    air = range(1, AIR_BOXES + 1) if "air" in panel else range(0)
    return BoardLayout(
        grid=grid,
        width=ceil((max(r.x + r.width for r in panel.values()) + MARGIN * 0.8) * u),
        height=ceil((field_top + max(h, panel_height) + MARGIN) * u),
        x0=x0,
        y0=y0,
        dx=dx,
        dy=dy,
        units=u,
        field_at=at,
        panel=MappingProxyType(panel),
        panel_scale=panel_scale,
        turn_boxes=MappingProxyType(_boxes(panel["turns"], turns, panel_scale, u)),
        air_boxes=MappingProxyType(_boxes(panel["air"], air, panel_scale, u) if air else {}),
    )


def key_rows(scenario: Scenario) -> list[tuple[str, str]]:
    """What the terrain key lists: kind of thing and id, only what this map has."""
    game_map = scenario.map
    terrains = {t for ts in game_map.terrain.values() for t in ts}
    sides = {run.kind for run in game_map.hexside_runs}
    kinds = {way.kind for way in game_map.ways}
    rows = [("terrain", t) for t in scenario.tables.terrain if t in terrains]
    rows += [("fortified", "fortified")] if game_map.fortified else []
    seen: list[tuple[HexsideEffect, object]] = []
    for side, effect in scenario.tables.hexsides.items():
        # Rivers that differ in name only need one row.
        made = effect, rules_of_line(scenario, side)
        if side in sides and not (effect.water and made in seen):
            seen.append(made)
            rows.append(("hexsides", side))
    rows += [("ways", w) for w in scenario.tables.ways if w in kinds]
    return rows


def _blocks(scenario: Scenario, height: float) -> tuple[dict[str, Rect], float, float]:
    """Blocks of the panel from the top, spread over the height of the field; the panel's scale; its height."""
    turns = scenario.game.turns
    heights = {"title": TITLE_HEIGHT, "rose": ROSE_HEIGHT, "turns": _track_height(turns.last - turns.first + 1)}
    if any(row.points for row in scenario.tables.air):
        heights["air"] = _track_height(AIR_BOXES)
    heights["key"] = KEY_HEAD + KEY_ROW * len(key_rows(scenario)) + KEY_FOOT
    columns = _columns(heights, height)
    tallest = max(_stack(heights, names) for names in columns)
    scale = min(max(height / tallest, MIN_PANEL_SCALE), MAX_PANEL_SCALE)
    blocks: dict[str, Rect] = {}
    for i, names in enumerate(columns):
        free = height - sum(heights[name] for name in names) * scale
        gap = min(max(free / max(len(names) - 1, 1), GUTTER * scale), 90.0 * scale)
        y = 0.0
        for name in names:
            blocks[name] = Rect(i * (PANEL + BETWEEN) * scale, y, PANEL * scale, heights[name] * scale)
            y += heights[name] * scale + gap
    return blocks, scale, max(r.y + r.height for r in blocks.values())


def _stack(heights: Mapping[str, float], names: Sequence[str]) -> float:
    return sum(heights[name] for name in names) + GUTTER * (len(names) - 1)


def _columns(heights: Mapping[str, float], height: float) -> list[list[str]]:
    """The blocks in one column, or in two where one would be much taller than the field."""
    names = list(heights)
    if _stack(heights, names) * MIN_PANEL_SCALE <= height:
        return [names]
    cuts = [[names[:i], names[i:]] for i in range(1, len(names))]
    return min(cuts, key=lambda cut: max(_stack(heights, part) for part in cut))


def _track_height(boxes: int) -> float:
    return HEADER + -(-boxes // TRACK_COLUMNS) * (BOX + GAP)


def _boxes(block: Rect, numbers: range, scale: float, units: float) -> dict[int, Rect]:
    """The boxes of a track, row by row, in pixels."""
    step = (PANEL - TRACK_COLUMNS * BOX) / (TRACK_COLUMNS - 1) + BOX
    found = {}
    for i, number in enumerate(numbers):
        row, column = divmod(i, TRACK_COLUMNS)
        found[number] = Rect(
            block.x + column * step * scale,
            block.y + (HEADER + row * (BOX + GAP)) * scale,
            BOX * scale,
            BOX * scale,
        ).scaled(units)
    return found


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
