"""A game's own modifiers of combat as expressions of the module.

Some it cannot work out: then it throws the dice and says who fights, but states no sums, column or result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import air
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.scenarios.schema import modifiers as m

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario


def works_out(scenario: Scenario) -> bool:
    """Whether the module can work out every combat of the game by itself."""
    rules = scenario.game.rules.combat
    plain = rules.shape.targets == "one" and rules.shape.guns_alone != "odds" and not rules.groups
    ends = {getattr(scenario.tables.crt.column_by, key, "end") for key in ("below", "above")}
    return plain and ends == {"end"} and all(_is_said(scenario, rule) for rule in rules.modifiers)


def _is_said(scenario: Scenario, rule: m.Modifier) -> bool:
    if isinstance(rule.what, m.Barred):
        return True
    if standing(rule):
        return True
    if any(_condition(scenario, condition) is None for condition in rule.when):
        return False
    return isinstance(rule.what, m.Columns) or bool(doubled(rule))


@dataclass(frozen=True)
class Standing:
    """A share of the strength that some units have in some turns, which their counters show by themselves."""

    side: str
    types: tuple[str, ...]
    turns: tuple[int, int]
    share: int


def standing(rule: m.Modifier) -> Standing | None:
    """A modifier as a standing share; None for one that is none."""
    what, turns = rule.what, [c.turns for c in rule.when if isinstance(c, m.InTurns)]
    if not isinstance(what, m.Multiply) or what.of != "both" or what.by.numerator != 1 or what.rounding != "up":
        return None
    who = what.units
    if who.side is None or who.divisions or who.marks or len(turns) != 1 or len(rule.when) != 1:
        return None
    return Standing(who.side, who.types, turns[0], what.by.denominator)


def doubled(rule: m.Modifier) -> int:
    """By how much it multiplies everybody in the target, 0 if that is not what it does."""
    what = rule.what
    if not isinstance(what, m.Multiply) or what.of != "defenders" or what.units != m.Who():
        return 0
    return what.by.numerator if what.by.denominator == 1 else 0


def columns(scenario: Scenario) -> str:
    """The columns of all modifiers that move the column."""
    found = [
        f"({_holds(scenario, rule)} ? {rule.what.columns} : 0)"
        for rule in scenario.game.rules.combat.modifiers
        if isinstance(rule.what, m.Columns) and _is_said(scenario, rule)
    ]
    return " + ".join(found) or "0"


def defences(scenario: Scenario) -> Iterator[str]:
    """For each modifier that multiplies the defence, the sum after it."""
    for rule in scenario.game.rules.combat.modifiers:
        if doubled(rule) and _is_said(scenario, rule):
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
            inside = f"{quoted(' '.join(hexes))}.contains({n.TARGET}.substring(1, 5))"
            return f"!{inside}" if condition.share == "none" else inside
    return None


def _in_turns(first: int, last: int) -> str:
    return f"{air.TURN} >= {first} && {air.TURN} <= {last}"
