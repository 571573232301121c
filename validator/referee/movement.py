"""Moves (section 4): may this unit go this way, and what does it cost it?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.words import Message, Term
from hexforge.validator.readers.statements import OPEN, Move
from hexforge.validator.referee.binding import bound
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, MoveRecord, doubt, points
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.passing import passes
from hexforge.validator.referee.presence import (
    actors,
    from_where_they_stand,
    living,
    stacked,
    trimmed,
    unknown_hexes,
)
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.steps import HUGE
from hexforge.validator.referee.terrain import engaging
from hexforge.validator.referee.travel import Obstacle, Traveller, best_case, traveller


@dataclass(frozen=True, slots=True)
class Journey:
    """A way with what it costs one unit, in halves, and what forbids it.

    `floor` is the least it can cost whatever the reconstructed ground is, `doubt` the dearest part of that ground.
    """

    path: tuple[Hex, ...]
    cost: int
    floor: int
    doubt: Message | None
    trouble: tuple[tuple[Obstacle, Hex, Hex], ...] = ()
    gaps: tuple[tuple[Hex, Hex], ...] = ()


def travel(
    one: Traveller,
    path: Sequence[Hex],
    *,
    spent: int = 0,
    floor: int = 0,
    doubt: Message | None = None,
    entering: bool = False,
) -> Journey:
    """Go a way hex by hex, counting what it costs and collecting all that forbids it.

    `spent` (with its own floor and doubt) is what was paid before: the first hex of a unit that comes on the map.
    """
    trouble: list[tuple[Obstacle, Hex, Hex]] = []
    gaps: list[tuple[Hex, Hex]] = []
    worst = 0
    passed = one.passed or (entering and path[0] in one.gate)
    told: set[str] = set()
    for i, (a, b) in enumerate(pairwise(path)):
        if not one.ctx.map.grid.adjacent(a, b):
            gaps.append((a, b))
            continue
        step, extra, obstacles = one.step(a, b, first=i == 0 and not entering, passed=passed)
        spent += step.cost + extra
        floor += step.floor + extra
        if step.doubt and step.cost - step.floor > worst:
            worst, doubt = step.cost - step.floor, step.doubt
        for obstacle in obstacles:
            if obstacle.key not in told:
                told.add(obstacle.key)
                trouble.append((obstacle, a, b))
        passed = passed or b in one.gate
    return Journey(tuple(path), spent, floor, doubt, tuple(trouble), tuple(gaps))


def complain(one: Traveller, line: int, journey: Journey, holes: Iterable[Finding] = ()) -> list[Finding]:
    """The findings on a journey: jumps, what forbids its steps, what it costs beyond the allowance.

    `holes` are findings on stretches left open that could not be filled; their jumps are not told again.
    """
    told = {hole.hexes for hole in holes}
    ctx, unit = one.ctx, one.unit
    found = [
        ctx.found(line, "not-adjacent", hexes=gap, units=(unit.id,), a=gap[0], b=gap[1])
        for gap in journey.gaps
        if gap not in told
    ]
    for obstacle, a, b in journey.trouble:
        where = a if obstacle.key == "must-stop" else b
        area = obstacle.what if obstacle.key == "perimeter" else ""
        found.append(
            ctx.found(
                line,
                obstacle.key,
                section=obstacle.section,
                hexes=(where,),
                units=(unit.id,),
                doubts=(obstacle.doubt,),
                unit=unit.id,
                hex=where,
                a=a,
                what=ctx.term(obstacle.what),
                area=area,
            )
        )
    if journey.cost > one.allowance and not journey.gaps:
        found.append(_too_dear(one, line, journey))
    return found


def _too_dear(one: Traveller, line: int, journey: Journey) -> Finding:
    unit = one.unit
    rests_on = None
    if journey.floor <= one.allowance:
        rests_on = journey.doubt
    elif "strength" in unit.assumed:
        rests_on = doubt("movement", unit=unit.id)
    cost, allowance = points(journey.cost), points(one.allowance)
    return one.ctx.found(
        line,
        "movement-cost",
        hexes=journey.path[-1:],
        units=(unit.id,),
        declared=None,
        computed=cost,
        doubts=(rests_on,),
        unit=unit.id,
        cost=cost,
        allowance=allowance,
    )


# ------------------------------------------------------------------------------------------- open ways


def fill(
    travellers: Sequence[Traveller], path: Sequence[str], line: int, *, spent: int = 0, entering: bool = False
) -> tuple[tuple[Hex, ...], list[Finding]]:
    """A path with its open stretches filled in by the cheapest way that is legal for the whole stack.

    Where there is none the hexes stay apart, and a finding says so.
    """
    full: list[Hex] = [path[0]]
    findings: list[Finding] = []
    for i, word in enumerate(path[1:], 1):
        if word == OPEN:
            continue
        if path[i - 1] != OPEN:
            full.append(word)
            continue
        way = _way(travellers, full, word, spent, entering)
        if way is None:
            ids = tuple(one.unit.id for one in travellers)
            best = best_case(travellers[0], travellers[1:], full[-1], word, first=len(full) == 1 and not entering)
            findings.append(_no_way(travellers[0], line, ids, (full[-1], word), best[1] if best else None))
            full.append(word)
        else:
            full += way[1:]
    return tuple(full), findings


def _no_way(one: Traveller, line: int, ids: Sequence[str], gap: tuple[Hex, Hex], doubt: Message | None) -> Finding:
    ctx, (a, b) = one.ctx, gap
    if b in one.held:
        return ctx.found(line, "enemy-occupied", hexes=gap, units=ids, hex=b)
    return ctx.found(line, "no-way", hexes=gap, units=ids, doubts=(doubt,), a=a, b=b)


def relaxed(travellers: Sequence[Traveller], words: Sequence[str], journey: Journey, which: int) -> Journey:
    """A journey along ways left open; its floor is that of the best way on whatever the reconstructed ground is."""
    one = travellers[which]
    if OPEN not in words or not one.ctx.map.printed or journey.floor <= one.allowance:
        return journey
    others = (*travellers[:which], *travellers[which + 1 :])
    floor, datum, first = 0, None, True
    for i, word in enumerate(words):
        if i == 0 or word == OPEN:
            continue
        a = words[i - 1] if words[i - 1] != OPEN else words[i - 2]
        if words[i - 1] == OPEN:
            best = best_case(one, others, a, word, first=first)
            if best is None:
                return journey
            floor, datum = floor + best[0], datum or best[1]
        elif one.ctx.map.grid.adjacent(a, word):
            step, extra, _ = one.step(a, word, first=first, passed=one.passed)
            floor, datum = floor + step.floor + extra, datum or step.doubt
        first = False
    return replace(journey, floor=floor, doubt=datum or journey.doubt) if floor < journey.floor else journey


def _way(
    travellers: Sequence[Traveller], so_far: Sequence[Hex], goal: Hex, spent: int, entering: bool
) -> tuple[Hex, ...] | None:
    start = so_far[-1]
    first = len(so_far) == 1 and not entering
    ways: list[tuple[int, int, tuple[Hex, ...]]] = []
    # A mixed stack takes a way that all of them may go, the one that strains its members least.
    for i, one in enumerate(travellers):
        others = (*travellers[:i], *travellers[i + 1 :])
        before = travel(one, so_far, entering=entering).cost + spent
        passed = one.passed or any(h in one.gate for h in so_far)
        for cost, here, way in one.explore(start, others, first=first, passed=passed, spent=before, limit=HUGE):
            if here == goal and (len(way) > 1 or goal == start):
                whole = (*so_far, *way[1:])
                over = max(travel(t, whole, spent=spent, entering=entering).cost - t.allowance for t in travellers)
                ways.append((over, cost, way))
                break
    return min(ways)[2] if ways else None


# --------------------------------------------------------------------------------------------- judging


def judge_move(ctx: Context, position: Position, statement: Move) -> Outcome:
    """`move`: a stack goes its way; whatever is wrong with it, it stands at the end of it."""
    line, words = statement.line, trimmed(statement.path)
    bad = unknown_hexes(ctx, line, words)
    ids, findings, lawful = actors(ctx, position, statement, "move", statement.units)
    findings = [*bad, *findings]
    words = from_where_they_stand(ctx, position, ids, words)
    if len(words) < 2:
        findings.append(ctx.found(line, "no-path", units=ids))
    if not ids or bad or not words:
        return Outcome(position, tuple(findings))
    findings += absent(ctx, position, line, ids, words[0])
    findings += immovable(ctx, position, line, ids)
    travellers = [traveller(ctx, position, ctx.units[u]) for u in ids]
    path, holes = fill(travellers, words, line)
    journeys = [travel(one, path) for one in travellers]
    journeys = [relaxed(travellers, words, j, i) for i, j in enumerate(journeys)]
    if lawful:
        findings += holes
        findings += merged(complain(one, line, j, holes) for one, j in zip(travellers, journeys, strict=True))
        if OPEN in words and not holes:
            findings.append(_told(ctx, line, ids, journeys[0]))
    after = position
    for u in living(position, ids):
        after = passes(ctx, after, u, path[1:])
        after = after.set(u, hex=path[-1], where="", moved=True, since=_since(after, u, path[-1]))
    findings += stacked(ctx, after, line, path[-1], ctx.units[ids[0]].side)
    if lawful:
        findings += _idle_contact(ctx, after, line, ids)
        findings += _spoiled_rest(ctx, after, line, ids)
    return Outcome(after, tuple(findings), (record(line, ids, travellers, journeys),))


def _idle_contact(ctx: Context, position: Position, line: int, ids: Iterable[str]) -> list[Finding]:
    """A warning for units that came to stand next to enemies whom their kind may not attack."""
    found = []
    for u in ids:
        hex_, unit = position.hex_of(u), ctx.units[u]
        if hex_ is None or not position.engaged(u) or engaging(ctx, position, unit, hex_):
            continue
        section = next(r.section for r in ctx.rules.combat.no_engagement if unit.is_any(r.types))
        key = "idle-contact"
        found.append(ctx.found(line, key, section=section, severity="warning", hexes=(hex_,), units=(u,), unit=u))
    return found


def _spoiled_rest(ctx: Context, position: Position, line: int, ids: Iterable[str]) -> list[Finding]:
    """Units that turned back a loss in this phase and now go where they are engaged (section 7)."""
    found = []
    for u in ids:
        if u in position.ledger.recovered and position.engaged(u):
            found.append(ctx.found(line, "recovery-engaged", units=(u,), unit=u))
    return found


def record(
    line: int, ids: Iterable[str], travellers: Sequence[Traveller], journeys: Sequence[Journey]
) -> MoveRecord:
    """The price of a move: the dearest of the stack's, and what the poorest has left."""
    left = min(one.allowance - j.cost for one, j in zip(travellers, journeys, strict=True))
    return MoveRecord(line, tuple(ids), journeys[0].path, max(j.cost for j in journeys), left)


