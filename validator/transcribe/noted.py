"""What is found wrong with logs themselves, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hexforge.scenarios.words import Message, Param, message
from hexforge.validator.referee.kinds import LOG_KINDS, Severity


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something stands: the file's name, and the step of the log, counted from 1 (0: its beginning)."""

    log: str
    step: int


def line_of(origin: Origin, lines: Iterable[Origin]) -> int:
    """The first line of a step or, where it left none, the last before it; 1 at least.

    `lines`: where each comes from.
    """
    best = 1
    for number, found in enumerate(lines, 1):
        if found == origin:
            return number
        if found.log == origin.log and found.step <= origin.step:
            best = number
    return best


def steps_of(lines: Iterable[Origin]) -> dict[int, tuple[str, int]]:
    """The log's name and its step, by line."""
    return {number: (origin.log, origin.step) for number, origin in enumerate(lines, 1)}


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


def faces_told(faces: Sequence[int]) -> str:
    """Dice as a sheet has them: `3 5`."""
    return " ".join(map(str, faces))
