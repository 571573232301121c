"""Statements tried on the referee before they are made: what he finds fault with is not offered to anybody."""

from __future__ import annotations

from typing import Final

from ...notation import base
from ...notation import statements as st
from ...rules.context import Context, Outcome
from ...rules.findings import Finding
from ...rules.phases import close_phase
from ...rules.position import Position
from ..replay import judge_once

FAULTS: Final = ("illegal", "doubtful", "unread")
"""Severities of what speaks against a statement."""


def tried(ctx: Context, position: Position, statement: base.Statement) -> Outcome:
    """The outcome of a statement, of which nobody asks how sure it is."""
    turn = statement.number if isinstance(statement, st.TurnStart) else position.turn
    return judge_once(ctx.at(turn), position, statement)


def faults(outcome: Outcome) -> tuple[Finding, ...]:
    """The findings by which a statement is not one that a player may make."""
    return tuple(f for f in outcome.findings if f.severity in FAULTS)


def lawful(ctx: Context, position: Position, statement: base.Statement) -> bool:
    """Whether the referee has nothing against a statement."""
    return not faults(tried(ctx, position, statement))


def closing(ctx: Context, position: Position) -> tuple[Finding, ...]:
    """What would be found if the phase at hand ended now."""
    return tuple(close_phase(ctx.at(position.turn), position)) if position.phase is not None else ()
