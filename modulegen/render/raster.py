"""SVG to PNG: resvg draws with the shipped fonts alone, Pillow measures text and packs the result.

The same SVG gives the same bytes on every machine: no system font is read, no date or name is stored.
"""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenarios.problems import Problem, ScenarioError

if TYPE_CHECKING:
    from PIL import Image

SERIF = "Alegreya"
SANS = "Fira Sans Condensed"
_FACES = {
    (SERIF, 700, "normal"): "Alegreya-Bold.ttf",
    (SERIF, 500, "italic"): "Alegreya-MediumItalic.ttf",
    (SANS, 400, "normal"): "FiraSansCondensed-Regular.ttf",
    (SANS, 500, "normal"): "FiraSansCondensed-Medium.ttf",
    (SANS, 700, "normal"): "FiraSansCondensed-Bold.ttf",
}
_SFNT = (b"\x00\x01\x00\x00", b"OTTO", b"true", b"ttcf")
MAX_PIXELS = 100_000_000


class RenderError(ScenarioError):
    """Something cannot be drawn. Like every ScenarioError it says which file and why."""

    @classmethod
    def about(cls, file: str | Path, message: str) -> RenderError:
        """An error with one problem."""
        return cls([Problem(str(file), 0, "", message)])


def font_folder() -> Path:
    """The folder of the shipped fonts."""
    return Path(str(files("art") / "fonts"))


@cache
def font_files() -> tuple[str, ...]:
    """Paths of all shipped fonts in a fixed order. Raises RenderError for one that cannot be used.

    resvg would pass over such a file without a word and draw the text in another face, or not at all.
    """
    found = sorted(p for p in font_folder().glob("*") if p.suffix in (".ttf", ".otf"))
    missing = sorted(set(_FACES.values()) - {p.name for p in found})
    if missing:
        raise RenderError([Problem(str(font_folder() / name), 0, "", "is missing") for name in missing])
    for path in found:
        try:
            with path.open("rb") as stream:
                start = stream.read(4)
        except OSError as error:
            raise RenderError.about(path, f"cannot be read: {error.strerror or error}") from error
        if start not in _SFNT:
            raise RenderError.about(path, "is not a TrueType or OpenType font")
    return tuple(str(p) for p in found)


def rasterise(svg: str, *, width: int | None = None, height: int | None = None, zoom: float | None = None) -> bytes:
    """A PNG (8-bit RGBA) of an SVG at its own size, or at a width or height in pixels, or enlarged `zoom` times.

    Raises RenderError when it is no SVG or would be larger than MAX_PIXELS.
    """
    import resvg_py

    options: dict[str, Any] = {k: v for k, v in (("width", width), ("height", height), ("zoom", zoom)) if v}
    try:
        png = resvg_py.svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=list(font_files()),
            font_family=SANS,
            sans_serif_family=SANS,
            serif_family=SERIF,
            text_rendering="geometric_precision",
            **options,
        )
    except (ValueError, RuntimeError, OSError) as error:
        raise RenderError.about("SVG", f"cannot be drawn: {error}") from error
    return bytes(png)


def open_image(png: bytes) -> Image.Image:
    """The picture in a PNG. Raises RenderError for what is no PNG or is larger than MAX_PIXELS."""
    from PIL import Image

    try:
        image = Image.open(io.BytesIO(png), formats=["PNG"])
        if image.width * image.height > MAX_PIXELS:
            raise RenderError.about("PNG", f"has {image.width} x {image.height} pixels, more than {MAX_PIXELS:,}")
        image.load()
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise RenderError.about("PNG", f"cannot be read: {error}") from error
    return image


def pack(png: bytes, *, colours: int = 256, level: int = 6) -> bytes:
    """The same picture as a PNG of at most `colours` colours (2 to 256), transparency kept.

    For flat drawings nobody sees the difference; the file shrinks to about a quarter.
    """
    from PIL import Image

    image = open_image(png)
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    few = image.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=level)
    return min(out.getvalue(), png, key=len)


@cache
def _face(family: str, weight: int, style: str) -> Any:
    from PIL import ImageFont

    name = _FACES.get((family, weight, style))
    if name is None:
        raise KeyError(f"no shipped font is {family} {weight} {style}")
    path = font_folder() / name
    try:
        return ImageFont.truetype(str(path), 1000, layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise RenderError.about(path, f"cannot be used: {error}") from error


def text_width(text: str, size: float, family: str = SANS, weight: int = 400, style: str = "normal") -> float:
    """Advance width of a line of text in the units of `size` (kerning included, letter spacing not)."""
    return float(_face(family, weight, style).getlength(text)) * size / 1000
