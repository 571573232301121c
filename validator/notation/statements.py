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

Statements about dice and states outside combat: air, weather, the first move, rallies, marks, attrition.

Where units go after a combat, also those that a sheet names by their part in it and not by their ids.

The types of what statements are made of, each with the kind of word by which it is read and written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from ...scenarios.text.words import SOURCE, Language
from . import kinds
from .base import Act, After, Opening, Play, Statement, grouped, statement
from .cursor import SyntaxProblem
from .records import NOTHING, Intake

HexId: TypeAlias = Annotated[str, kinds.ONE_HEX]
HexIds: TypeAlias = Annotated[tuple[str, ...], kinds.HEXES]
HexPair: TypeAlias = Annotated[tuple[str, str], kinds.HEXSIDE]
HexPairs: TypeAlias = Annotated[tuple[tuple[str, str], ...], kinds.HEXSIDES]
Path: TypeAlias = Annotated[tuple[str, ...], kinds.PATH]
Unit: TypeAlias = Annotated[str, kinds.ONE_UNIT]
Units: TypeAlias = Annotated[tuple[str, ...], kinds.UNITS]
Count: TypeAlias = Annotated[int, kinds.COUNT]
Turn: TypeAlias = Annotated[int, kinds.TURN]
SideId: TypeAlias = Annotated[str, kinds.SIDE]
TypeId: TypeAlias = Annotated[str, kinds.TYPE]
Terrains: TypeAlias = Annotated[tuple[str, ...], kinds.TERRAINS]
WayKind: TypeAlias = Annotated[str, kinds.WAY]
EdgeName = Literal["north", "south", "east", "west"]
Edge: TypeAlias = Annotated[EdgeName, kinds.EDGE]
RoleName = Literal["attacker", "defender"]


# -------------------------------------------------------------------------------------------- sequence


@statement("airroll")
class AirRoll(Play):
    """`airroll 6`: the die for the turn's air points."""

    roll: Annotated[int, kinds.THROWN]


@statement("weather")
class WeatherRoll(Play):
    """`weather 4`: the dice for the turn's weather."""

    faces: Annotated[tuple[int, ...], kinds.DICE]


@statement("initiative")
class OrderRoll(Play):
    """`initiative 4`: the dice that say which side goes first in the turn."""

    faces: Annotated[tuple[int, ...], kinds.DICE]


@statement("rally")
class Rally(Play):
    """`rally a1 a2 roll 5`: units get rid of a mark, with the dice thrown for it where the game asks for some.

    `rally a1 as disrupted roll 5` says of which, where a unit could be rid of several.
    """

    units: Units
    mark: Annotated[str, kinds.MARK, After("as")] = ""
    faces: Annotated[tuple[int, ...], kinds.DICE, After("roll")] = ()


@statement("mark")
class Mark(Play):
    """`mark a1 a2 as dug-in`: units take a mark of their own will."""

    units: Units
    mark: Annotated[str, kinds.MARK, After("as")]


@statement("attrition")
class Attrition(Play):
    """`attrition a1 a2 roll 4`: units lose steps for what they bear, by one throw where dice say how many."""

    units: Units
    faces: Annotated[tuple[int, ...], kinds.DICE, After("roll")] = ()


@statement("arrivals")
class ArrivalRoll(Play):
    """`arrivals a1 roll 4`: the dice that say how many of the units that are due beside `a1` come in the turn."""

    units: Units
    faces: Annotated[tuple[int, ...], kinds.DICE, After("roll")]


Subject = Literal["attacker", "defender", "both", "all"]


@statement("retreat", idle="manner besides.hexes besides.step motions")
class RetreatOf(Act):
    """`retreat defender: 1107`: all of a side; `both-units` and `all-units` are of the one that has to go."""

    who: Annotated[Subject, kinds.SUBJECT]
    path: Annotated[Path, After(":")]


@statement("advance", idle="manner motions besides.hexes")
class Advance(Act):
    """`advance a1: 0609` or, with the hex it comes from, `advance a1: 0608 0609`."""

    units: Units
    path: Annotated[Path, After(":")]


