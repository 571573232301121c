"""setup.yaml: who stands where at the start, who comes when, who leaves.

victory.yaml: objectives and points.

counters.csv: one row a counter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from ..text.words import SOURCE, BadValueError, Language, message
from .base import (
    LANGUAGE,
    AreaRef,
    AreaRefs,
    Defines,
    EdgeName,
    EdgeRef,
    FormationRef,
    HexRefs,
    HexsideRef,
    Identifier,
    InPhases,
    Near,
    Note,
    PhaseRefs,
    PlaceRef,
    PlaceRefs,
    Section,
    SideRef,
    SideRefs,
    Size,
    Sourced,
    SourcedFact,
    TurnLimit,
    TurnRef,
    TurnRefs,
    TurnSpan,
    UnitRefs,
    UnitTypeRef,
    printed,
)
from .declared import BeforeValidator, Field, Model, error, idle, warning
from .results import DiceText, covers, numbers

_WHOLE: Final = re.compile("([0-9]{1,2})[.,]0{1,4}")


def _blank(value: Any) -> Any:
    return None if value == "" else value


def _number(value: Any) -> Any:
    if isinstance(value, str) and (found := _WHOLE.fullmatch(value.strip())):
        return found[1]  # as spreadsheets write whole numbers in a column with decimals
    if isinstance(value, str) and not value.strip().isdecimal():
        key = "number" if isinstance(printed(value), str) else "halves-on-counters"
        raise BadValueError(message(f"scenario.value.{key}", given=repr(value)))
    return value


Number = Annotated[int, BeforeValidator(_number), Field(ge=0, le=99)]
OptionalNumber = Annotated[Number | None, BeforeValidator(_blank)]
MAX_STEPS: Final = 6
_PAIR: Final = re.compile("([0-9]{1,2})-([0-9]{1,2})")


def _pairs(value: Any) -> Any:
    """`3-3 1-1` as pairs of numbers."""
    if not isinstance(value, str):
        return value
    found = [_PAIR.fullmatch(word) for word in value.split()]
    if not all(found) or len(found) > MAX_STEPS - 2:
        raise BadValueError(message("scenario.value.steps", given=repr(value), most=MAX_STEPS - 2))
    return tuple((int(pair[1]), int(pair[2])) for pair in found if pair)


Pairs = Annotated[tuple[tuple[int, int], ...], BeforeValidator(_pairs, json_schema_input_type=str)]
"""Attack and defence of several steps."""


def _levels(value: Any) -> Any:
    """`7 5` as numbers, one for each step."""
    if not isinstance(value, str):
        return value
    words = value.split()
    if not all(word.isdecimal() and len(word) < 3 for word in words) or len(words) > MAX_STEPS:
        raise BadValueError(message("scenario.value.morale", given=repr(value), most=MAX_STEPS))
    return tuple(map(int, words))


Levels = Annotated[tuple[int, ...], BeforeValidator(_levels, json_schema_input_type=str)]
Strength = Literal["printed", "inferred", "assumed"]
Identity = Literal["printed", "history", "assumed"]


def _figures(kind: str, *columns: str) -> Sourced:
    """The figures of some columns are a datum, unless all of them are blank."""

    def facts(row: CounterRow) -> Iterator[SourcedFact]:
        figures = [getattr(row, column) for column in columns]
        if any(figure is not None for figure in figures):
            yield SourcedFact(row.id, "-".join(map(str, figures)))

    return Sourced(kind, facts)


_STRENGTH: Final = _figures("strength", "attack", "defence", "move")
_REDUCED: Final = _figures("reduced", "reduced_attack", "reduced_defence")
_RANGE: Final = _figures("range", "range")
_IDENTITY: Final = Sourced("identity", lambda row: [SourcedFact(row.id, row.name(SOURCE))])
_NAME: Final = re.compile(f"name_({LANGUAGE})")


def _columns(schema: dict[str, Any]) -> None:
    # A row has a column of names a language, whatever the languages are, and none for all of them.
    del schema["properties"]["names"]
    schema["patternProperties"] = {f"^{_NAME.pattern}$": {"type": "string"}}


class CounterRow(Model):
    """A counter's two faces and its place in the order of battle.

    `attack defence move` are the figures of the front, `reduced_attack reduced_defence` those of the back;
    `range` (hexes) only for guns that fire at a distance. A game has the `name_` columns of its languages:
    `name_fr` is what `names` holds for `fr`.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {**Model.__pydantic_config__, "json_schema_extra": _columns}

    id: Annotated[Identifier, Defines("unit")] = Field(
        "what sheets and findings call it: its side's prefix, its formation, a number for those alike"
    )
    side: SideRef = Field("the side that plays it")
    branch: str = Field("one of the side's branches, which gives the counter its colours")
    names: Mapping[Language, str] = Field(default_factory=dict)
    type: UnitTypeRef = Field("unit type: its symbol and how it moves")
    size: Size = Field("mark of its size, from I (company) to XXXXX (army group)")
    regiment: str = Field("number or name of its regiment; blank: it belongs to none", default="")
    division: str = Field("number or name of its division; blank: independent", default="")
    corps: str = Field("number or name of its corps; blank: none", default="")
    label: str = Field(
        "what the counter prints beside its symbol, as a leader's name and rating; blank: its regiment, or what "
        "its id names",
        default="",
        examples=["KDG"],
    )
    attack: Number = Field("attack strength at full strength")
    defence: Number = Field("defence strength at full strength")
    move: Number = Field("movement points a turn")
    range: OptionalNumber = Field(
        "hexes over which a gun fires; blank: it fires at nobody beyond the next hex", default=None
    )
    reduced_attack: OptionalNumber = Field(
        "attack strength of the back; blank: not known, see `unknown_back`", default=None
    )
    reduced_defence: OptionalNumber = Field(
        "defence strength of the back; blank: not known, see `unknown_back`", default=None
    )
    reduced_move: Levels = Field(
        "movement points at the second step and at those after it, of which the last counts on; blank: as at full "
        "strength",
        default=(),
        examples=["4"],
    )
    further: Pairs = Field(
        "attack-defence of the third step and of those after it, of units with up to six steps",
        default=(),
        examples=["3-3 1-1"],
    )
    morale: Levels = Field(
        "what dice are held against in tests of morale: one number, or one for each step, of which the last counts "
        "for those after it; blank: it is never tested",
        default=(),
        examples=["7 5"],
    )
    source_strength: Annotated[Strength, _STRENGTH] = Field("where attack, defence, move and morale come from")
    source_reduced: Annotated[Strength, _REDUCED] = Field("where the reduced figures come from", default="assumed")
    source_range: Annotated[Strength, _RANGE] = Field("where the range comes from", default="printed")
    source_identity: Annotated[Identity, _IDENTITY] = Field("where the unit's number and formation come from")
    note: Note = ""
    SLIPS = (warning("counters.no-step", "reduced_move", lambda c, r: r.reduced_move and not r.backs),)

    @classmethod
    def of_row(cls, row: Mapping[str, str]) -> Self:
        """What a row of the file says, by its columns. Raises pydantic's ValidationError."""
        names = {found[1]: row[column] for column in row if (found := _NAME.fullmatch(column)) and row[column]}
        rest = {column: cell for column, cell in row.items() if not _NAME.fullmatch(column)}
        return cls.model_validate(rest | {"names": names})

    def __post_init__(self) -> None:
        if (self.reduced_attack is None) != (self.reduced_defence is None):
            raise BadValueError(message("scenario.value.half-a-back"))
        if self.further and (self.reduced_attack is None or self.reduced_defence is None):
            raise BadValueError(message("scenario.value.steps-gap"))

    @classmethod
    def has_column(cls, name: str) -> bool:
        """Whether the file may have a column of this name."""
        return (name in cls.model_fields and name != "names") or _NAME.fullmatch(name) is not None

    def name(self, language: Language) -> str:
        """The name in a language, in English or else in any where it has none, else the id."""
        return self.names.get(language) or self.names.get(SOURCE) or next(iter(self.names.values()), self.id)

    @property
    def backs(self) -> tuple[tuple[int, int], ...]:
        """Attack and defence of each step after the first, as far as they are known."""
        if self.reduced_attack is None or self.reduced_defence is None:
            return ()
        return ((self.reduced_attack, self.reduced_defence), *self.further)


