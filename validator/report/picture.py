"""The map with the hexes that a unit can reach, as SVG, PNG or a page."""

from __future__ import annotations

import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.language import reason
from hexforge.validator.referee.findings import points
from hexforge.validator.report.board import draw, wet
from hexforge.validator.report.overlay import Overlay

if TYPE_CHECKING:
    from hexforge.validator.ask import Reach

_NEAR: Final = (46, 125, 80)
_FAR: Final = (217, 164, 65)


def _tint(share: float) -> str:
    """From green, near, to amber, at the end of the allowance."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_NEAR, _FAR, strict=True))
    return "#" + "".join(f"{c:02x}" for c in mixed)


def reach_svg(found: Reach) -> str:
    """The map: hexes within reach tinted and marked with their cost, the unit's own hex in blue."""
    tints = {hex_: _tint(min(1.0, cost / max(1, found.allowance))) for hex_, (cost, _) in found.hexes.items()}
    notes = {hex_: f"{points(cost):g}" for hex_, (cost, _) in found.hexes.items()}
    tints[found.hex] = "#2a6fb0"
    title = f"{found.unit} {found.hex}"
    return draw(
        found.context.map,
        found.position,
        overlay=Overlay(tints=tints, notes=notes),
        title=title,
        water=wet(found.context.scenario),
    )


def write_picture(found: Reach, path: str) -> None:
    """Write the picture in the form that the file's ending asks for.

    Raises Unanswerable for another ending and for a file that cannot be written.
    """
    from hexforge.validator.ask import Unanswerable

    svg = reach_svg(found)
    target = Path(path)
    match target.suffix.lower():
        case ".svg":
            data = svg.encode()
        case ".html" | ".htm":
            data = _page(svg, f"{found.unit} {found.hex}").encode()
        case ".png":
            data = _png(svg)
        case _:
            raise Unanswerable(f"{path}: .svg, .png or .html expected", f"{path}: esperava-se .svg, .png ou .html")
    try:
        _replace(target, data)
    except OSError as error:
        raise Unanswerable(f"{path}: {reason(error, 'en')}", f"{path}: {reason(error, 'pt')}") from error


def _page(svg: str, title: str) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{svg}</body></html>\n"


def _png(svg: str) -> bytes:
    import resvg

    options = resvg.usvg.Options.default()
    # The shipped fonts alone, so that the picture is the same on every machine.
    for font in sorted((Path(__file__).parents[2] / "art" / "fonts").glob("*.ttf")):
        options.load_font_data(font.read_bytes())
    tree = resvg.usvg.Tree.from_str(svg, options)
    return resvg.render(tree, (1, 0, 0, 0, 1, 0), bg_color=(255, 255, 255, 255))


def _replace(target: Path, data: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(data)
    try:
        Path(file.name).chmod(0o644)
        Path(file.name).replace(target)
    except OSError:
        Path(file.name).unlink(missing_ok=True)
        raise
