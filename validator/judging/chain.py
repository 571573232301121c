"""Whether logs, or sheets, are one unbroken game: what each is, how they follow, and what is wrong with that.

Logs may be of any module; of their rules nothing is asked here.

How logs follow from one another: which begins where which ended, which was begun anew, which is a copy.

What logs say of the program and the module that wrote them, of who wrote when, and ids that do not fit that.

The kinds of what is found wrong with a chain, and notes of them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.text.words import Message, Param, Words, message
from ..notation import statements
from ..reading.sheet import read_file
from ..rules.findings import Finding, FindingKind, log_kinds
from .replayed import game_of, players_of, problems_of
from .situation import replayed

if TYPE_CHECKING:
    from pathlib import Path

    from ..logs.chain import Chain, LogRead, LogStanding
    from ..logs.locations import Noted, Origin
    from ..rules.findings import Severity


KINDS: Final[Mapping[str, FindingKind]] = log_kinds(
    {
        "log-chain": {
            "illegal": "same-file forks begins-alike restarted same-actions",
            "doubtful": "turn-back",
            "warning": "goes-on module-version extension-gone extension-new extension-version saved-earlier "
            "id-later id-older id-unknown",
            "info": "belongs-after nothing-before vassal-version same-hand",
        },
    }
)
"""Keys below `note` in `art/words/chain.*.yaml`."""


def note(origin: Origin, key: str, /, **values: Param) -> Noted:
    """A note of one of `KINDS`."""
    from ..logs.locations import Noted

    kind = KINDS[key]
    return Noted(origin, kind.code, kind.severity, message(f"chain.note.{key}", **values))


_FEWEST: Final = 2
"""Actions that two logs must have in common before it is no coincidence."""


@dataclass(frozen=True, eq=False)
class Leg:
    """A log as a part of the way from the first position to the last, with marks of its two ends."""

    log: LogRead
    hand: str

    @cached_property
    def whole(self) -> str:
        """A mark of all that it holds."""
        return hashlib.sha256(self.log.game.text).hexdigest()

    @cached_property
    def begins(self) -> str:
        """A mark of the position that it begins with."""
        return _mark(self.log.start)

    @cached_property
    def ends(self) -> str:
        """A mark of the position that it ends with."""
        return _mark(self.log.end)

    @cached_property
    def actions(self) -> tuple[bytes, ...]:
        """Marks of its actions."""
        return tuple(hashlib.sha256(step.encode()).digest() for step in self.log.game.steps)

    @property
    def where(self) -> Origin:
        """Its beginning."""
        from ..logs.locations import Origin

        return Origin(self.log.name, 0)


def _mark(standing: LogStanding) -> str:
    """A mark of a position as far as it may be seen; hidden pieces and decks show nothing."""
    found = hashlib.sha256()
    for id_, view in sorted(standing.pieces.items()):
        if view.hidden or view.deck or view.map is None:
            continue
        levels = sorted(view.levels.items())
        found.update(repr((id_, view.map, view.x, view.y, [] if view.masked else levels)).encode())
    found.update(repr(sorted(standing.turns.items())).encode())
    return found.hexdigest()


def broken(legs: Sequence[Leg], astray: Mapping[str, bool]) -> Iterator[Noted]:
    """What can be said of logs that do not begin where the one before them ended, and of copies.

    `astray` names the logs of which that is so: True, or False for one that begins where the one before it began,
    which is told already.
    """
    copies: dict[str, Leg] = {}
    for i, leg in enumerate(legs):
        if first := copies.get(leg.whole):
            yield note(leg.where, "same-file", earlier=first.log.name, later=leg.log.name)
            continue
        copies[leg.whole] = leg
        if i and leg.log.name in astray:
            told = not astray[leg.log.name] and legs[i - 1].hand != leg.hand
            twins = legs[: i - 1] if told else legs[:i]
            twin = next((other for other in twins if other.begins == leg.begins), None)
            if twin is not None:
                yield _again(twin, leg, next((other for other in legs if other.ends == leg.begins), None))
            elif astray[leg.log.name]:
                yield _explained(legs, i)


def _explained(legs: Sequence[Leg], i: int) -> Noted:
    """Why a log may not begin where the one before it ended."""
    leg, names = legs[i], {"later": legs[i].log.name}
    after = next((other for other in legs if other is not leg and other.ends == leg.begins), None)
    if after is not None:
        return note(leg.where, "belongs-after", earlier=after.log.name, **names)
    return note(leg.where, "nothing-before", **names)


def _again(first: Leg, second: Leg, root: Leg | None) -> Noted:
    """Two logs that begin from one position, that at the end of `root` if there is such a log."""
    from ..logs.chain import dice_of
    from ..logs.locations import Origin, faces_told

    pairs = zip(first.actions, second.actions, strict=False)
    alike = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first.actions), len(second.actions)))
    names = {"earlier": first.log.name, "later": second.log.name}
    if alike == len(first.actions) and alike >= _FEWEST:
        return note(second.where, "goes-on", **names)
    if alike >= _FEWEST:
        return note(Origin(second.log.name, alike + 1), "same-actions", count=alike, **names)
    if first.hand and first.hand == second.hand:
        thrown = [faces_told(e.numbers) for told in first.log.told for e in dice_of(told.action)]
        return note(second.where, "restarted", who=first.hand, dice=tuple(thrown[:8]), count=len(thrown), **names)
    if root is not None:
        return note(second.where, "forks", root=root.log.name, other=first.log.name, later=second.log.name)
    return note(second.where, "begins-alike", **names)


def order_of(legs: Sequence[Leg]) -> list[Leg] | None:
    """The logs in the one order in which each begins where the one before it ended; None where there is none, or
    where it is the order that they are in."""
    begins: dict[str, list[int]] = defaultdict(list)
    for i, leg in enumerate(legs):
        begins[leg.begins].append(i)
    ends = {leg.ends for leg in legs}
    first = [i for i, leg in enumerate(legs) if leg.begins not in ends]
    if len(first) != 1:
        return None
    found = first
    while len(found) < len(legs):
        following = [i for i in begins[legs[found[-1]].ends] if i not in found]
        if len(following) != 1:
            return None
        found.append(following[0])
    return [legs[i] for i in found] if found != sorted(found) else None


_DAY: Final = 86_400_000
"""Milliseconds by which the clocks of two players may differ."""
_MINUTE: Final = 60_000
_TIMES: Final = range(1_000_000_000_000, 10_000_000_000_000)
"""Ids that VASSAL made of the clock, in milliseconds since 1970: of the years 2001 to 2286.
Source: `VASSAL.build.module.GameState.getNewPieceId`."""
MAX_NAMED: Final = 5


def saved(log: LogRead) -> int | None:
    """When a log was written, in milliseconds since 1970; None where it does not say so."""
    return (log.game.saved and log.game.saved.date_saved) or None


def day(milliseconds: int | None) -> str:
    """A time as it is told, in UTC: `2026-11-22 01:02:45`; "" for none, and for one beyond all calendars."""
    if milliseconds is None or not 0 <= milliseconds < 253_402_300_800_000:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def editions(legs: Sequence[Leg]) -> Iterator[Noted]:
    """Versions that change from one log to the next."""
    for earlier, later in pairwise(legs):
        old, new, where = earlier.log.game, later.log.game, later.where
        module, before = new.module, old.module
        if module and before and module.name == before.name and module.version != before.version:
            versions = {"before": before.version or "-", "now": module.version or "-"}
            yield note(where, "module-version", module=module.name, **versions)
        if old.saved and new.saved and old.saved.vassal_version != new.saved.vassal_version:
            versions = {"before": old.saved.vassal_version or "-", "now": new.saved.vassal_version or "-"}
            yield note(where, "vassal-version", **versions)
        yield from _extensions(earlier.log.extensions, later.log.extensions, where)


def _extensions(old: Mapping[str, str], new: Mapping[str, str], where: Origin) -> Iterator[Noted]:
    for name in sorted({*old, *new}):
        if name not in new:
            yield note(where, "extension-gone", name=name)
        elif name not in old:
            yield note(where, "extension-new", name=name)
        elif old[name] != new[name]:
            yield note(where, "extension-version", name=name, before=old[name] or "-", now=new[name] or "-")


def hands(legs: Sequence[Leg]) -> Iterator[Noted]:
    """Two logs in a row that one player kept."""
    for earlier, later in pairwise(legs):
        if later.hand and earlier.hand == later.hand:
            names = {"earlier": earlier.log.name, "later": later.log.name}
            yield note(later.where, "same-hand", who=later.hand, **names)


def dates(legs: Sequence[Leg]) -> Iterator[Noted]:
    """Logs that were written before the one that they go on from."""
    for earlier, later in pairwise(legs):
        before, now = saved(earlier.log), saved(later.log)
        if before is not None and now is not None and now < before:
            names = {"earlier": earlier.log.name, "later": later.log.name}
            yield note(later.where, "saved-earlier", before=day(before), now=day(now), **names)


def ids(legs: Sequence[Leg]) -> Iterator[Noted]:
    """Ids of pieces that cannot be: made after the log was written, or before it was begun; of no piece at all."""
    known: set[str] = set()
    last: int | None = None
    for leg in legs:
        log, now = leg.log, saved(leg.log)
        made = {i for i in log.end.pieces if i not in log.start.pieces and i not in known}
        if now is not None:
            late = [i for i in log.start.pieces if (time := _time(i)) and time > now + _DAY]
            late += [i for i in made if (time := _time(i)) and time > now + _MINUTE]
            yield from _strange_pieces(leg, "id-later", late, now)
        if last is not None:
            old = [i for i in made if (time := _time(i)) and time < last - _DAY]
            yield from _strange_pieces(leg, "id-older", old, last)
        if log.missed:
            named = tuple(sorted(log.missed)[:MAX_NAMED])
            yield note(leg.where, "id-unknown", log=log.name, count=len(log.missed), ids=named)
        known |= {*log.start.pieces, *log.end.pieces}
        last = now if now is not None else last


def _time(id_: str) -> int | None:
    return number if id_.isascii() and id_.isdigit() and (number := int(id_[:20])) in _TIMES else None


def _strange_pieces(leg: Leg, key: str, found: Sequence[str], time: int) -> Iterator[Noted]:
    if not found:
        return
    pieces = {**leg.log.start.pieces, **leg.log.end.pieces}
    told = [
        message("chain.piece", name=pieces[i].name if not pieces[i].hidden else "?", id=i, made=day(_time(i)))
        for i in sorted(found)[:MAX_NAMED]
    ]
    yield note(leg.where, key, log=leg.log.name, count=len(found), pieces=tuple(told), time=day(time))


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
    from ..logs.wrong_phase import hand_of

    legs = [Leg(log, hand_of(log)) for log in chain.logs]
    astray = {n.origin.log: n.message.key == _BREAK for n in chain.noted if n.message.key in (_BREAK, _UNSTEPPED)}
    found: list[Noted] = [*chain.noted, *broken(legs, astray)]
    for look in (editions, dates, hands, ids):
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
        "saved": day(saved(log)),
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
    from ..logs.locations import Origin

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
    game = game_of(sheet)
    turns = [s.number for s in sheet.statements if isinstance(s, statements.TurnStart)]
    players = tuple(f"{who} ({side})" for side, who in players_of(sheet).items())
    about: dict[str, str | int | tuple[str, ...]] = {"game": game.name if game else "", "players": players}
    if turns:
        about |= {"first-turn": turns[0], "last-turn": turns[-1]}
    return CoursePart(name, about)


def _turns(parts: Sequence[CoursePart]) -> list[Flaw]:
    from ..logs.locations import Origin

    found = []
    for earlier, later in pairwise(parts):
        last, first = earlier.about.get("last-turn"), later.about.get("first-turn")
        if isinstance(last, int) and isinstance(first, int) and first < last:
            where = Origin(later.name, 0)
            found.append(_flaw(note(where, "turn-back", earlier=earlier.name, last=last, first=first)))
    return found