@statement("turn")
class TurnStart(Opening):
    """`turn 2 american movement`: opens a phase.

    `turn 2 american pursuit`: one that the game gives an id, which `name` then is; `phase` is its kind.
    """

    number: Count
    side: Annotated[str, kinds.PHASE]
    phase: str
    name: str = ""

    @classmethod
    def called(cls, line: int, number: int, side: str, word: str, kinds: Mapping[str, str]) -> TurnStart:
        """The opening of a phase by its kind or its id; `kinds` says of which kind those with an id are."""
        return cls(line, number, side, kinds.get(word, word), word if word in kinds else "")

    @property
    def key(self) -> tuple[object, ...]:
        """Turn, side, kind and id of the phase."""
        return self.number, self.side, self.phase, self.name

    @property
    def moment(self) -> tuple[int, ...]:
        """The turn."""
        return (self.number,)


# -------------------------------------------------------------------------------------- movement phase


@statement("move", idle="manner ways motions besides.mp besides.cost besides.hexes")
class Move(Play):
    """`move a1 a2: 0705 0704 0604`: a stack that moves together."""

    units: Units
    path: Annotated[Path, After(":")]


@statement("enter", idle="manner motions besides.mp besides.cost besides.hexes")
class Enter(Play):
    """`enter a9: 0101 0201 from west by road`: a reinforcement. `edge` is None where the sheet names none."""

    units: Units
    path: Annotated[Path, After(":")]
    edge: Annotated[Edge | None, After("from")] = None
    by: Annotated[WayKind | None, After("by")] = None


@statement("exit", idle="besides.mp besides.cost besides.hexes")
class Exit(Play):
    """`exit a9: 0201 0101 to west`: leaves the map from the last hex of the path."""

    units: Units
    path: Annotated[Path, After(":")]
    edge: Annotated[Edge | None, After("to")] = None
    by: Annotated[WayKind | None, After("by")] = None


@statement("rail", idle="ways besides.mp")
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
    roll: Annotated[int | None, kinds.THROWN, After("roll")] = None


# ------------------------------------------------------------------------------------------- any phase


@statement("found")
class Found(Play):
    """`found a1 0609 reduced`, `found a1 lost`, `found a1` (off the map): where no rule brought a counter.

    `unclear`: something was thrown or said that may account for it; `between`: it was so when a log began.
    """

    unit: Unit
    hex: HexId = ""
    reduced: Annotated[int, kinds.STEPS_LOST, After("reduced")] = 0
    lost: Annotated[bool, kinds.YES, After("lost")] = False
    unclear: Annotated[bool, kinds.YES, After("unclear")] = False
    between: Annotated[bool, kinds.YES, After("between")] = False


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

    units: Annotated[tuple[str, ...], kinds.GUNS, After("by")] = ()
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

    units: Annotated[tuple[str, ...], kinds.GUNS]
    offboard: int = 0


@statement("guard air")
class GuardAir(Act):
    """`guard air 3`: the defender's air points."""

    points: Count


@statement("guard")
class Guard(Act):
    """`guard g7`, `guard offboard 20`: artillery that supports the defence."""

    units: Annotated[tuple[str, ...], kinds.GUNS]
    offboard: int = 0


@statement("air")
class AirSupport(Act):
    """`air 3`: the attacker's air points."""

    points: Annotated[int, kinds.COUNT, After("points", may_lack=True)]


@statement("announce")
class Announce(Act):
    """`announce attacker 11`: a total in the order in which it was spoken."""

    role: Annotated[RoleName, kinds.ROLE]
    total: Count


@statement("declare")
class Declare(Act):
    """`declare 11:4 odds 2-1 column 1-1`, `declare value 18 column 13-24`; parts not given are None.

    `either` are odds or a column, whichever they are by what the units give: nobody says.
    """

    attack: Annotated[int | None, kinds.TOTALS] = None
    defence: int | None = None
    value: Annotated[Count | None, After("value")] = None
    odds: Annotated[str | None, kinds.COLUMN, After("odds", together=True)] = None
    column: Annotated[str | None, kinds.COLUMN, After("column", together=True)] = None
    either: Annotated[str | None, kinds.COLUMN, After("odds-or-column")] = None


