"""Types of fields that name something else of the game: `AreaRef` is text that is the id of an area of map.yaml.

`scenarios.references` finds every such name in a scenario; what follows from names (that they exist, what rests on
what they name) follows from there, and JSON Schemas say them as `x-reference`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from hexforge.scenarios.schema.base import (
    FieldMark,
    Identifier,
    Words,
    hex_number,
    hex_pair,
    hex_pairs,
    hexes_listed,
)
from hexforge.scenarios.schema.declared import AfterValidator, BeforeValidator, Field
from hexforge.scenarios.words import BadValueError, message

RefKind = Literal[
    "area", "area-style", "barrier", "class", "division", "edge", "face", "formation", "hex", "hexside",
    "hexside-style", "mark", "marker", "movement-class", "option", "palette", "phase", "phase-of-either", "picture",
    "place", "regiment",
    "result", "side", "size-or-type", "switch", "symbol", "terrain", "terrain-style", "track", "turn", "type",
    "unit", "unit-type", "way", "way-style", "weather",
]  # fmt: skip
"""What a name may stand for. A `barrier` is a kind of hexside or `fortified`; a `type` is a unit type, or a class
or movement class in place of its types (`size-or-type`: or the size of units, or a counter); a `formation` is a
division or a corps. An `option` is one that can be judged by, a `switch` one that the game itself lists with the
choices yes and no. A `phase-of-either` is a phase, or that of the enemy as `enemy_combat`. A `mark` is a flag that
the notation has or a rule gives, a `face` one of the die that is thrown alone. Styles, palettes and symbols belong
to the drawing: whoever only judges a game does without them, and what draws looks for them.
"""


@dataclass(frozen=True, slots=True)
class Ref(FieldMark):
    """Marks text as a name; on a list, each of its words. One that is not `binding` may name what is not there."""

    kind: RefKind
    binding: bool = True

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        return {**handler(core_schema), "x-reference": self.kind}


def _in_order(span: tuple[int, int]) -> tuple[int, int]:
    if span[0] > span[1]:
        raise BadValueError(message("scenario.value.span", first=span[0], last=span[1]))
    return span


AreaRef = Annotated[Identifier, Ref("area")]
AreaRefs = Annotated[Words, Ref("area")]
BarrierRef = Annotated[Identifier, Ref("barrier")]
BarrierRefs = Annotated[Words, Ref("barrier")]
DivisionRef = Annotated[str, Ref("division", binding=False)]
DivisionRefs = Annotated[Words, Ref("division", binding=False)]
EdgeName = Annotated[Literal["north", "south", "east", "west"], Ref("edge")]
EdgeRef = Annotated[str, Ref("edge")]
EdgeRefs = Annotated[Words, Ref("edge")]
FaceSpan = Annotated[tuple[int, int], AfterValidator(_in_order), Ref("face")]
"""The lowest and the highest of some faces of the die."""
Faces = Annotated[tuple[int, ...], Ref("face")]
FormationRef = Annotated[str, Ref("formation")]
HexRef = Annotated[
    str,
    BeforeValidator(hex_number, json_schema_input_type=str | int),
    Field(pattern="^[A-Z]{0,9}[0-9]{1,6}[A-Z]{0,8}$"),
    Ref("hex"),
]
HexRefs = Annotated[
    tuple[str, ...],
    BeforeValidator(hexes_listed, json_schema_input_type=str | int | list[str | int]),
    Ref("hex"),
]
"""Hexes, as a list or as blank-separated text; `0101..0112` is a straight run of a row or a column, `0505~2` all
hexes within two of one."""
HexPair = Annotated[tuple[str, str], BeforeValidator(hex_pair, json_schema_input_type=str), Ref("hex")]
"""A hexside, by the two hexes that share it."""
HexPairs = Annotated[
    tuple[tuple[str, str], ...], BeforeValidator(hex_pairs, json_schema_input_type=str | list[str]), Ref("hex")
]
HexsideRef = Annotated[Identifier, Ref("hexside")]
HexsideRefs = Annotated[Words, Ref("hexside")]
MarkRef = Annotated[Identifier, Ref("mark")]
MarkRefs = Annotated[Words, Ref("mark")]
MarkerRef = Annotated[Identifier, Ref("marker")]
MovementClassRef = Annotated[str, Ref("movement-class")]
OptionRef = Annotated[Identifier, Ref("option")]
PhaseRef = Annotated[Identifier, Ref("phase")]
PhaseRefs = Annotated[Words, Ref("phase")]
PhaseOfEitherRefs = Annotated[Words, Ref("phase-of-either")]
PlaceRef = Annotated[Identifier, Ref("place")]
PlaceRefs = Annotated[Words, Ref("place")]
ResultRef = Annotated[str, Ref("result")]
ResultRefs = Annotated[Words, Ref("result")]
RegimentRefs = Annotated[Words, Ref("regiment", binding=False)]
SizeOrTypeRef = Annotated[str, Ref("size-or-type")]
SideRef = Annotated[str, Ref("side")]
SideRefs = Annotated[Words, Ref("side")]
SwitchRef = Annotated[Identifier, Ref("switch")]
PaletteRef = Annotated[str, Ref("palette")]
PictureRef = Annotated[str, Ref("picture")]
SymbolRef = Annotated[str, Ref("symbol")]
TerrainRef = Annotated[Identifier, Ref("terrain")]
TerrainRefs = Annotated[Words, Ref("terrain")]
TrackRef = Annotated[Identifier, Ref("track")]
TurnRef = Annotated[int, Ref("turn")]
TurnLimit = Annotated[int, Ref("turn", binding=False)]
TurnRefs = Annotated[tuple[int, ...], Ref("turn", binding=False)]
TurnSpan = Annotated[tuple[int, int], AfterValidator(_in_order), Ref("turn", binding=False)]
"""The first and the last of some turns. Like a limit it may reach beyond the game, which does no harm."""
TypeRefs = Annotated[Words, Ref("type")]
UnitRefs = Annotated[Words, Ref("unit")]
UnitTypeRef = Annotated[str, Ref("unit-type")]
UnitTypeRefs = Annotated[Words, Ref("unit-type")]
WayRef = Annotated[Identifier, Ref("way")]
WayRefs = Annotated[Words, Ref("way")]
WeatherRef = Annotated[Identifier, Ref("weather")]
WeatherRefs = Annotated[Words, Ref("weather")]
