"""The `rules` section of game.yaml: the figures and lists by which the games of a family differ.

A rule itself is code in the referee; what it counts with stands here, each with the section that says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, Literal

from hexforge.scenarios.schema.base import Section
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.references import SideRef, SizeOrTypeRef, TerrainRef, TypeRefs
from hexforge.scenarios.schema.rules_allegiance import Allegiance
from hexforge.scenarios.schema.rules_attrition import Attrition
from hexforge.scenarios.schema.rules_combat import CombatRules
from hexforge.scenarios.schema.rules_marks import StateMark
from hexforge.scenarios.schema.rules_movement import MovementRules
from hexforge.scenarios.schema.rules_replacements import Replacements
from hexforge.scenarios.schema.rules_supply import Supply
from hexforge.scenarios.schema.rules_untried import Untried

Alike = Literal["any", "branch", "division", "corps"]


class SideStacking(Model):
    """What holds for one side's stacks in place of what holds for either."""

    limit: int | None = Field(
        default=None, ge=1, description="its limit, also in terrain that takes more; absent: as for both"
    )
    alike: Alike | None = Field(default=None, description="as for both, for this side alone; absent: as for both")


class Stacking(Model):
    """How much of one side may end in a hex: so many units, or so many points where units count by their size."""

    limit: int = Field(ge=1, description="units, or points where `points` gives any, of one side in a hex")
    points: dict[SizeOrTypeRef, Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict,
        description="size of unit (`I` to `XXXXX`), unit type, class or counter -> points; the counter itself "
        "counts before all others, then the first that fits; what none fits is one point",
    )
    counted: Literal["units", "steps"] = Field(
        default="units",
        description="`units`: each counts its points, or one; `steps`: it counts them for each step that it "
        "has left",
    )
    terrain: dict[TerrainRef, Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict, description="terrain -> limit in its hexes; of several the lowest"
    )
    free: TypeRefs = Field(default=(), description="unit types or classes that do not count")
    alike: Alike = Field(
        default="any",
        description="whether those that count must all be of one branch (nation), division or corps; who has none "
        "stacks with any",
    )
    sides: dict[SideRef, SideStacking] = Field(
        default_factory=dict, description="side -> what holds for its stacks alone"
    )
    checked: Literal["move", "phase", "always"] = Field(
        default="move",
        description="`move`: after each move; `phase`: when a movement phase ends, or one in which units "
        "enter after it; `always`: after each "
        "move, and in every hex that it goes through",
    )
    section: Section

    def weight(self, id_: str, kinds: Collection[str], size: str, steps: int) -> int:
        """What a unit counts, by its counter's id, its type and classes, its size, and its steps."""
        if not self.weighs:
            return 1
        if any(word in kinds for word in self.free):
            return 0
        fitting = (points for word, points in self.points.items() if word == size or word in kinds)
        return self.points.get(id_, next(fitting, 1)) * (steps if self.counted == "steps" else 1)

    @property
    def weighs(self) -> bool:
        """Whether a unit may count otherwise than as one."""
        return bool(self.points or self.free) or self.counted == "steps"

    def most(self, terrains: Iterable[str], side: str) -> int:
        """What a hex of some terrains takes of a side."""
        own = self.sides[side].limit if side in self.sides else None
        there = [self.terrain[t] for t in terrains if t in self.terrain]
        return min([*there, own] if own else there or [self.limit])

    def alike_of(self, side: str) -> Alike:
        """What those of a side must have in common."""
        return (self.sides[side].alike if side in self.sides else None) or self.alike


class Rules(Model):
    """Parameters of the referee."""

    stacking: Stacking
    unknown_back: Annotated[int, Field(ge=1)] | None = Field(
        default=2,
        description="a back that nobody knows has its front's figures divided by this, rounded up; `null`: a "
        "counter without figures of a back has one step, and its first loss is its end",
    )
    movement: MovementRules = Field(default_factory=MovementRules)
    combat: CombatRules = Field(default_factory=CombatRules)
    replacements: tuple[Replacements, ...] = Field(
        default=(), description="points by which losses are turned back and units rebuilt; empty: none"
    )
    marks: tuple[StateMark, ...] = Field(
        default=(), description="marks of units, as `disrupted`, and what takes them away; others stay"
    )
    attrition: tuple[Attrition, ...] = Field(
        default=(), description="who loses steps in a phase for want of supply, or for another mark; empty: nobody"
    )
    allegiance: tuple[Allegiance, ...] = Field(
        default=(), description="units that are under the other side's command from a turn on; empty: none"
    )
    untried: tuple[Untried, ...] = Field(
        default=(), description="units whose strength nobody knows before they first fight; empty: none"
    )
    supply: tuple[Supply, ...] = Field(default=(), description="which units need a line to a source; empty: none")
