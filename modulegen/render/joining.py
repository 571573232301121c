"""Bands of a large picture become one PNG of few colours; never is all of it held in full colour.

The colours are those of every third pixel each way. Flat drawings lose nothing by that, and it takes a ninth of
the time; what is rare in the sample is drawn in the nearest colour kept.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL import Image

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
        from hexforge.modulegen.render.raster import open_image

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
