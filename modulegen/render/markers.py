"""Markers and toolbar icons: what they are called, and how they look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from hexforge.modulegen.render import templates
from hexforge.modulegen.render.counters import MAX_SCALE, SIZE, Fitted, colours, drawing, fit, picture
from hexforge.modulegen.render.raster import SANS, RenderError, rasterise
from hexforge.modulegen.render.texts import short, spoken, words
from hexforge.scenarios.markers import STATE, markers
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text

_CAPTION_LENGTH, _CAPTION_SIZE = 80.0, 17.0
_LARGE_LENGTH, _LARGE_SIZE = 78.0, 38.0
_LETTERS_LENGTH, _LETTERS_SIZE = 23.0, 22.0
ICON_SIZE = 24
"""Width and height of a toolbar icon in pixels at scale 1."""


def _kind(face: str) -> str:
    return "control" if face.startswith("control_") else face


def marker_name(scenario: Scenario, face: str, language: str) -> str:
    """What players call a face of a marker (texts `markers.…`)."""
    text = words(scenario, language)
    kind = _kind(face)
    name = text.get(f"markers.{kind}") or _of_the_game(text, face) or spoken(face)
    side = face.removeprefix("control_")
    return name.format(side=text.get(f"sides.{side}.name") or text.get(f"sides.{side}", side))


def _of_the_game(text: Text, face: str) -> str:
    """What a game calls a weather or a mark of its own; "" for other faces."""
    if face.startswith(STATE):
        mark = face.removeprefix(STATE)
        name = text.get(f"marks.{mark}") or spoken(mark)
        return name[:1].upper() + name[1:]
    kind, _, weather = face.partition("_")
    return short(text, "weather", weather) if kind == "weather" and weather else ""


def _style(scenario: Scenario, face: str) -> templates.Entries:
    styles = templates.palette("counters_markers")
    taken = face.startswith(STATE) and any(m.take and face == f"{STATE}{m.mark}" for m in scenario.game.rules.marks)
    kind = "mark_taken" if taken else _kind(face)
    names = (kind, face.partition("_")[0], "other")
    style: templates.Entries = styles[next(name for name in names if name in styles)]
    if style.get("side"):
        branch = next(iter(scenario.side(face.removeprefix("control_")).branches.values()))
        style = style.with_({k: colours(branch.counter)[k] for k in ("face", "edge", "ink")})
    return style


def lettering(text: Text, face: str, large: str = "") -> tuple[Fitted, Fitted]:
    """Caption and large text of a marker, fitted."""
    caption = text.get(f"markers_short.{_kind(face)}") or _of_the_game(text, face).upper()
    return fit(caption, _CAPTION_LENGTH, _CAPTION_SIZE), fit(large, _LARGE_LENGTH, _LARGE_SIZE)


def letters(scenario: Scenario, language: str) -> dict[str, str]:
    """What tells the marks of a game's own apart on their faces: face -> letters of its name, no two alike."""
    text = words(scenario, language)
    found: dict[str, str] = {}
    for face in (face for marker in markers(scenario) for face in marker.faces if face.startswith(STATE)):
        name = _of_the_game(text, face)
        taken = set(found.values())
        found[face] = next(short for short in _abbreviations(name) if short not in taken)
    return found


def _abbreviations(name: str) -> Iterator[str]:
    """Short forms of a name, the best first: its initials, two of its letters, its first with a number."""
    parts = [part.upper() for part in re.findall(r"\w+", name)] or ["?"]
    first = parts[0][0]
    if len(parts) > 1:
        yield first + parts[-1][0]
    yield first
    yield from (first + letter for letter in "".join(parts)[1:])
    yield from (f"{first}{number}" for number in count(1))


@templates.in_own_looks
def marker_svg(scenario: Scenario, face: str, language: str, *, scale: float = 1) -> str:
    """A face of a marker as SVG, as large as a counter. Raises KeyError, RenderError, ValueError."""
    from markupsafe import Markup

    if not 0 < scale <= MAX_SCALE:
        raise ValueError(f"a scale is above 0 and at most {MAX_SCALE}, not {scale}")
    style, own = _style(scenario, face), templates.own_file(f"markers/{face}.svg")
    caption, large = lettering(words(scenario, language), face, style.get("large", ""))
    return templates.render(
        "counters/marker.svg.j2",
        p=style,
        pixels=round(SIZE * scale),
        font=SANS,
        caption=caption,
        large=large,
        letters=fit("" if own else letters(scenario, language).get(face, ""), _LETTERS_LENGTH, _LETTERS_SIZE),
        picture=Markup(picture(face if own else style["picture"])),
    )


def marker_png(scenario: Scenario, face: str, language: str, scale: float = 1) -> bytes:
    """A face of a marker as PNG."""
    return rasterise(marker_svg(scenario, face, language, scale=scale))


def icons() -> tuple[str, ...]:
    """The names of all icons in `art/icons`."""
    return tuple(sorted(p.stem for p in (templates.art_folder() / "icons").glob("*.svg")))


def icon_svg(name: str, *, size: int = ICON_SIZE) -> str:
    """A toolbar icon as SVG, `size` pixels square, on nothing. Raises RenderError for one that is not there."""
    if name not in icons():
        raise RenderError.about(templates.art_folder() / "icons", message("drawing.no-icon", name=name))
    root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="{size}" height="{size}"'
    return f'{root} color="#2f3a45">{drawing(f"icons/{name}.svg")}</svg>'
