"""What the rules of combat count with (the `rules.combat` section of game.yaml)."""

from __future__ import annotations

from scenarios.schema.base import Model


class CombatRules(Model):
    """Parameters of sections 5, 6 and 8 of the rulebooks."""
