"""Leaving the map of one's own will (4.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.victory import ExitScore
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation.statements import Exit
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.journey import complain, travel
from hexforge.validator.referee.movement import absent, immovable, merged, record
from hexforge.validator.referee.open_ways import fill
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.passing import marks_of, passes
from hexforge.validator.referee.presence import actors, edge_fits, living, trimmed, unknown_hexes, walks
from hexforge.validator.referee.rates import OFF, Price
from hexforge.validator.referee.roster import formation_key
from hexforge.validator.referee.state import Departure, Position, Unit
from hexforge.validator.referee.steps import price
from hexforge.validator.referee.travel import Traveller, traveller


def judge_exit(ctx: Context, position: Position, statement: Exit) -> Outcome:
    """`exit`: the way to the edge and one step more."""
    line, words = statement.line, trimmed(statement.path)
    bad = unknown_hexes(ctx, line, words)
    ids, findings, lawful = actors(ctx, position, statement, "exit", statement.units)
    findings = [*bad, *findings]
    if not ids or bad or not words:
        return Outcome(position, tuple(findings))
    if all(_just_withdrawn(position, u) for u in ids):
        # The referee takes withdrawn units off by itself; that the players say so too is no fault.
        return Outcome(position, tuple(findings))
    findings += absent(ctx, position, line, ids, words[0])
    findings += immovable(ctx, position, line, ids)
    travellers = [traveller(ctx, position, ctx.units[u]) for u in ids]
    path, holes = fill(travellers, words, line)
    last = path[-1]
    edges = ctx.ground.edges_at(last)
    wanted = {rule.edge for u in ids for rule in exits_of(ctx, ctx.units[u])}
    edge: str = statement.edge or next((e for e in edges if e in wanted), "".join(edges[:1]))
    journeys = []
    for one in travellers:
        journey = travel(one, path)
        over = _last_step(one, statement) + one.parting(last, first=len(path) == 1).halves
        parts = (*journey.parts, Price(OFF, over))
        journeys.append(replace(journey, cost=journey.cost + over, floor=journey.floor + over, parts=parts))
    if lawful:
        findings += holes
        findings += walks(ctx, position, line, ids, path)
        findings += edge_fits(ctx, statement, "exit", last, edge)
        for u in ids if edge else ():
            there = passes(ctx, position, u, path[1:])
            findings += _may_leave(ctx, there, statement, ctx.units[u], (edge, last))
        findings += merged(_held(one, line, path) for one in travellers)
        findings += merged(complain(one, line, j, holes) for one, j in zip(travellers, journeys, strict=True))
    after = position
    for u in living(position, ids):
        after = passes(ctx, after, u, path[1:])
        after = after.take_off(u, "exited", left=Departure(position.turn, edge, last), moved=True)
    return Outcome(after, tuple(findings), (record(line, ids, travellers, journeys),))


def _held(one: Traveller, line: int, path: Sequence[Hex]) -> list[Finding]:
    """What zones have against the step off the map."""
    last, unit = path[-1], one.unit.id
    toll = one.parting(last, first=len(path) == 1)
    if not toll.key:
        return []
    return [one.ctx.found(line, toll.key, section=toll.section, hexes=(last,), units=(unit,), unit=unit, hex=last)]


def _just_withdrawn(position: Position, unit: str) -> bool:
    state = position.units[unit]
    return state.where == "withdrawn" and state.left is not None and state.left.turn == position.turn


def _last_step(one: Traveller, statement: Exit) -> int:
    """What the step off the map costs: the way's rate by a way, else as printed nowhere and ruled."""
    rules = one.ctx.movement
    cost = rules.exit_cost
    way = one.ctx.scenario.tables.ways.get(statement.by or "")
    if way is not None:
        cost = price(way.costs, one.mover.movement, one.mover.weather) or cost
    return cost


def exits_of(ctx: Context, unit: Unit) -> list[ExitScore]:
    """The exits of the victory conditions that are open to a unit."""
    return [
        rule
        for rule in ctx.scenario.victory.exits
        if rule.side == unit.side
        and (
            rule.division is None
            or (unit.named_division and formation_key(unit.named_division) == formation_key(rule.division))
        )
    ]


def _may_leave(ctx: Context, position: Position, statement: Exit, unit: Unit, by: tuple[str, Hex]) -> list[Finding]:
    """Whether a unit may leave by an edge and a hex of it; `position` is the one after its way there."""
    line, (edge, hex_) = statement.line, by
    open_exits = exits_of(ctx, unit)
    if not open_exits:
        return [ctx.found(line, "no-exit", units=(unit.id,), unit=unit.id)]
    by_edge = [r for r in open_exits if r.edge == edge]
    rule = next((r for r in by_edge if not r.hexes or hex_ in r.hexes), None)
    if rule is None and by_edge:
        hexes = tuple(h for r in by_edge for h in r.hexes)
        section = by_edge[0].section
        told = {"units": (unit.id,), "declared": hex_, "unit": unit.id, "hexes_": hexes}
        return [ctx.found(line, "exit-hex", section=section, **told)]
    if rule is None:
        wanted = tuple(Term("edges", r.edge) for r in open_exits)
        return [
            ctx.found(
                line, "exit-edge", units=(unit.id,), declared=Term("edges", edge), unit=unit.id, wanted=wanted
            )
        ]
    if position.turn > rule.last_turn:
        late = rule.last_turn
        return [
            ctx.found(
                line, "exit-late", section=rule.section, severity="info", units=(unit.id,), unit=unit.id, turn=late
            )
        ]
    place = rule.after_place
    if place is not None and marks_of(ctx, place).isdisjoint(position.units[unit.id].marks):
        key = "exit-unscored"
        return [
            ctx.found(
                line,
                key,
                section=rule.section,
                severity="warning",
                units=(unit.id,),
                unit=unit.id,
                place=ctx.place(place),
            )
        ]
    return []
