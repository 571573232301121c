"""The statements of a turn sheet, as values.

A sheet is a list of statements in the order of the paper. Each class below is one kind of line; `line` is the
first physical line it stands on, counted from 1. Nothing here judges: a statement may name a unit that does not
exist, a hex off the map or an impossible path. Only its *form* has been read. `base` tells how a class declares it.

Values
------

- A hex is four digits, column then row: `"0609"`. A hexside is a pair of hexes as written, not sorted and perhaps
  not adjacent.
- A path is a tuple of hexes in which `OPEN` (`"-"`) between two hexes leaves the way between them open. `Move`,
  `RailMove`, `Exit`, `Retreat` and usually `Advance` begin with the hex the units stand in; `Enter` begins with the
  first hex on the map.
- Sides, phases, unit types, terrain and edges are the game's ids and the canonical English words, whatever language
  the sheet uses.
- Strengths and points are whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from hexforge.scenarios.words import SOURCE, Language
from hexforge.validator.readers import kinds as k
from hexforge.validator.readers.account import NOTHING, Intake
from hexforge.validator.readers.base import (
    Act,
    After,
    Given,
    Header,
    Opening,
    Play,
    Positioned,
    Ruling,
    Statement,
    grouped,
    statement,
)
from hexforge.validator.readers.cursor import SyntaxProblem
from hexforge.validator.readers.kinds import OPEN

__all__ = [
    "OPEN",
    "Act",
    "Given",
    "Header",
    "Opening",
    "Play",
    "Positioned",
    "Ruling",
    "Statement",
    "SyntaxProblem",
]

HexId: TypeAlias = Annotated[str, k.ONE_HEX]
HexIds: TypeAlias = Annotated[tuple[str, ...], k.HEXES]
HexPair: TypeAlias = Annotated[tuple[str, str], k.HEXSIDE]
HexPairs: TypeAlias = Annotated[tuple[tuple[str, str], ...], k.HEXSIDES]
Path: TypeAlias = Annotated[tuple[str, ...], k.PATH]
Unit: TypeAlias = Annotated[str, k.ONE_UNIT]
Units: TypeAlias = Annotated[tuple[str, ...], k.UNITS]
Count: TypeAlias = Annotated[int, k.COUNT]
Turn: TypeAlias = Annotated[int, k.TURN]
SideId: TypeAlias = Annotated[str, k.SIDE]
TypeId: TypeAlias = Annotated[str, k.TYPE]
Terrains: TypeAlias = Annotated[tuple[str, ...], k.TERRAINS]
WayKind: TypeAlias = Annotated[str, k.WAY]
EdgeName = Literal["north", "south", "east", "west"]
Edge: TypeAlias = Annotated[EdgeName, k.EDGE]
RoleName = Literal["attacker", "defender"]

# ---------------------------------------------------------------------------------------------- header


@statement("sheet")
class SheetVersion(Header):
    """`sheet 1`: version of the notation."""

    version: Annotated[int, k.VERSION]


@statement("game")
class GameName(Header):
    """`game hurtgen`."""

    name: Annotated[str, k.GAME]


@statement("players")
class Players(Header):
    """`players american="Ana" german="Bruno"`: pairs of side and name."""

    names: Annotated[tuple[tuple[str, str], ...], k.PLAYERS]


@statement("option")
class OptionSetting(Header):
    """`option inverse_rounding=ceil`."""

    name: Annotated[str, k.OPTION]
    value: Annotated[str, k.VALUE, After("=")]


@statement("continues")
class Continues(Header):
    """`continues turn-2.sheet hash 0123abcd`: the files that this sheet goes on from, and what they then held."""

    files: Annotated[tuple[str, ...], k.FILES]
    hash: Annotated[str, k.HASH, After("hash")] = ""


@statement("partial")
class Partial(Header):
    """`partial`: duties at the end of a phase are not judged, nor consequences left untold."""


@statement("map printed")
class MapPrinted(Header):
    """`map printed`: the scenario's own map."""


@statement("map blank")
class MapBlank(Header):
    """`map blank open 18x12`: an empty map."""

    terrain: Terrains
    columns: Annotated[int, k.SIZE]
    rows: int


# ------------------------------------------------------------------------------------------- map edits


