"""The conditions of modifiers of combat in the words of the charts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexforge.modulegen.render.texts import spoken
from hexforge.modulegen.render.who_words import (
    Whose,
    kind_name,
    lowered,
    row_of,
    side_name,
    turns_words,
    weather_words,
)
from hexforge.scenarios.schema import modifiers as m

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text


def condition_words(scenario: Scenario, text: Text, condition: m.Condition) -> str:
    """What a condition asks for: `attackers: Armour`, `turns 2 to 4`; "" for what a modifier's row says anyway."""
    said = text.section("charts.when")
    match condition:
        case m.InTurns():
            return turns_words(text, condition.turns)
        case m.InWeather():
            return weather_words(text, condition.weather)
        case m.ByAttacker():
            return said["attacks"].format(side=side_name(text, condition.side))
        case m.WithUnits():
            who = Whose.of(condition).words(scenario, text)
            who = said["so_many"].format(n=condition.least, who=who) if condition.least > 1 else who
            told = said[f"{condition.of}_{condition.share}"].format(who=who)
            return told if condition.afar else f"{told}, {said[f'near_{condition.of}']}"
        case m.Together():
            lists = [row_of([kind_name(text, id_) for id_ in dict.fromkeys(each)]) for each in condition.types]
            return said[f"{condition.of}_any"].format(who=" + ".join(lists))
        case m.IsDeclared():
            return _declared(text, condition)
        case m.InOverrun():
            return said[f"overrun_{condition.share}"]
        case m.IsOption():
            name = text.get(f"options.{condition.option}") or spoken(condition.option)
            return said["option" if condition.share == "all" else "option_not"].format(
                name=name, value=said[f"option_{condition.value}"]
            )
    return _of_place(scenario, text, condition)


def _of_place(scenario: Scenario, text: Text, condition: m.Condition) -> str:
    """What is asked of the ground, of distances, and of what each side is and has left."""
    said = text.section("charts.when")
    match condition:
        case m.InTerrain():
            key = f"{'from' if condition.of == 'attackers' else 'in'}_{condition.share}"
            return said[key].format(names=_named(text, "terrain", condition.terrain))
        case m.InWorks():
            works = text.get("fortified") or said["works"]
            return said[f"in_{condition.share}"].format(names=lowered(works))
        case m.AcrossHexside():
            told = said[f"across_{condition.share}"].format(names=_named(text, "hexsides", condition.hexsides))
            return told if condition.bridged == "any" else f"{told}, {said[f'bridged_{condition.bridged}']}"
        case m.Surrounded():
            return said["surrounded"]
        case m.Around():
            return said["opposite" if condition.opposite else "around"].format(n=condition.least)
        case m.FromAfar():
            return said["afar" if condition.alone else "adjacent"]
        case m.AtRange():
            return _distance(text, condition)
        case m.Between():
            return said[f"between_{condition.share}"].format(names=_lying(text, condition))
        case m.AfterLosses():
            side, counted = side_name(text, condition.side), said[f"lost_{condition.counted}"]
            told = said["losses"].format(side=side, n=condition.least, counted=counted)
            return f"{told}, {said[f'as_{condition.of}']}" if condition.of else told
        case m.OfFormation():
            key = f"{'whole' if condition.whole else 'formation'}_{condition.of}"
            told = said[key].format(formation=said[f"one_{condition.by}"], n=condition.least)
            return told if condition.stand == "anywhere" else f"{told}, {said[f'stand_{condition.stand}']}"
    return ""


def _declared(text: Text, condition: m.IsDeclared) -> str:
    said = text.section("charts.when")
    parts = [said[f"declared_{condition.by}"]]
    if condition.most:
        parts.append(said["declared_once" if condition.most == 1 else "declared_most"].format(n=condition.most))
    parts += [said["declared_times"].format(n=condition.times)] if condition.times > 1 else []
    return ", ".join(parts)


def _distance(text: Text, condition: m.AtRange) -> str:
    least, most = condition.least, condition.most
    key = "distance_one" if least == most else "distance_from" if most is None else "distance"
    told = text[f"charts.when.{key}"].format(least=least, most=most)
    return told if condition.share != "none" else text["charts.when.not"].format(what=told)


def _lying(text: Text, condition: m.Between) -> str:
    parts = [_named(text, "terrain", condition.terrain), _named(text, "hexsides", condition.hexsides)]
    parts += [text[f"charts.when.lying_{condition.units}"]] if condition.units != "none" else []
    return ", ".join(filter(None, parts))


def _named(text: Text, section: str, ids: Iterable[str]) -> str:
    return row_of([lowered(text.get(f"{section}.{id_}") or spoken(id_)) for id_ in dict.fromkeys(ids)])
