"""tables.yaml: combat results, terrain effects, bombardment, vulnerability, air points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from .base import Defines, FaceSpan, Halves, Identifier, MovementClassRef, Ref, TurnSpan, TypeRefs
from .declared import BeforeValidator, Field, Model, warning
from .modifiers import ByUnity, Columns, Die
from .results import ColumnBy, Dice, DiceText, Result, ResultCode, numbers


def _per_weather(value: Any) -> Any:
    return value if isinstance(value, dict) else {"": value}


def _names(value: Any) -> Any:
    """Names of columns, of which YAML takes those of one number for a number."""
    return [str(v) if isinstance(v, int) else v for v in value] if isinstance(value, list | tuple) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_names, json_schema_input_type=list[str | int])]
Cost = Annotated[dict[str, Halves], BeforeValidator(_per_weather, json_schema_input_type=float | dict[str, float])]
"""Movement points (in halves) by weather; the key "" stands for any weather."""
_Bombarded = Annotated[Identifier, Ref("unit-type", binding=False)]


class ResultTable(Model):
    """A table of columns (as the game heads them) and rows of what the dice show, e.g. `2,12` or `3-5`."""

    dice: DiceText
    column_by: ColumnBy
    columns: Names = Field("the columns from left to right, as the game heads them", min_length=1)
    rows: dict[str, tuple[str, ...]] = Field(
        "what the dice show (numbers, spans, several with commas) -> the codes of each column, several in a cell "
        "with blanks; a die that modifiers carry beyond the rows stands on the end row; with `2d6 tens` one more "
        "than 16 is 21",
        min_length=1,
    )
    columns_most: int | None = Field(
        "how far all that moves the column together may move it, either way", default=None, ge=1
    )
    die_modifier_most: int | None = Field(
        "how far all modifiers of the die together may move it, either way", default=None, ge=1
    )

    @property
    def thrown(self) -> Dice:
        """The dice of the table."""
        return Dice.of(self.dice)

    @cached_property
    def by_number(self) -> Mapping[int, tuple[str, ...]]:
        """The cells of each number that has a row. Raises ValueError where a row names no numbers."""
        return {number: cells for name, cells in self.rows.items() for number in numbers(name)}

    def row(self, roll: int) -> tuple[str, ...]:
        """The cells of the row for what the dice show. Raises KeyError where no row has it."""
        return self.by_number[roll]


class TerrainEffect(Model):
    """What one terrain does to a unit that enters it, and to combat against it.

    `costs` is by movement class (see game.yaml's `movement_classes`); `combat` in columns, negative is left.
    """

    costs: dict[MovementClassRef, Cost] = Field("movement class -> movement points; by weather where it matters")
    combat: int = Field(
        "columns for whoever attacks into it, negative; what helps him is a modifier", default=0, ge=-20, le=0
    )
    barred: TypeRefs = Field("unit types or classes that may not enter", default=())
    named: bool = Field("every hex of this terrain has a name: a town, say", default=False)
    SLIPS = (
        warning("game.past-the-table", "combat", lambda c, r: abs(r.combat) >= c.wide and {"most": c.wide - 1}),
    )


class HexsideEffect(Model):
    """What crossing a hexside costs besides the hex, and what attacking across it does."""

    costs: dict[MovementClassRef, Cost] = Field(
        "movement class -> movement points besides the hex's; by weather where it matters", default={}
    )
    combat: int = Field(
        "columns for whoever attacks across it, negative; what helps him is a modifier", default=0, ge=-20, le=0
    )
    barred: TypeRefs = Field("unit types or classes that may not cross it without a bridge", default=())
    water: bool = Field("counts as a river for retreats, advances and bridges", default=False)
    additive: bool = Field("its columns are added to the rest instead of the largest counting", default=False)
    SLIPS = (
        warning("game.past-the-table", "combat", lambda c, r: abs(r.combat) >= c.wide and {"most": c.wide - 1}),
    )


class WayEffect(Model):
    """What a step along a way costs in place of the terrain."""

    costs: dict[MovementClassRef, Cost] = Field(
        "movement class -> movement points in place of the ground's; none: it is not for moving", default={}
    )
    bridges: bool | None = Field(
        "`true`: implies a bridge where it crosses water, for all classes; `false`: implies none, and is drawn "
        "over water all the same; absent: none, and `modulegen check` warns where it crosses water",
        default=None,
    )
    barred: TypeRefs = Field("unit types or classes that may not use it", default=())


class AirRow(Model):
    """Air points of a span of turns, or of a die in games where a die decides."""

    points: int = Field("air points", ge=0)
    turns: TurnSpan | None = Field("first and last turn that have them", default=None)
    die: FaceSpan | None = Field("lowest and highest face of the die that gives them", default=None)


class TablesFile(Model):
    """Every table of the game. A game without guns or aircraft leaves out `bombardment` and `vulnerability`."""

    crt: ResultTable = Field("combat results: columns rise to the right")
    results: dict[Annotated[ResultCode, Defines("result")], Result] = Field(
        "the codes that cells of the result tables hold, and what each demands of either side"
    )
    bombardment: ResultTable | None = Field(
        "fire from afar, and attacks by air: columns are values, each named by its bounds", default=None
    )
    terrain: dict[Annotated[Identifier, Defines("terrain")], TerrainEffect] = Field("kinds of ground, by id")
    hexsides: dict[Annotated[Identifier, Defines("hexside")], HexsideEffect] = Field(
        "kinds of line along hexsides, by id"
    )
    ways: dict[Annotated[Identifier, Defines("way")], WayEffect] = Field("kinds of road, trail or railway, by id")
    fortified: HexsideEffect | None = Field("a whole hex that is a fortification", default=None)
    vulnerability: dict[Literal["air", "artillery"], dict[_Bombarded, Annotated[int, Field(ge=0)]]] = Field(
        "by what a unit is bombarded: unit type -> index", default={}
    )
    air: tuple[AirRow, ...] = Field("air points by turns, or by the die", default=())
    SLIPS = (
        warning(
            "tables.no-die-modifier",
            "crt.die_modifier_most",
            lambda c, r: r.crt.die_modifier_most is not None and not c.modifies(Die),
        ),
        warning(
            "game.idle",
            "crt.columns_most",
            lambda c, r: (
                r.crt.columns_most and not c.modifies(Columns, ByUnity) and c.idle("no-columns", "columns_most")
            ),
        ),
    )
