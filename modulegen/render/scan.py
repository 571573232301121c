"""The picture of a printed map as the ground of the board: turned, stretched and straightened to our hexes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexforge.modulegen.render.board_shapes import UNIT
from hexforge.modulegen.render.own import embedded, image, stamp
from hexforge.modulegen.render.raster import RenderError
from hexforge.scenarios.scan import Fit, ScanError, fit
from hexforge.scenarios.words import Message, message

if TYPE_CHECKING:
    from PIL import Image

    from hexforge.scenarios.hexgrid import HexGrid, Point
    from hexforge.scenarios.model import Scenario

BESIDE: Final = 8.0
"""Of the picture, how much shows around the field, in drawing units."""


def scan_svg(scenario: Scenario, detail: float) -> list[str]:
    """The picture under the field of a board whose hexes are `detail` pixels high, in drawing units of the field.

    Raises RenderError for a picture that cannot be read, or centres that no picture has.
    """
    path, (w, h) = scenario.looks.board, (v * UNIT for v in scenario.map.grid.size)
    assert path is not None
    told = tuple(scenario.map.scan.centres.items()) if scenario.map.scan else ()
    inside = path.resolve().is_relative_to(path.parent.resolve())
    if not inside:
        raise RenderError.about(path, message("drawing.missing"))
    data = _levelled(path, stamp(path), scenario.map.grid, told, round(detail, 2))
    return [
        f'<image x="{-BESIDE}" y="{-BESIDE}" width="{w + 2 * BESIDE:.2f}" height="{h + 2 * BESIDE:.2f}" '
        f'preserveAspectRatio="none" href="{data}"/>'
    ]


def doubt(scenario: Scenario) -> Message | None:
    """Why the hexes may lie elsewhere in the picture than its centres say."""
    return fit(scenario.map.grid, scenario.map.scan.centres).doubt if scenario.map.scan else None


@lru_cache(maxsize=4)
def _levelled(path: Path, _stamp: Any, grid: HexGrid, centres: tuple[tuple[str, Point], ...], detail: float) -> str:
    """The picture with our hexes `detail` pixels high, as an SVG may hold it."""
    return embedded(levelled(path, grid, dict(centres), detail))


def levelled(path: Path, grid: HexGrid, centres: Mapping[str, Point], detail: float) -> Image.Image:
    """The picture with our hexes `detail` pixels high and `BESIDE` around them. Raises RenderError."""
    from PIL import Image

    try:
        found = fit(grid, centres)
    except ScanError as error:
        raise RenderError.about(path, error.message) from error
    picture = image(path)
    _holds(path, picture, grid, found)
    # Pixels of the source that fall on one of ours are averaged first, or thin lines would come and go.
    shrink = max(1, floor(min(found.size_at(grid.center(h)) for h in (grid.hexes[0], grid.hexes[-1])) / detail))
    source = picture.reduce(shrink).convert("RGB") if shrink > 1 else picture.convert("RGB")
    w, h = grid.size
    edge = BESIDE / UNIT
    size = round((w + 2 * edge) * detail), round((h + 2 * edge) * detail)
    a, b, c, d, e, f, g, i, k = found.matrix
    # From a pixel of ours to the plane of hexes, and from there to the source.
    m = 1 / detail
    c2, f2, k2 = c - (a + b) * edge, f - (d + e) * edge, k - (g + i) * edge
    numbers = [v / k2 / shrink for v in (a * m, b * m, c2, d * m, e * m, f2)]
    coefficients = [*numbers, g * m / k2, i * m / k2]
    return source.transform(
        size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC, fillcolor=(216, 201, 163)
    )


def _holds(path: Path, picture: Image.Image, grid: HexGrid, found: Fit) -> None:
    """Raises RenderError if a hex's centre lies outside the picture."""
    for hex_ in grid.hexes:
        x, y = found.pixel(grid.center(hex_))
        if not (0 <= x <= picture.width and 0 <= y <= picture.height):
            said = message(
                "drawing.beside", hex=hex_, x=round(x), y=round(y), width=picture.width, height=picture.height
            )
            raise RenderError.about(path, said)
