"""When and where a unit may come on the map (4.2.1, 10.1, 11.1), or come back to it (4.2.2)."""

from __future__ import annotations

from typing import Any

from ...scenarios.model import Scenario
from ...scenarios.schema.base import in_turns
from ...scenarios.schema.results import Dice
from ...scenarios.schema.rules_movement import EntryRule
from ...scenarios.schema.setup import CounterRow, Reinforcement, Withdrawal
from ...scenarios.text.hexgrid import Hex
from ...scenarios.text.words import Term
from ..notation.statements import ArrivalRoll
from .context import Arrival, Context, Outcome
from .findings import Finding, Severity, doubt
from .move_effects import course, holder, known
from .position import REINFORCEMENT, Position, Unit
from .recovery import around, may_rebuild, rebuilt_inside
from .roster import fits
from .values import once_for_each


def arrives(arrival: Arrival) -> list[Finding]:
    """All that forbids a unit to come on in this turn, at this hex, by this edge."""
    match arrival.state.where:
        case "":
            return [arrival.find("already-here")]
        case "retreated":
            return _returns(arrival)
        case "exited":
            return [arrival.find("no-return")]
        case "eliminated":
            return may_rebuild(arrival)
        case "withdrawn":
            return _recalled(arrival)
    listed = _on_time(arrival)
    told = {f.message.key for f in listed}
    # What the order of arrival and the rules of entry both forbid is one mistake.
    return [*listed, *(f for f in _by_rule(arrival) if f.message.key not in told)]


def _returns(arrival: Arrival) -> list[Finding]:
    rule, left = arrival.ctx.movement.returns, arrival.state.left
    away = arrival.ctx.rules.combat.off_map
    if rule is None or left is None or away is None or not away.returns:
        return [arrival.find("no-return")]
    turn = left.turn + rule.after
    if arrival.turn != turn:
        return [
            arrival.find(
                "return-turn",
                declared=arrival.turn,
                computed=turn,
                left=left.turn,
                turn=turn,
            )
        ]
    if arrival.edge != left.edge:
        return [arrival.find("return-edge", declared=Term("edges", arrival.edge), edge=Term("edges", left.edge))]
    distance = arrival.ctx.map.grid.distance(left.hex, arrival.hex)
    if distance > rule.within:
        return [
            arrival.find(
                "return-far",
                computed=distance,
                left=left.hex,
                within=rule.within,
                distance=distance,
            )
        ]
    return []


def _recalled(arrival: Arrival) -> list[Finding]:
    """Units that the set-up takes off and brings back."""
    left = arrival.state.left
    for rule in arrival.ctx.scenario.setup.withdrawals:
        if rule.returns_turn is None or not (arrival.unit.counters and arrival.unit.counters <= set(rule.units)):
            continue
        if left is not None and left.turn > rule.returns_turn:
            continue
        if arrival.turn < rule.returns_turn:
            return [arrival.not_due(rule.returns_turn, rule.section)]
        if rule.returns_edges and arrival.edge not in rule.returns_edges:
            return [arrival.wrong_edge(rule.returns_edges, rule.section)]
        return []
    return [arrival.find("no-return")]


def _comes_back(ctx: Context, unit: Unit) -> bool:
    lines = ctx.scenario.setup.withdrawals
    return any(w.returns_turn is not None and unit.counters and unit.counters <= set(w.units) for w in lines)


def _over(ctx: Context, unit: Unit, turn: int) -> Withdrawal | None:
    """The line by which a unit should have left for good by now, had it ever come."""
    lines = (w for w in ctx.scenario.setup.withdrawals if w.returns_turn is None and w.turn <= turn)
    return next((w for w in lines if unit.counters <= set(w.units)), None)


def schedule(ctx: Context, unit: Unit) -> Reinforcement | None:
    """The line of the order of arrival that a unit comes by, the first if several will do; None if none tells."""
    if not unit.counters:
        return None
    found = _schedules(ctx.scenario)
    if unit.counters not in found:
        one = next((r for r in ctx.scenario.setup.reinforcements if unit.counters <= set(r.units)), None)
        found[unit.counters] = one or next(iter(_lines(ctx, unit)), None)
    return found[unit.counters]


@once_for_each
def _schedules(_: Scenario) -> dict[frozenset[str], Reinforcement | None]:
    """The line of the order of arrival for counters of a game, as far as it was asked for."""
    return {}


