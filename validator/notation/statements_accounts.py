"""The statements of games of which only some rules are known (`ledger.yaml`): accounts, and facts that are stated.

Each has a first word of its own here, for the sheets of such a game use some words of `statements` otherwise: `go`
is written `move`. They are declared once the words of such a game are asked for (`wordbooks.vocabulary_of`).
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from . import kinds
from .base import After, Given, Header, Opening, Play, Positioned, Statement, statement
from .statements import Count, HexId, SideId, Unit, Units
from .statements_head import Naming

Way: TypeAlias = Annotated[tuple[str, ...], kinds.WAY_ON]
Thing: TypeAlias = Annotated[str, kinds.THING]
Amount: TypeAlias = Annotated[int, kinds.AMOUNT]


@statement("piece")
class Piece(Naming):
    """`unit hq-352 german infantry-hq division 352 steps 2`: who a counter of the game is.

    `steps` is how many it has left, None where that is not told.
    """

    side: SideId
    kind: Annotated[str, kinds.PIECE]
    division: Annotated[str, kinds.LOWER, After("division")] = ""
    corps: Annotated[str, kinds.LOWER, After("corps")] = ""
    steps: Annotated[Count | None, After("steps")] = None


@statement("count")
class MarkerCount(Header):
    """`count truck 4`: how many markers of a kind the box holds."""

    kind: Annotated[str, kinds.PIECE]
    count: Count


@statement("level")
class TrackLevel(Positioned):
    """`level 6 captured`: where the marker of the port's track stands before the first turn."""

    level: Count
    captured: Annotated[bool, kinds.YES, After("captured")] = False


@statement("stock")
class Stock(Given):
    """`stock points 10`: what an account holds, before the first turn or by rules that are not known."""

    account: Annotated[str, kinds.SOURCE_OF]
    amount: Count


# ---------------------------------------------------------------------------------------- accounts: play


@statement("fact")
class Fact(Statement):
    """`fact distance kg-1 6`: what the rest of the game says; `value` is a number or one of `answers`."""

    name: Annotated[str, kinds.STATED]
    of: tuple[str, ...]
    value: str


@statement("day")
class DayStart(Opening):
    """`turn 28 jun night engineering`, `turn 6 jun am invasion 2`: opens a phase of a part of a day.

    `number` tells phases of a kind apart, 0 where there is but one; `side` is "" where the line names none.
    """

    day: Annotated[int, kinds.DAY]
    month: int
    part: str
    phase: str
    number: int
    side: str

    @property
    def key(self) -> tuple[object, ...]:
        """All that the line says."""
        return self.month, self.day, self.part, self.phase, self.number, self.side

    @property
    def moment(self) -> tuple[int, ...]:
        """The day."""
        return self.month, self.day


@statement("truck")
class Truck(Given):
    """`truck truck-1 at B1410`: a carrier is received; `hex` is "" where the line names none."""

    unit: Unit
    hex: Annotated[HexId, After("at")] = ""


@statement("go")
class Go(Play):
    """`move truck-1: B1410 B1411`: from the hex it stands in, along these."""

    units: Units
    path: Annotated[Way, After(":")]


@statement("attach")
class Attach(Statement):
    """`attach truck-1 to hq-352`: a carrier goes under a headquarters. Before the first turn it lies there."""

    unit: Unit
    to: Annotated[Unit, After("to", may_lack=True)]


@statement("bonus")
class Bonus(Play):
    """`bonus hq-352 2`: the movement that a headquarters' units add; None asks what it is."""

    unit: Unit
    points: Amount | None = None


@statement("supply")
class Supply(Play):
    """`supply inf-1 inf-2 from kg-1`: units are supplied by a headquarters, a hex or an edge."""

    units: Units
    source: Annotated[str, kinds.FROM, After("from")]


@statement("replace")
class Replace(Play):
    """`replace inf-1 1 from record by kg-1`: steps, one if none are told, come back from an account."""

    unit: Unit
    steps: Amount | None = None
    account: Annotated[str, kinds.SOURCE_OF, After("from")] = ""
    by: Annotated[Unit, After("by")] = ""


@statement("rebuild")
class Rebuild(Play):
    """`rebuild inf-1 by kg-1`: a unit that was eliminated comes back, by a headquarters."""

    unit: Unit
    by: Annotated[Unit, After("by")] = ""


@statement("record")
class Record(Play):
    """`record 3`: replacement points are entered on the record."""

    points: Count


@statement("alert")
class Alert(Given):
    """`alert inf-1`: units that waited are free to move."""

    units: Units


@statement("place")
class Place(Statement):
    """`place kg-1 B1412`, `place pdh-guns B1305 face-down`: a marker is put into a hex."""

    unit: Unit
    hex: HexId
    hidden: Annotated[bool, kinds.YES, After("face-down")] = False
    shown: Annotated[bool, kinds.YES, After("face-up")] = False


@statement("demolish")
class Demolish(Play):
    """`demolish`, `demolish 8`, `demolish stop`: it begins, or goes on to a level, or is called off."""

    level: Annotated[Amount | None, After("to", may_lack=True)] = None
    stop: Annotated[bool, kinds.YES, After("stop")] = False


@statement("capture")
class Capture(Given):
    """`capture`: the city is taken."""


@statement("repair")
class Repair(Play):
    """`repair 1 for 5`: the port is repaired by so many spaces, one if none are told, for so many points."""

    spaces: Annotated[Amount | None, After("to", may_lack=True)] = None
    points: Annotated[Count | None, After("for")] = None


@statement("forced")
class Forced(Play):
    """`retreat battery-1`: a unit has to retreat; `path` is empty where the line gives no way."""

    unit: Unit
    path: Way = ()


@statement("fire")
class Fire(Play):
    """`fire battery-1 at B1410 value 1`: `target` is a hex, a unit, or "" where the line names none."""

    unit: Unit
    hex: Annotated[HexId, After("from")] = ""
    target: Annotated[Thing, After("at")] = ""
    value: Annotated[Count | None, After("value")] = None


@statement("choose")
class Choose(Statement):
    """`choose guns B1406`, `choose rangers-2 omaha`, `choose rangers-5 held`: what a player decided."""

    unit: Unit
    choice: Thing


@statement("land")
class Land(Given):
    """`land rangers-2 at omaha`."""

    unit: Unit
    place: Annotated[Thing, After("at")]


@statement("throw")
class Throw(Given):
    """`roll rangers-5 4`: a die for a unit."""

    unit: Unit
    face: Annotated[int, kinds.DIE]


@statement("isolate")
class Isolate(Play):
    """`isolate ost-1 1`: steps that isolation costs a unit; None asks what they are."""

    unit: Unit
    steps: Amount | None = None


@statement("suffer")
class Suffer(Play):
    """`lose ost-1 1 leaving ost-company-1`: steps lost, one if none are told; a company is left behind."""

    unit: Unit
    steps: Amount | None = None
    company: Annotated[Unit, After("leaving")] = ""


@statement("break")
class Break(Play):
    """`break ost-1 into ost-company-1`: a battalion is broken down to a company."""

    unit: Unit
    company: Annotated[Unit, After("into")] = ""


@statement("destroy")
class Destroy(Given):
    """`eliminate hq-352`."""

    units: Units


@statement("points")
class Points(Statement):
    """`score allied -4 german 0`: the victory points of sides by these rules."""

    totals: Annotated[tuple[tuple[str, int], ...], kinds.POINTS]
