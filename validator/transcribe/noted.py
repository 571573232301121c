"""What is found wrong with logs themselves, and where."""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.scenarios.words import Message, Param, message
from hexforge.validator.referee.kinds import LOG_KINDS, Severity


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something stands: the file's name, and the step of the log, counted from 1 (0: its beginning)."""

    log: str
    step: int


@dataclass(frozen=True, slots=True)
class Noted:
    """Something found wrong with the logs themselves, before any rule is asked."""

    origin: Origin
    code: str
    severity: Severity
    message: Message


def note(origin: Origin, key: str, /, **values: Param) -> Noted:
    """A note of one of `LOG_KINDS`."""
    kind = LOG_KINDS[key]
    return Noted(origin, kind.code, kind.severity, message(f"logs.note.{key}", **values))


def faces_told(faces: tuple[int, ...] | list[int]) -> str:
    """Dice as a sheet has them: `3 5`."""
    return " ".join(map(str, faces))
