"""A way from hex to hex for one unit: what it costs, what forbids it, and the findings on that (4.0, 4.1).

Marches: units that go farther than their allowance if their way fulfils conditions (`movement.marches`).

Ways that a sheet leaves open: the cheapest that is legal, and where there is none what shuts them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final, TypeAlias

from ...scenarios.schema.game import Share
from ...scenarios.schema.rules_movement import March
from ...scenarios.text.hexgrid import Hex
from ...scenarios.text.words import Message, Param, Term, message
from ..notation.kinds import OPEN
from .combat.encirclement import room, taken_by
from .context import Context, Outcome
from .findings import Finding, points
from .ground import HUGE, HexStep
from .move_effects import same_for_all, spec
from .position import Position
from .roster import fits
from .travel import Obstacle, Traveller, may_move, nearest_first, trail, traveller
from .values import CONTACT, OFF, ZONE, Price

LONG: Final = 4
"""Hexes of one price in a row that are told together."""


@dataclass(frozen=True, slots=True)
class Journey:
    """A way with what it costs one unit, in halves, and what forbids it.

    `parts` are the prices that make up the cost; `bar` is what shuts the nearer way, where the way was left open.
    """

    path: tuple[Hex, ...]
    cost: int
    trouble: tuple[tuple[Obstacle, Hex, Hex], ...] = ()
    gaps: tuple[tuple[Hex, Hex], ...] = ()
    parts: tuple[Price, ...] = ()
    bar: tuple[Obstacle, Hex, Hex] | None = None


def travel(one: Traveller, path: Sequence[Hex], entry: HexStep | None = None) -> Journey:
    """Go a way hex by hex, counting what it costs and collecting all that forbids it.

    `entry` is the step into the first hex of a unit that comes on the map.
    """
    entering = entry is not None
    spent = entry.cost if entry is not None else 0
    trouble: list[tuple[Obstacle, Hex, Hex]] = []
    gaps: list[tuple[Hex, Hex]] = []
    parts = [Price(path[0], entry.cost, entry.rates)] if entry is not None else []
    toll = ZONE if one.dear else CONTACT
    passed: int = one.passed or (entering and path[0] in one.gate)
    told: set[str] = set()
    for i, (a, b) in enumerate(pairwise(path)):
        if not one.ctx.map.grid.adjacent(a, b):
            gaps.append((a, b))
            continue
        step, extra, obstacles = one.step(a, b, first=i == 0 and not entering, passed=passed)
        spent += step.cost + extra
        if extra:
            parts.append(Price(toll, extra))
        parts.append(Price(b, step.cost, step.rates))
        for obstacle in obstacles:
            if obstacle.key not in told:
                told.add(obstacle.key)
                trouble.append((obstacle, a, b))
        passed = one.after(a, b, first=i == 0 and not entering, passed=passed)
    return Journey(tuple(path), spent, tuple(trouble), tuple(gaps), tuple(parts))


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
    # Who goes where a way is obstructed goes on from there by it, which is no second fault.
    shut = {b for obstacle, _, b in journey.trouble if obstacle.key == "uncleared"}
    told_once = (t for t in journey.trouble if not (t[0].key == "barred-water" and t[1] in shut))
    found += [complaint(one, line, (unit.id,), trouble) for trouble in told_once]
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


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a stretch begins: a hex, whether it is the first of the move, what the unit has passed."""

    hex: Hex
    first: bool
    passed: int


def _has_passed(one: Traveller, so_far: Sequence[Hex], *, entering: bool) -> int:
    passed: int = one.passed or any(h in one.gate for h in so_far)
    for i, (a, b) in enumerate(pairwise(so_far)):
        passed = one.after(a, b, first=i == 0 and not entering, passed=passed)
    return passed


