"""The statements of a turn sheet, as values.

A sheet is a list of statements in the order of the paper. Each class below is one kind of line; `line` is the
first physical line it stands on, counted from 1. Nothing here judges: a statement may name a unit that does not
exist, a hex off the map or an impossible path. Only its *form* has been read.

Overview
--------

=================  =======================================================================================
header             SheetVersion GameName Players OptionSetting Partial MapPrinted MapBlank
map edits          TerrainEdit PlaceName WayEdit HexsideEdit FortifiedHexes BridgeEdit AreaEdit
units              UnitDefinition
position           PositionStart | SetupStart, then Placement MarkerPlacement AirPoints ClearedTrail Control
                   UnitStatus Due LostUnit LeftMap
sequence           TurnStart
movement phase     Move Enter Exit RailMove Recover BuildBridge ClearTrail AirRoll
combat phase       Combat Bombard AirStrike; each holds its sub-statements in `acts`, in order:
                   Attack Support Guard AirSupport GuardAir Announce Declare Roll Result Lose Eliminate
                   Retreat Advance
end                Score
=================  =======================================================================================

Values
------

- A hex is four digits, column then row: `"0609"`. A hexside is a pair of hexes as written, not sorted and perhaps
  not adjacent.
- A path is a tuple of hexes in which `OPEN` (`"-"`) between two hexes leaves the way between them open. `Move`,
  `RailMove`, `Exit`, `Retreat` and usually `Advance` begin with the hex the units stand in; `Enter` begins with the
  first hex on the map.
- Sides, phases, unit types, terrain and edges are the canonical English words whatever language the sheet uses.
- Strengths and points are whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

HexId: TypeAlias = str
HexPair: TypeAlias = tuple[HexId, HexId]
Path: TypeAlias = tuple[str, ...]

OPEN: Final = "-"

WayKind = Literal["road", "trail", "rail"]
PhaseName = Literal["movement", "combat"]
EdgeName = Literal["north", "south", "east", "west"]
RoleName = Literal["attacker", "defender"]


@dataclass(frozen=True, slots=True)
class Statement:
    """Anything a line of a sheet can say."""

    line: int


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


# -------------------------------------------------------------------------------------------- sequence


@dataclass(frozen=True, slots=True)
class TurnStart(Statement):
    """`turn 2 american movement`: opens a phase."""

    number: int
    side: str
    phase: PhaseName


# -------------------------------------------------------------------------------------- movement phase


@dataclass(frozen=True, slots=True)
class Move(Statement):
    """`move a1 a2: 0705 0704 0604`: a stack that moves together."""

    units: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Enter(Statement):
    """`enter a9: 0101 0201 from west by road`: a reinforcement. `edge` is None where the sheet names none."""

    units: tuple[str, ...]
    path: Path
    edge: EdgeName | None = None
    by: WayKind | None = None


@dataclass(frozen=True, slots=True)
class Exit(Statement):
    """`exit a9: 0201 0101 to west`: leaves the map from the last hex of the path."""

    units: tuple[str, ...]
    path: Path
    edge: EdgeName | None = None
    by: WayKind | None = None


@dataclass(frozen=True, slots=True)
class RailMove(Statement):
    """`rail g3: 2205 - 1714`."""

    units: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Recover(Statement):
    """`recover a4`: reduced units turned back."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuildBridge(Statement):
    """`build bridge 0304/0305 by a5`. `unit` is "" where the sheet names none."""

    side: HexPair
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ClearTrail(Statement):
    """`clear 0809 by a5 roll 4`. `unit` is "" and `roll` None where the sheet gives none."""

    hex: HexId
    unit: str = ""
    roll: int | None = None


@dataclass(frozen=True, slots=True)
class AirRoll(Statement):
    """`airroll 6`: the die for the turn's air points."""

    roll: int


# ---------------------------------------------------------------------------------------- combat phase


@dataclass(frozen=True, slots=True)
class Act(Statement):
    """A line within a combat, bombardment or air strike."""


@dataclass(frozen=True, slots=True)
class Attack(Act):
    """`attack a1 a2`: units that attack from adjacent hexes."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Support(Act):
    """`support a7 a8`, `support offboard 20`: the attacker's artillery; `offboard` are points beyond the map."""

    units: tuple[str, ...]
    offboard: int = 0


@dataclass(frozen=True, slots=True)
class Guard(Act):
    """`guard g7`, `guard offboard 20`: artillery that supports the defence."""

    units: tuple[str, ...]
    offboard: int = 0


@dataclass(frozen=True, slots=True)
class AirSupport(Act):
    """`air 3`: the attacker's air points."""

    points: int


@dataclass(frozen=True, slots=True)
class GuardAir(Act):
    """`guard air 3`: the defender's air points."""

    points: int


@dataclass(frozen=True, slots=True)
class Announce(Act):
    """`announce attacker 11`: a total in the order in which it was spoken."""

    role: RoleName
    total: int


@dataclass(frozen=True, slots=True)
class Declare(Act):
    """`declare 11:4 odds 2-1 column 1-1`, `declare value 18 column 13-24`; parts not given are None."""

    attack: int | None = None
    defence: int | None = None
    value: int | None = None
    odds: str | None = None
    column: str | None = None


@dataclass(frozen=True, slots=True)
class Roll(Act):
    """`roll 3 4`: the faces, one by one (not checked against the six faces of a die)."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result(Act):
    """`result DRB AVB`: the codes in upper case."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lose(Act):
    """`lose g1`: each unit loses a step."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Eliminate(Act):
    """`eliminate g2`."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retreat(Act):
    """`retreat g1: 0609 0509`; with `edge` it leaves the map from the last hex."""

    units: tuple[str, ...]
    path: Path
    edge: EdgeName | None = None


@dataclass(frozen=True, slots=True)
class Advance(Act):
    """`advance a1: 0609` or, with the hex it comes from, `advance a1: 0608 0609`."""

    units: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Engagement(Statement):
    """A combat, bombardment or air strike with what follows it, in the order written."""

    targets: tuple[HexId, ...]
    acts: tuple[Act, ...] = ()


@dataclass(frozen=True, slots=True)
class Combat(Engagement):
    """`combat 0609`: one or more defending hexes."""


@dataclass(frozen=True, slots=True)
class Bombard(Engagement):
    """`bombard 0609 by a7 a8 offboard 30`: artillery alone."""

    units: tuple[str, ...] = ()
    offboard: int = 0


@dataclass(frozen=True, slots=True)
class AirStrike(Engagement):
    """`airstrike 0609 points 6`: air alone. `points` is None where the sheet gives none."""

    points: int | None = None


# ------------------------------------------------------------------------------------------------- end


@dataclass(frozen=True, slots=True)
class Score(Statement):
    """`score american 120 german 90`: pairs of side and points."""

    points: tuple[tuple[str, int], ...]


# -------------------------------------------------------------------------------------- what was read


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A line that could not be read as it stands. `column` counts from 1 in the physical line `line`.

    `found` is the text at that place ("" at the end of a line), `expected_*` say in words what would have fitted.
    """

    line: int
    column: int
    found: str
    expected_en: str
    expected_pt: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything a file holds. `lines` are its physical lines, `lines[0]` being line 1."""

    statements: tuple[Statement, ...]
    problems: tuple[SyntaxProblem, ...] = ()
    lines: tuple[str, ...] = ()
    source: str = ""
