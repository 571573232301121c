"""What modifiers make of a kind of ground or line, in the words of the charts and the signs of the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.render.condition_words import condition_words
from hexforge.modulegen.render.texts import spoken
from hexforge.modulegen.render.who_words import Whose, lowered, row_of
from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.schema.base import multiplier
from hexforge.scenarios.words import Words

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.rules_movement import Surcharge
    from hexforge.scenarios.schema.tables import ResultTable


def modifiers_on(scenario: Scenario, kind: str, id_: str) -> Iterator[m.Modifier]:
    """The modifiers that hold where a kind of terrain is attacked, or a kind of hexside attacked across."""
    for rule in scenario.game.rules.combat.modifiers:
        for condition in rule.when:
            named: tuple[str, ...] = ()
            if isinstance(condition, m.InTerrain) and kind == "terrain" and _of_ground(condition):
                named = condition.terrain
            if isinstance(condition, m.AcrossHexside) and kind == "hexsides" and _of_ground(condition):
                named = condition.hexsides
            if id_ in named:
                yield rule


def rules_of_line(scenario: Scenario, id_: str) -> tuple[list[m.Modifier], list[Surcharge]]:
    """What the rules make of a kind of hexside besides what its table says of it."""
    dearer = [rule for rule in scenario.game.rules.movement.surcharges if id_ in rule.hexsides]
    return list(modifiers_on(scenario, "hexsides", id_)), dearer


def _of_ground(condition: m.Condition) -> bool:
    """Whether a condition is one that a kind of ground or line fulfils which is attacked."""
    if not isinstance(condition, m.InTerrain | m.AcrossHexside) or condition.share == "none":
        return False
    return isinstance(condition, m.AcrossHexside) or condition.of == "defenders"


def effect_words(scenario: Scenario, text: Text, kind: str, id_: str) -> list[str]:
    """What each of them does, and when besides: `attack ×½ (Tanks)`, `defence ×2 (all across crest)`."""
    said = [_said(scenario, text, rule, (kind, id_)) for rule in modifiers_on(scenario, kind, id_)]
    for rule in scenario.game.rules.combat.no_engagement if kind == "terrain" else ():
        if id_ in rule.terrain:
            said.append(f"{text['charts.terrain.no_attack']} ({Whose(types=rule.types).words(scenario, text)})")
    return list(dict.fromkeys(said))


def other_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """What the modifiers do that hang on no ground: `Combined arms: → 1 column (attackers: Armour + Infantry)`."""
    yield from _by_the_way(scenario, text)
    for rule in scenario.game.rules.combat.modifiers:
        if not any(map(_of_ground, rule.when)):
            named = _name(rule, text)
            said = "" if isinstance(rule.what, m.ByUnity) else _said(scenario, text, rule)
            done, _, limits = said.partition(" (")
            if limits.casefold() == f"{named})".casefold():
                # Some are called by the mark for which they are.
                said = done
            # Some are called by what they do.
            line = said if done.casefold() == named.casefold() else f"{named}: {said}" if said else named
            yield f"{line[:1].upper()}{line[1:]}"


def _by_the_way(scenario: Scenario, text: Text) -> Iterator[str]:
    """What is worth columns by the short-hands of the rules: encirclement, and complete formations."""
    rules, said = scenario.game.rules.combat, text.section("charts.crt")
    if columns := rules.encirclement.columns:
        yield f"{said['encirclement']}: {_columns(columns, text)}"
    for side, types in rules.encirclement.immune.items() if rules.encirclement.relief else ():
        who = Whose(side=side, types=types).words(scenario, text)
        yield f"{said['encirclement']} ({who}): {_columns(-rules.encirclement.relief, text)}"
    for formation in ("regiment", "division"):
        bonus = getattr(rules.unity, formation)
        for party, columns in (("attack", bonus.attack), ("defence", -bonus.defence)):
            if columns:
                yield f"{said[f'whole_{formation}']}, {said[f'in_{party}']}: {_columns(columns, text)}"


def limit_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """What counts of modifiers that do not simply add up, and how far all of them go."""
    rules, table = scenario.game.rules.combat, scenario.tables.crt
    groups: dict[str, set[str | None]] = {}
    for rule in rules.modifiers:
        groups.setdefault(_name(rule, text), set()).add(rule.group)
    for group, take in rules.groups.items():
        members = [rule for rule in rules.modifiers if rule.group == group]
        # Where others are called alike, what they do tells which are meant.
        named = ((rule, _name(rule, text)) for rule in members)
        known = (f"{name} ({_done(rule, text)})" if len(groups[name]) > 1 else name for rule, name in named)
        names = row_of(list(dict.fromkeys(known)))
        kind = take if isinstance(take, str) else "cap" if isinstance(take, m.Cap) else "most"
        if len(members) > 1 and kind != "sum":
            count = take.most if isinstance(take, m.Cap) else take
            before, _, after = text[f"charts.crt.group_{kind}"].partition("{names}")
            said = Words(text.language).joined(before, names) + after.format(n=count)
            yield f"{said[:1].upper()}{said[1:]}"
    yield from most_words(table, text)


def most_words(table: ResultTable, text: Text) -> Iterator[str]:
    """How far all that moves the column of a table, and all that is added to its dice, may go."""
    for key, most in (("columns", table.columns_most), ("die", table.die_modifier_most)):
        if most is not None:
            yield text[f"charts.crt.{key}_most"].format(n=most)


def _name(rule: m.Modifier, text: Text) -> str:
    return text.get(f"modifiers.{rule.name}") or spoken(rule.name)


def _said(scenario: Scenario, text: Text, rule: m.Modifier, on: tuple[str, str] = ("", "")) -> str:
    """What a modifier does, and in brackets to whom and when, but for the ground that it is told `on`."""
    what = rule.what
    said = _done(rule, text)
    if rule.table == "bombardment":
        said = f"{text['charts.bombardment.tab']}: {said}"
    limits: list[str] = []
    if rule.table == "both" and scenario.tables.bombardment is not None:
        limits.append(text["charts.when.fire_too"].format(fire=lowered(text["charts.bombardment.tab"])))
    if isinstance(what, m.Strength | m.Barred | m.Stays):
        limits.append(Whose.of(what.units).words(scenario, text))
    for condition in rule.when:
        told = condition_words(scenario, text, condition)
        limits.append(_besides(condition, text) if _is(condition, on) else told)
    told = "; ".join(dict.fromkeys(filter(None, limits)))
    return f"{said} ({told})" if told else said


def _is(condition: m.Condition, on: tuple[str, str]) -> bool:
    """Whether a condition is the ground or the line that a row stands for."""
    named = {"terrain": getattr(condition, "terrain", ()), "hexsides": getattr(condition, "hexsides", ())}
    return _of_ground(condition) and on[1] in named.get(on[0], ())


def _besides(condition: m.Condition, text: Text) -> str:
    """What is asked of a line besides that it is there."""
    if not isinstance(condition, m.AcrossHexside):
        return ""
    parts = [text["charts.when.crossed_any"]] if condition.share == "any" else []
    parts += [text[f"charts.when.bridged_{condition.bridged}"]] if condition.bridged != "any" else []
    return ", ".join(parts)


def _columns(columns: int, text: Text) -> str:
    n, arrow = abs(columns), "←" if columns < 0 else "→"
    return f"{arrow} {text[f'charts.terrain.columns_{1 if n == 1 else 2}'].format(n=n)}"


def _done(rule: m.Modifier, text: Text) -> str:
    said = text.section("charts.terrain")
    match rule.what:
        case m.Columns(columns=columns):
            return _columns(columns, text)
        case m.Die(die=die):
            return said["die"].format(n=_signed(die))
        case m.Barred(of=of):
            return said["no_attack" if of == "attackers" else f"no_attack_{of}"]
        case m.Stays():
            return said["no_advance"]
        case m.Multiply(of=of, by=by):
            return said[f"of_{of}"].format(n=f"×{multiplier(by)}")
        case m.Morale(morale=morale):
            return said["morale"].format(n=_signed(morale))
        case m.Fixed(of=of, strength=strength):
            return said[f"of_{of}"].format(n=strength)
    return _name(rule, text)


def _signed(value: int) -> str:
    return f"{'−' if value < 0 else '+'}{abs(value)}"


def sign(scenario: Scenario, kind: str, id_: str, columns: int) -> str:
    """The same in a cell of the board's key: columns, the die in brackets, `×½`; `*` for what has no room.

    What is for bombardments alone stands in the chart.
    """
    found = [_signed(columns)] if columns else []
    for rule in (one for one in modifiers_on(scenario, kind, id_) if one.table != "bombardment"):
        match rule.what:
            case m.Columns(columns=more) if len(rule.when) == 1:
                found.append(_signed(more))
            case m.Die(die=die) if len(rule.when) == 1:
                found.append(f"({_signed(die)})")
            case m.Multiply(by=by) if len(rule.when) == 1:
                found.append(f"×{multiplier(by)}")
            case _:
                found.append("*")
    return " ".join(dict.fromkeys(found)) if len(found) < 3 else "*"
