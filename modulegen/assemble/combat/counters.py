"""What a counter does for a combat: it is marked, and when it is counted it says what it is and what it brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import deeds, odds, tasks
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.plan import battlefield
from hexforge.modulegen.plan.markers import COMBAT_IMAGES, beside
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan, UnitPlan

KEY_TARGET, KEY_ATTACK, KEY_SUPPORT, KEY_GUARD = t.ctrl_shift("K"), t.ctrl("K"), t.ctrl("U"), t.ctrl_shift("U")
ROLE = "Role"

Traits = tuple[t.Trait, ...]


def unit(plan: Plan) -> Traits:
    """The traits that every unit has for combats."""
    return (
        t.Layer(
            name="Combat",
            images=("", *COMBAT_IMAGES),
            x=-beside(plan.size, plan.scale),
            # VASSAL sets the counters of a stack apart by their outlines, to which no such layer adds.
            under_when_selected=True,
            follow=True,
            property_name=ROLE,
            first_level=0,
        ),
        deeds.sent(plan),
    )


def role(plan: Plan, *, gun: bool) -> Traits:
    """What the counter is marked as, and the entries of the menu that mark it; again, and the mark is gone."""
    words = plan.words
    toggles = [(words("menu.attack"), KEY_ATTACK, n.ATTACK), (words("menu.retreat"), deeds.KEY_RETREAT, n.RETREAT)]
    if gun:
        toggles += [(words("menu.support"), KEY_SUPPORT, n.SUPPORT), (words("menu.guard"), KEY_GUARD, n.GUARD)]
    commands = [
        t.PropertyCommand(menu, key, t.PropertyChange("P", f"{{{ROLE} == {mark} ? 0 : {mark}}}"))
        for menu, key, mark in toggles
    ]
    once = [(words("menu.target"), KEY_TARGET, n.DEFEND), (words("menu.advance"), deeds.KEY_ADVANCE, n.ADVANCE)]
    commands += [t.PropertyCommand(menu, key, t.PropertyChange("P", str(mark))) for menu, key, mark in once]
    commands += [t.PropertyCommand("", n.KEY_MARK, t.PropertyChange("P", f"{{{n.MARK}}}"))]
    # Keys of their own: where no counter hears them, nothing changes, and a log has no step for it.
    commands += [
        t.PropertyCommand("", key, t.PropertyChange("P", str(mark)))
        for key, mark in ((n.KEY_SHOW, n.SHOWN), (n.KEY_HIDE, 0))
    ]
    return (
        t.DynamicProperty(ROLE, commands=tuple(commands), start="0"),
        *deeds.calls(KEY_TARGET, tasks.watched(plan), weighs=plan.scenario.game.rules.stacking.weighs),
    )


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """The properties of a counter that combats count with."""
    c, scenario = unit.counter, plan.scenario
    rules, table = scenario.game.rules.combat, scenario.tables.vulnerability
    formation = plan.memberships[c.id]
    codes = formation.codes
    if battlefield.of_types(scenario, c, rules.encirclement.immune.get(c.side, ())):
        codes += odds.IMMUNE
    if plan.barriers.sets:
        codes += f"[T{plan.barriers.groups[c.type]}]"
    found: dict[str, object] = {n.TELLS: f" {c.id}={codes}"}
    if rules.unity != type(rules.unity)():
        found |= {
            "RegimentOf": formation.regiment,
            "RegimentSize": formation.regiment_size,
            "DivisionOf": formation.division,
            "DivisionSize": formation.division_size,
            "Leads": int(formation.leads),
        }
    if rules.unity.commands:
        found |= {"Command": formation.command, n.COMMANDED: f"([C{formation.command}])"}
    if scenario.tables.bombardment is not None:
        found |= {
            "Shelled": table.get("artillery", {}).get(c.type, 0),
            "Bombed": table.get("air", {}).get(c.type, 0),
        }
    return found
