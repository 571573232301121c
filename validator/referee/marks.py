"""Marks of state that phases and players take from units (`rules.marks`)."""

from __future__ import annotations

from typing import Literal

from hexforge.scenarios.schema.dice import Dice, numbers
from hexforge.scenarios.schema.rules_marks import Lapse, Rally, StateMark
from hexforge.scenarios.schema.rules_morale import passed
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.presence import actors
from hexforge.validator.referee.state import Phase, Position


def lapsed(ctx: Context, position: Position, phase: Phase | None, at: Literal["start", "end"]) -> Position:
    """The position without the marks that the beginning, or the end, of a phase takes away."""
    for rule in ctx.rules.marks if phase is not None else ():
        for lapse in rule.lapses:
            if phase is not None and (lapse.phase, lapse.at) == (phase.kind, at):
                position = _lapse(ctx, position, rule.mark, lapse, phase.side)
    return position


def _lapse(ctx: Context, position: Position, mark: str, lapse: Lapse, side: str) -> Position:
    for unit, state in position.units.items():
        if mark not in state.marks or (lapse.unmoved and state.moved):
            continue
        fits = {"own": ctx.units[unit].side == side, "enemy": ctx.units[unit].side != side, "any": True}[
            lapse.whose
        ]
        if fits and not (lapse.clear and position.engaged(unit)):
            position = position.unmark(unit, mark)
    return position


def judge_rally(ctx: Context, position: Position, statement: st.Rally) -> Outcome:
    """`rally c1 roll 5`: a player tries to take a mark from units, with one throw for all of them."""
    ids, found, lawful = actors(ctx, position, statement, "rally", statement.units)
    findings = list(found)
    for unit in ids:
        rule = next((r for r in ctx.rules.marks if r.rally and r.mark in position.units[unit].marks), None)
        if rule is None or rule.rally is None:
            section = next((r.section for r in ctx.rules.marks if r.rally), "")
            findings.append(ctx.found(statement.line, "rally-nothing", section=section, units=(unit,), unit=unit))
            continue
        if lawful:
            findings += _barred(ctx, position, statement, rule, unit)
        if _succeeds(position, rule.rally, unit, statement.faces):
            position = position.unmark(unit, rule.mark)
        position = position.noted(rallied=position.ledger.rallied | {unit})
        if rule.rally.unmoved:
            position = position.set(unit, moved=True)
    return Outcome(position, tuple(findings))


def _succeeds(position: Position, rule: Rally, unit: str, faces: tuple[int, ...]) -> bool:
    if rule.dice is None:
        return True
    dice = Dice.of(rule.dice)
    if rule.passes is not None:
        morale = position.roster[unit].morale_at(position.units[unit].step)
        return dice.shows(faces) and passed(rule.passes, dice.value(faces), morale)
    return dice.shows(faces) and dice.value(faces) in numbers(rule.shows)


def _barred(ctx: Context, position: Position, statement: st.Rally, rule: StateMark, unit: str) -> list[Finding]:
    """What speaks against a unit's being rallied now."""
    rally = rule.rally or Rally()
    keys = {
        "rally-twice": unit in position.ledger.rallied,
        "rally-moved": rally.unmoved and position.units[unit].moved,
        "rally-zone": rally.clear and position.engaged(unit),
        "rally-dice": rally.dice is not None and not Dice.of(rally.dice).shows(statement.faces),
    }
    mark = Term("marks", rule.mark, rule.mark.replace("_", " "))
    dice = rally.dice or ""
    return [
        ctx.found(statement.line, key, section=rule.section, units=(unit,), unit=unit, mark=mark, dice=dice)
        for key, wrong in keys.items()
        if wrong
    ]
