"""What units and sides have used up in a phase and in a turn, and what they still owe in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.words import Message
from hexforge.validator.referee.values import altered


@dataclass(frozen=True, slots=True)
class Duty:
    """A unit that must attack one of the hexes `enemies`, and has not.

    `moved` says that it came there this turn, so that no terrain excuses it; `doubt` names the reconstructed ground
    that the judgement rests on, None if none does.
    """

    unit: str
    hex: Hex
    enemies: tuple[Hex, ...]
    moved: bool
    doubt: Message | None = None


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
    `attempts` at clearing; `rallied`: units that tried to get rid of a mark; `weathered`: whether the turn's
    weather was thrown; `declared`: how many times a modifier was, or those of a pool; `rolled`: whether the air
    die was thrown; `offboard`: points of guns beyond the map; `air_used` by side.
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
    rallied: frozenset[str] = frozenset()
    weathered: bool = False
    declared: Mapping[str, int] = field(default_factory=dict)
    attempts: int = 0
    rolled: bool = False
    offboard: int = 0
    air_used: Mapping[str, int] = field(default_factory=dict)
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
