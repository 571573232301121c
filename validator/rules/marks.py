"""Marks of state that phases and players take from units, or give to them (`rules.marks`).

Attrition: steps that units lose in a phase for what they bear (`rules.attrition`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal

from ...scenarios.schema.results import Dice, numbers, passed
from ...scenarios.schema.rules import Attrition, Lapse, Rally, StateMark, Take
from ...scenarios.text.words import Term
from ..notation import statements
from .combat.conditions import leaders
from .context import Context, Outcome
from .findings import Finding, points
from .move_effects import actors, known
from .position import Phase, Position
from .roster import fits
from .travel import traveller


def lapsed(ctx: Context, position: Position, phase: Phase | None, at: Literal["start", "end"]) -> Position:
    """The position without the marks that the beginning, or the end, of a phase takes away."""
    gone: list[tuple[str, str, Lapse]] = []
    for rule in ctx.rules.marks if phase is not None else ():
        for lapse in rule.lapses:
            if phase is not None and lapse.at == at and lapse.phase in ctx.names(phase):
                gone += [(unit, rule.mark, lapse) for unit in _losing(ctx, position, rule.mark, lapse, phase.side)]
    for unit, mark, _ in gone:
        position = position.unmark(unit, mark)
    for unit, _, lapse in gone:
        if lapse.becomes is not None:
            position = position.mark(unit, lapse.becomes)
    return position


def _losing(ctx: Context, position: Position, mark: str, lapse: Lapse, side: str) -> Iterator[str]:
    """The units from which a phase of a side takes a mark."""
    for unit, state in position.units.items():
        if mark not in state.marks or (lapse.unmoved and state.moved):
            continue
        fits = {"own": ctx.units[unit].side == side, "enemy": ctx.units[unit].side != side, "any": True}[
            lapse.whose
        ]
        if fits and not (lapse.clear and position.engaged(unit)):
            yield unit


def judge_rally(ctx: Context, position: Position, statement: statements.Rally) -> Outcome:
    """`rally c1 roll 5`: a player tries to take a mark from units, with one throw for all of them."""
    ids, found, lawful = actors(ctx, position, statement, "rally", statement.units)
    findings = list(found)
    for unit in ids:
        rules = _rallying(ctx, position, statement, unit)
        rule = next(iter(rules), None)
        if rule is None or rule.rally is None:
            section = next((r.section for r in ctx.rules.marks if r.rally), "")
            findings.append(ctx.found(statement.line, "rally-nothing", section=section, units=(unit,), unit=unit))
            continue
        if len(rules) > 1:
            which = partial(ctx.found, statement.line, "rally-which", section=rule.section, severity="unread")
            findings.append(which(units=(unit,), unit=unit, first=rule.mark.replace("_", "-")))
            continue
        if lawful:
            findings += _barred(ctx, position, statement, rule, unit)
        if _succeeds(position, rule.rally, unit, statement.faces):
            position = position.unmark(unit, rule.mark)
        position = position.noted(rallied=position.ledger.rallied | {(unit, rule.mark)})
        if rule.rally.unmoved:
            position = _stays(position, unit, rule.mark)
    return Outcome(position, tuple(findings))


def _rallying(ctx: Context, position: Position, statement: statements.Rally, unit: str) -> list[StateMark]:
    """The marks of which a unit may mean to be rid: the one that is named, else all that the phase lets it try."""
    marks = position.units[unit].marks
    rules = [r for r in ctx.rules.marks if r.rally and r.mark in marks and statement.mark in ("", r.mark)]
    now = [r for r in rules if r.rally and ctx.in_phase(r.rally.phases, position.phase)]
    return now or rules[:1]


def judge_mark(ctx: Context, position: Position, statement: statements.Mark) -> Outcome:
    """`mark c1 as dug-in`: units take a mark of their own will."""
    ids, found, lawful = actors(ctx, position, statement, "mark", statement.units)
    findings, mark = list(found), Term("marks", statement.mark, statement.mark.replace("_", " "))
    rule = next((r for r in ctx.rules.marks if r.take and r.mark == statement.mark), None)
    if rule is None or rule.take is None:
        none = ctx.found(statement.line, "mark-none", units=ids, mark=mark)
        return Outcome(position, (*findings, none))
    take, moving = rule.take, position.phase is not None and position.phase.kind == "movement"
    for unit in ids:
        if lawful:
            findings += _untaken(ctx, position, statement, rule, unit)
        position = position.mark(unit, rule.mark)
        if take.points is not None and moving:
            spent = position.ledger.spent
            position = position.noted(spent={**spent, unit: spent.get(unit, 0) + take.points})
        if take.unmoved:
            position = _stays(position, unit, rule.mark)
    return Outcome(position, tuple(findings))


def _stays(position: Position, unit: str, mark: str) -> Position:
    """The position with a unit's move given up for a mark; who had moved has none to give up."""
    if position.units[unit].moved:
        return position
    return position.set(unit, moved=True).noted(stayed={**position.ledger.stayed, unit: mark})


