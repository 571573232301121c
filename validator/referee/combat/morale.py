"""What befalls single units: tests of morale that results ask of them, and marks that they bore before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

from hexforge.scenarios.schema.dice import Dice
from hexforge.scenarios.schema.modifiers import Party
from hexforge.scenarios.schema.rules_morale import Worse, passed
from hexforge.scenarios.words import Term, message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.combat.aftermath import Aftermath, RetreatPrice
from hexforge.validator.referee.combat.demands import Owed
from hexforge.validator.referee.combat.fight import Fight
from hexforge.validator.referee.combat.figures import Forces
from hexforge.validator.referee.combat.modifiers import morale
from hexforge.validator.referee.findings import Finding

NOBODY: Final = Owed()


def tested(after: Aftermath, fight: Fight, forces: Forces) -> Aftermath:
    """The aftermath once the dice for morale are read: units owe what befalls them, before the first act.

    Losses of the result come before its tests: a unit is tested at the step at which they leave it.
    """
    found: dict[str, bool] = {}
    early = []
    for act in fight.tests:
        for unit in act.units:
            test, dice = after.test_of(unit), _dice(after, unit)
            if test is None or dice is None or not dice.shows(act.faces) or unit in found:
                continue
            lost = sum(line < act.line for line in _losses(fight, unit))
            party: Party = "defenders" if unit in after.defenders else "attackers"
            worth = morale(after.battle, forces, party, unit, lost)
            found[unit] = passed(test.passes, dice.value(act.faces) + test.die, worth)
            if _before_its_loss(after, fight, act, unit):
                early.append(after.battle.found(act.line, "morale-early", units=(unit,), unit=unit))
    after = after.noted(morale=found).told(early)
    for unit in after.home:
        after = after.priced(unit, _prices(after, unit))
    return after


def _losses(fight: Fight, unit: str) -> list[int]:
    """The lines on which a unit loses a step."""
    return [act.line for act in fight.aftermath if isinstance(act, st.Lose) for u in act.units if u == unit]


def _before_its_loss(after: Aftermath, fight: Fight, act: st.MoraleRoll, unit: str) -> bool:
    """Whether a unit whose steps differ in morale is tested before a step of it pays for the result."""
    part = after.part_of(unit)
    owed = after.budget[part] if part is not None else NOBODY
    paid = [
        after.steps(u) if isinstance(loss, st.Eliminate) else 1
        for loss in fight.aftermath
        if isinstance(loss, st.Lose | st.Eliminate) and loss.line < act.line
        for u in loss.units
        if after.part_of(u) == part and part is not None
    ]
    later = any(line > act.line for line in _losses(fight, unit))
    return later and sum(paid) < owed.steps - owed.spare and len(set(after.battle.unit(unit).morale)) > 1


def as_sure(after: Aftermath) -> Aftermath:
    """What is found on units whose morale no rulebook prints is doubtful."""

    def sure(finding: Finding) -> Finding:
        doubts = after.battle.doubts(u for u in finding.units if u in after.morale)
        if not doubts or finding.severity != "illegal":
            return finding
        return replace(finding, severity="doubtful", rests_on=(*finding.rests_on, *doubts))

    return after.noted(findings=tuple(map(sure, after.findings))) if after.morale else after


def _dice(after: Aftermath, unit: str) -> Dice | None:
    test = after.test_of(unit)
    return Dice.of(test.dice) if test is not None else None


def _prices(after: Aftermath, unit: str) -> list[RetreatPrice]:
    """The steps that its failure costs a unit, and a mark that it bore: each its own."""
    found, section = [], after.battle.rules.sections.result
    for one in after.befalls(unit):
        count = after.steps(unit) if one.steps == "all" else min(one.steps, after.steps(unit))
        of: Literal["morale", "again"] = "again" if isinstance(one, Worse) else "morale"
        mark = (one.bears or "") if isinstance(one, Worse) else ""
        why = message(f"findings.price.{of}", mark=Term("marks", mark, mark.replace("_", " ")))
        found += [RetreatPrice(after.line, section, death=one.steps == "all", why=why, of=of)] * count
    return found


def check_tests(after: Aftermath, fight: Fight) -> Iterator[Finding]:
    """Findings on tests of morale: taken by whom none was asked, with other dice, twice, or not told."""
    if after.demands is None:
        return
    seen: set[str] = set()
    for act in fight.tests:
        for unit in act.units:
            key = _wrong(after, act, unit, seen)
            seen.add(unit)
            if key:
                dice = _dice(after, unit)
                yield after.battle.found(
                    act.line, key, units=(unit,), unit=unit, result=after.demands.text, dice=str(dice or "-")
                )
    for unit in () if after.ctx.partial else after.home:
        if unit not in seen and after.test_of(unit) is not None and after.position.units[unit].alive:
            yield after.battle.found(
                fight.line, "morale-untold", units=(unit,), unit=unit, result=after.demands.text
            )


def _wrong(after: Aftermath, act: st.MoraleRoll, unit: str, seen: set[str]) -> str:
    if unit not in after.position.roster:
        return "unknown-unit"
    dice = _dice(after, unit)
    if dice is None:
        return "morale-none"
    if not dice.shows(act.faces):
        return "morale-dice"
    return "morale-twice" if unit in seen else ""
