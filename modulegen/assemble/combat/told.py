"""What a combat writes into the chat: the lines of a turn sheet, which logs are read by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import air
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat import odds
from hexforge.modulegen.assemble.combat.desk import CombatDesk
from hexforge.modulegen.assemble.combat.figures import points_of
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan.combats import works_out
from hexforge.modulegen.plan.markers import has_air
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan
    from hexforge.scenarios.schema.tables import ResultTable


def line(plan: Plan, name: str) -> str:
    """A line of the sheet, `$property$` in it."""
    return plan.words(f"tell.{name}")


def told(plan: Plan, name: str) -> str:
    """The same, written in any case."""
    return f"{{{joined(line(plan, name))}}}"


def joined(text: str) -> str:
    """A line as an expression. `$CombatSpot$` is the number of the target, whose leading zero VASSAL would drop."""
    parts = [n.TARGET_HEX if part == n.SPOT else part for part in text.split("$")]
    return " + ".join(quoted(part) if i % 2 == 0 else part for i, part in enumerate(parts) if part)


def declared(plan: Plan, desk: CombatDesk, what: str = "combat") -> Iterator[t.Key]:
    """Everybody who fights, with which points, and what the combat, or the `overrun`, comes to."""
    yield desk.tell(told(plan, what))
    yield desk.tell(line(plan, "attack"))
    yield desk.tell_if(f"!{n.GUNS}.isEmpty()", told(plan, "support"))
    yield desk.tell_if(f"!{n.GUARDS}.isEmpty()", told(plan, "guard"))
    for spec in plan.scenario.game.sides[:2]:
        ours, theirs = points_of(plan, spec.id)
        for points, attacks in [*((p, True) for p in ours), *((p, False) for p in theirs)]:
            key = {n.POINTS: ("guard_air", "air"), n.OFFBOARD: ("guard_offboard", "offboard")}[points][attacks]
            yield desk.tell_if(f"{points} > 0 && {n.ATTACKER} == {quoted(spec.id)}", told(plan, key))
    if works_out(plan.scenario):
        yield desk.tell(line(plan, "declare"))
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


def shifted(plan: Plan, desk: CombatDesk) -> t.Key:
    """What was shifted by hand, and why."""
    return desk.tell_if(f"{n.SHIFT} != 0", f"{{{joined(plan.words('combat.shifted'))}}}")


def read(plan: Plan, desk: CombatDesk, table: ResultTable) -> Iterator[t.Key]:
    """The dice, and the cell of the table."""
    yield desk.set(n.ROLL, odds.rolled(table))
    yield desk.set(n.FACES, f'{n.DICE}_result.replace(",", " ")')
    yield desk.tell(line(plan, "roll"))
    if works_out(plan.scenario):
        yield desk.set(n.RESULT, odds.cell(table))
        yield desk.tell(line(plan, "result"))


def spent(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """Air points that are gone, and their markers."""
    if has_air(plan.scenario) and plan.scenario.game.rules.combat.air is not None:
        yield desk.set(air.AIR, f"{air.AIR} - {n.POINTS}")
        yield air.KEY_SHOW
