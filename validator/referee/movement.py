"""Moves (section 4): may this unit go this way, and what does it cost it?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation.statements import OPEN, Move
from hexforge.validator.referee.binding import bound
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, MoveRecord, points
from hexforge.validator.referee.journey import Journey
from hexforge.validator.referee.limits import barring_mark, section_of_mark
from hexforge.validator.referee.march import gone, marched
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.passing import passes
from hexforge.validator.referee.presence import (
    actors,
    by_start,
    from_where_they_stand,
    living,
    trimmed,
    unknown_hexes,
)
from hexforge.validator.referee.stacking import after_move
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.terrain import barring, engaging
from hexforge.validator.referee.travel import Traveller, traveller
from hexforge.validator.referee.withdrawal import withdrawn_by


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
        after = passes(ctx, after, u, path[1:])
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
            doubts=(bond.doubt,),
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
