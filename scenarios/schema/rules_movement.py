"""What the rules of movement count with (the `rules.movement` section of game.yaml).

Wherever a list of unit types is asked for, the name of a class of game.yaml (`armoured`, `guns`) stands for its
types. Spans of turns are first and last turn, both included. Every rule carries the section that grants it.
"""

from __future__ import annotations

from typing import Literal

from .base import (
    AreaRef,
    AtTimes,
    BarrierRef,
    Cut,
    DivisionRef,
    EdgeName,
    Faces,
    Halves,
    HexRefs,
    HexsideRef,
    HexsideRefs,
    Identifier,
    InPhases,
    MarkName,
    MarkRefs,
    MovementClassRef,
    PlaceRef,
    PlaceRefs,
    ResultRef,
    Section,
    Selector,
    SideRef,
    SwitchRef,
    TerrainRefs,
    TurnLimit,
    TurnRefs,
    TurnSpan,
    TypeRefs,
    WayRef,
    WayRefs,
    WeatherRefs,
)
from .declared import Field, Model, error, idle, warning
from .rules_zones import Zones


class Sections(Model):
    """Where the rulebook prints each rule of movement, for citations; "" cites the rulebook alone."""

    map: str = Field("the hexes there are", default="")
    units: str = Field("the kinds of unit there are", default="")
    phase: str = Field("whose turn it is to do what", default="")
    allowance: str = Field("movement points, paths", default="")
    barred: str = Field("terrain that some may not enter", default="")
    water: str = Field("water that some may not cross", default="")
    zone: str = Field("zone of engagement, duty to attack", default="")
    entry: str = Field("reinforcements", default="")
    exit: str = Field("leaving the map", default="")


class Capacity(Model):
    """How much of something a turn carries; units, their steps or their points of stacking."""

    most: int | None = Field("how many a turn may carry; absent: any number", default=None, ge=0)
    counted: Literal["units", "steps", "points"] = Field(
        "what `most` counts: units, their steps, or their points of stacking", default="units"
    )


class InTurns(Selector):
    """A rule for some turns; if it names an option, only where that stands at yes."""

    turns: TurnSpan = Field("first and last turn of the rule")
    option: SwitchRef | None = Field("an option of this game with the choices yes and no", default=None)
    weather: WeatherRefs = Field("kinds of weather in which it holds; empty: any", default=())
    phases: InPhases = ()
    section: Section


class Immobile(InTurns):
    """Units that may not move in some turns."""

    SLIPS = (
        idle("all-stand", "", lambda c, r: r.plain and not (r.side or r.weather or r.option) and c.always(r.turns)),
    )


class Allowance(InTurns, Cut):
    """Units that have a share of their movement allowance in some turns, or points more or fewer."""

    more: Halves = Field("movement points on top of that", default=0)
    less: Halves = Field("movement points that are taken off it, as far as there are any", default=0)
    SLIPS = (
        error("game.vain-share", "", lambda c, r: r.times == r.divide and not r.more and not r.less),
        warning("game.divided-away", "divide", lambda c, r: r.divide > c.fastest > 0 and {"most": c.fastest}),
    )


class March(AtTimes, Capacity):
    """A march: a unit goes farther if its whole way fulfils this; not in phases of so many points or hexes.

    Any of several may be made.
    """

    times: int = Field("what the allowance is multiplied by in it", default=1, ge=1)
    more: Halves = Field("movement points that come on top in it", default=0)
    ways: WayRefs = Field("it leads along these ways alone; empty: anywhere", default=())
    clear_of: Literal["enemies", "zones", "nothing"] = Field(
        "what it neither begins, passes nor ends in: hexes next to `enemies`, hexes of their `zones`, or `nothing`",
        default="enemies",
    )
    section: Section
    SLIPS = (
        idle("never-marches", "", lambda c, r: r.most == 0),
        error("game.vain-march", "", lambda c, r: r.times == 1 and not r.more),
    )


class EntryMove(InTurns):
    """Units that move otherwise in the turn in which they enter, if it is one of these."""

    movement: MovementClassRef = Field("movement class by which they move then")
    move: int = Field("movement points that they have then", ge=1)


class Garrison(Selector):
    """Units bound to a hex until driven out of it, or until an enemy next to them stands in dominant terrain."""

    hexes: HexRefs = Field("the hexes in which they are bound", min_length=1)
    section: Section


