"""Who moves in a phase, and how far: what the sequence of play says besides whose phase it is."""

from __future__ import annotations

from typing import Final

from hexforge.scenarios.schema.phases import Hexes, PhaseSpec, Points, Share, Times
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.state import Phase, Position, Unit, UnitState

POINT: Final = 2
"""Half points."""


def spec(ctx: Context, phase: Phase | None) -> PhaseSpec | None:
    """The phase of the sequence of play that is being played; the first of those that it may be."""
    return ctx.scenario.game.sequence[phase.places[0]] if phase is not None and phase.places else None


def differ(ctx: Context, phase: Phase) -> bool:
    """Whether a phase may be one of several that let their units do different things."""
    sequence = ctx.scenario.game.sequence
    return any(sequence[place] != sequence[phase.places[0]] for place in phase.places)


def played(ctx: Context, position: Position) -> bool:
    """Whether the phase at hand is one that this turn has, in its weather; if not, nothing is done in it."""
    limits = spec(ctx, position.phase)
    return limits is None or limits.played(position.turn, ctx.weather(position))


def fights(ctx: Context, position: Position, unit: str) -> bool:
    """Whether a unit is one of those that attack in the phase being played, if it is one of combat."""
    limits = spec(ctx, position.phase)
    if limits is None or limits.phase != "combat":
        return True
    return _by_marks(limits, position.units[unit]) and (not limits.who or ctx.units[unit].is_any(limits.who))


def _by_marks(limits: PhaseSpec, state: UnitState) -> bool:
    """Whether a unit acts in a phase by the marks that it bears."""
    lacks = bool(limits.marks) and state.marks.isdisjoint(limits.marks)
    return not lacks and state.marks.isdisjoint(limits.barred_marks)


def excluded(ctx: Context, position: Position, unit: Unit) -> str:
    """The kind of finding on a unit that does not move in the phase being played; "" for one that does."""
    limits = spec(ctx, position.phase)
    if limits is None or limits.phase != "movement":
        return ""
    state = position.units[unit.id]
    if (limits.who and not unit.is_any(limits.who)) or not _by_marks(limits, state):
        return "phase-who"
    if limits.contact != "any" and state.hex is not None:
        return "" if state.began_engaged == (limits.contact == "within") else f"phase-{limits.contact}"
    return ""


def same_for_all(limits: PhaseSpec | None) -> bool:
    """Whether a phase itself says how far everybody goes, so that nothing adds to it."""
    return limits is not None and isinstance(limits.allowance, Points | Hexes)


def allowance(limits: PhaseSpec | None, points: int) -> int:
    """How far a unit with an allowance of its own goes in a phase, in half points."""
    match limits.allowance if limits is not None else None:
        case Share(divide=divide):
            return POINT * -(-points // divide)
        case Times(times=times):
            return POINT * points * times
        case Points(points=same):
            return POINT * same
        case Hexes(hexes=hexes):
            return POINT * hexes
    return POINT * points
