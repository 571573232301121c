"""The statements above the first turn of a sheet, as values: header, edits of the map, units, rulings, position."""

from __future__ import annotations

from typing import Annotated

from . import kinds
from .base import After, Header, Positioned, Ruling, grouped, statement
from .statements import Count, Edge, HexId, HexIds, HexPairs, SideId, Terrains, Turn, TypeId, Unit

# ---------------------------------------------------------------------------------------------- header


@statement("sheet")
class SheetVersion(Header):
    """`sheet 1`: version of the notation."""

    version: Annotated[int, kinds.VERSION]


@statement("game")
class GameName(Header):
    """`game hurtgen`."""

    name: Annotated[str, kinds.GAME]


@statement("players")
class Players(Header):
    """`players american="Ana" german="Bruno"`: pairs of side and name."""

    names: Annotated[tuple[tuple[str, str], ...], kinds.PLAYERS]


@statement("option")
class OptionSetting(Header):
    """`option inverse_rounding=ceil`."""

    name: Annotated[str, kinds.OPTION]
    value: Annotated[str, kinds.VALUE, After("=")]


@statement("continues")
class Continues(Header):
    """`continues turn-2.sheet hash 0123abcd`: the files that this sheet goes on from, and what they then held."""

    files: Annotated[tuple[str, ...], kinds.FILES]
    hash: Annotated[str, kinds.HASH, After("hash")] = ""


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
    columns: Annotated[int, kinds.SIZE]
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

    hexes: Annotated[tuple[str, ...], kinds.HEXES_OF_PLACE]
    name: Annotated[str, kinds.PLACE]


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

    name: Annotated[str, kinds.AREA]
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
    attack: Annotated[int, kinds.FACTORS]
    defence: int
    move: int
    range: Annotated[Count | None, After("range")] = None
    regiment: Annotated[str, kinds.LOWER, After("regiment")] = ""
    division: Annotated[str, kinds.LOWER, After("division")] = ""
    corps: Annotated[str, kinds.LOWER, After("corps")] = ""
    formation: Annotated[str, kinds.LOWER, After("formation")] = ""
    size: Annotated[str, kinds.UPPER, After("size")] = ""
    reduced_attack: Annotated[int | None, kinds.REDUCED, After("reduced")] = None
    reduced_defence: int | None = None
    further: Annotated[tuple[tuple[int, int], ...], kinds.FURTHER] = ()
    morale: Annotated[tuple[int, ...], kinds.LEVELS, After("morale")] = ()


# --------------------------------------------------------------------------------------------- rulings


@statement("accept")
class Accept(Ruling):
    """`accept 14 because …`: the findings of lines are waived, or those of one rule: `accept 14 B 5.1 because …`.

    `lines` are numbers of this sheet's own lines, none for the statement above. `rule` is a section with or without
    its game's letter, or a code; "" for all. `by` is who rules so, "" where the line does not say.
    """

    lines: Annotated[tuple[int, ...], kinds.ACCEPTED]
    rule: str
    by: Annotated[str, kinds.RULED]
    reason: str


@statement("put")
class Put(Ruling):
    """`put us-109-1 0705 reduced because …`: units are placed, turned or taken off by ruling.

    `hex` is "" where they stay in theirs or leave the map; `fate` is one of the notation's `fates`, or "".
    """

    units: Annotated[tuple[str, ...], kinds.PUT]
    hex: str
    fate: str
    by: Annotated[str, kinds.RULED]
    reason: str


@statement("control")
class RuledControl(Ruling):
    """`control 1314 german because …`: a place is held by a side, by ruling."""

    side: Annotated[str, kinds.HOLDING]
    hex: str
    by: Annotated[str, kinds.RULED]
    reason: str


# -------------------------------------------------------------------------------------------- position