def _lines(ctx: Context, unit: Unit) -> list[Reinforcement]:
    """By turn, one line for each counter that a unit may be; none if one of its own does not come by any."""
    lines = {u: r for r in ctx.scenario.setup.reinforcements for u in r.units}
    if not unit.counters or not unit.counters <= lines.keys():
        return []
    return sorted((lines[u] for u in _kin(ctx, unit) if u in lines), key=lambda r: r.turn)


def _kin(ctx: Context, unit: Unit) -> frozenset[str]:
    """The counters that a unit may be: battalions of a regiment bear no number, and the lists give none (10.1)."""
    counters = ctx.scenario.counters
    shown = {_face(counters[u]) for u in unit.counters if counters[u].regiment}
    return unit.counters | {u for u, c in counters.items() if _face(c) in shown}


def _face(c: CounterRow) -> tuple[object, ...]:
    return c.side, c.type, c.regiment, c.division, c.attack, c.defence, c.move, c.range


def _listed(arrival: Arrival) -> Reinforcement | None:
    """The line by which a unit comes here and now: one that is due, and this edge's if there is such.

    Of those that look alike no more may have come than are due.
    """
    ctx, lines = arrival.ctx, _lines(arrival.ctx, arrival.unit)
    if len({r.units for r in lines}) < 2:
        return lines[0] if lines else None
    kin = _kin(ctx, arrival.unit)
    states = arrival.position.units
    here = [u for u in ctx.units.values() if not u.counters.isdisjoint(kin) and u.id != arrival.unit.id]
    came = sum(states[u.id].where not in ("absent", "due") or u.id in arrival.before for u in here)
    next_ = lines[min(came, len(lines) - 1)]
    due = [r for r in lines if r.turn <= arrival.turn]
    if arrival.turn < next_.turn:
        return next_
    return next((r for r in due if arrival.edge in r.edges or arrival.hex in _spots(arrival, r)), next_)


def section_of(ctx: Context, side: str) -> str:
    """Where the rulebook lists a side's reinforcements."""
    counters = ctx.scenario.counters
    for line in ctx.scenario.setup.reinforcements:
        if any(u in counters and counters[u].side == side for u in line.units):
            return line.section
    return ctx.sections.entry


def _on_time(arrival: Arrival) -> list[Finding]:
    ctx, unit = arrival.ctx, arrival.unit
    own = ctx.due.get(unit.id)
    if own is not None:
        turn, wanted = own
        section = section_of(ctx, unit.side)
        if arrival.turn < turn:
            return [arrival.not_due(turn, section)]
        return [arrival.wrong_edge((wanted,), section)] if wanted and arrival.edge != wanted else []
    listed = _listed(arrival)
    if listed is not None and (over := _over(ctx, unit, arrival.turn)):
        return [arrival.find("never-came", section=over.section, turn=over.turn)]
    if listed is None and _comes_back(ctx, unit):
        return _recalled(arrival)
    if listed is None:
        if arrival.state.where == "due" or REINFORCEMENT in arrival.state.marks:
            return []
        severity: Severity = "warning" if unit.line else "illegal"
        return [arrival.find("no-reinforcement", section=section_of(ctx, unit.side), severity=severity)]
    if arrival.turn < listed.turn:
        return [arrival.not_due(listed.turn, listed.section)]
    if listed.until is not None and arrival.turn > listed.until:
        until = {"section": listed.section, "declared": arrival.turn, "computed": listed.until}
        return [arrival.find("overdue", due=listed.until, **until)]
    found = [*_out_of_phase(arrival, listed), *(_by_die(arrival, listed) if listed.die is not None else ())]
    if listed.edges and arrival.edge not in listed.edges:
        found.append(arrival.wrong_edge(listed.edges, listed.section))
    wanted_hexes = _spots(arrival, listed)
    if listed.near is not None and not listed.edges and arrival.hex not in wanted_hexes:
        found.append(arrival.find("entry-far", section=listed.section, count=listed.near.hexes))
    elif wanted_hexes and not listed.near and arrival.hex not in wanted_hexes:
        found.append(arrival.wrong_hex(wanted_hexes, listed.section))
    if listed.held and holder(ctx, arrival.position, arrival.hex) != unit.side:
        found.append(arrival.find("entry-held", section=listed.section))
    return [*found, *_one_edge(arrival, listed.section, listed.group)] if listed.group else found


