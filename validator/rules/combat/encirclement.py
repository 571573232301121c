"""Stacking limits, where units may fall back to, and when they are encircled.

How much stands in a hex, and how much may (`rules.stacking`; 4.1.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ....scenarios.schema.rules_combat import Distance
from ....scenarios.schema.rules_movement import Capacity
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.hexgrid import side as side_of
from ....scenarios.text.words import Message
from ..board import bonds
from ..context import Context
from ..findings import Finding, doubt
from ..ground import HexStep, with_
from ..position import Phase, Position


def weight(ctx: Context, position: Position, unit: str) -> int:
    """What a unit as it stands counts towards the limit: one, its points, its steps, or nothing."""
    return weight_of(ctx, unit, ctx.units[unit].steps_at(position.units[unit].step))


def weight_of(ctx: Context, unit: str, steps: int) -> int:
    """What a unit of so many steps counts towards the limit."""
    one = ctx.units[unit]
    return ctx.rules.stacking.weight(unit, one.kinds, one.size, steps)


def most(ctx: Context, hex_: Hex, side: str) -> int:
    """What one side may have in a hex."""
    return ctx.rules.stacking.most(ctx.map.terrain[hex_], side)


def load(ctx: Context, position: Position, hex_: Hex, side: str) -> int:
    """What one side has in a hex."""
    return sum(weight(ctx, position, u) for u in position.at(hex_, side))


def room(ctx: Context, position: Position, hex_: Hex, side: str, *arriving: str) -> bool:
    """Whether units fit into a hex without displacing anybody; without any, whether those that are there do."""
    new = sum(weight(ctx, position, u) for u in arriving)
    if load(ctx, position, hex_, side) + new > most(ctx, hex_, side):
        return False
    return not arriving or not _differ(ctx, position, {*position.at(hex_, side), *arriving})


def settled(ctx: Context, position: Position, hex_: Hex, side: str) -> bool:
    """Whether all of a side that stand in a hex may stand there together."""
    return room(ctx, position, hex_, side) and not _differ(ctx, position, position.at(hex_, side))


def too_many(
    ctx: Context,
    position: Position,
    line: int,
    hex_: Hex,
    side: str,
    *,
    key: str = "stacking",
    doubts: tuple[Message, ...] = (),
    gone: str = "",
) -> list[Finding]:
    """A finding if more of a side stands in a hex than may, and one if what stands there may not stand together.

    `gone`: who has made room there already.
    """
    mixed = _mixed(ctx, position, line, hex_, side=side, doubts=doubts)
    if room(ctx, position, hex_, side):
        return mixed
    ids, rule = position.at(hex_, side), ctx.rules.stacking
    count = load(ctx, position, hex_, side)
    return [
        ctx.found(
            line,
            f"{key}-points" if rule.points or rule.counted == "steps" else key,
            hexes=(hex_,),
            units=ids,
            doubts=doubts,
            computed=count,
            count=count,
            hex=hex_,
            limit=most(ctx, hex_, side),
            **({"gone": gone} if gone else {}),
        ),
        *mixed,
    ]


def _mixed(
    ctx: Context, position: Position, line: int, hex_: Hex, *, side: str, doubts: tuple[Message, ...]
) -> list[Finding]:
    """A finding if units of several nations, divisions or corps share a hex, in games where they may not."""
    ids = _differ(ctx, position, position.at(hex_, side))
    if not ids:
        return []
    return [ctx.found(line, "stacking-mixed", hexes=(hex_,), units=ids, doubts=doubts, hex=hex_)]


def _differ(ctx: Context, position: Position, ids: Iterable[str]) -> tuple[str, ...]:
    """Those of some units that may not stand together; none if all may."""
    rule, told = ctx.rules.stacking, dict[str, str]()
    for u in ids if rule.sides or rule.alike != "any" else ():
        alike = rule.alike_of(ctx.units[u].side)
        if alike != "any" and weight(ctx, position, u) and (kind := _kind(ctx, u, alike)):
            told[u] = kind
    return tuple(told) if len(set(told.values())) > 1 else ()


def _kind(ctx: Context, unit: str, alike: str) -> str:
    one = ctx.units[unit]
    if alike != "branch":
        return str(getattr(one, alike))
    counters = ctx.scenario.counters
    return next((counters[c].branch for c in sorted(one.counters) if c in counters), "")


def after_move(ctx: Context, position: Position, line: int, hex_: Hex, side: str) -> list[Finding]:
    """As `too_many`, where a game looks at stacks after each move."""
    return too_many(ctx, position, line, hex_, side) if ctx.rules.stacking.checked != "phase" else []


def full(ctx: Context, position: Position, side: str, ids: Collection[str]) -> frozenset[Hex]:
    """Hexes that units of a side may not even go through together, where a game looks at stacks always."""
    if ctx.rules.stacking.checked != "always":
        return frozenset()
    new = sum(weight(ctx, position, u) for u in ids)
    held = position.boards[side].at
    small = (h for h in ctx.map.terrain if most(ctx, h, side) < new) if ctx.rules.stacking.terrain else ()
    return frozenset(
        [
            *small,
            *(
                h
                for h in held
                if not _joins(ctx, position, [u for u in held[h] if u not in ids], ids, most(ctx, h, side))
            ),
        ]
    )


def _joins(ctx: Context, position: Position, there: Collection[str], arriving: Collection[str], limit: int) -> bool:
    both = [*there, *arriving]
    return sum(weight(ctx, position, u) for u in both) <= limit and not _differ(ctx, position, both)


def after_phase(ctx: Context, position: Position, phase: Phase) -> Iterator[Finding]:
    """The stacks of a side that are too high when its movement is over, where a game looks at them then.

    What stands as an earlier phase of the turn left it has been told. Where only a part of the phase is told, what
    is not told may have put them right.
    """
    if ctx.rules.stacking.checked == "phase" and _ends_movement(ctx, phase):
        doubts = (doubt("part"),) if ctx.partial else ()
        for hex_, ids in sorted(position.boards[phase.side].at.items()):
            if position.ledger.crowded.get(hex_) != frozenset(ids):
                yield from too_many(ctx, position, phase.line, hex_, phase.side, doubts=doubts)


def crowded(ctx: Context, position: Position, phase: Phase) -> Mapping[Hex, frozenset[str]]:
    """Who stands where the end of a phase, or of an earlier one of the turn, found too many."""
    if ctx.rules.stacking.checked != "phase" or not _ends_movement(ctx, phase):
        return position.ledger.crowded
    at, side = position.boards[phase.side].at, phase.side
    return {hex_: frozenset(ids) for hex_, ids in at.items() if too_many(ctx, position, 0, hex_, side)}


def _ends_movement(ctx: Context, phase: Phase) -> bool:
    """Whether it is a movement phase, or one in which units enter after the last of these."""
    if phase.kind == "movement":
        return True
    sequence = ctx.scenario.game.sequence
    if not any("enter" in sequence[place].does for place in phase.places):
        return False
    later = (one for one in sequence[phase.places[-1] :] if one.side == phase.side and one.played(phase.turn))
    return all(one.phase != "movement" for one in later)


def taken_by(ctx: Context, position: Position, unit: str, use: Capacity) -> int:
    """What a unit takes of what a turn carries, on a railway or on marches."""
    if use.counted == "steps":
        return ctx.units[unit].steps_at(position.units[unit].step)
    return weight(ctx, position, unit) if use.counted == "points" else 1


BARRED = "prohibited-terrain"
OPEN_IN_RETREAT = frozenset({"barred-hex"})
_WET = frozenset({"barred-water", "bridge-closed"})


def ground_step(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> HexStep:
    """The step from hex to hex as the rules of movement see it."""
    return ctx.ground.step(ctx.mover(position, ctx.units[unit]), a, b)


def barred_in_retreat(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> HexStep | None:
    """The step, if the ground bars the unit from it even in retreat. Frontiers never do.

    Water does in retreats by distance, unless the game says what else it does to such a unit.
    """
    step, rule, who = ground_step(ctx, position, unit, a, b), ctx.rules.combat.retreat, ctx.units[unit]
    if barred_by_bond(ctx, position, unit, a, b):
        return with_(step, key="zone-bond")
    if step.code == BARRED and step.key not in OPEN_IN_RETREAT:
        return step
    if step.key not in _WET or not isinstance(rule.way, Distance) or rule.loss_all_others:
        return None
    spared = who.is_any(rule.destroyed) or who.is_any(rule.loss) or step.what in rule.ignored_by
    return None if spared else step


def barred_by_bond(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> bool:
    """Whether two enemies bar a step of a retreat or an advance, in games where they always do.

    Bonds are made of zones, so that whoever ignores these is barred by none.
    """
    rule, who = ctx.movement.zones, ctx.units[unit]
    if rule.bonds != "always" or who.is_any(rule.ignored_by):
        return False
    shut = bonds(position, who.side)
    return b in shut or side_of(a, b) in shut


def encircled(ctx: Context, position: Position, hex_: Hex, side: str, units: Iterable[str] | None = None) -> bool:
    """Whether none of the units in a hex (or of those named) has a free hex next to it; off the map is none.

    A hex full of friends is free: they make room.
    """
    return next(ways_out(ctx, position, hex_, side, units), None) is None


def ways_out(
    ctx: Context, position: Position, hex_: Hex, side: str, units: Iterable[str] | None = None
) -> Iterator[Hex]:
    """The free hexes next to a hex, for any of the units in it, or of those named."""
    who = tuple(units) if units is not None else position.at(hex_, side)
    for n in position.grid.neighbours[hex_]:
        if position.safe(n, side) and (
            not who or any(barred_in_retreat(ctx, position, u, hex_, n) is None for u in who)
        ):
            yield n


def can_displace(ctx: Context, position: Position, hex_: Hex, side: str) -> bool:
    """Whether some unit of a full hex can make room: next to it is a free hex, not barred to it, with room for it.

    Where chains go on, room may be made there in turn.
    """
    chain = ctx.option("displacement") == "chain"
    seen, full_hexes = {hex_}, [hex_]
    while full_hexes:
        here = full_hexes.pop()
        for n in position.grid.neighbours[here]:
            free = position.safe(n, side)
            able = [
                u for u in position.at(here, side) if free and barred_in_retreat(ctx, position, u, here, n) is None
            ]
            if any(room(ctx, position, n, side, u) for u in able):
                return True
            if able and chain and n not in seen:
                seen.add(n)
                full_hexes.append(n)
    return False


def receives(ctx: Context, position: Position, unit: str, hex_: Hex) -> bool:
    """Whether a hex has room for a unit that makes room elsewhere, or gets some by a chain."""
    side = ctx.units[unit].side
    if room(ctx, position, hex_, side, unit):
        return True
    return ctx.option("displacement") == "chain" and can_displace(ctx, position, hex_, side)


def may_end_in(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> bool:
    """Whether a retreat may end with the step from `a` to `b`: free, not barred, with room or made room."""
    side = ctx.units[unit].side
    return (
        position.safe(b, side)
        and barred_in_retreat(ctx, position, unit, a, b) is None
        and (room(ctx, position, b, side, unit) or can_displace(ctx, position, b, side))
    )


def free_hexes(ctx: Context, position: Position, unit: str) -> tuple[Hex, ...]:
    """Where a unit may end a retreat of one hex on the map."""
    hex_ = position.hex_of(unit)
    if hex_ is None:
        return ()
    return tuple(n for n in position.grid.neighbours[hex_] if may_end_in(ctx, position, unit, hex_, n))


def passable_hexes(ctx: Context, position: Position, unit: str) -> tuple[Hex, ...]:
    """Hexes through which a unit may begin a retreat of two: no enemy in them, and not barred."""
    hex_ = position.hex_of(unit)
    if hex_ is None:
        return ()
    enemy = position.boards[position.enemy(ctx.units[unit].side)].at
    return tuple(
        n
        for n in position.grid.neighbours[hex_]
        if n not in enemy and barred_in_retreat(ctx, position, unit, hex_, n) is None
    )
