"""One unit on its way: what each step costs it, what forbids it, where it can get to.

Judging a path that was played and searching for paths use the same step, so a hex listed as within reach is one
that may be moved to, and the other way round.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from math import inf
from typing import Final, Protocol

from ...scenarios.schema.base import spans_of
from ...scenarios.schema.game import Hexes
from ...scenarios.schema.rules_movement import Allowance, March
from ...scenarios.text.hexgrid import Hex, Side, side
from .board import Case, Toll, bonds
from .combat.encirclement import full
from .context import Context
from .ground import HexStep, Mover, with_
from .move_effects import POINT, allowance, bound, played, spec
from .position import Position, Unit
from .roster import fits


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a step may not be made: the kind of finding, its section where the kind does not say it."""

    key: str
    section: str = ""
    what: str = ""


GATE: Final = 1
ZONES: Final = 2
"""What matters later of a way: that it led through the place that it had to, and once from zone to zone."""


@dataclass(frozen=True)
class Traveller:
    """A unit at the start of its move. Points are halves.

    With `hexwise` every hex costs a point. `full` are hexes whose stacks leave it no room even to pass.
    `held` are enemy hexes, `zone` the enemy's zone as it weighs on who moves, `tolls` what it takes. `within` are
    the hexes it is confined to once it has `passed` the place that it had to pass; empty if it is free. `later` is
    the mover once it has entered a hex: markers of bridges fall before an enemy who enters theirs. `cuts` are what
    a mark, the weather or the turn takes off its allowance, which without them and the phase's share is `uncut`.
    """

    ctx: Context
    position: Position
    unit: Unit
    mover: Mover
    later: Mover
    allowance: int
    engaged: bool
    held: Mapping[Hex, tuple[str, ...]]
    zone: frozenset[Hex]
    tolls: Mapping[Case, Toll]
    full: frozenset[Hex] = frozenset()
    hexwise: bool = False
    passed: bool = False
    gate: frozenset[Hex] = frozenset()
    within: frozenset[Hex] = frozenset()
    bonds: frozenset[Hex | Side] = frozenset()
    march: March | None = None
    cuts: tuple[Allowance, ...] = ()
    uncut: int = 0

    def step(self, a: Hex, b: Hex, *, first: bool, passed: int) -> tuple[HexStep, int, list[Obstacle]]:
        """The ground's step, its price with what breaking contact costs, and all that forbids it."""
        step = self._priced(self.ctx.ground.step(self.mover if first else self.later, a, b))
        toll = self.tolls[self.engaged if first else a in self.zone, b in self.zone, first]
        added = toll.added(step.cost, self.whole)
        return step, added, self._obstacles(step, toll, (a, b), passed=passed)

    def after(self, a: Hex, b: Hex, *, first: bool, passed: int) -> int:
        """What a unit that had `passed` something has passed after a step."""
        once = self.tolls[self.engaged if first else a in self.zone, b in self.zone, first].once
        return passed | (GATE if b in self.gate else 0) | (ZONES if once else 0)

    @cached_property
    def minds(self) -> bool:
        """Whether a step that it makes may forbid it a later one."""
        return any(toll.once for toll in self.tolls.values())

    def least(self, path: Sequence[Hex]) -> bool:
        """Whether a way is the one hex that a unit may go whatever it costs, where the game lets it."""
        return len(path) == 2 and self.ctx.movement.minimum == "one_hex"

    def _priced(self, step: HexStep) -> HexStep:
        if self.hexwise:
            return with_(step, cost=POINT)
        return with_(step, cost=max(step.cost, self.whole)) if step.whole else step

    @cached_property
    def whole(self) -> int:
        """The allowance before anything of it was spent."""
        return self.allowance + self.position.ledger.spent.get(self.unit.id, 0)

    @property
    def dear(self) -> bool:
        """Whether entering a zone has a price: what zones add to a step is then not for breaking contact."""
        return self.tolls[False, True, False].halves > 0

    def parting(self, last: Hex, *, first: bool) -> Toll:
        """What zones have to say to the step off the map from a hex, the first of the move or a later one."""
        return self.tolls[self.engaged if first else last in self.zone, False, first]

    def _obstacles(self, step: HexStep, toll: Toll, way: tuple[Hex, Hex], *, passed: int) -> list[Obstacle]:
        found, b = [], way[1]
        if b in self.bonds or (self.bonds and side(*way) in self.bonds):
            found.append(Obstacle("zone-bond"))
        if b in self.held:
            found.append(Obstacle("enemy-occupied"))
        if b in self.full:
            found.append(Obstacle("stacking-passing"))
        if toll.key:
            found.append(Obstacle(toll.key, toll.section))
        if toll.once and passed & ZONES:
            found.append(Obstacle("zone-again", toll.section))
        if step.key:
            found.append(Obstacle(step.key, step.section, step.what))
        if step.ban:
            found.append(Obstacle("frontier", step.ban, step.ban_what))
        if passed & GATE and self.within and b not in self.within:
            transit = self.ctx.movement.transit
            assert transit is not None
            found.append(Obstacle("perimeter", what=transit.area))
        return found

    @cached_property
    def _kept(self) -> tuple[dict[tuple[Hex, Hex], HexStep], dict[tuple[Hex, Hex], HexStep]]:
        return self.ctx.ground.kept(self.later), self.ctx.ground.kept(self.mover)

    def legal(self, a: Hex, b: Hex, *, first: bool, passed: int) -> int | None:
        """The price of a step in halves; None if anything forbids it."""
        # This is `step` for searches, which ask it a thousand times for every answer.
        toll = self.tolls[self.engaged if first else a in self.zone, b in self.zone, first]
        if toll.key or b in self.held or b in self.full or (toll.once and passed & ZONES):
            return None
        if passed & GATE and self.within and b not in self.within:
            return None
        if self.bonds and (b in self.bonds or side(a, b) in self.bonds):
            return None
        step = self._kept[first].get((a, b)) or self.ctx.ground.step(self.mover if first else self.later, a, b)
        if step.key:
            return None
        cost = POINT if self.hexwise else max(step.cost, self.whole) if step.whole else step.cost
        return cost + (toll.added(cost, self.whole) if toll.whole else toll.halves)

    def explore(
        self,
        start: Hex,
        company: Sequence[Traveller] = (),
        *,
        first: bool = True,
        passed: int | None = None,
        spent: int = 0,
        limit: int | None = None,
    ) -> Iterator[tuple[int, Hex, tuple[Hex, ...]]]:
        """Every hex within reach, the nearest first: cost so far, hex, and the way from `start` to it.

        `company` are units that must be able to go the same way, `limit` (halves) replaces the allowance. A hex may
        come up twice where it matters whether the unit has passed the place that it had to pass.
        """
        limit = self.allowance if limit is None else limit
        began = self.passed if passed is None else passed

        def price(a: Hex, b: Hex, *, first: bool, passed: int) -> int | None:
            cost = self.legal(a, b, first=first, passed=passed)
            barred = cost is None or any(c.legal(a, b, first=first, passed=passed) is None for c in company)
            return None if barred else cost

        neighbours = self.ctx.map.grid.neighbours
        price_of = price if company else self.legal
        return nearest_first(
            neighbours, start, price_of, self.gate, first=first, passed=began, spent=spent, limit=limit,
            least=self.ctx.movement.minimum == "one_hex", after=trail((self, *company)),
        )  # fmt: skip


