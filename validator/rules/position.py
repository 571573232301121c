"""The position: where every unit stands and what has happened this turn. Immutable; each change gives a new one.

A position shares with its predecessor all that did not change, so a replay may keep every one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from ...scenarios.schema.game import GUNS, Sky
from ...scenarios.text.hexgrid import Hex, HexGrid, Side
from .accounts_books import Books
from .values import UsedUp, altered

GARRISON: Final = "garrison"
RELEASED: Final = "released"
REINFORCEMENT: Final = "reinforcement"
"""Marks of the notation that rules set: units bound to a post, never bound to one, and due to come on."""

Step = Literal["full", "reduced", "reduced-2", "reduced-3", "reduced-4", "reduced-5", "eliminated"]
STEPS: Final[tuple[Step, ...]] = ("full", "reduced", "reduced-2", "reduced-3", "reduced-4", "reduced-5")
"""How a unit stands on the map, by the steps that it has lost."""
Where = Literal["", "absent", "due", "withdrawn", "exited", "retreated", "eliminated"]
"""Where a unit is that stands on no hex; "" for one that does."""

IN_POOL: Final = -99
"""The turn in which units died that begin the game so: before any delay of their replacement."""
Lost: TypeAlias = tuple[str, str, int, int, int]
"""A unit destroyed before the sheet begins: side, type, attack, defence, movement."""

Gone: TypeAlias = tuple[str, str, str, int]
"""A unit that left the map before the sheet begins: side, formation, edge, turn."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What does not change about a unit: a counter of the scenario, or a `unit` line of the sheet.

    `kinds` holds its type and every class of game.yaml that the type belongs to, so that rules may ask for
    either. `counters` are the scenario's counters that it is or stands for. `assumed` names the figures that no
    rulebook prints: `strength` (attack, defence, move), `reduced`, `range`, `identity` (whose it is). A back
    without figures has those of the front divided by `unknown_back`. `further` are attack and defence of the
    third step and of those after it, `morale` what it is worth in tests at each step, `moves` its movement
    points after the first step, as far as printed. `stands_in` is the division of the one counter that a sheet
    says it stands for: rules that name a division speak of it, while it makes no part of that division's whole.
    """

    id: str
    side: str
    type: str
    attack: int
    defence: int
    move: int
    range: int | None = None
    reduced_attack: int | None = None
    reduced_defence: int | None = None
    size: str = ""
    regiment: str = ""
    division: str = ""
    corps: str = ""
    formation: str = ""
    stands_in: str = ""
    movement: str = ""
    kinds: frozenset[str] = frozenset()
    counters: frozenset[str] = frozenset()
    assumed: frozenset[str] = frozenset()
    line: int = 0
    unknown_back: int | None = 1
    further: tuple[tuple[int, int], ...] = ()
    morale: tuple[int, ...] = ()
    moves: tuple[int, ...] = ()

    @property
    def is_gun(self) -> bool:
        """Whether it is of a type that fires at a distance."""
        return GUNS in self.kinds

    @property
    def named_division(self) -> str:
        """The division by which a rule that names one knows it; "" for none."""
        return self.division or self.stands_in

    def is_any(self, words: Iterable[str]) -> bool:
        """Whether its type, or a class that it belongs to, is among the words."""
        return not self.kinds.isdisjoint(words)

    def steps_at(self, step: Step) -> int:
        """How many steps it has left at one: a unit without a back, in a game that knows such, has one."""
        if step == "eliminated":
            return 0
        whole = 1 if self.unknown_back is None and self.reduced_attack is None else 2 + len(self.further)
        return max(whole - STEPS.index(step), 1)

    def at_loss(self, lost: int) -> Step:
        """The step at which it stands after so many losses: its last one, if they are more."""
        return STEPS[max(0, min(lost, self.steps_at("full") - 1, len(STEPS) - 1))]

    def attack_at(self, step: Step) -> int:
        """Attack on its front or back; an unknown back has a share of it, rounded up (7.0 prints no figures)."""
        if step == "full":
            return self.attack
        if step != "reduced" and self.further:
            return self._later(step)[0]
        share = self.unknown_back or 1
        return -(-self.attack // share) if self.reduced_attack is None else self.reduced_attack

    def defence_at(self, step: Step) -> int:
        """Defence on its front or back; an unknown back has a share of it, rounded up."""
        if step == "full":
            return self.defence
        if step != "reduced" and self.further:
            return self._later(step)[1]
        share = self.unknown_back or 1
        return -(-self.defence // share) if self.reduced_defence is None else self.reduced_defence

    def morale_at(self, step: Step) -> int:
        """Its morale at a step: the last that is printed, if there is none for that step; 0 where it has none."""
        at = STEPS.index(step) if step in STEPS else 0
        return self.morale[min(at, len(self.morale) - 1)] if self.morale else 0

    def move_at(self, step: Step) -> int:
        """Its movement points at a step: as of the one before, where counters print no others."""
        lost = STEPS.index(step) if step in STEPS else 0
        return self.moves[min(lost, len(self.moves)) - 1] if lost and self.moves else self.move

    def _later(self, step: Step) -> tuple[int, int]:
        return self.further[-1] if step == "eliminated" else self.further[STEPS.index(step) - 2]


@dataclass(frozen=True, slots=True)
class Departure:
    """How a unit left the map."""

    turn: int
    edge: str
    hex: Hex


@dataclass(frozen=True, slots=True)
class UnitState:
    """What changes about a unit.

    `marks` are lasting flags, the notation's (`garrison`, `reinforcement` …) and those of the game's rules.
    `arrived` is the turn it entered, by `edge`; `since` the turn in which it came to its hex (None: before the
    sheet), `died` that in which it was destroyed. The rest is wiped when its side's next movement phase opens:
    `moved`, `rode` (by rail), `began_engaged`, and `start`, the hex it then stood in.
    """

    hex: Hex | None = None
    step: Step = "full"
    where: Where = "absent"
    marks: frozenset[str] = frozenset()
    arrived: int | None = None
    edge: str = ""
    since: int | None = None
    engaged_since: int | None = None
    left: Departure | None = None
    died: int | None = None
    moved: bool = False
    rode: bool = False
    began_engaged: bool = False
    start: Hex | None = None

    @property
    def alive(self) -> bool:
        """Whether it has not been eliminated."""
        return self.step != "eliminated"

    @property
    def lost(self) -> int:
        """How many steps it has lost and lives on; 0 for the dead."""
        return STEPS.index(self.step) if self.alive else 0


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of a turn: `movement`, `combat` or one of the game's own; `line` is where the sheet opens it.

    `places` are the positions in the sequence of play that it may have: more than one only where a side has several
    phases of a kind and the sheet has not yet shown which of them this is. Empty where the sequence has none such.
    `first` is the side that goes first in the turn, once dice have said so; `name` the id by which the sheet calls
    the phase, "" where it says its kind.
    """

    turn: int
    side: str
    kind: str
    line: int = 0
    places: tuple[int, ...] = ()
    first: str = ""
    name: str = ""


