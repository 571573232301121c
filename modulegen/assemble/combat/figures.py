"""The figures of an assault, step by step: who fights, sums, odds, shifts, column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from hexforge.modulegen.assemble.combat import modifiers, odds
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat.desk import CombatDesk
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan import battlefield
from hexforge.modulegen.plan.markers import has_air
from hexforge.modulegen.vassal import traits as t
from hexforge.scenarios.hexgrid import side

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan
    from hexforge.modulegen.plan.ground import BoardPlan
    from hexforge.scenarios.hexgrid import Hex
    from hexforge.scenarios.schema.tables import ResultTable


def figures(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """Everything up to the column, step by step."""
    yield from placed(plan, desk)
    yield from _attackers(plan, desk)
    yield from _defenders(plan, desk)
    yield from _sums(plan, desk)
    yield from _columns(plan, desk)


def placed(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """Where the target lies, and what the ground there is worth."""
    scenario, field_ = plan.scenario, plan.ground
    one, other = (spec.id for spec in scenario.game.sides[:2])
    yield desk.set(n.DEFENDER, n.TARGET_SIDE)
    yield desk.set(n.ATTACKER, f"{n.DEFENDER} == {quoted(one)} ? {quoted(other)} : {quoted(one)}")
    yield from _reckoned(field_, desk) if field_.grid.usual and not field_.grid.pointy else _looked_up(field_, desk)
    yield desk.set(n.GROUND, odds.ground(plan.records, n.DEFENDER))


def _looked_up(field_: BoardPlan, desk: CombatDesk) -> Iterator[t.Key]:
    """Where the target lies on a map that calls its hexes in a way of its own: found in a text of all of them."""
    spots = {hex_: field_.centre(hex_) for hex_ in field_.grid}
    for name, axis in ((n.X, 0), (n.Y, 1)):
        text = quoted(";" + "".join(f"{hex_}={spot[axis]};" for hex_, spot in spots.items()))
        yield desk.set(name, f'Integer.parseInt({text}.split(";" + {n.TARGET_HEX} + "=")[1].split(";")[0])')


def _reckoned(field_: BoardPlan, desk: CombatDesk) -> Iterator[t.Key]:
    """Where the target lies, out of its four digits."""
    at = 1 + len(field_.grid.letter)
    column, row = (f"Integer.parseInt({n.TARGET}.substring({i}, {i + 2}))" for i in (at, at + 2))
    yield desk.set(n.X, f"{column} * {round(field_.dx * 1000)} / 1000 + {round(field_.x0 - field_.dx)}")
    lower = f"{column} % 2 == {0 if field_.grid.low == 'even' else 1} ? {round(field_.dy / 2)} : 0"
    top = field_.centre(field_.grid.hexes[0])[1] - field_.dy - (field_.dy / 2 if field_.grid.low == "odd" else 0)
    yield desk.set(n.MOVED, lower)
    yield desk.set(n.Y, f"{row} * {round(field_.dy * 1000)} / 1000 + {n.MOVED} + {round(top)}")


def emptied(desk: CombatDesk) -> list[t.Key]:
    return [desk.set(n.RECORD, quoted(""))]


def listed(desk: CombatDesk, name: str, *, besides: str = "") -> t.Key:
    """The ids of the record, without what is told of them (and without those of a group before)."""
    ids = f'{n.RECORD}.replaceAll("[^a-z0-9._ -]", "")'
    return desk.set(name, f"{ids}.substring({besides}.length())" if besides else ids)


def _around(plan: Plan, direction: int | None, hexes: float) -> str:
    """Whether a counter is nearer to the target, or to its neighbour in a direction, than so many hexes."""
    x, y = (0, 0) if direction is None else neighbour(plan, direction)
    across, down = f"CurrentX - {n.X} - {x}", f"CurrentY - {n.Y} - {y}"
    square = f"({across}) * ({across}) + ({down}) * ({down})"
    reach = round((hexes * plan.ground.dy) ** 2)
    return f"CurrentMap == {quoted(plan.words('map.main'))} && {square} < {reach}"


def neighbour(plan: Plan, direction: int) -> tuple[int, int]:
    """Pixels, across and down, from the centre of a hex to that of the next in a direction."""
    wide, high = plan.ground.dx, plan.ground.dy
    half = high / 2
    ring = [(0.0, -high), (wide, -half), (wide, half), (0.0, high), (-wide, half), (-wide, -half)]
    if plan.ground.grid.pointy:
        ring = [(half, -wide), (high, 0.0), (half, wide), (-half, wide), (-high, 0.0), (-half, -wide)]
    x, y = ring[direction]
    return round(x), round(y)


def in_reach(plan: Plan) -> str:
    """Whether the target is within the range of a counter that has one: hexes counted from line to line."""
    wide, high = round(plan.ground.dx), round(plan.ground.dy)
    across, down, reach = f"Math.abs(CurrentX - {n.X})", f"Math.abs(CurrentY - {n.Y})", "Integer.parseInt(Range)"
    if plan.ground.grid.pointy:
        across, down = down, across
    columns = f"{across} < {reach} * {wide} + {wide // 2}"
    rows = f"{across} * {high} + {down} * {2 * wide} < {reach} * {2 * wide * high} + {wide * high // 2}"
    return f"CurrentMap == {quoted(plan.words('map.main'))} && {columns} && {rows}"


EXERTS = "Exerts"
"""Whether a counter has a zone, in games in which not all have one."""
IN, NEXT = 0.3, 1.25
"""Distances in hexes from a centre that only what is in the hex has, or what is in it and next to it."""


def counted(desk: CombatDesk, value: str, who: str) -> list[t.Key]:
    """Counters for which an expression holds add themselves to the record, and a number of theirs in strokes."""
    return list(desk.say(who, text=n.TELLS, number=value))


def summed(desk: CombatDesk) -> t.Key:
    """The sum of the numbers in the record."""
    return desk.set(n.SUM, f"{n.RECORD}.length() - {n.RECORD}.replace({quoted(n.STROKE)}, {quoted('')}).length()")


def _have_say(desk: CombatDesk, text: str, who: str) -> list[t.Key]:
    """Counters for which an expression holds add a text to the record."""
    return list(desk.say(who, text))


def _attackers(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """Who attacks, over which lines; guns that support from next to the target attack like all others."""
    near = _around(plan, None, NEXT)
    yield from emptied(desk)
    yield from counted(desk, "Attack", f"Role == {n.ATTACK}")
    yield from counted(desk, "Attack", f"Role == {n.SUPPORT} && {near}")
    yield listed(desk, n.ATTACKERS)
    yield from _crossed(plan, desk)
    yield from counted(desk, "Attack", f"Role == {n.SUPPORT} && !({near})")
    yield listed(desk, n.GUNS, besides=n.ATTACKERS)
    yield summed(desk)
    yield desk.set(n.ATTACKING, n.SUM)
    yield from _unity(plan, desk, "attack", f"Role == {n.ATTACK} || Role == {n.SUPPORT}", n.UNITY_ATTACK)


def _crossed(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """The lines and works that the attackers cross, and what they are worth."""
    line, works = _line_columns(plan)
    if not any((*line, *works)):
        yield desk.set(n.LINE, "0")
        yield desk.set(n.WORKS, "0")
        return
    for direction in range(battlefield.SIDES):
        at, fort = battlefield.LINES + direction, battlefield.FORTS + direction
        cut = [f"{n.GROUND}.substring({i}, {i + 1})" for i in (at, fort)]
        said = f'"[{odds.LINE_CODE}" + {cut[0]} + "][{odds.WORKS_CODE}" + {cut[1]} + "]"'
        who = f"Role > 0 && Role <= {n.SUPPORT} && {_around(plan, direction, IN)}"
        yield from _have_say(desk, said, who)
    worst = odds.option(plan.scenario, "river_needs_all") != "no"
    yield desk.set(n.LINE, odds.lines(odds.LINE_CODE, line, worst=worst))
    yield desk.set(n.WORKS, odds.lines(odds.WORKS_CODE, works, worst=True))


def _defenders(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """Everybody in the target, whether they have a way out, and the guns that support them."""
    yield from emptied(desk)
    yield from counted(desk, "Defence", n.IN_TARGET)
    yield listed(desk, n.DEFENDERS)
    yield from _surrounded(plan, desk)
    for multiplied in modifiers.defences(plan.scenario):
        yield desk.set(n.SUM, multiplied)
    yield from counted(desk, "Attack", f"Role == {n.GUARD} && !{n.IN_TARGET}")
    yield listed(desk, n.GUARDS, besides=n.DEFENDERS)
    yield summed(desk)
    yield from _unity(plan, desk, "defence", f"Role == {n.GUARD} || {n.IN_TARGET}", n.UNITY_DEFENCE)


def _surrounded(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """Whether every hex around the target is covered by the enemy, or barred to those who defend."""
    circle = plan.scenario.game.rules.combat.encirclement
    relief = circle.relief if circle.immune else 0
    barred = bool(circle.columns and plan.barriers.sets)
    if circle.columns:
        # Who covers a hex says so in the record, which is the defenders' again afterwards.
        yield desk.set(n.MOVED, n.RECORD)
        yield desk.set(n.RECORD, f"{n.GROUND}.substring({battlefield.MISSING}, {battlefield.BARRED})")
        for direction in range(battlefield.SIDES):
            for where in _covering(plan, direction):
                who = f"Side == {n.ATTACKER} && {where}"
                yield from _have_say(desk, quoted(battlefield.letters(direction)), who)
        yield desk.set(n.COVERS, n.RECORD)
        yield desk.set(n.RECORD, n.MOVED)
    if barred:
        yield desk.set(n.BARS, odds.shut(plan.barriers))
    yield desk.set(n.ENCIRCLED, odds.surrounded(circle.columns, relief, n.DEFENDERS, barred=barred))


def _covering(plan: Plan, direction: int) -> Iterator[str]:
    """Where a counter stands that covers the next hex in a direction: in it, or its zone reaches there."""
    shut, exerts = shielded(plan, behind=True), own_zone(plan)
    if not (shut or exerts):
        yield _around(plan, direction, NEXT)
        return
    yield _around(plan, direction, IN)
    ahead = neighbour(plan, direction)
    reached = [exerts] if exerts else []
    for way, hexes in shut.items():
        back = neighbour(plan, way)
        x, y = (
            f"Math.abs(Current{c} - {at} - {ahead[i] - back[i]})"
            for i, (c, at) in enumerate((("X", n.X), ("Y", n.Y)))
        )
        near = round(IN * plan.ground.dy)
        reached.append(
            f"!({x} < {near} && {y} < {near} && {quoted(' '.join(hexes))}.contains(LocationName.trim()))"
        )
    yield " && ".join([_around(plan, direction, NEXT), *reached])


def own_zone(plan: Plan) -> str:
    """Whether a counter has a zone now; empty where all have one."""
    zones = plan.scenario.game.rules.movement.zones
    found = [f"{EXERTS} == 1"] if zones.exerted_by or not zones.exerted else []
    return " && ".join(found if zones.reduced else [*found, "Step_Level == 1"])


def reaches_all(plan: Plan) -> bool:
    """Whether a unit's zone reaches into all hexes around it, whatever lies there."""
    zones = plan.scenario.game.rules.movement.zones
    return not zones.grounded


