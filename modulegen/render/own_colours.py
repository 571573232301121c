"""What a game's own colours of counters imply: the rim, figures that can be read, a paler back of the same hue.

Contrast is measured as the Web Content Accessibility Guidelines do (WCAG 2.2, 1.4.3): relative luminance of sRGB,
and the ratio of the lighter colour to the darker, each with 0.05 added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hexforge.modulegen.render.own import problem_at
from hexforge.modulegen.render.raster import RenderError
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.words import message

Colour = tuple[int, int, int]
READABLE: Final = 4.5
"""Least contrast of text with what it stands on."""
VISIBLE: Final = 3.0
"""Least contrast of large figures and of lines."""
_SEEN: Final = 1.15
"""Least contrast of a broad stripe."""
_APART: Final = 1.08
"""Least contrast of a card and its back."""
_WHITE: Final = (255, 255, 255)
_BLACK: Final = (0, 0, 0)
_DARK, _LIGHT = "#14120f", "#f7f3e8"
_EXTREMES: Final = ("#000000", "#ffffff")
_NIGHT: Final = 0.05
"""Luminance below which a card is so dark that its back stays dark too, or it would be anybody's grey."""


def colour(text: str) -> Colour:
    """Red, green and blue of a colour as CSS writes it. Raises ValueError for what is none."""
    from PIL import ImageColor

    red, green, blue = ImageColor.getrgb(text)[:3]
    return red, green, blue


def contrast(a: str, b: str) -> float:
    """The contrast of two colours, 1 to 21. Raises ValueError."""
    darker, lighter = sorted((_luminance(colour(a)), _luminance(colour(b))))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(rgb: Colour) -> float:
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def legible(wished: str, ground: str, least: float = READABLE) -> str:
    """A colour for what stands on `ground`: the one wished for, unless something dark or light is needed."""
    if contrast(wished, ground) >= least:
        return wished
    # Of black and white one reaches 4.58 on any ground.
    for pair in ((_DARK, _LIGHT), _EXTREMES):
        best = max(pair, key=lambda ink: contrast(ink, ground))
        if contrast(best, ground) >= least:
            return best
    return best


def _mixed(text: str, other: Colour, share: float) -> str:
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(colour(text), other, strict=True))


def complete(path: Path, given: Mapping[str, Any], palettes: dict[str, Any]) -> None:
    """Give the cards whose `face` a game chose what follows from it, as far as the game did not choose that too.

    Raises RenderError for a face that is no colour.
    """
    for name, own in given.items():
        if isinstance(own, Mapping) and "face" in own and isinstance(palettes[name].get("reduced"), Mapping):
            try:
                palettes[name] = _completed(own, palettes[name])
            except ValueError:
                said = message("drawing.no-colour", given=repr(own["face"])[:60])
                raise RenderError([problem_at(path, (name, "face"), said)]) from None


def _completed(own: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    face = str(own["face"])
    dark = _luminance(colour(face)) < _NIGHT
    front = _chosen(
        own,
        entry,
        {
            "edge": lambda _: _mixed(face, _BLACK, 0.35),
            "ink": lambda ink: legible(ink, face),
            "accent": lambda accent: legible(accent, face, VISIBLE),
        },
    )
    turned = own.get("reduced", {})
    paler = str(turned.get("face") or _turned(face, 0.25 if dark else 0.6))
    back = _chosen(
        turned,
        {"accent": entry["accent"], **entry["reduced"], "face": paler},
        {
            "edge": lambda _: _mixed(front["edge"], _WHITE, 0.1 if dark else 0.3),
            "ink": lambda ink: legible(ink, paler),
            "accent": lambda accent: legible(accent, paler, VISIBLE),
            "band": lambda _: _stripe(face, paler, 0.12 if dark else 0.35),
        },
    )
    return {**front, "reduced": back}


def _turned(face: str, share: float) -> str:
    """The back of a card: paler, or a little greyer where it is nearly white."""
    paler = _mixed(face, _WHITE, share)
    return paler if contrast(paler, face) >= _APART else _mixed(face, _BLACK, 0.08)


def _stripe(face: str, back: str, share: float) -> str:
    """What tells the steps lost: between a card and its back, or darker than either where both are nearly white."""
    between = _mixed(face, _WHITE, share)
    return between if contrast(between, back) >= _SEEN else _mixed(back, _BLACK, 0.12)


def _chosen(
    own: Mapping[str, Any], entry: Mapping[str, Any], implied: Mapping[str, Callable[[str], str]]
) -> dict[str, Any]:
    return {**entry, **{key: imply(str(entry[key])) for key, imply in implied.items() if key not in own}}


def faint(path: Path, given: Mapping[str, Any], palettes: Mapping[str, Any]) -> Iterator[Problem]:
    """Figures that a game's own colours hardly show: warnings."""
    for name in given:
        entry = palettes[name]
        for where, face in (((name,), entry), ((name, "reduced"), {**entry, **entry.get("reduced", {})})):
            try:
                found = contrast(str(face["ink"]), str(face["face"]))
            except (KeyError, ValueError):
                continue
            if found < READABLE:
                said = message("drawing.faint", ink=str(face["ink"]), face=str(face["face"]), found=f"{found:.1f}")
                yield problem_at(path, (*where, "ink"), said, "warning")
