"""What mails carry, apart from how they are read: logs alone need nothing of that."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attached:
    """A sheet or log out of a mail. `name` is safe to show and never a path; `mail` is what carried it."""

    name: str
    data: bytes
    is_log: bool
    mail: str = ""