@statement("terrain")
class TerrainEdit(Header):
    """`terrain town+rough 1010`: these hexes have exactly these terrains."""

    terrains: Terrains
    hexes: HexIds


@statement("name")
class PlaceName(Header):
    """`name 0306 Germeter`."""

    hexes: Annotated[tuple[str, ...], k.HEXES_OF_PLACE]
    name: Annotated[str, k.PLACE]


@statement(of="ways")
class WayEdit(Header):
    """`road 0304 0305 0306`: a way of a kind (`road`, `trail`, `rail`, or the game's own) from hex to hex."""

    kind: str
    hexes: HexIds


@statement("fortification")
class FortifiedHexes(Header):
    """`fortification 0608`: whole hexes that are fortified."""

    hexes: HexIds


@statement(of="hexsides")
class HexsideEdit(Header):
    """`river 0304/0305`: a line of a kind (`river`, `fortification`, or the game's own) on hexsides."""

    kind: str
    sides: HexPairs


@statement("bridge")
class BridgeEdit(Header):
    """`bridge 0304/0305`."""

    sides: HexPairs


@statement("area")
class AreaEdit(Header):
    """`area bastogne-perimeter 1109 1108`."""

    name: Annotated[str, k.AREA]
    hexes: HexIds


# ----------------------------------------------------------------------------------------------- units


@grouped
class Naming(Header):
    """A line that says who a unit is: its first word is the unit's id, whatever it looks like."""

    unit: Unit


@statement("unit")
class UnitDefinition(Naming):
    """`unit a1 american infantry 3-4-5 regiment 109 division 28 size II reduced 1-1`.

    Formation names are as written in the sheet, in lower case; "" where it has none. `reduced_*` are None where
    the sheet gives no reverse side, `further` are the steps after it; `range` is None where it gives none.
    """

    side: SideId
    type: TypeId
    attack: Annotated[int, k.FACTORS]
    defence: int
    move: int
    range: Annotated[Count | None, After("range")] = None
    regiment: Annotated[str, k.LOWER, After("regiment")] = ""
    division: Annotated[str, k.LOWER, After("division")] = ""
    corps: Annotated[str, k.LOWER, After("corps")] = ""
    formation: Annotated[str, k.LOWER, After("formation")] = ""
    size: Annotated[str, k.UPPER, After("size")] = ""
    reduced_attack: Annotated[int | None, k.REDUCED, After("reduced")] = None
    reduced_defence: int | None = None
    further: Annotated[tuple[tuple[int, int], ...], k.FURTHER] = ()


# --------------------------------------------------------------------------------------------- rulings


@statement("accept")
class Accept(Ruling):
    """`accept 14 because …`: the findings of lines are waived, or those of one rule: `accept 14 B 5.1 because …`.

    `lines` are numbers of this sheet's own lines, none for the statement above. `rule` is a section with or without
    its game's letter, or a code; "" for all. `by` is who rules so, "" where the line does not say.
    """

    lines: Annotated[tuple[int, ...], k.ACCEPTED]
    rule: str
    by: Annotated[str, k.RULED]
    reason: str


@statement("put")
class Put(Ruling):
    """`put us-109-1 0705 reduced because …`: units are placed, turned or taken off by ruling.

    `hex` is "" where they stay in theirs or leave the map; `fate` is one of the notation's `fates`, or "".
    """

    units: Annotated[tuple[str, ...], k.PUT]
    hex: str
    fate: str
    by: Annotated[str, k.RULED]
    reason: str


@statement("control")
class RuledControl(Ruling):
    """`control 1314 german because …`: a place is held by a side, by ruling."""

    side: Annotated[str, k.HOLDING]
    hex: str
    by: Annotated[str, k.RULED]
    reason: str


# -------------------------------------------------------------------------------------------- position


@statement("position")
class PositionStart(Header):
    """`position`: the position before the first turn follows; nothing else is on the map.

    `position after turn 2 american movement`: as it was when that phase ended, so that the next follows upon it.
    `position printed`: the rulebook's set-up stands, but for what follows.
    """

    printed: Annotated[bool, k.YES, After("printed")] = False
    after: Annotated[tuple[int, str, str] | None, k.ENDED, After("after")] = None


