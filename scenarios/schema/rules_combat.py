"""What the rules of combat count with (the `rules.combat` section of game.yaml).

Where a list of unit types is asked for, a class of game.yaml (`armoured`, `guns`) may stand for its types.
"""

from __future__ import annotations

from typing import Annotated, Literal

from ..text.words import BadValueError, message
from .base import (
    AreaRef,
    BarrierRefs,
    DivisionRefs,
    EdgeName,
    EdgeRefs,
    HexRefs,
    HexsideRef,
    HexsideRefs,
    Identifier,
    MarkRef,
    MarkRefs,
    RegimentRefs,
    ResultRefs,
    Section,
    SideRef,
    TerrainRefs,
    TurnSpan,
    TypeRefs,
    WayRefs,
)
from .declared import Field, Model, idle
from .modifiers import Group, Modifier


class Sections(Model):
    """Where the rulebook prints each rule of combat, for citations; "" cites the rulebook alone."""

    participants: str = Field("who may take part in an attack", default="")
    odds: str = Field("sums and odds", default="")
    terrain: str = Field("columns for the ground", default="")
    encirclement: str = Field("columns against the encircled", default="")
    unity: str = Field("columns for complete formations", default="")
    column: str = Field("the column in the end", default="")
    row: str = Field("the dice", default="")
    result: str = Field("what results demand", default="")
    advance: str = Field("advance after combat", default="")
    retreat: str = Field("retreat after combat", default="")
    chain: str = Field("units pushed on by those who retreat", default="")
    river: str = Field("retreat across water", default="")
    encircled: str = Field("retreat of the encircled", default="")
    air: str = Field("air points in a combat", default="")
    airstrike: str = Field("attacks by air alone", default="")
    artillery: str = Field("fire from afar", default="")
    once: str = Field("a target hex is attacked once a turn", default="")
    leaving: str = Field("retreats off the map", default="")
    phase: str = Field("who attacks in which phase", default="")


class Bonus(Model):
    """Columns for a complete formation. `attack` counts to the right, `defence` to the left."""

    attack: int = Field("columns to the right when it attacks together", default=0, ge=0)
    defence: int = Field("columns to the left when it defends together", default=0, ge=0)
    in_all: bool = Field("the columns include those of the formation's own parts", default=False)


class Command(Model):
    """Units of several types of one division that count as a complete regiment when they fight together."""

    side: SideRef = Field("the side that has it")
    types: tuple[TypeRefs, ...] = Field("at least one unit of each list must take part", min_length=1)


class Unity(Model):
    """Unity of command: which complete formations move the column, and by how much."""

    regiment: Bonus = Field(default_factory=Bonus)
    division: Bonus = Field(default_factory=Bonus)
    unit_is_regiment: bool = Field("every counter of a division is one of its regiments", default=False)
    no_division: dict[SideRef, DivisionRefs] = Field(
        "side -> divisions (by number) that never get the divisional columns", default={}
    )
    no_regiment: dict[SideRef, RegimentRefs] = Field(
        "side -> regiments (by number) of which only a part is in the game", default={}
    )
    of_one: dict[SideRef, RegimentRefs] = Field(
        "side -> regiments (by number) that have one battalion in all", default={}
    )
    commands: tuple[Command, ...] = ()
    counted: dict[SideRef, RegimentRefs] | None = Field(
        "side -> regiments (by number) of which the rulebook tells every unit; what rests on how many others have "
        "is doubtful. Absent where the counters are known to be all there are",
        default=None,
    )
    SLIPS = (
        idle(
            "no-formation",
            "regiment",
            lambda c, r: (r.regiment.attack or r.regiment.defence) and c.nobody_of("regiment"),
        ),
        idle(
            "no-formation",
            "division",
            lambda c, r: (r.division.attack or r.division.defence) and c.nobody_of("division"),
        ),
    )


class Encirclement(Model):
    """Columns against defenders who have no way out; `immune` types of a side have `relief` columns back."""

    columns: int = Field("columns to the right against a defender with no way out", default=0)
    relief: int = Field("columns back for defenders of `immune` types", default=0, ge=0)
    immune: dict[SideRef, TypeRefs] = Field("side -> unit types", default={})


class Transit(Model):
    """Columns against a combat in which a unit that bears `flag` takes part."""

    flag: MarkRef = Field("the mark that units in transit bear")
    columns: int = Field("columns against the side whose unit it is, whether that attacks or defends")
    turns: TurnSpan = Field("first and last turn in which this holds")
    section: Section


