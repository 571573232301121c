"""Who picks losses and leads retreats by a result, and dice that say how much is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from hexforge.scenarios.words import message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.combat.aftermath import Aftermath
from hexforge.validator.referee.combat.demands import NOTHING, SideDemands, other, picker
from hexforge.validator.referee.combat.fight import Fight
from hexforge.validator.referee.findings import Finding

_Act: TypeAlias = "st.Lose | st.Eliminate | st.Retreat"


def check_choices(after: Aftermath, fight: Fight) -> Iterator[Finding]:
    """Findings on the dice for losses, and on who is said to have picked units or led them back.

    Where the sheet does not say who did, and the enemy had to, that is told and found no fault with.
    """
    if after.demands is None:
        return
    for role, units in (("defender", after.defenders), ("attacker", after.engaged)):
        yield from _dice(after, fight, role, after.demands.of(role), bool(units))  # type: ignore[arg-type]
    yield from _order(after, fight)
    unsaid: dict[str, Finding] = {}
    for act in fight.aftermath:
        if not isinstance(act, st.Lose | st.Eliminate | st.Retreat):
            continue
        part = next((p for u in act.units if (p := after.part_of(u)) is not None), None)
        if part is None:
            continue
        key, right = _right(after, act, part)
        who = message(f"findings.role.{right}")
        if act.by is not None and act.by != right:
            said = message(f"findings.role.{act.by}")
            yield after.battle.found(act.line, key, units=act.units, role=who, said=said)
        elif act.by is None and right != part and _may_choose(after, act, part):
            unsaid.setdefault(
                key, after.battle.found(act.line, f"{key}-unsaid", severity="info", units=act.units, role=who)
            )
    yield from unsaid.values()


def _order(after: Aftermath, fight: Fight) -> Iterator[Finding]:
    """A finding where a side carries out what it owes before the other, who goes first by the result, is done."""
    first = after.demands.first if after.demands is not None else None
    told = [
        (act, {after.part_of(u) for u in act.units} - {None})
        for act in fight.aftermath
        if isinstance(act, st.Lose | st.Eliminate | st.Retreat)
    ]
    last = max((i for i, (_, parts) in enumerate(told) if first in parts), default=-1)
    early = next((act for act, parts in told[:last] if first is not None and parts - {first}), None)
    if early is not None and first is not None and after.demands is not None:
        role = message(f"findings.role.{first}")
        units = early.units
        yield after.battle.found(early.line, "carried-early", units=units, role=role, result=after.demands.text)


def _right(
    after: Aftermath, act: st.Lose | st.Eliminate | st.Retreat, part: st.RoleName
) -> tuple[str, st.RoleName]:
    """Who has the choice by the result, and the kind of finding where it was another."""
    demanded = after.demands.of(part) if after.demands else NOTHING
    if isinstance(act, st.Retreat):
        back = next((after.retreat_of(u) for u in act.units if after.part_of(u) == part), None)
        led = back is not None and back.by == "opponent"
        return "retreat-led", other(part) if led else part
    loss = demanded.units if isinstance(act, st.Eliminate) and demanded.units else demanded.steps or demanded.units
    return "loss-picked", picker(loss, part)


def _may_choose(after: Aftermath, act: _Act, part: st.RoleName) -> bool:
    """Whether there was anything to choose: a way, or one of several units."""
    return isinstance(act, st.Retreat) or len(after.defenders if part == "defender" else after.engaged) > 1


def _dice(after: Aftermath, fight: Fight, role: st.RoleName, part: SideDemands, there: bool) -> Iterator[Finding]:
    told, dice, section = fight.loss_rolls.get(role), part.dice, after.battle.rules.sections.result
    who = message(f"findings.role.{role}")
    if told is not None and dice is None:
        yield after.battle.found(told.line, "loss-dice-none", section=section, role=who)
    elif told is not None and dice is not None and not dice.shows(told.faces):
        faces = " ".join(map(str, told.faces))
        yield after.battle.found(
            told.line, "loss-dice", section=section, declared=faces, dice=str(dice), faces=faces
        )
    elif told is None and dice is not None and there and not after.ctx.partial:
        yield after.battle.found(fight.line, "loss-dice-untold", section=section, severity="warning", role=who)
