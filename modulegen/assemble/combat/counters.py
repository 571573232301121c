"""What a counter does for a combat: it is marked, and when it is counted it says what it is and what it brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat import odds
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan import battlefield
from hexforge.modulegen.plan.markers import COMBAT_IMAGES
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan, UnitPlan

KEY_TARGET, KEY_ATTACK, KEY_SUPPORT, KEY_GUARD = t.ctrl_shift("K"), t.ctrl("K"), t.ctrl("U"), t.ctrl_shift("U")
ROLE = "Role"
_COUNTED, _SUPPORT, _GUARD = t.named("CombatCounted"), t.named("CombatSupport"), t.named("CombatGuard")

Traits = tuple[t.Trait, ...]


def unit(plan: Plan) -> Traits:
    """The traits that every unit has for combats."""
    words = plan.words
    target = t.PropertyCommand(words("menu.target"), KEY_TARGET, t.Change("P", "h$LocationName$:$Side$"))
    return (
        t.SetGlobalProperty(n.TARGET, commands=(target,)),
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
        t.DynamicProperty(ROLE, commands=tuple(_roles(words("menu.attack"))), start="0"),
        t.CalculatedProperty("CombatPlace", "{" + _place(plan) + "}"),
        t.CalculatedProperty("CombatPart", "{" + _part() + "}"),
        t.TriggerAction(name="Count", key=n.KEY_COUNT, condition="{" + _counts() + "}", actions=(_COUNTED,)),
        t.SetGlobalProperty(
            n.SUM, commands=(t.PropertyCommand("", _COUNTED, t.Change("P", "{" + _brings(plan) + "}")),)
        ),
        t.SetGlobalProperty(n.RECORD, commands=tuple(_said(plan))),
    )


def gun(plan: Plan) -> Traits:
    """The entries of the menu that only guns have."""
    words = plan.words
    return (
        t.TriggerAction(name="Support", menu=words("menu.support"), key=KEY_SUPPORT, actions=(_SUPPORT,)),
        t.TriggerAction(name="Guard", menu=words("menu.guard"), key=KEY_GUARD, actions=(_GUARD,)),
    )


def _roles(attack: str) -> Iterator[t.PropertyCommand]:
    """A key marks, and takes the mark away again."""
    toggles = ((attack, KEY_ATTACK, n.ATTACK), ("", _SUPPORT, n.SUPPORT), ("", _GUARD, n.GUARD))
    for menu, key, role in toggles:
        yield t.PropertyCommand(menu, key, t.Change("P", f"{{{ROLE} == {role} ? 0 : {role}}}"))
    yield t.PropertyCommand("", n.KEY_MARK, t.Change("P", str(n.DEFEND)))
    yield t.PropertyCommand("", n.KEY_UNMARK, t.Change("P", "0"))


def _place(plan: Plan) -> str:
    """Where the counter stands around the target (see `battlefield`); -1 for all that are farther off."""
    x, y, field = n.X, n.Y, plan.ground
    wide, high = round(field.dx * 100), round(field.dy * 50)
    right, down = wide * 5 // 200, high * 9 // 200
    far = " || ".join(
        f"{here} - {there} {far}"
        for here, there, most in (("CurrentX", x, right), ("CurrentY", y, down))
        for far in (f"< -{most}", f"> {most}")
    )
    index = f"(CurrentX - {x} + {right}) * 100 / {wide} * {battlefield.ROWS}"
    index += f" + (CurrentY - {y} + {down}) * 100 / {high}"
    return f"CurrentMap != {quoted(plan.words('map.main'))} || {far} ? -1 : {index}"


def _at(letters: str) -> str:
    return f"{letters}.substring(CombatPlace, CombatPlace + 1)"


def _part() -> str:
    """What the counter is in the combat: guns that support from next to the target attack like all others."""
    near = f'CombatPlace >= 0 && !{_at(n.LINES)}.equals("=")'
    return (
        f"{n.IN_TARGET} ? {n.DEFEND} : {ROLE} == {n.SUPPORT} && {near} ? {n.ATTACK} "
        f": {ROLE} == {n.DEFEND} ? 0 : {ROLE}"
    )


def _counts() -> str:
    group = n.PASS
    return (
        f"{group} < {n.SHELLED} && CombatPart == {group} "
        f"|| {group} > {n.DEFEND} && {group} < {n.BATTERY} && CombatPart == {n.DEFEND} "
        f"|| {group} == {n.BATTERY}"
    )


def _brings(plan: Plan) -> str:
    by_group = {n.DEFEND: "Defence"}
    if plan.scenario.tables.bombardment is not None:
        by_group |= {n.SHELLED: "Shelled", n.BOMBED: "Bombed"}
    found = f"{n.SUM} + Attack"
    for group, value in by_group.items():
        found = f"{n.PASS} == {group} ? {n.SUM} + {value} : {found}"
    return found


def _said(plan: Plan) -> Iterator[t.PropertyCommand]:
    """What the counter adds to the record: when it is counted, when formations are, and where it covers hexes."""
    record = n.RECORD
    told = f'{record} + " " + UnitId.trim() + Codes'
    lines = f' + "[{odds.LINE_CODE}" + {_at(n.LINES)} + "][{odds.WORKS_CODE}" + {_at(n.FORTS)} + "]"'
    first = f"{n.PASS} == {n.ATTACK} && CombatPlace >= 0 ? {told}{lines} : {told}"
    yield t.PropertyCommand("", _COUNTED, t.Change("P", f"{{{first}}}"))
    unity = plan.scenario.game.rules.combat.unity
    for code, size, bonus in (
        ("DivisionOf", "DivisionSize", unity.division),
        ("RegimentOf", "RegimentSize", unity.regiment),
    ):
        if bonus.attack or bonus.defence:
            whole = f'{odds.complete(code, size)} ? {record} + "(" + {code} + ")" : {record}'
            yield t.PropertyCommand("", n.KEY_WHOLE, t.Change("P", f"{{{whole}}}"))
    for number, rule in enumerate(unity.commands):
        yield t.PropertyCommand(
            "", n.KEY_WHOLE, t.Change("P", f"{{{_commanded(number, rule.side, len(rule.types))}}}")
        )
    if plan.scenario.game.rules.combat.encirclement.columns:
        side = battlefield.SIDES
        cover = f"{quoted(battlefield.covered())}.substring(CombatPlace * {side}, CombatPlace * {side} + {side})"
        yield t.PropertyCommand("", n.KEY_COVER, t.Change("P", f"{{{record} + {cover}}}"))


def _commanded(number: int, side: str, ranks: int) -> str:
    """The record with a command of the counter's division, if all of its ranks fight and it is not named yet."""
    record, name = n.RECORD, battlefield.letters(number)
    codes = [f'"[C{name}{battlefield.letters(rank)}:" + Command + "]"' for rank in range(ranks)]
    done = f'"([C{name}:" + Command + "])"'
    there = " && ".join(f"{record}.contains({code})" for code in codes)
    return (
        f"!Command.isEmpty() && Side == {quoted(side)} && {there} && !{record}.contains({done}) "
        f"? {record} + {done} : {record}"
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
    found: dict[str, object] = {"Codes": codes}
    if rules.unity != type(rules.unity)():
        found |= {
            "RegimentOf": formation.regiment,
            "RegimentSize": formation.regiment_size,
            "DivisionOf": formation.division,
            "DivisionSize": formation.division_size,
        }
    if rules.unity.commands:
        found["Command"] = formation.command
    if scenario.tables.bombardment is not None:
        found |= {
            "Shelled": table.get("artillery", {}).get(c.type, 0),
            "Bombed": table.get("air", {}).get(c.type, 0),
        }
    return found