def shielded(plan: Plan, *, behind: bool) -> dict[int, list[Hex]]:
    """By direction the hexes out of which no zone reaches that way, for what lies on the side, or `behind` it."""
    map_, rule = plan.scenario.map, plan.scenario.game.rules.movement.zones
    kinds, shut = set(rule.not_across), set(rule.not_into if behind else ())
    first = plan.scenario.game.turns.first
    bridges = map_.bridged(plan.scenario.tables, first) if rule.over_bridges else ()
    found: dict[int, list[Hex]] = {}
    for hex_, ring in map_.grid.rings.items() if kinds or shut else ():
        for direction, other in enumerate(ring):
            if other is None:
                continue
            lines, ground = map_.hexsides.get(side(hex_, other), ()), map_.terrain[other]
            walled = not kinds.isdisjoint(lines) and side(hex_, other) not in bridges
            if walled or not shut.isdisjoint(ground):
                found.setdefault(direction, []).append(hex_)
    return found


def _unity(
    plan: Plan, desk: CombatDesk, role: Literal["attack", "defence"], who: str, name: str
) -> Iterator[t.Key]:
    """Formations of which everybody fights are named in the record; what they are worth."""
    rules = plan.scenario.game.rules.combat.unity
    bonus, greater = getattr(rules.regiment, role), getattr(rules.division, role)
    stacks = odds.option(plan.scenario, "regimental_stacks") == "yes"
    division, regiment = odds.complete("DivisionOf", "DivisionSize"), odds.complete("RegimentOf", "RegimentSize")
    if greater:
        yield from _have_say(desk, quoted("([D])"), f"({who}) && {division}")
    if bonus:
        yield from _have_say(desk, quoted("([R])"), f"({who}) && Leads == 1 && {regiment}")
        if stacks and rules.division.in_all:
            yield from _have_say(desk, quoted("([O])"), f"({who}) && Leads == 1 && {regiment} && !({division})")
        for number, rule in enumerate(rules.commands):
            all_there = f"({who}) && {odds.commanded(number, rule.side, len(rule.types))}"
            yield from desk.say(all_there, text=n.COMMANDED)
    yield desk.set(name, odds.unity(rules, bonus, greater, stacks=stacks))


