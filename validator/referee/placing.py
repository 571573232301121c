"""Counters that stand where no rule of the game brought them: what a log shows and no statement tells."""

from __future__ import annotations

from hexforge.scenarios.words import Param, Term
from hexforge.validator.readers.notation.statements import Found
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import doubt
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.presence import known, unknown_hexes
from hexforge.validator.referee.state import STEPS, Position, UnitState


def judge_found(ctx: Context, position: Position, statement: Found) -> Outcome:
    """`found`: a finding unless the counter stands so already; the game goes on with it where it was put."""
    line, hex_ = statement.line, statement.hex
    bad = unknown_hexes(ctx, line, (hex_,)) if hex_ else []
    ids, findings = known(ctx, line, (statement.unit,))
    if bad or not ids:
        return Outcome(position, (*bad, *findings))
    before = position.units[statement.unit]
    after = _put(ctx, position, statement)
    if _stands(before) == _stands(after.units[statement.unit]):
        return Outcome(position)
    doubts = (
        doubt("undeclared", unit=statement.unit) if statement.unclear else None,
        doubt("chain") if statement.between else None,
    )
    found = ctx.found(
        line,
        "put-between" if statement.between else _key(before, statement),
        hexes=tuple(dict.fromkeys(h for h in (before.hex, hex_) if h)),
        units=ids,
        unit=statement.unit,
        before=_where(before),
        after=_where(after.units[statement.unit]),
        doubts=doubts,
    )
    return Outcome(after, (found,))


def _put(ctx: Context, position: Position, statement: Found) -> Position:
    unit = statement.unit
    # Also a unit of one step: a log may show a back that the game does not know.
    step = ctx.units[unit].at_loss(statement.reduced) if statement.reduced > 1 else STEPS[statement.reduced]
    if statement.hex:
        moved = position if position.hex_of(unit) == statement.hex else position.put(unit, statement.hex)
        return moved.set(unit, step=step)
    if statement.lost:
        return position.take_off(unit, "eliminated")
    return position.take_off(unit, "absent", step=step)


def _stands(state: UnitState) -> tuple[str, str]:
    return (state.hex or state.where, state.step if state.hex else "")


def _key(before: UnitState, statement: Found) -> str:
    """What kind of finding it is that a counter stands otherwise than before."""
    if statement.lost:
        return "put-lost"
    if not statement.hex:
        return "put-off"
    if before.hex is None:
        return "put-on"
    return "put-elsewhere" if before.hex != statement.hex else "turned-over"


def _where(state: UnitState) -> Param:
    """The place of a counter: its hex, with a mark if it is reduced, or what became of it."""
    if state.hex is None:
        return Term("where", state.where)
    return f"{state.hex} ({'-' * state.lost})" if state.lost else state.hex
