"""ZIP archives that mails carry: their files, bounded in number, size and ratio, unpacked in memory alone."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

MAX_FILES: Final = 200
MAX_TOTAL: Final = 100_000_000
MAX_RATIO: Final = 200
_SMALL: Final = 1_000_000
"""A file of fewer bytes may be packed as tightly as it will."""
_LOG: Final = "savedGame"
_BROKEN: Final = (
    zipfile.BadZipFile, RuntimeError, NotImplementedError, zlib.error, EOFError, OSError, struct.error, ValueError,
    LookupError,
)  # fmt: skip


def is_log(data: bytes) -> bool:
    """Whether an archive is a log or save of VASSAL that a mail program has renamed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _LOG in archive.namelist()
    except _BROKEN:
        return False


def unpack(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    """Each file of an archive: its name and its bytes, or why it was not read: a key of `report.aside`.

    What is wrong with the archive itself has the name "".
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            total = 0
            for entry in entries[:MAX_FILES]:
                found = _read(archive, entry, MAX_TOTAL - total)
                total += len(found) if isinstance(found, bytes) else 0
                yield entry.filename, found
            if len(entries) > MAX_FILES:
                yield "", "many"
    except _BROKEN:
        yield "", "damaged"


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes | str:
    if entry.flag_bits & 1:
        return "locked"
    if entry.file_size > left or entry.file_size > max(_SMALL, entry.compress_size * MAX_RATIO):
        return "large"
    try:
        with archive.open(entry) as file:
            data = file.read(min(left, max(entry.file_size, _SMALL)) + 1)
    except _BROKEN:
        return "damaged"
    return data if len(data) <= left else "large"
