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

    participants: str = Field(default="", description="who may take part in an attack")
    odds: str = Field(default="", description="sums and odds")
    terrain: str = Field(default="", description="columns for the ground")
    encirclement: str = Field(default="", description="columns against the encircled")
    unity: str = Field(default="", description="columns for complete formations")
    column: str = Field(default="", description="the column in the end")
    row: str = Field(default="", description="the dice")
    result: str = Field(default="", description="what results demand")
    advance: str = Field(default="", description="advance after combat")
    retreat: str = Field(default="", description="retreat after combat")
    chain: str = Field(default="", description="units pushed on by those who retreat")
    river: str = Field(default="", description="retreat across water")
    encircled: str = Field(default="", description="retreat of the encircled")
    air: str = Field(default="", description="air points in a combat")
    airstrike: str = Field(default="", description="attacks by air alone")
    artillery: str = Field(default="", description="fire from afar")
    once: str = Field(default="", description="a target hex is attacked once a turn")
    leaving: str = Field(default="", description="retreats off the map")
    phase: str = Field(default="", description="who attacks in which phase")


class Bonus(Model):
    """Columns for a complete formation. `attack` counts to the right, `defence` to the left."""

    attack: int = Field(default=0, ge=0, description="columns to the right when it attacks together")
    defence: int = Field(default=0, ge=0, description="columns to the left when it defends together")
    in_all: bool = Field(default=False, description="the columns include those of the formation's own parts")


class Command(Model):
    """Units of several types of one division that count as a complete regiment when they fight together."""

    side: SideRef = Field(description="the side that has it")
    types: tuple[TypeRefs, ...] = Field(min_length=1, description="at least one unit of each list must take part")