def fill(
    travellers: Sequence[Traveller], path: Sequence[str], line: int, entry: HexStep | None = None
) -> tuple[tuple[Hex, ...], list[Finding]]:
    """A path with its open stretches filled in by the cheapest way that is legal for the whole stack.

    Where there is none the hexes stay apart, and a finding says so. `entry` is the dearest step into the first hex
    of units that come on the map.
    """
    full: list[Hex] = [path[0]]
    findings: list[Finding] = []
    for i, word in enumerate(path[1:], 1):
        if word == OPEN:
            continue
        if path[i - 1] != OPEN:
            full.append(word)
            continue
        way = _way(travellers, full, word, entry)
        if way is None:
            findings.append(_no_way(travellers, line, full, word, entering=entry is not None))
            full.append(word)
        else:
            full += way[1:]
    return tuple(full), findings


def _no_way(
    travellers: Sequence[Traveller], line: int, so_far: Sequence[Hex], goal: Hex, *, entering: bool
) -> Finding:
    """Why a stretch left open cannot be filled: what shuts the way that comes nearest to being lawful."""
    one, company, ids = travellers[0], travellers[1:], tuple(t.unit.id for t in travellers)
    ctx, a = one.ctx, so_far[-1]
    if goal in one.held:
        return ctx.found(line, "enemy-occupied", hexes=(a, goal), units=ids, hex=goal)
    start = _Start(a, first=len(so_far) == 1 and not entering, passed=_has_passed(one, so_far, entering=entering))
    found = ctx.found(line, "no-way", hexes=(a, goal), units=ids, a=a, b=goal)
    trouble = least_trouble(one, company, start, goal)
    if trouble is None:
        return found
    why = complaint(one, line, ids, trouble)
    said = message("findings.no-way-because", a=a, b=goal, why=why.message)
    hexes = tuple(dict.fromkeys((a, goal, *why.hexes)))
    return replace(found, rule=why.rule, code=why.code, message=said, hexes=hexes)


def told_shut(travellers: Sequence[Traveller], words: Sequence[str], journey: Journey, which: int) -> Journey:
    """A journey along ways left open, with the zone that shuts the way which its allowance would do for."""
    one = travellers[which]
    if OPEN not in words or journey.gaps or journey.cost <= one.allowance:
        return journey
    others = (*travellers[:which], *travellers[which + 1 :])
    spent, bar, so_far = 0, None, [words[0]]
    for before, word in pairwise(words):
        if word == OPEN:
            continue
        here, first = so_far[-1], len(so_far) == 1
        stack = _Shut(one, others, _Start(here, first, _has_passed(one, so_far, entering=False)))
        found = stack.cheapest(word, _through_zones) if before == OPEN else (0, (here, word))
        if found is None:
            return journey
        steps = list(stack.along(found[1]))
        # What breaking contact costs besides is in the weight of a way that was looked for.
        spent += found[0] or sum(step.cost for step, _, _, _ in steps)
        for _, barriers, a, b in steps:
            bar = bar or next(((barrier, a, b) for barrier in barriers), None)
        so_far += found[1][1:]
    return replace(journey, bar=bar) if bar is not None and spent <= one.allowance else journey


def _through_zones(step: HexStep, extra: int, barriers: list[Obstacle]) -> int | None:
    return step.cost + extra if all(barrier.key in _OF_ZONES for barrier in barriers) else None


_OF_ZONES: Final = ("zone-to-zone", "zone-again", "zone-hold", "zone-shut", "must-stop")


def _way(
    travellers: Sequence[Traveller], so_far: Sequence[Hex], goal: Hex, entry: HexStep | None
) -> tuple[Hex, ...] | None:
    start, entering = so_far[-1], entry is not None
    first = len(so_far) == 1 and not entering
    ways: list[tuple[int, int, tuple[Hex, ...]]] = []
    # A mixed stack takes a way that all of them may go, the one that strains its members least.
    for i, one in enumerate(travellers):
        others = (*travellers[:i], *travellers[i + 1 :])
        before = travel(one, so_far, entry).cost
        passed = _has_passed(one, so_far, entering=entering)
        for cost, here, way in one.explore(start, others, first=first, passed=passed, spent=before, limit=HUGE):
            if here == goal and (len(way) > 1 or goal == start):
                whole = (*so_far, *way[1:])
                over = max(travel(t, whole, entry).cost - t.allowance for t in travellers)
                ways.append((over, cost, way))
                break
    return min(ways)[2] if ways else None


# ------------------------------------------------------------------------------------ ways that are shut


