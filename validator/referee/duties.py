"""What a side still owes: attacks by units that stand next to the enemy (4.1.2, 5.0)."""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.words import Message
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.passing import idle_in_transit
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.terrain import dominance_doubt, dominates, engaging


@dataclass(frozen=True, slots=True)
class Duty:
    """A unit that must attack one of the hexes `enemies`, and has not.

    `moved` says that it came there this turn, so that no terrain excuses it; `doubt` names the reconstructed ground
    that the judgement rests on, None if none does.
    """

    unit: str
    hex: Hex
    enemies: tuple[Hex, ...]
    moved: bool
    doubt: Message | None = None


def duties(ctx: Context, position: Position, side: str | None = None) -> tuple[Duty, ...]:
    """All units of a side (of the phase's, if none is given) that must attack and have not done so.

    A unit that began the turn engaged and has not moved may sit still if it dominates every enemy next to it. What
    comes about in the combat phase itself, by advance or retreat, obliges nobody (5.0: engaged is who stands next
    to the enemy when movement ends).
    """
    phase = position.phase
    side = side or (phase.side if phase else ctx.sides[0])
    fighting = phase is not None and (phase.side, phase.kind) == (side, "combat")
    found = []
    excused = position.ledger.attacked | position.ledger.advanced
    zone = position.zoc_against(side)
    for hex_, ids in position.boards[side].at.items():
        if hex_ not in zone:
            continue
        for u in ids:
            if u in excused or (fighting and u not in position.ledger.engaged):
                continue
            state = position.units[u]
            if idle_in_transit(ctx, position, u) and (state.moved or not state.began_engaged):
                # Whoever went there of its own will before it may be employed must not attack.
                continue
            enemies = engaging(ctx, position, ctx.units[u], hex_)
            if not enemies:
                continue
            moved = position.units[u].moved or _came_into_contact(ctx, position, u)
            if not moved and all(dominates(ctx, hex_, side, e) for e in enemies):
                continue
            doubt = None if moved else dominance_doubt(ctx, hex_, enemies)
            found.append(Duty(u, hex_, enemies, moved, doubt))
    return tuple(found)


def _came_into_contact(ctx: Context, position: Position, unit: str) -> bool:
    """Whether a sheet that begins after the movement says of a unit that it moved into contact this turn.

    Of the side that moves second nothing follows: the enemy may have come to it.
    """
    first = ctx.scenario.game.sequence[0].side
    return ctx.units[unit].side == first and position.units[unit].engaged_since == position.turn


def unmet(ctx: Context, position: Position) -> list[Finding]:
    """Findings at the end of a combat phase, on the line that opened it."""
    phase = position.phase
    if phase is None:
        return []
    return [
        ctx.found(
            phase.line,
            "must-attack-moved" if duty.moved else "must-attack",
            hexes=(duty.hex, *duty.enemies),
            units=(duty.unit,),
            doubts=(duty.doubt,),
            unit=duty.unit,
            hex=duty.hex,
        )
        for duty in duties(ctx, position)
    ]
