"""A map with units as one SVG, for reports: terrain, water, ways, names, and any colouring of hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from hexforge.validator.report.overlay import UNIT, Overlay, arrows, at, bursts, polygon, rings
from hexforge.validator.report.plain import safe

if TYPE_CHECKING:
    from hexforge.scenarios.hexgrid import Hex, HexGrid, Point
    from hexforge.scenarios.model import GameMap, Scenario
    from hexforge.scenarios.words import Words
    from hexforge.validator.referee.state import Position

_MARGIN: Final = 0.75
"""How far a window reaches beyond the centres of its outermost hexes, in hexes."""
_NOTHING: Final = Overlay()


@cache
def _palette() -> Mapping[str, Any]:
    """Colours and widths, out of `art/palettes/report.yaml`."""
    from hexforge.scenarios import yamlfile

    path = Path(__file__).parents[2] / "art" / "palettes" / "report.yaml"
    return yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path)


def terrain_colour(field: GameMap, terrain: str) -> str:
    """The colour of a terrain: its own, that of the style which the map names for it, else that of `other`."""
    colours = _palette()["terrains"]
    return str(colours.get(terrain) or colours.get(field.look("terrain", terrain)) or colours["other"])


def wet(scenario: Scenario) -> frozenset[str]:
    """The kinds of hexside that are water."""
    return frozenset(kind for kind, effect in scenario.tables.hexsides.items() if effect.water)


def _style(field: GameMap, kind: Literal["hexsides", "ways"], id_: str, otherwise: Mapping[str, Any]) -> Any:
    table = _palette()[kind]
    return table.get(id_) or table.get(field.look(kind, id_)) or otherwise


def _ground(field: GameMap, seen: Collection[Hex]) -> Iterator[str]:
    for hex_ in seen:
        kinds = field.terrain[hex_]
        colour = escape(terrain_colour(field, kinds[0]), quote=True)
        corners = field.grid.corners(hex_)
        yield polygon(corners, f'fill="{colour}" stroke="#c4bda8" stroke-width="1"')
        if hex_ in field.fortified:
            yield polygon(corners, 'fill="none" stroke="#4a3b2a" stroke-width="3" stroke-dasharray="4 3"')


def _lines(field: GameMap, seen: Collection[Hex], water: Collection[str]) -> Iterator[str]:
    palette = _palette()
    for way in field.ways:
        if not any(h in seen for h in way.hexes):
            continue
        look = _style(field, "ways", way.kind, palette["ways"]["other"])
        points = " ".join(at(field.grid.center(h)) for h in way.hexes if h in field.grid)
        yield (
            f'<polyline points="{points}" fill="none" stroke="{look["colour"]}" stroke-width="{look["width"]}" '
            f'stroke-dasharray="{look["dashes"]}" stroke-linejoin="round" stroke-linecap="round"/>'
        )
    for (a, b), kinds in sorted(field.hexsides.items()):
        if not field.grid.adjacent(a, b) or (a not in seen and b not in seen):
            continue
        first, last = field.grid.side_ends(a, b)
        for kind in sorted(kinds):
            plain = palette["water"] if kind in water else palette["hexsides"]["other"]
            look = _style(field, "hexsides", kind, plain)
            yield _segment(first, last, look["colour"], look["width"])
    for (a, b), _ in sorted(field.bridges.items()):
        if field.grid.adjacent(a, b) and (a in seen or b in seen):
            yield _bridge(field, a, b)


def _segment(first: Point, last: Point, colour: str, width: float) -> str:
    (x1, y1), (x2, y2) = first, last
    return (
        f'<line x1="{x1 * UNIT:.1f}" y1="{y1 * UNIT:.1f}" x2="{x2 * UNIT:.1f}" y2="{y2 * UNIT:.1f}" '
        f'stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
    )


def _bridge(field: GameMap, a: Hex, b: Hex) -> str:
    (ax, ay), (bx, by) = field.grid.center(a), field.grid.center(b)
    middle = ((ax + bx) / 2, (ay + by) / 2)
    part = 0.16
    first = (middle[0] + (ax - middle[0]) * part * 2, middle[1] + (ay - middle[1]) * part * 2)
    last = (middle[0] + (bx - middle[0]) * part * 2, middle[1] + (by - middle[1]) * part * 2)
    return _segment(first, last, "#5b3a1a", 5)


def _texts(field: GameMap, seen: Collection[Hex]) -> Iterator[str]:
    for hex_ in seen:
        x, y = field.grid.center(hex_)
        yield f'<text class="n" x="{x * UNIT:.1f}" y="{y * UNIT - 14:.1f}">{hex_}</text>'
    for place in field.places:
        inside = [h for h in place.hexes if h in field.grid]
        if inside and inside[0] in seen:
            x, y = field.grid.center(inside[0])
            yield f'<text class="p" x="{x * UNIT:.1f}" y="{y * UNIT + 20:.1f}">{escape(safe(place.name))}</text>'


def _stacks(position: Position, seen: Collection[Hex], words: Words) -> Iterator[str]:
    colours = dict(zip(position.boards, _palette()["counters"], strict=False))
    for side, board in position.boards.items():
        for hex_, units in sorted(board.at.items()):
            if hex_ not in seen:
                continue
            x, y = position.grid.center(hex_)
            for i, unit in enumerate(reversed(units[:4])):
                left, top = x * UNIT - 17 + 3 * i, y * UNIT - 9 - 3 * i
                reduced = position.units[unit].step == "reduced"
                dash = ' stroke-dasharray="3 2"' if reduced else ""
                size = 8 if len(unit) < 10 else 6.5
                title = words("report.unit-step", unit=unit, step=words(f"report.step.{position.units[unit].step}"))
                yield (
                    f"<g><title>{escape(title)}</title>"
                    f'<rect x="{left:.1f}" y="{top:.1f}" width="34" height="18" rx="2" '
                    f'fill="{colours[side]}" stroke="#333"{dash}/>'
                    f'<text class="u" style="font-size:{size}px" '
                    f'x="{left + 17:.1f}" y="{top + 12:.1f}">{escape(_short(unit))}</text></g>'
                )
            if len(units) > 1:
                yield f'<text class="c" x="{x * UNIT + 22:.1f}" y="{y * UNIT + 14:.1f}">{len(units)}</text>'


def _short(unit: str) -> str:
    """An id without its side's prefix, cut to what fits a counter."""
    _, _, rest = unit.partition("-")
    text = rest or unit
    return text if len(text) <= 9 else text[:8] + "…"


