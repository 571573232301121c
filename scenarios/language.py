"""The language in which the commands speak: asked for, or taken from the environment.

Every sentence stands where it is said, in both languages: `said("no such hex", "não há esse hexágono")`.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from typing import Final

from hexforge.scenarios.words import SOURCE, Language, Message, Words, languages, message

__all__ = ["Language", "chosen", "default_language", "reason", "refused", "said", "speak"]

_WINDOWS_PORTUGUESE: Final = 0x16
_REASONS: Final = frozenset(
    ("ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "ENOSPC", "EROFS", "ENAMETOOLONG", "ELOOP")
)
"""What the system most often answers about a file, and we have words for."""
_asked: Language | None = None


def speak(language: Language | None) -> None:
    """Let the whole process speak a language from here on; None: the one of the environment."""
    global _asked  # noqa: PLW0603 (a process has one reader)
    _asked = language


def said(en: str, pt: str, language: Language | None = None) -> str:
    """One of two texts, by the language asked for or else that of the process."""
    return pt if (language or default_language()) == "pt" else en


def default_language() -> Language:
    """The language asked for; else that of the environment, if there are words in it; else English.

    HEXFORGE_LANG goes before the system's settings.
    """
    if _asked is not None:
        return _asked
    for name in ("HEXFORGE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "").lower()
        if value:
            asked = re.split("[._@-]", value)[0]
            return asked if asked in languages() else SOURCE
    return "pt" if sys.platform == "win32" and _windows_language() == _WINDOWS_PORTUGUESE else "en"


def _windows_language() -> int:
    """The primary language of Windows' menus, which no variable of the environment tells."""
    if sys.platform != "win32":
        return 0
    import ctypes

    return int(ctypes.windll.kernel32.GetUserDefaultUILanguage()) & 0x3FF


def chosen(value: str | None) -> Language:
    """The language of an option that may not have been given."""
    return value or default_language()


def refused(error: OSError) -> Message:
    """Why the system refused, without the file's name."""
    code = errno.errorcode.get(error.errno or 0, "")
    return (
        message(f"system.{code}") if code in _REASONS else message("system.other", why=error.strerror or str(error))
    )


def reason(error: OSError, language: str | None = None) -> str:
    """Why the system refused, in words."""
    return Words(language or default_language()).say(refused(error))
