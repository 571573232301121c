"""Whether logs, or sheets, are one unbroken game: what each is, how they follow, and what is wrong with that.

Logs may be of any module; of their rules nothing is asked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.words import Message, Words
from hexforge.validator.integrity import origins
from hexforge.validator.integrity.kinds import note
from hexforge.validator.integrity.links import Leg, broken, order_of
from hexforge.validator.referee.findings import Finding
from hexforge.validator.transcribe.noted import Noted, Origin

if TYPE_CHECKING:
    from pathlib import Path

    from hexforge.validator.referee.kinds import Severity
    from hexforge.validator.transcribe.chain import Chain

_BREAK, _UNSTEPPED = "logs.note.other-position", "logs.note.not-stepped-through"


@dataclass(frozen=True, slots=True)
class CoursePart:
    """A log or sheet as it is listed: `about` are the facts on it, by their keys below `chain.about`."""

    name: str
    about: Mapping[str, str | int | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something that is wrong: in which file, at which step of a log or line of a sheet (0: its beginning)."""

    file: str
    place: int
    code: str
    severity: Severity
    message: Message


@dataclass(frozen=True)
class Course:
    """Files as one game. `order`: another order in which each would begin where the one before it ended."""

    kind: str
    parts: tuple[CoursePart, ...]
    flaws: tuple[Flaw, ...]
    order: tuple[str, ...] = field(default=())

    @property
    def sound(self) -> bool:
        """Whether nothing breaks it; warnings are for the reader to judge."""
        return not any(flaw.severity in ("illegal", "doubtful") for flaw in self.flaws)

    def as_json(self, words: Words) -> dict[str, Any]:
        """The course for scripts; what is said comes from `words`."""
        return {
            "kind": f"chain of {self.kind}",
            "sound": self.sound,
            self.kind: [{"file": part.name, **part.about} for part in self.parts],
            "order": list(self.order) or None,
            "findings": [
                {
                    "file": flaw.file,
                    "step" if self.kind == "logs" else "line": flaw.place,
                    "code": flaw.code,
                    "kind": flaw.message.key.rpartition(".")[2],
                    "severity": flaw.severity,
                    "message": words.say(flaw.message),
                }
                for flaw in self.flaws
            ],
        }


def course_of_logs(chain: Chain) -> Course:
    """The course of logs in the order in which they were read."""
    legs = [Leg(log, origins.hand_of(log)) for log in chain.logs]
    astray = {n.origin.log: n.message.key == _BREAK for n in chain.noted if n.message.key in (_BREAK, _UNSTEPPED)}
    found: list[Noted] = [*chain.noted, *broken(legs, astray)]
    for look in (origins.editions, origins.dates, origins.hands, origins.ids):
        found += look(legs)
    rank = {leg.log.name: i for i, leg in enumerate(legs)}
    found.sort(key=lambda n: (rank.get(n.origin.log, 0), n.origin.step))
    flaws = tuple(Flaw(n.origin.log, n.origin.step, n.code, n.severity, n.message) for n in found)
    order = order_of(legs)
    return Course("logs", tuple(map(_log, legs)), flaws, tuple(leg.log.name for leg in order or ()))


def _log(leg: Leg) -> CoursePart:
    log = leg.log
    module, written = log.game.module, log.game.saved
    about: dict[str, str | int | tuple[str, ...]] = {
        "module": f"{module.name} {module.version}".strip() if module else "",
        "vassal": written.vassal_version if written else "",
        "extensions": tuple(f"{name} {version}".strip() for name, version in sorted(log.extensions.items())),
        "saved": origins.day(origins.saved(log)),
        "steps": len(log.told),
        "player": leg.hand,
        "players": tuple(f"{name} ({side})" if side else name for name, side in log.end.players),
    }
    return CoursePart(log.name, about)


# ---------------------------------------------------------------------------------------------- sheets


def course_of_sheets(paths: Sequence[str | Path], options: Mapping[str, str] | None = None) -> Course:
    """The course of sheets in the order given: each is held against the end of the one before.

    Raises what reading and replaying a sheet raises.
    """
    from hexforge.validator.check import problems_of, replayed
    from hexforge.validator.readers.sheet import read_file

    parts: list[CoursePart] = []
    flaws: list[Flaw] = []
    before, seen = None, dict[str, str]()
    for path in paths:
        sheet = read_file(path)
        text, name = "\n".join(sheet.lines), str(path)
        if text in seen:
            flaws.append(_flaw(note(Origin(name, 0), "same-file", earlier=seen[text], later=name)))
        seen.setdefault(text, name)
        found = replayed(sheet, options, before=before)
        unread = problems_of(sheet, known=found is not None)
        flaws += [_of(name, finding) for finding in (*(found.links if found else ()), *unread)]
        parts.append(_sheet(name, sheet))
        if found is not None:
            before = found
    flaws += [*_turns(parts)]
    return Course("sheets", tuple(parts), tuple(flaws))


def _of(name: str, finding: Finding) -> Flaw:
    return Flaw(name, finding.line, finding.code, finding.severity, finding.message)


def _flaw(noted: Noted) -> Flaw:
    return Flaw(noted.origin.log, noted.origin.step, noted.code, noted.severity, noted.message)


def _sheet(name: str, sheet: Any) -> CoursePart:
    from hexforge.validator.check import game_of, players_of
    from hexforge.validator.readers.notation import statements as st

    game = game_of(sheet)
    turns = [s.number for s in sheet.statements if isinstance(s, st.TurnStart)]
    players = tuple(f"{who} ({side})" for side, who in players_of(sheet).items())
    about: dict[str, str | int | tuple[str, ...]] = {"game": game.name if game else "", "players": players}
    if turns:
        about |= {"first-turn": turns[0], "last-turn": turns[-1]}
    return CoursePart(name, about)


def _turns(parts: Sequence[CoursePart]) -> list[Flaw]:
    found = []
    for earlier, later in pairwise(parts):
        last, first = earlier.about.get("last-turn"), later.about.get("first-turn")
        if isinstance(last, int) and isinstance(first, int) and first < last:
            where = Origin(later.name, 0)
            found.append(_flaw(note(where, "turn-back", earlier=earlier.name, last=last, first=first)))
    return found
