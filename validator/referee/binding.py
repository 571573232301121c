"""What keeps a unit in its hex: turns in which it may not move, the garrisons of fixed hexes (4.0, 4.1.1)."""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.scenarios.words import Message
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.limits import excluded, section_of_phase
from hexforge.validator.referee.roster import fits
from hexforge.validator.referee.state import GARRISON, Position, Unit
from hexforge.validator.referee.terrain import dominance_doubt, dominates


@dataclass(frozen=True, slots=True)
class Bond:
    """Why a unit may not leave its hex: text key, section, and the doubt that it rests on."""

    key: str
    section: str
    doubt: Message | None = None


def bound(ctx: Context, position: Position, unit: Unit) -> list[Bond]:
    """All that binds a unit on the map to its hex in the turn being played."""
    state = position.units[unit.id]
    found = [
        Bond("immobile", rule.section)
        for rule in ctx.movement.immobile
        if fits(rule, unit, state) and ctx.holds(rule, position.turn, position, state.hex)
    ]
    if excluded_by := excluded(ctx, position, unit):
        found.append(Bond(excluded_by, section_of_phase(ctx, position, ctx.sections.phase, unit.id)))
    if GARRISON in state.marks and state.hex is not None:
        threats = position.adjacent_enemies(state.hex, unit.side)
        enemy = ctx.enemy(unit.side)
        if not any(dominates(ctx, position, h, enemy, state.hex) for h in threats):
            section = next((r.section for r in ctx.movement.garrisons if fits(r, unit, state)), "")
            doubt = dominance_doubt(ctx, state.hex, threats) if threats else None
            found.append(Bond("garrison", section or ctx.sections.allowance, doubt))
    return found