class _Price(Protocol):
    def __call__(self, a: Hex, b: Hex, /, *, first: bool, passed: int) -> int | None:
        """What a step costs; None if it may not be made."""


class _After(Protocol):
    def __call__(self, a: Hex, b: Hex, /, *, first: bool, passed: int) -> int:
        """What has been passed after a step."""


def trail(stack: Sequence[Traveller]) -> _After | None:
    """What units that go together have passed after a step; None where only the gate of the first matters."""

    def after(a: Hex, b: Hex, *, first: bool, passed: int) -> int:
        later = passed | (GATE if b in stack[0].gate else 0)
        for one in stack:
            later |= one.after(a, b, first=first, passed=passed) & ZONES
        return later

    return after if any(one.minds for one in stack) else None


def nearest_first(
    neighbours: Mapping[Hex, Sequence[Hex]], start: Hex, price: _Price, gate: Container[Hex] = (), *,
    first: bool, passed: int = 0, spent: int = 0, limit: float = inf, least: bool = False,
    after: _After | None = None,
) -> Iterator[tuple[int, Hex, tuple[Hex, ...]]]:  # fmt: skip
    """Every hex that can be had within a limit, the nearest first: cost, hex, and the way from `start` to it.

    A hex counts as another once a hex of the gate has been passed, or by what `after` tells of a step.
    With `least` the first step has no limit.
    """
    queue: list[tuple[int, int, Hex, int, tuple[Hex, ...]]] = [(spent, 0, start, passed, ())]
    settled: set[tuple[Hex, int]] = set()
    order = 0
    while queue:
        cost, _, here, done, way = heappop(queue)
        if (here, done) in settled:
            continue
        settled.add((here, done))
        way = (*way, here)
        yield cost, here, way
        at_start = first and len(way) == 1
        for there in neighbours[here]:
            if (there, done) not in settled:
                step = price(here, there, first=at_start, passed=done)
                if step is not None and (cost + step <= limit or (least and at_start)):
                    order += 1
                    later = after(here, there, first=at_start, passed=done) if after else done or there in gate
                    heappush(queue, (cost + step, order, there, later, way))


