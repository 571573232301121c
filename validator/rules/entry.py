"""Coming on the map (4.2.1, 10.1, 11.1): where, when, at what price, and how those who left may return (4.2.2).

Leaving the map of one's own will (4.2.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from ...scenarios.schema.setup import ExitScore
from ...scenarios.text.hexgrid import Hex
from ...scenarios.text.words import Term
from ..notation.statements import Enter, Exit, Move
from .arrival import arrives, entry_rules, inside
from .combat.encirclement import after_move
from .context import Arrival, Context, Outcome
from .findings import Finding, doubt
from .ground import HexStep, price, with_
from .journey import Journey, complain, fill, marched, marching, travel
from .move_effects import (
    actors,
    barring_mark,
    edge_fits,
    excluded,
    living,
    marks_of,
    passes,
    section_of_phase,
    trailed,
    trimmed,
    unknown_hexes,
    walks,
)
from .movement import absent, entry_by_rail, filled, immovable, judge_move, merged, record, ridden, underway
from .position import REINFORCEMENT, STEPS, Departure, Position, Unit
from .recovery import REBUILT, rebuilds, rule_for
from .roster import fits, formation_key
from .travel import Obstacle, Traveller, traveller
from .values import OFF, Price

_BARS: Final = frozenset({"wrong-phase", "wrong-side", "entry", "reinforcement", "recovery"})
"""Codes of findings by which a unit may not come on."""


def _fitting_edge(ctx: Context, position: Position, line: int, ids: Sequence[str], hex_: Hex) -> str:
    """The edge by which units come who name none: of those of the hex the first against which nothing speaks."""
    edges = ctx.ground.edges_at(hex_)

    def faults(edge: str) -> int:
        return sum(
            finding.severity in ("illegal", "doubtful")
            for i, u in enumerate(ids)
            for finding in arrives(Arrival(ctx, position, line, ctx.units[u], hex_, edge, tuple(ids[:i])))
        )

    return min(edges, key=faults, default="")


def judge_enter(ctx: Context, position: Position, statement: Enter) -> Outcome:
    """`enter`: reinforcements, and units that come back."""
    line, words = statement.line, trimmed(statement.path)
    bad = unknown_hexes(ctx, line, words)
    ids, findings, lawful = actors(ctx, position, statement, "enter", statement.units)
    findings = [*bad, *findings]
    if not ids or bad or not words:
        return Outcome(position, tuple(findings))
    first = words[0]
    edge = statement.edge or _fitting_edge(ctx, position, line, ids, first)
    way = _way(ctx, position, statement, ids, first)
    travellers = [traveller(ctx, position, ctx.units[u], entering=True, company=ids) for u in ids]
    within = all(
        inside(Arrival(ctx, position, line, ctx.units[u], first, edge, ids[:i])) for i, u in enumerate(ids)
    )
    prices = [HexStep(0) if within else ctx.ground.entry(one.mover, first, way) for one in travellers]
    railway = ctx.movement.railway
    by_rail = railway is not None and statement.by == railway.way
    before = position.ledger.columns.get(first, 0)
    if ctx.movement.entry_column:
        prices = [with_(p, cost=p.cost * n) for n, p in enumerate(prices, 0 if by_rail else before + 1)]
    holes: list[Finding] = []
    if by_rail:
        path = filled(ctx, position, words, ctx.units[ids[0]].side)
    else:
        path, holes = fill(travellers, words, line, max(prices, key=lambda p: p.cost))
    journeys = []
    travellers = [
        _marching(one, path, fare, line) if not by_rail else one
        for one, fare in zip(travellers, prices, strict=True)
    ]
    for one, fare in zip(travellers, prices, strict=True):
        journey = travel(one, path, fare)
        # The railway asks for no points, and has its own rules about what stands in its way.
        journeys.append(Journey(path, 0, (), journey.gaps) if by_rail else journey)
    if lawful:
        findings += walks(ctx, position, line, ids, path)
        findings += _where_from(ctx, position, statement, ids, edge, within=within)
        findings += holes
        if by_rail:
            findings += entry_by_rail(ctx, position, line, path, ids)
        trouble = [() if by_rail else _entry_trouble(one, first, way, within=within) for one in travellers]
        found = merged(
            complain(one, line, replace(j, trouble=(*t, *j.trouble)), holes)
            for one, j, t in zip(travellers, journeys, trouble, strict=True)
        )
        findings += underway(found, path)
    counted = marched(ctx, position, line, travellers)
    findings += counted.findings if lawful else ()
    after = ridden(ctx, counted.position, ids) if by_rail else counted.position
    # Whoever names an edge that the hex does not lie on has come by one that it does.
    came_by = edge if first in ctx.ground.edge(edge) else "".join(ctx.ground.edges_at(first)[:1]) or edge
    for u in (u for u in ids if position.units[u].alive or _rebuilt(ctx, position, u)):
        after = _arrive(ctx, after, u, path, came_by, by_rail=by_rail)
    if ctx.movement.entry_column and not by_rail:
        after = after.noted(columns={**after.ledger.columns, first: before + len(ids)})
    findings += after_move(ctx, after, line, path[-1], ctx.units[ids[0]].side)
    outcome = Outcome(after, tuple(findings), (record(line, ids, travellers, journeys),))
    return settled(position, statement, outcome)


def judge_way(ctx: Context, position: Position, statement: Move) -> Outcome:
    """`move`: as `judge_move`; of reinforcements that wait, the entry that it can only be, where they may come so.

    `u1: 0812 0912` of one who is due at 0812 comes on there. Who is due and says only where he ends up may have
    come on: that he is not on the map is doubtful.
    """
    ids = [u for u in dict.fromkeys(statement.units) if u in ctx.units]
    waiting = ids and all(position.units[u].where == "due" for u in ids)
    if not waiting or not statement.path:
        return judge_move(ctx, position, statement)
    entry = Enter(statement.line, statement.units, statement.path)
    entered = judge_enter(ctx, position, entry)
    barred = {f.code for f in entered.findings if f.severity == "illegal"} & {*_BARS, "unknown-hex"}
    if not barred:
        told = " ".join(ids)
        note = ctx.found(
            statement.line, "moves-in", units=ids, severity="info", unit=told, hex=trimmed(entry.path)[0]
        )
        return replace(entered, findings=(*entered.findings, note))
    moved = judge_move(ctx, position, statement)
    if barred != {"entry"} or len(trimmed(statement.path)) > 1:
        return moved
    why = (doubt("may-enter"),)
    unsure = (
        replace(f, severity="doubtful", rests_on=why) if f.message.key == _OFF_MAP else f for f in moved.findings
    )
    return replace(moved, findings=tuple(unsure))


_OFF_MAP: Final = "findings.off-map"


def settled(before: Position, statement: Enter, outcome: Outcome) -> Outcome:
    """The outcome of an entry in which those are paid for who came back by what is found on them in the end.

    What a finding rests on is weighed, and rulings are known, only when the whole statement has been judged. That a
    unit goes too far once it is there says nothing of whether it might come.
    """
    dead = (u for u in statement.units if u in before.units and not before.units[u].alive)
    back = {u for u in dead if outcome.position.units[u].alive}
    if not back:
        return outcome
    bars = [f for f in outcome.findings if f.line == statement.line and f.code in _BARS]
    told = {u: {f.severity for f in bars if u in f.units or not f.units} for u in back}
    unpaid = {u for u in back if "illegal" in told[u]}
    unsure = {u for u in back - unpaid if "doubtful" in told[u]}
    ledger = before.ledger
    after = outcome.position.noted(unpaid=ledger.unpaid | unpaid, disputed=ledger.disputed | unsure)
    return replace(outcome, position=after)


def _marching(one: Traveller, path: Sequence[Hex], price: HexStep, line: int) -> Traveller:
    """Who comes on the map, as it goes best: by a march of the game where it could not come so far otherwise."""
    gaits = (one, *marching(one, path[0])) if one.ctx.movement.marches else ()
    for gait in gaits:
        if not complain(gait, line, travel(gait, path, price)):
            return gait
    return one


def _where_from(
    ctx: Context, position: Position, statement: Enter, ids: tuple[str, ...], edge: str, *, within: bool
) -> list[Finding]:
    """Whether units may come now and by the edge that they come by; where nobody named one, which was taken."""
    line, first = statement.line, trimmed(statement.path)[0]
    findings: list[Finding] = []
    if not within and not all(_rebuilt(ctx, position, u) for u in ids):
        findings += edge_fits(ctx, statement, "entry", first, edge)
    for u in ids:
        if key := excluded(ctx, position, ctx.units[u]):
            section = section_of_phase(ctx, position, ctx.sections.phase, u)
            mark = barring_mark(ctx, position, u)
            findings.append(ctx.found(line, key, section=section, units=(u,), unit=u, mark=mark))
    if first in _shut(ctx, position, ctx.units[ids[0]].side):
        told = " ".join(ids)
        findings.append(ctx.found(line, "entry-clear", units=ids, hexes=(first,), unit=told, hex=first))
    findings += merged(
        arrives(Arrival(ctx, position, line, ctx.units[u], first, edge, ids[:i])) for i, u in enumerate(ids)
    )
    if statement.edge is None and len(ctx.ground.edges_at(first)) > 1:
        where = Term("edges", edge)
        findings.append(
            ctx.found(
                line,
                "entry-edge-found",
                severity="info",
                hexes=(first,),
                units=ids,
                computed=where,
                unit=" ".join(ids),
                hex=first,
                edge=where,
            )
        )
    return findings


def _shut(ctx: Context, position: Position, side: str) -> Collection[Hex]:
    """The hexes that are too near the enemy to come on the map in."""
    match ctx.movement.entry_clear_of:
        case "zones":
            return position.zoc_against(side)
        case "enemies":
            return {near for held in position.boards[ctx.enemy(side)].at for near in position.grid.neighbours[held]}
    return ()


def _entry_trouble(one: Traveller, first: Hex, way: str, *, within: bool) -> list[tuple[Obstacle, Hex, Hex]]:
    found = []
    if first in one.held:
        # Where the game keeps the enemy from where one comes on, his standing there is told with that.
        near = one.ctx.movement.entry_clear_of != "nothing"
        found.append((Obstacle("enemy-occupied", one.ctx.sections.entry if near else ""), first, first))
    if first in one.bonds:
        found.append((Obstacle("zone-bond"), first, first))
    if first in one.full:
        found.append((Obstacle("stacking-passing"), first, first))
    step = one.ctx.ground.entry(one.mover, first, "" if within else way)
    if step.key:
        found.append((Obstacle(step.key, step.section, step.what), first, first))
    return found


def _rebuilt(ctx: Context, position: Position, unit: str) -> bool:
    """Whether a destroyed unit is one that the game lets come back; else what is told of it raises nobody."""
    known = ctx.units[unit]
    return not position.units[unit].alive and rebuilds(rule_for(ctx, position, known), known)


def _arrive(
    ctx: Context, position: Position, unit: str, path: Sequence[Hex], edge: str, *, by_rail: bool
) -> Position:
    state = position.units[unit]
    marks = state.marks | {REINFORCEMENT}
    transit = ctx.movement.transit
    turn = position.turn
    if transit is not None and fits(transit, ctx.units[unit], state) and turn <= transit.last_turn:
        marks |= {transit.mark}
    if not state.alive:
        marks |= {REBUILT}
        state = replace(state, step=ctx.units[unit].at_loss(len(STEPS)))
    position = position.set(
        unit,
        step=state.step,
        hex=path[-1],
        where="",
        marks=marks,
        arrived=turn,
        edge=edge,
        since=turn,
        moved=True,
        rode=by_rail,
        left=None,
    )
    return trailed(passes(ctx, position, unit, path), unit, path)


def _way(ctx: Context, position: Position, statement: Enter, ids: Iterable[str], first: Hex) -> str:
    """The way by which a unit comes: the one it names, or the one that its side's rules bind it to."""
    if statement.by is not None and statement.by in ctx.scenario.tables.ways:
        return statement.by if ctx.scenario.tables.ways[statement.by].costs else ""
    units = [ctx.units[u] for u in ids]
    for rule in entry_rules(ctx, position, units[0]):
        kinds = rule.ways or (
            tuple(k for k, w in ctx.scenario.tables.ways.items() if w.costs) if rule.by_way else ()
        )
        bound = rule.by_way or not set(ctx.map.terrain[first]) & set(rule.terrain)
        here = [k for k in kinds if first in ctx.ground.way_hexes.get(k, ())]
        if here and bound:
            return here[0]
    return ""


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
        journeys.append(replace(journey, cost=journey.cost + over, parts=parts))
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
    here = [r for r in by_edge if not r.hexes or hex_ in r.hexes]
    rule = next((r for r in here if ctx.in_phase(r.phases, position.phase)), None)
    if rule is None and here:
        wanted = tuple(Term("phases", kind) for r in here for kind in r.phases)
        told = {"units": (unit.id,), "unit": unit.id, "wanted": wanted}
        return [ctx.found(line, "exit-phase", section=here[0].section, **told)]
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
