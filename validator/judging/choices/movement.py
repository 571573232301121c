"""Moves, entries and other deeds of units that are open in a phase, each tried on the referee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ....scenarios.schema.results import Dice
from ....scenarios.text.hexgrid import Hex
from ...notation import base
from ...notation import statements as st
from ...notation.kinds import OPEN
from ...rules.arrival import arrives, schedule
from ...rules.context import Arrival, Context, Outcome
from ...rules.findings import points
from ...rules.journey import fill, marching, travel
from ...rules.move_effects import phase_fits
from ...rules.position import Position
from ...rules.sealed import dice_of, thrown
from ...rules.travel import Traveller, may_move, traveller
from .trial import FAULTS, faults, lawful, tried


@dataclass(frozen=True, slots=True)
class Goal:
    """A hex that units may go to: the statement that takes them there, its price and what is left, in points."""

    hex: Hex
    statement: base.Play
    path: tuple[Hex, ...]
    cost: float
    left: float


@dataclass(frozen=True, slots=True)
class Deed:
    """A statement that is open, complete but for the faces of `dice`, if it asks for some."""

    statement: base.Statement
    dice: Dice | None = None

    def thrown(self, faces: Sequence[int]) -> base.Statement:
        """The statement with what its dice show."""
        return thrown(self.statement, tuple(faces)) if self.dice is not None else self.statement


# ------------------------------------------------------------------------------------------------ movement


def movers(ctx: Context, position: Position) -> tuple[str, ...]:
    """The units on the map of the side at hand that can make a step in the phase."""
    phase = position.phase
    if phase is None or phase.kind != "movement":
        return ()
    ctx = ctx.at(position.turn)
    return tuple(unit for unit in sorted(position.on_map(phase.side)) if _goes_anywhere(ctx, position, unit))


def _goes_anywhere(ctx: Context, position: Position, unit: str) -> bool:
    here = position.hex_of(unit)
    if here is None or not may_move(ctx, position, ctx.units[unit]):
        return False
    one = traveller(ctx, position, ctx.units[unit])
    for there in position.grid.neighbours[here]:
        cost = one.legal(here, there, first=True, passed=one.passed)
        if cost is not None and (cost <= one.allowance or one.least((here, there))):
            move = st.Move(0, (unit,), (here, there))
            if not _binding(tried(ctx, position, move)):
                return True
    return False


def _binding(outcome: Outcome) -> bool:
    """Whether what is found speaks against any move of a unit; that a stack has no room speaks against one."""
    return any(not f.message.key.startswith("findings.stacking") for f in faults(outcome))


def goals(ctx: Context, position: Position, units: Sequence[str], via: Sequence[Hex] = ()) -> dict[Hex, Goal]:
    """Where units that stand together, or come on the map together, may end their move.

    `via` are hexes that they pass in that order.
    """
    if not units or any(u not in ctx.units for u in units):
        return {}
    ctx = ctx.at(position.turn)
    homes = {position.hex_of(u) for u in units}
    if len(homes) != 1:
        return {}
    here = homes.pop()
    ids = tuple(units)
    found = _entries(ctx, position, ids, via) if here is None else _moves(ctx, position, ids, here, via)
    return {goal.hex: goal for goal in found}


def _moves(
    ctx: Context, position: Position, units: tuple[str, ...], here: Hex, via: Sequence[Hex]
) -> Iterator[Goal]:
    plain = [traveller(ctx, position, ctx.units[u]) for u in units]
    if not all(may_move(ctx, position, t.unit) for t in plain):
        return
    slow = min(plain, key=lambda t: t.allowance)
    company = [t for t in plain if t is not slow]
    seen: set[Hex] = set()
    for one in (slow, *(() if company else marching(slow, here))):
        bound = one.march is not None or any(t.mover != one.mover for t in company)
        for cost, way in _reached(one, company, (here,), via):
            if way[-1] in seen or len(way) < 2:
                continue
            goal: Goal | None = Goal(
                way[-1], st.Move(0, units, way), way, points(cost), points(one.allowance - cost)
            )
            # What speaks against one move of the units is looked for once; after that, who may be in the way.
            if bound or not seen or position.at(way[-1]) or cost > one.allowance:
                goal = _going(ctx, position, st.Move(0, units, way), way)
            if goal is not None:
                seen.add(way[-1])
                yield goal


def _reached(
    one: Traveller, company: Sequence[Traveller], start: tuple[Hex, ...], via: Sequence[Hex]
) -> Iterator[tuple[int, tuple[Hex, ...]]]:
    """Ways through some hexes to every hex that is within reach after them, each with its price in halves."""
    if not via:
        for cost, hex_, way in one.explore(start[0], company):
            if hex_ != start[0]:
                yield cost, way
        return
    words = [*start]
    for hex_ in via:
        words += [hex_] if one.ctx.map.grid.adjacent(words[-1], hex_) else [OPEN, hex_]
    path, holes = fill((one, *company), words, 0)
    if holes:
        return
    spent, passed = travel(one, path).cost, int(one.passed)
    yield spent, path
    for i, (a, b) in enumerate(pairwise(path)):
        passed = one.after(a, b, first=i == 0, passed=passed)
    for cost, hex_, way in one.explore(path[-1], company, first=False, passed=passed, spent=spent):
        if hex_ != path[-1]:
            yield cost, (*path, *way[1:])


def _going(ctx: Context, position: Position, statement: base.Play, way: tuple[Hex, ...]) -> Goal | None:
    outcome = tried(ctx, position, statement)
    if faults(outcome):
        return None
    record = next(iter(outcome.moves), None)
    cost, left = (points(record.cost), points(record.left)) if record is not None else (0.0, 0.0)
    return Goal(way[-1], statement, way, cost, left)


def arrivals(ctx: Context, position: Position) -> tuple[str, ...]:
    """The units off the map of the side at hand that are due, or may come back."""
    phase = position.phase
    if phase is None:
        return ()
    ctx = ctx.at(position.turn)
    waiting = [u for u, s in position.units.items() if s.hex is None and ctx.units[u].side == phase.side]
    able = (u for u in waiting if position.units[u].where in ("due", "retreated", "withdrawn"))
    return tuple(u for u in able if not _comes_later(ctx, position, u) and _has_gate(ctx, position, u))


def _has_gate(ctx: Context, position: Position, unit: str) -> bool:
    """Whether there is a hex by which a unit may come on, as far as the order of arrival and of entry go."""
    if phase_fits(ctx, position, st.Enter(0, (unit,), ()), "enter", "movement"):
        return False
    for hex_ in _rim(ctx, position, (unit,)):
        for edge in ctx.ground.edges_at(hex_) or ("",):
            arrival = Arrival(ctx, position, 0, ctx.units[unit], hex_, edge, (unit,))
            if not any(f.severity in FAULTS for f in arrives(arrival)):
                return True
    return False


def _comes_later(ctx: Context, position: Position, unit: str) -> bool:
    """Whether the order of arrival has a unit come in a later turn than this."""
    line = schedule(ctx, ctx.units[unit])
    due = ctx.due[unit][0] if unit in ctx.due else line.turn if line is not None else position.turn
    return position.units[unit].where == "due" and due > position.turn


def _gates(ctx: Context, position: Position, units: tuple[str, ...]) -> Iterator[st.Enter]:
    """The ways in which units may come on in one hex, every edge and way of it tried."""
    ground = ctx.ground
    ways = [None, *sorted({way for way, hexes in ground.way_hexes.items() if hexes})]
    for hex_ in _rim(ctx, position, units):
        edges = ground.edges_at(hex_)
        for edge in edges or ("",):
            arrival = Arrival(ctx, position, 0, ctx.units[units[0]], hex_, edge, units)
            if any(f.severity in FAULTS for f in arrives(arrival)):
                continue
            for way in ways:
                statement = st.Enter(0, units, (hex_,), edge or None, way)  # type: ignore[arg-type]
                if (way is None or hex_ in ground.way_hexes[way]) and lawful(ctx, position, statement):
                    yield statement


def _rim(ctx: Context, position: Position, units: tuple[str, ...]) -> list[Hex]:
    """The hexes in which units might come on: those of the edges, and those that the order of arrival names."""
    hexes = {h for edge in ctx.map.edges.values() for h in edge}
    for rule in ctx.scenario.setup.reinforcements:
        if not any(ctx.units[u].counters & set(rule.units) for u in units):
            continue
        hexes |= {*rule.hexes, *(h for place in rule.places for h in ctx.ground.place(place))}
        hexes |= {h for area in rule.areas for h in ctx.ground.area(area)}
        hexes |= set(position.grid.hexes) if rule.near is not None or rule.held else set()
    return sorted(h for h in hexes if h in position.grid)


def _entries(ctx: Context, position: Position, units: tuple[str, ...], via: Sequence[Hex]) -> Iterator[Goal]:
    found: dict[Hex, Goal] = {}
    farther: list[tuple[int, st.Enter]] = []
    for gate in _gates(ctx, position, units):
        first = gate.path[0]
        goal = _going(ctx, position, gate, gate.path)
        if goal is None or (via and first != via[0]):
            continue
        _keep(found, goal)
        travellers = [traveller(ctx, position, ctx.units[u], entering=True, company=units) for u in units]
        slow = min(travellers, key=lambda t: t.allowance)
        company = [t for t in travellers if t is not slow]
        spent = _spent(ctx, position, gate)
        for cost, hex_, way in slow.explore(first, company, first=False, spent=spent):
            if hex_ != first and _passes(way, via):
                farther.append((cost, replace(gate, path=way)))
    for _, statement in sorted(farther, key=lambda one: one[0]):
        if statement.path[-1] not in found:
            more = _going(ctx, position, statement, statement.path)
            if more is not None:
                found[more.hex] = more
    yield from found.values()


def _keep(found: dict[Hex, Goal], goal: Goal) -> None:
    known = found.get(goal.hex)
    if known is None or goal.left > known.left:
        found[goal.hex] = goal


def _spent(ctx: Context, position: Position, gate: st.Enter) -> int:
    """What it costs to come on, in halves."""
    found = tried(ctx, position, gate).moves
    return found[0].cost if found else 0


def _passes(way: Sequence[Hex], via: Sequence[Hex]) -> bool:
    hexes = iter(way)
    return all(hex_ in hexes for hex_ in via)


def rail_goals(ctx: Context, position: Position, units: Sequence[str]) -> dict[Hex, Goal]:
    """Where units may go by rail."""
    railway, homes = ctx.movement.railway, {position.hex_of(u) for u in units}
    if railway is None or len(homes) != 1 or (here := next(iter(homes))) is None:
        return {}
    found: dict[Hex, Goal] = {}
    for hex_ in sorted(ctx.ground.way_hexes.get(railway.way, ())):
        if hex_ != here:
            goal = _going(ctx, position, st.RailMove(0, tuple(units), (here, OPEN, hex_)), (here, hex_))
            if goal is not None:
                found[hex_] = goal
    return found


# ------------------------------------------------------------------------------------------------ deeds


def phase_deeds(ctx: Context, position: Position) -> tuple[Deed, ...]:
    """What the side at hand may throw or say that belongs to no unit of its choice."""
    ctx = ctx.at(position.turn)
    asked = [_thrown_for(ctx, one) for one in (st.AirRoll(0, 1), st.WeatherRoll(0, ()), st.OrderRoll(0, ()))]
    for rule in ctx.scenario.setup.reinforcements:
        due = [u for u, s in position.units.items() if s.hex is None and ctx.units[u].counters & set(rule.units)]
        if rule.die is not None and due:
            asked.append(Deed(st.ArrivalRoll(0, (due[0],), ()), Dice.of(rule.die.dice)))
    return tuple(deed for deed in asked if _open(ctx, position, deed))


def deeds(ctx: Context, position: Position, units: Sequence[str]) -> tuple[Deed, ...]:
    """What units may do besides moving and fighting: recover, rally, take a mark, leave the map, build, clear."""
    ctx = ctx.at(position.turn)
    return tuple(deed for deed in _asked_deeds(ctx, position, tuple(units)) if _open(ctx, position, deed))


def _asked_deeds(ctx: Context, position: Position, units: tuple[str, ...]) -> Iterator[Deed]:
    if not units:
        return
    marks = {mark for u in units for mark in position.units[u].marks}
    if any(position.units[u].step != "full" for u in units):
        yield Deed(st.Recover(0, units))
    for rule in ctx.rules.marks:
        if rule.rally is not None and rule.mark in marks:
            yield Deed(st.Rally(0, units, rule.mark), Dice.of(rule.rally.dice) if rule.rally.dice else None)
        if rule.take is not None:
            yield Deed(st.Mark(0, units, rule.mark))
    for worn in ctx.rules.attrition:
        yield Deed(st.Attrition(0, units), Dice.of(worn.steps.dice) if worn.steps.dice else None)
    here = position.hex_of(units[0])
    if here is None or any(position.hex_of(u) != here for u in units):
        return
    for edge in ctx.ground.edges_at(here):
        yield Deed(st.Exit(0, units, (here,), edge))  # type: ignore[arg-type]
    near = position.grid.neighbours[here]
    if ctx.movement.bridging is not None and len(units) == 1:
        yield from (Deed(st.BuildBridge(0, (here, there), units[0])) for there in near)
        yield from (Deed(st.BuildBridge(0, pair, units[0])) for pair in _sides_near(position, here))
    if ctx.movement.clearing is not None and len(units) == 1:
        yield from (_thrown_for(ctx, st.ClearTrail(0, hex_, units[0], 1)) for hex_ in (here, *near))


def _thrown_for(ctx: Context, statement: base.Statement) -> Deed:
    return Deed(statement, dice_of(statement, ctx.scenario))


def _sides_near(position: Position, here: Hex) -> Iterator[tuple[Hex, Hex]]:
    near = position.grid.neighbours[here]
    return ((a, b) for a in near for b in near if a < b and position.grid.adjacent(a, b))


def _open(ctx: Context, position: Position, deed: Deed) -> bool:
    """Whether a deed is lawful whatever its dice show."""
    if deed.dice is None:
        return lawful(ctx, position, deed.statement)
    return lawful(ctx, position, deed.thrown((1,) * deed.dice.count))