class _Shut:
    """The steps of a stack on its way from a start, with all that forbids them to one of it."""

    def __init__(self, one: Traveller, company: Sequence[Traveller], start: _Start) -> None:
        self.one, self.company, self.start = one, company, start

    def step(self, a: Hex, b: Hex, *, first: bool, passed: int) -> tuple[HexStep, int, list[Obstacle]]:
        """The ground's step, what breaking contact costs besides, and what forbids the step."""
        step, extra, barriers = self.one.step(a, b, first=first, passed=passed)
        for mate in self.company:
            barriers += mate.step(a, b, first=first, passed=passed)[2]
        return step, extra, barriers

    def cheapest(self, goal: Hex, weigh: _Weigh) -> tuple[int, tuple[Hex, ...]] | None:
        """The weight and the way that a way of weighing finds the lightest; None if it finds none."""

        def price(a: Hex, b: Hex, *, first: bool, passed: int) -> int | None:
            return weigh(*self.step(a, b, first=first, passed=passed))

        one, start = self.one, self.start
        near = one.ctx.map.grid.neighbours
        after = trail((one, *self.company))
        found = nearest_first(near, start.hex, price, one.gate, first=start.first, passed=start.passed, after=after)
        return next(((weight, way) for weight, here, way in found if here == goal), None)

    def along(self, way: Sequence[Hex]) -> Iterator[tuple[HexStep, list[Obstacle], Hex, Hex]]:
        """Each step of a way with what forbids it."""
        passed = self.start.passed
        for i, (a, b) in enumerate(pairwise(way)):
            step, _, barriers = self.step(a, b, first=self.start.first and i == 0, passed=passed)
            yield step, barriers, a, b
            passed = self.one.after(a, b, first=self.start.first and i == 0, passed=passed)


_Weigh: TypeAlias = Callable[[HexStep, int, list[Obstacle]], "int | None"]
"""What a step counts in a search: None if the search may not take it."""


