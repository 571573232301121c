"""Modifiers of combat: *when* they hold (all conditions together), and *what* they do."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from ..text.words import BadValueError, message
from .base import (
    DivisionRefs,
    HexsideRefs,
    Identifier,
    MarkRefs,
    Near,
    PhaseRefs,
    SideRef,
    SwitchRef,
    TerrainRefs,
    TurnSpan,
    TypeRefs,
    WeatherRefs,
    printed,
)
from .declared import BeforeValidator, Field, Model, idle, warning

Party = Literal["attackers", "defenders"]
Share = Literal["any", "all", "none"]


def _factor(value: Any) -> Any:
    """`1/2`, `½`, `3` or `1.5` as a fraction."""
    if isinstance(value, Fraction):
        return value
    try:
        found = Fraction(str(printed(value))).limit_denominator(100)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 100 or found.denominator > 100:
        raise BadValueError(message("scenario.value.factor", given=repr(value)))
    return found


Factor = Annotated[Fraction, BeforeValidator(_factor, json_schema_input_type=str | float)]


class Commander(Near):
    """Who leads: a friendly unit on the map, within so many hexes of whom he leads."""

    formation: Literal["regiment", "division", "corps"] | None = Field(
        "and of the unit's own formation; absent: whoever leads, leads all", default=None
    )


class Who(Model):
    """Units of a kind; what is left empty does not matter."""

    side: SideRef | None = Field("units of this side alone", default=None)
    types: TypeRefs = Field("unit types, or classes of game.yaml", default=())
    divisions: DivisionRefs = Field("units of these divisions", default=())
    marks: MarkRefs = Field("units that bear one of these marks, as `disrupted`", default=())
    near: Commander | None = Field(
        "units that have such a one of their side near them, leaders or headquarters say, or are it", default=None
    )
    far: Commander | None = Field("units that have none such near them", default=None)
    ran: int = Field(
        "units of the side at play whose last so many hexes, in its latest movement phase of the turn, lay in one "
        "straight line up to where they stand; 0: however they came there",
        default=0,
        ge=0,
        le=30,
    )


class InTerrain(Model):
    """The terrain of the hexes that are attacked, or of those that attackers stand in."""

    kind: Literal["terrain"]
    terrain: TerrainRefs = Field("one of these")
    share: Share = Field("in any of the hexes, in all, or in none", default="any")
    of: Party = Field(
        "whose hexes: those that are attacked, or those in which `attackers` stand, guns included",
        default="defenders",
    )


class InWorks(Model):
    """Hexes that are fortified as a whole, as map.yaml lists them."""

    kind: Literal["works"]
    share: Share = Field("any of the hexes attacked, all, or none", default="any")
    SLIPS = (idle("no-works", "", lambda c, r: r.share != "none" and not c.map.fortified),)


class AcrossHexside(Model):
    """Hexsides between the attackers next to a target and the target; fire from a distance crosses none."""

    kind: Literal["hexside"]
    hexsides: HexsideRefs = Field("one of these kinds")
    share: Share = Field("crossed by any of the attackers, by all, or by none", default="all")
    bridged: Literal["any", "yes", "no"] = Field(
        "only where a bridge, or a way that has one, crosses it (`yes`), or none (`no`)", default="any"
    )


class InTurns(Model):
    """Some turns."""

    kind: Literal["turns"]
    turns: TurnSpan = Field("first and last turn")


class InWeather(Model):
    """The weather of the turn."""

    kind: Literal["weather"]
    weather: WeatherRefs = Field("one of these, of game.yaml's `weather`")


class InPhase(Model):
    """The phase in which it is fought."""

    kind: Literal["phase"]
    phases: PhaseRefs = Field("one of these phases, by their kind or their id", min_length=1)


class ByAttacker(Model):
    """Who attacks."""

    kind: Literal["attacker"]
    side: SideRef = Field("the side that attacks")


class WithUnits(Who):
    """Units that take part; guns that support from a distance do."""

    kind: Literal["units"]
    of: Party = Field("whose units are looked at")
    share: Share = Field("whether any of them are such, all, or none", default="any")
    least: int = Field("with `share: any`, how many of them must be such, or more", default=1, ge=1, le=99)
    afar: bool = Field("whether guns that fire from a distance are looked at too", default=True)

    def __post_init__(self) -> None:
        if self.least > 1 and self.share != "any":
            raise BadValueError(message("scenario.value.counted", share=self.share))


class Together(Model):
    """Combined arms: at least one unit of each list takes part."""

    kind: Literal["together"]
    of: Party = Field("whose units are looked at")
    types: tuple[TypeRefs, ...] = Field("lists of unit types or classes", min_length=2)


class Surrounded(Model):
    """No defender has a hex to retreat to."""

    kind: Literal["surrounded"]


class Around(Model):
    """Attackers come from several sides: out of so many hexes, or out of two opposite ones."""

    kind: Literal["around"]
    least: int = Field("hexes next to one target out of which it is attacked, or more", ge=2, le=6)
    opposite: bool = Field("or out of two hexes on opposite sides of it", default=False)


class FromAfar(Model):
    """Whether guns at a distance attack alone."""

    kind: Literal["afar"]
    alone: bool = Field("true: nobody attacks from next to the target; false: somebody does")


class AtRange(Model):
    """How far from the nearest hex attacked those are who attack it or fire at it; next to it is 1."""

    kind: Literal["distance"]
    least: int = Field("so many hexes, or more", default=1, ge=1)
    most: int | None = Field("so many hexes, or fewer; absent: any number", default=None, ge=1)
    share: Share = Field("all of them, any, or none; of a strength each unit by itself", default="all")
    SLIPS = (
        idle(
            "too-far",
            "",
            lambda c, r: r.share != "none" and r.least > max((unit.range or 1 for unit in c.units), default=1),
        ),
    )

    def __post_init__(self) -> None:
        if self.most is not None and self.least > self.most:
            raise BadValueError(message("scenario.value.least", least=self.least, most=self.most))


class Between(Model):
    """What lies on the straight line from the centre of an attacker's hex to that of the hex attacked.

    The hexes at both ends do not count, nor do their hexsides; from the next hex nothing lies between. Of several
    hexes attacked the line to each is looked at.
    """

    kind: Literal["between"]
    terrain: TerrainRefs = Field("hexes of one of these", default=())
    hexsides: HexsideRefs = Field("hexsides of one of these kinds, crossed or followed", default=())
    units: Literal["none", "friends", "enemies", "any"] = Field(
        "hexes in which units stand: of the attacker's side, of the enemy's, or of any", default="none"
    )
    along: Literal["both", "either"] = Field(
        "where the line runs along the side between two hexes: whether `both` must be such or `either`",
        default="both",
    )
    share: Share = Field("before all attackers, any, or none; of a ban each by himself", default="all")

    def __post_init__(self) -> None:
        if not (self.terrain or self.hexsides or self.units != "none"):
            raise BadValueError(message("scenario.value.between"))


class AfterLosses(Model):
    """What a side has lost since the game began: demoralisation."""

    kind: Literal["losses"]
    side: SideRef = Field("who has lost it")
    of: Party | None = Field("only where this side attacks, or defends", default=None)
    counted: Literal["units", "steps", "factors"] = Field(
        "units eliminated, steps lost, or attack factors of the front of units eliminated"
    )
    least: int = Field("so many, or more", ge=1)


class OfFormation(Model):
    """Everybody on one side is of one formation."""

    kind: Literal["formation"]
    of: Party = Field("whose units are looked at")
    by: Literal["regiment", "division", "corps"] = Field("which formation")
    whole: bool = Field("and all of it that lives takes part", default=False)
    least: int = Field("so many units of it, or more", default=2, ge=1)
    stand: Literal["anywhere", "linked", "hex"] = Field(
        "where they stand: `anywhere`, `linked` (the hex of each next to that of another, or the same), or all in "
        "one `hex`",
        default="anywhere",
    )
    SLIPS = (idle("no-formation", "", lambda c, r: c.nobody_of(r.by)),)


class IsDeclared(Model):
    """The attacker says so in the combat, by the modifier's name: `use barrage`."""

    kind: Literal["declared"]
    by: Literal["attacker", "defender"] = Field("whose it is to declare", default="attacker")
    most: int | None = Field("how many times he may in a turn; absent: any", default=None, ge=1)
    times: int = Field(
        "how many times he may in one combat, one `use` each; column, die or factor count as often",
        default=1,
        ge=1,
        le=20,
    )
    pool: Identifier | None = Field(
        "a name that several modifiers share, for attack and for defence say, whose `most` and `times` then limit "
        "all of them together",
        default=None,
    )


