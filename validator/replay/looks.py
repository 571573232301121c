"""How a piece of any module looks: which of its pictures lie over each other, as a text that names them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.traits import BasicPiece, Layer, Obscurable, Piece

if TYPE_CHECKING:
    from PIL.Image import Image

_NEXT: Final = "\x1e"
_PART: Final = "\x1f"
"""Between pictures, and between a picture and where it lies: signs that no name of a file has."""
MAX_SIDE: Final = 600
"""Pixels of a piece's picture, either way; what is larger is shown smaller."""
MAX_LAYERS: Final = 12
MAX_FACES: Final = 1_500
"""Looks of pieces that a page has pictures of."""
MAX_PIXELS: Final = 60_000_000
_MOST_BYTES: Final = 32 << 20


def looks_of(piece: Piece, *, masked: bool = False) -> str:
    """The pictures of a piece from bottom to top, each with how far from its middle it lies; "" without any."""
    return _NEXT.join(_PART.join(map(str, layer)) for layer in _layers(piece, masked))


def _layers(piece: Piece, masked: bool) -> Iterator[tuple[str, int, int]]:
    for trait, state in reversed(list(zip(piece.traits, piece.states, strict=True))):
        if masked:
            if isinstance(trait, Obscurable) and trait.image:
                yield trait.image, 0, 0
        elif isinstance(trait, BasicPiece) and trait.image:
            yield trait.image, 0, 0
        elif isinstance(trait, Layer):
            level = trait.level(state)
            image = trait.images[level - 1] if 0 < level <= len(trait.images) else ""
            if image:
                yield image, trait.x, trait.y


class Album:
    """The pictures in a module's file. What is no picture, or too large to be one, is as good as absent."""

    def __init__(self, path: Path) -> None:
        self._archive = Archive(path)
        self._known: dict[str, Image | None] = {}

    def close(self) -> None:
        """Let go of the file."""
        self._archive.close()

    def look(self, look: str) -> Image | None:
        """A piece as it looks, its pictures laid over each other."""
        from PIL import Image

        layers = [layer.split(_PART) for layer in look.split(_NEXT) if layer][:MAX_LAYERS]
        found = [(picture, _near(x), _near(y)) for name, x, y in layers if (picture := self.image(name))]
        if not found:
            return None
        half_wide = max(picture.width / 2 + abs(x) for picture, x, _ in found)
        half_high = max(picture.height / 2 + abs(y) for picture, _, y in found)
        whole = Image.new("RGBA", (max(1, round(half_wide * 2)), max(1, round(half_high * 2))))
        for picture, x, y in found:
            corner = round(half_wide + x - picture.width / 2), round(half_high + y - picture.height / 2)
            whole.alpha_composite(picture, (max(0, corner[0]), max(0, corner[1])))
        if max(whole.size) > MAX_SIDE:
            whole.thumbnail((MAX_SIDE, MAX_SIDE))
        return whole

    def image(self, name: str) -> Image | None:
        """A picture by its name in the module, with or without its ending."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Image | None:
        from PIL import Image, UnidentifiedImageError

        entries = [f"images/{name}{ending}" for ending in ("", ".gif", ".png", ".jpg")]
        entry = next((e for e in entries if e in self._archive), None)
        if entry is None:
            return None
        try:
            with Image.open(io.BytesIO(self._archive.read(entry, _MOST_BYTES))) as picture:
                if picture.width * picture.height > MAX_PIXELS:
                    return None
                return picture.convert("RGBA")
        except (
            UnidentifiedImageError,
            OSError,
            ValueError,
            SyntaxError,
            FormatError,
            Image.DecompressionBombError,
        ):
            return None


def _near(text: str) -> int:
    """How far from the middle a picture lies, within what a piece may measure."""
    return max(-MAX_SIDE, min(MAX_SIDE, int(text)))