@statement("setup")
class SetupStart(Header):
    """`setup`: a set-up as the players made it follows, to be judged.

    `setup printed`: who is not named in it stands where the rulebook prints.
    """

    printed: Annotated[bool, k.YES, After("printed")] = False


@statement()
class Placement(Positioned):
    """`g7 0609 reduced`, in a position or a set-up; `reduced 2`: two steps lost."""

    unit: Unit
    hex: HexId
    reduced: Annotated[int, k.STEPS_LOST, After("reduced")] = 0


@statement("marker")
class MarkerPlacement(Positioned):
    """`marker bridge 4817/4917`: a marker on a hexside, or in a hex; exactly one of the two is given."""

    kind: Annotated[str, k.MARKER]
    side: Annotated[tuple[str, str] | None, k.SPOT]
    hex: str | None = None


@statement("air")
class AirPoints(Positioned):
    """`air american 5`: air points that a side still has this turn."""

    side: SideId
    points: Count


@statement("scored")
class Scored(Positioned):
    """`scored american 6`: points for turns that are over, in games that count them turn by turn."""

    side: SideId
    points: Count


@statement("forecast")
class WeatherNow(Positioned):
    """`forecast mud`: the weather that is in force, where dice decide about it."""

    weather: Annotated[str, k.LOWER]


@statement("cleared")
class ClearedTrail(Positioned):
    """`cleared 1108`: a trail hex that is already clear."""

    hex: HexId


@statement("control")
class Control(Positioned):
    """`control german 1314`: who last held a place."""

    side: Annotated[str, k.HELD]
    hex: str


@statement("status")
class UnitStatus(Positioned):
    """`status a1 in-transit`, `status a1 arrived 17 from west`: what a position cannot show."""

    unit: Unit
    flag: Annotated[str, k.FLAG]
    turn: int | None = None
    edge: Annotated[Edge | None, After("from")] = None


@statement("due")
class Due(Positioned):
    """`due g9 23 north`: turn and perhaps edge of a reinforcement of the sheet's own."""

    unit: Unit
    turn: Turn
    edge: Edge | None = None


@statement("lost")
class LostUnit(Positioned):
    """`lost german infantry 1-2-5`: a unit destroyed before the sheet begins."""

    side: SideId
    type: TypeId
    attack: Annotated[int, k.FACTORS]
    defence: int
    move: int


@statement("left")
class LeftMap(Positioned):
    """`left german lehr west 22`: a unit of a formation that left by an edge in an earlier turn."""

    side: SideId
    formation: Annotated[str, k.FORMATION]
    edge: Edge
    turn: Turn


@statement("gone")
class Gone(Positioned):
    """`gone g7 exited turn 12 to west by 0101`: a unit that is on the map no longer, and what became of it."""

    unit: Unit
    fate: Annotated[str, k.FATE]
    turn: Annotated[Turn | None, After("turn")] = None
    edge: Annotated[Edge | None, After("to")] = None
    hex: Annotated[str, k.ONE_HEX, After("by")] = ""
    reduced: Annotated[int, k.STEPS_LOST, After("reduced")] = 0


@statement("revealed")
class Revealed(Positioned):
    """`revealed m1 4-3`: the strength that an untried unit turned out to have, `reduced 2-1` on its back."""

    unit: Unit
    attack: Annotated[int, k.FIGURES]
    defence: int
    reduced_attack: Annotated[int | None, k.REDUCED, After("reduced")] = None
    reduced_defence: int | None = None


@statement("used")
class Used(Positioned):
    """`used offboard 20`: what has been used up in this turn: points, tries at clearing, the air die."""

    stock: Annotated[str, k.STOCK]
    count: Count


@statement("held")
class Held(Positioned):
    """`held american 0705 0706`: the places that a side had when this turn began."""

    side: SideId
    hexes: HexIds


@statement("stood")
class Stood(Positioned):
    """`stood american 0705 0706`: where a side's units stood when the game began."""

    side: SideId
    hexes: HexIds


# -------------------------------------------------------------------------------------------- sequence


