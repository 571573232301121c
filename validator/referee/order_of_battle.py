"""Other orders of battle that the rulebook's text allows: whose formation, or how many of it, it does not print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hexforge.validator.referee.combat.unity import Formation, division_of, regiment_of
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.roster import formation_key
from hexforge.validator.referee.state import Position, Unit

IDENTITY: Final = "identity"
"""What `Unit.assumed` holds for a counter whose formation no rulebook prints."""


NOWHERE: Final = ("", "", "")
"""The formation of independent units: no regiment, division or corps."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order of battle: units that are otherwise, and formations supposed to be there whole, or not."""

    units: Mapping[str, Unit] = field(default_factory=dict)
    whole: Mapping[Formation, bool] = field(default_factory=dict)


def other_orders(ctx: Context, position: Position, outcome: Outcome) -> Iterator[tuple[tuple[str, ...], Order]]:
    """Each order of battle that differs in one thing, with the counters whose formation is in doubt.

    Only units that a statement is about are looked at, and those that could belong to their formations.
    """
    there = [u for u in _about(ctx, outcome) if not ctx.units[u].line]
    if not there:
        return
    yield from _completeness(ctx, there)
    strange = [u for u in there if IDENTITY in ctx.units[u].assumed]
    homes = {_home(ctx.units[u]) for u in there}
    for u in strange:
        for home in sorted((homes | {("", d, "") for d in _ruled(ctx)} | {NOWHERE}) - {_home(ctx.units[u])}):
            yield (u,), Order({u: _of(ctx.units[u], home)})
    for u in _others(ctx, there):
        for home in sorted((homes | {NOWHERE}) - {_home(ctx.units[u])}):
            yield (u,), Order({u: _of(ctx.units[u], home)})
    for home in sorted(homes) if len(strange) > 1 else ():
        yield tuple(strange), Order({u: _of(ctx.units[u], home) for u in strange})


def _home(unit: Unit) -> tuple[str, str, str]:
    return unit.regiment, unit.division, unit.corps


def _of(unit: Unit, home: tuple[str, str, str]) -> Unit:
    """The unit as one of another regiment, division and corps."""
    regiment, division, corps = home
    return replace(unit, regiment=regiment, division=division, corps=corps)


def _about(ctx: Context, outcome: Outcome) -> tuple[str, ...]:
    named = [unit for combat in outcome.combats for _, unit, _ in combat.parts]
    named += [unit for move in outcome.moves for unit in move.units]
    named += [unit for finding in outcome.findings for unit in finding.units]
    return tuple(u for u in dict.fromkeys(named) if u in ctx.units)


def _ruled(ctx: Context) -> set[str]:
    """Divisions that rules speak of by name."""
    movement = ctx.movement
    rules = (
        *movement.immobile,
        *movement.allowances,
        *movement.entry_moves,
        *movement.frontiers,
        *movement.entries,
    )
    return {d for rule in rules for d in rule.divisions} | {r.division.lower() for r in ctx.scenario.victory.exits}


def _others(ctx: Context, there: Iterable[str]) -> list[str]:
    """One of each kind of those not there that may as well belong to a formation of those who are."""
    sides = {ctx.units[u].side for u in there}
    found: dict[tuple[str, str, str, bool], str] = {}
    for u, unit in ctx.units.items():
        if IDENTITY in unit.assumed and unit.side in sides and u not in there and not unit.is_gun:
            found.setdefault((unit.side, unit.division, unit.regiment, unit.is_gun), u)
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
