"""Assault, preview, bombardment and air strike: in which order their steps are taken.

VASSAL's buttons know no conditions, but loops. So every stage is a loop that its own last step ends.

What a combat writes into the chat: the lines of a turn sheet, which logs are read by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...plan import battlefield
from ...plan.battlefield import overruns, works_out
from ...plan.markers import has_air
from ...vassal import traits
from .. import air
from ..expressions import counted as thrown
from ..expressions import quoted
from . import odds, reports
from . import steps as n
from .figures import column_of, counted, emptied, figures, in_reach, listed, placed, points_of, summed, within
from .steps import CombatDesk

if TYPE_CHECKING:
    from ....scenarios.schema.tables import ResultTable
    from ...plan import Plan


def line(plan: Plan, name: str) -> str:
    """A line of the sheet, `$property$` in it."""
    return plan.words(f"tell.{name}")


def chat_expression(plan: Plan, name: str) -> str:
    """The same, written in any case."""
    return f"{{{joined(line(plan, name))}}}"


def joined(text: str) -> str:
    """A line as an expression. `$CombatSpot$` is the number of the target, whose leading zero VASSAL would drop."""
    parts = [n.TARGET_HEX if part == n.SPOT else part for part in text.split("$")]
    return " + ".join(quoted(part) if i % 2 == 0 else part for i, part in enumerate(parts) if part)


def declared(plan: Plan, desk: CombatDesk, what: str = "combat") -> Iterator[traits.Key]:
    """Everybody who fights, with which points, and what the combat, or the `overrun`, comes to."""
    yield desk.tell(chat_expression(plan, what))
    yield desk.tell(line(plan, "attack"))
    yield desk.tell_if(f"!{n.GUNS}.isEmpty()", chat_expression(plan, "support"))
    yield desk.tell_if(f"!{n.GUARDS}.isEmpty()", chat_expression(plan, "guard"))
    for spec in plan.scenario.game.sides[:2]:
        ours, theirs = points_of(plan, spec.id)
        for points, attacks in [*((p, True) for p in ours), *((p, False) for p in theirs)]:
            key = {n.POINTS: ("guard_air", "air"), n.OFFBOARD: ("guard_offboard", "offboard")}[points][attacks]
            yield desk.tell_if(f"{points} > 0 && {n.ATTACKER} == {quoted(spec.id)}", chat_expression(plan, key))
    if works_out(plan.scenario):
        yield desk.tell(line(plan, "declare"))
        yield desk.tell(f"{{{foreseen(plan)}}}")
        yield _far(plan, desk)
        yield shifted(plan, desk)


def foreseen(plan: Plan) -> str:
    """The sums and what moves the column, before the dice; what is nought is left out."""
    words = plan.words
    found = [joined(words("combat.preview"))]
    parts = {
        "ground": n.COVER,
        "encirclement": n.ENCIRCLED,
        "unity": n.UNITY_ATTACK,
        "unity_defence": n.UNITY_DEFENCE,
        "modifiers": n.SURPRISE,
        "hand": n.SHIFT,
    }
    for key, columns in parts.items():
        text = words(f"combat.preview_{key}")
        before = text.partition("$")[0]
        more = joined(text if before[-1:] in "+-" else text.replace("$", "+$", 1))
        found.append(f'({columns} == 0 ? "" : {columns} > 0 ? {more} : {joined(text)})')
    return " + ".join([*found, joined(words("combat.preview_column"))])


def _far(plan: Plan, desk: CombatDesk) -> traits.Key:
    """What is said of those who are marked and cannot reach the target."""
    return desk.tell_if(f"{n.FAR} == 1", plan.words("combat.far"))


def shifted(plan: Plan, desk: CombatDesk) -> traits.Key:
    """What was shifted by hand, and why."""
    return desk.tell_if(f"{n.SHIFT} != 0", f"{{{joined(plan.words('combat.shifted'))}}}")


def read(plan: Plan, desk: CombatDesk, table: ResultTable) -> Iterator[traits.Key]:
    """The dice, and the cell of the table."""
    yield desk.set(n.ROLL, odds.rolled(table))
    yield desk.set(n.FACES, f'{n.DICE}_result.replace(",", " ")')
    yield desk.tell(line(plan, "roll"))
    if works_out(plan.scenario):
        yield desk.set(n.RESULT, odds.cell(table))
        yield desk.tell(line(plan, "result"))


def spent(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Air points that are gone, and their markers."""
    if has_air(plan.scenario) and plan.scenario.game.rules.combat.air is not None:
        yield desk.set(air.AIR, f"{air.AIR} - {n.POINTS}")
        yield air.KEY_SHOW


def _while(desk: CombatDesk, stage: str, pressed: Sequence[traits.Key]) -> traits.Key:
    """What is pressed in a stage, once: the last of the keys leads to another stage."""
    return desk.act(pressed, while_=f"{n.STAGE} == {quoted(stage)}")


def _stage(desk: CombatDesk, condition: str, stage: str, otherwise: str) -> traits.Key:
    """The step that leads to one stage while a condition holds, else to another."""
    return desk.set(n.STAGE, f"{condition} ? {quoted(stage)} : {quoted(otherwise)}")


def _over(desk: CombatDesk) -> traits.Key:
    return desk.set(n.STAGE, quoted(""))