def least_trouble(
    one: Traveller, company: Sequence[Traveller], start: _Start, goal: Hex
) -> tuple[Obstacle, Hex, Hex] | None:
    """The first obstacle of the way on which the fewest stand; None if the hexes are not joined at all."""

    def weigh(step: HexStep, extra: int, barriers: list[Obstacle]) -> int:
        return len({barrier.key for barrier in barriers}) * HUGE + min(step.cost, HUGE // 1000) + extra

    stack = _Shut(one, company, start)
    found = stack.cheapest(goal, weigh)
    steps = stack.along(found[1]) if found else ()
    return next(((barriers[0], a, b) for _, barriers, a, b in steps if barriers), None)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A stack's move as it may be gone: by whom, along which hexes, what is left open, what it costs each."""

    travellers: tuple[Traveller, ...]
    path: tuple[Hex, ...]
    holes: tuple[Finding, ...]
    journeys: tuple[Journey, ...]

    def complaints(self, line: int) -> Iterator[list[Finding]]:
        """What is wrong with it, unit by unit."""
        return (complain(one, line, j, self.holes) for one, j in zip(self.travellers, self.journeys, strict=True))

    def sound(self, line: int) -> bool:
        """Whether nothing is wrong with it."""
        return not self.holes and not any(self.complaints(line))

    def only_dear(self, line: int) -> bool:
        """Whether nothing is wrong with it but its price."""
        return not self.holes and all(f.code == "movement-cost" for found in self.complaints(line) for f in found)

    def allowance(self) -> int:
        """What its slowest unit may spend, in half points."""
        return min(one.allowance for one in self.travellers)


def attempt(travellers: Iterable[Traveller], words: Sequence[str], line: int) -> Attempt:
    """A move along the hexes of a statement, open stretches filled in."""
    stack = tuple(travellers)
    path, holes = fill(stack, words, line)
    journeys = [travel(one, path) for one in stack]
    best = (told_shut(stack, words, j, i) for i, j in enumerate(journeys))
    return Attempt(stack, path, tuple(holes), tuple(best))


def gone(travellers: Iterable[Traveller], words: Sequence[str], line: int) -> Attempt:
    """A move as each unit of the stack may go it: as it is, or else by one of the game's marches."""
    plain = attempt(travellers, words, line)
    if not plain.travellers[0].ctx.movement.marches or plain.sound(line):
        return plain
    gaits = [(one, *marching(one, plain.path[0])) for one in plain.travellers]
    chosen = [next((g for g in many if _sound(g, plain.path, line)), many[0]) for many in gaits]
    most = max(map(len, gaits))
    marches = [[many[min(i, len(many) - 1)] for many in gaits] for i in range(1, most)]
    found = [attempt(stack, words, line) for stack in (chosen, *(marches if OPEN in words else ()))]
    fitting = next((one for one in found if one.sound(line)), None)
    if fitting is not None or not marches or not plain.only_dear(line):
        return fitting or plain
    # Where a march fails for its price alone, that is what it lacks, and no less.
    dear = (one for one in (attempt(stack, words, line) for stack in marches) if one.only_dear(line))
    return max(dear, key=Attempt.allowance, default=plain)


def _sound(one: Traveller, path: Sequence[Hex], line: int) -> bool:
    return not complain(one, line, travel(one, path))


def marching(one: Traveller, start: Hex) -> Iterator[Traveller]:
    """A traveller as it goes by each march that it may make from a hex: farther, but not everywhere."""
    ctx, unit = one.ctx, one.unit
    position = one.position
    limits = spec(ctx, position.phase)
    if same_for_all(limits) or (limits is not None and not limits.marches):
        return
    for rule in ctx.movement.marches:
        state = position.units[unit.id]
        if not fits(rule, unit, state) or not ctx.in_force(rule, position, state.hex):
            continue
        shut = _shut(one, rule)
        if start in shut:
            continue
        ways = frozenset(rule.ways)
        only = one.mover.only & ways if one.mover.only and ways else one.mover.only or ways
        if not only and ways:  # the phase has its own ways, and the march none of them
            continue
        spent = position.ledger.spent.get(unit.id, 0)
        yield replace(
            one,
            mover=replace(one.mover, only=only),
            later=replace(one.later, only=only),
            allowance=(one.allowance + spent) * rule.times + rule.more - spent,
            held={**dict.fromkeys(shut, ()), **one.held},
            march=rule,
        )


def _shut(one: Traveller, rule: March) -> frozenset[Hex]:
    """The hexes that who marches does not touch."""
    if rule.clear_of == "nothing":
        return frozenset()
    if rule.clear_of == "zones":
        return one.zone
    near = one.ctx.map.grid.neighbours
    return frozenset(h for held in one.position.boards[one.position.enemy(one.unit.side)].at for h in near[held])


def marched(ctx: Context, position: Position, line: int, travellers: Iterable[Traveller]) -> Outcome:
    """The marches of a stack noted, and a finding where more march in the turn than the game lets."""
    rules, found = ctx.movement.marches, []
    for one in (one for one in travellers if one.march is not None):
        use, unit = one.march, one.unit.id
        assert use is not None
        key = rules.index(use)
        count = position.ledger.marched.get(key, 0) + taken_by(ctx, position, unit, use)
        position = position.noted(marched={**position.ledger.marched, key: count})
        if use.most is not None and count > use.most:
            told = {"computed": count, "count": count, "limit": use.most}
            found.append(ctx.found(line, "march-capacity", section=use.section, units=(unit,), **told))
    return Outcome(position, tuple(found))


def reach(ctx: Context, position: Position, unit_id: str) -> dict[Hex, tuple[int, tuple[Hex, ...]]]:
    """Hexes that a unit on the map may end its move in: cost in halves and the cheapest way.

    Its own hex is not among them. Full hexes are left out, for it may pass through them but not stop (4.1.1).
    """
    unit = ctx.units[unit_id]
    here = position.hex_of(unit_id)
    if here is None or not may_move(ctx, position, unit):
        return {}
    found: dict[Hex, tuple[int, tuple[Hex, ...]]] = {}
    plain = traveller(ctx, position, unit)
    for one in (plain, *marching(plain, here)):
        for cost, hex_, way in one.explore(here):
            if hex_ != here and hex_ not in found and room(ctx, position, hex_, unit.side, unit_id):
                found[hex_] = (cost, way)
    return found
