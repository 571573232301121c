"""What a module can work out of a game's combats.

Where it cannot, it throws the dice and says who fights, but states no sums, no column and no result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.schema import modifiers as m

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario

_SAID: Final = (m.InTurns, m.ByAttacker, m.InWeather, m.InTerrain)


def works_out(scenario: Scenario) -> bool:
    """Whether the module can work out every combat of the game by itself."""
    rules = scenario.game.rules.combat
    plain = rules.shape.targets == "one" and rules.shape.guns_alone != "odds" and not rules.groups
    ends = {getattr(scenario.tables.crt.column_by, key, "end") for key in ("below", "above")}
    plain = plain and not scenario.game.rules.untried and rules.shape.split == 1
    # A counter goes on saying the side that it was printed for.
    plain = plain and not scenario.game.rules.allegiance
    return plain and ends == {"end"} and all(is_said(scenario, rule) for rule in rules.modifiers)


def is_said(scenario: Scenario, rule: m.Modifier) -> bool:
    """Whether the module knows when a modifier holds, and can do what it does."""
    if isinstance(rule.what, m.Barred | m.Morale | m.Stays):
        return True
    if standing(scenario, rule):
        return True
    if rule.table != "crt" or not all(isinstance(condition, _SAID) for condition in rule.when):
        return False
    if any(isinstance(condition, m.InTerrain) and condition.of == "attackers" for condition in rule.when):
        return False
    unsure = scenario.game.weather_die or scenario.game.weather_areas
    if unsure and any(isinstance(condition, m.InWeather) for condition in rule.when):
        return False
    return isinstance(rule.what, m.Columns) or bool(doubled(rule))


@dataclass(frozen=True)
class StandingShare:
    """A share of the strength that some units have in some turns, which their counters show by themselves."""

    side: str
    types: tuple[str, ...]
    turns: tuple[int, int]
    share: int


def standing(scenario: Scenario, rule: m.Modifier) -> StandingShare | None:
    """A modifier as a standing share, in whatever the unit does; None for one that is none."""
    if rule.table != "both" and (rule.table != "crt" or scenario.tables.bombardment is not None):
        return None
    what, turns = rule.what, [c.turns for c in rule.when if isinstance(c, m.InTurns)]
    if not isinstance(what, m.Multiply) or what.of != "both" or what.by.numerator != 1 or what.rounding != "up":
        return None
    who = what.units
    if who != m.Who(side=who.side, types=who.types) or who.side is None or len(turns) != 1 or len(rule.when) != 1:
        return None
    return StandingShare(who.side, who.types, turns[0], what.by.denominator)


def doubled(rule: m.Modifier) -> int:
    """By how much it multiplies everybody in the target, 0 if that is not what it does."""
    what = rule.what
    if not isinstance(what, m.Multiply) or what.of != "defenders" or what.units != m.Who():
        return 0
    return what.by.numerator if what.by.denominator == 1 else 0
