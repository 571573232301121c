"""Who is due enters by a key: in the first of his hexes that has room for him, or nowhere, and is told so.

Whoever stands in a hex knows how high his stack is and what the hex takes, so that he is asked, hex by hex.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat import stacks, tasks
from hexforge.modulegen.assemble.combat.calls import called, line
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan.arrivals import entries

if TYPE_CHECKING:
    from hexforge.modulegen.assemble.combat.desk import CombatDesk
    from hexforge.modulegen.plan import Plan
    from hexforge.modulegen.vassal import traits as t

_FULL = "@full"
"""What stands in the record behind a counter's call if the hex that it is to go to is full."""


def chosen(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """The steps that set the hex that the counter which has called out is to go to; none if all are full."""
    hexes = max((len(entries(plan.scenario, unit)) for unit in plan.units), default=1)
    full = f'{n.RECORD}.contains("{_FULL}")'
    asked = desk.say(f'UnitId != "" && {n.IN_GOAL} && ({_no_room(plan)})', quoted(_FULL))
    forget = desk.set(n.RECORD, f'"".concat({n.RECORD}).split("{_FULL}")[0]')
    yield desk.set(n.GOAL, _next(called("LocationName")))
    yield desk.set(n.TRIED, "0")
    yield from asked
    on = [forget, desk.set(n.GOAL, _next(f"{n.GOAL}.substring(1)")), desk.set(n.TRIED, f"{n.TRIED} + 1"), *asked]
    yield desk.act(on, while_=f"{full} && {n.TRIED} < {hexes - 1}")
    nowhere = [forget, desk.set(n.GOAL, quoted("")), desk.tell(f"{{{line(plan, 'no_room')}}}")]
    yield desk.act(nowhere, while_=full)


def _no_room(plan: Plan) -> str:
    """Whether a counter leaves no room in its hex for the one that has called out: it is the enemy's, or its stack
    is as high as it may be."""
    more = f"Integer.parseInt({called(n.WEIGHT)})" if plan.scenario.game.rules.stacking.weighs else "1"
    there = f"!UnitId.equals({n.WHO}) && {stacks.crowded(plan, more)}"
    return f"!Side.equals({called('Side')}) || {there}"


def _next(here: str) -> str:
    return tasks.next_entry(called(tasks.ENTRIES), here)
