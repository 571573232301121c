"""Pictures of a module as a draft takes them: as they stand, padded, or laid upon each other."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.drafting.pieces import FacePicture
from hexforge.modulegen.vassal.archive import Archive

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MOST_PIXELS: Final = 40_000_000
"""Pixels of one picture that is drawn upon a counter."""
MOST_BOARD: Final = 120_000_000
_LAYERS: Final = 12


def picture(archive: Archive, name: str) -> tuple[bytes, str] | None:
    """A picture of the module and the suffix that its kind has; None for one that is not there or is none."""
    from PIL import Image, UnidentifiedImageError

    entry = next((e for e in (f"images/{name}", f"images/{name}.gif") if e in archive), None)
    if entry is None:
        return None
    data = archive.read(entry)
    try:
        with Image.open(io.BytesIO(data)) as opened:
            kind = {"PNG": ".png", "JPEG": ".jpg", "GIF": ".gif"}.get(opened.format or "")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None
    return (data, kind) if kind else None


def padded(data: bytes, kind: str, edges: tuple[int, int, int, int]) -> tuple[bytes, str]:
    """A picture with so many pixels more at its left, top, right and bottom edge, where hexes stand out of it."""
    from PIL import Image

    left, top, right, bottom = edges
    with Image.open(io.BytesIO(data)) as opened:
        size = (opened.width + left + right, opened.height + top + bottom)
        if not any(edges) or size[0] * size[1] > MOST_BOARD:
            return data, kind
        whole = Image.new("RGB", size, "white")
        whole.paste(opened.convert("RGB"), (left, top))
    out = io.BytesIO()
    whole.save(out, "JPEG" if kind == ".jpg" else "PNG", **({"quality": 92} if kind == ".jpg" else {}))
    return out.getvalue(), ".jpg" if kind == ".jpg" else ".png"


def drawn(archive: Archive, faces: Sequence[FacePicture]) -> bytes | None:
    """The pictures of one face upon each other, as PNG; None where none of them can be used."""
    from PIL import Image

    layers: list[tuple[Picture, int, int]] = []
    for face in faces[:_LAYERS]:
        found = picture(archive, face.image)
        if found is not None:
            with Image.open(io.BytesIO(found[0])) as opened:
                if opened.width * opened.height <= MOST_PIXELS:
                    layers.append((opened.convert("RGBA"), face.x, face.y))
    if not layers:
        return None
    left = min(x - image.width // 2 for image, x, _ in layers)
    top = min(y - image.height // 2 for image, _, y in layers)
    right = max(x - image.width // 2 + image.width for image, x, _ in layers)
    bottom = max(y - image.height // 2 + image.height for image, _, y in layers)
    if (right - left) * (bottom - top) > MOST_PIXELS:
        return None
    whole = Image.new("RGBA", (right - left, bottom - top))
    for image, x, y in layers:
        whole.alpha_composite(image, (x - image.width // 2 - left, y - image.height // 2 - top))
    out = io.BytesIO()
    whole.save(out, "PNG")
    return out.getvalue()
