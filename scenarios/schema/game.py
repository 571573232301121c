"""game.yaml: what the game is, its sides, turns, sequence and unit classes, and the figures of its rules.

The part of game.yaml that whole games and extensions have alike.

The sequence of play: whose phases follow one another, who acts in them, and how far he goes.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

from ..text.words import BadValueError, message
from .base import (
    AreaRef,
    AtTimes,
    Cut,
    Defines,
    DivisionRefs,
    Identifier,
    LanguageCode,
    MarkRefs,
    MovementClassRef,
    OptionRef,
    PaletteRef,
    PhaseRef,
    Section,
    SideRef,
    SymbolRef,
    TurnSpan,
    TypeRefs,
    UnitTypeRefs,
    WayRefs,
    WeatherRef,
    WeatherRefs,
    Words,
    in_turns,
)
from .declared import Field, Model, error, idle, warning
from .markers import Supplies
from .results import DiceText, numbers
from .rules import Rules
from .rules_zones import SAYS_NOTHING, Between, Entering, Leaving


class Common(Supplies):
    """What lies beside the map, the languages of the texts, and whose the game is."""

    languages: tuple[LanguageCode, ...] = Field(
        "languages of the texts; a module is built in the first", default=("pt", "en"), min_length=1, max_length=100
    )
    credits: dict[str, Any] = Field("who made the game and its parts, for the reader", default={})
    sources: tuple[str, ...] = Field("rulebooks and other sources that the data are taken from", default=())


class Whole(Model):
    """The units' own allowances."""

    kind: Literal["whole"] = "whole"


class Share(Cut):
    """A share of the units' own allowances."""

    kind: Literal["share"]
    SLIPS = (
        error("game.vain-share", "", lambda c, r: r.times == r.divide),
        warning("game.divided-away", "", lambda c, r: r.divide > c.fastest > 0 and {"most": c.fastest}),
    )


class Times(Model):
    """A multiple of the units' own allowances."""

    kind: Literal["times"]
    times: int = Field("what the allowance is multiplied by", ge=2)


class Points(Model):
    """The same allowance for all."""

    kind: Literal["points"]
    points: int = Field("movement points", ge=1)


class Hexes(Model):
    """So many hexes, whatever they would cost; what bars a unit still does."""

    kind: Literal["hexes"]
    hexes: int = Field("hexes, each of which takes one point", ge=1)


class PhaseZones(Model):
    """What the enemy's zones do in a phase, in place of what they do in others; what is absent stays as there.

    Exceptions of units (`zones.exceptions`) hold where the phase leaves a choice as it is.
    """

    enter: Entering | None = Field("what entering a hex of a zone does in the phase", default=None)
    leave: Leaving | None = Field("what leaving a hex of a zone takes in it", default=None)
    between: Between | None = Field("what a step from zone to zone takes in it", default=None)
    section: str = Field("where the rulebook prints it; empty: the section of the phase", default="")
    SLIPS = (SAYS_NOTHING,)


