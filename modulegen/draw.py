"""Third stage: pictures become PNGs, in several processes, and none is drawn twice.

The rasteriser holds Python's global lock, so threads would not help. Large pictures are drawn in bands, by as many
processes as are free; their number depends on the size alone, for the pixels along the curves differ a little
between one cut and another. Images are kept by the digest of all that their pixels depend on.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ..scenarios.process_pool import Answer, ProcessPool, WorkerEnded
from ..scenarios.text.files import PART, sweep
from ..scenarios.text.words import HexforgeError, message
from .render.raster import Band, drawing_options, join, pack, rasterise

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .plan.markers import Picture


SMALL = 150_000
"""Below as many pixels, starting a second process costs more than it saves."""
BATCH = 400_000
BAND = 7_500_000
"""Pixels of a band at most."""
_MAX_CACHE = 512 * 1024 * 1024
_SEAL = 32
_ROOT = re.compile(
    r'(<svg [^>]*?)width="(\d+)" height="(\d+)" viewBox="0 0 ([\d.]+) ([\d.]+)"([^>]*>)(.*)', re.DOTALL
)


def _sealed(key: str, data: bytes) -> bytes:
    """What stands before an image in the cache, so that a damaged one, or one of another key, is noticed."""
    return hashlib.sha256(key.encode() + data).digest()


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
        seal, image = data[:_SEAL], data[_SEAL:]
        return image if seal == _sealed(key, image) else None

    def put(self, key: str, data: bytes) -> None:
        """Keep an image."""
        if self.folder is None:
            return
        path = self.folder / key[:2] / key[2:]
        part = path.with_suffix(f".{os.getpid()}{PART}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(_sealed(key, data) + data)
            part.replace(path)
        except OSError:
            self.folder = None
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def trim(self) -> None:
        """Drop the images unused for longest while the cache is larger than half a gigabyte."""
        if self.folder is None:
            return
        sweep(self.folder, f"*/*{PART}")
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


def _batch(pictures: list[Picture]) -> list[bytes]:
    return [pack(rasterise(p.svg), colours=p.colours) if p.colours else rasterise(p.svg) for p in pictures]


def bands(svg: str) -> list[tuple[str, int]]:
    """The picture cut into bands, from the top down, with the height of each. Raises ValueError for no SVG."""
    match = _ROOT.match(svg)
    if match is None:
        raise ValueError("a large picture says its width, height and viewBox, in this order")
    before, width, height, view_width, view_height, after, body = match.groups()
    count = -(-int(width) * int(height) // BAND)
    edges = [int(height) * i // count for i in range(count + 1)]
    unit = float(view_height) / int(height)
    return [
        (
            f'{before}width="{width}" height="{below - above}" '
            f'viewBox="0 {above * unit:.6f} {view_width} {(below - above) * unit:.6f}"{after}{body}',
            below - above,
        )
        for above, below in pairwise(edges)
    ]


def _band(svg: str) -> Band:
    return Band.of(rasterise(svg))


def _join(parts: Iterable[Band], colours: int) -> bytes:
    return join(list(parts), colours)


def _drawer() -> Callable[[str | list[Picture]], Any]:
    return lambda what: _band(what) if isinstance(what, str) else _batch(what)


def _result(waiting: Future[Answer[Any]]) -> Any:
    try:
        return waiting.result().taken()
    except WorkerEnded as error:
        raise HexforgeError(message("drawing.ended")) from error


class DrawingPool:
    """Draws pictures as they come; `collect` waits for all. To be used in a `with`."""

    def __init__(self, cache: Cache, jobs: int | None = None) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        self._cache = cache
        self._pool: ProcessPool[str | list[Picture], Any] | None = None
        self._found: dict[str, bytes] = {}
        self._held: list[Picture] = []
        self._weight = 0
        self._pending: list[tuple[list[Picture], list[Future[Answer[Any]]], int]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.__exit__(kind, error, trace)

    def submit(self, pictures: Iterable[Picture]) -> None:
        """Have pictures drawn, beginning while later ones are still being thought up."""
        for picture in pictures:
            kept = self._cache.get(picture.key)
            if kept is not None:
                self._found[picture.name] = kept
                continue
            self._held.append(picture)
            self._weight += picture.weight
            if self.jobs > 1 and self._weight > (BATCH if self._pool else SMALL):
                self._send()

    def _send(self) -> None:
        if self._pool is None:
            # Before the fork, so that the workers need not read the fonts again.
            drawing_options()
            method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
            self._pool = ProcessPool(self.jobs, _drawer, multiprocessing.get_context(method))
        small = [p for p in self._held if p.weight <= BAND]
        if small:
            self._pending.append((small, [self._pool.submit(small)], 0))
        for large in (p for p in self._held if p.weight > BAND):
            cut = bands(large.svg)
            parts = [self._pool.submit(svg) for svg, _ in cut]
            self._pending.append(([large], parts, sum(high for _, high in cut)))
        self._held, self._weight = [], 0

    def collect(self, progress: Callable[[int], None] = lambda done: None) -> dict[str, bytes]:
        """The PNG of every picture, by name. `progress` is told how many more are done."""
        progress(len(self._found))
        if self._held and self._pool is not None:
            self._send()
        for pictures, parts, height in self._pending:
            found = [_result(part) for part in parts]
            self._keep(pictures, [_join(found, pictures[0].colours)] if height else found[0], progress)
        for picture in self._held:
            if picture.weight > BAND:
                cut = bands(picture.svg)
                png = _join((_band(svg) for svg, _ in cut), picture.colours)
            else:
                (png,) = _batch([picture])
            self._keep([picture], [png], progress)
        return self._found

    def _keep(self, pictures: list[Picture], pngs: list[bytes], progress: Callable[[int], None]) -> None:
        for picture, png in zip(pictures, pngs, strict=True):
            self._found[picture.name] = png
            self._cache.put(picture.key, png)
        progress(len(pictures))
