"""Assault, preview, bombardment and air strike: in which order their steps are taken.

VASSAL's buttons know no conditions, but loops. So every stage is a loop that its own last step ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import deeds, odds, told
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat.desk import CombatDesk
from hexforge.modulegen.assemble.combat.figures import (
    column_of,
    counted,
    emptied,
    figures,
    in_reach,
    listed,
    placed,
    summed,
    within,
)
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan import battlefield
from hexforge.modulegen.plan.chores import overruns
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan
    from hexforge.scenarios.schema.tables import ResultTable


def _while(desk: CombatDesk, stage: str, pressed: Sequence[t.Key]) -> t.Key:
    """What is pressed in a stage, once: the last of the keys leads to another stage."""
    return desk.act(pressed, while_=f"{n.STAGE} == {quoted(stage)}")


def _stage(desk: CombatDesk, condition: str, stage: str, otherwise: str) -> t.Key:
    """The step that leads to one stage while a condition holds, else to another."""
    return desk.set(n.STAGE, f"{condition} ? {quoted(stage)} : {quoted(otherwise)}")


def _over(desk: CombatDesk) -> t.Key:
    return desk.set(n.STAGE, quoted(""))


def _objections(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """The stages in which something lacks, which the chat says."""
    for stage in ("idle", "nobody"):
        yield _while(desk, stage, [desk.tell(plan.words(f"combat.{stage}")), _over(desk)])


def assault(plan: Plan, desk: CombatDesk, clear: t.Key) -> Iterator[t.Key]:
    """What the dice's button presses: a combat that is declared is told and rolled, else the dice are thrown."""
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "plain", "count")
    ready = _stage(desk, f"{n.ATTACKERS}.isEmpty()", "nobody", "fight")
    yield _while(desk, "count", [*figures(plan, desk), ready])
    lines = [*told.declared(plan, desk), n.KEY_THROW, *told.read(plan, desk, plan.scenario.tables.crt)]
    after = [*told.spent(plan, desk), desk.set(n.FOUGHT, deeds.fought(attackers=True)), _fired(desk), clear]
    yield _while(desk, "fight", [*lines, *after, _over(desk)])
    yield from _objections(plan, desk)
    yield _while(desk, "plain", [n.KEY_PLAIN, desk.tell(plan.words("combat.plain")), _over(desk)])


def overrun(plan: Plan, desk: CombatDesk, clear: t.Key) -> Iterator[t.Key]:
    """The same in the course of a move: by dice, or with the result that an overrun always has."""
    rule = overruns(plan.scenario)
    assert rule is not None
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "idle", "ride")
    ready = _stage(desk, f"{n.ATTACKERS}.isEmpty()", "nobody", "over")
    yield _while(desk, "ride", [*figures(plan, desk), ready])
    if rule.result is None:
        ended = [n.KEY_THROW, *told.read(plan, desk, plan.scenario.tables.crt)]
    else:
        ended = [desk.set(n.RESULT, quoted(rule.result)), desk.tell(told.line(plan, "result"))]
    yield _while(desk, "over", [*told.declared(plan, desk, "overrun"), *ended, clear, _over(desk)])
    yield from _objections(plan, desk)


def guns(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """All guns of the attacker in range of the target support, but for those that have fired in this phase."""
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "idle", "range")
    ready = f'Role == 0 && Side == {n.ATTACKER} && !{n.FIRED}.contains(" " + UnitId.trim() + " ")'
    in_range = desk.mark(f"!Range.isEmpty() && {ready} && {in_reach(plan)}", n.SUPPORT)
    yield _while(desk, "range", [*placed(plan, desk), *in_range, _over(desk)])
    yield from _objections(plan, desk)


def _fired(desk: CombatDesk) -> t.Key:
    """The guns of this combat can fire no more."""
    return desk.set(n.FIRED, f'{n.FIRED} + {n.GUNS} + {n.GUARDS} + " "')


def preview(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """The same sums without dice: a line for the players, and nothing that a sheet would take."""
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "idle", "preview")
    line = desk.tell(f"{{{told.foreseen(plan)}}}")
    yield _while(desk, "preview", [*figures(plan, desk), line, _over(desk)])
    yield from _objections(plan, desk)