class PhaseSpec(Model):
    """One phase of a turn. What stands beside `side` and `phase` limits when it is, who acts in it, and how far."""

    side: SideRef = Field("whose phase it is")
    phase: Identifier = Field(
        "what is done in it: `movement`, `combat`, or a name of one's own for a phase that is only announced, in "
        "which nothing is judged but what `does` lists, and what rules say of it"
    )
    id: Identifier | None = Field(
        "a name of its own, by which rules, sheets, charts and the turn tracker tell it from the side's other "
        "phases of the kind; its title stands in the texts, at `phases`; absent: its kind names it",
        default=None,
    )
    does: tuple[Literal["recover", "rally", "mark", "enter", "exit", "bombard", "airstrike", "rail"], ...] = Field(
        "statements that belong into it, besides those of movement or of combat; a side whose phases list "
        "`recover`, `rally`, `mark`, `bombard`, `airstrike` or `rail` has them in these alone; who comes by "
        "`enter` or leaves by `exit` in a phase of one's own does so in one hex",
        default=(),
    )
    who: TypeRefs = Field("unit types or classes that move in it, attack or bombard; empty: all", default=())
    marks: MarkRefs = Field(
        "units that bear one of these marks alone move in it, or attack, as a reserve; empty: all", default=()
    )
    barred_marks: MarkRefs = Field("units that bear one of these marks neither move nor attack in it", default=())
    divisions: DivisionRefs = Field("units of these divisions alone move in it, or attack; empty: all", default=())
    contact: Literal["any", "without", "within", "apart", "beside"] = Field(
        "units by where they stand when the phase begins: `any`, those `without` an enemy zone, those `within` "
        "one, those `apart` from enemies, in no hex next to one, those `beside` one",
        default="any",
    )
    before: Literal["any", "moved", "unmoved"] = Field(
        "units by whether they have moved in an earlier movement phase of the turn: `any`, those that `moved`, or "
        "`unmoved` ones alone",
        default="any",
    )
    allowance: Annotated[Whole | Share | Times | Points | Hexes, Field(discriminator="kind")] = Field(
        "how far units move in it", default_factory=Whole
    )
    marches: bool = Field("whether the game's marches may be made in it", default=True)
    entry: bool = Field("whether units may come on the map in it, in a phase of movement", default=True)
    ways: WayRefs = Field("they move along these ways alone; empty: anywhere", default=())
    zones: PhaseZones | None = Field(
        "what enemy zones do to who moves in it, if something else than in other phases", default=None
    )
    section: str = Field(
        "where the rulebook prints who acts in it; empty: `phase` of the sections of movement, or of combat",
        default="",
    )
    turns: TurnSpan | None = Field("first and last turn that have the phase; absent: every turn", default=None)
    weather: WeatherRefs = Field("kinds of weather in which there is the phase; empty: any", default=())
    SLIPS = (idle("no-marches", "marches", lambda c, r: not c.rules.movement.marches),)

    @property
    def name(self) -> str:
        """What texts and sheets call it: its id, or its kind where it has none."""
        return self.id or self.phase

    @property
    def names(self) -> tuple[str, ...]:
        """The words by which rules may speak of it: its kind, and its id."""
        return (self.phase, self.id) if self.id else (self.phase,)

    @property
    def attacks(self) -> bool:
        """Whether units attack in it: in combat, or by guns alone in a phase of one's own."""
        return self.phase == "combat" or "bombard" in self.does

    def played(self, turn: int, weather: str = "") -> bool:
        """Whether a turn has the phase, in a weather; in none that is known, as if it were the right one."""
        return in_turns(self.turns, turn) and (not self.weather or not weather or weather in self.weather)


MAX_TURNS = 200
GUNS: Final = "guns"
"""The class of unit types that fire at a distance."""


class Branch(Model):
    """A colour of counters within a side: army, SS, air force."""

    counter: PaletteRef = Field("name of a counter palette in art/palettes")


class SideSpec(Model):
    """One of the two players."""

    id: Annotated[Identifier, Defines("side")] = Field("what files and sheets call the side")
    prefix: str = Field("the prefix of its counters' ids")
    branches: dict[Identifier, Branch] = Field("the colours that its counters come in, by id")


class Turns(Model):
    """Turn numbers as printed, and the date of the first."""

    first: int = Field("number of the first turn", ge=0, le=999)
    last: int = Field("number of the last turn", ge=0, le=999)
    start: datetime.date = Field("date of the first turn, as 1944-11-02")
    days: int = Field("days that a turn takes", default=1, ge=1, le=366)

    def __post_init__(self) -> None:
        if not 0 <= self.last - self.first < MAX_TURNS:
            raise BadValueError(message("scenario.value.turns", first=self.first, last=self.last, most=MAX_TURNS))
        if self.start.year + (self.last - self.first + 1) * self.days // 365 >= datetime.MAXYEAR:
            raise BadValueError(message("scenario.value.calendar", start=str(self.start)))


class Option(Model):
    """A ruling that a tournament may set otherwise. `ruling` is its number in docs/rulings.md."""

    ruling: str = Field("number of its entry in docs/rulings.md, or `house` for one of your own")
    default: str = Field("the choice in force where nobody says otherwise")
    choices: Words = Field("what it can be set to")
    doc: str = Field("what it decides, in a sentence")


OPTIONS: dict[str, tuple[str, ...]] = {
    "inverse_rounding": ("truncate", "ceil"),
    "clamp_before_shift": ("yes", "no"),
    "advance_after_emp": ("no", "yes"),
    "river_needs_all": ("yes", "no"),
    "dominance_counts_river": ("yes", "no"),
    "zoe_to_zoe": ("yes", "no"),
    "air_limits_apply_to_support": ("no", "yes"),
    "regimental_stacks": ("no", "yes"),
    "unity_counts": ("original", "surviving"),
    "armour_road_exempt": ("yes", "no"),
    "advance_stops_in_zones": ("others", "all", "none"),
    "recovery_span": ("turn_so_far", "phase", "whole_turn"),
    "offboard_defends": ("no", "yes"),
    "transit_fire": ("no", "columns", "free"),
    "defended_guns_support": ("yes", "no"),
    "displacement": ("one", "chain"),
    "retreat_off_map": ("free", "forced"),
    "attacked_twice": ("phase", "turn"),
    "lone_battalion": ("counts", "apart"),
}
"""Rulings that the referee can judge by either way, with the values that they can have.

The first is in force where a game does not offer the choice.
"""


