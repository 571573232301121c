"""Whom a retreat means that names its units by their part: `retreat defender: 1107`, `retreat both-units: 1107`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hexforge.scenarios.hexgrid import Hex
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.combat.aftermath import Aftermath

_BOTH: Final = 2


def named(after: Aftermath, acts: Iterable[st.Act]) -> tuple[st.Act, ...]:
    """The acts, with the units that their retreats mean; one that may mean several, or none, as it stands.

    Hangs on nothing that the acts change, so that whoever asks is told the same.
    """
    acts = tuple(acts)
    return tuple(_with_units(after, act, acts) if isinstance(act, st.RetreatOf) else act for act in acts)


def _with_units(after: Aftermath, act: st.RetreatOf, acts: Sequence[st.Act]) -> st.Act:
    units = _meant(after, act, _who_is_left(after, act, acts))
    return st.Retreat(act.line, units, act.path) if units else act


def _meant(after: Aftermath, act: st.RetreatOf, left: Sequence[str]) -> tuple[str, ...]:
    sides = [tuple(u for u in left if u in part) for part in (after.engaged, after.defenders)]
    attackers, defenders = ([u for u in units if _from(after, act, u)] for units in sides)
    if act.who in ("attacker", "defender"):
        units = attackers if act.who == "attacker" else defenders
        meant = units if after.demands is None else list(filter(after.must_retreat, units))
    else:
        fleeing = [units for units in (attackers, defenders) if any(map(after.must_retreat, units))]
        meant = fleeing[0] if len(fleeing) == 1 else []
        if act.who == "all":
            meant = list(filter(after.must_retreat, meant))
        elif len(meant) != _BOTH:
            meant = []
    # Those of several hexes go to one that touches them all; else nobody has said who goes where. So with `all`,
    # which may be of the other side than the one that its writer means.
    homes = {after.home[unit] for unit in meant}
    touched = len(act.path) == 1 and all(h is not None and _touch(after, h, act.path[0]) for h in homes)
    sure = len(homes) == 1 and (act.who != "all" or len(act.path) > 1)
    return tuple(meant) if sure or touched else ()


def _touch(after: Aftermath, a: Hex, b: Hex) -> bool:
    grid = after.position.grid
    return b in grid and grid.adjacent(a, b)


def _from(after: Aftermath, act: st.RetreatOf, unit: str) -> bool:
    """Whether a unit stood where the way begins; one hex alone is where all of them end."""
    return len(act.path) == 1 or after.home[unit] == act.path[0]


def _who_is_left(after: Aftermath, act: st.RetreatOf, acts: Sequence[st.Act]) -> list[str]:
    """Who fought, without those who are told to be lost or to go by themselves."""
    others = (one for one in acts if isinstance(one, st.Retreat | st.Eliminate))
    gone = {unit for one in others for unit in one.units}
    lost = Counter(_losses(acts))
    return [u for u in after.home if u not in gone and lost[u] < after.had[u]]


def _losses(acts: Sequence[st.Act]) -> Iterator[str]:
    for act in acts:
        if isinstance(act, st.Lose):
            yield from act.units
