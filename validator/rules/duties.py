"""What a side still owes: attacks by units that stand next to the enemy (4.1.2, 5.0)."""

from __future__ import annotations

from ...scenarios.text.hexgrid import Hex
from .context import Context
from .findings import Finding, doubt
from .move_effects import dominates, engaging, fights, idle_in_transit, played
from .position import Position
from .values import Duty


def duties(ctx: Context, position: Position, side: str | None = None) -> tuple[Duty, ...]:
    """All units of a side (of the phase's, if none is given) that must attack and have not done so.

    Which units, and what excuses them, the game's `duty` says.

    A unit that began the turn engaged and has not moved may sit still if it dominates every enemy next to it. What
    comes about in the combat phase itself, by advance or retreat, obliges nobody (5.0: engaged is who stands next
    to the enemy when movement ends). Whether it frees anybody, `counted` says.
    """
    phase = position.phase
    side = side or (phase.side if phase else ctx.sides[0])
    fighting = phase is not None and (phase.side, phase.kind) == (side, "combat")
    if not fighting or ctx.rules.combat.duty.counted == "end":
        return _standing(ctx, position, side, fighting)
    excused = position.ledger.attacked | position.ledger.advanced
    owed = (d for d in position.ledger.owing if d.unit not in excused and position.hex_of(d.unit))
    return tuple(d for d in owed if fights(ctx, position, d.unit))


def owing(ctx: Context, position: Position, side: str) -> tuple[Duty, ...]:
    """The duties with which a combat phase of a side opens, in games where other combats free nobody of them."""
    return _standing(ctx, position, side, False) if ctx.rules.combat.duty.counted == "start" else ()


def _standing(ctx: Context, position: Position, side: str, fighting: bool) -> tuple[Duty, ...]:
    """The duties of those who stand next to the enemy now; in a combat phase, of those who did when it began."""
    rule = ctx.rules.combat.duty
    found: list[Duty] = []
    if (rule.units == "none" and not rule.marks) or (fighting and not played(ctx, position)):
        return ()
    own = position.phase is not None and position.phase.side == side
    excused = position.ledger.attacked | position.ledger.advanced
    zone = position.zoc_against(side)
    for hex_, ids in position.boards[side].at.items():
        if hex_ not in zone:
            continue
        for u in ids:
            if u in excused or ctx.units[u].is_any(rule.exempt) or (fighting and u not in position.ledger.engaged):
                continue
            state = position.units[u]
            bound = not state.marks.isdisjoint(rule.marks)
            if own and not fights(ctx, position, u):
                continue
            if not state.marks.isdisjoint(rule.exempt_marks):
                continue
            if idle_in_transit(ctx, position, u) and (state.moved or not state.began_engaged):
                # Whoever went there of its own will before it may be employed must not attack.
                continue
            enemies = engaging(ctx, position, ctx.units[u], hex_)
            if not enemies:
                continue
            moved = position.units[u].moved or _came_into_contact(ctx, position, u)
            by_ground = rule.excuse == "dominance" and not moved and not bound
            if not bound and (rule.units == "none" or (rule.units == "moved" and not moved)):
                continue
            if by_ground and all(dominates(ctx, position, hex_, side, e) for e in enemies):
                continue
            found.append(Duty(u, hex_, enemies, moved))
    return tuple(found)


def _came_into_contact(ctx: Context, position: Position, unit: str) -> bool:
    """Whether a sheet that begins after the movement says of a unit that it moved into contact this turn.

    Of the side that moves second nothing follows: the enemy may have come to it.
    """
    first = ctx.scenario.game.sequence[0].side
    return ctx.units[unit].side == first and position.units[unit].engaged_since == position.turn


def spared(ctx: Context, position: Position) -> tuple[Hex, ...]:
    """Hexes of enemies who must be attacked in the combat phase being played and have not been.

    They are those next to one's units when the phase began, as far as the same enemy is still there.
    """
    ledger = position.ledger
    return tuple(
        sorted(
            hex_
            for hex_, units in ledger.faced.items()
            if hex_ not in ledger.targets and not units.isdisjoint(position.at(hex_))
        )
    )


def unattacked(ctx: Context, position: Position) -> tuple[Hex, ...]:
    """Hexes of enemies whom the side of the phase still has to attack; before its combat, as all stand now."""
    phase = position.phase
    if phase is None:
        return ()
    return spared(ctx, position) if phase.kind == "combat" else tuple(sorted(faced(ctx, position, phase.side)))


def faced(ctx: Context, position: Position, side: str) -> dict[Hex, frozenset[str]]:
    """The enemies, by hex, that a side has to attack in a combat phase that begins now."""
    if not ctx.rules.combat.duty.enemies or not played(ctx, position):
        return {}
    board, rule = position.boards[ctx.enemy(side)], ctx.rules.combat.duty
    held = board.at
    near = {
        enemy
        for hex_, ids in position.boards[side].at.items()
        for u in ids
        if fights(ctx, position, u)
        # Whom only such stand next to as may not attack him, or need not, nobody owes an attack.
        if not ctx.units[u].is_any(rule.exempt) and position.units[u].marks.isdisjoint(rule.exempt_marks)
        for enemy in engaging(ctx, position, ctx.units[u], hex_)
        if rule.enemies_by == "adjacent" or board.exerts(enemy, hex_)
    }
    return {hex_: frozenset(units) for hex_, units in held.items() if hex_ in near}


def _told(ctx: Context, duty: Duty) -> str:
    if ctx.rules.combat.duty.excuse == "none":
        return "must-attack-plain"
    return "must-attack-moved" if duty.moved else "must-attack"


def unmet(ctx: Context, position: Position) -> list[Finding]:
    """Findings at the end of a combat phase, on the line that opened it."""
    phase = position.phase
    if phase is None:
        return []
    section = ctx.rules.combat.duty.section or ctx.rules.combat.sections.participants
    return [
        ctx.found(
            phase.line,
            _told(ctx, duty),
            section=ctx.rules.combat.duty.section,
            hexes=(duty.hex, *duty.enemies),
            units=(duty.unit,),
            unit=duty.unit,
            hex=duty.hex,
        )
        for duty in duties(ctx, position)
    ] + [
        ctx.found(
            phase.line,
            "must-be-attacked",
            section=section,
            hexes=(hex_,),
            hex=hex_,
            doubts=(doubt("phase"),) if hex_ in position.ledger.unsure else (),
        )
        for hex_ in spared(ctx, position)
    ]
