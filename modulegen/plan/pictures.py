"""A picture that the module needs: what is to be drawn, before it is drawn."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Picture:
    """One image of the module: its name in `images/`, its SVG, and to how many colours it is reduced (0: none).

    Reducing makes a board a quarter as large; what is small or flat is not worth the time.
    `weight` is roughly the pixels to be drawn; the heavy ones are begun first.
    """

    name: str
    svg: str
    weight: int = 6000
    colours: int = 256

    @property
    def key(self) -> str:
        """A digest of everything that the pixels depend on."""
        text = f"{drawn_by()}\n{self.colours}\n{self.svg}"
        return hashlib.sha256(text.encode()).hexdigest()


@cache
def drawn_by() -> str:
    """The versions of what turns an SVG into a PNG, the shipped fonts included."""
    from importlib.metadata import version

    from hexforge.modulegen.render.raster import font_files

    fonts = hashlib.sha256()
    for path in font_files():
        fonts.update(Path(path).read_bytes())
    return f"resvg {version('resvg')} pillow {version('pillow')} fonts {fonts.hexdigest()}"
