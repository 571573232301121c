"""How high a stack may be, and what a counter counts in it, as VASSAL works it out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan, UnitPlan
    from hexforge.scenarios.hexgrid import Hex


def crowded(plan: Plan, more: str = "") -> str:
    """Whether a counter's stack is higher than the limit of its hex, or would be with as many points `more`."""
    first, second = (side.id for side in plan.scenario.game.sides)
    if not plan.scenario.game.rules.stacking.sides:
        return _crowded(plan, first, more)
    is_first = f"SideName == {quoted(plan.words.side(first))}"
    return f"({is_first} ? {_crowded(plan, first, more)} : {_crowded(plan, second, more)})"


def _crowded(plan: Plan, side: str, more: str) -> str:
    rule, map_ = plan.scenario.game.rules.stacking, plan.scenario.map
    count = f'SumStack("{n.WEIGHT}")' if rule.weighs else 'CountStack("UnitId")'
    count += f" + {more}" if more else ""
    usual = rule.most((), side)
    found = f"{count} > {usual}"
    own: dict[int, list[Hex]] = {}
    for hex_ in map_.grid if rule.terrain else ():
        own.setdefault(rule.most(map_.terrain[hex_], side), []).append(hex_)
    own.pop(usual, None)
    for limit, hexes in own.items():
        found = f"{quoted(' '.join(hexes))}.contains(LocationName.trim()) ? {count} > {limit} : {found}"
    return f"({found})" if own else found


def weighed(plan: Plan, unit: UnitPlan) -> Iterator[t.Trait]:
    """What a counter counts towards the limit of its hex, where that hangs on its steps."""
    if _by_steps(plan, unit):
        counter, rule = unit.counter, plan.scenario.game.rules.stacking
        step = rule.weight(counter.id, plan.scenario.kinds(counter.type), counter.size, 1)
        yield t.CalculatedProperty(n.WEIGHT, f"{{{step} * ({len(unit.images) + 1} - Step_Level)}}")


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """What a counter counts where it is always the same, in games in which that is not one for each."""
    rule, counter = plan.scenario.game.rules.stacking, unit.counter
    if not rule.weighs or _by_steps(plan, unit):
        return {}
    return {n.WEIGHT: rule.weight(counter.id, plan.scenario.kinds(counter.type), counter.size, 1)}


def _by_steps(plan: Plan, unit: UnitPlan) -> bool:
    return plan.scenario.game.rules.stacking.counted == "steps" and len(unit.images) > 1
