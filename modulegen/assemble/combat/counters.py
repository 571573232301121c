"""Units that a player looks for: the menu that marks them on the map until the phase changes.

They are marked as those in combats are, with a mark of their own that means nothing for a combat.

What a counter does for a combat: it is marked, and when it is counted it says what it is and what it brings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...plan import battlefield
from ...plan.markers import COMBAT_IMAGES, beside, icon
from ...vassal import traits
from ...vassal.buildfile import Element, make
from ...vassal.encoding import encode_safe
from ..expressions import KEY_PHASE, keys, quoted
from . import odds, reports, tasks
from . import steps as combat_steps
from .figures import EXERTS, IN, NEXT, neighbour, own_zone, placed, reaches_all, shielded
from .steps import CombatDesk
from .tasks import called, line

if TYPE_CHECKING:
    from ...plan import Plan
    from ...plan.markers import UnitPlan


KEY_ZOC = traits.ctrl("Z")


def menu(plan: Plan, desk: CombatDesk) -> Iterator[Element]:
    """The menu of the toolbar, and the buttons that it takes in."""
    words, hide = plan.words, desk.order(f"Role == {combat_steps.SHOWN}", combat_steps.KEY_HIDE)
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


def _filters(plan: Plan, desk: CombatDesk) -> Iterator[tuple[str, list[traits.Key]]]:
    """What is looked for, by the key of its word, and the steps that mark it."""
    main = quoted(plan.words("map.main"))
    here = f'UnitId != "" && Role == 0 && CurrentMap == {main}'
    moving = f"{combat_steps.SIDE_PHASE}.startsWith(SideName)"

    def found(who: str) -> traits.Key:
        return desk.order(f"{here} && {who}", combat_steps.KEY_SHOW)

    yield "unmoved", [found(f"Moved != true && {moving}")]
    yield "engaged", [found(_engaged(plan))]
    if any(u.counter.range is not None for u in plan.units.values()):
        aimed = [
            desk.set(combat_steps.X, "0"),
            desk.act([*placed(plan, desk)], while_=f"{combat_steps.X} == 0 && !{combat_steps.TARGET}.isEmpty()"),
        ]
        yield "guns", [*aimed, found(f"{combat_steps.X} > 0 && Range > 0 && {in_range(plan)}")]
    yield "crowded", [found(odds.crowded(plan)), found(_twice(plan))]
    has = f" && {exerts}" if (exerts := own_zone(plan)) else ""
    shown = "zones" if reaches_all(plan) else "zones_around"
    yield shown, [desk.order(f'UnitId != "" && CurrentMap == {main} && !{moving}{has}', KEY_ZOC)]


def watched(plan: Plan, desk: CombatDesk) -> list[traits.Key]:
    """After every drop: who stands in too high a stack there or for the second time, and a mover that has come into
    an enemy zone. They are marked, and a line in the chat says so."""
    main, words = quoted(plan.words("map.main")), plan.words
    there, before = (
        f"LocationName.trim().equals({called(where)})" for where in ("LocationName", "OldLocationName")
    )
    here = f'UnitId != "" && CurrentMap == {main}'
    phases = words.movements(plan.scenario.game.sequence)
    moving = " || ".join(f"{combat_steps.SIDE_PHASE}.equals({quoted(phase)})" for phase in phases)
    itself = f"UnitId.equals({called('UnitId')})"
    engaged = f"{itself} && Moved == true && {here} && ({moving or 'false'}) && {_engaged(plan)}"
    twice = f"{itself} && {here} && {_twice(plan)}"
    crowd = odds.crowded(plan)
    return [
        desk.order(f"Role == {combat_steps.SHOWN} && {here} && ({there} || {before})", combat_steps.KEY_HIDE),
        desk.order(f"Role == 0 && {here} && {there} && {crowd}", combat_steps.KEY_SHOW),
        desk.order(f"Role == 0 && {engaged}", combat_steps.KEY_SHOW),
        desk.order(f"Role == 0 && {twice}", combat_steps.KEY_SHOW),
        *_warn(plan, desk, {"twice": twice, "crowded": f"{itself} && {here} && {crowd}", "zone": engaged}),
    ]


def _warn(plan: Plan, desk: CombatDesk, cases: Mapping[str, str]) -> list[traits.Key]:
    """The keys that tell what is wrong with the place of the counter that has called out, once; of several things
    the first.

    The counter says so behind its call in the record, for which of the conditions hold only counters can know.
    """
    over, name = quoted(combat_steps.WARNED), called("PieceName")
    told = '""'
    for case in reversed(list(cases)):
        words = line(plan, case).replace(name, f'{name}.split("@")[0]')
        told = f"{combat_steps.RECORD}.contains({quoted(f'@{case}')}) ? {words} : {told}"
    once = [desk.tell(f"{{{told}}}"), desk.set(combat_steps.RECORD, f"{combat_steps.RECORD} + {over}")]
    anything = f'{combat_steps.RECORD}.contains("@") && !{combat_steps.RECORD}.contains({over})'
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
    across, down = (
        f"Math.max(CurrentX - {combat_steps.X}, {combat_steps.X} - CurrentX)",
        f"Math.max(CurrentY - {combat_steps.Y}, {combat_steps.Y} - CurrentY)",
    )
    if plan.ground.grid.pointy:
        across, down = down, across
    columns = f"({across} + {round(dx / 4)}) / {round(dx)}"
    rows = down
    return f"{columns} <= Range && {rows} + {columns} * {round(dy / 2)} <= Range * {round(dy)} + {round(dy / 4)}"


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """The properties of a counter that are looked at, in games that have them."""
    scenario, counter = plan.scenario, unit.counter
    rules, kinds = scenario.game.rules, scenario.kinds(counter.type)
    found = odds.markers(plan, unit)
    zones = rules.movement.zones
    if zones.exerted_by or not zones.exerted:
        found[EXERTS] = int(zones.exerted and not kinds.isdisjoint(zones.exerted_by))
    return found


KEY_TARGET, KEY_ATTACK, KEY_SUPPORT, KEY_GUARD = (
    traits.ctrl_shift("K"),
    traits.ctrl("K"),
    traits.ctrl("U"),
    traits.ctrl_shift("U"),
)
ROLE = "Role"

Traits = tuple[traits.Trait, ...]


def unit(plan: Plan) -> Traits:
    """The traits that every unit has for combats."""
    return (
        traits.Layer(
            name="Combat",
            images=("", *COMBAT_IMAGES),
            x=-beside(plan.size, plan.scale),
            # VASSAL sets the counters of a stack apart by their outlines, to which no such layer adds.
            under_when_selected=True,
            follow=True,
            property_name=ROLE,
            first_level=0,
        ),
        reports.sent(plan),
    )


def role(plan: Plan, *, gun: bool) -> Traits:
    """What the counter is marked as, and the entries of the menu that mark it; again, and the mark is gone."""
    words = plan.words
    toggles = [
        (words("menu.attack"), KEY_ATTACK, combat_steps.ATTACK),
        (words("menu.retreat"), reports.KEY_RETREAT, combat_steps.RETREAT),
    ]
    if gun:
        toggles += [
            (words("menu.support"), KEY_SUPPORT, combat_steps.SUPPORT),
            (words("menu.guard"), KEY_GUARD, combat_steps.GUARD),
        ]
    commands = [
        traits.PropertyCommand(menu, key, traits.PropertyChange("P", f"{{{ROLE} == {mark} ? 0 : {mark}}}"))
        for menu, key, mark in toggles
    ]
    once = [
        (words("menu.target"), KEY_TARGET, combat_steps.DEFEND),
        (words("menu.advance"), reports.KEY_ADVANCE, combat_steps.ADVANCE),
    ]
    commands += [
        traits.PropertyCommand(menu, key, traits.PropertyChange("P", str(mark))) for menu, key, mark in once
    ]
    commands += [
        traits.PropertyCommand("", combat_steps.KEY_MARK, traits.PropertyChange("P", f"{{{combat_steps.MARK}}}"))
    ]
    # Keys of their own: where no counter hears them, nothing changes, and a log has no step for it.
    commands += [
        traits.PropertyCommand("", key, traits.PropertyChange("P", str(mark)))
        for key, mark in ((combat_steps.KEY_SHOW, combat_steps.SHOWN), (combat_steps.KEY_HIDE, 0))
    ]
    return (
        traits.DynamicProperty(ROLE, commands=tuple(commands), start="0"),
        *reports.calls(KEY_TARGET, tasks.watched(plan), weighs=plan.scenario.game.rules.stacking.weighs),
    )


def combat_markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """The properties of a counter that combats count with."""
    c, scenario = unit.counter, plan.scenario
    rules, table = scenario.game.rules.combat, scenario.tables.vulnerability
    formation = plan.memberships[c.id]
    codes = formation.codes
    if battlefield.of_types(scenario, c, rules.encirclement.immune.get(c.side, ())):
        codes += odds.IMMUNE
    if plan.barriers.sets:
        codes += f"[T{plan.barriers.groups[c.type]}]"
    found: dict[str, object] = {combat_steps.TELLS: f" {c.id}={codes}"}
    if rules.unity != type(rules.unity)():
        found |= {
            "RegimentOf": formation.regiment,
            "RegimentSize": formation.regiment_size,
            "DivisionOf": formation.division,
            "DivisionSize": formation.division_size,
            "Leads": int(formation.leads),
        }
    if rules.unity.commands:
        found |= {"Command": formation.command, combat_steps.COMMANDED: f"([C{formation.command}])"}
    if scenario.tables.bombardment is not None:
        found |= {
            "Shelled": table.get("artillery", {}).get(c.type, 0),
            "Bombed": table.get("air", {}).get(c.type, 0),
        }
    return found
