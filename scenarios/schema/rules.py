"""The `rules` section of game.yaml: the figures and lists by which the games of a family differ.

A rule itself is code in the referee; what it counts with stands here, each with the section that says so.

Units that pass under the other side's command in a turn (`rules.allegiance`): a nation that changes sides.

Attrition: steps that units lose in a phase for what they bear, as want of supply (`rules.attrition`).

Replacements: points by which a side turns losses back and brings the dead to life (`rules.replacements`).

Marks of state (the `rules.marks` section of game.yaml): how units come by them and get rid of them.

What a mark does stands with the rules that name it: no attack and halved strength with `combat.modifiers`, less
movement or none with `movement.allowances` and `movement.immobile`, no zone with `movement.zones`.

Units whose strength nobody knows before they first fight (`rules.untried`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Annotated, Any, Final, Literal

from ..text.words import BadValueError, message
from .base import (
    AtTimes,
    EdgeName,
    Halves,
    InPhases,
    MarkRef,
    MarkRefs,
    Near,
    PhaseRef,
    PlaceRefs,
    Section,
    Selector,
    SideRef,
    SizeOrTypeRef,
    TerrainRef,
    TerrainRefs,
    TurnRef,
    TurnSpan,
    TypeRefs,
    UnitRef,
)
from .declared import AfterValidator, BeforeValidator, Field, Model, error, idle, warning
from .modifiers import Commander
from .results import DiceText, Loss, Passes, covers, loss
from .rules_combat import CombatRules
from .rules_movement import MovementRules
from .rules_zones import Supply


class Allegiance(Selector):
    """Units that belong to the other side from the beginning of a turn on, where they stand and with all they bear.

    They keep their ids. Those that fit `side` are of it before that turn.
    """

    turn: TurnRef = Field("the turn from whose beginning on they are the other side's")
    to: SideRef = Field("the side under whose command they then are")
    section: Section
    SLIPS = (error("game.sworn-already", "to", lambda c, r: r.side == r.to and {"side": r.to}),)


class Attrition(Selector):
    """Units that lose steps in a phase: `attrition c1`, with `roll 4` where dice say how many.

    Each unit that fits suffers it once; who is not named when the phase ends is missed.
    """

    marks: MarkRefs = Field("units with one of these marks suffer it, as `unsupplied`", default=())
    moved: bool = Field(
        "only units that moved in their side's last movement phase, as in a forced march", default=False
    )
    phase: PhaseRef = Field("the phase in which they do")
    whose: Literal["own", "enemy"] = Field("the phase of the unit's `own` side, or of the `enemy`", default="own")
    steps: Annotated[Loss, BeforeValidator(loss, json_schema_input_type=int | str | Loss)] = Field(
        "what each of them loses: steps, `all`, dice as `1d6`, with `shows` if they say something else",
        default=Loss(),
    )
    last: bool = Field("whether a unit may lose its last step so; else that one stays", default=True)
    section: Section


class Replacements(Model):
    """Points of one side in some turns, for some units. The first that fits counts.

    Those for the same units of a side, in whatever turns, save into one stock.
    """

    side: SideRef = Field("the side that has them")
    types: TypeRefs = Field("unit types or classes that they are for; empty: all", default=())
    turns: TurnSpan | None = Field("first and last turn; absent: every turn", default=None)
    points: int = Field("points in each of these turns", ge=0)
    held: PlaceRefs = Field(
        "places each of which brings `points` while the side holds it; empty: once for all", default=()
    )
    saved: Annotated[int, Field(ge=1)] | Literal["all"] | None = Field(
        "what of a turn's rest is kept for later turns: `all`, or so many points at most; absent: none",
        default=None,
    )
    step: int | None = Field("points to turn back one loss (`recover`); null: none is", default=1, ge=0)
    rebuild: int | None = Field(
        "points to bring back a destroyed unit, reduced (`enter`); absent: none is", default=None, ge=0
    )
    most: int | None = Field(
        "steps that one unit may turn back in a turn, its coming back counted as one; absent: any",
        default=None,
        ge=1,
    )
    rebuilds: TypeRefs = Field("those of `types` that may be brought back; empty: all of them", default=())
    places: PlaceRefs = Field("places in which rebuilt units come back, clear of the enemy", default=())
    edges: tuple[EdgeName, ...] = Field("edges at which rebuilt units come back", default=())
    near: Near | None = Field(
        "near which units a loss is turned back, and rebuilt ones come back, clear of the enemy; absent: a loss "
        "anywhere",
        default=None,
    )
    delay: int = Field(
        "turns after that of its end in which a destroyed unit may not come back yet", default=0, ge=0
    )
    contact: bool = Field("whether a unit in an enemy zone may turn back a loss", default=False)
    barred_marks: MarkRefs = Field("marks with which a unit is given none, as `unsupplied`", default=())
    phases: InPhases = ()
    section: Section
    SLIPS = (
        idle("not-of-types", "rebuilds", lambda c, r: c.strangers(r.rebuilds, r.types)),
        idle("no-rebuild", "rebuilds", lambda c, r: r.rebuild is None),
        idle("no-points", "points", lambda c, r: not r.points and 0 not in (r.step, r.rebuild) != (None, None)),
        warning(
            "game.idle",
            "step",
            lambda c, r: c.single and r.rebuild is None and (r.points or not r.step) and c.idle("one-step", "step"),
        ),
        idle("after-the-end", "delay", lambda c, r: r.delay >= c.game.turns.last - c.game.turns.first),
        error("game.no-return", "rebuild", lambda c, r: not (r.rebuild is None or r.places or r.edges or r.near)),
        error(
            "game.near-nobody",
            "near.side",
            lambda c, r: r.near is not None and r.near.side not in (None, r.side) and {"side": r.side},
        ),
        error("game.vain-points", "", lambda c, r: r.rebuild is None and r.step is None),
    )


class Lapse(Model):
    """A phase at whose beginning or end a mark is gone."""

    phase: PhaseRef = Field("the phase, by its kind or its id")
    whose: Literal["own", "enemy", "any"] = Field(
        "the phase of the unit's `own` side, of the `enemy`, or of either", default="own"
    )
    at: Literal["start", "end"] = Field("whether when it begins or when it ends", default="end")
    unmoved: bool = Field("only units that have not moved in their last movement phase", default=False)
    clear: bool = Field("only units that stand in no enemy zone", default=False)
    becomes: MarkRef | None = Field("the mark that the unit bears in its place from then on", default=None)


class Rally(Model):
    """The mark goes when a player rallies the unit (`rally c1 roll 5`), in movement or a phase that `does` it."""

    dice: DiceText | None = Field("dice that are thrown for it; absent: none", default=None)
    shows: str = Field("what the dice have to show, as `4-6`", default="")
    passes: Passes | None = Field(
        "in place of `shows`: what they must show, held against the unit's morale", default=None
    )
    unmoved: bool = Field("whether it takes the place of the unit's move", default=False)
    clear: bool = Field("whether the unit must stand in no enemy zone", default=False)
    by: Commander | None = Field(
        "who rallies it: a leader so near, against whose morale the dice of `passes` are held in place of the "
        "unit's own, one throw for all whom he leads; absent: each unit itself",
        default=None,
    )
    phases: InPhases = ()
    SLIPS = (idle("always-alike", "shows", lambda c, r: r.dice and covers(r.dice, [r.shows])),)


class Take(AtTimes):
    """Units take the mark of their own will (`mark c1 as dug-in`), in movement or a phase that `does` it."""

    marks: MarkRefs = Field("only units that bear one of these marks already", default=())
    barred_marks: MarkRefs = Field("no unit that bears one of these marks", default=())
    terrain: TerrainRefs = Field("only in hexes of these; empty: anywhere", default=())
    points: Halves | None = Field(
        "movement points that it takes in movement, of what the unit then has left", default=None
    )
    unmoved: bool = Field("whether it takes the place of the unit's move", default=False)
    clear: bool = Field("whether the unit must stand in no enemy zone", default=False)


class StateMark(Model):
    """A mark of units, how they come by it of their own will, and what takes it from them."""

    mark: MarkRef = Field("the mark, as results give it or units take it")
    take: Take | None = Field("how units take it of their own will; absent: not at all", default=None)
    in_place: bool = Field(
        "it is gone once the unit leaves its hex: by a move, a retreat, an advance", default=False
    )
    lapses: tuple[Lapse, ...] = Field("phases that take it away; any of them", default=())
    rally: Rally | None = Field("how a player may take it away; absent: not at all", default=None)
    section: Section

    @property
    def gives(self) -> tuple[str, ...]:
        """The marks that units come to bear by it: itself, if they take it, and those that it becomes."""
        own = (self.mark,) if self.take is not None else ()
        return (*own, *(lapse.becomes for lapse in self.lapses if lapse.becomes is not None))


_FIGURES: Final = re.compile(r"[0-9]{1,2}-[0-9]{1,2}( [0-9]{1,2}-[0-9]{1,2}){0,5}")


def _listed(pool: dict[str, int]) -> dict[str, int]:
    for name in pool:
        if not _FIGURES.fullmatch(name):
            raise BadValueError(message("scenario.value.pool", given=repr(name)))
    return pool


class Untried(Selector):
    """Units that have no strength until they first fight; then one is drawn or turned up: `reveal c1 4-3`.

    It stays theirs from then on. Counters print `?` for it, whatever `counters.csv` gives.
    """

    pool: Annotated[dict[str, Annotated[int, Field(ge=1, le=999)]], AfterValidator(_listed)] = Field(
        "attack-defence, with those of the back, and of each step after it, behind blanks if they have figures -> "
        'how many of them there are to be drawn: `{"4-3": 5, "3-3 2-2 1-1": 2}`; empty: any strength',
        default={},
    )
    returned: bool = Field("whether the strength of a unit that is destroyed may be drawn again", default=False)
    section: Section

    def figures(self, attack: int, defence: int) -> tuple[tuple[int, ...], ...]:
        """What of the pool begins with an attack and a defence: and those of later steps where it has any."""
        found = (tuple(int(n) for n in re.findall("[0-9]+", name)) for name in self.pool)
        return tuple(each for each in found if each[:2] == (attack, defence))


def named(figures: tuple[Any, ...]) -> str:
    """How a pool names figures."""
    return " ".join("-".join(map(str, figures[i : i + 2])) for i in range(0, len(figures), 2))


Alike = Literal["any", "branch", "division", "corps"]


class SideStacking(Model):
    """What holds for one side's stacks in place of what holds for either."""

    limit: int | None = Field("its limit, also in terrain that takes more; absent: as for both", default=None, ge=1)
    alike: Alike | None = Field("as for both, for this side alone; absent: as for both", default=None)
    SLIPS = (idle("nothing-said", "", lambda c, r: r.limit is None and r.alike is None),)