class Placement(Model):
    """Units in one hex, or free within several hexes or areas."""

    units: UnitRefs = Field("ids of the counters", min_length=1)
    reduced: int = Field("steps that they have lost when the game begins", default=0, ge=0, lt=MAX_STEPS)
    hexes: HexRefs = Field("one hex: fixed there; several: any of them", default=())
    areas: AreaRefs = Field("ids of areas of map.yaml, any hex of any of them", default=())
    free: bool = Field(
        "anywhere behind its own line: no nearer to the places of the enemy than to its own", default=False
    )
    listed: str = Field(
        "attack-defence-movement as the rulebook's list has them, if not as the counters do",
        default="",
        pattern=r"^([0-9]+-[0-9]+-[0-9]+)?$",
    )
    section: Section
    note: Note = ""


class Quota(Model):
    """How many whole regiments of some units stand in an area; judged when all of the units are placed."""

    units: UnitRefs = Field("ids of the counters of which it speaks", min_length=1)
    area: AreaRef = Field("the area in which they stand")
    regiments: int = Field("whole regiments of them that must stand there", ge=0)
    section: Section
    SLIPS = (
        error(
            "setup.quota",
            "",
            lambda c, r: r.regiments > (has := c.regiments(r.units)) and {"wanted": r.regiments, "count": has},
        ),
    )


