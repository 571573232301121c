"""What logs say of the program and the module that wrote them, of who wrote when, and ids that do not fit that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.words import message
from hexforge.validator.integrity.kinds import note
from hexforge.validator.transcribe.noted import Noted, Origin

if TYPE_CHECKING:
    from hexforge.validator.integrity.links import Leg
    from hexforge.validator.transcribe.chain import LogRead

_DAY: Final = 86_400_000
"""Milliseconds by which the clocks of two players may differ."""
_MINUTE: Final = 60_000
_TIMES: Final = range(1_000_000_000_000, 10_000_000_000_000)
"""Ids that VASSAL made of the clock, in milliseconds since 1970: of the years 2001 to 2286.
Source: `VASSAL.build.module.GameState.getNewPieceId`."""
MAX_NAMED: Final = 5


def hand_of(log: LogRead) -> str:
    """Who kept a log: the player for whom most dice were thrown and most was said in it, else who moved most."""
    spoke: Counter[str] = Counter()
    moved: Counter[str] = Counter()
    for told in log.told:
        if told.action.player:
            moves = any(event.kind == "move" for event in told.action.events)
            (moved if moves else spoke)[told.action.player] += 1
    most = (spoke or moved).most_common(1)
    return most[0][0] if most else ""


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
            yield from _named(leg, "id-later", late, now)
        if last is not None:
            old = [i for i in made if (time := _time(i)) and time < last - _DAY]
            yield from _named(leg, "id-older", old, last)
        if log.missed:
            named = tuple(sorted(log.missed)[:MAX_NAMED])
            yield note(leg.where, "id-unknown", log=log.name, count=len(log.missed), ids=named)
        known |= {*log.start.pieces, *log.end.pieces}
        last = now if now is not None else last


def _time(id_: str) -> int | None:
    return number if id_.isascii() and id_.isdigit() and (number := int(id_[:20])) in _TIMES else None


def _named(leg: Leg, key: str, found: Sequence[str], time: int) -> Iterator[Noted]:
    if not found:
        return
    pieces = {**leg.log.start.pieces, **leg.log.end.pieces}
    told = [
        message("chain.piece", name=pieces[i].name if not pieces[i].hidden else "?", id=i, made=day(_time(i)))
        for i in sorted(found)[:MAX_NAMED]
    ]
    yield note(leg.where, key, log=leg.log.name, count=len(found), pieces=tuple(told), time=day(time))
