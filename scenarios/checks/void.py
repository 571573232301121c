"""Modifiers whose conditions cannot hold of what they change: nobody would ever notice them."""

from __future__ import annotations

from collections.abc import Iterator

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema import modifiers as m


def modifiers_may_hold(c: Checker) -> Iterator[Problem]:
    """Errors on modifiers that can change nothing in any combat, or under any fire."""
    rules = c.scenario.game.rules.combat
    close = rules.artillery.adjacent == "fire"
    for i, rule in enumerate(rules.modifiers):
        at: list[str | int] = ["rules", "combat", "modifiers", i]
        fire = rule.table == "bombardment"
        if fire and isinstance(rule.what, m.Multiply | m.Fixed) and rule.what.of == "defenders":
            yield c.error("game.yaml", [*at, "what", "of"], "tables.no-defence", name=rule.name)
        if fire and isinstance(rule.what, m.ByUnity) and rule.what.of == "attackers":
            yield c.error("game.yaml", [*at, "what", "of"], "tables.no-unity", name=rule.name)
        for j, condition in enumerate(rule.when):
            if _next_to_it(rule.what) and _from_afar(condition):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-afar", name=rule.name)
            if _in_an_overrun(condition) and (fire or not c.scenario.game.rules.movement.overruns):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-overrun", name=rule.name)
            if fire and not close and _from_next_to_it(condition):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-near", name=rule.name)


def _in_an_overrun(condition: m.Condition) -> bool:
    return isinstance(condition, m.InOverrun) and condition.share == "all"


def _next_to_it(what: m.Effect) -> bool:
    """Whether an effect is on attackers next to the target alone: they are tested, and go forward."""
    return isinstance(what, m.Stays) or (isinstance(what, m.Morale) and what.of == "attackers")


def _from_afar(condition: m.Condition) -> bool:
    """Whether a condition never holds of who stands next to the target."""
    match condition:
        case m.Between():
            return condition.share != "none"
        case m.AtRange():
            return condition.least > 1 and condition.share != "none"
        case m.FromAfar():
            return condition.alone
    return False


def _from_next_to_it(condition: m.Condition) -> bool:
    """Whether a condition holds only where somebody attacks or fires from next to the target."""
    match condition:
        case m.AcrossHexside():
            return condition.share != "none"
        case m.AtRange():
            return condition.most == 1 and condition.share != "none"
        case m.FromAfar():
            return not condition.alone
    return isinstance(condition, m.Around)
