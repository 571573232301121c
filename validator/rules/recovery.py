"""Turning losses back (section 7).

Replacements: losses turned back and units rebuilt for points (`rules.replacements`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.schema.base import Near, in_turns
from ...scenarios.schema.rules import Replacements
from ...scenarios.schema.rules_movement import Recovery, RecoveryNetwork
from ...scenarios.text.hexgrid import Hex, flood, side
from ...scenarios.text.words import Message, Term
from ..notation.statements import Recover
from ..notation.statements_head import UnitStatus
from .context import Context, Outcome
from .findings import Finding, doubt
from .move_effects import actors, course, holder
from .position import STEPS, Position, Unit
from .roster import fits
from .supply import cut_off

if TYPE_CHECKING:
    from .context import Arrival


REBUILT: Final = "rebuilt"
"""What a unit bears that was destroyed and came back."""


def rule_for(ctx: Context, position: Position, unit: Unit) -> Replacements | None:
    """The points that a unit may be given in the turn being played."""
    turn = position.turn
    return next(
        (
            rule
            for rule in ctx.rules.replacements
            if rule.side == unit.side and (not rule.types or unit.is_any(rule.types)) and in_turns(rule.turns, turn)
        ),
        None,
    )


def around(ctx: Context, position: Position, side: str, rule: Near, but: str = "") -> frozenset[Hex]:
    """The hexes near units of a side that fit, `but` one."""
    found: set[Hex] = set()
    for u in position.on_map(side):
        hex_ = position.hex_of(u)
        if u != but and hex_ is not None and fits(rule, ctx.units[u], position.units[u]):
            found.update(position.grid.within(hex_, rule.hexes))
    return frozenset(found)


def spent(ctx: Context, position: Position, rule: Replacements, *, surely: bool = False) -> int:
    """What of a rule's points has been used this turn; `surely` without what is doubtful."""
    ledger = position.ledger
    given = ledger.recovered.keys() - ledger.disputed if surely else ledger.recovered
    turned = sum(ledger.given.get(u, 1) for u in given if rule_for(ctx, position, ctx.units[u]) is rule)
    unpaid = ledger.unpaid | ledger.disputed if surely else ledger.unpaid
    back = (u for u in _came_back(position) if u not in unpaid)
    rebuilt = sum(rule_for(ctx, position, ctx.units[u]) is rule for u in back)
    return turned * (rule.step or 0) + rebuilt * (rule.rebuild or 0)


def _came_back(position: Position) -> frozenset[str]:
    """The units that were destroyed and have come back in the turn being played."""
    turn = position.turn
    return frozenset(u for u, state in position.units.items() if REBUILT in state.marks and state.arrived == turn)


def may_turn_back(ctx: Context, position: Position, line: int, unit: Unit) -> list[Finding]:
    """All that forbids a unit on the map to be given a step."""
    rule = rule_for(ctx, position, unit)
    told = {"units": (unit.id,), "unit": unit.id, "turn": position.turn}
    if rule is None or rule.step is None:
        section = next(r.section for r in ctx.rules.replacements if r.side == unit.side)
        return [ctx.found(line, "replacement-none", section=section, **told)]
    if not ctx.in_phase(rule.phases, position.phase):
        wanted = tuple(Term("phases", name) for name in rule.phases)
        return [ctx.found(line, "replacement-phase", section=rule.section, **told, wanted=wanted)]
    found = []
    if dear := _dear(ctx, position, rule, rule.step):
        found.append(ctx.found(line, "replacement-points", section=rule.section, **told, **dear))
    if not rule.contact and position.engaged(unit.id):
        found.append(ctx.found(line, "replacement-contact", section=rule.section, **told))
    hex_ = position.hex_of(unit.id)
    if rule.near is not None and hex_ not in around(ctx, position, unit.side, rule.near, unit.id):
        found.append(ctx.found(line, "replacement-far", section=rule.section, **told, count=rule.near.hexes))
    turned = position.ledger.given.get(unit.id, int(unit.id in position.ledger.recovered))
    # Whoever has come back in the turn has been given the step with which he lives.
    turned += unit.id in _came_back(position)
    if rule.most is not None and turned >= rule.most:
        doubts = undecided([unit.id] if unit.id in position.ledger.disputed else ())
        found.append(
            ctx.found(line, "replacement-often", section=rule.section, **told, limit=rule.most, doubts=doubts)
        )
    for mark in sorted(position.units[unit.id].marks.intersection(rule.barred_marks)):
        found.append(ctx.found(line, "replacement-mark", section=rule.section, what=mark, **told))
    return found


def undecided(units: Iterable[str], kind: str = "recovered") -> tuple[Message, ...]:
    """The doubts whether units might turn back the losses that they did, in one message; none for no unit.

    With `rebuilt` for its kind, whether they might come back.
    """
    named = " ".join(sorted(units))
    return (doubt(kind, units=named),) if named else ()


def _dear(
    ctx: Context, position: Position, rule: Replacements, price: int, others: int = 0
) -> dict[str, Any] | None:
    """What there is to say of a price that the points left do not pay; None if they do.

    `others` is what else the same statement takes of them.
    """
    limit, ledger = points(ctx, position, rule) - others, position.ledger
    left = limit - spent(ctx, position, rule)
    if price <= left:
        return None
    limit += others
    paid = price <= limit - others - spent(ctx, position, rule, surely=True)
    unsure = {u for u in ledger.disputed if paid and rule_for(ctx, position, ctx.units[u]) is rule}
    back = unsure & _came_back(position)
    doubts = (*undecided(unsure - back), *undecided(back, "rebuilt"))
    return {"price": price, "left": max(0, left), "limit": limit, "doubts": doubts}


