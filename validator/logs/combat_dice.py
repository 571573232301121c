"""Which dice belong to which combat: by what was declared before them and what was carried out after them.

What the marks on counters say of a combat that no line tells of: marked by the menus, but rolled by plain dice.

The module writes a combat down as it rolls for it. Who throws the dice alone, before or after the counters were
marked, has declared as much by the marks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Final

from ..notation import base, statements
from .blocks import CounterChange, LogEntry, LoggedThrow, Marked
from .combats import LoggedCombat, Timed

if TYPE_CHECKING:
    from ...scenarios.schema.rules_combat import CombatRules


_LATE: Final = 3.0
"""What it tells against a pair that the dice fell before the declaration; more for each throw between them."""
_OTHERS: Final = 3.5
"""… that what followed the dice at once was done to units of other combats only."""
_BEFORE: Final = 10.0
"""… that something was done to the combat's units before the dice fell."""
_NAMED: Final = 4.0
"""… that another combat was named just before them."""
_MOST: Final = 1_000
"""Throws of a phase that are held against its combats; no game has a tenth of them."""


def whole_throws(entries: Sequence[LogEntry], dice: int) -> tuple[list[Timed], list[Timed]]:
    """The throws of a phase with their places, and dice that are too few for one. Single dice in a row make one,
    but not with those of a throw that is whole without them.
    """
    found: list[Timed] = []
    few: list[Timed] = []
    waiting: list[Timed] = []
    for time, entry in enumerate(entries):
        if not isinstance(entry.what, LoggedThrow):
            continue
        if len(entry.what.faces) >= dice:
            few += waiting
            waiting = [(time, entry)]
        else:
            waiting.append((time, entry))
        faces = tuple(n for _, e in waiting if isinstance(e.what, LoggedThrow) for n in e.what.faces)
        if len(faces) >= dice:
            found.append((time, replace(entry, what=LoggedThrow(faces, entry.what.typed))))
            waiting = []
    return found, [*few, *waiting]


def pair(
    combats: Sequence[LoggedCombat], throws: Sequence[Timed], done: Mapping[int, Sequence[int]]
) -> list[Timed]:
    """Give each combat its throw; those that remain belong to none.

    `done`: the times at which something was done to a combat's units, by the combat's place in the list.
    """
    left = [t for t in throws if not _typed_along(combats, t)]
    asked = _Asked(combats, done, [time for time, _ in left[:_MOST]])
    costs = sorted(
        (asked.cost(c, t) + abs(c - t) / 1000, t, c)
        for c, combat in enumerate(combats)
        if combat.throw is None
        for t in range(len(asked.times))
    )
    used: set[int] = set()
    for _, t, c in costs:
        if t not in used and combats[c].throw is None:
            combats[c].throw = left[t]
            used.add(t)
    return [throw for t, throw in enumerate(left) if t not in used]


def _typed_along(combats: Sequence[LoggedCombat], throw: Timed) -> bool:
    """Whether the line that tells of a throw in its own action says whose it is; it is no throw of any other."""
    time, entry = throw
    if not (isinstance(entry.what, LoggedThrow) and entry.what.typed):
        return False
    for combat in combats:
        if any(e.origin == entry.origin for _, e in combat.acts if e.what is combat.typed_roll):
            combat.throw = (time, entry)
    return True


class _Asked:
    """What tells for a pair and against it, looked up by time."""

    def __init__(
        self, combats: Sequence[LoggedCombat], done: Mapping[int, Sequence[int]], times: Sequence[int]
    ) -> None:
        self.times = times
        self._declared = [combat.time for combat in combats]
        self._begun = [min(done[c], default=inf) for c in range(len(combats))]
        acts = sorted((at, c) for c, when in done.items() for at in when)
        hints = sorted((at, c) for c, combat in enumerate(combats) for at in combat.hints)
        until = [*times[1:], inf]
        since = [-1, *times[:-1]]
        self._after = [_between(acts, *span) for span in zip(times, until, strict=False)]
        """By throw, the combats to whose units something was done before the next."""
        self._named = [_between(hints, *span) for span in zip(since, times, strict=False)]
        """By throw, the combats that were named since the last."""

    def cost(self, c: int, t: int) -> float:
        """How little a combat and a throw belong together."""
        time, declared, cost = self.times[t], self._declared[c], 0.0
        if declared > time:
            cost += _LATE + bisect_left(self.times, declared) - bisect_right(self.times, time)
        if self._begun[c] < time:
            cost += _BEFORE
        if self._after[t] and c not in self._after[t]:
            cost += _OTHERS
        return cost + (_NAMED if self._named[t] and c not in self._named[t] else 0.0)


