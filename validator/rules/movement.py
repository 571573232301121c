"""Moves (section 4): may this unit go this way, and what does it cost it?

Movement by railway (Metz 9.0): from railway hex to railway hex, points not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from ...scenarios.schema.base import in_turns
from ...scenarios.schema.rules_movement import RailUse
from ...scenarios.text.hexgrid import Hex, flood, side
from ...scenarios.text.words import Term
from ..notation.kinds import OPEN
from ..notation.statements import Move, RailMove
from .combat.encirclement import after_move, taken_by
from .context import Context, Outcome
from .findings import Finding, MoveRecord, points
from .journey import Journey, gone, marched
from .move_effects import (
    actors,
    barring,
    barring_mark,
    bound,
    by_start,
    course,
    engaging,
    from_where_they_stand,
    holder,
    living,
    passes,
    section_of_mark,
    trailed,
    trimmed,
    unknown_hexes,
)
from .position import Position
from .roster import fits
from .travel import Traveller, traveller
from .withdrawal import withdrawn_by


def judge_move(ctx: Context, position: Position, statement: Move) -> Outcome:
    """`move`: a stack goes its way; whatever is wrong with it, it stands at the end of it.

    Of units that stand apart, and of whose way only the end is written, each goes there from where it stands.
    """
    line, words = statement.line, trimmed(statement.path)
    led = statement.path[:1] == (OPEN,)
    apart = by_start(ctx, position, statement.units) if led or len(words) == 1 else []
    if len(apart) > 1:
        outcome = Outcome(position)
        for units in apart:
            outcome = outcome.then(judge_move(ctx, outcome.position, replace(statement, units=units)))
        return replace(outcome, findings=tuple(dict.fromkeys(outcome.findings)))
    bad = unknown_hexes(ctx, line, words)
    ids, findings, lawful = actors(ctx, position, statement, "move", statement.units)
    findings = [*bad, *findings]
    words = from_where_they_stand(ctx, position, ids, words, led=led)
    if len(words) == 1 and not bad and ids and all(position.hex_of(u) == words[0] for u in ids):
        # A player who writes where each unit ends up breaks no rule with those that stay.
        told = ctx.found(line, "goes-nowhere", who=ids, hex=words[0], units=ids, severity="warning")
        return Outcome(position, (*findings, told))
    if not words:
        findings.append(ctx.found(line, "no-path", units=ids))
    if not ids or bad or not words:
        return Outcome(position, tuple(findings))
    findings += absent(ctx, position, line, ids, words[0])
    findings += immovable(ctx, position, line, ids)
    tried = gone((traveller(ctx, position, ctx.units[u], company=ids) for u in ids), words, line)
    path, journeys = tried.path, tried.journeys
    if lawful:
        findings += tried.holes
        findings += underway(merged(tried.complaints(line)), path)
        if OPEN in words and not tried.holes:
            findings.append(_told(ctx, line, ids, journeys[0]))
    counted = marched(ctx, position, line, tried.travellers)
    findings += counted.findings if lawful else ()
    after = counted.position
    for u in living(position, ids):
        after = trailed(passes(ctx, after, u, path[1:]), u, path)
        after = after.set(u, hex=path[-1], where="", moved=True, since=_since(after, u, path[-1]))
    if ctx.movement.overruns or any(rule.take and rule.take.points for rule in ctx.rules.marks):
        after = _spent(after, ids, journeys)
    findings += after_move(ctx, after, line, path[-1], ctx.units[ids[0]].side)
    if lawful:
        findings += _idle_contact(ctx, after, line, ids)
        findings += _spoiled_rest(ctx, after, line, ids)
    return Outcome(after, tuple(findings), (record(line, ids, tried.travellers, journeys),))


def underway(findings: Iterable[Finding], path: Sequence[Hex]) -> list[Finding]:
    """The findings on a way but those on the stack that it ends in, which is looked at when it has."""
    return [f for f in findings if f.code != "stacking" or f.hexes != (path[-1],)]


def _spent(position: Position, ids: Iterable[str], journeys: Iterable[Journey]) -> Position:
    """The points noted that units have moved by, of which overruns and marks take too; nobody moves on after."""
    spent = dict(position.ledger.spent)
    for unit, journey in zip(ids, journeys, strict=True):
        spent[unit] = spent.get(unit, 0) + journey.cost
    return position.noted(spent=spent, overran=position.ledger.overran - set(ids))


def _idle_contact(ctx: Context, position: Position, line: int, ids: Iterable[str]) -> list[Finding]:
    """A warning for units that came to stand next to enemies whom their kind may not attack."""
    found = []
    for u in ids:
        hex_, unit = position.hex_of(u), ctx.units[u]
        if hex_ is None or not position.engaged(u) or engaging(ctx, position, unit, hex_):
            continue
        enemies = position.adjacent_enemies(hex_, unit.side)
        section = next(rule.section for h in enemies for rule in barring(ctx, position, unit, hex_, h))
        key = "idle-contact"
        found.append(ctx.found(line, key, section=section, severity="warning", hexes=(hex_,), units=(u,), unit=u))
    return found


def _spoiled_rest(ctx: Context, position: Position, line: int, ids: Iterable[str]) -> list[Finding]:
    """Units that rested to turn back a loss in this phase and now go where they are engaged (section 7).

    Points of replacement ask for no rest.
    """
    found = []
    resting = {rule.side for rule in ctx.movement.recovery}
    for u in ids:
        if ctx.units[u].side in resting and u in position.ledger.recovered and position.engaged(u):
            found.append(ctx.found(line, "recovery-engaged", units=(u,), unit=u))
    return found


def record(
    line: int, ids: Iterable[str], travellers: Sequence[Traveller], journeys: Sequence[Journey]
) -> MoveRecord:
    """The price of a move: the dearest of the stack's, and what the poorest has left."""
    left = min(
        0 if one.least(j.path) and j.cost > one.allowance else one.allowance - j.cost
        for one, j in zip(travellers, journeys, strict=True)
    )
    dearest = max(journeys, key=lambda j: j.cost)
    return MoveRecord(line, tuple(ids), journeys[0].path, dearest.cost, left, dearest.parts)


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
        section = withdrawn_by(ctx, unit, state.left.turn)
        return ctx.found(line, "withdrawn", section=section, units=(unit,), unit=unit, turn=state.left.turn)
    section = ctx.sections.exit if state.where in ("retreated", "exited") else ctx.sections.allowance
    where = Term("where", state.where)
    return ctx.found(line, "off-map", section=section, units=(unit,), unit=unit, where=where)


