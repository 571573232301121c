"""Which of weather, rallies, overruns, attrition, tests, losses by dice and untried units a game has, as far as one
button or entry can do them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.schema.rules_marks import Rally
    from hexforge.scenarios.schema.rules_movement import Overrun

RoleName = Literal["attacker", "defender"]


def rallies(scenario: Scenario) -> Rally | None:
    """How units rally, where all marks go by the same dice; else None."""
    found = [rule.rally for rule in scenario.game.rules.marks if rule.rally is not None]
    return found[0] if len({rule.dice for rule in found}) == 1 else None


def taken(scenario: Scenario) -> tuple[str, ...]:
    """The marks that units take of their own will."""
    return tuple(rule.mark for rule in scenario.game.rules.marks if rule.take is not None)


def overruns(scenario: Scenario) -> Overrun | None:
    """How enemies are overrun, where all that may do it have the same result; else None."""
    found = scenario.game.rules.movement.overruns
    return found[0] if len({rule.result for rule in found}) == 1 else None


def attrition_dice(scenario: Scenario) -> str | None:
    """The dice of attrition, where all rules of it that throw any throw the same; else None."""
    found = {rule.steps.dice for rule in scenario.game.rules.attrition if rule.steps.dice}
    return found.pop() if len(found) == 1 else None


def morale_dice(scenario: Scenario) -> str | None:
    """The dice by which results test units, where all of them throw the same; else None."""
    demands = (d for result in scenario.tables.results.values() for d in (result.attacker, result.defender))
    found = {demand.morale.dice for demand in demands if demand.morale is not None}
    return found.pop() if len(found) == 1 else None


def wears(scenario: Scenario) -> bool:
    """Whether some attrition goes without dice."""
    return any(not rule.steps.dice for rule in scenario.game.rules.attrition)


def loss_dice(scenario: Scenario) -> dict[RoleName, str]:
    """Part -> the dice that say how much it loses, where all results throw the same for it."""
    parts: tuple[RoleName, ...] = ("attacker", "defender")
    found = {}
    for part in parts:
        demands = [getattr(result, part) for result in scenario.tables.results.values()]
        dice = {loss.dice for demand in demands for loss in (demand.steps, demand.units) if loss and loss.dice}
        if len(dice) == 1:
            found[part] = dice.pop()
    return found


def recovers(scenario: Scenario) -> bool:
    """Whether a game ever gives back a step that is lost."""
    rules = scenario.game.rules
    listed = any("recover" in phase.does for phase in scenario.game.sequence)
    return bool(rules.movement.recovery or rules.replacements) or listed


def leaves(scenario: Scenario) -> bool:
    """Whether a unit may ever leave the map alive: to score, withdrawn, or in retreat."""
    away = scenario.game.rules.combat.off_map
    listed = any("exit" in phase.does for phase in scenario.game.sequence)
    retreats = away is not None
    return bool(scenario.victory.exits or scenario.setup.withdrawals) or retreats or listed


def icons(scenario: Scenario) -> frozenset[str]:
    """The icons that the buttons of a game have."""
    there = {"weather": scenario.game.weather_die, "overrun": overruns(scenario)}
    return frozenset(name for name, rule in there.items() if rule is not None)