@statement("position")
class PositionStart(Header):
    """`position`: the position before the first turn follows; nothing else is on the map.

    `position after turn 2 american movement`: as it was when that phase ended, so that the next follows upon it.
    `position after turn 2 american movement 2`: when the second of the side's movement phases in that turn did.
    `position printed`: the rulebook's set-up stands, but for what follows.
    """

    printed: Annotated[bool, kinds.YES, After("printed")] = False
    after: Annotated[tuple[int, str, str, int] | None, kinds.ENDED, After("after")] = None


@statement("setup")
class SetupStart(Header):
    """`setup`: a set-up as the players made it follows, to be judged.

    `setup printed`: who is not named in it stands where the rulebook prints.
    """

    printed: Annotated[bool, kinds.YES, After("printed")] = False


@statement()
class Placement(Positioned):
    """`g7 0609 reduced`, in a position or a set-up; `reduced 2`: two steps lost."""

    unit: Unit
    hex: HexId
    reduced: Annotated[int, kinds.STEPS_LOST, After("reduced")] = 0


@statement("marker")
class MarkerPlacement(Positioned):
    """`marker bridge 4817/4917`: a marker on a hexside, or in a hex; exactly one of the two is given."""

    kind: Annotated[str, kinds.MARKER]
    side: Annotated[tuple[str, str] | None, kinds.SPOT]
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


@statement("saved")
class Saved(Positioned):
    """`saved american 3`: points of replacement kept from turns that are over.

    A side with several stocks of them says each in a line, in the order of the game's rules.
    """

    side: SideId
    points: Count


@statement("forecast")
class WeatherNow(Positioned):
    """`forecast mud`: the weather in force where dice decide about it, `forecast snow north` that of an area."""

    weather: Annotated[str, kinds.WEATHER]
    area: Annotated[str, kinds.AREA] = ""


@statement("leading")
class Leading(Positioned):
    """`leading american`: the side that goes first in the turn at hand, where dice decide about it."""

    side: SideId


@statement("cleared")
class ClearedTrail(Positioned):
    """`cleared 1108`: a trail hex that is already clear."""

    hex: HexId


@statement("control")
class Control(Positioned):
    """`control german 1314`: who last held a place."""

    side: Annotated[str, kinds.HELD]
    hex: str


@statement("status")
class UnitStatus(Positioned):
    """`status a1 in-transit`, `status a1 arrived 17 from west`: what a position cannot show."""

    unit: Unit
    flag: Annotated[str, kinds.FLAG]
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
    attack: Annotated[int, kinds.FACTORS]
    defence: int
    move: int


@statement("left")
class LeftMap(Positioned):
    """`left german lehr west 22`: a unit of a formation that left by an edge in an earlier turn."""

    side: SideId
    formation: Annotated[str, kinds.FORMATION]
    edge: Edge
    turn: Turn


@statement("gone")
class Gone(Positioned):
    """`gone g7 exited turn 12 to west by 0101`: a unit that is on the map no longer, and what became of it."""

    unit: Unit
    fate: Annotated[str, kinds.FATE]
    turn: Annotated[Turn | None, After("turn")] = None
    edge: Annotated[Edge | None, After("to")] = None
    hex: Annotated[str, kinds.ONE_HEX, After("by")] = ""
    reduced: Annotated[int, kinds.STEPS_LOST, After("reduced")] = 0


@statement("revealed")
class Revealed(Positioned):
    """`revealed m1 4-3`: the strength that an untried unit turned out to have, `reduced 2-1` on its back."""

    unit: Unit
    attack: Annotated[int, kinds.FIGURES]
    defence: int
    reduced_attack: Annotated[int | None, kinds.REDUCED, After("reduced")] = None
    reduced_defence: int | None = None


@statement("used")
class Used(Positioned):
    """`used offboard 20`: what has been used up in this turn: points, tries at clearing, the air die, marches.

    `used march 3 by 2`: of a stock of which the game has several, the second.
    """

    stock: Annotated[str, kinds.STOCK]
    count: Count
    by: Annotated[Count | None, After("by")] = None


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