class IsOption(Model):
    """An option of the game, as the tournament or the sheet sets it."""

    kind: Literal["option"]
    option: SwitchRef = Field("an option of game.yaml with the choices yes and no")
    value: Literal["yes", "no"] = Field("what it is set to", default="yes")
    share: Literal["all", "none"] = Field("`none`: where it is set to anything else", default="all")


class InOverrun(Model):
    """An attack in the course of a move, as `overruns` of `rules.movement` allows it."""

    kind: Literal["overrun"]
    share: Literal["all", "none"] = Field("`none`: in any attack but an overrun", default="all")


Condition = Annotated[
    InTerrain
    | InWorks
    | AcrossHexside
    | InTurns
    | InWeather
    | InPhase
    | ByAttacker
    | WithUnits
    | Together
    | Surrounded
    | Around
    | FromAfar
    | AtRange
    | Between
    | AfterLosses
    | OfFormation
    | IsDeclared
    | InOverrun
    | IsOption,
    Field(discriminator="kind"),
]


class Columns(Model):
    """Moves the column."""

    kind: Literal["columns"]
    columns: int = Field("to the right, in the attacker's favour; negative to the left", ge=-20, le=20)
    SLIPS = (
        idle("no-change", "", lambda c, r: not r.columns),
        warning("game.past-the-table", "", lambda c, r: abs(r.columns) >= c.wide and {"most": c.wide - 1}),
    )