def _since(position: Position, unit: str, hex_: Hex) -> int | None:
    state = position.units[unit]
    return state.since if state.hex == hex_ else position.turn


def absent(ctx: Context, position: Position, line: int, ids: Iterable[str], start: Hex) -> list[Finding]:
    """Findings on units that do not stand in the hex that their way begins in."""
    found = []
    for u in ids:
        state = position.units[u]
        if state.hex is None:
            found.append(_off(ctx, position, line, u))
        elif state.hex != start:
            found.append(
                ctx.found(
                    line,
                    "not-there",
                    hexes=(start,),
                    units=(u,),
                    declared=start,
                    computed=state.hex,
                    unit=u,
                    where=state.hex,
                    hex=start,
                )
            )
    return found


def _off(ctx: Context, position: Position, line: int, unit: str) -> Finding:
    state = position.units[unit]
    if state.where == "withdrawn" and state.left is not None:
        return ctx.found(line, "withdrawn", units=(unit,), unit=unit, turn=state.left.turn)
    section = ctx.sections.exit if state.where in ("retreated", "exited") else ctx.sections.allowance
    where = Term("where", state.where)
    return ctx.found(line, "off-map", section=section, units=(unit,), unit=unit, where=where)


def immovable(ctx: Context, position: Position, line: int, ids: Iterable[str]) -> list[Finding]:
    """Findings on units that have moved or worked already, or are bound to their hex."""
    found = []
    for u in ids:
        state = position.units[u]
        if state.moved and position.phase is not None and position.phase.kind == "movement":
            found.append(ctx.found(line, "moved-twice", units=(u,), unit=u))
        elif u in position.ledger.worked:
            found.append(ctx.found(line, "worked", units=(u,), unit=u))
        if state.hex is None:
            continue
        for bond in bound(ctx, position, ctx.units[u]):
            found.append(
                ctx.found(
                    line,
                    bond.key,
                    section=bond.section,
                    hexes=(state.hex,),
                    units=(u,),
                    doubts=(bond.doubt,),
                    unit=u,
                    turn=position.turn,
                    hex=state.hex,
                )
            )
    return found


def merged(groups: Iterable[list[Finding]]) -> list[Finding]:
    """The findings of a stack's units, the same thing said once for all of them."""
    found: dict[tuple[str, str, tuple[str, ...]], Finding] = {}
    for group in groups:
        for one in group:
            key = (one.code, one.rule, one.hexes)
            other = found.get(key)
            if other is None:
                found[key] = one
            else:
                worse = one if other.severity != "illegal" else other
                found[key] = replace(worse, units=(*other.units, *one.units))
    return list(found.values())


def _told(ctx: Context, line: int, ids: Iterable[str], journey: Journey) -> Finding:
    return ctx.found(
        line,
        "way-found",
        severity="info",
        hexes=journey.path,
        units=ids,
        computed=points(journey.cost),
        unit=" ".join(ids),
        path=" ".join(journey.path),
        cost=points(journey.cost),
    )