@dataclass(frozen=True)
class ZoneReach:
    """How far the zones of a side's units reach: the hexes next to each hex, but for what shuts them out.

    `without` are units that never have a zone; `reduced` says whether one keeps it when it has lost a step,
    `silencing` are marks that take it away.
    `friends` is for whom a hex held by a friend is free of it, as `friends_cancel` of the game's zones.
    """

    hexes: Mapping[Hex, Sequence[Hex]]
    without: frozenset[str] = frozenset()
    reduced: bool = True
    friends: Literal["never", "moving", "retreating", "always"] = "never"
    silencing: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SideUnits:
    """One side's units on the map: hex -> ids in the order they came. `silent` are those that have no zone now."""

    reach: ZoneReach
    at: Mapping[Hex, tuple[str, ...]]
    silent: frozenset[str] = frozenset()

    @cached_property
    def zoc(self) -> frozenset[Hex]:
        """Its zone: every hex into which that of one of its units reaches (4.1.2)."""
        reach, silent = self.reach.hexes, self.silent
        if silent:
            return frozenset(n for h, ids in self.at.items() if not silent.issuperset(ids) for n in reach[h])
        return frozenset(n for h in self.at for n in reach[h])

    def exerts(self, hex_: Hex, other: Hex) -> bool:
        """Whether the zone of any of its units in a hex reaches another one."""
        return other in self.reach.hexes[hex_] and not self.silent.issuperset(self.at.get(hex_, ()))

    def moved(self, unit: str, old: Hex | None, new: Hex | None) -> SideUnits:
        """The board after a unit left one hex and came to another; None is off the map."""
        at = dict(self.at)
        if old is not None:
            rest = tuple(u for u in at[old] if u != unit)
            if rest:
                at[old] = rest
            else:
                del at[old]
        if new is not None:
            at[new] = (*at.get(new, ()), unit)
        return replace(self, at=at)

    def changed(self, unit: str, state: UnitState) -> SideUnits:
        """The board after a unit's step or marks have changed, where they decide about its zone."""
        reach = self.reach
        if (reach.reduced and not reach.silencing) or unit in reach.without:
            return self
        silent = (not reach.reduced and state.step != "full") or not reach.silencing.isdisjoint(state.marks)
        if silent == (unit in self.silent):
            return self
        return replace(self, silent=self.silent | {unit} if silent else self.silent - {unit})


