"""What a game's folder brings of its own to look at: `looks/symbols`, `looks/palettes`, `looks/counters`, a board.

All of it comes from strangers: sizes are bounded, SVG is cut down to shapes and text that draw nothing from
elsewhere, and what may stand in a palette is colours, numbers and words.

What a game's own colours of counters imply: the rim, figures that can be read, a paler back of the same hue.

Contrast is measured as the Web Content Accessibility Guidelines do (WCAG 2.2, 1.4.3): relative luminance of sRGB,
and the ratio of the lighter colour to the darker, each with 0.05 added.
"""

from __future__ import annotations

import io
import re
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from ...scenarios import yamlfile
from ...scenarios.console import Problem, open_file, refused
from ...scenarios.text.words import Message, message
from .raster import MAX_PIXELS, RenderError

if TYPE_CHECKING:
    from lxml.etree import _Element
    from PIL import Image


PICTURES: Final = (".png", ".jpg", ".jpeg", ".gif", ".svg")
"""How the files of counters' faces end; those of boards too, but for drawings."""
MAX_SVG: Final = 300_000
MAX_ELEMENTS: Final = 4000
MAX_PICTURE: Final = 60_000_000
"""Bytes of a picture of a board, or of a counter, as it stands in its file."""
_FORMATS: Final = ("PNG", "JPEG", "GIF")
_SVG: Final = "http://www.w3.org/2000/svg"
_SHAPES: Final = frozenset(
    (
        *("svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title"),
        *("desc", "defs", "linearGradient", "radialGradient", "stop", "clipPath"),
    )
)
_ATTRIBUTES: Final = frozenset(
    (
        *("clip-path", "clip-rule", "clipPathUnits", "color", "cx", "cy", "d", "display", "dx", "dy"),
        *("fill", "fill-opacity", "fill-rule", "font-size", "font-style", "font-weight", "fx", "fy"),
        *("gradientTransform", "gradientUnits", "height", "id", "letter-spacing", "offset"),
        *("opacity", "paint-order", "points", "preserveAspectRatio", "r", "rx", "ry", "spreadMethod"),
        *("stop-color", "stop-opacity", "stroke", "stroke-dasharray", "stroke-dashoffset"),
        *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width"),
        *("style", "text-anchor", "transform", "viewBox", "width", "x", "x1", "x2", "y", "y1", "y2"),
    )
)
_LOCAL: Final = re.compile(r"url\(\s*['\"]?#([\w.-]+)['\"]?\s*\)")


def read(path: Path, most: int) -> bytes:
    """A file's bytes. Raises RenderError where it cannot be read or is longer than `most`."""
    try:
        with open_file(path, whole=True) as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise RenderError.about(path, message("drawing.unreadable", why=refused(error))) from error
    if len(data) > most:
        raise RenderError.about(path, message("drawing.too-long", most=most))
    return data