def _between(events: Sequence[tuple[int, int]], since: float, until: float) -> frozenset[int]:
    """The combats of events that happened after a time and before another."""
    first, end = bisect_right(events, (since, inf)), bisect_left(events, (until, -1))
    return frozenset(c for _, c in events[first:end])


def said_by_marks(entries: Sequence[LogEntry], side: str, rules: CombatRules) -> list[LogEntry]:
    """The entries of a phase with marks as lines, where dice fell that the module says nothing of: those that stand
    as they are thrown or, for dice that fell before, as something is done to counters next, or in the end.
    """
    found: list[LogEntry] = []
    owing = False
    place, marks = 0, None

    def says() -> bool:
        if marks is None:
            return False
        typed = list(_declared(found[:place]))
        lines = list(_lines(marks, side, rules, typed))
        attacked = any(isinstance(s, statements.Combat) for s in (*typed, *(e.what for e in lines)))
        attacks = any(isinstance(e.what, statements.Attack) for e in lines)
        if (attacked and attacks) or not owing:
            found[place:place] = lines
        return attacked and attacks

    for i, entry in enumerate(entries):
        if isinstance(entry.what, Marked):
            place, marks = len(found), entry
            continue
        if isinstance(entry.what, LoggedThrow) and not entry.what.typed:
            stands = i > 0 and isinstance(entries[i - 1].what, Marked) and not _rolled_next(entries, i)
            owing = owing and not stands
            owing = not (stands and says())
        elif entry.reported and isinstance(entry.what, statements.Engagement):
            owing = False
        elif owing and isinstance(entry.what, CounterChange):
            owing = not says()
        found.append(entry)
    if owing:
        says()
    return found


def _rolled_next(entries: Sequence[LogEntry], at: int) -> bool:
    """Whether the module itself rolls for what is marked after these dice, which then are others."""
    marked = entries[at - 1].what
    for entry in entries[at + 1 :]:
        if isinstance(entry.what, CounterChange):
            return False
        if entry.reported and isinstance(entry.what, statements.Combat):
            return isinstance(marked, Marked) and marked.target in entry.what.targets
    return False


def _declared(entries: Sequence[LogEntry]) -> Iterator[base.Statement]:
    """What was typed of the combat that is being declared: since the dice before."""
    for entry in reversed(entries):
        if isinstance(entry.what, LoggedThrow):
            return
        if isinstance(entry.what, base.Act | statements.Engagement):
            yield entry.what


def _lines(entry: LogEntry, side: str, rules: CombatRules, typed: Sequence[base.Statement]) -> Iterator[LogEntry]:
    """The marks as lines, but for what was typed."""
    assert isinstance(entry.what, Marked)
    known = {type(s) for s in typed}
    engaged = any(isinstance(s, statements.Engagement) for s in typed)
    for s in _said(entry.what, side, rules):
        if not (engaged if isinstance(s, statements.Engagement) else type(s) in known):
            yield replace(entry, what=s, reported=True)


def _said(marked: Marked, side: str, rules: CombatRules) -> Iterator[base.Act | statements.Combat]:
    """What marks and points say, in the phase in which a side attacks."""
    if marked.target:
        yield statements.Combat(0, (marked.target,))
    if marked.attack:
        yield statements.Attack(0, marked.attack)
    helps = any(points.side == side for points in rules.artillery.offboard)
    supporting, guarding = (marked.offboard, 0) if helps else (0, marked.offboard)
    if marked.support or supporting:
        yield statements.Support(0, marked.support, supporting)
    if marked.guard or guarding:
        yield statements.Guard(0, marked.guard, guarding)
    if marked.air:
        flies = rules.air is not None and rules.air.side == side
        yield statements.AirSupport(0, marked.air) if flies else statements.GuardAir(0, marked.air)