@dataclass(frozen=True)
class Position:
    """The whole state of a game between two statements.

    `bridges` are markers that stand, `cleared` the trail hexes that are open, `control` says who last held a hex,
    for hexes that somebody has been in, `air` the points each side still has this turn.
    """

    grid: HexGrid
    roster: Mapping[str, Unit]
    units: Mapping[str, UnitState]
    boards: Mapping[str, SideUnits]
    phase: Phase | None = None
    ledger: UsedUp = field(default_factory=UsedUp)
    air: Mapping[str, int] = field(default_factory=dict)
    bridges: frozenset[Side] = frozenset()
    cleared: frozenset[Hex] = frozenset()
    control: Mapping[Hex, str] = field(default_factory=dict)
    lost: tuple[Lost, ...] = ()
    gone: tuple[Gone, ...] = ()
    scored: Mapping[str, int] = field(default_factory=dict)
    """Points for turns that are over, by side."""
    saved: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Points of replacement kept from turns that are over, by side, a number for each of its stocks."""
    won: str = ""
    """The side that has won at once, and ended the game."""
    revealed: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Figures that untried units turned out to have: attack, defence, and perhaps those of the back."""
    weather: str = ""
    """What the dice have given; "" where no dice decide."""
    skies: tuple[tuple[str, str], ...] = ()
    """The same of areas that have a weather of their own."""
    guesses: tuple[Sky, ...] = ()
    """What the weather may be where nothing says what its dice have shown: that of the position is the first."""
    marked_in: Mapping[Sky, Mapping[str, tuple[frozenset[str], frozenset[str]]]] = field(default_factory=dict)
    """In another of the guesses: what units would bear of marks besides, and what not, by their supply."""

    accounts: Books = field(default_factory=Books)
    """The accounts of a game that is judged by those."""

    @classmethod
    def empty(
        cls, grid: HexGrid, roster: Mapping[str, Unit], sides: Iterable[str], reach: ZoneReach | None = None
    ) -> Position:
        """Nobody on the map. Without a `reach` zones are all hexes next to a unit."""
        board = SideUnits(reach or ZoneReach(grid.neighbours), {}, reach.without if reach else frozenset())
        return cls(grid, roster, {u: UnitState() for u in roster}, dict.fromkeys(sides, board))

    # ------------------------------------------------------------------ asking

    @property
    def sky(self) -> Sky:
        """The weather that the dice have given."""
        return Sky(self.weather, self.skies)

    @property
    def turn(self) -> int:
        """The turn being played; 0 before the first phase."""
        return self.phase.turn if self.phase else 0

    def hex_of(self, unit: str) -> Hex | None:
        """Where a unit stands; None off the map and for ids that do not exist."""
        state = self.units.get(unit)
        return state.hex if state else None

    def at(self, hex_: Hex, side: str | None = None) -> tuple[str, ...]:
        """The units in a hex, of one side or of both."""
        if side is not None:
            return self.boards[side].at.get(hex_, ())
        return tuple(u for board in self.boards.values() for u in board.at.get(hex_, ()))

    def enemy(self, side: str) -> str:
        """The other side."""
        return next(s for s in self.boards if s != side)

    def zoc_against(self, side: str) -> frozenset[Hex]:
        """The enemy's zone of engagement, as it weighs on a side's units."""
        return self.boards[self.enemy(side)].zoc

    def safe(self, hex_: Hex, side: str) -> bool:
        """Whether a hex is free of enemies and of their zone of engagement, for a side."""
        enemy = self.boards[self.enemy(side)]
        if enemy.reach.friends in ("retreating", "always") and hex_ in self.boards[side].at:
            return True
        return hex_ not in enemy.at and hex_ not in enemy.zoc

    def zone_on_the_move(self, side: str, start: Hex | None) -> frozenset[Hex]:
        """The enemy's zone as it weighs on units of a side that move from a hex, or come on."""
        enemy = self.boards[self.enemy(side)]
        if enemy.reach.friends in ("moving", "always"):
            return enemy.zoc - (self.boards[side].at.keys() - {start})
        return enemy.zoc

    def engaged(self, unit: str) -> bool:
        """Whether a unit on the map stands next to an enemy."""
        hex_ = self.hex_of(unit)
        return hex_ is not None and hex_ in self.zoc_against(self.roster[unit].side)

    def all_engaged(self) -> Iterator[str]:
        """Ids of all units, of both sides, that stand next to an enemy."""
        for side, board in self.boards.items():
            zone = self.zoc_against(side)
            for hex_, ids in board.at.items():
                if hex_ in zone:
                    yield from ids

    def adjacent_enemies(self, hex_: Hex, side: str) -> tuple[Hex, ...]:
        """Hexes next to `hex_` in which enemies of `side` stand."""
        at = self.boards[self.enemy(side)].at
        return tuple(n for n in self.grid.neighbours[hex_] if n in at)

    def on_map(self, side: str | None = None) -> Iterator[str]:
        """Ids of the units on the map."""
        for name, board in self.boards.items():
            if side is None or name == side:
                for ids in board.at.values():
                    yield from ids

    # ---------------------------------------------------------------- changing

    def set(self, unit: str, **changes: Any) -> Position:
        """Other values of a unit's state. A change of `hex` is followed on the board; `where` is kept in step."""
        return self.set_each({unit: changes})

    def set_each(self, changed: Mapping[str, dict[str, Any]]) -> Position:
        """As `set`, of several units at once: the position of a game has hundreds."""
        if not changed:
            return self
        units, boards = dict(self.units), dict(self.boards)
        for unit, changes in changed.items():
            old, side = units[unit], self.roster[unit].side
            if "hex" in changes and "where" not in changes:
                changes["where"] = "" if changes["hex"] is not None else old.where or "absent"
            units[unit] = new = replace(old, **changes)
            if new.hex != old.hex:
                boards[side] = boards[side].moved(unit, old.hex, new.hex)
            if new.step != old.step or new.marks != old.marks:
                boards[side] = boards[side].changed(unit, new)
        return altered(self, units=units, boards=boards)

    def put(self, unit: str, hex_: Hex) -> Position:
        """The unit in another hex (a retreat, an advance, a placement), which its side then holds."""
        after = self.set(unit, hex=hex_, where="", since=self.turn or None)
        return after.held(self.roster[unit].side, (hex_,))

    def take_off(self, unit: str, where: Where, **changes: Any) -> Position:
        """The unit off the map: withdrawn, exited, retreated, eliminated."""
        if where == "eliminated":
            changes |= {"step": "eliminated", "died": self.turn or None}
        return self.set(unit, hex=None, where=where, **changes)

    def mark(self, unit: str, *flags: str) -> Position:
        """Lasting flags added to a unit."""
        return self.set(unit, marks=self.units[unit].marks | set(flags))

    def unmark(self, unit: str, *flags: str) -> Position:
        """Lasting flags taken from a unit."""
        return self.set(unit, marks=self.units[unit].marks - set(flags))

    def held(self, side: str, hexes: Iterable[Hex]) -> Position:
        """These hexes now controlled by a side."""
        news = {h: side for h in hexes if self.control.get(h) != side}
        return altered(self, control={**self.control, **news}) if news else self

    def noted(self, **changes: Any) -> Position:
        """Other values in the ledger."""
        return altered(self, ledger=altered(self.ledger, **changes))
