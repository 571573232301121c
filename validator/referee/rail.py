"""Movement by railway (Metz 9.0): from railway hex to railway hex, points not counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from hexforge.scenarios.hexgrid import Hex, flood, side
from hexforge.scenarios.schema.rules_movement import RailUse
from hexforge.validator.readers.notation.statements import OPEN, RailMove
from hexforge.validator.referee.context import Context, in_turns
from hexforge.validator.referee.findings import Finding, MoveRecord
from hexforge.validator.referee.movement import absent, immovable
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.passing import holder, passes
from hexforge.validator.referee.presence import (
    actors,
    from_where_they_stand,
    living,
    trimmed,
    unknown_hexes,
)
from hexforge.validator.referee.roster import fits
from hexforge.validator.referee.stacking import after_move, taken_by
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.terrain import course


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
            if fits(use, who, state) and in_turns(use.turns, position.turn)
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
