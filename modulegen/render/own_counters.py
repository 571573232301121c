"""Faces of counters as pictures that a game's folder, or its owner, brings: `ID.png`, and `ID-back.png`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexforge.modulegen.render import templates
from hexforge.modulegen.render.own import PICTURES, embedded, image, picture_svg, stamp
from hexforge.modulegen.render.raster import open_image, rasterise
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter, Scenario

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
    path = _files(folder, stamp(folder)).get(_named(counter, face))
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


def _named(counter: Counter, face: str) -> str:
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


def unmatched(scenario: Scenario) -> Iterator[Problem]:
    """Pictures in the folder of faces that are no counter's; nothing where there is no such folder."""
    from hexforge.modulegen.render.counters import faces

    folder = scenario.looks.counters
    files = _files(folder, stamp(folder))
    known = {c.id.lower() for c in scenario.counters.values()}
    there = {_named(c, face) for c in scenario.counters.values() for face in faces(c)}
    for name, path in files.items():
        if name in there:
            continue
        front, backed, _ = name.rpartition(f"-{BACK}")
        what = "drawing.no-back" if backed and front in known else "drawing.no-counter"
        yield Problem(str(path), 0, "", message(what, name=front or name), "warning")
    bare = tuple(c.id for c in scenario.counters.values() if c.id.lower() not in files)
    if files and bare:
        shown = bare if len(bare) <= _LISTED else (*bare[:_LISTED], "…")
        said = message("drawing.drawn-by-us", count=len(bare), ids=shown)
        yield Problem(str(folder), 0, "", said, "warning")
