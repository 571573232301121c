"""What kind of file a player gave: a log or save of VASSAL, or something to be read as a sheet."""

from __future__ import annotations

import re
from pathlib import Path

from hexforge.scenarios.system import open_file

SUFFIXES = (".vlog", ".vsav")
MAILS = (".eml", ".mbox")
_HEAD = 4_096
_FIELD = re.compile(rb"(?:From [^\r\n]*\r?\n)?[A-Za-z][A-Za-z0-9-]{1,60}:[ \t]?[^\r\n]*\r?\n")
_SENT = re.compile(rb"^(?:From|Date|Received|Return-Path|Message-ID|MIME-Version):", re.MULTILINE | re.IGNORECASE)


def is_mail(path: str | Path) -> bool:
    """Whether a file is a mail or mailbox, or a folder a Maildir: by its name or, without an ending, its head."""
    path = Path(path)
    if path.suffix.lower() in MAILS:
        return True
    if path.is_dir():
        from hexforge.validator.readers.mails.mail import is_maildir

        return is_maildir(path)
    return not path.suffix and path.is_file() and looks_like_mail(_head(path, _HEAD))


def looks_like_mail(head: bytes) -> bool:
    """Whether a file begins as a mail or a mailbox does."""
    head = head[:_HEAD]
    return _FIELD.match(head) is not None and _SENT.search(head) is not None


def is_text(path: str | Path) -> bool:
    """Whether a file is a text that may hold a sheet, by its name."""
    return Path(path).suffix.lower() == ".txt"


def is_log(path: str | Path) -> bool:
    """Whether a file is a save or log by its name or, where that says nothing, by its first bytes."""
    path = Path(path)
    if path.suffix.lower() in SUFFIXES:
        return True
    if path.suffix.lower() in (".sheet", ".txt", ".zip", *MAILS) or not path.is_file():
        return False
    return begins_as_log(_head(path, 6))


def begins_as_log(head: bytes) -> bool:
    """Whether a file begins as a save or log does, whatever it is called."""
    return head.startswith((b"PK\x03\x04", b"!VCS", b"VOBS", b"begin_"))


def _head(path: Path, count: int) -> bytes:
    try:
        with open_file(path) as file:
            return file.read(count)
    except OSError:
        return b""
