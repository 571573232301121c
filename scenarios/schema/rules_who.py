"""Of which units a rule speaks."""

from __future__ import annotations

from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.references import (
    DivisionRefs,
    MarkRefs,
    SideRef,
    TurnSpan,
    TypeRefs,
    UnitRefs,
    WeatherRefs,
)


class Selector(Model):
    """Which units a rule speaks of: all that fit every list given.

    `units` are ids of counters.csv; a unit of a turn sheet fits if it stands for one of them. `divisions` are known
    by their number, or by their name where they have none.
    """

    side: SideRef | None = Field(default=None, description="units of this side alone")
    types: TypeRefs = Field(default=(), description="units of these types or classes; empty: all")
    divisions: DivisionRefs = Field(
        default=(), description="units of these divisions, by number or name; empty: all"
    )
    units: UnitRefs = Field(default=(), description="these counters, by id; empty: all")
    marks: MarkRefs = Field(default=(), description="flags of the notation, such as `reinforcement`; any of them")


class Near(Selector):
    """Hexes within so many of one in which a friendly unit stands that fits: of headquarters, of one's division."""

    hexes: int = Field(default=1, ge=0, le=99, description="hexes from it, at most; 1: next to it or with it")


class AtTimes(Selector):
    """A rule for some units, always or in some turns or weather."""

    turns: TurnSpan | None = Field(default=None, description="first and last turn of the rule; absent: every turn")
    weather: WeatherRefs = Field(default=(), description="kinds of weather in which it holds; empty: any")