class NoEngagement(Model):
    """Units that may not attack into a terrain."""

    types: TypeRefs = Field("unit types or classes that may not attack there")
    terrain: TerrainRefs = Field("terrain of the target hex")
    section: Section


class LossClause(Model):
    """If `attackers` fight `enemies` and the attacker has a loss, one of `bearers` takes it."""

    attackers: TypeRefs = Field("unit types or classes, of which one attacks")
    enemies: TypeRefs = Field("unit types or classes, of which one defends")
    bearers: TypeRefs = Field("unit types or classes, of which one takes the attacker's loss")
    results: ResultRefs = Field("codes that cost the attacker a loss", default=("AE", "ARB", "AVB"))


class FarAdvance(Model):
    """How far some units follow up after the hex that was attacked; the first of these that fits a unit counts."""

    types: TypeRefs = Field("unit types or classes; empty: all", default=())
    hexes: Annotated[int, Field(ge=1, le=12)] | Literal["retreat"] = Field(
        "hexes in all, the one that was attacked included; `retreat`: as many as the enemy retreated"
    )
    way: Literal["retreat", "any"] = Field(
        "along the way of an enemy who retreated from there, or `any` way", default="retreat"
    )
    zones: Literal["open", "stop"] = Field(
        "whether a hex in an enemy zone ends the advance (`stop`) or not", default="open"
    )


class AdvanceRules(Model):
    """Who follows up, and how far."""

    after: Literal["result", "vacated"] = Field(
        "`result`: only where the result says so; `vacated`: whenever the hex attacked is empty", default="result"
    )
    most: int | None = Field("how many units may advance; empty: all that fought", default=None, ge=0)
    none: TypeRefs = Field("types that never advance", default=())
    must: bool = Field("whether one unit at least must advance, if any may", default=False)
    far: tuple[FarAdvance, ...] = Field(
        "who may go on beyond the hex that was attacked, how far and which way; empty: `two`", default=()
    )
    two: TypeRefs = Field("types that may go on into a second hex", default=())
    first_terrain: TerrainRefs = Field("what the vacated hex must be for the second to be open", default=())
    second_terrain: TerrainRefs = Field("what the second hex must be", default=())
    along: WayRefs = Field("ways that must join both steps", default=())
    bars: BarrierRefs = Field(
        "hexside kinds that bar the second step; `fortified` for whole hexes that are fortified", default=()
    )
    SLIPS = (
        idle("nobody-advances", "none", lambda c, r: c.all_are(r.none)),
        idle("none-advances", "most", lambda c, r: r.most == 0),
    )


class FallBack(Model):
    """A hex, free of the enemy and his zones; a second one, at a price, for who has none, and friends make room."""

    kind: Literal["fall_back"] = "fall_back"


class Distance(Model):
    """As many hexes as the result says."""

    kind: Literal["distance"]
    zones: Literal["barred", "loss", "open"] = Field(
        "the enemy's zones on the way: `barred`, a `loss` of a step for each hex of them, or `open`",
        default="barred",
    )
    friends: Literal["make_room", "through", "barred"] = Field(
        "friends on the way: who ends in a full hex has one of them `make_room`, a hex on; or units go `through` "
        "them and may end in no full hex; or enter no hex of theirs (`barred`)",
        default="make_room",
    )
    away: bool = Field("each step must lead farther away from where the unit stood", default=False)
    towards: dict[SideRef, EdgeRefs] = Field(
        "side -> its own edges of the map: no step may lead farther from the nearest of them", default={}
    )
    short: Literal["lost", "steps"] = Field(
        "who cannot go the whole way: is `lost`, or goes as far as it can and loses a step for each hex that is "
        "left (`steps`)",
        default="lost",
    )
    extended: bool = Field(
        "with friends `through`: who would end in a full hex goes on, hex by hex, to the next with room",
        default=False,
    )
    supply: bool = Field(
        "nor farther from the nearest source of its supply: edges and places of `rules.supply`", default=False
    )


