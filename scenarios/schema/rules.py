"""The `rules` section of game.yaml: the figures and lists by which the games of a family differ.

A rule itself is code in the referee; what it counts with stands here, each with the section that says so.
"""

from __future__ import annotations

from pydantic import Field

from hexforge.scenarios.schema.base import Model
from hexforge.scenarios.schema.rules_combat import CombatRules
from hexforge.scenarios.schema.rules_movement import MovementRules


class Stacking(Model):
    """How many units of one side may end in a hex."""

    limit: int = Field(ge=1)
    section: str


class Rules(Model):
    """Parameters of the referee."""

    stacking: Stacking
    unknown_back: int = Field(
        2, ge=1, description="a back that nobody knows has its front's figures divided by this, rounded up"
    )
    movement: MovementRules = MovementRules()
    combat: CombatRules = CombatRules()