def judge_arrivals(ctx: Context, position: Position, statement: ArrivalRoll) -> Outcome:
    """`arrivals c1 roll 4`: dice that say how many units of a line of the order of arrival come in the turn."""
    ids, found = known(ctx, statement.line, statement.units)
    findings, lines, thrown = list(found), ctx.scenario.setup.reinforcements, set[int]()
    for unit in ids:
        line = schedule(ctx, ctx.units[unit])
        if line is None or line.die is None:
            findings.append(ctx.found(statement.line, "arrivals-none", units=(unit,), unit=unit))
        elif (number := lines.index(line)) not in thrown:
            thrown.add(number)
            dice, faces = Dice.of(line.die.dice), statement.faces
            count = line.die.count(dice.value(faces)) if dice.shows(faces) else len(line.units)
            told: dict[str, Any] = {
                "section": line.section,
                "units": (unit,),
                "unit": unit,
                "dice": line.die.dice,
                "count": count,
            }
            wrong = _ill_thrown(ctx, position, statement, unit)
            findings += [ctx.found(statement.line, key, **told) for key in wrong]
            if not wrong:
                findings.append(ctx.found(statement.line, "arrivals-given", severity="info", **told))
            position = position.noted(arrivals={number: count, **position.ledger.arrivals})
    return Outcome(position, tuple(findings))


def _ill_thrown(ctx: Context, position: Position, statement: ArrivalRoll, unit: str) -> list[str]:
    """What speaks against a throw for a unit and those that come with it, by keys of findings."""
    phase, line = position.phase, schedule(ctx, ctx.units[unit])
    if line is None or line.die is None:
        return []
    in_time = line.turn <= position.turn <= (line.until or position.turn)
    wrong = {
        "arrivals-when": phase is None or phase.side != ctx.units[unit].side or not in_time,
        "arrivals-dice": not Dice.of(line.die.dice).shows(statement.faces),
        "arrivals-twice": ctx.scenario.setup.reinforcements.index(line) in position.ledger.arrivals,
    }
    return [key for key, is_so in wrong.items() if is_so]


def _by_die(arrival: Arrival, line: Reinforcement) -> list[Finding]:
    """A finding if the dice for a line were not thrown in the turn, or let fewer units of it come."""
    ctx, ledger = arrival.ctx, arrival.position.ledger
    may = ledger.arrivals.get(ctx.scenario.setup.reinforcements.index(line))
    if may is None:
        doubts = () if ledger.whole else (doubt("thrown-before"),)
        return [arrival.find("arrivals-unthrown", section=line.section, doubts=doubts)]
    units, states = ctx.units.values(), arrival.position.units
    came = sum(
        u.id in arrival.before or states[u.id].arrived == arrival.turn
        for u in units
        if u.id != arrival.unit.id and schedule(ctx, u) is line
    )
    return [arrival.find("arrivals-many", section=line.section, computed=may)] if came >= may else []


def _out_of_phase(arrival: Arrival, line: Reinforcement) -> list[Finding]:
    """A finding if units come in another phase than the line of the order of arrival has them come in."""
    phase = arrival.position.phase
    if phase is None or (line.phases and arrival.ctx.in_phase(line.phases, phase)):
        return []
    named = _phases_named(arrival.ctx.scenario).get(arrival.unit.side, set())
    if not line.phases and (phase.kind == "movement" or named.isdisjoint(arrival.ctx.names(phase))):
        return []
    wanted = tuple(Term("phases", kind) for kind in line.phases or ("movement",))
    declared = Term("phases", arrival.ctx.names(phase)[-1])
    return [arrival.find("entry-phase", section=line.section, declared=declared, kind=declared, wanted=wanted)]


@once_for_each
def _phases_named(scenario: Scenario) -> dict[str, set[str]]:
    """By side the phases that lines of the order of arrival name."""
    found: dict[str, set[str]] = {}
    for line in scenario.setup.reinforcements:
        for side in {scenario.counters[u].side for u in line.units if u in scenario.counters}:
            found.setdefault(side, set()).update(line.phases)
    return found


def named(ctx: Context, line: Reinforcement) -> tuple[Hex, ...]:
    """The hexes in which a line of the order of arrival lets its units come on; none where it names edges alone."""
    areas = (h for area in line.areas for h in sorted(ctx.ground.area(area)))
    places = (h for place in line.places for h in sorted(ctx.ground.place(place)))
    return tuple(dict.fromkeys((*line.hexes, *areas, *places)))


