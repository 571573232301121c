"""Which of weather, rallies and overruns a game has, as far as one button or entry can do them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.schema.rules_marks import Rally
    from hexforge.scenarios.schema.rules_movement import Overrun


def rallies(scenario: Scenario) -> Rally | None:
    """How units rally, where all marks go by the same dice; else None."""
    found = [rule.rally for rule in scenario.game.rules.marks if rule.rally is not None]
    return found[0] if len({rule.dice for rule in found}) == 1 else None


def overruns(scenario: Scenario) -> Overrun | None:
    """How enemies are overrun, where all that may do it have the same result; else None."""
    found = scenario.game.rules.movement.overruns
    return found[0] if len({rule.result for rule in found}) == 1 else None


def icons(scenario: Scenario) -> frozenset[str]:
    """The icons that the buttons of a game have."""
    there = {"weather": scenario.game.weather_die, "overrun": overruns(scenario)}
    return frozenset(name for name, rule in there.items() if rule is not None)
