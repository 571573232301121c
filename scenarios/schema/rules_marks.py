"""Marks of state (the `rules.marks` section of game.yaml): how units come by them and get rid of them.

What a mark does stands with the rules that name it: no attack and halved strength with `combat.modifiers`, less
movement or none with `movement.allowances` and `movement.immobile`, no zone with `movement.zones`.
"""

from __future__ import annotations

from typing import Literal

from hexforge.scenarios.schema.base import Halves, Section
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.dice import DiceText
from hexforge.scenarios.schema.references import MarkRef, MarkRefs, PhaseRef, PhaseRefs, TerrainRefs
from hexforge.scenarios.schema.rules_morale import Passes
from hexforge.scenarios.schema.rules_who import AtTimes


class Lapse(Model):
    """A phase at whose beginning or end a mark is gone."""

    phase: PhaseRef = Field(description="`movement`, `combat`, or a phase of the game's own")
    whose: Literal["own", "enemy", "any"] = Field(
        default="own", description="the phase of the unit's `own` side, of the `enemy`, or of either"
    )
    at: Literal["start", "end"] = Field(default="end", description="whether when it begins or when it ends")
    unmoved: bool = Field(default=False, description="only units that have not moved in their last movement phase")
    clear: bool = Field(default=False, description="only units that stand in no enemy zone")
    becomes: MarkRef | None = Field(
        default=None, description="the mark that the unit bears in its place from then on"
    )


class Rally(Model):
    """The mark goes when a player rallies the unit (`rally c1 roll 5`), in movement or a phase that `does` it."""

    dice: DiceText | None = Field(default=None, description="dice that are thrown for it; absent: none")
    shows: str = Field(default="", description="what the dice have to show, as `4-6`")
    passes: Passes | None = Field(
        default=None, description="in place of `shows`: what they must show, held against the unit's morale"
    )
    unmoved: bool = Field(default=False, description="whether it takes the place of the unit's move")
    clear: bool = Field(default=False, description="whether the unit must stand in no enemy zone")


class Take(AtTimes):
    """Units take the mark of their own will (`mark c1 as dug-in`), in movement or a phase that `does` it."""

    phases: PhaseRefs = Field(
        default=(),
        description="phases of their side in which alone they take it; empty: any in which marks are taken",
    )
    marks: MarkRefs = Field(default=(), description="only units that bear one of these marks already")
    barred_marks: MarkRefs = Field(default=(), description="no unit that bears one of these marks")
    terrain: TerrainRefs = Field(default=(), description="only in hexes of these; empty: anywhere")
    points: Halves | None = Field(
        default=None, description="movement points that it takes in movement, of what the unit then has left"
    )
    unmoved: bool = Field(default=False, description="whether it takes the place of the unit's move")
    clear: bool = Field(default=False, description="whether the unit must stand in no enemy zone")


class StateMark(Model):
    """A mark of units, how they come by it of their own will, and what takes it from them."""

    mark: MarkRef = Field(description="the mark, as results give it or units take it")
    take: Take | None = Field(default=None, description="how units take it of their own will; absent: not at all")
    in_place: bool = Field(
        default=False, description="it is gone once the unit leaves its hex: by a move, a retreat, an advance"
    )
    lapses: tuple[Lapse, ...] = Field(default=(), description="phases that take it away; any of them")
    rally: Rally | None = Field(default=None, description="how a player may take it away; absent: not at all")
    section: Section

    @property
    def gives(self) -> tuple[str, ...]:
        """The marks that units come to bear by it: itself, if they take it, and those that it becomes."""
        own = (self.mark,) if self.take is not None else ()
        return (*own, *(lapse.becomes for lapse in self.lapses if lapse.becomes is not None))
