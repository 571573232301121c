"""Faces of counters as pictures that a game's folder, or its owner, brings: `ID.png`, and `ID-back.png`.

The picture of a printed map as the ground of the board: turned, stretched and straightened to our hexes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.scan import Fit, ScanError, fit
from ...scenarios.text.words import Message, message
from . import templates
from .board_shapes import UNIT
from .own_art import PICTURES, embedded, image, picture_svg, stamp
from .raster import RenderError, open_image, rasterise

if TYPE_CHECKING:
    from PIL import Image

    from ...scenarios.model import Scenario
    from ...scenarios.schema.setup import CounterRow as Counter
    from ...scenarios.text.hexgrid import HexGrid, Point


BACK: Final = "back"
MOST: Final = 5000
"""Files that are looked at in a folder of faces."""
_LISTED: Final = 12
_EDGE: Final = 320
"""Pixels of the longer edge that are kept: enough for a printed counter."""


def own_face(counter: Counter, scenario: Scenario, face: str, pixels: int) -> str | None:
    """A face as SVG with a picture of its own on it, `pixels` square; None where there is no such picture.

    Raises RenderError for one that cannot be used.
    """
    folder = scenario.looks.counters
    path = _files(folder, stamp(folder)).get(_face_file(counter, face))
    return None if path is None else _framed(path, pixels)


def marker_faces() -> Mapping[str, Path]:
    """Whole faces of markers that the game being drawn brings, by name; an SVG is a part of a face alone."""
    own = templates.own_folder()
    folder = own / "markers" if own else None
    found = _files(folder, stamp(folder)) if folder else {}
    return {name: path for name, path in found.items() if path.suffix.lower() != ".svg"}


def own_marker(name: str, pixels: int) -> str | None:
    """A marker's whole face as SVG, `pixels` square; None where the game has none such. Raises RenderError."""
    path = marker_faces().get(name.lower())
    return None if path is None else _framed(path, pixels)


def _framed(path: Path, pixels: int) -> str:
    held = _held(path, stamp(path))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="{pixels}" height="{pixels}">'
        f'<image width="100" height="100" preserveAspectRatio="xMidYMid meet" href="{held}"/></svg>'
    )


def _face_file(counter: Counter, face: str) -> str:
    """The name of a face's file: `us-1`, `us-1-back`, for the second step lost `us-1-back-2`."""
    return (counter.id if face == "full" else f"{counter.id}-{face.replace('reduced', BACK)}").lower()


@lru_cache(maxsize=16)
def _files(folder: Path, _stamp: Any) -> Mapping[str, Path]:
    """The pictures in a folder by their names in small letters; links that lead out of it are none."""
    if not folder.is_dir():
        return {}
    home = folder.resolve()
    found = [p for p, _ in zip(sorted(folder.iterdir()), range(MOST), strict=False)]
    return {
        path.stem.lower(): path
        for path in found
        if path.suffix.lower() in PICTURES and path.is_file() and path.resolve().is_relative_to(home)
    }


@lru_cache(maxsize=4096)
def _held(path: Path, _stamp: Any) -> str:
    if path.suffix.lower() == ".svg":
        drawn = open_image(rasterise(picture_svg(path)))
        picture = drawn if max(drawn.size) <= 4 * _EDGE else drawn.reduce(2)
    else:
        picture = image(path)
    picture.thumbnail((_EDGE, _EDGE))
    return embedded(picture)


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