def _box(grid: HexGrid, window: Collection[Hex] | None) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is shown, in pixels."""
    width, height = grid.size
    if not window:
        return -2, -2, width * UNIT + 4, height * UNIT + 4
    xs, ys = zip(*(grid.center(h) for h in window), strict=True)
    left, right = max(0.0, min(xs) - _MARGIN), min(width, max(xs) + _MARGIN)
    top, bottom = max(0.0, min(ys) - _MARGIN), min(height, max(ys) + _MARGIN)
    return left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT


def _seen(grid: HexGrid, box: tuple[float, float, float, float]) -> tuple[Hex, ...]:
    """The hexes of which any part is shown."""
    left, top, width, height = (x / UNIT for x in box)
    return tuple(
        h
        for h in grid
        if left - 1 < grid.center(h)[0] < left + width + 1 and top - 1 < grid.center(h)[1] < top + height + 1
    )


def draw(
    field: GameMap,
    position: Position | None,
    words: Words,
    *,
    overlay: Overlay = _NOTHING,
    title: str = "",
    water: Collection[str] = (),
    window: Collection[Hex] | None = None,
) -> str:
    """The map as an SVG element, or as much of it as holds the hexes of `window`.

    `title` is what it shows, read aloud where it cannot be seen: by default a position with what happened there.
    `water` are the kinds of hexside that are drawn as such unless the palette has a style of their own.
    """
    box = _box(field.grid, window)
    seen = dict.fromkeys(_seen(field.grid, box))
    body: list[str] = [*_ground(field, seen)]
    for hex_, colour in overlay.tints.items():
        style = f'fill="{escape(colour, quote=True)}" fill-opacity="0.45" stroke="none"'
        body.append(polygon(field.grid.corners(hex_), style))
    body += _lines(field, seen, water)
    body += _texts(field, seen)
    body += rings(field.grid, overlay)
    for hex_, note in overlay.notes.items():
        x, y = field.grid.center(hex_)
        body.append(f'<text class="m" x="{x * UNIT:.1f}" y="{y * UNIT + 5:.1f}">{escape(safe(note))}</text>')
    if position is not None:
        body += _stacks(position, seen, words)
    body += bursts(field.grid, overlay)
    body += arrows(field.grid, overlay)
    left, top, width, height = box
    title = title or words("report.position")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{escape(safe(title), quote=True)}">'
        "<style>text{font-family:'Fira Sans Condensed',sans-serif;text-anchor:middle}.n{font-size:7px;fill:#8a8371}"
        ".p{font-size:9px;font-weight:bold;fill:#4b2e1e;paint-order:stroke;stroke:#fff;stroke-width:2px}"
        ".u{font-size:8px;font-weight:bold;fill:#111}.c{font-size:9px;fill:#a00;font-weight:bold}"
        ".m{font-size:12px;font-weight:bold;fill:#10314d;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>"
        + "".join(body)
        + "</svg>"
    )