class ArrivalDie(Model):
    """Dice, thrown at most once a turn, by which units of a line come: `arrivals c1 roll 4` names any of them."""

    dice: DiceText
    shows: dict[str, Annotated[int, Field(ge=0, le=99)]] = Field(
        "what the dice show, as rows of tables say it -> how many units of the line may come in that turn, as "
        '`{"1-4": 0, "5-6": 2}`; who does not come in it waits for another throw'
    )

    def __post_init__(self) -> None:
        if not covers(self.dice, self.shows):
            raise BadValueError(message("scenario.value.shows", dice=self.dice))

    def count(self, thrown: int) -> int:
        """How many units the dice let come."""
        return next(many for name, many in self.shows.items() if thrown in numbers(name))


class Reinforcement(Model):
    """Units that enter in a turn (or later) by edges or hexes."""

    turn: TurnRef = Field("the turn in which they come; earlier is never right, later is unless `until` ends it")
    until: TurnLimit | None = Field(
        "the last turn in which they may come; absent: any from `turn` on", default=None
    )
    phases: PhaseRefs = Field(
        "phases of their side in which alone they come; empty: those of movement, and those that `does` opens by "
        "`enter` and no other line of the side names",
        default=(),
    )
    units: UnitRefs = Field("ids of the counters", min_length=1)
    reduced: int = Field("steps that they have lost when they come", default=0, ge=0, lt=MAX_STEPS)
    edges: tuple[EdgeName, ...] = Field("edges of the map by which they may come; any of them", default=())
    hexes: HexRefs = Field("entry hexes, where the rulebook names them; also inside the map", default=())
    areas: AreaRefs = Field("areas in any hex of which they may enter", default=())
    places: PlaceRefs = Field("places in any hex of which they may enter", default=())
    near: Near | None = Field(
        "near which units they may enter, also inside the map; absent: near none", default=None
    )
    held: bool = Field(
        "only in hexes that their own side was the last to hold, as ports and airfields", default=False
    )
    die: ArrivalDie | None = Field(
        "dice that say turn by turn how many of them come; absent: all of them may", default=None
    )
    group: str = Field("units with one group name must all use the same edge", default="")
    optional: bool = Field(
        "true: charts and boxes say that the owner chooses the turn, from `turn` on; nothing is judged by it",
        default=False,
    )
    section: Section
    note: Note = ""