class UnitType(Model):
    """A type of unit: its symbol in art/symbols and how it moves."""

    symbol: SymbolRef = Field("name of a drawing in art/symbols")
    movement: MovementClassRef = Field("movement class: a key of the `costs` of tables.yaml")
    ids: Words = Field("words of counters' ids that only say this type again; no face prints them", default=())


class Module(Model):
    """What the VASSAL module is called."""

    name: str = Field("name of the game as VASSAL shows it")
    file: str = Field("name of the module's file, ending in .vmod", pattern=r"^[A-Za-z0-9._-]+\.vmod$")
    version: str = Field("version of the module, as 1.0 or 1.0.2", pattern=r"^[0-9]+\.[0-9]+(\.[0-9]+)?$")


Part = Literal["set-up", "movement", "combat", "victory"]
"""A part of play that a rule can be about."""


class WeatherRow(Model):
    """What the dice make of the weather in some turns."""

    turns: TurnSpan | None = Field("first and last turn; absent: all that no row names", default=None)
    shows: dict[str, Annotated[Identifier, Defines("weather")]] = Field(
        "what the dice show, as rows of tables say it -> weather; one alone needs no dice", min_length=1
    )
    areas: dict[AreaRef, dict[str, Annotated[WeatherRef, Defines("weather")]]] = Field(
        "areas of the map with a weather of their own -> what the same dice make of it there; for costs that of "
        "the hex entered counts, for other rules that where a unit stands, in combat the target's",
        default={},
    )


class Sky(NamedTuple):
    """The weather of a turn: on the map, and in areas that have one of their own."""

    weather: str = ""
    areas: tuple[tuple[str, str], ...] = ()

    def agrees(self, told: Sky) -> bool:
        """Whether it may be the one of which something is told."""
        return told.weather in ("", self.weather) and set(told.areas) <= set(self.areas)


class WeatherDie(Model):
    """Weather by dice, thrown once a turn: `weather 4`. It lasts until it is thrown again."""

    dice: DiceText
    phase: PhaseRef | None = Field(
        "the phase in which it is thrown; absent: the first, before anybody acts", default=None
    )
    rows: tuple[WeatherRow, ...] = Field("what the dice show, by turns", min_length=1)
    section: Section

    @property
    def thrown(self) -> bool:
        """Whether dice decide in any turn; a weather that stands alone needs none."""
        return any(len(shows) > 1 for row in self.rows for shows in (row.shows, *row.areas.values()))

    def row(self, turn: int) -> WeatherRow:
        """What holds in a turn; the first row where none names it."""
        spans = [row for row in self.rows if row.turns and in_turns(row.turns, turn)]
        return next(iter(spans), next((row for row in self.rows if row.turns is None), self.rows[0]))

    def sure(self, turn: int) -> str:
        """The weather of a turn on the map where the dice have no say in it, else ""."""
        shows = self.row(turn).shows
        return next(iter(shows.values())) if len(shows) == 1 else ""

    def skies(self, turn: int) -> Mapping[int, Sky]:
        """What each number that the dice may show makes of the weather of a turn."""
        row = self.row(turn)
        areas = {area: _by_number(shows) for area, shows in row.areas.items()}
        return {
            n: Sky(weather, tuple((area, shows[n]) for area, shows in areas.items() if n in shows))
            for n, weather in _by_number(row.shows).items()
        }


def _by_number(shows: Mapping[str, str]) -> dict[int, str]:
    return {n: weather for name, weather in shows.items() for n in numbers(name)}


class OrderDie(Model):
    """Who goes first in a turn, by dice that are thrown as it begins: `initiative 4`."""

    dice: DiceText
    phase: PhaseRef = Field(
        "a phase of one's own in which they are thrown, with which a turn begins; of those behind it in `sequence` "
        "those of the side that goes first come first"
    )
    shows: dict[str, SideRef] = Field(
        "what the dice show, as rows of tables say it -> the side that then goes first", min_length=2
    )
    section: Section
    SLIPS = (idle("always-alike", "shows", lambda c, r: len(set(r.shows.values())) == 1),)


class Touched(AtTimes):
    """What of play a rule could make lawful that nothing here judges: all that fits every list given."""

    statements: Words = Field(
        "lines of sheets by their first word in English: `move`, `combat`; empty: any", default=()
    )
    codes: Words = Field("findings by their codes, as `movement-cost`; empty: any", default=())


class NotJudged(Model):
    """A rule of the game that no data here say, so that nobody is told that play is lawful by it.

    What it says stands in the texts, at `not_judged` and its id.
    """

    id: Identifier = Field("what the texts call it by: `not_judged: {overrun: Overruns}`")
    about: tuple[Part, ...] = Field(
        "the parts of play that hang on it; all of them where absent", default=get_args(Part), min_length=1
    )
    touches: tuple[Touched, ...] = Field(
        "what it could make lawful: findings on that are doubtful, and name the rule; absent: nothing", default=()
    )
    section: Section = Field("where the rulebook prints it")


