"""What is open to a player: every statement that a side may make now, each of them tried on the referee.

Nothing here knows a rule. Candidates come from where units stand and from the searches that the referee
himself uses; what he finds fault with is not offered, so that what is offered is legal when it is played.
"""

from __future__ import annotations

from .aftermath import AfterDice, Step, after_dice
from .attacks import Aid, Means, Plan, Preview, Target, aid, declared, fire_targets, fires, preview, rolled, targets
from .movement import Deed, Goal, arrivals, deeds, goals, movers, phase_deeds, rail_goals
from .trial import FAULTS, closing, faults, lawful, tried

__all__ = [
    "FAULTS", "AfterDice", "Aid", "Deed", "Goal", "Means", "Plan", "Preview", "Step", "Target", "after_dice",
    "aid", "arrivals", "closing", "declared", "deeds", "faults", "fire_targets", "fires", "goals", "lawful",
    "movers", "phase_deeds", "preview", "rail_goals", "rolled", "targets", "tried",
]  # fmt: skip