class RetreatRules(Model):
    """How retreats go, and what water on the way does to units.

    Over a line or water that bars a unit none leads by `distance`, unless what follows says what that does to it.
    """

    way: Annotated[FallBack | Distance, Field(discriminator="kind")] = Field(
        "`fall_back`: a hex, two for the surrounded; `distance`: so many hexes", default=FallBack()
    )
    destroyed: TypeRefs = Field("types that are lost when they retreat over water", default=())
    loss: TypeRefs = Field("types that lose a step when they retreat over water", default=())
    loss_all_others: bool = Field("every type that is not destroyed loses a step", default=False)
    ignored_by: HexsideRefs = Field("hexside kinds beside which water does not count: a dam", default=())


class OffMap(Model):
    """Retreats off the map, by whatever edge. A game that does not have this key has none of them.

    A unit that leaves by an edge that is not named for its side lives on, off the map.
    """

    destroyed: dict[SideRef, EdgeRefs] = Field(
        "side -> edges that destroy its units; by the others they leave alive", default={}
    )
    returns: bool = Field(
        "who left alive may come back, as `rules.movement.returns` says when and where", default=False
    )
    gaps: dict[EdgeName, HexRefs] = Field(
        "perimeter hexes of no printed edge: the edge by which one leaves there", default={}
    )
    SLIPS = (idle("never-returns", "returns", lambda c, r: c.rules.movement.returns is None),)


class Perimeter(Model):
    """An area in which every gun of a side may support every unit of it."""

    side: SideRef = Field("the side whose guns these are")
    area: AreaRef = Field("the area that gun and target both lie in")
    margin: int = Field("hexes by which an outline that is not printed may be wrong", default=0)


class OffBoard(Model):
    """Points of guns beyond the map: for a side, in some turns, the total of a turn."""

    side: SideRef = Field("the side that has the guns")
    turns: TurnSpan = Field("first and last turn in which they fire")
    points: int = Field("points that they have each turn, all attacks together")


class ArtilleryRules(Model):
    """Fire at a distance."""

    one_formation: bool = Field("only guns of one regiment or division are summed in a bombardment", default=False)
    defence: Literal["any", "division"] = Field(
        "whom guns may support in defence: `any` unit in range, or those of their own `division`", default="any"
    )
    guards_most: int | None = Field(
        "guns that may support one defence from a distance, at most; absent: any number", default=None, ge=0
    )
    guards_phase: int | None = Field(
        "guns of a side that may do so in one phase, all combats together", default=None, ge=0
    )
    guards_clear_of: Literal["nothing", "enemies", "zones"] = Field(
        "where no gun stands that supports a defence from a distance: in hexes next to `enemies`, in those of "
        "their `zones`, or `nothing`: anywhere",
        default="nothing",
    )
    perimeter: Perimeter | None = None
    adjacent: Literal["attack", "fire"] = Field(
        "guns next to their target: they `attack` it or let it be, or may `fire` at it on the table of "
        "bombardments too",
        default="attack",
    )
    silent_terrain: TerrainRefs = Field("terrain from which no gun fires at a distance", default=())
    offboard: tuple[OffBoard, ...] = ()
    SLIPS = (
        idle(
            "no-range",
            "one_formation defence guards_most guards_phase guards_clear_of adjacent silent_terrain",
            lambda c, r: not c.afar,
        ),
        idle("no-fire", "one_formation adjacent", lambda c, r: c.tables.bombardment is None),
        idle("no-division", "defence", lambda c, r: c.nobody_of("division")),
        idle(
            "phase-less", "guards_most", lambda c, r: r.guards_phase is not None and r.guards_phase < r.guards_most
        ),
    )


class AirRules(Model):
    """Air power: whose it is, and how many points an attack by air alone takes."""

    side: SideRef = Field("the side that has air points")
    least: int = Field("air points that an attack by air alone takes at least", ge=1)
    most: int = Field("air points that an attack by air alone takes at most")

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise BadValueError(message("scenario.value.least", least=self.least, most=self.most))