def _spots(arrival: Arrival, line: Reinforcement) -> tuple[Hex, ...]:
    """The hexes in which a line lets its units come on: those that it names, and those near who it wants there."""
    near = around(arrival.ctx, arrival.position, arrival.unit.side, line.near) if line.near else frozenset()
    return (*named(arrival.ctx, line), *near)


def inside(arrival: Arrival) -> bool:
    """Whether a unit comes on within the map, at a hex where it needs no edge and no way from one."""
    ctx, hex_ = arrival.ctx, arrival.hex
    if ctx.ground.edges_at(hex_):
        return False
    if arrival.state.where == "eliminated":
        return rebuilt_inside(ctx, arrival.position, arrival.unit, hex_)
    listed = _listed(arrival)
    return listed is not None and hex_ in _spots(arrival, listed)


def _one_edge(arrival: Arrival, section: str, group: str = "") -> list[Finding]:
    """A finding if others of a side (or of a group of its order of arrival) have come by another edge."""
    for other in arrival.ctx.units.values():
        state = arrival.position.units[other.id]
        if other.id == arrival.unit.id or other.side != arrival.unit.side or state.arrived is None:
            continue
        mate = schedule(arrival.ctx, other) if group else None
        if state.edge in ("", arrival.edge) or (group and (mate is None or mate.group != group)):
            continue
        return [
            arrival.find(
                "group-edge",
                section=section,
                declared=Term("edges", arrival.edge),
                other=other.id,
                edge=Term("edges", state.edge),
            )
        ]
    return []


def _in_front(arrival: Arrival, section: str) -> list[Finding]:
    """A doubtful finding where a unit comes on nearer to an enemy than to any who stood for its own side before."""
    position, side, distance = arrival.position, arrival.unit.side, arrival.ctx.map.grid.distance
    own = [h for u in position.on_map() if _stood(arrival, u) and (h := position.hex_of(u))]
    enemies = sorted(position.boards[arrival.ctx.enemy(side)].at)
    enemy = min(enemies, key=lambda h: distance(h, arrival.hex), default=None)
    if not own or enemy is None or distance(enemy, arrival.hex) >= min(distance(h, arrival.hex) for h in own):
        return []
    return [arrival.find("entry-front", section=section, doubts=(doubt("own-line"),), enemy=enemy)]


def _stood(arrival: Arrival, unit: str) -> bool:
    """Whether a unit of the side stood on the map before the turn."""
    state = arrival.position.units[unit]
    return arrival.ctx.units[unit].side == arrival.unit.side and state.arrived != arrival.turn


def entry_rules(ctx: Context, position: Position, unit: Unit) -> list[EntryRule]:
    """The rules of entry that bind a unit in the turn being played."""
    turn, state = position.turn, position.units[unit.id]
    binding = (
        r for r in ctx.movement.entries if in_turns(r.turns, turn) and ctx.in_phase(r.phases, position.phase)
    )
    return [rule for rule in binding if fits(rule, unit, state)]


def _by_rule(arrival: Arrival) -> list[Finding]:
    ctx, hex_ = arrival.ctx, arrival.hex
    found = []
    listed = _listed(arrival)
    at_home = listed is not None and hex_ in _spots(arrival, listed)
    for rule in entry_rules(ctx, arrival.position, arrival.unit):
        if rule.edges and arrival.edge not in rule.edges and not at_home:
            found.append(arrival.wrong_edge(rule.edges, rule.section))
        if rule.hexes and hex_ not in rule.hexes:
            found.append(arrival.wrong_hex(rule.hexes, rule.section))
        if rule.one_edge:
            found += _one_edge(arrival, rule.section)
        if rule.behind_line:
            found += _in_front(arrival, rule.section)
        on_way = any(hex_ in ctx.ground.way_hexes.get(k, ()) for k in rule.ways)
        fitting = on_way or bool(set(ctx.map.terrain[hex_]) & set(rule.terrain))
        if (rule.ways or rule.terrain) and not fitting:
            wanted = ctx.term(", ".join((*rule.ways, *rule.terrain)))
            found.append(
                arrival.find("entry-ground", section=rule.section, doubts=(ctx.ground.doubt(hex_),), wanted=wanted)
            )
        if rule.west_of and ctx.ground.east_of((hex_, hex_), rule.west_of):
            doubts = (course(ctx, rule.west_of),)
            found.append(
                arrival.find("entry-east", section=rule.section, doubts=doubts, river=ctx.term(rule.west_of))
            )
    return found
