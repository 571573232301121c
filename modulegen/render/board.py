"""Boards: the hex map of a scenario as SVG and PNG, with title, tracks and terrain key.

`board_layout` says where everything lies, `board_svg` draws it, `board_png` makes pixels of it. Drawing depends on
nothing but the scenario, the language and the scale: chance is seeded by hex.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...scenarios.text.hexgrid import Hex, Point
from .board_labels import Crowd, Label, draw_labels, names_below, number_places, place_names, usual_number_places
from .board_layout import board_layout, board_palette, wet_kinds
from .board_marks import area_names, draw_areas, draw_edges, river_names
from .board_panel import draw_panel
from .board_shapes import UNIT, HexField, chunks, group, mix, n1, pen, polygon, unit, xy
from .board_terrain import covers_of, draw_fortress, draw_ground, draw_towns, draw_trees, ramparts
from .board_water import River, draw_lines, draw_rivers, rivers
from .board_ways import DrawnWay, Span, draw_decks, draw_rails_of, draw_ways, spans, ways
from .owner_pictures import scan_svg
from .raster import pack, rasterise
from .templates import in_own_looks, words

if TYPE_CHECKING:
    from ...scenarios.model import Scenario, Text


PLAIN_DETAIL = 40.0
"""Pixels from a hex to the next of a scan in a small picture."""


@in_own_looks
def board_svg(scenario: Scenario, language: str, scale: float = 1.0) -> str:
    """The board in one language. Raises KeyError for a language that the game has no texts in."""
    layout = board_layout(scenario, scale)
    text = words(scenario, language)
    look = board_palette()
    u = layout.units
    field = layout.field.scaled(1 / u)
    width, height = layout.width / u, layout.height / u
    page = [
        f'<rect width="{width:.1f}" height="{height:.1f}" fill="{look["page"]}"/>',
        f'<rect x="{field.x - 8:.2f}" y="{field.y - 8:.2f}" width="{field.width + 16:.2f}" '
        f'height="{field.height + 16:.2f}" fill="{look["beyond"]}" stroke="{look["frame"]}" stroke-width="2.4"/>',
        f'<g transform="translate({field.x:.3f} {field.y:.3f})">',
        *field_svg(scenario, text, detail=layout.dy),
        "</g>",
        *draw_edges(scenario, text, layout),
        *draw_panel(scenario, text, layout),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width}" height="{layout.height}" '
        f'viewBox="0 0 {width:.4f} {height:.4f}" font-family="Fira Sans Condensed">' + "\n".join(page) + "</svg>"
    )


def board_png(scenario: Scenario, language: str, scale: float = 1.0) -> bytes:
    """The board as a PNG of 256 colours."""
    return pack(rasterise(board_svg(scenario, language, scale)))


@dataclass(frozen=True)
class _Survey:
    """What must be known of the whole field before any of it is drawn."""

    ground: HexField
    water: list[River]
    lines: list[DrawnWay]
    bridges: list[Span]
    on_ways: list[Point]
    on_water: list[Point]
    numbers: dict[Hex, Point]
    struck: frozenset[Hex]
    labels: list[Label]
    crowd: Crowd


@in_own_looks
def labels_of(scenario: Scenario, text: Text) -> list[Label]:
    """The names of places as they will stand on the board, in drawing units of the field."""
    return _survey(scenario, text).labels


def _survey(scenario: Scenario, text: Text, *, plain: bool = False) -> _Survey:
    ground = HexField(scenario.map.grid)
    water = rivers(ground, scenario)
    lines = ways(ground, scenario)
    bridges = spans(ground, scenario, lines)
    names = text.section("places")
    if plain:
        numbers, labels = usual_number_places(ground), names_below(ground, scenario, names)
        return _Survey(ground, water, lines, bridges, [], [], numbers, frozenset(), labels, Crowd((0, 0)))
    on_ways = [p for line in lines for p in line.curve.points(10)]
    on_water = [p for river in water for p in river.curve.points(5)]
    crowd = _crowd(ground, scenario, on_ways, on_water, bridges)
    lines_only = Crowd((ground.grid.size[0] * UNIT, ground.grid.size[1] * UNIT))
    lines_only.add(_on_lines(ground, scenario), 3.0, 6)
    lines_only.add(ramparts(ground, scenario.map.fortified), 3.0, 3)
    numbers, struck = number_places(ground, crowd, lines_only, float(board_palette()["numbers"]["size"]))
    labels = place_names(ground, scenario, names, crowd)
    for label in labels:
        crowd.add_box(label.box, 40.0)
    return _Survey(ground, water, lines, bridges, on_ways, on_water, numbers, struck, labels, crowd)


@in_own_looks
def names_svg(scenario: Scenario, text: Text) -> list[str]:
    """What of the field of hexes is in words: nothing of a scan, whose names are in the picture."""
    if scenario.map.scan is not None:
        return []
    known = _survey(scenario, text, plain=False)
    return [*_names(scenario, text, known), *draw_labels(known.labels)]


def _names(scenario: Scenario, text: Text, known: _Survey) -> list[str]:
    """Those of areas and rivers, which look for room among all else."""
    areas = area_names(known.ground, scenario, text.section("areas"), known.crowd)
    return [*areas, *river_names(known.water, known.crowd, text.section("rivers"))]


@in_own_looks
def field_svg(scenario: Scenario, text: Text, *, plain: bool = False, detail: float = PLAIN_DETAIL) -> list[str]:
    """The field of hexes in drawing units, its top left at the origin; a scan with hexes of `detail` pixels.

    A plain one is for small pictures under other things: no relief, few trees, names and numbers where one looks
    for them, even where something else passes. It is a quarter as long and drawn in a quarter of the time.
    """
    game_map = scenario.map
    if game_map.scan is not None:
        return _scanned(scenario, detail)
    known = _survey(scenario, text, plain=plain)
    ground, lines = known.ground, known.lines
    names, houses, figures, clear = [], [], [], []
    if not plain:
        names = _names(scenario, text, known)
        houses = draw_towns(ground, game_map, known.on_ways, _streets(ground, lines))
        figures = [((x + dx, y - 5), 7.5) for x, y in known.numbers.values() for dx in (-9, 0, 9)]
        clear = [(p, 8.0) for p in known.on_ways[::2]] + [(p, 9.0) for p in known.on_water]
        clear += _under(known.labels) + figures
    parts = [
        *_sheet(ground),
        *draw_ground(ground, game_map, figures, plain=plain),
        *draw_trees(ground, game_map, clear, plain=plain),
        *houses,
        *_grid(ground),
        *draw_areas(ground, scenario),
        *draw_rivers(known.water),
        *draw_decks(known.bridges),
        *draw_lines(ground, scenario),
        *draw_fortress(ground, game_map.fortified),
        *draw_ways(lines),
        *draw_rails_of(known.bridges),
        *_frame(ground),
        *_numbers(known.numbers, set().union(*covers_of(game_map).values()), known.struck),
        *names,
        *_peaks(ground, scenario),
        *draw_labels(known.labels),
    ]
    return [_coarse(part) for part in parts] if plain else parts


def _scanned(scenario: Scenario, detail: float) -> list[str]:
    """The picture of the printed map, with what its game wants drawn over it."""
    scan, ground = scenario.map.scan, HexField(scenario.map.grid)
    parts = scan_svg(scenario, detail)
    if scan is not None and scan.grid:
        parts += [*_grid(ground), *_frame(ground)]
    if scan is not None and scan.numbers:
        parts += _numbers(usual_number_places(ground), set(scenario.map.grid))
    return parts


def _coarse(part: str) -> str:
    """The part with whole coordinates, a hundredth of a hex, and all paths of a group in one.

    A page that shows a map in many places is laid out the faster the fewer elements it has.
    """
    return re.sub(r' d="[^"]*"', lambda path: re.sub(r"\.\d+", "", path[0]), part.replace('"/><path d="', ""))


def _crowd(
    ground: HexField,
    scenario: Scenario,
    on_ways: Sequence[Point],
    on_water: Sequence[Point],
    bridges: Sequence[Span],
) -> Crowd:
    w, h = ground.grid.size
    crowd = Crowd((w * 100, h * 100))
    towns = [h for h, t in scenario.map.terrain.items() if any(scenario.tables.terrain[k].named for k in t)]
    crowd.add((ground.center(t) for t in towns), 1.2, 24)
    crowd.add((ground.center(p.hexes[0]) for p in scenario.map.places if p.kind != "town"), 2.0, 13)
    crowd.add(on_water, 1.6, 4)
    crowd.add(on_ways, 2.2, 3)
    crowd.add((b.at for b in bridges), 6, 10)
    return crowd


def _on_lines(ground: HexField, scenario: Scenario) -> list[Point]:
    """Points along hexsides that bear a line other than water."""
    wet = wet_kinds(scenario)
    sides = [side for run in scenario.map.hexside_runs if run.kind not in wet for side in run.sides]
    return [mix(*ground.ends(*side), k / 8) for side in sides for k in range(9)]


def _under(labels: Sequence[Label]) -> list[tuple[Point, float]]:
    """Discs under names, which trees keep clear of."""
    discs = []
    for label in labels:
        for i, _ in enumerate(label.lines):
            y = label.at[1] + i * label.size - label.size * 0.3
            x = label.box.left
            while x <= label.box.right:
                discs.append(((x, y), label.size * 0.55))
                x += label.size * 0.5
    return discs


def _streets(ground: HexField, lines: Sequence[DrawnWay]) -> dict[Hex, Point]:
    """The direction of the most important way in each hex that has one."""
    found: dict[Hex, Point] = {}
    for line in lines:
        for pair, point in line.crossings.items():
            for hex_ in pair:
                found[hex_] = unit(ground.center(hex_), point)
    return found


def _sheet(ground: HexField) -> list[str]:
    """Paper over the whole frame, then what lies beyond the hexes along each side of it."""
    look = board_palette()
    w, h = (v * UNIT for v in ground.grid.size)
    out = [f'<rect width="{w:.2f}" height="{h:.2f}" fill="{look["paper"]}"/>']
    teeth = []
    for p, q in ground.rim:
        x, y = mix(p, q, 0.5)
        away = min((y, 0), (h - y, 1), (x, 2), (w - x, 3))[1]
        frame: list[Point] = [
            [(p[0], 0.0), (q[0], 0.0)],
            [(p[0], h), (q[0], h)],
            [(0.0, p[1]), (0.0, q[1])],
            [(w, p[1]), (w, q[1])],
        ][away]
        teeth.append(polygon([p, q, frame[1], frame[0]]))
    across, down = (50, 29) if ground.grid.pointy else (29, 50)
    corners = _empty_corners(ground)
    teeth += [polygon([(x, y), (x, y + down), (x + across, y + down), (x + across, y)]) for x, y in corners]
    return out + group(teeth, f'fill="{look["beyond"]}" shape-rendering="crispEdges"')


def _empty_corners(ground: HexField) -> list[Point]:
    """Corners of the frame that no hex comes near: the top left of each such patch, 29 x 50 units, or 50 x 29."""
    grid = ground.grid
    w, h = (v * UNIT for v in grid.size)
    across, along = (h, w) if grid.pointy else (w, h)
    patches = []
    for line, x in ((1, 0.0), (grid.lines, across - 29)):
        low = grid.is_low(line)
        patches += [(x, 0.0)] if low else [(x, along - 50)] if grid.lines > 1 else []
    return [(y, x) for x, y in patches] if grid.pointy else patches


def _frame(ground: HexField) -> list[str]:
    lines = [f"M{xy(a)}L{xy(b)}" for a, b in ground.rim]
    return group(chunks(lines, 3), pen(board_palette()["frame"], 2))


def _grid(ground: HexField) -> list[str]:
    """Every hexside once: the lower left, upper left and upper sides of each hex; the frame draws the rest."""
    look = board_palette()["grid"]
    level: dict[float, list[str]] = {}
    slants = []
    for hex_ in ground.grid.hexes:
        c = ground.corners(hex_)
        if ground.grid.pointy:
            slants += [f"M{xy(c[i - 1])}L{xy(c[i])}" for i in (5, 0, 1)]
            continue
        level.setdefault(round(c[0][1], 1), []).append(f"M{xy(c[0])}H{n1(c[1][0])}")
        slants += [f"M{xy(c[4])}L{xy(c[5])}", f"M{xy(c[5])}L{xy(c[0])}"]
    ink = f'{pen(look["colour"], look["width"], "butt")} stroke-opacity="{look["opacity"]}"'
    return group(["".join(parts) for parts in level.values()] + slants, ink)


def _numbers(
    places: dict[Hex, Point], covered: Collection[Hex], struck: Collection[Hex] = frozenset()
) -> list[str]:
    """Hex numbers; those on any ground but open have a light rim, or trees and slopes would swallow them.

    `struck` ones, which a line crosses, stand in a gap of it: their rim is broad and hides what is below.
    """
    look = board_palette()["numbers"]
    kinds = {h: "line" if h in struck else "cover" if h in covered else "" for h in places}
    rims = {
        "": "",
        "cover": _rim(look["rim"], look["rim_width"], look["rim_opacity"]),
        "line": _rim(look["rim"], look["rim_width"] * 1.6, 0.92),
    }
    out = []
    for kind, rim in rims.items():
        texts = "".join(
            f'<text x="{n1(x)}" y="{n1(y)}">{h}</text>' for h, (x, y) in places.items() if kinds[h] == kind
        )
        if texts:
            out.append(
                f'<g font-size="{look["size"]}" font-weight="{look["weight"]}" text-anchor="middle" '
                f'fill="{look["colour"]}"{rim}>{texts}</g>'
            )
    return out


def _rim(colour: str, width: float, opacity: float) -> str:
    return (
        f' stroke="{colour}" stroke-width="{width:g}" stroke-opacity="{opacity:g}" stroke-linejoin="round" '
        'paint-order="stroke"'
    )


def _peaks(ground: HexField, scenario: Scenario) -> list[str]:
    """A triangle on every named height."""
    colour = board_palette()["labels"]["height"]["colour"]
    peaks = [ground.center(p.hexes[0]) for p in scenario.map.places if p.kind == "height"]
    return [
        f'<path d="M{n1(x)} {n1(y - 8)}l8 13h-16z" fill="{colour}" stroke="#f6efdc" stroke-width="1.5"/>'
        for x, y in peaks
    ]