class Shape(Model):
    """What one combat is."""

    targets: Literal["one", "several"] = Field(
        "whether a combat is against one hex, or may be against several at once", default="one"
    )
    next_to: Literal["all", "any"] = Field(
        "where there are several: attackers must be next to all of them, or to any", default="all"
    )
    attackers: Literal["together", "apart"] = Field(
        "whether several units may attack in one combat, or each by itself alone", default="together"
    )
    again: bool | Literal["others"] = Field(
        "whether a hex may be attacked more than once in a phase; `others`: no unit attacked in it before, in "
        "whatever hex",
        default=False,
    )
    split: int = Field(
        "in how many combats of a phase a unit may take part, its strength divided among them: `share c1 3` in "
        "each",
        default=1,
        ge=1,
        le=6,
    )
    stacks: Literal["free", "together"] = Field(
        "units that attack in a phase from one hex: each what it likes (`free`), or all of them the same hex or "
        "hexes (`together`); guns that fire from a distance are free",
        default="free",
    )
    defence_seen: Literal["before", "declared"] = Field(
        "when the attacker may look at what the defence is worth: `before` he declares his attack, or once it is "
        "`declared`; the table on which a game is played shows no more than that",
        default="before",
    )
    guns_alone: Literal["table", "odds", "never"] = Field(
        "guns that fire alone at a distance, which is typed `bombard`: on the table of bombardments, at odds as in "
        "any combat (they suffer nothing), or not at all",
        default="table",
    )
    SLIPS = (
        idle("one-target", "next_to", lambda c, r: r.targets == "one"),
        idle("apart", "stacks", lambda c, r: r.attackers == "apart"),
    )


class Duty(Model):
    """Who must attack, and who must be attacked, in a side's combat phase."""

    units: Literal["none", "moved", "adjacent"] = Field(
        "units next to the enemy that must attack: nobody, those that moved there, or all", default="none"
    )
    marks: MarkRefs = Field(
        "units next to the enemy with one of these marks must attack besides, as `locked`", default=()
    )
    excuse: Literal["none", "dominance"] = Field(
        "`dominance`: who did not move may sit still where its ground is worth more than the enemy's",
        default="none",
    )
    exempt: TypeRefs = Field("unit types or classes that need not attack", default=())
    exempt_marks: MarkRefs = Field("units with one of these marks need not attack", default=())
    enemies: bool = Field("every enemy next to one's units when the phase begins must be attacked", default=False)
    enemies_by: Literal["adjacent", "zones"] = Field(
        "which enemies `enemies` asks for: all those next to one's units, unless the zones of both end between "
        "them (`adjacent`), or those alone whose own zone reaches one's units (`zones`)",
        default="adjacent",
    )
    counted: Literal["start", "end"] = Field(
        "units that must attack: those next to an enemy when the phase begins (`start`), whatever other combats do "
        "to him, or of these only who still is when it ends (`end`)",
        default="start",
    )
    section: str = Field(
        "where the rulebook prints it; empty: who sits still cites the section of zones", default=""
    )
    SLIPS = (
        idle("no-duty", "excuse exempt exempt_marks counted", lambda c, r: not r.asked),
        idle("no-enemies", "enemies_by", lambda c, r: not r.enemies),
    )

    @property
    def asked(self) -> bool:
        """Whether anybody must attack, or be attacked."""
        return self.units != "none" or bool(self.marks) or self.enemies


class CombatRules(Model):
    """Parameters of the rules of combat, of artillery and of air power."""

    sections: Sections = Field(default_factory=Sections)
    shape: Shape = Field(default_factory=Shape)
    duty: Duty = Field(default_factory=Duty)
    line_side: dict[HexsideRef, SideRef] = Field("hexside kinds that help only one side's defence", default={})
    encirclement: Encirclement = Field(default_factory=Encirclement)
    unity: Unity = Field(default_factory=Unity)
    modifiers: tuple[Modifier, ...] = Field(
        "what else moves the column or the die, changes strengths, or forbids an attack", default=()
    )
    groups: dict[Identifier, Group] = Field(
        "group -> what counts of its modifiers: `sum`, `best` (the one that moves most), a number: so many of "
        "those that help either side, the strongest; or `{most: 2}`: their sum, two at most",
        default={},
    )
    sums: Literal["down", "up", "nearest"] = Field(
        "what becomes of a fraction in a side's total, where `rounding: sum` leaves one", default="down"
    )
    transit: tuple[Transit, ...] = ()
    no_engagement: tuple[NoEngagement, ...] = ()
    loss_clauses: tuple[LossClause, ...] = ()
    advance: AdvanceRules = Field(default_factory=AdvanceRules)
    retreat: RetreatRules = Field(default_factory=RetreatRules)
    off_map: OffMap | None = Field("what becomes of units that retreat off the map; absent: none may", default=None)
    artillery: ArtilleryRules = Field(default_factory=ArtilleryRules)
    air: AirRules | None = None