def traveller(
    ctx: Context, position: Position, unit: Unit, *, entering: bool = False, company: Collection[str] = ()
) -> Traveller:
    """A unit about to move from where it stands, or about to enter the map, in the `company` of others."""
    state = position.units[unit.id]
    movement, points = unit.movement, POINT * unit.move_at(state.step)
    turn = position.turn
    fresh = entering or state.arrived == turn
    # A sheet may say itself how a unit moves: `status a1 motorised`.
    told = next((c for c in ctx.scenario.game.movement_classes if c in state.marks), "")
    movement = told or movement
    for rule in ctx.movement.entry_moves:
        if (fresh or told) and fits(rule, unit, state) and ctx.holds(rule, turn, position, state.hex):
            movement, points = rule.movement, POINT * rule.move
    uncut, cuts = points, list[Allowance]()
    for cut in ctx.movement.allowances:
        if fits(cut, unit, state) and ctx.holds(cut, turn, position, state.hex):
            before, points = points, max(0, cut.of(points) + cut.more - cut.less)
            if not _only_now(ctx, cut):
                uncut = uncut if cuts else points
            elif points < before:
                cuts.append(cut)
    transit = ctx.movement.transit
    gate: frozenset[Hex] = frozenset()
    within: frozenset[Hex] = frozenset()
    passed = False
    if transit is not None and fresh and fits(transit, unit, state) and turn <= transit.last_turn:
        gate = ctx.ground.place(transit.place)
        area = ctx.ground.area(transit.area)
        within = area | gate if area else frozenset()
        passed = transit.passed in state.marks
    board = position.boards[position.enemy(unit.side)]
    here = state.hex
    ignores = unit.is_any(ctx.movement.zones.ignored_by)
    zone = frozenset() if ignores else position.zone_on_the_move(unit.side, here)
    limits = spec(ctx, position.phase)
    only = frozenset(limits.ways) if limits is not None else frozenset()
    mover = later = ctx.mover(position, unit, movement=movement, only=only)
    bridging = ctx.movement.bridging
    if position.bridges and bridging is not None and bridging.falls_to(unit.side):
        later = ctx.mover(replace(position, bridges=frozenset()), unit, movement=movement, only=only)
    return Traveller(
        ctx=ctx,
        position=position,
        unit=unit,
        mover=later if entering else mover,
        later=later,
        allowance=allowance(limits, points) - position.ledger.spent.get(unit.id, 0),
        hexwise=limits is not None and isinstance(limits.allowance, Hexes),
        engaged=not entering and here is not None and here in zone,
        held=board.at,
        zone=zone,
        tolls=ctx.tolls(position, unit),
        full=full(ctx, position, unit.side, company or (unit.id,)),
        passed=passed,
        gate=gate,
        within=within,
        cuts=tuple(cuts),
        uncut=uncut - position.ledger.spent.get(unit.id, 0),
        bonds=frozenset() if ignores or ctx.movement.zones.bonds == "none" else bonds(position, unit.side),
    )


def _only_now(ctx: Context, cut: Allowance) -> bool:
    """Whether an allowance is that of some turns, states or weathers: a rule for good is the unit's own."""
    game = ctx.scenario.game.turns
    always = any(first <= game.first and last >= game.last for first, last in spans_of(cut.turns))
    return bool(cut.marks or cut.weather or not always)


def may_move(ctx: Context, position: Position, unit: Unit) -> bool:
    """Whether nothing binds a unit to its hex this turn."""
    return played(ctx, position) and not bound(ctx, position, unit)
