"""What kind of file a player gave: a log or save of VASSAL, or something to be read as a sheet."""

from __future__ import annotations

from pathlib import Path

from hexforge.scenarios.system import open_file

SUFFIXES = (".vlog", ".vsav")
MAILS = (".eml", ".mbox")


def is_mail(path: str | Path) -> bool:
    """Whether a file is a mail or mailbox, by its name."""
    return Path(path).suffix.lower() in MAILS


def is_log(path: str | Path) -> bool:
    """Whether a file is a save or log by its name or, where that says nothing, by its first bytes."""
    path = Path(path)
    if path.suffix.lower() in SUFFIXES:
        return True
    if path.suffix.lower() in (".sheet", ".txt", *MAILS) or not path.is_file():
        return False
    try:
        with open_file(path) as file:
            head = file.read(6)
    except OSError:
        return False
    return head.startswith((b"PK\x03\x04", b"!VCS", b"VOBS", b"begin_"))
