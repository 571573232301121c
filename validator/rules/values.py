"""Values that are never changed: another of the same kind with other fields, in a fraction of the usual time.

What follows from a game or a map alone, worked out once and not for each sheet that is judged by it.

What the price of a way is made of, and why: the rates of the game's tables, hex by hex.

Costs are in half points.

What units and sides have used up in a phase and in a turn, and what they still owe in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, wraps
from typing import Any, Final, NamedTuple, TypeVar

from ...scenarios.text.hexgrid import Hex

T = TypeVar("T")


def altered(value: T, **changes: Any) -> T:
    """As `dataclasses.replace`, for classes without slots that check nothing as they are made.

    A combat is judged by some thousand of these, and `replace` hands every field to the class one by one. Raises
    TypeError for a name that is no field.
    """
    kind: Any = type(value)
    new: T = object.__new__(kind)
    fields = vars(new)
    fields.update(vars(value))
    for name in _worked_out(kind):
        fields.pop(name, None)
    known = len(fields)
    fields.update(changes)
    if len(fields) != known:
        raise TypeError(f"{kind.__name__} has not all of the fields {', '.join(changes)}")
    return new


@cache
def _worked_out(kind: type[Any]) -> tuple[str, ...]:
    """The look-ups of a class that were worked out from the fields as they were."""
    held = {name: one for base in kind.__mro__ for name, one in vars(base).items()}
    return tuple(name for name, one in held.items() if isinstance(one, cached_property))


S = TypeVar("S")
V = TypeVar("V")

_MOST: Final = 8
"""So many games or maps are remembered for each thing that follows from them, those that were asked for last."""


def once_for_each(work_out: Callable[[S], V]) -> Callable[[S], V]:
    """Decorator of a function of something that never changes: its answers are kept by the thing itself.

    Games are equal only after a comparison of all that they hold; who asks again asks of the same one.
    """
    kept: dict[int, tuple[S, V]] = {}

    @wraps(work_out)
    def answer(thing: S) -> V:
        found = kept.pop(id(thing), None)
        if found is None or found[0] is not thing:
            found = thing, work_out(thing)
        kept[id(thing)] = found
        while len(kept) > _MOST:
            kept.pop(next(iter(kept)), None)
        return found[1]

    return answer


CONTACT: Final = ""
ZONE: Final = "+"
OFF: Final = "-"
"""What has a price besides hexes: breaking contact, entering an enemy zone, the step off the map."""


class Rate(NamedTuple):
    """A rate that a price is made of, of a kind of terrain, hexside or way: `section` is that of the game's texts.

    `weather` is the one that it holds for, "" for a rate that is the same in all.
    """

    section: str
    id: str
    cost: int
    weather: str = ""


class Price(NamedTuple):
    """What a hex of a way costs, or one of `CONTACT`, `ZONE` and `OFF`.

    `rates` make up the cost; none where no table has it: in zones, and where each hex costs the same.
    """

    where: str
    cost: int
    rates: tuple[Rate, ...] = ()


@dataclass(frozen=True, slots=True)
class Duty:
    """A unit that must attack one of the hexes `enemies`, and has not.

    `moved` says that it came there this turn, so that no terrain excuses it.
    """

    unit: str
    hex: Hex
    enemies: tuple[Hex, ...]
    moved: bool


@dataclass(frozen=True)
class UsedUp:
    """What has been used up. The first group is wiped with every phase, the second with every turn.

    `attacked`: units that attacked from adjacent hexes; `fired`: guns that fired at a distance, either side's;
    `targets`: hexes attacked; `struck`: units attacked in them; `defended`: of them those who fought; `aimed`:
    by hex what was attacked from it first; `shared`: of units that split their strength their combats, what
    they gave in all, and had; `advanced`: units that followed up; `engaged`: its units that stood next to the
    enemy as it opened; `faced`: enemies, by hex, that must be attacked, `unsure` those of whom that hangs on
    which phase it is; `owing`: the duties to attack with which it opened; `spent`: halves of points that units
    have moved by, where overruns or marks take of the same; `overran`: units that overran, and may move on;
    `stayed`: units that gave up their move for a mark, with it; `worn`: units whose attrition was told;
    `recovered`: units that turned back a loss, and were not told that they might not, with the line that says
    so; `contacts`: units of both sides that were next to the enemy in the turn; `worked`: engineers that built;
    `assailed`: hexes that either side attacked in the turn; `attempts` at clearing; `rallied`: units that tried to
    lose a mark; `weathered`: whether the turn's weather was thrown; `declared`: how many times a modifier
    was, or those of a pool; `rolled`: whether the air die was thrown; `offboard`: points of guns beyond the map;
    `air_used` by side.
    """

    attacked: frozenset[str] = frozenset()
    fired: frozenset[str] = frozenset()
    targets: frozenset[Hex] = frozenset()
    struck: frozenset[str] = frozenset()
    defended: frozenset[str] = frozenset()
    aimed: Mapping[Hex, frozenset[Hex]] = field(default_factory=dict)
    shared: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    advanced: frozenset[str] = frozenset()
    engaged: frozenset[str] = frozenset()
    faced: Mapping[Hex, frozenset[str]] = field(default_factory=dict)
    unsure: frozenset[Hex] = frozenset()
    owing: tuple[Duty, ...] = ()
    acted: bool = False
    spent: Mapping[str, int] = field(default_factory=dict)
    overran: frozenset[str] = frozenset()
    stayed: Mapping[str, str] = field(default_factory=dict)
    worn: frozenset[str] = frozenset()
    suspected: bool = False
    """Whether it was said in the phase that it hangs on enemies whom nobody has set up."""
    columns: Mapping[Hex, int] = field(default_factory=dict)
    """How many units have come on by each hex in the phase, in games in which they come in column."""

    marched: Mapping[int, int] = field(default_factory=dict)
    """How much has gone by each of the game's marches in the turn."""
    ridden: Mapping[int, int] = field(default_factory=dict)
    """How much has gone by rail in the turn, by each of the game's rules of who may."""
    railed: Mapping[str, int] = field(default_factory=dict)
    """How many railway hexes units have gone in the turn."""
    went: frozenset[str] = frozenset()
    """Who moved in an earlier movement phase of the turn."""
    recovered: Mapping[str, int] = field(default_factory=dict)
    disputed: frozenset[str] = frozenset()
    """Of them, and of those that came back, those of whom it is doubtful whether they might: others may have to
    do without or not."""
    given: Mapping[str, int] = field(default_factory=dict)
    """How many steps units have been given in the turn, where it is more than one."""
    contacts: frozenset[str] = frozenset()
    unpaid: frozenset[str] = frozenset()
    """Units that came back in the turn and were told that they might not, which takes of nobody's points."""
    worked: frozenset[str] = frozenset()
    unsure_works: frozenset[str] = frozenset()
    """Of them those of whom it is doubtful whether they might."""
    unsure_attempts: int = 0
    """Of the attempts those of which it is."""
    rallied: frozenset[tuple[str, str]] = frozenset()
    weathered: bool = False
    declared: Mapping[str, int] = field(default_factory=dict)
    attempts: int = 0
    assailed: frozenset[Hex] = frozenset()
    rolled: bool = False
    offboard: int = 0
    air_used: Mapping[str, int] = field(default_factory=dict)
    whole: bool = False
    """Whether all that was done in the turn so far is told."""
    trails: Mapping[str, tuple[Hex, ...]] = field(default_factory=dict)
    """The ways that units went in their side's latest movement phase of the turn, and by a side's name that the
    phase is told."""
    arrivals: Mapping[int, int] = field(default_factory=dict)
    """How many units dice let come in the turn, by the lines of the order of arrival for which they were thrown."""
    crowded: Mapping[Hex, frozenset[str]] = field(default_factory=dict)
    """Who stands where an earlier phase of the turn was told to have left too many."""
    held: Mapping[Hex, str] = field(default_factory=dict)
    """Who held each hex when the turn began, where anybody had been there."""

    def next_phase(self) -> UsedUp:
        """What is left of it when the next phase of the same turn opens."""
        none: frozenset[str] = frozenset()
        return altered(
            self, attacked=none, fired=none, targets=frozenset(), struck=none, defended=none, aimed={}, shared={},
            advanced=none, engaged=none, faced={}, unsure=frozenset(), owing=(), acted=False, spent={},
            overran=none, stayed={}, worn=none, suspected=False, columns={},
        )  # fmt: skip