def _line_columns(plan: Plan) -> tuple[set[int], set[int]]:
    """The columns that lines and works of the game are worth."""
    effects = plan.scenario.tables.hexsides.values()
    return {min(0, e.combat) for e in effects if not e.additive}, {min(0, e.combat) for e in effects if e.additive}


def _sums(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """Attack and defence with the points of aircraft and of guns beyond the map, of whoever has them."""
    attack, defence = {}, {}
    for spec in plan.scenario.game.sides[:2]:
        ours, theirs = points_of(plan, spec.id)
        attack[spec.id] = " + ".join([n.ATTACKING, *ours])
        defence[spec.id] = " + ".join([n.SUM, *theirs])
    yield desk.set(n.SUM_ATTACK, _by_side(attack))
    yield desk.set(n.SUM_DEFENCE, _by_side(defence))


def _by_side(values: dict[str, str]) -> str:
    first, second = values
    return f"{n.ATTACKER} == {quoted(first)} ? {values[first]} : {values[second]}"


def points_of(plan: Plan, attacker: str) -> tuple[list[str], list[str]]:
    """The properties of points that help a side when it attacks, and those that help the other."""
    rules, ours, theirs = plan.scenario.game.rules.combat, list[str](), list[str]()
    if has_air(plan.scenario) and rules.air is not None:
        (ours if rules.air.side == attacker else theirs).append(n.POINTS)
    if sides := {row.side for row in rules.artillery.offboard}:
        (ours if attacker in sides else theirs).append(n.OFFBOARD)
    return ours, theirs


def _columns(plan: Plan, desk: CombatDesk) -> Iterator[t.Key]:
    """Odds, shifts and the column."""
    scenario = plan.scenario
    table = scenario.tables.crt
    inverse = odds.inverse(scenario)
    fort = f"{n.WORKS} < {odds.columns_at(battlefield.WORKS)} ? {n.WORKS}"
    yield desk.set(n.HEX, odds.columns_at(battlefield.TERRAIN))
    yield desk.set(n.WORKS, f"{fort} : {odds.columns_at(battlefield.WORKS)}")
    yield desk.set(n.COVER, odds.cover())
    yield desk.set(n.SURPRISE, modifiers.columns(scenario))
    yield desk.set(n.BASE, odds.base(table, inverse))
    yield desk.set(n.ODDS, odds.named(table, n.BASE))
    moved = [n.COVER, n.ENCIRCLED, n.UNITY_ATTACK, n.SURPRISE, n.SHIFT]
    yield desk.set(n.MOVED, " + ".join(moved) + f" - {n.UNITY_DEFENCE}")
    yield from within(desk, table)
    if odds.option(scenario, "clamp_before_shift") == "no":
        yield desk.set(n.VALUE, odds.beyond(table, round_up=inverse == "defender"))
        yield desk.set(n.MOVED, f"{n.MOVED} + {n.VALUE}")
    yield from column_of(desk, table)


def within(desk: CombatDesk, table: ResultTable) -> Iterator[t.Key]:
    """What moves the column, held within the table's limit."""
    if most := table.columns_most:
        yield desk.set(n.MOVED, f"Math.max(-{most}, Math.min({most}, {n.MOVED}))")


def column_of(desk: CombatDesk, table: ResultTable) -> Iterator[t.Key]:
    yield desk.set(n.COLUMN, f"{n.BASE} + {n.MOVED}")
    yield desk.set(n.COLUMN, odds.held(table, n.COLUMN))
    yield desk.set(n.NAMED, odds.named(table, n.COLUMN))
