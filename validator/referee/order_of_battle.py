"""Other orders of battle that the rulebook's text allows: whose formation, or how many of it, it does not print."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hexforge.validator.referee.combat.unity import Formation, division_of, regiment_of
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.roster import formation_key
from hexforge.validator.referee.state import Unit

IDENTITY: Final = "identity"
"""What `Unit.assumed` holds for a counter whose formation no rulebook prints."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order of battle: units that are otherwise, and formations supposed to be there whole, or not."""

    units: Mapping[str, Unit] = field(default_factory=dict)
    whole: Mapping[Formation, bool] = field(default_factory=dict)


def other_orders(ctx: Context, outcome: Outcome) -> Iterator[tuple[tuple[str, ...], Order]]:
    """Each order of battle that differs in one thing, with the counters whose formation is in doubt.

    The lists print which division a unit is of, but not always its regiment, nor how many there are. Only the units
    of a combat are looked at, and those that could belong to their regiments.
    """
    yield from orders_of(ctx, (unit for combat in outcome.combats for _, unit, _ in combat.parts))


def orders_of(ctx: Context, units: Iterable[str]) -> Iterator[tuple[tuple[str, ...], Order]]:
    """As `other_orders`, of units that take part in a combat."""
    named = dict.fromkeys(units)
    there = [u for u in named if u in ctx.units and not ctx.units[u].line]
    if not there:
        return
    yield from _completeness(ctx, there)
    strange = [u for u in there if IDENTITY in ctx.units[u].assumed]
    for group in _groups(ctx, strange):
        for regiment in sorted(_regiments(ctx, there, group[0])) if len(group) > 1 else ():
            yield group, Order({u: replace(ctx.units[u], regiment=regiment) for u in group})
    for u in (*strange, *_others(ctx, there)):
        for regiment in sorted(_regiments(ctx, there, u) - {ctx.units[u].regiment}):
            yield (u,), Order({u: replace(ctx.units[u], regiment=regiment)})


def _whose(unit: Unit) -> tuple[str, str, str]:
    """What the lists print of a unit's formation."""
    return unit.side, unit.division, unit.corps


def _regiments(ctx: Context, there: Iterable[str], unit: str) -> set[str]:
    """The regiments in a combat that a unit could be of, and none."""
    mine = _whose(ctx.units[unit])
    return {ctx.units[u].regiment for u in there if _whose(ctx.units[u]) == mine} | {""}


def _groups(ctx: Context, strange: Iterable[str]) -> list[tuple[str, ...]]:
    """Units of one division or corps."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for u in strange:
        found.setdefault(_whose(ctx.units[u]), []).append(u)
    return [tuple(units) for units in found.values()]


def _others(ctx: Context, there: Collection[str]) -> list[str]:
    """One of each regiment that is not there, of the divisions of those who are: it may as well be of theirs."""
    divisions = {_whose(ctx.units[u]) for u in there}
    found: dict[tuple[str, ...], str] = {}
    for u, unit in ctx.units.items():
        if IDENTITY in unit.assumed and _whose(unit) in divisions and u not in there and not unit.is_gun:
            found.setdefault((*_whose(unit), unit.regiment), u)
    return list(found.values())


def _completeness(ctx: Context, there: Iterable[str]) -> Iterator[tuple[tuple[str, ...], Order]]:
    """Each regiment and division of those there that may have more or fewer units than our counters give it."""
    unsure: dict[Formation, list[str]] = {}
    for u in there:
        unit = ctx.units[u]
        for key in (regiment_of(ctx.rules.combat.unity, unit), division_of(unit)):
            if key is not None and not unit.is_gun and unsure_of(ctx, key):
                unsure.setdefault(key, []).append(u)
    for key, units in unsure.items():
        for whole in (False, True):
            yield tuple(units), Order(whole={key: whole})
    names = tuple(dict.fromkeys(u for units in unsure.values() for u in units))
    for whole in (False, True) if len(unsure) > 1 else ():
        yield names, Order(whole=dict.fromkeys(unsure, whole))


def unsure_of(ctx: Context, key: Formation) -> bool:
    """Whether the rulebook leaves open how many units a formation has, or who they are."""
    if key[-1]:
        return False
    counted, side = ctx.rules.combat.unity.counted, key[0]
    if counted is not None:
        known = {formation_key(name) for name in counted.get(side, ())}
        return len(key) == 3 or formation_key(key[2]) not in known
    mine = (u for u in ctx.units.values() if key in (regiment_of(ctx.rules.combat.unity, u), division_of(u)))
    return any(IDENTITY in unit.assumed for unit in mine)