@dataclass(frozen=True)
class _Fire:
    """Fire from afar on the table of bombardments: how it is counted and told, and what shows that nobody fires."""

    table: ResultTable
    counted: tuple[t.Key, ...]
    nobody: str
    lines: tuple[t.Key, ...]
    after: tuple[t.Key, ...]


def bombard(plan: Plan, desk: CombatDesk, clear: t.Key) -> Iterator[t.Key]:
    """Guns that are marked, and guns beyond the map, against all in the target."""
    table = plan.scenario.tables.bombardment
    assert table is not None
    beyond = bool(plan.scenario.game.rules.combat.artillery.offboard)
    guns = counted(desk, "Attack", f"Role > 0 && Role <= {n.SUPPORT}")
    power = f"{n.ATTACKING} + {n.OFFBOARD}" if beyond else n.ATTACKING
    steps = [*placed(plan, desk), *emptied(desk), *guns, listed(desk, n.GUNS)]
    steps += [
        desk.set(n.GUARDS, quoted("")),
        summed(desk),
        desk.set(n.ATTACKING, n.SUM),
        *_worth(desk, "Shelled", power, table),
    ]
    nobody = f"{n.GUNS}.isEmpty()" + (f" && {n.OFFBOARD} == 0" if beyond else "")
    lines = [desk.tell_if(when, told.told(plan, key)) for key, when in _batteries(beyond).items()]
    yield from _fire(plan, desk, _Fire(table, tuple(steps), nobody, tuple(lines), (_fired(desk), clear)))


def _batteries(beyond: bool) -> Mapping[str, str]:
    """The lines that name who bombards, each with the condition under which it is the right one."""
    guns, points = f"!{n.GUNS}.isEmpty()", f"{n.OFFBOARD} > 0"
    if not beyond:
        return {"bombard": guns}
    return {
        "bombard": f"{guns} && {n.OFFBOARD} == 0",
        "bombard_both": f"{guns} && {points}",
        "bombard_offboard": f"{n.GUNS}.isEmpty() && {points}",
    }


def airstrike(plan: Plan, desk: CombatDesk, clear: t.Key) -> Iterator[t.Key]:
    """Air points alone against all in the target."""
    table = plan.scenario.tables.bombardment
    assert table is not None
    steps = (*placed(plan, desk), *_worth(desk, "Bombed", n.POINTS, table))
    lines = (desk.tell(told.told(plan, "airstrike")),)
    after = (*told.spent(plan, desk), clear)
    yield from _fire(plan, desk, _Fire(table, steps, f"{n.POINTS} == 0", lines, after))


def _worth(desk: CombatDesk, hurt: str, power: str, table: ResultTable) -> Iterator[t.Key]:
    """Power times what the defenders can be hurt by it, and the column after the terrain of the hex."""
    yield from emptied(desk)
    yield from counted(desk, hurt, n.IN_TARGET)
    yield summed(desk)
    yield desk.set(n.SUM_ATTACK, power)
    yield desk.set(n.VALUE, f"{n.SUM_ATTACK} * {n.SUM}")
    yield desk.set(n.BASE, odds.value_column(table))
    yield desk.set(n.HEX, odds.columns_at(battlefield.TERRAIN))
    yield desk.set(n.WORKS, odds.columns_at(battlefield.WORKS))
    yield desk.set(n.MOVED, f"{n.HEX} < 0 ? {n.HEX} + {n.WORKS} + {n.SHIFT} : {n.WORKS} + {n.SHIFT}")
    yield from within(desk, table)
    yield from column_of(desk, table)


def _fire(plan: Plan, desk: CombatDesk, fire: _Fire) -> Iterator[t.Key]:
    """The stages of fire from afar."""
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "idle", "count")
    yield _while(desk, "count", [*fire.counted, _stage(desk, fire.nobody, "nobody", "fire")])
    lines = [*fire.lines, desk.tell(told.line(plan, "value")), told.shifted(plan, desk)]
    dice = [n.KEY_THROW, *told.read(plan, desk, fire.table)]
    after = [desk.set(n.FOUGHT, deeds.fought(attackers=False)), *fire.after]
    yield _while(desk, "fire", [*lines, *dice, *after, _over(desk)])
    yield from _objections(plan, desk)
