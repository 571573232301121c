"""What the operating system answers, as messages."""

from __future__ import annotations

import errno
from typing import Final

from hexforge.scenarios.words import Message, message

_REASONS: Final = frozenset(
    ("ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "ENOSPC", "EROFS", "ENAMETOOLONG", "ELOOP")
)
"""What it most often answers about a file, and we have words for."""


def refused(error: OSError) -> Message:
    """Why the system refused, without the file's name."""
    code = errno.errorcode.get(error.errno or 0, "")
    if code in _REASONS:
        return message(f"system.{code}")
    return message("system.other", why=error.strerror or str(error))
