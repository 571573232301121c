"""The text of a sheet or mail: what a file holds, bounded, and in the encoding that it seems to be in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from ...scenarios.console import open_file, refused
from ...scenarios.text.words import HexforgeError, Param, message

MAX_BYTES: Final = 8_000_000
MAX_LINES: Final = 200_000


class UnreadableSheet(HexforgeError):
    """A file that cannot be read at all; `source` is its name."""

    def __init__(self, source: str, reason: str, **values: Param) -> None:
        super().__init__(message(f"notation.unreadable.{reason}", source=source, **values))
        self.source = source


def decode(data: bytes, source: str = "") -> str:
    """The text of a sheet: UTF-8, or what older mail programs and editors write instead (UTF-16, Windows-1252).

    Raises UnreadableSheet for what is too large, has too many lines, or is no text.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableSheet(source, "large", limit=MAX_BYTES // 1_000_000)
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if any(c in text for c in "\x00\x01\x02\x03\x04\x05\x06"):
            break
        # Empty lines say nothing, but each is an object from here on.
        if max(map(text.count, "\n\r")) > MAX_LINES:
            raise UnreadableSheet(source, "mail-lines", limit=MAX_LINES)
        return text
    raise UnreadableSheet(source, "no-text")


def read_raw(path: str | Path) -> bytes:
    """What a file or, for `-`, standard input holds, up to a byte more than a sheet may. Raises UnreadableSheet."""
    source = str(path)
    try:
        if source == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with open_file(path) as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableSheet(source, "refused", why=refused(error)) from error
