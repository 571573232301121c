"""SVG to PNG: resvg draws with the shipped fonts alone, Pillow measures text and packs the result.

The same SVG gives the same bytes on every machine: no system font is read, no date or name is stored.

Bands of a large picture become one PNG of few colours; never is all of it held in full colour.

The colours are those of every third pixel each way. Flat drawings lose nothing by that, and it takes a ninth of
the time; what is rare in the sample is drawn in the nearest colour kept.
"""

from __future__ import annotations

import io
import threading
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.parsers import expat

from ...scenarios.console import Problem, ScenarioError, refused
from ...scenarios.text.words import Message, message

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
_MOST_HEAD = 12 + 16 * 256
MAX_PIXELS = 100_000_000


class RenderError(ScenarioError):
    """Something cannot be drawn. Like every ScenarioError it says which file and why."""

    @classmethod
    def about(cls, file: str | Path, what: Message, line: int = 0) -> RenderError:
        """An error with one problem."""
        return cls([Problem(str(file), line, "", what)])


def font_folder() -> Path:
    """The folder of the shipped fonts."""
    return Path(__file__).parents[2] / "art" / "fonts"


def _end_of_tables(head: bytes) -> int:
    """How long a font must be for all tables that its head lists (OpenType specification, Table Directory)."""
    directory = 12 + 16 * int.from_bytes(head[4:6])
    entries = [head[i : i + 16] for i in range(12, directory, 16)]
    return max([directory, *[int.from_bytes(e[8:12]) + int.from_bytes(e[12:16]) for e in entries]])


@cache
def font_files() -> tuple[str, ...]:
    """Paths of all shipped fonts in a fixed order. Raises RenderError for one that cannot be used.

    resvg would pass over such a file without a word and draw the text in another face, or not at all.
    """
    found = sorted(p for p in font_folder().glob("*") if p.suffix in (".ttf", ".otf"))
    missing = sorted(set(_FACES.values()) - {p.name for p in found})
    if missing:
        raise RenderError(
            [Problem(str(font_folder() / name), 0, "", message("drawing.missing")) for name in missing]
        )
    for path in found:
        try:
            with path.open("rb") as stream:
                head = stream.read(_MOST_HEAD)
                size = stream.seek(0, 2)
        except OSError as error:
            why = refused(error)
            raise RenderError.about(path, message("drawing.unreadable", why=why)) from error
        if head[:4] not in _SFNT:
            raise RenderError.about(path, message("drawing.no-font"))
        if head[:4] != b"ttcf" and _end_of_tables(head) > size:
            whole = _end_of_tables(head)
            raise RenderError.about(path, message("drawing.cut-off", size=size, whole=whole))
    return tuple(str(p) for p in found)


_own: Final = threading.local()
"""What resvg is told belongs to the thread that made it."""


def drawing_options() -> Any:
    """What resvg is told before it reads an SVG: the shipped fonts, read once in a thread, and no other."""
    found = getattr(_own, "options", None)
    if found is None:
        found = _own.options = _options()
    return found


def _options() -> Any:
    from resvg import usvg

    options = usvg.Options.default()
    options.font_family = SANS
    for path in font_files():
        try:
            options.load_font_data(Path(path).read_bytes())
        except OSError as error:
            why = refused(error)
            raise RenderError.about(path, message("drawing.unreadable", why=why)) from error
    return options


def well_formed(svg: str) -> None:
    """Raises RenderError for what is no SVG: resvg would write a trace of its own to standard error."""
    parser = expat.ParserCreate()

    def root(tag: str, _: object) -> None:
        parser.StartElementHandler = None
        if tag.rpartition(":")[2] != "svg":
            raise RenderError.about(
                "SVG",
                message("drawing.no-svg", tag=tag),
            )

    parser.StartElementHandler = root
    try:
        parser.Parse(svg, True)
    except expat.ExpatError as error:
        raise RenderError.about("SVG", message("drawing.not-drawn", why=str(error))) from error


