"""Who moves in a phase, and how far: what the sequence of play says besides whose phase it is."""

from __future__ import annotations

from typing import Final

from hexforge.scenarios.schema.phases import Hexes, PhaseSpec, Points, Share, Times
from hexforge.scenarios.words import Term
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.roster import formation_key
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
    """Whether a unit is one of those that attack in the phase being played, if it is one of combat, or of guns."""
    limits = spec(ctx, position.phase)
    if limits is None or not limits.attacks:
        return True
    return _takes_part(limits, ctx.units[unit], position.units[unit])


def _takes_part(limits: PhaseSpec, unit: Unit, state: UnitState) -> bool:
    """Whether a unit is of those who act in a phase, by what it is and what it bears."""
    marked = bool(_lacking(limits, state)) or not state.marks.isdisjoint(limits.barred_marks)
    return _named(limits, unit) and not marked


def _named(limits: PhaseSpec, unit: Unit) -> bool:
    """Whether a unit is of those who act in a phase, by what it is."""
    named = not limits.divisions or (
        bool(unit.named_division) and formation_key(unit.named_division) in limits.divisions
    )
    return named and (not limits.who or unit.is_any(limits.who))


def _lacking(limits: PhaseSpec, state: UnitState) -> tuple[str, ...]:
    """The marks of which those who act in a phase bear one, if a unit bears none of them."""
    return limits.marks if state.marks.isdisjoint(limits.marks) else ()


def idle(ctx: Context, position: Position, unit: str) -> str:
    """Why a unit is left out of a phase: `mark` for one that it bears, `unmarked` for want of one, else `who`."""
    limits, state = spec(ctx, position.phase), position.units[unit]
    if limits is None or not _named(limits, ctx.units[unit]):
        return "who"
    return "unmarked" if state.marks.isdisjoint(limits.barred_marks) and _lacking(limits, state) else "mark"


def excluded(ctx: Context, position: Position, unit: Unit) -> str:
    """The kind of finding on a unit that does not move in the phase being played; "" for one that does."""
    limits = spec(ctx, position.phase)
    if limits is None or limits.phase != "movement":
        return ""
    state = position.units[unit.id]
    if not _takes_part(limits, unit, state):
        return f"phase-{idle(ctx, position, unit.id)}"
    if limits.before != "any" and (unit.id in position.ledger.went) != (limits.before == "moved"):
        return f"phase-{limits.before}"
    if limits.contact == "any" or state.hex is None:
        return ""
    touches = bool(position.adjacent_enemies(state.start or state.hex, unit.side))
    met = touches if limits.contact in ("apart", "beside") else state.began_engaged
    return "" if met == (limits.contact in ("within", "beside")) else f"phase-{limits.contact}"


def barring_mark(ctx: Context, position: Position, unit: str) -> Term:
    """The mark for which, or for want of which, a unit is left out of the phase being played; else an empty one."""
    limits, state = spec(ctx, position.phase), position.units[unit]
    barred = limits.barred_marks if limits is not None else ()
    mark = min(state.marks.intersection(barred), default="") or next(
        iter(_lacking(limits, state) if limits else ()), ""
    )
    return Term("marks", mark, mark.replace("_", " "))


def section_of_phase(ctx: Context, position: Position, usual: str, unit: str = "") -> str:
    """Where the rulebook leaves a unit out of the phase: with its mark, with the phase, or as is `usual`."""
    limits, mark = spec(ctx, position.phase), barring_mark(ctx, position, unit).id if unit else ""
    own, printed = limits.section if limits is not None else "", section_of_mark(ctx, mark)
    if mark and idle(ctx, position, unit) == "unmarked":
        return own or usual
    return printed or own or usual


def section_of_mark(ctx: Context, mark: str) -> str:
    """Where the rulebook prints what a mark does; "" for one of which the game says nothing."""
    return next((rule.section for rule in ctx.rules.marks if rule.mark == mark), "")


def same_for_all(limits: PhaseSpec | None) -> bool:
    """Whether a phase itself says how far everybody goes, so that nothing adds to it."""
    return limits is not None and isinstance(limits.allowance, Points | Hexes)


def allowance(limits: PhaseSpec | None, halves: int) -> int:
    """How far a unit with an allowance of its own goes in a phase; both in half points."""
    match limits.allowance if limits is not None else None:
        case Share() as share:
            return share.of(halves)
        case Times(times=times):
            return halves * times
        case Points(points=same):
            return POINT * same
        case Hexes(hexes=hexes):
            return POINT * hexes
    return halves
