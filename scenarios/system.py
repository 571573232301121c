"""What the operating system answers, as messages."""

from __future__ import annotations

import errno
import os
import stat
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from hexforge.scenarios.alike import alike
from hexforge.scenarios.words import Message, message

_FILES: Final = (
    "ENOENT",
    "EACCES",
    "EPERM",
    "EISDIR",
    "ENOTDIR",
    "ENOSPC",
    "EROFS",
    "ENAMETOOLONG",
    "ELOOP",
    "ESPIPE",
)
_REASONS: Final = frozenset((*_FILES, "EADDRINUSE", "EADDRNOTAVAIL"))
"""What it most often answers about a file or an address, and we have words for."""


_LISTED: Final = 2_000
_NAME: Final = 255
"""So many names of a folder, of so many characters, are compared with one that is not there."""


def refused(error: OSError) -> Message:
    """Why the system refused, without the file's name."""
    code = errno.errorcode.get(error.errno or 0, "")
    near = _near(error.filename) if code == "ENOENT" and isinstance(error.filename, str) else ""
    if near:
        return message("system.near", near=near)
    if code in _REASONS:
        return message(f"system.{code}")
    return message("system.other", why=error.strerror or str(error))


def _near(path: str) -> str:
    """The name of what lies beside a path that is not there, and is written nearly like it."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = [entry.name for entry in islice(entries, _LISTED)]
    except OSError:
        return ""
    found = alike(name[:_NAME], names, least=0.8)
    return str(Path(folder, found[0])) if found else ""


def open_file(path: str | Path, *, whole: bool = False) -> BinaryIO:
    """Open a file for reading, and never wait for it: a named pipe that nobody writes to reads as empty.

    `whole`: it must be a file with a beginning and an end, no device or pipe. Raises OSError with the file's name.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    code = errno.EISDIR if stat.S_ISDIR(mode) else errno.ESPIPE if whole and not stat.S_ISREG(mode) else 0
    if code:
        os.close(handle)
        raise OSError(code, os.strerror(code), str(path))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(handle, True)
    return os.fdopen(handle, "rb")