def rasterise(svg: str, *, zoom: float = 1) -> bytes:
    """A PNG (8-bit RGBA) of an SVG at its own size, or enlarged `zoom` times.

    Raises RenderError when it is no SVG or would be larger than MAX_PIXELS.
    """
    import resvg

    well_formed(svg)
    try:
        tree = resvg.usvg.Tree.from_str(svg, drawing_options())
        width, height = (max(1, round(v * zoom)) for v in tree.int_size())
        if width * height > MAX_PIXELS:
            raise RenderError.about(
                "SVG",
                message("drawing.too-large", most=MAX_PIXELS, width=width, height=height),
            )
        return resvg.render(tree, (zoom, 0, 0, 0, zoom, 0), bg_size=(width, height))
    except RenderError:
        raise
    except BaseException as error:
        # What the library's native code gives up on arrives as a PanicException, which is no Exception.
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise RenderError.about("SVG", message("drawing.not-drawn", why=str(error))) from error
        raise


def open_image(png: bytes) -> Image.Image:
    """The picture in a PNG. Raises RenderError for what is no PNG or is larger than MAX_PIXELS."""
    from PIL import Image

    try:
        image = Image.open(io.BytesIO(png), formats=["PNG"])
        if image.width * image.height > MAX_PIXELS:
            raise RenderError.about(
                "PNG",
                message("drawing.too-large", most=MAX_PIXELS, width=image.width, height=image.height),
            )
        image.load()
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise RenderError.about("PNG", message("drawing.unreadable", why=str(error))) from error
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
        raise RenderError.about(path, message("drawing.unusable", why=str(error))) from error


def text_width(text: str, size: float, family: str = SANS, weight: int = 400, style: str = "normal") -> float:
    """Advance width of a line of text in the units of `size` (kerning included, letter spacing not)."""
    return float(_face(family, weight, style).getlength(text)) * size / 1000


STEP = 3
"""Of so many pixels, each way, one decides which colours are kept."""


class Band(NamedTuple):
    """A horizontal band of a picture: its size in pixels, and its pixels (8-bit RGB, row by row) by zlib."""

    width: int
    height: int
    pixels: bytes

    @classmethod
    def of(cls, png: bytes) -> Band:
        """The band drawn as a PNG; what shows through it is lost. Raises RenderError for what is no PNG."""
        image = open_image(png).convert("RGB")
        # Drawings shrink to a twentieth, which is quicker than passing all of it between processes.
        return cls(image.width, image.height, zlib.compress(image.tobytes(), 1))

    def image(self) -> Image.Image:
        """Its pixels."""
        from PIL import Image

        return Image.frombytes("RGB", (self.width, self.height), zlib.decompress(self.pixels))


def join(bands: Sequence[Band], colours: int) -> bytes:
    """The bands below each other as a PNG of `colours` colours (2 to 256; 0: all of them)."""
    from PIL import Image

    if not bands:
        raise ValueError("a picture has at least one band")
    size = bands[0].width, sum(b.height for b in bands)
    palette = _palette(bands, colours) if colours else None
    whole = Image.new("P" if palette else "RGB", size)
    if palette:
        whole.putpalette(palette.getpalette() or [])
    y = 0
    for band in bands:
        image = band.image()
        whole.paste(image.quantize(palette=palette, dither=Image.Dither.NONE) if palette else image, (0, y))
        y += band.height
    out = io.BytesIO()
    whole.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _palette(bands: Sequence[Band], colours: int) -> Image.Image:
    from PIL import Image

    samples = [_sample(band) for band in bands]
    together = Image.new("RGB", (samples[0].width, sum(s.height for s in samples)))
    y = 0
    for sample in samples:
        together.paste(sample, (0, y))
        y += sample.height
    return together.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def _sample(band: Band) -> Image.Image:
    from PIL import Image

    size = -(-band.width // STEP), -(-band.height // STEP)
    return band.image().resize(size, Image.Resampling.NEAREST)
