"""A sheet as far as it is written, with what must be known to write on: where all stand, and what is still open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from hexforge.scenarios.words import Message, Param, message
from hexforge.validator.readers import statements as st
from hexforge.validator.transcribe.blocks import Block, Fact, Item, without
from hexforge.validator.transcribe.noted import Noted, Origin
from hexforge.validator.transcribe.spots import Clock, Spot, first_clock
from hexforge.validator.transcribe.typed import Listener
from hexforge.validator.transcribe.undeclared import Undeclared

if TYPE_CHECKING:
    from hexforge.scenarios.hexgrid import HexGrid
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.transcribe.marks import Marks


@dataclass
class Started:
    """How the game stood before the first action, and what was put in place before play began."""

    at: dict[str, Spot]
    clock: Clock
    air: int | None = None
    placed: dict[str, Origin] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """A counter that was put elsewhere, or turned over."""

    unit: str
    old: Spot
    new: Spot
    origin: Origin


@dataclass
class OpenCombat:
    """The combat that is open, if any.

    `thrown` are dice of a throw that is not complete; `air` the points spent on it, `air_told` whether a line says
    so.
    """

    head: st.Engagement | None = None
    rolled: list[int] = field(default_factory=list)
    typed: st.Roll | None = None
    thrown: list[int] = field(default_factory=list)
    air: int = 0
    air_told: bool = False


@dataclass
class Draft:
    """The sheet of one game, as far as it is written.

    `at`, `sides`: of each counter. `wanted`: what a typed line says of a counter that the map does not show yet,
    with the line's place in its block. `gathered`: the declaration that other counters may still join.
    """

    scenario: Scenario
    marks: Marks
    clock: Clock
    started: Started
    listener: Listener
    sides: dict[str, str]
    at: dict[str, Spot] = field(default_factory=dict)
    header: list[Item] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    scores: list[Item] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)
    wanted: dict[str, tuple[Callable[[Spot], bool], int]] = field(default_factory=dict)
    fight: OpenCombat = field(default_factory=OpenCombat)
    undeclared: Undeclared | None = None
    gathered: tuple[Item, st.Attack | st.Support | st.Guard] | None = None

    @classmethod
    def of(cls, scenario: Scenario, marks: Marks) -> Draft:
        """An empty one."""
        clock = first_clock(scenario)
        sides = {c.id: c.side for c in scenario.counters.values()}
        return cls(scenario, marks, clock, Started({}, clock), Listener(scenario), sides)

    @property
    def grid(self) -> HexGrid:
        """The map's hexes."""
        return self.scenario.map.grid

    @cached_property
    def choices(self) -> frozenset[str]:
        """The units whose place at the start is for the players to choose."""
        at_start = self.scenario.setup.at_start
        return frozenset(u for p in at_start if not (len(p.hexes) == 1 and not p.areas) for u in p.units)

    @property
    def last(self) -> list[Item]:
        """The lines to which a comment belongs: those of the phase, or what stands before the first."""
        return self.blocks[-1].items if self.blocks else self.header

    def block(self, origin: Origin) -> Block:
        """The phase that is being played."""
        if not self.blocks:
            self.blocks.append(Block(self.clock, origin))
        return self.blocks[-1]

    def drop(self, gone: Iterable[Item]) -> None:
        """Take lines of this phase away."""
        if self.blocks:
            self.blocks[-1].items[:] = without(self.blocks[-1].items, gone)

    def comment(self, origin: Origin, what: str, told: Param) -> None:
        """Tell something of a counter, or of dice, that is no statement."""
        indent = bool(self.blocks) and self.fight.head is not None
        self.last.append(Item(origin, remark(what, told), indent=indent))

    def comment_place(self, change: Change) -> None:
        """Tell that a counter was put elsewhere."""
        before, after = (spot.hex or message(f"logs.place.{spot.place}") for spot in (change.old, change.new))
        self.comment(change.origin, change.unit, message("logs.comment.put", before=before, after=after))


def remark(what: str, told: Param) -> Message:
    """A comment on something."""
    return message("logs.comment.on", what=what, told=told)


def lead_on(draft: Draft, items: list[Item], going: Fact, new: str) -> None:
    """Lead the way of a counter, that a fact among some lines tells of, on to another hex."""
    if new not in going.path:
        going.path += [new] if draft.grid.adjacent(going.path[-1], new) else [st.OPEN, new]
        return
    # Dragged back: the way from there on was a slip.
    del going.path[going.path.index(new) + 1 :]
    if len(going.path) == 1 and going.kind != "enter":
        items[:] = [i for i in items if i.fact is not going]