def stamp(path: Path) -> tuple[int, int]:
    """What changes when a file does: size and time; zeros where there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns


def drawing(path: Path) -> str:
    """What stands between the root tags of an SVG file, tame. Raises RenderError naming file and line."""
    from lxml import etree

    root = _tame(path, *stamp(path))
    parts = [etree.tostring(e, encoding="unicode", with_tail=False) for e in root]
    return "".join(parts).replace(f' xmlns="{_SVG}"', "")


def picture_svg(path: Path) -> str:
    """An SVG file, tame, whole. Raises RenderError naming file and line."""
    from lxml import etree

    return str(etree.tostring(_tame(path, *stamp(path)), encoding="unicode"))


@lru_cache(maxsize=256)
def _tame(path: Path, _size: int, _time: int) -> _Element:
    from lxml import etree

    data = read(path, MAX_SVG)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise RenderError.about(path, message("drawing.no-drawing", why=str(error))) from error
    if root.tag != f"{{{_SVG}}}svg":
        raise RenderError.about(path, message("drawing.no-svg", tag=etree.QName(root).localname))
    if root.getroottree().docinfo.internalDTD is not None:
        raise RenderError.about(path, message("drawing.has-dtd"))
    # What drawing programs add of their own draws nothing; it goes without a word.
    for foreign in [e for e in root.iter() if _foreign(e)]:
        if (parent := foreign.getparent()) is not None:
            parent.remove(foreign)
    elements = list(root.iter())
    if len(elements) > MAX_ELEMENTS:
        raise RenderError.about(path, message("drawing.too-many", most=MAX_ELEMENTS))
    mark = re.sub(r"\W", "", path.stem)
    for element in elements:
        _tame_element(path, element, mark)
    etree.cleanup_namespaces(root)
    return root


def _foreign(element: _Element) -> bool:
    from lxml import etree

    if not isinstance(element.tag, str):
        return True
    name = etree.QName(element)
    return name.namespace != _SVG or name.localname == "metadata"


def _tame_element(path: Path, element: _Element, mark: str) -> None:
    """Take off all attributes that draw nothing here. Raises RenderError for what is no shape."""
    from lxml import etree

    name = etree.QName(element).localname
    if name not in _SHAPES:
        known, line = tuple(sorted(_SHAPES)), element.sourceline
        raise RenderError.about(
            path,
            message("drawing.no-shape", tag=name, known=known),
            line if isinstance(line, int) else 0,
        )
    for key, value in list(element.attrib.items()):
        said, attribute = str(value), str(key)
        outside = "url" in _LOCAL.sub("", said).lower() or "\\" in said or "@" in said
        if attribute not in _ATTRIBUTES or outside:
            del element.attrib[key]
        elif attribute == "id":
            # Several drawings stand in one picture, and each means its own.
            element.set(attribute, f"{mark}-{said}")
        else:
            element.set(attribute, _LOCAL.sub(rf"url(#{mark}-\1)", said))


def image(path: Path) -> Image.Image:
    """A picture in colours, RGBA where parts are clear. Raises RenderError."""
    from PIL import Image, UnidentifiedImageError

    data = read(path, MAX_PICTURE)
    try:
        with warnings.catch_warnings():
            # We have a limit of our own, a little above the one that the library warns of.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            found = Image.open(io.BytesIO(data), formats=list(_FORMATS))
        if found.width * found.height > MAX_PIXELS:
            said = message("drawing.too-large", most=MAX_PIXELS, width=found.width, height=found.height)
            raise RenderError.about(path, said)
        clear = found.mode in ("RGBA", "LA", "PA") or "transparency" in found.info
        return found.convert("RGBA" if clear else "RGB")
    except UnidentifiedImageError as error:
        raise RenderError.about(path, message("drawing.no-image", known=", ".join(_FORMATS))) from error
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise RenderError.about(path, message("drawing.unreadable", why=str(error))) from error


def embedded(picture: Image.Image) -> str:
    """A picture as what an `<image>` of an SVG may hold: JPEG, or PNG where parts are clear."""
    out = io.BytesIO()
    if picture.mode == "RGBA":
        picture.save(out, "PNG", compress_level=6)
    else:
        picture.save(out, "JPEG", quality=92)
    kind = "png" if picture.mode == "RGBA" else "jpeg"
    return f"data:image/{kind};base64,{b64encode(out.getvalue()).decode()}"


_SAFE: Final = re.compile(r"[#\w .,×+%()-]{0,60}")


def safe_values(path: Path, values: Any, where: tuple[str | int, ...] = ()) -> None:
    """Raises RenderError for what is no colour, number or word: palettes go into drawings as they stand."""
    if isinstance(values, dict):
        for key, value in values.items():
            if not _SAFE.fullmatch(str(key)):
                raise _refused(path, where, message("drawing.no-colour", given=repr(key)[:60]))
            safe_values(path, value, (*where, str(key)))
    elif isinstance(values, list):
        for i, value in enumerate(values):
            safe_values(path, value, (*where, i))
    elif not isinstance(values, bool | int | float) and not (isinstance(values, str) and _SAFE.fullmatch(values)):
        raise _refused(path, where, message("drawing.no-colour", given=repr(values)[:60]))


def laid_over(path: Path, below: Any, above: Any, where: tuple[str | int, ...] = ()) -> Any:
    """A game's palette over the program's. A new name takes with `like: NAME` what it does not say from another.

    Raises RenderError for values of another kind than those in whose place they stand.
    """
    if not isinstance(below, dict):
        if isinstance(below, str) != isinstance(above, str) or isinstance(below, list) != isinstance(above, list):
            raise _refused(
                path, where, message("drawing.other-kind", given=repr(above)[:60], instead=repr(below)[:60])
            )
        return above
    if not isinstance(above, dict):
        raise _refused(path, where, message("drawing.other-kind", given=repr(above)[:60], instead="{…}"))
    merged = dict(below)
    for key, value in above.items():
        merged[key] = _laid(path, merged, str(key), value, where)
    return merged


def _laid(path: Path, merged: dict[Any, Any], key: str, value: Any, where: tuple[str | int, ...]) -> Any:
    at = (*where, key)
    if isinstance(value, dict) and "like" in value:
        model = merged.get(value["like"])
        if not isinstance(model, dict):
            known = tuple(str(name) for name, entry in merged.items() if isinstance(entry, dict))
            raise _refused(path, (*at, "like"), message("drawing.no-model", name=str(value["like"]), known=known))
        rest = {name: part for name, part in value.items() if name != "like"}
        return laid_over(path, model, rest, at)
    if key in merged:
        return laid_over(path, merged[key], value, at)
    entries = [entry for entry in merged.values() if isinstance(entry, dict)]
    if not (isinstance(value, dict) and entries) and key not in _OPTIONAL:
        raise _refused(path, at, message("drawing.no-such-key", key=key, known=tuple(map(str, merged))))
    return value


_OPTIONAL: Final = frozenset(
    (
        *("apart", "band", "casing", "casing_width", "covers", "depth", "hidden_by"),
        *(
            "ink",
            "large",
            "marks",
            "reach",
            "shade",
            "side",
            "spacing",
            "spreads",
            "stroke",
            "texture",
            "trees",
            "under",
        ),
    )
)


def problem_at(
    path: Path, where: tuple[str | int, ...], said: Message, severity: Literal["error", "warning"] = "error"
) -> Problem:
    """What is wrong below some keys of a YAML file, with its line."""
    text = yamlfile.decode(yamlfile.read_bytes(path), path)
    line = yamlfile.line_of(text, list(where))
    return Problem(str(path), line, ".".join(map(str, where)), said, severity)


def _refused(path: Path, where: tuple[str | int, ...], said: Message) -> RenderError:
    return RenderError([problem_at(path, where, said)])


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