class BarredHexes(Selector):
    """Hexes that some may enter only in retreat."""

    hexes: HexRefs = Field("the hexes that they may not enter")
    section: Section


class Frontier(Selector):
    """Hexside kinds that some may not cross, bridged or not, save in retreat.

    `eastwards` bars only steps to a higher column; `beyond` only hexsides east of the nearest of another kind.
    """

    hexsides: HexsideRefs = Field("kinds of hexside that they may not cross", min_length=1)
    eastwards: bool = Field("whether only steps to a higher column are barred", default=False)
    beyond: HexsideRef | None = Field("only east of the nearest hexside of this kind", default=None)
    section: Section


class Surcharge(AtTimes):
    """Terrain or hexsides that cost some units more than others, or that they alone may not enter or cross.

    It is paid across country; a way takes no more of anybody than its own rate. The weather that counts is that of
    the hex entered, as for costs.
    """

    terrain: TerrainRefs = Field("hexes of one of these terrains …", default=())
    hexsides: HexsideRefs = Field("… or steps across one of these hexsides", default=())
    points: Halves = Field("movement points that each such step costs more", default=0)
    whole: bool = Field("each such step takes the whole allowance, all of the move", default=False)
    barred: bool = Field("they may not go there at all, but along a way", default=False)
    section: Section
    SLIPS = (
        idle("barred-anyway", "whole", lambda c, r: r.barred),
        idle("barred-anyway", "points", lambda c, r: r.barred and not r.whole),
        idle("whole-anyway", "points", lambda c, r: r.whole and not r.barred),
        error(
            "game.vain-surcharge",
            "",
            lambda c, r: not (r.terrain or r.hexsides) or not (r.points or r.whole or r.barred),
        ),
    )


class ClosedBridges(InTurns):
    """Bridges that some may not use in some turns: those on any hexside of the hexes."""

    hexes: HexRefs = Field("hexes: no bridge on any of their hexsides can be used")


class EntryRule(Selector):
    """How a side's reinforcements may come on, in some turns; every list given must be met."""

    turns: TurnSpan | None = Field("first and last turn of the rule; absent: every turn", default=None)
    phases: InPhases = ()
    edges: tuple[EdgeName, ...] = Field("edges by which they may enter; empty: any", default=())
    hexes: HexRefs = Field("only here", default=())
    ways: WayRefs = Field("the entry hex must lie on one of these ways …", default=())
    terrain: TerrainRefs = Field("… or have this terrain", default=())
    west_of: HexsideRef | None = Field("they enter west of hexsides of this kind", default=None)
    by_way: bool = Field("they come along the way, and so pay its rate", default=False)
    one_edge: bool = Field("all of them come by one edge", default=False)
    behind_line: bool = Field("nearer to their own side’s units than to any enemy; else doubtful", default=False)
    section: Section


class Transit(Selector):
    """Reinforcements that must pass a place before they are employed.

    Until `last_turn` whoever enters bears `mark`; a hex of `place` turns it into `passed`, and in the turn of entry
    a unit that has passed may then only enter hexes of `area`.
    """

    last_turn: TurnLimit = Field("the last turn in which they are in transit")
    place: PlaceRef = Field("the place that they must pass")
    area: AreaRef = Field("the hexes by which a unit that has passed may go on in the turn of entry")
    mark: Identifier = Field("the mark that they bear until they pass", default="in-transit")
    passed: Identifier = Field("the mark that they bear from then on")
    section: Section


class Overrun(AtTimes):
    """Attacks in the course of a move: `overrun 0506`, with what a combat says, after a move next to the hex."""

    targets: TypeRefs = Field(
        "only where all who stand in the hex are of these, as leaders alone; empty: anybody", default=()
    )
    barred_marks: MarkRefs = Field("units that bear one of these marks may not overrun", default=())
    least: str = Field("the lowest column at which it is allowed, before shifts")
    strength: int = Field("the attack strength that it takes at least, as it fights", default=0, ge=0)
    result: ResultRef | None = Field(
        "the result that it has without dice; absent: dice, on the table of results", default=None
    )
    points: Halves = Field("movement points that it takes besides those of the hex", default=0)
    ground: bool = Field("whether the hex is paid for too; `false`: `points` are the whole price", default=True)
    barred: TerrainRefs = Field("terrain that may not be overrun", default=())
    zones: Literal["others", "none"] = Field(
        "whose zones hold, stop, bar and cost as in any move into the hex: those of all `others` than who is "
        "overrun, or of `none`",
        default="others",
    )
    section: Section
    SLIPS = (
        error(
            "game.no-column",
            "least",
            lambda c, r: r.least not in c.tables.crt.columns and {"name": r.least, "known": c.tables.crt.columns},
        ),
    )


