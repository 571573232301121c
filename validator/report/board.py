"""A map with units as one SVG, for reports: the module's board, and over it units and any colouring of hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final

from hexforge.validator.report.overlay import UNIT, Overlay, arrows, bursts, polygon, rings
from hexforge.validator.report.plain import safe

if TYPE_CHECKING:
    from hexforge.scenarios.hexgrid import Hex, HexGrid
    from hexforge.scenarios.model import GameMap, Scenario, Text
    from hexforge.scenarios.words import Words
    from hexforge.validator.referee.state import Position

_MARGIN: Final = 0.75
"""How far a window reaches beyond the centres of its outermost hexes, in hexes."""
_NOTHING: Final = Overlay()
Window = tuple[float, float, float, float]
"""Left, top, width and height of what is shown, in pixels."""


def ground(
    field: GameMap, scenario: Scenario, words: Words, *, detail: float | None = None, without: Collection[str] = ()
) -> str:
    """The map that was played on as the module's board shows it, to be drawn below everything else.

    Without `detail`, the pixels of a hex, it is a plain one for small pictures. Its names may come out of a sheet:
    they are escaped and harmless. `without` are parts of `lettering` that are not drawn.
    """
    from hexforge.modulegen.render.board import field_svg

    played, text = _played(field, scenario), _text(scenario, words)
    parts = field_svg(played, text, plain=True) if detail is None else field_svg(played, text, detail=detail)
    return safe("".join(part for part in parts if part not in without))


def lettering(field: GameMap, scenario: Scenario, words: Words) -> list[str]:
    """The words on a map that was played on, as `ground` draws them there unless it is a plain one."""
    from hexforge.modulegen.render.board import names_svg

    return names_svg(_played(field, scenario), _text(scenario, words))


def _text(scenario: Scenario, words: Words) -> Text:
    from hexforge.scenarios.model import Text

    return scenario.texts.get(words.language, Text(words.language, {}))


def _played(field: GameMap, scenario: Scenario) -> Scenario:
    # A map that a sheet sets up names no looks: the game's kinds look on it as on the game's own.
    return replace(scenario, map=replace(field, looks=scenario.map.looks))


def _stacks(position: Position, box: Window, words: Words) -> Iterator[str]:
    from hexforge.modulegen.render.templates import palette

    left, top, width, height = box
    colours = dict(zip(position.boards, palette("report")["counters"], strict=False))
    for side, board in position.boards.items():
        for hex_, units in sorted(board.at.items()):
            x, y = position.grid.center(hex_)
            if not (-UNIT < x * UNIT - left < width + UNIT and -UNIT < y * UNIT - top < height + UNIT):
                continue
            for i, unit in enumerate(reversed(units[:4])):
                at_x, at_y = x * UNIT - 17 + 3 * i, y * UNIT - 9 - 3 * i
                reduced = position.units[unit].lost
                dash = ' stroke-dasharray="3 2"' if reduced else ""
                size = 8 if len(unit) < 10 else 6.5
                title = words("report.unit-step", unit=unit, step=words(f"report.step.{position.units[unit].step}"))
                yield (
                    f"<g><title>{escape(title)}</title>"
                    f'<rect x="{at_x:.1f}" y="{at_y:.1f}" width="34" height="18" rx="2" '
                    f'fill="{colours[side]}" stroke="#333"{dash}/>'
                    f'<text class="u" style="font-size:{size}px" '
                    f'x="{at_x + 17:.1f}" y="{at_y + 12:.1f}">{escape(_short(unit))}</text></g>'
                )
            if len(units) > 1:
                yield f'<text class="c" x="{x * UNIT + 22:.1f}" y="{y * UNIT + 14:.1f}">{len(units)}</text>'


def _short(unit: str) -> str:
    """An id without its side's prefix, cut to what fits a counter."""
    _, _, rest = unit.partition("-")
    text = rest or unit
    return text if len(text) <= 9 else text[:8] + "…"


def _box(grid: HexGrid, window: Collection[Hex] | None) -> Window:
    width, height = grid.size
    if not window:
        return -2, -2, width * UNIT + 4, height * UNIT + 4
    xs, ys = zip(*(grid.center(h) for h in window), strict=True)
    left, right = max(0.0, min(xs) - _MARGIN), min(width, max(xs) + _MARGIN)
    top, bottom = max(0.0, min(ys) - _MARGIN), min(height, max(ys) + _MARGIN)
    return left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT


def draw(
    below: str,
    grid: HexGrid,
    position: Position | None,
    words: Words,
    *,
    overlay: Overlay = _NOTHING,
    title: str = "",
    window: Collection[Hex] | None = None,
) -> str:
    """The map as an SVG element, or as much of it as holds the hexes of `window`.

    `below` is what `ground` returns, or a reference to where it stands in the same page. `title` is what the
    picture shows, read aloud where it cannot be seen: by default a position with what happened there.
    """
    box = _box(grid, window)
    body = [f'<g transform="scale({UNIT / 100:g})">{below}</g>']
    for hex_, colour in overlay.tints.items():
        style = f'fill="{escape(colour, quote=True)}" fill-opacity="0.45" stroke="none"'
        body.append(polygon(grid.corners(hex_), style))
    body += rings(grid, overlay)
    for hex_, note in overlay.notes.items():
        x, y = grid.center(hex_)
        body.append(f'<text class="m" x="{x * UNIT:.1f}" y="{y * UNIT + 5:.1f}">{escape(safe(note))}</text>')
    if position is not None:
        body += _stacks(position, box, words)
    body += bursts(grid, overlay)
    body += arrows(grid, overlay)
    left, top, width, height = box
    title = title or words("report.position")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{escape(safe(title), quote=True)}">'
        "<style>text{font-family:'Fira Sans Condensed',sans-serif;text-anchor:middle}"
        ".u{font-size:8px;font-weight:bold;fill:#111}.c{font-size:9px;fill:#a00;font-weight:bold}"
        ".m{font-size:12px;font-weight:bold;fill:#10314d;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>"
        + "".join(body)
        + "</svg>"
    )
