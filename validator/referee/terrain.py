"""What ground is worth to a defender, and who stands in dominant terrain (4.1.2, 5.1.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexforge.scenarios.hexgrid import Hex, side
from hexforge.scenarios.schema.modifiers import Modifier
from hexforge.scenarios.words import Message
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.combat.conditions import Asked
from hexforge.validator.referee.combat.figures import Forces
from hexforge.validator.referee.combat.modifiers import bars, ground_of, lines_of
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import doubt
from hexforge.validator.referee.state import Position, Unit


def _worth(ctx: Context, position: Position, hex_: Hex, attacked_from: Hex, defender: str) -> int:
    """Columns (0 or more) that help `defender`, a side, in `hex_` against an attack from one neighbour."""
    battle, rules = Battle(ctx, position, ctx.enemy(defender)), ctx.scenario.modifiers.columns
    if not ctx.on("dominance_counts_river"):
        wet = {kind for kind, effect in ctx.scenario.tables.hexsides.items() if effect.water}
        rules = tuple(rule for rule in rules if wet.isdisjoint(lines_of(rule)))
    return -ground_of(battle, Forces((hex_,), (), (), fronts=(attacked_from,)), rules).total


def _fortress(ctx: Context, hex_: Hex, other: Hex, side_id: str) -> bool:
    """Whether a side in `hex_` always dominates an enemy in `other`, for its works lie between them."""
    rule = ctx.movement.dominant_side
    if hex_ in ctx.map.fortified and rule.get("fortified") == side_id:
        return True
    return any(rule.get(kind) == side_id for kind in ctx.ground.hexsides.get(side(hex_, other), ()))


def dominates(ctx: Context, position: Position, mine: Hex, side_id: str, theirs: Hex) -> bool:
    """Whether a side in one hex stands in dominant terrain towards the enemy in a neighbouring one."""
    enemy = ctx.enemy(side_id)
    if _fortress(ctx, mine, theirs, side_id):
        return True
    if _fortress(ctx, theirs, mine, enemy):
        return False
    return _worth(ctx, position, mine, theirs, side_id) > _worth(ctx, position, theirs, mine, enemy)


def course(ctx: Context, line: str) -> Message | None:
    """Where a way or a line of the printed map runs, which no rulebook's text says."""
    return doubt("course", line=ctx.term(line)) if ctx.map.printed else None


def dominance_doubt(ctx: Context, mine: Hex, theirs: Iterable[Hex]) -> Message | None:
    """The reconstructed ground that a judgement on dominance rests on; "" if there is none."""
    return next((d for h in (mine, *theirs) if (d := ctx.ground.doubt(h))), None)


def engaging(ctx: Context, position: Position, unit: Unit, hex_: Hex) -> tuple[Hex, ...]:
    """Hexes of the enemies that a unit in `hex_` is engaged with and could attack.

    Those whom a modifier bars it from attacking, or between whom and itself no zone reaches, oblige it to nothing.
    """
    found, rule = position.adjacent_enemies(hex_, unit.side), ctx.movement.zones
    reach = position.boards[unit.side].reach.hexes
    if rule.grounded:
        found = tuple(h for h in found if h in reach[hex_] or hex_ in reach[h])
    if not ctx.scenario.modifiers.barring:
        return found
    return tuple(h for h in found if not any(barring(ctx, position, unit, hex_, h)))


def barring(ctx: Context, position: Position, unit: Unit, hex_: Hex, target: Hex) -> Iterator[Modifier]:
    """The modifiers that forbid a unit in one hex to attack the enemy in a neighbouring one."""
    alone = Forces((target,), (unit.id,), (unit.id,), fronts=(hex_,))
    battle = Battle(ctx, position, unit.side)
    yield from (rule for rule, _ in bars(battle, Asked(alone, alone, battle), unit.id))
