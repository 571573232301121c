"""What is found wrong with logs themselves, and where."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from hexforge.scenarios.words import Message, Param, message
from hexforge.validator.referee.kinds import LOG_KINDS, Severity


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something stands: the file's name, and the step of the log, counted from 1 (0: its beginning)."""

    log: str
    step: int


class Places:
    """Where each line of a transcript comes from, to be asked as often as something is noted."""

    def __init__(self, lines: Iterable[Origin]) -> None:
        self._exact: dict[Origin, int] = {}
        self._last = 1
        logs: dict[str, list[tuple[int, int]]] = {}
        for number, origin in enumerate(lines, 1):
            self._last = number
            self._exact.setdefault(origin, number)
            logs.setdefault(origin.log, []).append((origin.step, number))
        self._first = {log: found[0][1] for log, found in logs.items()}
        self._steps = {log: [step for step, _ in sorted(found)] for log, found in logs.items()}
        # Of the lines up to a step, the last: a later one may stand further up.
        self._best = {log: list(accumulate((n for _, n in sorted(found)), max)) for log, found in logs.items()}

    def line_of(self, origin: Origin) -> int:
        """The first line of a step or, where it left none, the last of its log before it, or the log's first."""
        if (exact := self._exact.get(origin)) is not None:
            return exact
        if origin.log not in self._first:
            return self._last if origin.log else 1
        before = bisect_right(self._steps[origin.log], origin.step)
        return self._best[origin.log][before - 1] if before else self._first[origin.log]


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
