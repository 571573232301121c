"""The title picture: the game's name on its own map in small, with a counter of each side.

VASSAL shows it as "About" and, paled, beside the pages that ask for side and set-up as a game begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.render import templates
from hexforge.modulegen.render.board_layout import PANEL
from hexforge.modulegen.render.board_panel import title_plate
from hexforge.modulegen.render.board_style import board_palette, style_of, water_style, wet_kinds
from hexforge.modulegen.render.texts import words

if TYPE_CHECKING:
    from hexforge.scenarios.hexgrid import HexGrid, Point
    from hexforge.scenarios.model import Counter, GameMap, Scenario

WIDTH, HEIGHT = 500, 500
"""Units that the picture is laid out in."""
SHOWN = 0.6
"""Pixels for each: VASSAL's wizard stands beside it in a window that is 400 wider and as high, and the picture is
the largest thing that a module holds in memory before its board is seen, twice, for the wizard has it paled."""
COUNTER = 1.5
"""How much larger than on the board its counters are."""
_Lines = Iterable[tuple["Point", "Point"]]


@dataclass(frozen=True)
class _Shape:
    """A path in units of the map, its fill (`none` for a line), and the line around or along it."""

    d: str
    fill: str
    stroke: str = "none"
    width: float = 0
    opacity: float = 1


def size() -> tuple[int, int]:
    """Width and height of the picture in pixels."""
    return round(WIDTH * SHOWN), round(HEIGHT * SHOWN)


@templates.in_own_looks
def title_svg(scenario: Scenario, language: str) -> str:
    """The picture as SVG, `size()` pixels. Raises RenderError."""
    from markupsafe import Markup

    game_map = scenario.map
    wide, high = game_map.grid.size
    scale = max(WIDTH / wide, HEIGHT / high)
    return templates.render(
        "boxes/title.svg.j2",
        width=WIDTH,
        height=HEIGHT,
        size=size(),
        look=board_palette(),
        scale=scale,
        left=(WIDTH - wide * scale) / 2,
        top=(HEIGHT - high * scale) / 2,
        shapes=[*_covers(game_map), *_grid(game_map.grid), *_water(scenario), *_ways(game_map)],
        plate=Markup("".join(title_plate(words(scenario, language)))),
        plate_left=(WIDTH - PANEL) / 2,
        plate_top=34,
        counters=[Markup(_counter(scenario, c)) for c in _chosen(scenario)],
        counter=round(72 * COUNTER),
    )


def _chosen(scenario: Scenario) -> list[Counter]:
    """The strongest of each side that is not a gun, for two sides at most."""
    found = []
    for spec in scenario.game.sides[:2]:
        own = [c for c in scenario.counters.values() if c.side == spec.id]
        own.sort(key=lambda c: (c.range is not None, -(c.attack + c.defence)))
        found += own[:1]
    return found


def _counter(scenario: Scenario, counter: Counter) -> str:
    from hexforge.modulegen.render.counters import counter_svg

    return counter_svg(counter, scenario, scale=COUNTER)


def _xy(point: Point) -> str:
    return f"{point[0]:.2f} {point[1]:.2f}"


def _hexes(grid: HexGrid, hexes: Iterable[str]) -> str:
    return "".join("M" + "L".join(_xy(p) for p in grid.corners(h)) + "Z" for h in hexes)


def _covers(game_map: GameMap) -> Iterator[_Shape]:
    """The ground, hex by hex, in the board's colours."""
    look, hexes, dark = board_palette(), dict[str, list[str]](), []
    for hex_, terrains in game_map.terrain.items():
        for terrain in terrains:
            style = style_of(game_map, "terrain", terrain)
            for cover in style.get("covers", ()):
                hexes.setdefault(cover, []).append(hex_)
            if style.get("shade"):
                dark.append(hex_)
    yield _Shape(_hexes(game_map.grid, game_map.grid), look["paper"])
    for cover, style in look["covers"].items():
        if cover in hexes:
            d = _hexes(game_map.grid, hexes[cover])
            yield _Shape(d, style["fill"], style["fill"], 0.05)
    if dark:
        yield _Shape(_hexes(game_map.grid, dark), look["trees"]["fir"]["dark"], opacity=0.28)


def _grid(grid: HexGrid) -> Iterator[_Shape]:
    line = board_palette()["grid"]
    # Four corners are enough: the neighbours draw the other sides.
    d = "".join("M" + "L".join(_xy(p) for p in (*grid.corners(h)[3:], grid.corners(h)[0])) for h in grid)
    yield _Shape(d, "none", line["colour"], 0.025, 0.35)


def _water(scenario: Scenario) -> Iterator[_Shape]:
    game_map = scenario.map
    wet = wet_kinds(scenario)
    lines: dict[str, list[tuple[Point, Point]]] = {}
    for (a, b), kinds in game_map.hexsides.items():
        for kind in kinds & wet:
            lines.setdefault(kind, []).append(game_map.grid.side_ends(a, b))
    for kind in sorted(lines):
        style = water_style(game_map, kind)
        yield _Shape(_smooth(lines[kind]), "none", style["casing"], style["width"] / 100 + 0.07)
        yield _Shape(_smooth(lines[kind]), "none", style["fill"], style["width"] / 100)


def _ways(game_map: GameMap) -> Iterator[_Shape]:
    lines: dict[str, list[tuple[Point, Point]]] = {}
    for (a, b), kinds in game_map.links.items():
        for kind in kinds:
            lines.setdefault(kind, []).append((game_map.grid.center(a), game_map.grid.center(b)))
    table: Mapping[str, object] = board_palette()["ways"]
    drawn = [
        (list(table).index(game_map.look("ways", k)) if game_map.look("ways", k) in table else 0, k) for k in lines
    ]
    for _, kind in sorted(drawn):
        style = style_of(game_map, "ways", kind)
        if style["style"] == "cased":
            yield _Shape(_smooth(lines[kind]), "none", style["casing"], style["casing_width"] / 70)
            yield _Shape(_smooth(lines[kind]), "none", style["fill"], style["width"] / 70)
        elif style["style"] == "rail":
            yield _Shape(_smooth(lines[kind]), "none", style["fill"], style["width"] / 60)


def _smooth(lines: _Lines) -> str:
    """Lines that meet end to end as one that bends: from middle to middle, by way of the point where two meet."""
    meeting: dict[str, list[Point]] = {}
    at: dict[str, Point] = {}
    for a, b in lines:
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for end in (a, b):
            meeting.setdefault(_xy(end), []).append(middle)
            at[_xy(end)] = end
    parts = []
    for key, middles in meeting.items():
        if len(middles) == 2:
            parts.append(f"M{_xy(middles[0])}Q{key} {_xy(middles[1])}")
        else:
            parts += [f"M{_xy(middle)}L{key}" for middle in middles]
    return "".join(parts)
