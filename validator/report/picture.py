"""The map with the hexes that a unit can reach, as SVG, PNG or a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.words import Words
from hexforge.validator.ask import unanswerable
from hexforge.validator.referee.findings import points
from hexforge.validator.report.board import draw, ground
from hexforge.validator.report.overlay import Overlay
from hexforge.validator.report.pages import page

if TYPE_CHECKING:
    from hexforge.validator.ask import Reach

_NEAR: Final = (46, 125, 80)
_FAR: Final = (217, 164, 65)


def _tint(share: float) -> str:
    """From green, near, to amber, at the end of the allowance."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_NEAR, _FAR, strict=True))
    return "#" + "".join(f"{c:02x}" for c in mixed)


def reach_svg(found: Reach, words: Words) -> str:
    """The map: hexes within reach tinted and marked with their cost, the unit's own hex in blue."""
    tints = {hex_: _tint(min(1.0, cost / max(1, found.allowance))) for hex_, (cost, _) in found.hexes.items()}
    notes = {hex_: words.value(points(cost)) for hex_, (cost, _) in found.hexes.items()}
    tints[found.hex] = "#2a6fb0"
    title = f"{found.unit} {found.hex}"
    field = found.context.map
    below = ground(field, found.context.scenario, words)
    return draw(below, field.grid, found.position, words, overlay=Overlay(tints=tints, notes=notes), title=title)


def write_picture(found: Reach, path: str | Path, words: Words) -> None:
    """Write the picture in the form that the file's ending asks for.

    Raises Unanswerable for another ending, OSError for a file that cannot be written.
    """
    from hexforge.scenarios.commands import write_file

    svg = reach_svg(found, words)
    target = Path(path)
    match target.suffix.lower():
        case ".svg":
            data = svg.encode()
        case ".html" | ".htm":
            from markupsafe import Markup

            # What `draw` returns has its texts escaped.
            title = f"{found.unit} {found.hex}"
            data = page("map.html.j2", words, title=title, picture=Markup(svg)).encode()
        case ".png":
            data = _png(svg)
        case _:
            raise unanswerable("ending", file=str(path))
    write_file(target, data)


def _png(svg: str) -> bytes:
    import resvg

    options = resvg.usvg.Options.default()
    # The shipped fonts alone, so that the picture is the same on every machine.
    for font in sorted((Path(__file__).parents[2] / "art" / "fonts").glob("*.ttf")):
        options.load_font_data(font.read_bytes())
    tree = resvg.usvg.Tree.from_str(svg, options)
    return resvg.render(tree, (1, 0, 0, 0, 1, 0), bg_color=(255, 255, 255, 255))