class Passage(Selector):
    """A flag that a unit gains by entering a place."""

    place: PlaceRef = Field("the place that gives the mark")
    mark: MarkName = Field("the mark that is given")


class Returns(Model):
    """Units that retreated off the map and may come back."""

    after: int = Field("turns after the one in which they left", default=1)
    within: int = Field("hexes from the one by which they left")
    section: Section
    SLIPS = (idle("nobody-returns", "", lambda c, r: not getattr(c.rules.combat.off_map, "returns", False)),)


class Substitute(Model):
    """A division that leaves in place of another, if it has fewer units left on the map.

    `of` is the division that the set-up names; the others are those of `side` whose units are of `types`. If
    several have fewer the weakest goes. The first of `turns` decides for all of them; in the last all that is left
    goes, in the others all but one, which the players choose.
    """

    side: SideRef = Field("whose units leave instead")
    of: DivisionRef = Field("the division that the set-up withdraws")
    types: TypeRefs = Field("types of the units in the divisions that may leave instead")
    turns: TurnRefs = Field("the turns in which withdrawals may be exchanged")
    section: Section


class RecoveryLine(Model):
    """A chain of hexes to an edge, none held by or next to the enemy, its own hex included."""

    edge: EdgeName = Field("the edge that the chain of hexes must reach")


class RecoveryNetwork(Model):
    """A unit at most `distance` hexes from ways that lead to a place, clear of the enemy all along."""

    place: PlaceRef = Field("the place that the ways must lead to")
    ways: WayRefs = Field("kinds of way that count")
    distance: int = Field("hexes from the unit to the nearest of these ways, at most", default=1)


class Recovery(Model):
    """How one side turns a loss back."""

    side: SideRef = Field("the side that recovers")
    per_turn: int | None = Field("units that may recover in a turn; absent: any number", default=None)
    turns: Literal["all", "odd", "even"] = Field("turns in which it may be done, by their number", default="all")
    last_turn: TurnLimit | None = Field("the last turn in which it may be done", default=None)
    excluded: TypeRefs = Field("types that never recover", default=())
    line: RecoveryLine | None = None
    network: RecoveryNetwork | None = None
    cleared_area: AreaRef | None = Field("units in this area need every trail hex cleared", default=None)
    cleared_section: str = Field("section on the cleared trail, for citations", default="")
    section: Section
    SLIPS = (idle("one-step", "", lambda c, r: c.single),)


class RailUse(Selector, Capacity):
    """Who may go by rail, in which turns, and how many in a turn; the first that fits a unit counts."""

    turns: TurnSpan | None = Field("first and last turn of the rule; absent: every turn", default=None)
    phases: InPhases = ()
    edges: tuple[EdgeName, ...] = Field(
        "only on a line that leads on to one of these edges of the map unbroken …", default=()
    )
    places: PlaceRefs = Field(
        "… or to one of these places: through no hex that bars trains; empty: on any", default=()
    )
    SLIPS = (warning("game.idle", "", lambda c, r: r.most == 0 and c.idle("carries-none", "uses")),)


class Railway(Model):
    """Movement along a way without counting points."""

    way: WayRef = Field("kind of way that trains use")
    hexes: int = Field("hexes that a unit may go by train in a turn", ge=1)
    uses: tuple[RailUse, ...] = Field("who may go by rail, and how many; empty: all units", default=())
    own: bool = Field("only through hexes that the enemy was not the last to hold", default=False)
    section: Section
    SLIPS = (warning("game.longer-than-map", "hexes", lambda c, r: r.hexes > c.map.grid.columns * c.map.grid.rows),)


