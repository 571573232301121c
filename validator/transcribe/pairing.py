"""Which dice belong to which combat: by what was declared before them and what was carried out after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.transcribe.combats import LoggedCombat, Timed
from hexforge.validator.transcribe.entries import LogEntry, LoggedThrow

_LATE: Final = 3.0
"""What it tells against a pair that the dice fell before the declaration; more for each throw between them."""
_OTHERS: Final = 3.5
"""… that what followed the dice at once was done to units of other combats only."""
_BEFORE: Final = 10.0
"""… that something was done to the combat's units before the dice fell."""
_NAMED: Final = 4.0
"""… that another combat was named just before them."""


def whole_throws(entries: Sequence[LogEntry], dice: int) -> list[Timed]:
    """The throws of a phase with their places; single dice in a row make one of so many dice."""
    found: list[Timed] = []
    faces: tuple[int, ...] = ()
    for time, entry in enumerate(entries):
        if not isinstance(entry.what, LoggedThrow):
            continue
        faces += entry.what.faces
        if len(faces) >= dice:
            found.append((time, replace(entry, what=LoggedThrow(faces, entry.what.typed))))
            faces = ()
    return found


def pair(
    combats: Sequence[LoggedCombat], throws: Sequence[Timed], done: Mapping[int, Sequence[int]]
) -> list[Timed]:
    """Give each combat its throw; those that remain belong to none.

    `done`: the times at which something was done to a combat's units, by the combat's place in the list.
    """
    left = [t for t in throws if not _typed_along(combats, t)]
    times = [time for time, _ in left]
    costs = sorted(
        (_cost(combats, done, c, times, t) + abs(c - t) / 1000, t, c)
        for c, combat in enumerate(combats)
        if combat.throw is None
        for t in range(len(left))
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


def _cost(
    combats: Sequence[LoggedCombat], done: Mapping[int, Sequence[int]], c: int, times: Sequence[int], t: int
) -> float:
    combat, time = combats[c], times[t]
    until = times[t + 1] if t + 1 < len(times) else float("inf")
    since = times[t - 1] if t else -1
    cost = 0.0
    if combat.time > time:
        cost += _LATE + sum(time < other < combat.time for other in times)
    if any(at < time for at in done[c]):
        cost += _BEFORE
    after = {other for other, when in done.items() if any(time < at < until for at in when)}
    if after and c not in after:
        cost += _OTHERS
    named = {i for i, other in enumerate(combats) if any(since < at < time for at in other.hints)}
    return cost + (_NAMED if named and c not in named else 0.0)
