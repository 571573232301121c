"""What is found wrong with logs themselves, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hexforge.scenarios.words import Message, Param, message
from hexforge.validator.referee.kinds import LOG_KINDS, Severity


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something stands: the file's name, and the step of the log, counted from 1 (0: its beginning)."""

    log: str
    step: int


def line_of(origin: Origin, lines: Iterable[Origin]) -> int:
    """The first line of a step or, where it left none, the last of its log before it, or else the log's first.

    `lines`: where each comes from.
    """
    best, first, last = 0, 0, 1
    for number, found in enumerate(lines, 1):
        last = number
        if found == origin:
            return number
        if found.log == origin.log:
            first = first or number
            if found.step <= origin.step:
                best = number
    return best or first or (last if origin.log else 1)


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
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()

    def on(self, units: Sequence[str] = (), hexes: Sequence[str] = ()) -> Noted:
        """The same, found on units and hexes."""
        return replace(self, units=tuple(units), hexes=tuple(hexes))


def note(origin: Origin, key: str, /, **values: Param) -> Noted:
    """A note of one of `LOG_KINDS`."""
    kind = LOG_KINDS[key]
    return Noted(origin, kind.code, kind.severity, message(f"logs.note.{key}", **values))


def note_on(origin: Origin, key: str, /, units: Sequence[str], hexes: Sequence[str] = ()) -> Noted:
    """As `note`, on units and hexes, which the words may name as `units` and `hexes`."""
    found = note(origin, key, units=" ".join(units), hexes=" ".join(hexes))
    return found.on(units, hexes)


def faces_told(faces: Sequence[int]) -> str:
    """Dice as a sheet has them: `3 5`."""
    return " ".join(map(str, faces))
