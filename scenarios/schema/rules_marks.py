"""Marks of state (the `rules.marks` section of game.yaml): how units get rid of what results have given them.

What a mark does stands with the rules that name it: no attack and halved strength with `combat.modifiers`, less
movement or none with `movement.allowances` and `movement.immobile`, no zone with `movement.zones`.
"""

from __future__ import annotations

from typing import Literal

from hexforge.scenarios.schema.base import Section
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.dice import DiceText
from hexforge.scenarios.schema.references import MarkRef, PhaseRef
from hexforge.scenarios.schema.rules_morale import Passes


class Lapse(Model):
    """A phase at whose beginning or end a mark is gone."""

    phase: PhaseRef = Field(description="`movement`, `combat`, or a phase of the game's own")
    whose: Literal["own", "enemy", "any"] = Field(
        default="own", description="the phase of the unit's `own` side, of the `enemy`, or of either"
    )
    at: Literal["start", "end"] = Field(default="end", description="whether when it begins or when it ends")
    unmoved: bool = Field(default=False, description="only units that have not moved in their last movement phase")
    clear: bool = Field(default=False, description="only units that stand in no enemy zone")


class Rally(Model):
    """The mark goes when a player rallies the unit (`rally c1 roll 5`), in movement or a phase that `does` it."""

    dice: DiceText | None = Field(default=None, description="dice that are thrown for it; absent: none")
    shows: str = Field(default="", description="what the dice have to show, as `4-6`")
    passes: Passes | None = Field(
        default=None, description="in place of `shows`: what they must show, held against the unit's morale"
    )
    unmoved: bool = Field(default=False, description="whether it takes the place of the unit's move")
    clear: bool = Field(default=False, description="whether the unit must stand in no enemy zone")


class StateMark(Model):
    """A mark of units, and what takes it from them."""

    mark: MarkRef = Field(description="the mark, as results give it")
    lapses: tuple[Lapse, ...] = Field(default=(), description="phases that take it away; any of them")
    rally: Rally | None = Field(default=None, description="how a player may take it away; absent: not at all")
    section: Section
