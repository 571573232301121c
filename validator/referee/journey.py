"""A way from hex to hex for one unit: what it costs, what forbids it, and the findings on that (4.0, 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.phases import Share
from hexforge.scenarios.words import Message, Param, Term, message
from hexforge.validator.referee.findings import Finding, doubt, points
from hexforge.validator.referee.limits import spec
from hexforge.validator.referee.rates import CONTACT, OFF, ZONE, Price
from hexforge.validator.referee.steps import HexStep
from hexforge.validator.referee.travel import Obstacle, Traveller

LONG: Final = 4
"""Hexes of one price in a row that are told together."""


@dataclass(frozen=True, slots=True)
class Journey:
    """A way with what it costs one unit, in halves, and what forbids it.

    `floor` is the least it can cost whatever the reconstructed ground is, `doubt` the dearest part of that ground.
    `parts` are the prices that make up the cost; `bar` is what shuts the nearer way, where the way was left open.
    """

    path: tuple[Hex, ...]
    cost: int
    floor: int
    doubt: Message | None
    trouble: tuple[tuple[Obstacle, Hex, Hex], ...] = ()
    gaps: tuple[tuple[Hex, Hex], ...] = ()
    parts: tuple[Price, ...] = ()
    bar: tuple[Obstacle, Hex, Hex] | None = None


def travel(one: Traveller, path: Sequence[Hex], entry: HexStep | None = None) -> Journey:
    """Go a way hex by hex, counting what it costs and collecting all that forbids it.

    `entry` is the step into the first hex of a unit that comes on the map.
    """
    entering = entry is not None
    spent, floor, doubt = (entry.cost, entry.floor, entry.doubt) if entry is not None else (0, 0, None)
    trouble: list[tuple[Obstacle, Hex, Hex]] = []
    gaps: list[tuple[Hex, Hex]] = []
    parts = [Price(path[0], entry.cost, entry.rates)] if entry is not None else []
    toll = ZONE if one.dear else CONTACT
    worst = 0
    passed: int = one.passed or (entering and path[0] in one.gate)
    told: set[str] = set()
    for i, (a, b) in enumerate(pairwise(path)):
        if not one.ctx.map.grid.adjacent(a, b):
            gaps.append((a, b))
            continue
        step, extra, obstacles = one.step(a, b, first=i == 0 and not entering, passed=passed)
        spent += step.cost + extra
        floor += step.floor + extra
        if extra:
            parts.append(Price(toll, extra))
        parts.append(Price(b, step.cost, step.rates))
        if step.doubt and step.cost - step.floor > worst:
            worst, doubt = step.cost - step.floor, step.doubt
        for obstacle in obstacles:
            if obstacle.key not in told:
                told.add(obstacle.key)
                trouble.append((obstacle, a, b))
        passed = one.after(a, b, first=i == 0 and not entering, passed=passed)
    return Journey(tuple(path), spent, floor, doubt, tuple(trouble), tuple(gaps), tuple(parts))


def complain(one: Traveller, line: int, journey: Journey, holes: Iterable[Finding] = ()) -> list[Finding]:
    """The findings on a journey: jumps, what forbids its steps, what it costs beyond the allowance.

    `holes` are findings on stretches left open that could not be filled; their jumps, the first two of their hexes,
    are not told again.
    """
    told = {hole.hexes[:2] for hole in holes}
    ctx, unit = one.ctx, one.unit
    found = [
        ctx.found(line, "not-adjacent", hexes=gap, units=(unit.id,), a=gap[0], b=gap[1])
        for gap in journey.gaps
        if gap not in told
    ]
    found += [complaint(one, line, (unit.id,), trouble) for trouble in journey.trouble]
    if journey.cost > one.allowance and not journey.gaps and not one.least(journey.path):
        found.append(_too_dear(one, line, journey))
    return found


def complaint(one: Traveller, line: int, ids: Sequence[str], trouble: tuple[Obstacle, Hex, Hex]) -> Finding:
    """The finding on an obstacle between two hexes of a way."""
    obstacle, a, b = trouble
    where = a if obstacle.key in ("must-stop", "zone-hold") else b
    return one.ctx.found(
        line,
        obstacle.key,
        section=obstacle.section,
        hexes=(where,),
        units=ids,
        doubts=(obstacle.doubt,),
        unit=" ".join(ids),
        hex=where,
        a=a,
        what=one.ctx.term(obstacle.what),
        area=obstacle.what if obstacle.key == "perimeter" else "",
    )


def _sum(journey: Journey) -> Param:
    """The parts of a price, for players to see which hex makes it too dear."""

    def alike(part: Price) -> tuple[int, str]:
        return part.cost, part.where if part.where in (CONTACT, ZONE, OFF) else "hex"

    runs = ((key, [part.where for part in group]) for key, group in groupby(journey.parts, alike))
    return tuple(told for (cost, _), run in runs for told in _run(run, points(cost)))


def _run(run: Sequence[Hex], cost: float) -> list[Message]:
    """Hexes of one price in a row: a long run of them as one."""
    if run[0] == CONTACT:
        return [message("findings.way-part.contact", cost=cost)]
    if run[0] == ZONE:
        return [message("findings.way-part.zone", cost=cost)]
    if run[0] == OFF:
        return [message("findings.way-part.off", cost=cost)]
    if len(run) >= LONG:
        return [message("findings.way-part.run", first=run[0], last=run[-1], count=len(run), cost=cost)]
    return [message("findings.way-part.hex", hex=where, cost=cost) for where in run]


def _too_dear(one: Traveller, line: int, journey: Journey) -> Finding:
    unit = one.unit
    rests_on = None
    if journey.floor <= one.allowance:
        rests_on = journey.doubt
    elif "strength" in unit.assumed:
        rests_on = doubt("movement", unit=unit.id)
    cost, allowance = points(journey.cost), points(one.allowance)
    causes = _causes(one)
    if journey.bar is not None:
        shut = complaint(one, line, (unit.id,), journey.bar)
        causes = (*causes, message("findings.cut.shut", why=shut.message, rule=shut.rule))
    return one.ctx.found(
        line,
        "movement-cost-cut" if causes else "movement-cost",
        section=_cut_by(one, journey.cost),
        hexes=journey.path[-1:],
        units=(unit.id,),
        declared=None,
        computed=cost,
        doubts=(rests_on,),
        unit=unit.id,
        cost=cost,
        allowance=allowance,
        parts=_sum(journey),
        causes=causes,
    )


def _causes(one: Traveller) -> tuple[Param, ...]:
    """Why a unit's allowance is not its counter's: its march, marks, the weather, the turn, the phase's share."""
    march: tuple[Param, ...] = (message("findings.cut.march"),) if one.march is not None else ()
    if not march and one.allowance >= one.uncut:
        return ()
    state = one.position.units[one.unit.id]
    marks = sorted({m for cut in one.cuts for m in state.marks.intersection(cut.marks)})
    found: list[Param] = [Term("marks", mark, mark.replace("_", " ")) for mark in marks]
    if any(cut.weather for cut in one.cuts):
        found.append(Term("weather", one.ctx.weather(one.position, state.hex)))
    if any(not (cut.marks or cut.weather) for cut in one.cuts):
        found.append(message("findings.cut.turn"))
    limits = spec(one.ctx, one.position.phase)
    if limits is not None and isinstance(limits.allowance, Share):
        found.append(message("findings.cut.phase"))
    return (*found, *march)


def _cut_by(one: Traveller, cost: int) -> str:
    """Where the rulebook prints what an allowance that falls short of a cost has become: "" for where it is."""
    limits = spec(one.ctx, one.position.phase)
    if one.march is not None:
        return one.march.section
    if one.allowance >= one.uncut or cost > one.uncut:
        return ""
    return one.cuts[0].section if one.cuts else limits.section if limits is not None else ""
