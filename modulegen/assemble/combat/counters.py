"""What a counter does for a combat: it is marked, and when it is counted it says what it is and what it brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat import odds
from hexforge.modulegen.plan import battlefield
from hexforge.modulegen.plan.markers import COMBAT_IMAGES
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan, UnitPlan

KEY_TARGET, KEY_ATTACK, KEY_SUPPORT, KEY_GUARD = t.ctrl_shift("K"), t.ctrl("K"), t.ctrl("U"), t.ctrl_shift("U")
ROLE = "Role"

Traits = tuple[t.Trait, ...]


def unit(plan: Plan) -> Traits:
    """The traits that every unit has for combats.

    All that counters tell goes through one property: VASSAL takes longer to make a trait that sets one than for any
    other, and a set-up has hundreds of units.
    """
    words = plan.words
    target = t.PropertyCommand(words("menu.target"), KEY_TARGET, t.Change("P", "h$LocationName$:$Side$"))
    return (
        t.SetGlobalProperty(n.RECORD, commands=(target, *_says(plan))),
        t.GlobalHotKey(key=KEY_TARGET, hotkey=n.KEY_AIM),
        t.Layer(
            name="Combat",
            images=("", *COMBAT_IMAGES),
            x=-plan.size // 2 + round(9 * plan.scale),
            y=-plan.size // 2 + round(9 * plan.scale),
            follow=True,
            property_name=ROLE,
            first_level=0,
        ),
    )


def role(plan: Plan, *, gun: bool) -> Traits:
    """What the counter is marked as, and the entries of the menu that mark it; again, and the mark is gone."""
    words = plan.words
    toggles = [(words("menu.attack"), KEY_ATTACK, n.ATTACK)]
    if gun:
        toggles += [(words("menu.support"), KEY_SUPPORT, n.SUPPORT), (words("menu.guard"), KEY_GUARD, n.GUARD)]
    commands = [
        t.PropertyCommand(menu, key, t.Change("P", f"{{{ROLE} == {mark} ? 0 : {mark}}}"))
        for menu, key, mark in toggles
    ]
    commands += [t.PropertyCommand("", n.KEY_MARK, t.Change("P", str(n.DEFEND)))]
    commands += [t.PropertyCommand("", n.KEY_UNMARK, t.Change("P", "0"))]
    return (t.DynamicProperty(ROLE, commands=tuple(commands), start="0"),)


def _says(plan: Plan) -> Iterator[t.PropertyCommand]:
    """What the counter adds to the record: itself and what it is, what it brings, or what the module has it say."""
    itself = f'{{{n.RECORD} + " " + UnitId.trim() + "=" + Codes}}'
    yield t.PropertyCommand("", n.KEY_COUNT, t.Change("P", itself))
    yield t.PropertyCommand("", n.KEY_SUM, t.Change("P", f"{{{n.RECORD} + GetProperty({n.VALUE_OF})}}"))
    yield t.PropertyCommand("", n.KEY_SAY, t.Change("P", f"{{{n.RECORD} + {n.SAY}}}"))
    if plan.scenario.game.rules.combat.unity.commands:
        named = f'{{{n.RECORD} + "([C" + Command + "])"}}'
        yield t.PropertyCommand("", n.KEY_COMMAND, t.Change("P", named))


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
    found: dict[str, object] = {"Codes": codes}
    if rules.unity != type(rules.unity)():
        found |= {
            "RegimentOf": formation.regiment,
            "RegimentSize": formation.regiment_size,
            "DivisionOf": formation.division,
            "DivisionSize": formation.division_size,
            "Leads": int(formation.leads),
        }
    if rules.unity.commands:
        found["Command"] = formation.command
    if scenario.tables.bombardment is not None:
        found |= {
            "Shelled": table.get("artillery", {}).get(c.type, 0),
            "Bombed": table.get("air", {}).get(c.type, 0),
        }
    return found