def _objections(plan: Plan, desk: CombatDesk, lacks: str = "nobody") -> Iterator[traits.Key]:
    """The stages in which something lacks, which the chat says."""
    for stage in ("idle", lacks):
        yield _while(desk, stage, [desk.tell(plan.words(f"combat.{stage}")), _over(desk)])


def assault(plan: Plan, desk: CombatDesk, clear: traits.Key) -> Iterator[traits.Key]:
    """What the dice's button presses: a combat that is declared is told and rolled, else the dice are thrown."""
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "plain", "count")
    ready = _stage(desk, f"{n.ATTACKERS}.isEmpty()", "nobody", "fight")
    yield _while(desk, "count", [*figures(plan, desk), ready])
    lines = [*declared(plan, desk), *thrown(n.KEY_THROW), *read(plan, desk, plan.scenario.tables.crt)]
    after = [*spent(plan, desk), desk.set(n.FOUGHT, reports.fought(attackers=True)), _fired(desk), clear]
    yield _while(desk, "fight", [*lines, *after, _over(desk)])
    yield from _objections(plan, desk)
    yield _while(desk, "plain", [*thrown(n.KEY_PLAIN), desk.tell(plan.words("combat.plain")), _over(desk)])


def overrun(plan: Plan, desk: CombatDesk, clear: traits.Key) -> Iterator[traits.Key]:
    """The same in the course of a move: by dice, or with the result that an overrun always has."""
    rule = overruns(plan.scenario)
    assert rule is not None
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "idle", "ride")
    ready = _stage(desk, f"{n.ATTACKERS}.isEmpty()", "nobody", "over")
    yield _while(desk, "ride", [*figures(plan, desk), ready])
    if rule.result is None:
        ended = [*thrown(n.KEY_THROW), *read(plan, desk, plan.scenario.tables.crt)]
    else:
        ended = [desk.set(n.RESULT, quoted(rule.result)), desk.tell(line(plan, "result"))]
    yield _while(desk, "over", [*declared(plan, desk, "overrun"), *ended, clear, _over(desk)])
    yield from _objections(plan, desk)


def guns(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """All guns of the attacker in range of the target support, but for those that have fired in this phase."""
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "idle", "range")
    ready = f'Role == 0 && Side == {n.ATTACKER} && !{n.FIRED}.contains(" " + UnitId.trim() + " ")'
    in_range = desk.mark(f"!Range.isEmpty() && {ready} && {in_reach(plan)}", n.SUPPORT)
    yield _while(desk, "range", [*placed(plan, desk), *in_range, _over(desk)])
    yield from _objections(plan, desk)


def _fired(desk: CombatDesk) -> traits.Key:
    """The guns of this combat can fire no more."""
    return desk.set(n.FIRED, f'{n.FIRED} + {n.GUNS} + {n.GUARDS} + " "')


def preview(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """The same sums without dice: a line for the players, and nothing that a sheet would take."""
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "idle", "preview")
    line = desk.tell(f"{{{foreseen(plan)}}}")
    yield _while(desk, "preview", [*figures(plan, desk), line, _far(plan, desk), _over(desk)])
    yield from _objections(plan, desk)


@dataclass(frozen=True)
class _Fire:
    """Fire from afar on the table of bombardments: how it is counted and told, and what shows that nobody fires."""

    table: ResultTable
    counted: tuple[traits.Key, ...]
    nobody: str
    lines: tuple[traits.Key, ...]
    after: tuple[traits.Key, ...]
    lacks: str = "nobody"
    """What the chat then says."""


def bombard(plan: Plan, desk: CombatDesk, clear: traits.Key) -> Iterator[traits.Key]:
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
    lines = [desk.tell_if(when, chat_expression(plan, key)) for key, when in _batteries(beyond).items()]
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


def airstrike(plan: Plan, desk: CombatDesk, clear: traits.Key) -> Iterator[traits.Key]:
    """Air points alone against all in the target."""
    table = plan.scenario.tables.bombardment
    assert table is not None
    steps = (*placed(plan, desk), *_worth(desk, "Bombed", n.POINTS, table))
    lines = (desk.tell(chat_expression(plan, "airstrike")),)
    after = (*spent(plan, desk), clear)
    yield from _fire(plan, desk, _Fire(table, steps, f"{n.POINTS} == 0", lines, after, "no_points"))


def _worth(desk: CombatDesk, hurt: str, power: str, table: ResultTable) -> Iterator[traits.Key]:
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


def _fire(plan: Plan, desk: CombatDesk, fire: _Fire) -> Iterator[traits.Key]:
    """The stages of fire from afar."""
    yield _stage(desk, f"{n.TARGET}.isEmpty()", "idle", "count")
    yield _while(desk, "count", [*fire.counted, _stage(desk, fire.nobody, fire.lacks, "fire")])
    lines = [*fire.lines, desk.tell(line(plan, "value")), shifted(plan, desk)]
    dice = [*thrown(n.KEY_THROW), *read(plan, desk, fire.table)]
    after = [desk.set(n.FOUGHT, reports.fought(attackers=False)), *fire.after]
    yield _while(desk, "fire", [*lines, *dice, *after, _over(desk)])
    yield from _objections(plan, desk, fire.lacks)