class BridgeBuilding(Model):
    """Engineers who lay a bridge across the water next to them."""

    side: SideRef = Field("the side that builds")
    types: TypeRefs = Field("unit types or classes that build")
    first_turn: TurnLimit = Field("the first turn in which bridges can be built")
    where: Literal["any", "way"] = Field(
        "the water that can be bridged: `any`, or only where a `way` runs over it or the map has a bridge of a "
        "later turn, as for repairs",
        default="any",
    )
    clear: Literal["nothing", "enemies", "zones"] = Field(
        "nobody builds next to `enemies`, or in a hex in one of their `zones`", default="zones"
    )
    waits: Literal["turn", "phase"] = Field(
        "who builds has not moved in the `phase`, or has stood in its hex since the `turn` before, too",
        default="phase",
    )
    held: Literal["any", "now", "turn"] = Field(
        "who must have been the last in both hexes: `any` side, if no enemy stands there; one's own side `now`; or "
        "one's own when the `turn` began",
        default="any",
    )
    falls: Literal["never", "entered"] = Field(
        "a bridge that was built stands for good, or falls when an enemy has `entered` one of its hexes, in "
        "passing, in an advance or in a retreat too; he does not cross by it",
        default="never",
    )
    told: bool = Field("whether a note says so when a bridge falls", default=True)
    section: Section

    def falls_to(self, side: str) -> bool:
        """Whether bridges that were built are no use to a side, because they fall as it comes to them."""
        return self.falls == "entered" and side != self.side


class Clearing(Model):
    """A way that must be cleared, hex by hex, before `barred` units may enter its hexes."""

    way: WayRef = Field("the kind of way that must be cleared")
    barred: TypeRefs = Field("unit types or classes that wait for it")
    exempt: TerrainRefs = Field("terrain that needs no clearing", default=())
    area: AreaRef | None = Field("hexes that can be cleared; where the map has none, all", default=None)
    side: SideRef = Field("the side that clears")
    types: TypeRefs = Field("unit types or classes that clear")
    faces: Faces = Field("faces of the die that clear", min_length=1)
    per_turn: int = Field("attempts a turn", default=1)
    section: Section


class MovementRules(Model):
    """Parameters of the rules of movement, recovery and works."""

    sections: Sections = Field(default_factory=Sections)
    prevailing: TerrainRefs = Field("terrains that alone count for movement in a mixed hex", default=())
    includes_water: WayRefs = Field("ways whose price includes the water that they cross", default=())
    zones: Zones = Field(default_factory=Zones)
    minimum: Literal["none", "one_hex"] = Field(
        "`one_hex`: a unit may always go one hex that nothing bars, whatever it costs", default="none"
    )
    exit_cost: Halves = Field("points to leave the map, off a way", default=0)
    immobile: tuple[Immobile, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    marches: tuple[March, ...] = Field(
        "ways to go farther than the allowance, by road or out of the enemy's reach", default=()
    )
    entry_moves: tuple[EntryMove, ...] = ()
    garrisons: tuple[Garrison, ...] = ()
    barred_hexes: tuple[BarredHexes, ...] = ()
    frontiers: tuple[Frontier, ...] = ()
    surcharges: tuple[Surcharge, ...] = Field(
        "ground that costs some units more: mines of the enemy, a swamp for one nation", default=()
    )
    closed_bridges: tuple[ClosedBridges, ...] = ()
    entries: tuple[EntryRule, ...] = ()
    entry_clear_of: Literal["nothing", "enemies", "zones"] = Field(
        "nobody comes on the map next to `enemies`, or in a hex in one of their `zones`", default="nothing"
    )
    entry_column: bool = Field(
        "whether units that come on by one hex in a phase do so in column: the second pays for it twice, the third "
        "three times",
        default=False,
    )
    transit: Transit | None = None
    passages: tuple[Passage, ...] = ()
    overruns: tuple[Overrun, ...] = ()
    returns: Returns | None = None
    withdrawals_wait: bool = Field("encircled units are withdrawn when they are free", default=False)
    substitutes: tuple[Substitute, ...] = ()
    recovery: tuple[Recovery, ...] = ()
    recovery_section: str = Field("section on turning losses back, for citations", default="")
    railway: Railway | None = None
    bridging: BridgeBuilding | None = None
    clearing: Clearing | None = None
    air_section: str = Field("section on air points, for citations", default="")
    dominant_side: dict[BarrierRef, SideRef] = Field(
        "a kind of hexside, or `fortified` for whole hexes -> the side that always dominates behind it", default={}
    )

    @property
    def marked(self) -> frozenset[str]:
        """The places whose passing units bear a mark of."""
        return frozenset(rule.place for rule in (*self.passages, self.transit) if rule)

    @property
    def switches(self) -> frozenset[str]:
        """The options that rules for some turns name."""
        rules: tuple[InTurns, ...] = (*self.immobile, *self.allowances, *self.entry_moves, *self.closed_bridges)
        return frozenset(rule.option for rule in rules if rule.option)
