"""Replacements: losses turned back and units rebuilt for points (`rules.replacements`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.rules_replacements import Replacements
from hexforge.scenarios.schema.rules_who import Near
from hexforge.scenarios.words import Message
from hexforge.validator.referee.context import Context, in_turns
from hexforge.validator.referee.findings import Finding, doubt
from hexforge.validator.referee.passing import holder
from hexforge.validator.referee.roster import fits
from hexforge.validator.referee.state import Position, Unit

if TYPE_CHECKING:
    from hexforge.validator.referee.arrival import Arrival

REBUILT: Final = "rebuilt"
"""What a unit bears that was destroyed and came back."""


def rule_for(ctx: Context, position: Position, unit: Unit) -> Replacements | None:
    """The points that a unit may be given in the turn being played."""
    turn = position.turn
    return next(
        (
            rule
            for rule in ctx.rules.replacements
            if rule.side == unit.side and (not rule.types or unit.is_any(rule.types)) and in_turns(rule.turns, turn)
        ),
        None,
    )


def around(ctx: Context, position: Position, side: str, rule: Near, but: str = "") -> frozenset[Hex]:
    """The hexes near units of a side that fit, `but` one."""
    found: set[Hex] = set()
    for u in position.on_map(side):
        hex_ = position.hex_of(u)
        if u != but and hex_ is not None and fits(rule, ctx.units[u], position.units[u]):
            found.update(position.grid.within(hex_, rule.hexes))
    return frozenset(found)


def spent(ctx: Context, position: Position, rule: Replacements, *, surely: bool = False) -> int:
    """What of a rule's points has been used this turn; `surely` without what is doubtful."""
    ledger = position.ledger
    given = ledger.recovered.keys() - ledger.disputed if surely else ledger.recovered
    turned = sum(ledger.given.get(u, 1) for u in given if rule_for(ctx, position, ctx.units[u]) is rule)
    unpaid = ledger.unpaid | ledger.disputed if surely else ledger.unpaid
    back = (u for u in _came_back(position) if u not in unpaid)
    rebuilt = sum(rule_for(ctx, position, ctx.units[u]) is rule for u in back)
    return turned * (rule.step or 0) + rebuilt * (rule.rebuild or 0)


def _came_back(position: Position) -> frozenset[str]:
    """The units that were destroyed and have come back in the turn being played."""
    turn = position.turn
    return frozenset(u for u, state in position.units.items() if REBUILT in state.marks and state.arrived == turn)


def may_turn_back(ctx: Context, position: Position, line: int, unit: Unit) -> list[Finding]:
    """All that forbids a unit on the map to be given a step."""
    rule = rule_for(ctx, position, unit)
    told = {"units": (unit.id,), "unit": unit.id, "turn": position.turn}
    if rule is None or rule.step is None:
        section = next(r.section for r in ctx.rules.replacements if r.side == unit.side)
        return [ctx.found(line, "replacement-none", section=section, **told)]
    found = []
    if dear := _dear(ctx, position, rule, rule.step):
        found.append(ctx.found(line, "replacement-points", section=rule.section, **told, **dear))
    if not rule.contact and position.engaged(unit.id):
        found.append(ctx.found(line, "replacement-contact", section=rule.section, **told))
    hex_ = position.hex_of(unit.id)
    if rule.near is not None and hex_ not in around(ctx, position, unit.side, rule.near, unit.id):
        found.append(ctx.found(line, "replacement-far", section=rule.section, **told, count=rule.near.hexes))
    turned = position.ledger.given.get(unit.id, int(unit.id in position.ledger.recovered))
    if rule.most is not None and turned >= rule.most:
        doubts = undecided([unit.id] if unit.id in position.ledger.disputed else ())
        found.append(
            ctx.found(line, "replacement-often", section=rule.section, **told, limit=rule.most, doubts=doubts)
        )
    for mark in sorted(position.units[unit.id].marks.intersection(rule.barred_marks)):
        found.append(ctx.found(line, "replacement-mark", section=rule.section, what=mark, **told))
    return found


def undecided(units: Iterable[str], kind: str = "recovered") -> tuple[Message, ...]:
    """The doubts whether units might turn back the losses that they did, in one message; none for no unit.

    With `rebuilt` for its kind, whether they might come back.
    """
    named = " ".join(sorted(units))
    return (doubt(kind, units=named),) if named else ()


def _dear(
    ctx: Context, position: Position, rule: Replacements, price: int, others: int = 0
) -> dict[str, Any] | None:
    """What there is to say of a price that the points left do not pay; None if they do.

    `others` is what else the same statement takes of them.
    """
    limit, ledger = points(ctx, position, rule) - others, position.ledger
    left = limit - spent(ctx, position, rule)
    if price <= left:
        return None
    limit += others
    paid = price <= limit - others - spent(ctx, position, rule, surely=True)
    unsure = {u for u in ledger.disputed if paid and rule_for(ctx, position, ctx.units[u]) is rule}
    back = unsure & _came_back(position)
    doubts = (*undecided(unsure - back), *undecided(back, "rebuilt"))
    return {"price": price, "left": max(0, left), "limit": limit, "doubts": doubts}


