"""What the marks on counters say of a combat that no line tells of: marked by the menus, but rolled by plain dice.

The module writes a combat down as it rolls for it. Who throws the dice alone, before or after the counters were
marked, has declared as much by the marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.entries import CounterChange, LogEntry, LoggedThrow, Marked

if TYPE_CHECKING:
    from hexforge.scenarios.schema.rules_combat import CombatRules


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
        attacked = any(isinstance(s, st.Combat) for s in (*typed, *(e.what for e in lines)))
        attacks = any(isinstance(e.what, st.Attack) for e in lines)
        if (attacked and attacks) or not owing:
            found[place:place] = lines
        return attacked and attacks

    for i, entry in enumerate(entries):
        if isinstance(entry.what, Marked):
            place, marks = len(found), entry
            continue
        if isinstance(entry.what, LoggedThrow) and not entry.what.typed:
            stands = i > 0 and isinstance(entries[i - 1].what, Marked)
            owing = owing and not stands
            owing = not (stands and says())
        elif entry.reported and isinstance(entry.what, st.Engagement):
            owing = False
        elif owing and isinstance(entry.what, CounterChange):
            owing = not says()
        found.append(entry)
    if owing:
        says()
    return found


def _declared(entries: Sequence[LogEntry]) -> Iterator[st.Statement]:
    """What was typed of the combat that is being declared: since the dice before."""
    for entry in reversed(entries):
        if isinstance(entry.what, LoggedThrow):
            return
        if isinstance(entry.what, st.Act | st.Engagement):
            yield entry.what


def _lines(entry: LogEntry, side: str, rules: CombatRules, typed: Sequence[st.Statement]) -> Iterator[LogEntry]:
    """The marks as lines, but for what was typed."""
    assert isinstance(entry.what, Marked)
    known = {type(s) for s in typed}
    engaged = any(isinstance(s, st.Engagement) for s in typed)
    for s in _said(entry.what, side, rules):
        if not (engaged if isinstance(s, st.Engagement) else type(s) in known):
            yield replace(entry, what=s, reported=True)


def _said(marked: Marked, side: str, rules: CombatRules) -> Iterator[st.Act | st.Combat]:
    """What marks and points say, in the phase in which a side attacks."""
    if marked.target:
        yield st.Combat(0, (marked.target,))
    if marked.attack:
        yield st.Attack(0, marked.attack)
    helps = any(points.side == side for points in rules.artillery.offboard)
    supporting, guarding = (marked.offboard, 0) if helps else (0, marked.offboard)
    if marked.support or supporting:
        yield st.Support(0, marked.support, supporting)
    if marked.guard or guarding:
        yield st.Guard(0, marked.guard, guarding)
    if marked.air:
        flies = rules.air is not None and rules.air.side == side
        yield st.AirSupport(0, marked.air) if flies else st.GuardAir(0, marked.air)