def immovable(ctx: Context, position: Position, line: int, ids: Iterable[str]) -> list[Finding]:
    """Findings on units that have moved or worked already, or are bound to their hex."""
    found = []
    for u in ids:
        state = position.units[u]
        again = u in position.ledger.overran
        if state.moved and not again and position.phase is not None and position.phase.kind == "movement":
            found.append(_has_moved(ctx, position, line, u))
        elif u in position.ledger.worked:
            found.append(ctx.found(line, "worked", units=(u,), unit=u))
        found += held_back(ctx, position, line, u)
    return found


def _has_moved(ctx: Context, position: Position, line: int, unit: str) -> Finding:
    """The finding on a unit that has moved in the phase, or gave up its move."""
    if mark := position.ledger.stayed.get(unit):
        told = Term("marks", mark, mark.replace("_", " "))
        section = section_of_mark(ctx, mark)
        return ctx.found(line, "move-given-up", section=section, units=(unit,), unit=unit, mark=told)
    return ctx.found(line, "moved-twice", units=(unit,), unit=unit)


def held_back(ctx: Context, position: Position, line: int, unit: str) -> list[Finding]:
    """Findings on a unit that something binds to its hex."""
    hex_, mark = position.hex_of(unit), barring_mark(ctx, position, unit)
    return [
        ctx.found(
            line,
            bond.key,
            section=bond.section,
            hexes=(hex_,),
            units=(unit,),
            unit=unit,
            turn=position.turn,
            hex=hex_,
            mark=mark,
        )
        for bond in (bound(ctx, position, ctx.units[unit]) if hex_ is not None else ())
    ]


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


