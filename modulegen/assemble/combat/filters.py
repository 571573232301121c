"""Units that a player looks for: the menu that marks them on the map until the phase changes.

They are marked as those in combats are, with a mark of their own that means nothing for a combat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import turns
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat.desk import Desk
from hexforge.modulegen.assemble.combat.figures import NEXT, placed
from hexforge.modulegen.assemble.expressions import keys, quoted
from hexforge.modulegen.assemble.strokes import KEY_PHASE
from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make
from hexforge.modulegen.vassal.sequence import encode_safe

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan, UnitPlan

KEY_ZOC = t.ctrl("Z")
WEIGHT, EXERTS = "Weight", "Exerts"


def menu(plan: Plan, desk: Desk) -> Iterator[Element]:
    """The menu of the toolbar, and the buttons that it takes in."""
    words, hide = plan.words, desk.order(f"Role == {n.SHOWN}", n.KEY_HIDE)
    entries = {name: [hide, *steps] for name, steps in _filters(plan, desk)} | {"none": [hide]}
    for name, pressed in entries.items():
        told = words(f"show.{name}")
        yield make("DoActionButton", name=told, text=told, doHotkey=True, hotkeys=keys(*pressed))
    yield make(
        "ToolbarMenu",
        description=words("show.menu"),
        tooltip=words("show.menu"),
        icon=icon("show"),
        menuItems=encode_safe([words(f"show.{name}") for name in entries], ","),
    )
    yield make(
        "DoActionButton",
        name="CrowdedAtPhase",
        hotkey=KEY_PHASE,
        doHotkey=True,
        hotkeys=keys(*entries["crowded"]),
    )


def _filters(plan: Plan, desk: Desk) -> Iterator[tuple[str, list[t.Key]]]:
    """What is looked for, by the key of its word, and the steps that mark it."""
    main = quoted(plan.words("map.main"))
    here = f'UnitId != "" && Role == 0 && CurrentMap == {main}'
    moving = f"{turns.SIDE_PHASE}.startsWith(SideName)"

    def found(who: str) -> t.Key:
        return desk.order(f"{here} && {who}", n.KEY_SHOW)

    yield "unmoved", [found(f"Moved != true && {moving}")]
    yield "engaged", [found(f"Count({next_to_an_enemy(plan)}, {main}) > 0")]
    if any(u.counter.range is not None for u in plan.units.values()):
        aimed = [desk.set(n.X, "0"), desk.act([*placed(plan, desk)], while_=f"{n.X} == 0 && !{n.TARGET}.isEmpty()")]
        yield "guns", [*aimed, found(f"{n.X} > 0 && Range > 0 && {in_range(plan)}")]
    twice = f'Count("{{PieceId == " + PieceId + "}}", {main}) > 1'
    yield "crowded", [found(_crowded(plan)), found(twice)]
    yield "zones", [desk.order(f'UnitId != "" && CurrentMap == {main} && !{moving}', KEY_ZOC)]


def next_to_an_enemy(plan: Plan) -> str:
    """What holds of a counter in whose zone another stands, as a text into which that one puts its own figures."""
    across, down = '(CurrentX - " + CurrentX + ")', '(CurrentY - " + CurrentY + ")'
    near = f"{across} * {across} + {down} * {down} < {round((NEXT * plan.ground.dy) ** 2)}"
    zone = f"{EXERTS} == 1 && " if plan.scenario.game.rules.movement.zones.exerted_by else ""
    return f'"{{{zone}Camp == 3 - " + Camp + " && {near}}}"'


def in_range(plan: Plan) -> str:
    """Whether a gun bears on the target: hexes are counted by columns, and by rows but for half a one a column."""
    dx, dy = plan.ground.dx, plan.ground.dy
    columns = f"(Math.max(CurrentX - {n.X}, {n.X} - CurrentX) + {round(dx / 4)}) / {round(dx)}"
    rows = f"Math.max(CurrentY - {n.Y}, {n.Y} - CurrentY)"
    return f"{columns} <= Range && {rows} + {columns} * {round(dy / 2)} <= Range * {round(dy)} + {round(dy / 4)}"


def _crowded(plan: Plan) -> str:
    """Whether a counter's stack is higher than the limit; VASSAL knows of no terrain that has one of its own."""
    rule = plan.scenario.game.rules.stacking
    count = f'SumStack("{WEIGHT}")' if rule.points or rule.free else 'CountStack("UnitId")'
    return f"{count} > {rule.limit}"


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """The properties of a counter that are looked at, in games that have them."""
    scenario, counter = plan.scenario, unit.counter
    rules, kinds = scenario.game.rules, scenario.kinds(counter.type)
    found: dict[str, object] = {}
    if rules.stacking.points or rules.stacking.free:
        found[WEIGHT] = rules.stacking.weight(kinds, counter.size)
    if rules.movement.zones.exerted_by:
        found[EXERTS] = int(not kinds.isdisjoint(rules.movement.zones.exerted_by))
    return found