@statement("turn")
class TurnStart(Opening):
    """`turn 2 american movement`: opens a phase."""

    number: Count
    side: Annotated[str, k.PHASE]
    phase: str

    @property
    def key(self) -> tuple[object, ...]:
        """Turn, side and kind of phase."""
        return self.number, self.side, self.phase

    @property
    def moment(self) -> tuple[int, ...]:
        """The turn."""
        return (self.number,)


# -------------------------------------------------------------------------------------- movement phase


@statement("move")
class Move(Play):
    """`move a1 a2: 0705 0704 0604`: a stack that moves together."""

    units: Units
    path: Annotated[Path, After(":")]


@statement("enter")
class Enter(Play):
    """`enter a9: 0101 0201 from west by road`: a reinforcement. `edge` is None where the sheet names none."""

    units: Units
    path: Annotated[Path, After(":")]
    edge: Annotated[Edge | None, After("from")] = None
    by: Annotated[WayKind | None, After("by")] = None


@statement("exit")
class Exit(Play):
    """`exit a9: 0201 0101 to west`: leaves the map from the last hex of the path."""

    units: Units
    path: Annotated[Path, After(":")]
    edge: Annotated[Edge | None, After("to")] = None
    by: Annotated[WayKind | None, After("by")] = None


@statement("rail")
class RailMove(Play):
    """`rail g3: 2205 - 1714`."""

    units: Units
    path: Annotated[Path, After(":")]


@statement("recover")
class Recover(Play):
    """`recover a4`: reduced units turned back."""

    units: Units


@statement("build bridge")
class BuildBridge(Play):
    """`build bridge 0304/0305 by a5`. `unit` is "" where the sheet names none."""

    side: HexPair
    unit: Annotated[Unit, After("by")] = ""


@statement("clear")
class ClearTrail(Play):
    """`clear 0809 by a5 roll 4`. `unit` is "" and `roll` None where the sheet gives none."""

    hex: HexId
    unit: Annotated[Unit, After("by")] = ""
    roll: Annotated[int | None, k.DIE, After("roll")] = None


@statement("airroll")
class AirRoll(Play):
    """`airroll 6`: the die for the turn's air points."""

    roll: Annotated[int, k.DIE]


@statement("weather")
class WeatherRoll(Play):
    """`weather 4`: the dice for the turn's weather."""

    faces: Annotated[tuple[int, ...], k.DICE]


@statement("rally")
class Rally(Play):
    """`rally a1 a2 roll 5`: units get rid of a mark, with the dice thrown for it where the game asks for some."""

    units: Units
    faces: Annotated[tuple[int, ...], k.DICE, After("roll")] = ()


@statement("attrition")
class Attrition(Play):
    """`attrition a1 a2 roll 4`: units lose steps for what they bear, by one throw where dice say how many."""

    units: Units
    faces: Annotated[tuple[int, ...], k.DICE, After("roll")] = ()


# ------------------------------------------------------------------------------------------- any phase


@statement("found")
class Found(Play):
    """`found a1 0609 reduced`, `found a1 lost`, `found a1` (off the map): where no rule brought a counter.

    `unclear`: something was thrown or said that may account for it; `between`: it was so when a log began.
    """

    unit: Unit
    hex: HexId = ""
    reduced: Annotated[int, k.STEPS_LOST, After("reduced")] = 0
    lost: Annotated[bool, k.YES, After("lost")] = False
    unclear: Annotated[bool, k.YES, After("unclear")] = False
    between: Annotated[bool, k.YES, After("between")] = False


# ---------------------------------------------------------------------------------------- combat phase


@grouped
class Engagement(Play):
    """A combat, bombardment or air strike with what follows it, in the order written."""

    targets: HexIds
    acts: tuple[Act, ...] = ()


@statement("combat")
class Combat(Engagement):
    """`combat 0609`: one or more defending hexes."""


@statement("overrun")
class Overrun(Engagement):
    """`overrun 0506`: an attack in the course of a move, which may go on after it."""


@statement("bombard")
class Bombard(Engagement):
    """`bombard 0609 by a7 a8 offboard 30`: artillery alone."""

    units: Annotated[tuple[str, ...], k.GUNS, After("by")] = ()
    offboard: int = 0


@statement("airstrike")
class AirStrike(Engagement):
    """`airstrike 0609 points 6`: air alone. `points` is None where the sheet gives none."""

    points: Annotated[Count | None, After("points")] = None


