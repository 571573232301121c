"""What modifiers make of a kind of ground or line, in the words of the charts and the signs of the board."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.render.texts import spoken
from hexforge.scenarios.schema import modifiers as m

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text

_FRACTIONS: Final = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(3, 2): "1½"}


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


def _of_ground(condition: m.Condition) -> bool:
    """Whether a condition is one that a kind of ground or line fulfils which is attacked."""
    if not isinstance(condition, m.InTerrain | m.AcrossHexside) or condition.share == "none":
        return False
    return isinstance(condition, m.AcrossHexside) or condition.of == "defenders"


def effect_words(scenario: Scenario, text: Text, kind: str, id_: str) -> list[str]:
    """What each of them does: `attack ×½ (Tanks)`; one that hangs on more than the ground bears its name."""
    return [_said(rule, text) for rule in modifiers_on(scenario, kind, id_)]


def other_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """What the modifiers do that hang on no ground: `combined arms: → 1 column`."""
    for rule in scenario.game.rules.combat.modifiers:
        if not any(map(_of_ground, rule.when)):
            named = text.get(f"modifiers.{rule.name}", spoken(rule.name))
            said = "" if isinstance(rule.what, m.ByUnity) else f": {_said(rule, text, named=False)}"
            yield f"{named[:1].upper()}{named[1:]}{said}"


def limit_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """What counts of modifiers that do not simply add up, and how far all of them go."""
    rules, table = scenario.game.rules.combat, scenario.tables.crt
    for group, take in rules.groups.items():
        members = [rule.name for rule in rules.modifiers if rule.group == group]
        names = ", ".join(dict.fromkeys(text.get(f"modifiers.{name}", spoken(name)) for name in members))
        kind = take if isinstance(take, str) else "cap" if isinstance(take, m.Cap) else "most"
        if len(members) > 1 and kind != "sum":
            count = take.most if isinstance(take, m.Cap) else take
            said = text[f"charts.crt.group_{kind}"].format(names=names, n=count)
            yield f"{said[:1].upper()}{said[1:]}"
    for key, most in (("columns", table.columns_most), ("die", table.die_modifier_most)):
        if most is not None:
            yield text[f"charts.crt.{key}_most"].format(n=most)


def _said(rule: m.Modifier, text: Text, *, named: bool = True) -> str:
    what, who = rule.what, ""
    if isinstance(what, m.Strength | m.Barred | m.Stays) and what.units.types:
        who = ", ".join(kind_name(text, id_) for id_ in what.units.types)
    weathers = [text.get(f"weather.{w}", w) for c in rule.when if isinstance(c, m.InWeather) for w in c.weather]
    parties = [c.of for c in rule.when if isinstance(c, m.AfterLosses) and c.of]
    only = [text[f"charts.results.{party.removesuffix('s')}"] for party in parties]
    who = "; ".join(filter(None, (who, *only, ", ".join(weathers))))
    if named and sum(not isinstance(condition, m.InWeather) for condition in rule.when) > 1:
        called = text.get(f"modifiers.{rule.name}", spoken(rule.name))
        # Without whom a ban speaks of, it would read as one for everybody.
        who = f"{who}: {called}" if who else called
    match what:
        case m.Columns():
            n, arrow = abs(what.columns), "←" if what.columns < 0 else "→"
            said = f"{arrow} {text[f'charts.terrain.columns_{1 if n == 1 else 2}'].format(n=n)}"
        case m.Die():
            said = text["charts.terrain.die"].format(n=_signed(what.die))
        case m.ByUnity():
            said = text.get(f"modifiers.{rule.name}", spoken(rule.name))
        case m.Barred():
            said = text["charts.terrain.no_attack"]
        case m.Stays():
            said = text["charts.terrain.no_advance"]
        case m.Multiply():
            said = text[f"charts.terrain.of_{what.of}"].format(n=f"×{_factor(what.by)}")
        case m.Morale():
            said = text["charts.terrain.morale"].format(n=_signed(what.morale))
        case m.Fixed():
            said = text[f"charts.terrain.of_{what.of}"].format(n=what.strength)
    if rule.table == "bombardment":
        said = f"{text['charts.bombardment.tab']}: {said}"
    return f"{said} ({who})" if who else said


def kind_name(text: Text, id_: str) -> str:
    """A unit type, a class of units or a movement class, by its name in the texts."""
    sections = ("unit_types", "classes", "movement_classes")
    return next(filter(None, (text.get(f"{section}.{id_}") for section in sections)), spoken(id_))


def _signed(value: int) -> str:
    return f"{'−' if value < 0 else '+'}{abs(value)}"


def _factor(value: Fraction) -> str:
    return _FRACTIONS.get(value, str(value))


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
                found.append(f"×{_factor(by)}")
            case _:
                found.append("*")
    return " ".join(dict.fromkeys(found)) if len(found) < 3 else "*"
