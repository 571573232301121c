"""A game's own modifiers of combat as expressions of the module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import air
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan.combats import doubled, is_said
from hexforge.scenarios.schema import modifiers as m

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario


def columns(scenario: Scenario) -> str:
    """The columns of all modifiers that move the column."""
    found = [
        f"({_holds(scenario, rule)} ? {rule.what.columns} : 0)"
        for rule in scenario.game.rules.combat.modifiers
        if isinstance(rule.what, m.Columns) and is_said(scenario, rule)
    ]
    return " + ".join(found) or "0"


def defences(scenario: Scenario) -> Iterator[str]:
    """For each modifier that multiplies the defence, the sum after it."""
    for rule in scenario.game.rules.combat.modifiers:
        if doubled(rule) and is_said(scenario, rule):
            yield f"{_holds(scenario, rule)} ? {n.SUM} * {doubled(rule)} : {n.SUM}"


def _holds(scenario: Scenario, rule: m.Modifier) -> str:
    return " && ".join(said for c in rule.when if (said := _condition(scenario, c)) is not None) or "true"


def _condition(scenario: Scenario, condition: m.Condition) -> str | None:
    """A condition as an expression; None for one that the module does not know."""
    match condition:
        case m.InTurns():
            return _in_turns(*condition.turns)
        case m.ByAttacker():
            return f"{n.ATTACKER} == {quoted(condition.side)}"
        case m.InWeather():
            spans = [scenario.game.weather[w] for w in condition.weather if w in scenario.game.weather]
            return "(" + (" || ".join(f"({_in_turns(*span)})" for span in spans) or "false") + ")"
        case m.InTerrain():
            hexes = [h for h, kinds in scenario.map.terrain.items() if not set(kinds).isdisjoint(condition.terrain)]
            listed = quoted(" ".join(("", *hexes, "")))
            inside = f'{listed}.contains(" " + {n.TARGET_HEX} + " ")'
            return f"!{inside}" if condition.share == "none" else inside
    return None


def _in_turns(first: int, last: int) -> str:
    return f"{air.TURN} >= {first} && {air.TURN} <= {last}"
