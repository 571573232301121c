"""Dice that say which side goes first in a turn (`order_die`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexforge.scenarios.schema.dice import Dice, numbers
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation.statements import OrderRoll
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.state import Phase, Position


def judge_order(ctx: Context, position: Position, statement: OrderRoll) -> Outcome:
    """`initiative 4`: the dice that say who goes first."""
    line, rule, phase = statement.line, ctx.scenario.game.order_die, position.phase
    if rule is None or phase is None:
        return Outcome(position, (ctx.found(line, "order-no-die"),))
    dice, section = Dice.of(rule.dice), rule.section
    if not dice.shows(statement.faces):
        return Outcome(position, (ctx.found(line, "order-dice", section=section, dice=rule.dice),))
    if phase.first or phase.kind != rule.phase:
        key = "order-twice" if phase.first else "order-late"
        return Outcome(position, (ctx.found(line, key, section=section),))
    roll = dice.value(statement.faces)
    first = next(side for name, side in rule.shows.items() if roll in numbers(name))
    told = ctx.found(line, "order-given", section=section, severity="info", side=Term("sides", first))
    return Outcome(replace(position, phase=replace(phase, first=first)), (told,))


def undecided(ctx: Context, phase: Phase) -> Iterator[Finding]:
    """A finding at the end of the phase in which nobody threw for who goes first."""
    rule = ctx.scenario.game.order_die
    if rule is not None and phase.kind == rule.phase and not phase.first:
        yield ctx.found(phase.line, "order-missing", section=rule.section, turn=phase.turn)
