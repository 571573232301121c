"""Comparing pictures: stored ones allow for small differences between versions of the rasteriser."""

from __future__ import annotations

import io
import os
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

SNAPSHOTS = Path(__file__).parent / "snapshots"
TOLERANCE = 16.0
"""Mean difference of a channel, of 255, that a stored picture allows in any patch: edges may move by a shade."""
PATCH = 12
"""Pixels a side of a patch: a mark of size or a figure that is missing fills a good part of one."""


def image(png: bytes) -> Image.Image:
    """The picture on white."""
    opened = Image.open(io.BytesIO(png)).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", opened.size, "white"), opened).convert("RGB")


def difference(a: Image.Image, b: Image.Image) -> float:
    """Mean difference of the channels, 0 to 255."""
    assert a.size == b.size
    means = ImageStat.Stat(ImageChops.difference(a, b)).mean
    return sum(means) / len(means)


def worst_patch(a: Image.Image, b: Image.Image) -> float:
    """The largest mean difference in any patch, 0 to 255."""
    assert a.size == b.size
    patches = (max(1, a.width // PATCH), max(1, a.height // PATCH))
    means = ImageChops.difference(a, b).convert("L").resize(patches, Image.Resampling.BOX)
    return float(means.getextrema()[1])


def row(pictures: list[Image.Image]) -> Image.Image:
    """Pictures of one size side by side."""
    sheet = Image.new("RGB", (sum(p.width for p in pictures), pictures[0].height), "white")
    x = 0
    for picture in pictures:
        sheet.paste(picture, (x, 0))
        x += picture.width
    return sheet


def assert_like_snapshot(picture: Image.Image, name: str) -> None:
    """Compare with `snapshots/<name>.png`; HEXFORGE_SNAPSHOTS=write stores it anew."""
    file = SNAPSHOTS / f"{name}.png"
    if os.environ.get("HEXFORGE_SNAPSHOTS") == "write":
        picture.save(file, optimize=True)
    assert file.is_file(), f"no snapshot {file}; write it with HEXFORGE_SNAPSHOTS=write"
    stored = Image.open(file).convert("RGB")
    assert stored.size == picture.size
    assert worst_patch(stored, picture) < TOLERANCE, f"differs from {file}"