def stocks(ctx: Context, side: str) -> tuple[Replacements, ...]:
    """The stocks into which a side saves points, each as the first rule of its kind of unit."""
    found: dict[tuple[str, ...], Replacements] = {}
    for rule in ctx.rules.replacements:
        if rule.side == side and rule.saved is not None:
            found.setdefault(rule.types, rule)
    return tuple(found.values())


def saved(ctx: Context, position: Position) -> Mapping[str, tuple[int, ...]]:
    """What each side has in its stocks when the turn being played is over, in their order."""
    found: dict[str, tuple[int, ...]] = {}
    for side in ctx.sides:
        if held := stocks(ctx, side):
            before = (*position.saved.get(side, ()), *(0 for _ in held))
            found[side] = tuple(_kept(ctx, position, stock, before[i]) for i, stock in enumerate(held))
    return found


def _kept(ctx: Context, position: Position, stock: Replacements, before: int) -> int:
    alike = (r for r in ctx.rules.replacements if (r.side, r.types) == (stock.side, stock.types))
    rule = next((r for r in alike if in_turns(r.turns, position.turn)), None)
    if rule is None:
        return before
    left = max(0, points(ctx, position, rule) - spent(ctx, position, rule))
    return left if rule.saved == "all" else min(left, rule.saved or 0)


def points(ctx: Context, position: Position, rule: Replacements) -> int:
    """The points of a turn, with what was saved before it."""
    held = [stock.types for stock in stocks(ctx, rule.side)]
    before = position.saved.get(rule.side, ())
    stock = held.index(rule.types) if rule.types in held else len(before)
    return _brought(ctx, position, rule) + (before[stock] if stock < len(before) else 0)


def _brought(ctx: Context, position: Position, rule: Replacements) -> int:
    """The points that a turn brings: as they stand, or as many for each place that the side holds."""
    if not rule.held:
        return rule.points
    return rule.points * sum(_is_held(ctx, position, place, rule.side) for place in rule.held)


def _is_held(ctx: Context, position: Position, place: str, side: str) -> bool:
    hexes = ctx.ground.place(place)
    return bool(hexes) and all(holder(ctx, position, hex_) == side for hex_ in hexes)


def rebuilds(rule: Replacements | None, unit: Unit) -> bool:
    """Whether a rule brings back a unit of its kind when it is destroyed."""
    return rule is not None and rule.rebuild is not None and (not rule.rebuilds or unit.is_any(rule.rebuilds))


def may_rebuild(arrival: Arrival) -> list[Finding]:
    """All that forbids a destroyed unit to come back, here and now."""
    ctx, position, unit = arrival.ctx, arrival.position, arrival.unit
    rule = rule_for(ctx, position, unit)
    if rule is None or rule.rebuild is None or not rebuilds(rule, unit):
        section = next((r.section for r in ctx.rules.replacements if r.side == unit.side and r.rebuild), "")
        return [arrival.find("never-rebuilt", section=section) if section else arrival.find("no-return")]
    found = []
    if dear := _dear(ctx, position, rule, rule.rebuild, _beside(arrival, rule)):
        found.append(arrival.find("replacement-points", section=rule.section, **dear))
    died = position.units[unit.id].died
    due = (arrival.turn if died is None else died) + rule.delay + 1
    if rule.delay and arrival.turn < due:
        unsure = (doubt("died", unit=unit.id),) if died is None else ()
        found.append(arrival.find("rebuild-early", section=rule.section, doubts=unsure, due=due))
    at_edge = any(arrival.hex in ctx.ground.edge(edge) for edge in rule.edges)
    if not at_edge and not rebuilt_inside(ctx, position, unit, arrival.hex):
        found.append(arrival.find("rebuild-place", section=rule.section))
    return found


def _beside(arrival: Arrival, rule: Replacements) -> int:
    """The points of a rule that those take who come back by the same statement, and are told before."""
    ctx, position, before = arrival.ctx, arrival.position, arrival.before
    paid = 0
    for i, u in enumerate(before):
        unit = ctx.units[u]
        if not position.units[u].alive and rule_for(ctx, position, unit) is rule:
            other = may_rebuild(replace(arrival, unit=unit, before=before[:i]))
            paid += 0 if any(f.severity == "illegal" for f in other) else rule.rebuild or 0
    return paid


def rebuilt_inside(ctx: Context, position: Position, unit: Unit, hex_: Hex) -> bool:
    """Whether a destroyed unit may come back in a hex of a place, or near a unit, clear of the enemy."""
    rule = rule_for(ctx, position, unit)
    if rule is None:
        return False
    near = around(ctx, position, unit.side, rule.near) if rule.near is not None else ()
    if hex_ not in near and not any(hex_ in ctx.ground.place(place) for place in rule.places):
        return False
    return holder(ctx, position, hex_) != position.enemy(unit.side) and position.safe(hex_, unit.side)
