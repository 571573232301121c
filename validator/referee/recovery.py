"""Turning losses back (section 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from hexforge.scenarios.hexgrid import Hex, flood, side
from hexforge.scenarios.schema.rules_movement import Recovery, RecoveryNetwork
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation.statements import Recover, UnitStatus
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.presence import actors
from hexforge.validator.referee.replacements import may_turn_back, undecided
from hexforge.validator.referee.state import STEPS, Position, Unit
from hexforge.validator.referee.terrain import course


def judge_recover(ctx: Context, position: Position, statement: Recover) -> Outcome:
    """`recover`: reduced units are turned back to their full side."""
    ids, found, lawful = actors(ctx, position, statement, "recover", statement.units)
    findings = list(found)
    after = position
    for u in ids:
        if lawful:
            findings += may_recover(ctx, after, statement.line, ctx.units[u])
        if after.units[u].lost:
            after = _counted(after, u, statement.line, findings)
            after = after.set(u, step=STEPS[after.units[u].lost - 1])
    return Outcome(after, tuple(findings))


def settled(before: Position, statement: Recover, outcome: Outcome) -> Outcome:
    """The outcome of a recovery in which those count who turned a loss back by what is found on them in the end.

    What a finding rests on is weighed, and rulings are known, only when the whole statement has been judged.
    """
    if not outcome.findings:
        return outcome
    ledger, after = before.ledger, outcome.position
    after = after.noted(recovered=ledger.recovered, given=ledger.given, disputed=ledger.disputed)
    for u in dict.fromkeys(statement.units):
        if u in before.units and before.units[u].lost > after.units[u].lost:
            after = _counted(after, u, statement.line, outcome.findings)
    return replace(outcome, position=after)


def _counted(position: Position, unit: str, line: int, findings: Iterable[Finding]) -> Position:
    """The position in which a unit has turned a loss back, unless it is told that it might not.

    Whoever may do so afterwards loses nothing by what another did wrong.
    """
    ledger = position.ledger
    told = {f.severity for f in findings if f.line == line and (unit in f.units or not f.units)}
    if "illegal" in told:
        return position
    given = ledger.given
    if unit in ledger.recovered:
        given = {**given, unit: given.get(unit, 1) + 1}
    disputed = ledger.disputed | {unit} if "doubtful" in told else ledger.disputed
    return position.noted(recovered={**ledger.recovered, unit: line}, given=given, disputed=disputed)


def said(position: Position, status: UnitStatus, *, unsure: bool) -> Position:
    """The position in which a unit is said to have turned losses back in the turn, perhaps without leave."""
    ledger, unit = position.ledger, status.unit
    given = {**ledger.given, unit: status.turn} if status.turn is not None else ledger.given
    disputed = ledger.disputed | {unit} if unsure else ledger.disputed
    return position.noted(recovered={**ledger.recovered, unit: status.line}, given=given, disputed=disputed)


def may_recover(ctx: Context, position: Position, line: int, unit: Unit) -> list[Finding]:
    """All that forbids a unit to turn back its loss now."""
    state = position.units[unit.id]
    rules = [r for r in ctx.movement.recovery if r.side == unit.side]
    find = partial(
        ctx.found,
        line,
        hexes=(state.hex,) if state.hex else (),
        units=(unit.id,),
        unit=unit.id,
        side=Term("sides", unit.side),
        turn=position.turn,
    )
    given = not rules and any(r.side == unit.side for r in ctx.rules.replacements)
    if not rules and not given:
        return [find("recovery-never")]
    if state.hex is None:
        section = rules[0].section if rules else ""
        return [find("recovery-absent", section=section, where=Term("where", state.where))]
    if not state.lost:
        return [find("recovery-full")]
    if given:
        return may_turn_back(ctx, position, line, unit)
    found = []
    for rule in rules:
        found += [find(key, section=rule.section, **values) for key, values in _limits(rule, position, unit)]
        if rule.per_turn is not None:
            others = {u for u in position.ledger.recovered if ctx.units[u].side == unit.side and u != unit.id}
            if len(others) >= rule.per_turn:
                unsure = others & position.ledger.disputed
                why = undecided(unsure if len(others - unsure) < rule.per_turn else ())
                found.append(find("recovery-count", section=rule.section, limit=rule.per_turn, doubts=why))
        if state.began_engaged or position.engaged(unit.id):
            found.append(find("recovery-engaged"))
        elif ctx.option("recovery_span") != "phase" and unit.id in position.ledger.contacts:
            found.append(find("recovery-contact"))
        free = partial(position.safe, side=unit.side)
        if rule.line is not None and not _reaches(ctx, state.hex, ctx.ground.edge(rule.line.edge), free):
            found.append(find("recovery-line", section=rule.section, edge=Term("edges", rule.line.edge)))
        net = rule.network
        if net is not None and not _linked(ctx, position, state.hex, net, free):
            where = {"distance": net.distance, "place": ctx.place(net.place)}
            doubts = (course(ctx, net.ways[0]),)
            found.append(find("recovery-network", section=rule.section, doubts=doubts, **where))
        if rule.cleared_area is not None and state.hex in ctx.ground.area(rule.cleared_area):
            shut = obstructed(ctx, position)
            if shut:
                section = rule.cleared_section or rule.section
                doubts = (ctx.ground.area_doubt(rule.cleared_area),)
                found.append(find("recovery-cleared", section=section, doubts=doubts, hexes_shut=" ".join(shut)))
    return found


def touched(ctx: Context, before: Position, after: Position) -> Outcome:
    """The units that a statement brought into contact noted, for they are engaged in this turn (7.0).

    Where a unit must stay free for the whole turn, those among them that recovered in it are found fault with.
    """
    if after.boards is before.boards and after.ledger.contacts:
        return Outcome(after)
    contacts = after.ledger.contacts.union(after.all_engaged())
    if contacts == after.ledger.contacts:
        return Outcome(after)
    found = []
    if ctx.option("recovery_span") == "whole_turn":
        news = contacts - after.ledger.contacts
        rested = [(u, line) for u, line in after.ledger.recovered.items() if u in news]
        found = [ctx.found(line, "recovery-contact", units=(u,), unit=u) for u, line in rested]
    return Outcome(after.noted(contacts=contacts), tuple(found))


def _limits(rule: Recovery, position: Position, unit: Unit) -> list[tuple[str, dict[str, int]]]:
    """What turn and type say against it: text keys and values."""
    found: list[tuple[str, dict[str, int]]] = []
    parity = {"all": True, "odd": position.turn % 2 == 1, "even": position.turn % 2 == 0}[rule.turns]
    if not parity:
        found.append(("recovery-turn", {}))
    if rule.last_turn is not None and position.turn > rule.last_turn:
        found.append(("recovery-last", {"last": rule.last_turn}))
    if unit.is_any(rule.excluded):
        found.append(("recovery-type", {}))
    return found


def _reaches(ctx: Context, start: Hex, goals: frozenset[Hex], free: Callable[[Hex], bool]) -> bool:
    """Whether a chain of free hexes, the first included, leads to one of the goals."""
    neighbours = ctx.map.grid.neighbours
    chain = flood([start] if free(start) else [], lambda here: filter(free, neighbours[here]))
    return any(here in goals for here, _ in chain)


def _linked(
    ctx: Context, position: Position, start: Hex, net: RecoveryNetwork, free: Callable[[Hex], bool]
) -> bool:
    """Whether a hex lies close enough to ways that lead, free of the enemy and clear, to the place."""
    open_hexes = {
        h
        for way in net.ways
        for h in ctx.ground.way_hexes.get(way, ())
        if free(h) and not _blocked(ctx, position, h, way)
    }
    grid = ctx.map.grid

    def onward(here: Hex) -> Iterator[Hex]:
        for there in grid.neighbours[here]:
            if there in open_hexes and _passable(ctx, position, (here, there), net.ways):
                yield there

    place = [h for h in ctx.ground.place(net.place) if h in open_hexes or free(h)]
    return any(grid.distance(here, start) <= net.distance for here, _ in flood(place, onward))


def _blocked(ctx: Context, position: Position, hex_: Hex, way: str) -> bool:
    clearing = ctx.movement.clearing
    return clearing is not None and way == clearing.way and ctx.ground.obstructed(hex_, position.cleared)


def _passable(ctx: Context, position: Position, step: tuple[Hex, Hex], ways: Iterable[str]) -> bool:
    kinds = ctx.ground.links.get(side(*step), frozenset())
    return any(w in kinds and not any(_blocked(ctx, position, h, w) for h in step) for w in ways)


def obstructed(ctx: Context, position: Position) -> tuple[Hex, ...]:
    """Hexes of the way that must be cleared and are not yet: those of its area, or all where there is none."""
    rule = ctx.movement.clearing
    if rule is None:
        return ()
    area = ctx.ground.area(rule.area) if rule.area else frozenset()
    hexes = area or ctx.ground.way_hexes.get(rule.way, frozenset())
    return tuple(sorted(h for h in hexes if ctx.ground.obstructed(h, position.cleared)))
