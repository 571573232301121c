"""Third stage: pictures become PNGs, in several processes, and none is drawn twice.

The rasteriser holds Python's global lock, so threads would not help. Images are kept by the digest of all that
their pixels depend on, below the user's cache folder.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modulegen.plan.pictures import Picture

SMALL = 200_000
"""Below as many pixels, starting a second process costs more than it saves."""
_BATCH = 400_000
_MAX_CACHE = 512 * 1024 * 1024
PNG = b"\x89PNG\r\n\x1a\n"


def cache_folder() -> Path:
    """Where drawn images are kept: `$XDG_CACHE_HOME/hexforge`, or `~/.cache/hexforge`."""
    base = os.environ.get("XDG_CACHE_HOME") or ""
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "hexforge"


class Cache:
    """Images by key. What cannot be read or written is as good as absent: the cache never fails a build."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder / "images" if folder else None

    def get(self, key: str) -> bytes | None:
        """The image, or None."""
        if self.folder is None:
            return None
        try:
            data = (self.folder / key[:2] / key[2:]).read_bytes()
        except OSError:
            return None
        return data if data.startswith(PNG) and data.endswith(b"IEND\xaeB`\x82") else None

    def put(self, key: str, data: bytes) -> None:
        """Keep an image."""
        if self.folder is None:
            return
        from modulegen.vassal.archive import write_atomic

        path = self.folder / key[:2] / key[2:]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, data)
        except OSError:
            self.folder = None

    def trim(self) -> None:
        """Drop the images unused for longest while the cache is larger than half a gigabyte."""
        if self.folder is None:
            return
        try:
            files = [(p.stat().st_atime, p.stat().st_size, p) for p in self.folder.glob("*/*")]
            excess = sum(size for _, size, _ in files) - _MAX_CACHE
            for _, size, path in sorted(files, key=lambda f: f[0]):
                if excess <= 0:
                    break
                path.unlink(missing_ok=True)
                excess -= size
        except OSError:
            return


def one(picture: Picture) -> bytes:
    """The PNG of a picture."""
    from modulegen.render.raster import pack, rasterise

    png = rasterise(picture.svg)
    return pack(png, colours=picture.colours) if picture.colours else png


def _batch(pictures: Sequence[Picture]) -> list[tuple[str, bytes]]:
    return [(p.name, one(p)) for p in pictures]


def draw(
    pictures: Iterable[Picture],
    cache: Cache,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Mapping[str, bytes]:
    """The PNG of every picture, by name. `progress` is told how many more are done."""
    found: dict[str, bytes] = {}
    missing: list[Picture] = []
    for picture in pictures:
        kept = cache.get(picture.key)
        if kept is None:
            missing.append(picture)
        else:
            found[picture.name] = kept
    progress(len(found))
    keys = {p.name: p.key for p in missing}
    for name, png in _drawn(missing, jobs or os.cpu_count() or 1):
        found[name] = png
        cache.put(keys[name], png)
        progress(1)
    return found


def _drawn(pictures: Sequence[Picture], jobs: int) -> Iterable[tuple[str, bytes]]:
    ordered = sorted(pictures, key=lambda p: (-p.weight, p.name))
    if jobs < 2 or len(ordered) < 2 or sum(p.weight for p in ordered) < SMALL:
        for picture in ordered:
            yield picture.name, one(picture)
        return
    batches: list[list[Picture]] = []
    room = 0
    for picture in ordered:
        if room < picture.weight:
            batches.append([])
            room = _BATCH
        batches[-1].append(picture)
        room -= picture.weight
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    from modulegen.render.raster import font_files

    font_files()
    with multiprocessing.get_context(method).Pool(min(jobs, len(batches))) as pool:
        for batch in pool.imap_unordered(_batch, batches):
            yield from batch