def stocks(ctx: Context, side: str) -> tuple[Replacements, ...]:
    """The stocks into which a side saves points, each as the first rule of its kind of unit."""
    found: dict[tuple[str, ...], Replacements] = {}
    for rule in ctx.rules.replacements:
        if rule.side == side and rule.saved is not None:
            found.setdefault(rule.types, rule)
    return tuple(found.values())


def saved(ctx: Context, position: Position) -> Mapping[str, tuple[int, ...]]:
    """What each side has in its stocks when the turn being played is over, in their order."""
    found: dict[str, tuple[int, ...]] = {}
    for one_side in ctx.sides:
        if held := stocks(ctx, one_side):
            before = (*position.saved.get(one_side, ()), *(0 for _ in held))
            found[one_side] = tuple(_kept(ctx, position, stock, before[i]) for i, stock in enumerate(held))
    return found


def _kept(ctx: Context, position: Position, stock: Replacements, before: int) -> int:
    alike = (r for r in ctx.rules.replacements if (r.side, r.types) == (stock.side, stock.types))
    rule = next((r for r in alike if in_turns(r.turns, position.turn)), None)
    if rule is None:
        return before
    left = max(0, points(ctx, position, rule) - spent(ctx, position, rule))
    return left if rule.saved == "all" else min(left, rule.saved or 0)


def points(ctx: Context, position: Position, rule: Replacements) -> int:
    """The points of a turn, with what was saved before it."""
    held = [stock.types for stock in stocks(ctx, rule.side)]
    before = position.saved.get(rule.side, ())
    stock = held.index(rule.types) if rule.types in held else len(before)
    return _brought(ctx, position, rule) + (before[stock] if stock < len(before) else 0)


def _brought(ctx: Context, position: Position, rule: Replacements) -> int:
    """The points that a turn brings: as they stand, or as many for each place that the side holds."""
    if not rule.held:
        return rule.points
    return rule.points * sum(_is_held(ctx, position, place, rule.side) for place in rule.held)


def _is_held(ctx: Context, position: Position, place: str, side: str) -> bool:
    hexes = ctx.ground.place(place)
    return bool(hexes) and all(holder(ctx, position, hex_) == side for hex_ in hexes)


def rebuilds(rule: Replacements | None, unit: Unit) -> bool:
    """Whether a rule brings back a unit of its kind when it is destroyed."""
    return rule is not None and rule.rebuild is not None and (not rule.rebuilds or unit.is_any(rule.rebuilds))


def may_rebuild(arrival: Arrival) -> list[Finding]:
    """All that forbids a destroyed unit to come back, here and now."""
    ctx, position, unit = arrival.ctx, arrival.position, arrival.unit
    rule = rule_for(ctx, position, unit)
    if rule is None or rule.rebuild is None or not rebuilds(rule, unit):
        section = next((r.section for r in ctx.rules.replacements if r.side == unit.side and r.rebuild), "")
        return [arrival.find("never-rebuilt", section=section) if section else arrival.find("no-return")]
    if not ctx.in_phase(rule.phases, position.phase):
        wanted = tuple(Term("phases", name) for name in rule.phases)
        return [arrival.find("replacement-phase", section=rule.section, wanted=wanted)]
    found = []
    if dear := _dear(ctx, position, rule, rule.rebuild, _beside(arrival, rule)):
        found.append(arrival.find("replacement-points", section=rule.section, **dear))
    died = position.units[unit.id].died
    due = (arrival.turn if died is None else died) + rule.delay + 1
    if rule.delay and arrival.turn < due:
        unsure = (doubt("died", unit=unit.id),) if died is None else ()
        found.append(arrival.find("rebuild-early", section=rule.section, doubts=unsure, due=due))
    for mark in sorted({*cut_off(ctx, position, unit.id, arrival.hex)}.intersection(rule.barred_marks)):
        found.append(arrival.find("replacement-mark", section=rule.section, what=mark))
    at_edge = any(arrival.hex in ctx.ground.edge(edge) for edge in rule.edges)
    if not at_edge and not rebuilt_inside(ctx, position, unit, arrival.hex):
        found.append(arrival.find("rebuild-place", section=rule.section))
    return found


def _beside(arrival: Arrival, rule: Replacements) -> int:
    """The points of a rule that those take who come back by the same statement, and are told before."""
    ctx, position, before = arrival.ctx, arrival.position, arrival.before
    paid = 0
    for i, u in enumerate(before):
        unit = ctx.units[u]
        if not position.units[u].alive and rule_for(ctx, position, unit) is rule:
            other = may_rebuild(replace(arrival, unit=unit, before=before[:i]))
            paid += 0 if any(f.severity == "illegal" for f in other) else rule.rebuild or 0
    return paid


def rebuilt_inside(ctx: Context, position: Position, unit: Unit, hex_: Hex) -> bool:
    """Whether a destroyed unit may come back in a hex of a place, or near a unit, clear of the enemy."""
    rule = rule_for(ctx, position, unit)
    if rule is None:
        return False
    near = around(ctx, position, unit.side, rule.near) if rule.near is not None else ()
    if hex_ not in near and not any(hex_ in ctx.ground.place(place) for place in rule.places):
        return False
    return holder(ctx, position, hex_) != position.enemy(unit.side) and position.safe(hex_, unit.side)


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
                found.append(find("recovery-cleared", section=section, hexes_shut=" ".join(shut)))
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