class Withdrawal(Model):
    """Units that leave at the start of a turn, unless a rule delays them."""

    turn: TurnRef = Field("the turn at whose start they leave")
    units: UnitRefs = Field("ids of the counters", min_length=1)
    returns_turn: TurnRef | None = Field("the turn in which they come back; absent: never", default=None)
    returns_edges: tuple[EdgeName, ...] = Field("edges of the map by which they come back", default=())
    section: Section
    note: Note = ""


class Pool(Model):
    """Units that begin destroyed: they come into the game by replacements (`rebuild`), or not at all."""

    units: UnitRefs = Field("ids of the counters", min_length=1)
    section: Section


class SetupFile(Model):
    """The whole order of arrival. `totals` are the counters that the rulebook counts, by side."""

    at_start: tuple[Placement, ...]
    quotas: tuple[Quota, ...] = ()
    reinforcements: tuple[Reinforcement, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    pool: tuple[Pool, ...] = Field(
        "units that begin destroyed, for `rules.replacements` to bring into the game", default=()
    )
    totals: dict[SideRef, int] = Field("side -> counters that the rulebook counts, for a check", default={})
    totals_section: str = Field("section that counts them, for citations", default="")

    @cached_property
    def weak(self) -> Mapping[str, int]:
        """Units that begin with steps lost, and how many."""
        lines: tuple[Placement | Reinforcement, ...] = (*self.at_start, *self.reinforcements)
        return {u: line.reduced for line in lines if line.reduced for u in line.units}

    @property
    def is_chosen(self) -> bool:
        """Whether players choose where some units begin, so that the game begins with a set-up."""
        return any(len(p.hexes) != 1 or p.areas for p in self.at_start)


class Objective(Model):
    """A place (id of map.yaml) that scores for whoever holds all its hexes at the end."""

    place: PlaceRefs = Field("one place, or several that must all be held", min_length=1)
    points: dict[SideRef, int] = Field("side -> points, if it holds the place")
    each_turn: bool = Field("at the end of each turn, and not of the game alone", default=False)
    at_turns: TurnRefs = Field("at the end of each of these turns, and not of the game alone", default=())
    section: Section
    SLIPS = (
        idle("scores-nothing", "points", lambda c, r: not any(r.points.values())),
        idle("each-turn", "at_turns", lambda c, r: r.each_turn),
    )

    @property
    def by_turns(self) -> bool:
        """Whether it scores as turns end."""
        return self.each_turn or bool(self.at_turns)


class ExitScore(Model):
    """Units that score by leaving the map in time."""

    side: SideRef = Field("the side that scores")
    division: FormationRef | None = Field("division or corps whose units score; absent: all", default=None)
    edge: EdgeRef = Field("edge by which they leave")
    hexes: HexRefs = Field("only by these hexes of it; empty: by any", default=())
    after_place: PlaceRef | None = Field("a place that they must have passed before", default=None)
    last_turn: TurnLimit = Field("the last turn in which it counts")
    phases: InPhases = ()
    counted: Literal["units", "steps", "factors"] = Field(
        "what brings the points: each unit, each step that it has left, or each attack factor", default="units"
    )
    points: int = Field("points a unit, step or factor")
    section: Section
    SLIPS = (
        idle("scores-nothing", "points", lambda c, r: not r.points),
        error(
            "victory.exit-hex",
            "hexes",
            lambda c, r: ({"hex": h, "edge": r.edge} for h in r.hexes if h not in c.map.edges.get(r.edge, ())),
        ),
        error(
            "victory.not-marked",
            "",
            lambda c, r: r.after_place not in (None, *c.rules.movement.marked) and {"place": r.after_place},
        ),
    )


class Border(Model):
    """An area told by its border: what lies between lines of a kind on hexsides and an edge of the map."""

    line: HexsideRef = Field("kind of hexside that bounds the area")
    edge: EdgeName = Field("edge of the map on its other side")


class SuddenEnd(Model):
    """A side wins at once, as a phase or a turn ends; every condition given must hold."""

    side: SideRef = Field("the side that wins")
    at: Literal["phase", "turn"] = Field(
        "when it is looked at: as each phase ends, or as the turn ends", default="phase"
    )
    place: PlaceRefs = Field("places of which it holds every hex", default=())
    points: int | None = Field("points that it has at least", default=None)
    lead: int | None = Field("points that it has more than the enemy, at least", default=None)
    none_left: bool = Field("no enemy unit is on the map", default=False)
    turns: TurnSpan | None = Field("first and last turn of the rule; absent: every turn", default=None)
    section: Section
    SLIPS = (
        error("victory.no-condition", "", lambda c, r: not (r.place or r.none_left) and r.points is r.lead is None),
    )


class Level(Model):
    """How a game is won: the first level that fits is that of the game."""

    name: Identifier = Field("its key in the texts, below `levels`")
    side: SideRef | None = Field("the side that wins so; absent: nobody, a draw", default=None)
    of: SideRef | None = Field(
        "whose points or lead are meant; absent: those of `side`, or for a draw of either", default=None
    )
    by: Literal["points", "lead", "ratio"] = Field(
        "what is held against `least`: its points, what it has more, or how many times", default="lead"
    )
    least: Annotated[float, BeforeValidator(printed, json_schema_input_type=float)] = Field(
        "so many, or more: `10`; `1.5` for a ratio; `-4`: a lead of a named side, or up to four behind",
        ge=-100_000,
        le=100_000,
    )

    @property
    def measured(self) -> SideRef | None:
        """Whose points are held against `least`; None: either side's."""
        return self.of or self.side

    def __post_init__(self) -> None:
        if self.least < 0 and (self.by != "lead" or not (self.of or self.side)):
            raise BadValueError(message("scenario.value.behind", least=f"{self.least:g}"))


class VictoryFile(Model):
    """How the game is scored. `destroyed`: points a side gets for each enemy counter destroyed."""

    section: Section
    objectives: tuple[Objective, ...]
    destroyed: dict[SideRef, Annotated[int, Field(ge=0)]] = Field("side -> points for each enemy counter destroyed")
    destroyed_counted: Literal["units", "steps", "factors"] = Field(
        "what `destroyed` gives points for: units eliminated, steps lost, or attack factors eliminated",
        default="units",
    )
    destroyed_every: int = Field("for every so many of them; what is over is not counted", default=1, ge=1)
    sudden: tuple[SuddenEnd, ...] = Field("how a side wins before the last turn is over", default=())
    levels: tuple[Level, ...] = Field("how well a side has won, the best first", default=())
    control: dict[PlaceRef, SideRef] = Field(
        "who holds a place at the start, where no unit shows it: place -> side", default={}
    )
    exits: tuple[ExitScore, ...] = ()
    no_exit_bonus: dict[SideRef, int] = Field("side -> points if no enemy unit exited", default={})
    final_losses: SideRefs = Field("sides that lose a share of their reduced units at the end", default=())
    final_loss_every: int | None = Field(
        "one of every so many reduced units is lost, what is over is not counted", default=None, ge=1
    )
    beyond_area: dict[SideRef, dict[AreaRef, int]] = Field(
        "side -> area -> points, once, if a unit stands there at the end", default={}
    )
    borders: dict[AreaRef, Border] = Field(
        "area -> its border, for maps that draw the line but not the area", default={}
    )
    SLIPS = (error("victory.no-share", "final_losses", lambda c, r: r.final_losses and r.final_loss_every is None),)
