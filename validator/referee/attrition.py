"""Attrition: steps that units lose in a phase for what they bear (`rules.attrition`)."""

from __future__ import annotations

from collections.abc import Iterator

from hexforge.scenarios.schema.dice import Dice
from hexforge.scenarios.schema.rules_attrition import Attrition
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.presence import known
from hexforge.validator.referee.roster import fits
from hexforge.validator.referee.state import Phase, Position


def judge_attrition(ctx: Context, position: Position, statement: st.Attrition) -> Outcome:
    """`attrition c1 roll 4`: units lose what the rule, or the dice by it, say."""
    ids, found = known(ctx, statement.line, statement.units)
    findings = list(found)
    for unit in dict.fromkeys(ids):
        rule = _rule(ctx, position, position.phase, unit)
        if rule is None or unit in position.ledger.worn:
            findings.append(_in_vain(ctx, position, statement.line, unit, rule))
            continue
        steps, wrong = _steps(ctx, position, statement, rule, unit)
        findings += wrong
        position = _weakened(position, unit, steps, last=rule.last)
        position = position.noted(worn=position.ledger.worn | {unit})
    return Outcome(position, tuple(findings))


def unworn(ctx: Context, position: Position, phase: Phase) -> Iterator[Finding]:
    """Findings at the end of a phase on units of which attrition in it was not told."""
    if not ctx.rules.attrition:
        return
    for unit in sorted(position.on_map()):
        rule = _rule(ctx, position, phase, unit)
        if rule is not None and unit not in position.ledger.worn and _can_lose(position, rule, unit):
            told = {"units": (unit,), "unit": unit, **({"mark": _mark(rule)} if rule.marks else {})}
            key = "attrition-missing" if rule.marks else "attrition-missing-plain"
            yield ctx.found(phase.line, key, section=rule.section, **told)


def _can_lose(position: Position, rule: Attrition, unit: str) -> bool:
    """Whether attrition can take anything from a unit: of one at its last step nothing where that stays."""
    return rule.last or position.roster[unit].steps_at(position.units[unit].step) > 1


def _rule(ctx: Context, position: Position, phase: Phase | None, unit: str) -> Attrition | None:
    """The first rule by which a unit suffers attrition in a phase."""
    state = position.units[unit]
    if phase is None or state.hex is None:
        return None
    whose = "own" if ctx.units[unit].side == phase.side else "enemy"
    return next(
        (
            r
            for r in ctx.rules.attrition
            if (r.phase, r.whose) == (phase.kind, whose)
            and (state.moved or not r.moved)
            and fits(r, ctx.units[unit], state)
        ),
        None,
    )


def _mark(rule: Attrition) -> Term:
    return Term("marks", rule.marks[0], rule.marks[0].replace("_", " "))


def _in_vain(ctx: Context, position: Position, line: int, unit: str, rule: Attrition | None) -> Finding:
    if rule is not None:
        return ctx.found(line, "attrition-twice", section=rule.section, units=(unit,), unit=unit)
    section = next((r.section for r in ctx.rules.attrition), "")
    return ctx.found(line, "attrition-nothing", section=section, units=(unit,), unit=unit)


def _steps(
    ctx: Context, position: Position, statement: st.Attrition, rule: Attrition, unit: str
) -> tuple[int, list[Finding]]:
    """What a unit loses, and what is wrong with the dice."""
    whole = position.roster[unit].steps_at(position.units[unit].step)
    loss, faces = rule.steps, statement.faces
    dice = Dice.of(loss.dice) if loss.dice else None
    if dice is not None and dice.shows(faces):
        return min(loss.by_dice(dice.value(faces)), whole), []
    if dice is not None or faces:
        told = {"declared": " ".join(map(str, faces)), "dice": str(dice) if dice else "–", "unit": unit}
        key = "attrition-dice" if dice else "attrition-no-dice"
        return 0, [ctx.found(statement.line, key, section=rule.section, units=(unit,), **told)]
    if isinstance(loss.count, int):
        return min(loss.count, whole), []
    return (whole if loss.count == "all" else -(-whole // 2)), []


def _weakened(position: Position, unit: str, steps: int, *, last: bool) -> Position:
    one, state = position.roster[unit], position.units[unit]
    whole = one.steps_at(state.step)
    if steps >= whole and last:
        return position.take_off(unit, "eliminated")
    lost = min(steps, whole - 1)
    return position.set(unit, step=one.at_loss(state.lost + lost)) if lost else position
