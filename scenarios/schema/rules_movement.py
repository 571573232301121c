"""What the rules of movement count with (the `rules.movement` section of game.yaml)."""

from __future__ import annotations

from scenarios.schema.base import Model


class MovementRules(Model):
    """Parameters of sections 4, 7, 9 and 10 of the rulebooks."""
