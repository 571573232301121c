"""tables.yaml: combat results, terrain effects, bombardment, vulnerability, air points."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from hexforge.scenarios.schema.base import Halves, Identifier, Model
from hexforge.scenarios.schema.references import ClassRefs, MovementClassRef, Ref, TurnSpan


def _per_weather(value: Any) -> Any:
    return value if isinstance(value, dict) else {"": value}


RESULTS = ("DE", "DRB", "DRI", "DVB", "DVI", "AE", "ARB", "ARI", "AVB", "AVI", "EMP", "IMP", "DB", "DI")
"""The codes that a cell may hold, one or several: who dies, loses a step, retreats or may advance."""

Cost = Annotated[dict[str, Halves], BeforeValidator(_per_weather, json_schema_input_type=float | dict[str, float])]
"""Movement points (in halves) by weather; the key "" stands for any weather."""
_Bombarded = Annotated[Identifier, Ref("unit-type", binding=False)]


class ResultTable(Model):
    """A table of columns (as the game heads them) and rows of dice sums, e.g. `2,12`."""

    columns: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]

    def row(self, roll: int) -> tuple[str, ...]:
        """The cells of the row for a sum of two dice (2 to 12). Raises KeyError where no row has it."""
        for key, cells in self.rows.items():
            if str(roll) in key.split(","):
                return cells
        raise KeyError(roll)


class TerrainEffect(Model):
    """What one terrain does to a unit that enters it, and to combat against it.

    `costs` is by movement class (see game.yaml's `movement_classes`); `combat` in columns, negative is left.
    """

    costs: dict[MovementClassRef, Cost]
    combat: int = 0
    barred: ClassRefs = Field((), description="names of unit classes (game.yaml) that may not enter")
    named: bool = Field(False, description="every hex of this terrain has a name: a town, say")


class HexsideEffect(Model):
    """What crossing a hexside costs besides the hex, and what attacking across it does."""

    costs: dict[MovementClassRef, Cost] = Field(default_factory=dict)
    combat: int = 0
    barred: ClassRefs = ()
    water: bool = Field(False, description="counts as a river for retreats, advances and bridges")
    additive: bool = Field(False, description="its columns are added to the rest instead of the largest counting")


class WayEffect(Model):
    """What a step along a way costs in place of the terrain."""

    costs: dict[MovementClassRef, Cost] = Field(default_factory=dict)
    bridges: bool = Field(False, description="implies a bridge where it crosses water, for all classes")
    barred: ClassRefs = ()


class AirRow(Model):
    """Air points of a span of turns, or of a die in games where a die decides."""

    points: int = Field(ge=0)
    turns: TurnSpan | None = None
    die: tuple[int, int] | None = None


class TablesFile(Model):
    """Every table of the game. A game without guns or aircraft leaves out `bombardment` and `vulnerability`."""

    crt: ResultTable = Field(description="combat results: columns are odds, `n-1` or `1-n`, rising to the right")
    bombardment: ResultTable | None = Field(
        None, description="fire from afar, and attacks by air: columns are values, each named by its bounds"
    )
    terrain: dict[Identifier, TerrainEffect]
    hexsides: dict[Identifier, HexsideEffect]
    ways: dict[Identifier, WayEffect]
    fortified: HexsideEffect | None = Field(None, description="a whole hex that is a fortification")
    vulnerability: dict[Literal["air", "artillery"], dict[_Bombarded, int]] = Field(
        default_factory=dict, description="by what a unit is bombarded: unit type -> index"
    )
    air: tuple[AirRow, ...] = ()
