"""Units that a player looks for: the menu that marks them on the map until the phase changes.

They are marked as those in combats are, with a mark of their own that means nothing for a combat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import turns
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat import stacks
from hexforge.modulegen.assemble.combat.calls import called, line
from hexforge.modulegen.assemble.combat.desk import CombatDesk
from hexforge.modulegen.assemble.combat.figures import (
    EXERTS,
    IN,
    NEXT,
    neighbour,
    own_zone,
    placed,
    reaches_all,
    shielded,
)
from hexforge.modulegen.assemble.expressions import keys, quoted
from hexforge.modulegen.assemble.strokes import KEY_PHASE
from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make
from hexforge.modulegen.vassal.sequence import encode_safe

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan, UnitPlan

KEY_ZOC = t.ctrl("Z")


def menu(plan: Plan, desk: CombatDesk) -> Iterator[Element]:
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


def _filters(plan: Plan, desk: CombatDesk) -> Iterator[tuple[str, list[t.Key]]]:
    """What is looked for, by the key of its word, and the steps that mark it."""
    main = quoted(plan.words("map.main"))
    here = f'UnitId != "" && Role == 0 && CurrentMap == {main}'
    moving = f"{turns.SIDE_PHASE}.startsWith(SideName)"

    def found(who: str) -> t.Key:
        return desk.order(f"{here} && {who}", n.KEY_SHOW)

    yield "unmoved", [found(f"Moved != true && {moving}")]
    yield "engaged", [found(_engaged(plan))]
    if any(u.counter.range is not None for u in plan.units.values()):
        aimed = [desk.set(n.X, "0"), desk.act([*placed(plan, desk)], while_=f"{n.X} == 0 && !{n.TARGET}.isEmpty()")]
        yield "guns", [*aimed, found(f"{n.X} > 0 && Range > 0 && {in_range(plan)}")]
    yield "crowded", [found(stacks.crowded(plan)), found(_twice(plan))]
    has = f" && {exerts}" if (exerts := own_zone(plan)) else ""
    shown = "zones" if reaches_all(plan) else "zones_around"
    yield shown, [desk.order(f'UnitId != "" && CurrentMap == {main} && !{moving}{has}', KEY_ZOC)]


def watched(plan: Plan, desk: CombatDesk) -> list[t.Key]:
    """After every drop: who stands in too high a stack there or for the second time, and a mover that has come into
    an enemy zone. They are marked, and a line in the chat says so."""
    main, words = quoted(plan.words("map.main")), plan.words
    there, before = (
        f"LocationName.trim().equals({called(where)})" for where in ("LocationName", "OldLocationName")
    )
    here = f'UnitId != "" && CurrentMap == {main}'
    phases = words.movements(plan.scenario.game.sequence)
    moving = " || ".join(f"{turns.SIDE_PHASE}.equals({quoted(phase)})" for phase in phases)
    itself = f"UnitId.equals({called('UnitId')})"
    engaged = f"{itself} && Moved == true && {here} && ({moving or 'false'}) && {_engaged(plan)}"
    twice = f"{itself} && {here} && {_twice(plan)}"
    crowd = stacks.crowded(plan)
    return [
        desk.order(f"Role == {n.SHOWN} && {here} && ({there} || {before})", n.KEY_HIDE),
        desk.order(f"Role == 0 && {here} && {there} && {crowd}", n.KEY_SHOW),
        desk.order(f"Role == 0 && {engaged}", n.KEY_SHOW),
        desk.order(f"Role == 0 && {twice}", n.KEY_SHOW),
        *_warn(plan, desk, {"twice": twice, "crowded": f"{itself} && {here} && {crowd}", "zone": engaged}),
    ]


def _warn(plan: Plan, desk: CombatDesk, cases: Mapping[str, str]) -> list[t.Key]:
    """The keys that tell what is wrong with the place of the counter that has called out, once; of several things
    the first.

    The counter says so behind its call in the record, for which of the conditions hold only counters can know.
    """
    over, name = quoted(n.WARNED), called("PieceName")
    told = '""'
    for case in reversed(list(cases)):
        words = line(plan, case).replace(name, f'{name}.split("@")[0]')
        told = f"{n.RECORD}.contains({quoted(f'@{case}')}) ? {words} : {told}"
    once = [desk.tell(f"{{{told}}}"), desk.set(n.RECORD, f"{n.RECORD} + {over}")]
    anything = f'{n.RECORD}.contains("@") && !{n.RECORD}.contains({over})'
    asked = [key for case, who in cases.items() for key in desk.say(who, quoted(f"@{case}"))]
    return [*asked, desk.act(once, while_=anything)]


def _twice(plan: Plan) -> str:
    """Whether another counter of the same unit is on the map."""
    return f'Count("{{PieceId == " + PieceId + "}}", {quoted(plan.words("map.main"))}) > 1'


def _engaged(plan: Plan) -> str:
    """Whether a counter stands in a zone of the enemy."""
    scenario, main = plan.scenario, quoted(plan.words("map.main"))
    shut = set(scenario.game.rules.movement.zones.not_into)
    safe = [h for h in scenario.map.grid if not shut.isdisjoint(scenario.map.terrain[h])] if shut else []
    outside = f"!{quoted(' '.join(safe))}.contains(LocationName.trim()) && " if safe else ""
    return f"{outside}Count({next_to_an_enemy(plan)}, {main}) > 0"


def next_to_an_enemy(plan: Plan) -> str:
    """What holds of a counter in whose zone another stands, as a text into which that one puts its own figures."""
    across, down = '(CurrentX - " + CurrentX + ")', '(CurrentY - " + CurrentY + ")'
    near = f"{across} * {across} + {down} * {down} < {round((NEXT * plan.ground.dy) ** 2)}"
    exerts = own_zone(plan)
    zone = f"{exerts} && " if exerts else ""
    shields = "".join(
        f' + ({quoted(" ".join(hexes))}.contains(LocationName.trim()) ? " && {_elsewhere(plan, direction)}" : "")'
        for direction, hexes in shielded(plan, behind=False).items()
    )
    return f'"{{{zone}Camp == 3 - " + Camp + " && {near}"{shields} + "}}"'


def _elsewhere(plan: Plan, direction: int) -> str:
    """What holds of a counter that is not in the next hex in a direction, within the text of `next_to_an_enemy`."""
    x, y = neighbour(plan, direction)
    across, down = (f'(CurrentX - " + CurrentX + " - {x})', f'(CurrentY - " + CurrentY + " - {y})')
    return f"{across} * {across} + {down} * {down} > {round((IN * plan.ground.dy) ** 2)}"


def in_range(plan: Plan) -> str:
    """Whether a gun bears on the target: hexes are counted by lines, and in a line but for half a one a line."""
    dx, dy = plan.ground.dx, plan.ground.dy
    across, down = f"Math.max(CurrentX - {n.X}, {n.X} - CurrentX)", f"Math.max(CurrentY - {n.Y}, {n.Y} - CurrentY)"
    if plan.ground.grid.pointy:
        across, down = down, across
    columns = f"({across} + {round(dx / 4)}) / {round(dx)}"
    rows = down
    return f"{columns} <= Range && {rows} + {columns} * {round(dy / 2)} <= Range * {round(dy)} + {round(dy / 4)}"


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """The properties of a counter that are looked at, in games that have them."""
    scenario, counter = plan.scenario, unit.counter
    rules, kinds = scenario.game.rules, scenario.kinds(counter.type)
    found = stacks.markers(plan, unit)
    zones = rules.movement.zones
    if zones.exerted_by or not zones.exerted:
        found[EXERTS] = int(zones.exerted and not kinds.isdisjoint(zones.exerted_by))
    return found