def judge_rail(ctx: Context, position: Position, statement: RailMove) -> Outcome:
    """`rail`: units travel along the line for the whole turn, and may not attack in it."""
    line = statement.line
    rule = ctx.movement.railway
    if rule is None:
        return Outcome(position, (ctx.found(line, "no-rail", units=statement.units),))
    words = trimmed(statement.path)
    bad = unknown_hexes(ctx, line, words)
    ids, findings, lawful = actors(ctx, position, statement, "rail", statement.units)
    findings = [*bad, *findings]
    if not ids or bad or not words:
        return Outcome(position, tuple(findings))
    words = from_where_they_stand(ctx, position, ids, words)
    findings += absent(ctx, position, line, ids, words[0])
    findings += immovable(ctx, position, line, ids)
    unit_side = ctx.units[ids[0]].side
    path = filled(ctx, position, words, unit_side)
    if lawful:
        findings += _start(ctx, position, line, ids, path[0])
        findings += off_line(ctx, line, path, ids)
        # Who has moved in this very phase does wrong to go on at all, however far.
        before = max(0 if position.units[u].moved else position.ledger.railed.get(u, 0) for u in ids)
        findings += too_far(ctx, line, path, ids, before=before)
        findings += _zones(ctx, position, line, ids, path[1:])
        findings += carried(ctx, position, line, ids)
        findings += broken(ctx, position, line, path, ids)
    after = ridden(ctx, position, ids)
    railed = {u: position.ledger.railed.get(u, 0) + len(path) - 1 for u in ids}
    after = after.noted(railed={**position.ledger.railed, **railed})
    for u in living(position, ids):
        after = passes(ctx, after, u, path[1:])
        after = after.set(u, hex=path[-1], where="", moved=True, rode=True, since=after.turn)
    findings += after_move(ctx, after, line, path[-1], unit_side)
    left = min(2 * ctx.units[u].move_at(position.units[u].step) for u in ids)
    return Outcome(after, tuple(findings), (MoveRecord(line, ids, path, 0, left),))


def entry_by_rail(
    ctx: Context, position: Position, line: int, path: Sequence[Hex], ids: Sequence[str]
) -> list[Finding]:
    """A reinforcement counts as having begun its turn on the railway beyond the edge."""
    return [
        *off_line(ctx, line, path, ids),
        *too_far(ctx, line, path, ids, before=1),
        *_zones(ctx, position, line, ids, path),
        *carried(ctx, position, line, ids),
        *broken(ctx, position, line, path, ids),
    ]


def use_of(ctx: Context, position: Position, unit: str) -> RailUse | None:
    """The rule by which a unit may go by rail in the turn being played; None where no rule lets it."""
    rule = ctx.movement.railway
    who, state = ctx.units[unit], position.units[unit]
    return next(
        (
            use
            for use in (rule.uses if rule is not None else ())
            if fits(use, who, state)
            and in_turns(use.turns, position.turn)
            and ctx.in_phase(use.phases, position.phase)
        ),
        None,
    )


def carried(ctx: Context, position: Position, line: int, ids: Sequence[str]) -> list[Finding]:
    """Findings on units whom no rule lets go by rail now, and on more of them in a turn than it carries."""
    rule = ctx.movement.railway
    if rule is None or not rule.uses:
        return []
    uses = {u: use_of(ctx, position, u) for u in ids}
    found = [
        ctx.found(line, "rail-nobody", units=(u,), unit=u, turn=position.turn) for u, use in uses.items() if not use
    ]
    taken = ridden(ctx, position, ids).ledger.ridden
    for use in dict.fromkeys(use for use in uses.values() if use is not None and use.most is not None):
        mine, count = [u for u in ids if uses[u] is use], taken[rule.uses.index(use)]
        if use.most is not None and count > use.most:
            found.append(ctx.found(line, "rail-capacity", units=mine, computed=count, count=count, limit=use.most))
    return found


def ridden(ctx: Context, position: Position, ids: Iterable[str]) -> Position:
    """The position with what units take of what a turn carries by rail noted."""
    rule, taken = ctx.movement.railway, dict(position.ledger.ridden)
    for u in ids:
        use = use_of(ctx, position, u)
        if rule is not None and use is not None:
            key = rule.uses.index(use)
            taken[key] = taken.get(key, 0) + taken_by(ctx, position, u, use)
    return position.noted(ridden=taken) if taken != position.ledger.ridden else position


def _start(ctx: Context, position: Position, line: int, ids: Iterable[str], start: Hex) -> list[Finding]:
    rule = ctx.movement.railway
    assert rule is not None
    found = []
    for u in ids:
        if start not in ctx.ground.way_hexes.get(rule.way, ()):
            datum = course(ctx, rule.way)
            found.append(ctx.found(line, "rail-start", hexes=(start,), units=(u,), doubts=(datum,), unit=u))
        if position.units[u].began_engaged or position.engaged(u):
            found.append(ctx.found(line, "rail-engaged", hexes=(start,), units=(u,), unit=u))
    return found