class Die(Model):
    """Is added to what the dice show."""

    kind: Literal["die"]
    die: int = Field("added to the dice; may be negative", ge=-20, le=20)
    SLIPS = (
        idle("no-change", "", lambda c, r: not r.die),
        warning("game.past-the-dice", "", lambda c, r: abs(r.die) > c.differ and {"most": c.differ}),
    )


class Strength(Model):
    """What is done to the strength of each unit; ground is asked of each by itself, who takes part of all."""

    of: Literal["attackers", "defenders", "both", "guards"] = Field(
        "which value of a unit is changed, not whose units: `attackers` its attack (also that of guns which lend "
        "it to a defence), `defenders` its defence, `both` either, `guards` what guns add from a distance to a "
        "defence"
    )
    units: Who = Field("only these units", default=Who())


class Multiply(Strength):
    """Multiplies a strength; several are multiplied together and rounded once."""

    kind: Literal["factor"]
    by: Factor = Field("2, 3, `1/2`, `1/3` …")
    rounding: Literal["up", "down", "nearest", "sum"] = Field(
        "what becomes of a unit's fraction: rounded `up`, `down`, to the `nearest`; `sum`: it stays, and the "
        "side's total is rounded, as `sums` of `rules.combat` says",
        default="up",
    )
    SLIPS = (idle("no-change", "", lambda c, r: r.by == 1),)


class Fixed(Strength):
    """Puts a fixed strength in place of the unit's own."""

    kind: Literal["strength"]
    strength: int = Field(
        "the strength that counts; of several that hold the last in the list does, and factors multiply it",
        ge=0,
        le=99,
    )


class Morale(Strength):
    """Is added to the morale of units that are tested."""

    kind: Literal["morale"]
    of: Literal["attackers", "defenders", "both"] = Field("whose morale")
    morale: int = Field("added to the unit's morale; may be negative", ge=-20, le=20)
    SLIPS = (
        idle("no-change", "", lambda c, r: not r.morale),
        idle("no-morale", "", lambda c, r: c.nobody_of("morale")),
    )


class Barred(Model):
    """Forbids units to attack; ground and distance are asked of each by itself, who takes part of all."""

    kind: Literal["barred"]
    of: Literal["attackers", "guards", "both"] = Field(
        "those who attack, guns that support the defence (`guards`), or both", default="attackers"
    )
    units: Who = Field("only these units", default=Who())


class Stays(Model):
    """Forbids units to advance after the combat; ground is asked of each by itself, who took part of all."""

    kind: Literal["stays"]
    units: Who = Field("only these units", default=Who())


class ByUnity(Model):
    """Columns for complete formations, as `unity` of `rules.combat` counts them."""

    kind: Literal["unity"]
    of: Party = Field("whose formations: to the right for attackers, to the left for defenders")


Effect = Annotated[
    Columns | ByUnity | Die | Multiply | Fixed | Morale | Barred | Stays, Field(discriminator="kind")
]


class Modifier(Model):
    """One modifier of combat."""

    name: Identifier = Field("its key in the texts, below `modifiers`; no two are called alike")
    when: tuple[Condition, ...] = Field("conditions that must all hold; empty: always", default=())
    what: Effect = Field("columns, a die, a factor, a fixed strength, morale, or no attack at all")
    group: Identifier | None = Field("modifiers that do not simply add up: see `groups`", default=None)
    section: str = Field("where the rulebook prints it", default="")
    each: Literal["combat", "target"] = Field(
        "what the conditions are asked of: the combat as a whole, or each hex attacked by itself, of which the one "
        "counts that is best for the defender",
        default="combat",
    )
    table: Literal["crt", "bombardment", "both"] = Field(
        "for what it moves column or die, changes strengths, or forbids the attack: combats, bombardments, or "
        "either; morale changes for either",
        default="crt",
    )
    SLIPS = (
        warning("game.no-view", "", lambda c, r: not c.afar and any(isinstance(one, Between) for one in r.when)),
    )


class Cap(Model):
    """The sum of a group, held within a limit."""

    most: int = Field("how far they may move the column, or the die, together, either way", ge=1, le=20)


def _group(value: Any) -> Any:
    """What a group is counted by, told as one thing where it is none."""
    number = value.get("most") if isinstance(value, dict) and value.keys() == {"most"} else value
    if value in ("sum", "best") or isinstance(value, Cap):
        return value
    if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= 20:
        return value
    raise BadValueError(message("scenario.value.group", given=repr(value)))


Group = Annotated[
    Literal["sum", "best"] | int | Cap,
    BeforeValidator(_group, json_schema_input_type=Literal["sum", "best"] | int | Cap),
]
"""What counts of the modifiers of a group: their sum, that within a limit, the one that moves most, or so many that
help either side.
"""