class GameFile(Common):
    """The whole of game.yaml, the family's share merged in."""

    format: Literal[1] = Field("version of this layout of files; always 1")
    name: Identifier = Field("what sheets and commands call the game; also its folder")
    family: Identifier | None = Field(
        "the family whose files this game's are laid over; absent: it says everything itself", default=None
    )
    letter: str = Field("how rule citations begin", pattern="^[A-Z]$")
    module: Module
    sides: tuple[SideSpec, ...] = Field(min_length=2, max_length=2)
    turns: Turns
    sequence: tuple[PhaseSpec, ...] = Field("the phases of a turn, in their order", min_length=1)
    weather: dict[Annotated[str, Defines("weather")], TurnSpan] = Field(
        "weather -> first and last turn", default={}
    )
    weather_areas: dict[AreaRef, dict[WeatherRef, TurnSpan]] = Field(
        "areas of the map with a weather of their own by turns -> weather -> first and last turn; in other turns "
        "they have that of the map",
        default={},
    )
    weather_die: WeatherDie | None = Field(
        "weather by dice, in place of `weather`; absent: the turn decides", default=None
    )
    order_die: OrderDie | None = Field(
        "dice that say who goes first in each turn; absent: as `sequence` has it", default=None
    )
    figures: Literal["attack-defence-move", "strength-move", "strength"] = Field(
        "what counters print; of one strength, attack and defence in counters.csv are alike",
        default="attack-defence-move",
    )
    unit_types: dict[Annotated[Identifier, Defines("unit-type")], UnitType] = Field("the types of unit, by id")
    movement_classes: Annotated[Words, Defines("movement-class")] = Field(
        "the ways of moving: each has a cost in every terrain"
    )
    classes: dict[Annotated[Identifier, Defines("class")], UnitTypeRefs] = Field(
        "named lists of unit types that rules speak of; `guns` are those that fire from afar"
    )
    rules: Rules
    not_judged: tuple[NotJudged, ...] = Field(
        "rules of the game that no data can say; every answer names them", default=()
    )
    options: dict[OptionRef, Option] = Field("rulings that a tournament may set otherwise, by id", default={})

    def orders(self, turn: int, first: str = "") -> tuple[Sequence[int], ...]:
        """The orders that the phases of `sequence` may have in a turn: one alone where who goes first is known."""
        rule, plain = self.order_die, range(len(self.sequence))
        at = next((i for i, spec in enumerate(self.sequence) if rule and rule.phase in spec.names), None)
        if at is None or not self.sequence[at].played(turn):
            return (plain,)
        return tuple(
            (*plain[: at + 1], *sorted(plain[at + 1 :], key=lambda i: self.sequence[i].side != side))
            for side in ([first] if first else [spec.id for spec in self.sides])
        )

    @cached_property
    def reactions(self) -> frozenset[int]:
        """The phases of `sequence` in which some move in the midst of the enemy's turn, as to slip away."""
        found = range(1, len(self.sequence) - 1)
        return frozenset(i for i in found if self._reacts(*self.sequence[i - 1 : i + 2]))

    def _reacts(self, before: PhaseSpec, spec: PhaseSpec, after: PhaseSpec) -> bool:
        limited = bool(spec.who or spec.marks or spec.divisions) or (spec.contact, spec.before) != ("any", "any")
        return spec.phase == "movement" and limited and before.side == after.side != spec.side

    def counted(self, side: str, kind: str, turn: int, weather: str = "") -> tuple[int, ...]:
        """The places in `sequence` of a side's phases of a kind in a turn, as players count them from 1 on.

        A weather that is known leaves some out. Reactions are not counted, so long as there are others to count.
        """
        every = [
            i
            for i, spec in enumerate(self.sequence)
            if (spec.side, spec.phase) == (side, kind) and spec.played(turn, weather)
        ]
        own = [i for i in every if i not in self.reactions]
        return (*own, *every[len(own) :])

    @cached_property
    def weathers(self) -> tuple[str, ...]:
        """All kinds of weather that the game has, by turns or by dice."""
        rows = self.weather_die.rows if self.weather_die else ()
        thrown = (w for row in rows for shows in (row.shows, *row.areas.values()) for w in shows.values())
        there = (weather for spans in self.weather_areas.values() for weather in spans)
        return tuple(dict.fromkeys((*self.weather, *there, *thrown)))

    @cached_property
    def climates(self) -> tuple[str, ...]:
        """The areas that have a weather of their own."""
        rows = self.weather_die.rows if self.weather_die else ()
        return tuple(dict.fromkeys((*self.weather_areas, *(area for row in rows for area in row.areas))))