class Stacking(Model):
    """How much of one side may end in a hex: so many units, or so many points where units count by their size."""

    limit: int = Field("units, or points where `points` gives any, of one side in a hex", ge=1)
    points: dict[SizeOrTypeRef, Annotated[int, Field(ge=0)]] = Field(
        "size of unit (`I` to `XXXXX`), unit type, class or counter -> points; the counter itself counts before "
        "all others, then the first that fits; what none fits is one point",
        default={},
    )
    counted: Literal["units", "steps"] = Field(
        "`units`: each counts its points, or one; `steps`: it counts them for each step that it has left",
        default="units",
    )
    terrain: dict[TerrainRef, Annotated[int, Field(ge=0)]] = Field(
        "terrain -> limit in its hexes; of several the lowest", default={}
    )
    free: TypeRefs = Field("unit types or classes that do not count", default=())
    alike: Alike = Field(
        "whether those that count must all be of one branch (nation), division or corps; who has none stacks with "
        "any",
        default="any",
    )
    sides: dict[SideRef, SideStacking] = Field("side -> what holds for its stacks alone", default={})
    checked: Literal["move", "phase", "always"] = Field(
        "`move`: after each move; `phase`: when a movement phase ends, or one in which units enter after it; "
        "`always`: after each move, and in every hex that it goes through",
        default="move",
    )
    section: Section
    SLIPS = (
        idle("one-step", "counted", lambda c, r: c.single),
        idle("no-formation", "alike", lambda c, r: r.alike in ("division", "corps") and c.nobody_of(r.alike)),
        idle(
            "one-branch",
            "alike",
            lambda c, r: r.alike == "branch" and all(len(side.branches) == 1 for side in c.game.sides),
        ),
        idle("nobody-counts", "free", lambda c, r: c.all_are(r.free)),
        warning(
            "game.no-room-at-all",
            "terrain",
            lambda c, r: ({"at": (t,), "terrain": t} for t, n in r.terrain.items() if not n),
        ),
    )

    def weight(self, id_: str, kinds: Collection[str], size: str, steps: int) -> int:
        """What a unit counts, by its counter's id, its type and classes, its size, and its steps."""
        if not self.weighs:
            return 1
        if any(word in kinds for word in self.free):
            return 0
        fitting = (points for word, points in self.points.items() if word == size or word in kinds)
        return self.points.get(id_, next(fitting, 1)) * (steps if self.counted == "steps" else 1)

    @property
    def weighs(self) -> bool:
        """Whether a unit may count otherwise than as one."""
        return bool(self.points or self.free) or self.counted == "steps"

    def most(self, terrains: Iterable[str], side: str) -> int:
        """What a hex of some terrains takes of a side."""
        own = self.sides[side].limit if side in self.sides else None
        there = [self.terrain[t] for t in terrains if t in self.terrain]
        return min([*there, own] if own else there or [self.limit])

    def alike_of(self, side: str) -> Alike:
        """What those of a side must have in common."""
        return (self.sides[side].alike if side in self.sides else None) or self.alike