@statement("roll")
class Roll(Act):
    """`roll 3 4`: the faces, one by one (not checked against the six faces of a die)."""

    faces: Annotated[tuple[int, ...], kinds.DICE]


@statement("result")
class Result(Act):
    """`result DRB AVB`: the codes in upper case."""

    codes: Annotated[tuple[str, ...], kinds.CODES]


@statement("use")
class Use(Act):
    """`use barrage`: a modifier that a side declares."""

    name: Annotated[str, kinds.LOWER]


@statement("share")
class Share(Act):
    """`share c1 3`: so much of its strength a unit gives to this combat, the rest to others."""

    unit: Unit
    points: Count


@statement("reveal")
class Reveal(Act):
    """`reveal m1 4-3`: the strength of an untried unit that fights for the first time."""

    unit: Unit
    attack: Annotated[int, kinds.FIGURES]
    defence: int
    reduced_attack: Annotated[int | None, kinds.REDUCED, After("reduced")] = None
    reduced_defence: int | None = None


@statement("lossroll")
class LossRoll(Act):
    """`lossroll defender 4`: the dice that say what a side loses."""

    role: Annotated[RoleName, kinds.ROLE]
    faces: Annotated[tuple[int, ...], kinds.DICE]


@statement("morale")
class MoraleRoll(Act):
    """`morale d1 d2 roll 4`: the dice by which units are tested."""

    units: Units
    faces: Annotated[tuple[int, ...], kinds.DICE, After("roll")]


@statement("lose", idle="roles besides.step words.from words.points")
class Lose(Act):
    """`lose g1`: each unit loses a step; `by attacker`: who picked them."""

    units: Units
    by: Annotated[RoleName | None, kinds.ROLE, After("by")] = None


@statement("eliminate", idle="roles besides.step words.from")
class Eliminate(Act):
    """`eliminate g2`, `eliminate g2 by attacker`."""

    units: Units
    by: Annotated[RoleName | None, kinds.ROLE, After("by")] = None


@statement("retreat", idle="manner besides.hexes besides.step motions")
class Retreat(Act):
    """`retreat g1: 0609 0509`; with `edge` it leaves the map from the last hex; `by`: who led it."""

    units: Units
    path: Annotated[Path, After(":")]
    edge: Annotated[Edge | None, After("to")] = None
    by: Annotated[RoleName | None, kinds.ROLE, After("by")] = None


# ---------------------------------------------------------------------------------------- sealed throws


@statement("seal")
class Seal(Statement):
    """`seal ana 9f2c… 500`: the end of a chain of hashes, by which its owner will open throws, and its length.

    Without a length it is a word that nobody could foresee, and nothing else.
    """

    player: Annotated[str, kinds.LOWER]
    anchor: Annotated[str, kinds.DIGITS]
    length: Annotated[Count | None, kinds.COUNT] = None


@statement("open")
class Open(Act):
    """`open bruno 17 41ab… 8c3d…`: a link of the chain, from which follow the throws that were asked for above.

    It stands within a combat or by itself. `check` says for which text the link was given.
    """

    player: Annotated[str, kinds.LOWER]
    number: Annotated[int, kinds.COUNT]
    link: Annotated[str, kinds.DIGITS]
    check: Annotated[str, kinds.DIGITS]


# ------------------------------------------------------------------------------------------------- end


@statement("score")
class Score(Statement):
    """`score american 120 german 90`: pairs of side and points."""

    points: Annotated[tuple[tuple[str, int], ...], kinds.SCORES]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything a file holds. `lines` are its physical lines, `lines[0]` being line 1.

    `intake` says what became of the lines of a mail or text that was not typed as a sheet alone; `language` is that
    which most lines begin in; `heads` are the lines that name the columns of tables, or say that nothing is done;
    `logs` are those that it was transcribed from, each as findings call it and where it lies.
    """

    statements: tuple[Statement, ...]
    problems: tuple[SyntaxProblem, ...] = ()
    lines: tuple[str, ...] = ()
    source: str = ""
    intake: Intake = NOTHING
    language: Language = SOURCE
    heads: frozenset[int] = frozenset()
    # Where its lines come from is no part of what a sheet says.
    logs: tuple[tuple[str, str], ...] = field(default=(), compare=False)