@statement("attack")
class Attack(Act):
    """`attack a1 a2`: units that attack from adjacent hexes."""

    units: Units


@statement("support")
class Support(Act):
    """`support a7 a8`, `support offboard 20`: the attacker's artillery; `offboard` are points beyond the map."""

    units: Annotated[tuple[str, ...], k.GUNS]
    offboard: int = 0


@statement("guard air")
class GuardAir(Act):
    """`guard air 3`: the defender's air points."""

    points: Count


@statement("guard")
class Guard(Act):
    """`guard g7`, `guard offboard 20`: artillery that supports the defence."""

    units: Annotated[tuple[str, ...], k.GUNS]
    offboard: int = 0


@statement("air")
class AirSupport(Act):
    """`air 3`: the attacker's air points."""

    points: Annotated[int, k.COUNT, After("points", may_lack=True)]


@statement("announce")
class Announce(Act):
    """`announce attacker 11`: a total in the order in which it was spoken."""

    role: Annotated[RoleName, k.ROLE]
    total: Count


@statement("declare")
class Declare(Act):
    """`declare 11:4 odds 2-1 column 1-1`, `declare value 18 column 13-24`; parts not given are None."""

    attack: Annotated[int | None, k.TOTALS] = None
    defence: int | None = None
    value: Annotated[Count | None, After("value")] = None
    odds: Annotated[str | None, k.COLUMN, After("odds", together=True)] = None
    column: Annotated[str | None, k.COLUMN, After("column", together=True)] = None


@statement("roll")
class Roll(Act):
    """`roll 3 4`: the faces, one by one (not checked against the six faces of a die)."""

    faces: Annotated[tuple[int, ...], k.DICE]


@statement("result")
class Result(Act):
    """`result DRB AVB`: the codes in upper case."""

    codes: Annotated[tuple[str, ...], k.CODES]


@statement("use")
class Use(Act):
    """`use barrage`: a modifier that a side declares."""

    name: Annotated[str, k.LOWER]


@statement("reveal")
class Reveal(Act):
    """`reveal m1 4-3`: the strength of an untried unit that fights for the first time."""

    unit: Unit
    attack: Annotated[int, k.FIGURES]
    defence: int
    reduced_attack: Annotated[int | None, k.REDUCED, After("reduced")] = None
    reduced_defence: int | None = None


@statement("lossroll")
class LossRoll(Act):
    """`lossroll defender 4`: the dice that say what a side loses."""

    role: Annotated[RoleName, k.ROLE]
    faces: Annotated[tuple[int, ...], k.DICE]


@statement("lose")
class Lose(Act):
    """`lose g1`: each unit loses a step; `by attacker`: who picked them."""

    units: Units
    by: Annotated[RoleName | None, k.ROLE, After("by")] = None


@statement("eliminate")
class Eliminate(Act):
    """`eliminate g2`, `eliminate g2 by attacker`."""

    units: Units
    by: Annotated[RoleName | None, k.ROLE, After("by")] = None


@statement("retreat")
class Retreat(Act):
    """`retreat g1: 0609 0509`; with `edge` it leaves the map from the last hex; `by`: who led it."""

    units: Units
    path: Annotated[Path, After(":")]
    edge: Annotated[Edge | None, After("to")] = None
    by: Annotated[RoleName | None, k.ROLE, After("by")] = None


@statement("advance")
class Advance(Act):
    """`advance a1: 0609` or, with the hex it comes from, `advance a1: 0608 0609`."""

    units: Units
    path: Annotated[Path, After(":")]


# ------------------------------------------------------------------------------------------------- end


@statement("score")
class Score(Statement):
    """`score american 120 german 90`: pairs of side and points."""

    points: Annotated[tuple[tuple[str, int], ...], k.SCORES]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything a file holds. `lines` are its physical lines, `lines[0]` being line 1.

    `intake` says what became of the lines of a mail or text that was not typed as a sheet alone; `language` is that
    which most lines begin in.
    """

    statements: tuple[Statement, ...]
    problems: tuple[SyntaxProblem, ...] = ()
    lines: tuple[str, ...] = ()
    source: str = ""
    intake: Intake = NOTHING
    language: Language = SOURCE