def _joined(ctx: Context, a: Hex, b: Hex) -> bool:
    rule = ctx.movement.railway
    return rule is not None and rule.way in ctx.ground.links.get(side(a, b), ())


def off_line(ctx: Context, line: int, path: Sequence[Hex], ids: Iterable[str]) -> list[Finding]:
    """A finding on the first step that leaves the line."""
    rule = ctx.movement.railway
    if rule is None:
        return []
    for a, b in pairwise(path):
        if not _joined(ctx, a, b):
            datum = course(ctx, rule.way)
            return [ctx.found(line, "rail-line", hexes=(a, b), units=ids, doubts=(datum,), a=a, b=b)]
    return []


def too_far(ctx: Context, line: int, path: Sequence[Hex], ids: Iterable[str], *, before: int = 0) -> list[Finding]:
    """A finding on a journey of more railway hexes than a turn allows; the hex it begins in does not count."""
    rule = ctx.movement.railway
    count = len(path) - 1 + before
    if rule is None or count <= rule.hexes:
        return []
    return [
        ctx.found(
            line,
            "rail-far",
            hexes=path[-1:],
            units=ids,
            computed=count,
            count=count,
            limit=rule.hexes,
        )
    ]


def _zones(
    ctx: Context, position: Position, line: int, ids: Sequence[str], entered: Sequence[Hex]
) -> list[Finding]:
    """A finding on the first of the hexes entered that the enemy holds or is next to."""
    for h in entered:
        if bar := _bar(ctx, position, ctx.units[ids[0]].side, h):
            return [ctx.found(line, bar, hexes=(h,), units=ids, unit=ids[0], hex=h)]
    return []


def _bar(ctx: Context, position: Position, side_id: str, hex_: Hex) -> str:
    """The kind of finding on a train of a side in a hex; "" where nothing bars it."""
    rule, enemy = ctx.movement.railway, position.enemy(side_id)
    if hex_ in position.boards[enemy].at:
        return "enemy-occupied"
    if rule is not None and rule.own and holder(ctx, position, hex_) == enemy:
        return "rail-lost"
    return "rail-zone" if hex_ in position.zoc_against(side_id) else ""


def broken(
    ctx: Context, position: Position, line: int, path: Sequence[Hex], ids: Sequence[str]
) -> Iterator[Finding]:
    """A finding on units whose line leads on to none of the edges and places to which it must."""
    for u in ids:
        use, side_id = use_of(ctx, position, u), ctx.units[u].side
        if use is None or not (use.edges or use.places):
            continue
        ends = {h for edge in use.edges for h in ctx.ground.edge(edge)}
        ends |= {h for place in use.places for h in ctx.ground.place(place)}

        def onward(here: Hex, side_id: str = side_id) -> list[Hex]:
            near = ctx.map.grid.neighbours[here]
            return [h for h in near if _joined(ctx, here, h) and not _bar(ctx, position, side_id, h)]

        if ends.isdisjoint(here for here, _ in flood(path[-1:], onward)):
            yield ctx.found(line, "rail-broken", hexes=path[-1:], units=(u,), unit=u)


def filled(ctx: Context, position: Position, path: Sequence[str], side_id: str) -> tuple[Hex, ...]:
    """A path with its open stretches filled in by the shortest line, if possible a free one; left apart without."""
    full: list[Hex] = [path[0]]
    free = partial(position.safe, side=side_id)
    for before, word in pairwise(path):
        if word == OPEN:
            continue
        if before != OPEN:
            full.append(word)
            continue
        # Where the enemy shuts every line, the one that is there shows where he does.
        line = _line(ctx, full[-1], word, free) or _line(ctx, full[-1], word, lambda _: True)
        full += line[1:] or [word]
    return tuple(full)


def _line(ctx: Context, start: Hex, goal: Hex, free: Callable[[Hex], bool]) -> list[Hex]:
    def onward(here: Hex) -> list[Hex]:
        return [h for h in ctx.map.grid.neighbours[here] if _joined(ctx, here, h) and free(h)]

    came: dict[Hex, Hex] = {}
    for here, before in flood([start], onward):
        came[here] = before
        if here == goal:
            way = [goal]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
    return []
