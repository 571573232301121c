"""setup.yaml: who stands where at the start, who comes when, who leaves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from hexforge.scenarios.schema.base import Note, Section
from hexforge.scenarios.schema.counters import MAX_STEPS
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.references import (
    AreaRef,
    AreaRefs,
    EdgeName,
    HexRefs,
    PhaseRefs,
    PlaceRefs,
    SideRef,
    TurnLimit,
    TurnRef,
    UnitRefs,
)
from hexforge.scenarios.schema.rules_who import Near


class Placement(Model):
    """Units in one hex, or free within several hexes or areas."""

    units: UnitRefs = Field(min_length=1, description="ids of the counters")
    reduced: int = Field(
        default=0, ge=0, lt=MAX_STEPS, description="steps that they have lost when the game begins"
    )
    hexes: HexRefs = Field(default=(), description="one hex: fixed there; several: any of them")
    areas: AreaRefs = Field(default=(), description="ids of areas of map.yaml, any hex of any of them")
    free: bool = Field(
        default=False,
        description="anywhere behind its own line: no nearer to the places of the enemy than to its own",
    )
    listed: str = Field(
        default="",
        pattern=r"^([0-9]+-[0-9]+-[0-9]+)?$",
        description="attack-defence-movement as the rulebook's list has them, if not as the counters do",
    )
    section: Section
    note: Note = ""


class Quota(Model):
    """How many whole regiments of some units stand in an area; judged when all of the units are placed."""

    units: UnitRefs = Field(min_length=1, description="ids of the counters of which it speaks")
    area: AreaRef = Field(description="the area in which they stand")
    regiments: int = Field(ge=0, description="whole regiments of them that must stand there")
    section: Section


class Reinforcement(Model):
    """Units that enter in a turn (or later) by edges or hexes."""

    turn: TurnRef = Field(
        description="the turn in which they come; earlier is never right, later is unless `until` ends it"
    )
    until: TurnLimit | None = Field(
        default=None, description="the last turn in which they may come; absent: any from `turn` on"
    )
    phases: PhaseRefs = Field(
        default=(),
        description="phases of their side in which alone they come; empty: those of movement, and those that "
        "`does` opens by `enter` and no other line of the side names",
    )
    units: UnitRefs = Field(min_length=1, description="ids of the counters")
    reduced: int = Field(default=0, ge=0, lt=MAX_STEPS, description="steps that they have lost when they come")
    edges: tuple[EdgeName, ...] = Field(
        default=(), description="edges of the map by which they may come; any of them"
    )
    hexes: HexRefs = Field(
        default=(), description="entry hexes, where the rulebook names them; also inside the map"
    )
    areas: AreaRefs = Field(default=(), description="areas in any hex of which they may enter")
    places: PlaceRefs = Field(default=(), description="places in any hex of which they may enter")
    near: Near | None = Field(
        default=None, description="near which units they may enter, also inside the map; absent: near none"
    )
    group: str = Field(default="", description="units with one group name must all use the same edge")
    optional: bool = Field(
        default=False,
        description="true: charts and boxes say that the owner chooses the turn, from `turn` on; nothing is "
        "judged by it",
    )
    section: Section
    note: Note = ""


class Withdrawal(Model):
    """Units that leave at the start of a turn, unless a rule delays them."""

    turn: TurnRef = Field(description="the turn at whose start they leave")
    units: UnitRefs = Field(min_length=1, description="ids of the counters")
    returns_turn: TurnRef | None = Field(
        default=None, description="the turn in which they come back; absent: never"
    )
    returns_edges: tuple[EdgeName, ...] = Field(default=(), description="edges of the map by which they come back")
    section: Section
    note: Note = ""


class SetupFile(Model):
    """The whole order of arrival. `totals` are the counters that the rulebook counts, by side."""

    at_start: tuple[Placement, ...]
    quotas: tuple[Quota, ...] = ()
    reinforcements: tuple[Reinforcement, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    totals: dict[SideRef, int] = Field(
        default_factory=dict, description="side -> counters that the rulebook counts, for a check"
    )
    totals_section: str = Field(default="", description="section that counts them, for citations")

    @cached_property
    def weak(self) -> Mapping[str, int]:
        """Units that begin with steps lost, and how many."""
        lines: tuple[Placement | Reinforcement, ...] = (*self.at_start, *self.reinforcements)
        return {u: line.reduced for line in lines if line.reduced for u in line.units}

    @property
    def is_chosen(self) -> bool:
        """Whether players choose where some units begin, so that the game begins with a set-up."""
        return any(len(p.hexes) != 1 or p.areas for p in self.at_start)
