"""Statements before the first turn: header, map, units, position. `statements` gives the overview."""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.validator.readers.statements_base import EdgeName, HexId, HexPair, Statement, WayKind

# ---------------------------------------------------------------------------------------------- header


@dataclass(frozen=True, slots=True)
class SheetVersion(Statement):
    """`sheet 1`: version of the notation."""

    version: int


@dataclass(frozen=True, slots=True)
class GameName(Statement):
    """`game hurtgen`."""

    name: str


@dataclass(frozen=True, slots=True)
class Players(Statement):
    """`players american="Ana" german="Bruno"`: pairs of side and name."""

    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class OptionSetting(Statement):
    """`option inverse_rounding=ceil`."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Partial(Statement):
    """`partial`: duties at the end of a phase are not judged, nor consequences left untold."""


@dataclass(frozen=True, slots=True)
class MapPrinted(Statement):
    """`map printed`: the scenario's own map."""


@dataclass(frozen=True, slots=True)
class MapBlank(Statement):
    """`map blank open 18x12`: an empty map."""

    terrain: tuple[str, ...]
    columns: int
    rows: int


# ------------------------------------------------------------------------------------------- map edits


@dataclass(frozen=True, slots=True)
class TerrainEdit(Statement):
    """`terrain town+rough 1010`: these hexes have exactly these terrains."""

    terrains: tuple[str, ...]
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class PlaceName(Statement):
    """`name 0306 Germeter`."""

    hexes: tuple[HexId, ...]
    name: str


@dataclass(frozen=True, slots=True)
class WayEdit(Statement):
    """`road 0304 0305 0306`: a way of a kind (`road`, `trail`, `rail`) from hex to hex."""

    kind: WayKind
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class HexsideEdit(Statement):
    """`river 0304/0305`: a line of a kind (river, our, clerf, sure, dam, fortification, siegfried) on hexsides."""

    kind: str
    sides: tuple[HexPair, ...]


@dataclass(frozen=True, slots=True)
class FortifiedHexes(Statement):
    """`fortification 0608`: whole hexes that are fortified."""

    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class BridgeEdit(Statement):
    """`bridge 0304/0305`."""

    sides: tuple[HexPair, ...]


@dataclass(frozen=True, slots=True)
class AreaEdit(Statement):
    """`area bastogne-perimeter 1109 1108`."""

    name: str
    hexes: tuple[HexId, ...]


# ----------------------------------------------------------------------------------------------- units


@dataclass(frozen=True, slots=True)
class UnitDefinition(Statement):
    """`unit a1 american infantry 3-4-5 regiment 109 division 28 size II reduced 1-1`.

    Formation names are as written in the sheet, in lower case; "" where it has none. `reduced_*` are None where
    the sheet gives no reverse side, `range` is None where it gives none.
    """

    unit: str
    side: str
    type: str
    attack: int
    defence: int
    move: int
    range: int | None = None
    regiment: str = ""
    division: str = ""
    corps: str = ""
    formation: str = ""
    size: str = ""
    reduced_attack: int | None = None
    reduced_defence: int | None = None


# -------------------------------------------------------------------------------------------- position


@dataclass(frozen=True, slots=True)
class PositionStart(Statement):
    """`position`: the position before the first turn follows; nothing else is on the map."""


@dataclass(frozen=True, slots=True)
class SetupStart(Statement):
    """`setup`: a set-up as the players made it follows, to be judged."""


@dataclass(frozen=True, slots=True)
class Placement(Statement):
    """`g7 0609 reduced`, in a position or a set-up."""

    unit: str
    hex: HexId
    reduced: bool = False


@dataclass(frozen=True, slots=True)
class MarkerPlacement(Statement):
    """`marker bridge 4817/4917`: a marker on a hexside, or in a hex; exactly one of the two is given."""

    kind: str
    side: HexPair | None = None
    hex: HexId | None = None


@dataclass(frozen=True, slots=True)
class AirPoints(Statement):
    """`air american 5`: air points that a side still has this turn."""

    side: str
    points: int


@dataclass(frozen=True, slots=True)
class ClearedTrail(Statement):
    """`cleared 1108`: a trail hex that is already clear."""

    hex: HexId


@dataclass(frozen=True, slots=True)
class Control(Statement):
    """`control german 1314`: who last held a place."""

    side: str
    hex: HexId


@dataclass(frozen=True, slots=True)
class UnitStatus(Statement):
    """`status a1 in-transit`, `status a1 arrived 17`: what a position cannot show. `turn` is None without one."""

    unit: str
    flag: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Due(Statement):
    """`due g9 23 north`: turn and perhaps edge of a reinforcement of the sheet's own."""

    unit: str
    turn: int
    edge: EdgeName | None = None


@dataclass(frozen=True, slots=True)
class LostUnit(Statement):
    """`lost german infantry 1-2-5`: a unit destroyed before the sheet begins."""

    side: str
    type: str
    attack: int
    defence: int
    move: int


@dataclass(frozen=True, slots=True)
class LeftMap(Statement):
    """`left german lehr west 22`: a unit of a formation that left by an edge in an earlier turn."""

    side: str
    formation: str
    edge: EdgeName
    turn: int