class Captures(Model):
    """Counters that the enemy takes, as supply: who eliminates one in combat or by an overrun, and comes into its
    hex with it, has one of his own there in its place.
    """

    becomes: dict[UnitRef, UnitRef] = Field(
        "counter -> that of the other side which takes its place; it begins in the `pool` of setup.yaml or is one "
        "that is itself taken back so",
        min_length=1,
    )
    section: Section


class Rules(Model):
    """Parameters of the referee."""

    stacking: Stacking
    unknown_back: Annotated[int, Field(ge=1)] | None = Field(
        "a back that nobody knows has its front's figures divided by this, rounded up; `null`: a counter without "
        "figures of a back has one step, and its first loss is its end",
        default=2,
    )
    movement: MovementRules = Field(default_factory=MovementRules)
    combat: CombatRules = Field(default_factory=CombatRules)
    replacements: tuple[Replacements, ...] = Field(
        "points by which losses are turned back and units rebuilt; empty: none", default=()
    )
    marks: tuple[StateMark, ...] = Field(
        "marks of units, as `disrupted`, and what takes them away; others stay", default=()
    )
    attrition: tuple[Attrition, ...] = Field(
        "who loses steps in a phase for want of supply, or for another mark; empty: nobody", default=()
    )
    allegiance: tuple[Allegiance, ...] = Field(
        "units that are under the other side's command from a turn on; empty: none", default=()
    )
    captures: Captures | None = Field("counters that the enemy takes; absent: none", default=None)
    untried: tuple[Untried, ...] = Field(
        "units whose strength nobody knows before they first fight; empty: none", default=()
    )
    supply: tuple[Supply, ...] = Field("which units need a line to a source; empty: none", default=())