def _untaken(
    ctx: Context, position: Position, statement: statements.Mark, rule: StateMark, unit: str
) -> list[Finding]:
    """What speaks against a unit's taking a mark now."""
    take, state, phase = rule.take or Take(), position.units[unit], position.phase
    mark, hex_ = Term("marks", rule.mark, rule.mark.replace("_", " ")), state.hex
    if hex_ is None:
        return [ctx.found(statement.line, "not-on-map", section=rule.section, units=(unit,), unit=unit)]
    may = fits(take, ctx.units[unit], state) and state.marks.isdisjoint(take.barred_marks)
    keys = {
        "mark-unit": not (may and ctx.in_force(take, position)),
        "mark-again": rule.mark in state.marks,
        "mark-moved": take.unmoved and state.moved,
        "mark-zone": take.clear and position.engaged(unit),
    }
    told: dict[str, Any] = {"section": rule.section, "units": (unit,), "hexes": (hex_,), "unit": unit, "mark": mark}
    if phase is not None and not ctx.in_phase(take.phases, phase):
        wanted = tuple(Term("phases", kind) for kind in take.phases)
        return [ctx.found(statement.line, "mark-phase", **told, wanted=wanted)]
    found = [ctx.found(statement.line, key, **told) for key, wrong in keys.items() if wrong]
    if take.terrain and set(ctx.map.terrain[hex_]).isdisjoint(take.terrain):
        found.append(ctx.found(statement.line, "mark-terrain", **told, hex=hex_))
    if take.points is not None and phase is not None and phase.kind == "movement":
        left = max(0, traveller(ctx, position, ctx.units[unit]).allowance)
        if take.points > left:
            told |= {"computed": points(left), "declared": points(take.points)}
            found.append(ctx.found(statement.line, "mark-points", **told))
    return found


def _succeeds(position: Position, rule: Rally, unit: str, faces: tuple[int, ...]) -> bool:
    if rule.dice is None:
        return True
    dice = Dice.of(rule.dice)
    if rule.passes is not None:
        tested = leaders(position, unit, rule.by) if rule.by is not None else [unit]
        morale = max((position.roster[u].morale_at(position.units[u].step) or 0 for u in tested), default=0)
        return dice.shows(faces) and passed(rule.passes, dice.value(faces), morale)
    return dice.shows(faces) and dice.value(faces) in numbers(rule.shows)


def _barred(
    ctx: Context, position: Position, statement: statements.Rally, rule: StateMark, unit: str
) -> list[Finding]:
    """What speaks against a unit's being rallied now."""
    rally = rule.rally or Rally()
    keys = {
        "rally-led": rally.by is not None and not any(leaders(position, unit, rally.by)),
        "rally-phase": not ctx.in_phase(rally.phases, position.phase),
        "rally-twice": (unit, rule.mark) in position.ledger.rallied,
        "rally-moved": rally.unmoved and position.units[unit].moved,
        "rally-zone": rally.clear and position.engaged(unit),
        "rally-dice": rally.dice is not None and not Dice.of(rally.dice).shows(statement.faces),
    }
    mark = Term("marks", rule.mark, rule.mark.replace("_", " "))
    wanted = tuple(Term("phases", name) for name in rally.phases)
    told = {"units": (unit,), "unit": unit, "mark": mark, "dice": rally.dice or "", "wanted": wanted}
    return [ctx.found(statement.line, key, section=rule.section, **told) for key, wrong in keys.items() if wrong]


def judge_attrition(ctx: Context, position: Position, statement: statements.Attrition) -> Outcome:
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
            if r.whose == whose
            and r.phase in ctx.names(phase)
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
    ctx: Context, position: Position, statement: statements.Attrition, rule: Attrition, unit: str
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