class Unity(Model):
    """Unity of command: which complete formations move the column, and by how much."""

    regiment: Bonus = Field(default_factory=Bonus)
    division: Bonus = Field(default_factory=Bonus)
    unit_is_regiment: bool = Field(default=False, description="every counter of a division is one of its regiments")
    no_division: dict[SideRef, DivisionRefs] = Field(
        default_factory=dict, description="side -> divisions (by number) that never get the divisional columns"
    )
    no_regiment: dict[SideRef, RegimentRefs] = Field(
        default_factory=dict, description="side -> regiments (by number) of which only a part is in the game"
    )
    of_one: dict[SideRef, RegimentRefs] = Field(
        default_factory=dict, description="side -> regiments (by number) that have one battalion in all"
    )
    commands: tuple[Command, ...] = ()
    counted: dict[SideRef, RegimentRefs] | None = Field(
        default=None,
        description="side -> regiments (by number) of which the rulebook tells every unit; what rests on how many "
        "others have is doubtful. Absent where the counters are known to be all there are",
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

    columns: int = Field(default=0, description="columns to the right against a defender with no way out")
    relief: int = Field(default=0, ge=0, description="columns back for defenders of `immune` types")
    immune: dict[SideRef, TypeRefs] = Field(default_factory=dict, description="side -> unit types")


class Transit(Model):
    """Columns against a combat in which a unit that bears `flag` takes part."""

    flag: MarkRef = Field(description="the mark that units in transit bear")
    columns: int = Field(description="columns against the side whose unit it is, whether that attacks or defends")
    turns: TurnSpan = Field(description="first and last turn in which this holds")
    section: Section


class NoEngagement(Model):
    """Units that may not attack into a terrain."""

    types: TypeRefs = Field(description="unit types or classes that may not attack there")
    terrain: TerrainRefs = Field(description="terrain of the target hex")
    section: Section


class LossClause(Model):
    """If `attackers` fight `enemies` and the attacker has a loss, one of `bearers` takes it."""

    attackers: TypeRefs = Field(description="unit types or classes, of which one attacks")
    enemies: TypeRefs = Field(description="unit types or classes, of which one defends")
    bearers: TypeRefs = Field(description="unit types or classes, of which one takes the attacker's loss")
    results: ResultRefs = Field(default=("AE", "ARB", "AVB"), description="codes that cost the attacker a loss")


class FarAdvance(Model):
    """How far some units follow up after the hex that was attacked; the first of these that fits a unit counts."""

    types: TypeRefs = Field(default=(), description="unit types or classes; empty: all")
    hexes: Annotated[int, Field(ge=1, le=12)] | Literal["retreat"] = Field(
        description="hexes in all, the one that was attacked included; `retreat`: as many as the enemy retreated"
    )
    way: Literal["retreat", "any"] = Field(
        default="retreat", description="along the way of an enemy who retreated from there, or `any` way"
    )
    zones: Literal["open", "stop"] = Field(
        default="open", description="whether a hex in an enemy zone ends the advance (`stop`) or not"
    )


class AdvanceRules(Model):
    """Who follows up, and how far."""

    after: Literal["result", "vacated"] = Field(
        default="result",
        description="`result`: only where the result says so; `vacated`: whenever the hex attacked is empty",
    )
    most: int | None = Field(default=None, ge=0, description="how many units may advance; empty: all that fought")
    none: TypeRefs = Field(default=(), description="types that never advance")
    must: bool = Field(default=False, description="whether one unit at least must advance, if any may")
    far: tuple[FarAdvance, ...] = Field(
        default=(),
        description="who may go on beyond the hex that was attacked, how far and which way; empty: `two`",
    )
    two: TypeRefs = Field(default=(), description="types that may go on into a second hex")
    first_terrain: TerrainRefs = Field(
        default=(), description="what the vacated hex must be for the second to be open"
    )
    second_terrain: TerrainRefs = Field(default=(), description="what the second hex must be")
    along: WayRefs = Field(default=(), description="ways that must join both steps")
    bars: BarrierRefs = Field(
        default=(),
        description="hexside kinds that bar the second step; `fortified` for whole hexes that are fortified",
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
        default="barred",
        description="the enemy's zones on the way: `barred`, a `loss` of a step for each hex of them, or `open`",
    )
    friends: Literal["make_room", "through", "barred"] = Field(
        default="make_room",
        description="friends on the way: who ends in a full hex has one of them `make_room`, a hex on; or units go "
        "`through` them and may end in no full hex; or enter no hex of theirs (`barred`)",
    )
    away: bool = Field(default=False, description="each step must lead farther away from where the unit stood")
    towards: dict[SideRef, EdgeRefs] = Field(
        default_factory=dict,
        description="side -> its own edges of the map: no step may lead farther from the nearest of them",
    )
    short: Literal["lost", "steps"] = Field(
        default="lost",
        description="who cannot go the whole way: is `lost`, or goes as far as it can and loses a step for each "
        "hex that is left (`steps`)",
    )
    extended: bool = Field(
        default=False,
        description="with friends `through`: who would end in a full hex goes on, hex by hex, to the next "
        "with room",
    )
    supply: bool = Field(
        default=False,
        description="nor farther from the nearest source of its supply: edges and places of `rules.supply`",
    )


class RetreatRules(Model):
    """How retreats go, and what water on the way does to units.

    Over a line or water that bars a unit none leads by `distance`, unless what follows says what that does to it.
    """

    way: Annotated[FallBack | Distance, Field(discriminator="kind")] = Field(
        default=FallBack(), description="`fall_back`: a hex, two for the surrounded; `distance`: so many hexes"
    )
    destroyed: TypeRefs = Field(default=(), description="types that are lost when they retreat over water")
    loss: TypeRefs = Field(default=(), description="types that lose a step when they retreat over water")
    loss_all_others: bool = Field(default=False, description="every type that is not destroyed loses a step")
    ignored_by: HexsideRefs = Field(
        default=(), description="hexside kinds beside which water does not count: a dam"
    )


class OffMap(Model):
    """Retreats off the map, by whatever edge. A game that does not have this key has none of them.

    A unit that leaves by an edge that is not named for its side lives on, off the map.
    """

    destroyed: dict[SideRef, EdgeRefs] = Field(
        default_factory=dict, description="side -> edges that destroy its units; by the others they leave alive"
    )
    returns: bool = Field(
        default=False, description="who left alive may come back, as `rules.movement.returns` says when and where"
    )
    gaps: dict[EdgeName, HexRefs] = Field(
        default_factory=dict, description="perimeter hexes of no printed edge: the edge by which one leaves there"
    )
    SLIPS = (idle("never-returns", "returns", lambda c, r: c.rules.movement.returns is None),)


class Perimeter(Model):
    """An area in which every gun of a side may support every unit of it."""

    side: SideRef = Field(description="the side whose guns these are")
    area: AreaRef = Field(description="the area that gun and target both lie in")
    margin: int = Field(default=0, description="hexes by which an outline that is not printed may be wrong")


class OffBoard(Model):
    """Points of guns beyond the map: for a side, in some turns, the total of a turn."""

    side: SideRef = Field(description="the side that has the guns")
    turns: TurnSpan = Field(description="first and last turn in which they fire")
    points: int = Field(description="points that they have each turn, all attacks together")


class ArtilleryRules(Model):
    """Fire at a distance."""

    one_formation: bool = Field(
        default=False, description="only guns of one regiment or division are summed in a bombardment"
    )
    defence: Literal["any", "division"] = Field(
        default="any",
        description="whom guns may support in defence: `any` unit in range, or those of their own `division`",
    )
    guards_most: int | None = Field(
        default=None,
        ge=0,
        description="guns that may support one defence from a distance, at most; absent: any number",
    )
    guards_phase: int | None = Field(
        default=None, ge=0, description="guns of a side that may do so in one phase, all combats together"
    )
    guards_clear_of: Literal["nothing", "enemies", "zones"] = Field(
        default="nothing",
        description="where no gun stands that supports a defence from a distance: in hexes next to `enemies`, in "
        "those of their `zones`, or `nothing`: anywhere",
    )
    perimeter: Perimeter | None = None
    adjacent: Literal["attack", "fire"] = Field(
        default="attack",
        description="guns next to their target: they `attack` it or let it be, or may `fire` at it on the table of "
        "bombardments too",
    )
    silent_terrain: TerrainRefs = Field(default=(), description="terrain from which no gun fires at a distance")
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

    side: SideRef = Field(description="the side that has air points")
    least: int = Field(ge=1, description="air points that an attack by air alone takes at least")
    most: int = Field(description="air points that an attack by air alone takes at most")

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise BadValueError(message("scenario.value.least", least=self.least, most=self.most))


class Shape(Model):
    """What one combat is."""

    targets: Literal["one", "several"] = Field(
        default="one", description="whether a combat is against one hex, or may be against several at once"
    )
    next_to: Literal["all", "any"] = Field(
        default="all", description="where there are several: attackers must be next to all of them, or to any"
    )
    attackers: Literal["together", "apart"] = Field(
        default="together", description="whether several units may attack in one combat, or each by itself alone"
    )
    again: bool | Literal["others"] = Field(
        default=False,
        description="whether a hex may be attacked more than once in a phase; `others`: no unit attacked "
        "in it before, in whatever hex",
    )
    split: int = Field(
        default=1,
        ge=1,
        le=6,
        description="in how many combats of a phase a unit may take part, its strength divided among them: "
        "`share c1 3` in each",
    )
    stacks: Literal["free", "together"] = Field(
        default="free",
        description="units that attack in a phase from one hex: each what it likes (`free`), or all of them the "
        "same hex or hexes (`together`); guns that fire from a distance are free",
    )
    guns_alone: Literal["table", "odds", "never"] = Field(
        default="table",
        description="guns that fire alone at a distance, which is typed `bombard`: on the table of bombardments, "
        "at odds as in any combat (they suffer nothing), or not at all",
    )
    SLIPS = (
        idle("one-target", "next_to", lambda c, r: r.targets == "one"),
        idle("apart", "stacks", lambda c, r: r.attackers == "apart"),
    )


class Duty(Model):
    """Who must attack, and who must be attacked, in a side's combat phase."""

    units: Literal["none", "moved", "adjacent"] = Field(
        default="none",
        description="units next to the enemy that must attack: nobody, those that moved there, or all",
    )
    marks: MarkRefs = Field(
        default=(), description="units next to the enemy with one of these marks must attack besides, as `locked`"
    )
    excuse: Literal["none", "dominance"] = Field(
        default="none",
        description="`dominance`: who did not move may sit still where its ground is worth more than the enemy's",
    )
    exempt: TypeRefs = Field(default=(), description="unit types or classes that need not attack")
    exempt_marks: MarkRefs = Field(default=(), description="units with one of these marks need not attack")
    enemies: bool = Field(
        default=False, description="every enemy next to one's units when the phase begins must be attacked"
    )
    enemies_by: Literal["adjacent", "zones"] = Field(
        default="adjacent",
        description="which enemies `enemies` asks for: all those next to one's units, unless the zones of both "
        "end between them (`adjacent`), or those alone whose own zone reaches one's units (`zones`)",
    )
    counted: Literal["start", "end"] = Field(
        default="start",
        description="units that must attack: those next to an enemy when the phase begins (`start`), whatever other"
        " combats do to him, or of these only who still is when it ends (`end`)",
    )
    section: str = Field(
        default="",
        description="where the rulebook prints it; empty: who sits still cites the section of zones",
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
    line_side: dict[HexsideRef, SideRef] = Field(
        default_factory=dict, description="hexside kinds that help only one side's defence"
    )
    encirclement: Encirclement = Field(default_factory=Encirclement)
    unity: Unity = Field(default_factory=Unity)
    modifiers: tuple[Modifier, ...] = Field(
        default=(), description="what else moves the column or the die, changes strengths, or forbids an attack"
    )
    groups: dict[Identifier, Group] = Field(
        default_factory=dict,
        description="group -> what counts of its modifiers: `sum`, `best` (the one that moves most), a "
        "number: so many of those that help either side, the strongest; or `{most: 2}`: their sum, two at most",
    )
    sums: Literal["down", "up", "nearest"] = Field(
        default="down", description="what becomes of a fraction in a side's total, where `rounding: sum` leaves one"
    )
    transit: tuple[Transit, ...] = ()
    no_engagement: tuple[NoEngagement, ...] = ()
    loss_clauses: tuple[LossClause, ...] = ()
    advance: AdvanceRules = Field(default_factory=AdvanceRules)
    retreat: RetreatRules = Field(default_factory=RetreatRules)
    off_map: OffMap | None = Field(
        default=None, description="what becomes of units that retreat off the map; absent: none may"
    )
    artillery: ArtilleryRules = Field(default_factory=ArtilleryRules)
    air: AirRules | None = None
