"""The figures of an assault, step by step: who fights, sums, odds, shifts, column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from ....scenarios.text.hexgrid import side
from ...plan import battlefield
from ...plan.markers import has_air
from ...vassal import traits
from ..expressions import quoted
from . import odds, steps
from .steps import CombatDesk

if TYPE_CHECKING:
    from ....scenarios.schema.tables import ResultTable
    from ....scenarios.text.hexgrid import Hex
    from ...plan import Plan
    from ...plan.markers import BoardPlan


def figures(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Everything up to the column, step by step."""
    yield from placed(plan, desk)
    yield from _attackers(plan, desk)
    yield from _defenders(plan, desk)
    yield from _sums(plan, desk)
    yield from _columns(plan, desk)


def placed(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Where the target lies, and what the ground there is worth."""
    scenario, field_ = plan.scenario, plan.ground
    one, other = (spec.id for spec in scenario.game.sides[:2])
    yield desk.set(steps.DEFENDER, steps.TARGET_SIDE)
    yield desk.set(steps.ATTACKER, f"{steps.DEFENDER} == {quoted(one)} ? {quoted(other)} : {quoted(one)}")
    yield from _reckoned(field_, desk) if field_.grid.usual and not field_.grid.pointy else _looked_up(field_, desk)
    yield desk.set(steps.GROUND, odds.ground(plan.records, steps.DEFENDER))


def _looked_up(field_: BoardPlan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Where the target lies on a map that calls its hexes in a way of its own: found in a text of all of them."""
    spots = {hex_: field_.centre(hex_) for hex_ in field_.grid}
    for name, axis in ((steps.X, 0), (steps.Y, 1)):
        text = quoted(";" + "".join(f"{hex_}={spot[axis]};" for hex_, spot in spots.items()))
        yield desk.set(name, f'Integer.parseInt({text}.split(";" + {steps.TARGET_HEX} + "=")[1].split(";")[0])')


def _reckoned(field_: BoardPlan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Where the target lies, out of its four digits."""
    at = 1 + len(field_.grid.letter)
    column, row = (f"Integer.parseInt({steps.TARGET}.substring({i}, {i + 2}))" for i in (at, at + 2))
    yield desk.set(steps.X, f"{column} * {round(field_.dx * 1000)} / 1000 + {round(field_.x0 - field_.dx)}")
    lower = f"{column} % 2 == {0 if field_.grid.low == 'even' else 1} ? {round(field_.dy / 2)} : 0"
    top = field_.centre(field_.grid.hexes[0])[1] - field_.dy - (field_.dy / 2 if field_.grid.low == "odd" else 0)
    yield desk.set(steps.MOVED, lower)
    yield desk.set(steps.Y, f"{row} * {round(field_.dy * 1000)} / 1000 + {steps.MOVED} + {round(top)}")


def emptied(desk: CombatDesk) -> list[traits.Key]:
    return [desk.set(steps.RECORD, quoted(""))]


def listed(desk: CombatDesk, name: str, *, besides: str = "") -> traits.Key:
    """The ids of the record, without what is told of them (and without those of a group before)."""
    ids = f'{steps.RECORD}.replaceAll("[^a-z0-9._ -]", "")'
    return desk.set(name, f"{ids}.substring({besides}.length())" if besides else ids)


def _around(plan: Plan, direction: int | None, hexes: float) -> str:
    """Whether a counter is nearer to the target, or to its neighbour in a direction, than so many hexes."""
    x, y = (0, 0) if direction is None else neighbour(plan, direction)
    across, down = f"CurrentX - {steps.X} - {x}", f"CurrentY - {steps.Y} - {y}"
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
    across, down, reach = (
        f"Math.abs(CurrentX - {steps.X})",
        f"Math.abs(CurrentY - {steps.Y})",
        "Integer.parseInt(Range)",
    )
    if plan.ground.grid.pointy:
        across, down = down, across
    columns = f"{across} < {reach} * {wide} + {wide // 2}"
    rows = f"{across} * {high} + {down} * {2 * wide} < {reach} * {2 * wide * high} + {wide * high // 2}"
    return f"CurrentMap == {quoted(plan.words('map.main'))} && {columns} && {rows}"


_FAR = "!"
"""What those say who are marked to attack, or to fire, and cannot reach the target."""
EXERTS = "Exerts"
"""Whether a counter has a zone, in games in which not all have one."""
IN, NEXT = 0.3, 1.25
"""Distances in hexes from a centre that only what is in the hex has, or what is in it and next to it."""


def counted(desk: CombatDesk, value: str, who: str) -> list[traits.Key]:
    """Counters for which an expression holds add themselves to the record, and a number of theirs in strokes."""
    return list(desk.say(who, text=steps.TELLS, number=value))


def summed(desk: CombatDesk) -> traits.Key:
    """The sum of the numbers in the record."""
    return desk.set(
        steps.SUM,
        f"{steps.RECORD}.length() - {steps.RECORD}.replace({quoted(steps.STROKE)}, {quoted('')}).length()",
    )


def _have_say(desk: CombatDesk, text: str, who: str) -> list[traits.Key]:
    """Counters for which an expression holds add a text to the record."""
    return list(desk.say(who, text))


def _attackers(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Who attacks, over which lines; guns that support from next to the target attack like all others."""
    near = _around(plan, None, NEXT)
    yield from emptied(desk)
    yield from counted(desk, "Attack", f"Role == {steps.ATTACK}")
    yield from counted(desk, "Attack", f"Role == {steps.SUPPORT} && {near}")
    yield listed(desk, steps.ATTACKERS)
    afar = f"Role == {steps.SUPPORT} && !Range.isEmpty() && !({in_reach(plan)})"
    yield from _have_say(desk, quoted(_FAR), f"!({near}) && (Role == {steps.ATTACK} || {afar})")
    yield desk.set(steps.FAR, f"{steps.RECORD}.contains({quoted(_FAR)}) ? 1 : 0")
    yield from _crossed(plan, desk)
    yield from counted(desk, "Attack", f"Role == {steps.SUPPORT} && !({near})")
    yield listed(desk, steps.GUNS, besides=steps.ATTACKERS)
    yield summed(desk)
    yield desk.set(steps.ATTACKING, steps.SUM)
    yield from _unity(
        plan, desk, "attack", f"Role == {steps.ATTACK} || Role == {steps.SUPPORT}", steps.UNITY_ATTACK
    )


def _crossed(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """The lines and works that the attackers cross, and what they are worth."""
    line, works = _line_columns(plan)
    if not any((*line, *works)):
        yield desk.set(steps.LINE, "0")
        yield desk.set(steps.WORKS, "0")
        return
    for direction in range(battlefield.SIDES):
        at, fort = battlefield.LINES + direction, battlefield.FORTS + direction
        cut = [f"{steps.GROUND}.substring({i}, {i + 1})" for i in (at, fort)]
        said = f'"[{odds.LINE_CODE}" + {cut[0]} + "][{odds.WORKS_CODE}" + {cut[1]} + "]"'
        who = f"Role > 0 && Role <= {steps.SUPPORT} && {_around(plan, direction, IN)}"
        yield from _have_say(desk, said, who)
    worst = odds.option(plan.scenario, "river_needs_all") != "no"
    yield desk.set(steps.LINE, odds.lines(odds.LINE_CODE, line, worst=worst))
    yield desk.set(steps.WORKS, odds.lines(odds.WORKS_CODE, works, worst=True))


def _defenders(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Everybody in the target, whether they have a way out, and the guns that support them."""
    yield from emptied(desk)
    yield from counted(desk, "Defence", steps.IN_TARGET)
    yield listed(desk, steps.DEFENDERS)
    yield from _surrounded(plan, desk)
    for multiplied in odds.defences(plan.scenario):
        yield desk.set(steps.SUM, multiplied)
    yield from counted(desk, "Attack", f"Role == {steps.GUARD} && !{steps.IN_TARGET}")
    yield listed(desk, steps.GUARDS, besides=steps.DEFENDERS)
    yield summed(desk)
    yield from _unity(plan, desk, "defence", f"Role == {steps.GUARD} || {steps.IN_TARGET}", steps.UNITY_DEFENCE)


def _surrounded(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Whether every hex around the target is covered by the enemy, or barred to those who defend."""
    circle = plan.scenario.game.rules.combat.encirclement
    relief = circle.relief if circle.immune else 0
    barred = bool(circle.columns and plan.barriers.sets)
    if circle.columns:
        # Who covers a hex says so in the record, which is the defenders' again afterwards.
        yield desk.set(steps.MOVED, steps.RECORD)
        yield desk.set(steps.RECORD, f"{steps.GROUND}.substring({battlefield.MISSING}, {battlefield.BARRED})")
        for direction in range(battlefield.SIDES):
            for where in _covering(plan, direction):
                who = f"Side == {steps.ATTACKER} && {where}"
                yield from _have_say(desk, quoted(battlefield.letters(direction)), who)
        yield desk.set(steps.COVERS, steps.RECORD)
        yield desk.set(steps.RECORD, steps.MOVED)
    if barred:
        yield desk.set(steps.BARS, odds.shut(plan.barriers))
    yield desk.set(steps.ENCIRCLED, odds.surrounded(circle.columns, relief, steps.DEFENDERS, barred=barred))


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
            for i, (c, at) in enumerate((("X", steps.X), ("Y", steps.Y)))
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
) -> Iterator[traits.Key]:
    """Formations of which everybody fights are named in the record; what they are worth."""
    rules = plan.scenario.game.rules.combat.unity
    bonus, greater = getattr(rules.regiment, role), getattr(rules.division, role)
    stacks = odds.option(plan.scenario, "regimental_stacks") == "yes"
    division, regiment = (
        odds.complete("DivisionOf", "DivisionSize"),
        odds.complete("RegimentOf", "RegimentSize"),
    )
    if greater:
        yield from _have_say(desk, quoted("([D])"), f"({who}) && {division}")
    if bonus:
        yield from _have_say(desk, quoted("([R])"), f"({who}) && Leads == 1 && {regiment}")
        if stacks and rules.division.in_all:
            yield from _have_say(desk, quoted("([O])"), f"({who}) && Leads == 1 && {regiment} && !({division})")
        for number, rule in enumerate(rules.commands):
            all_there = f"({who}) && {odds.commanded(number, rule.side, len(rule.types))}"
            yield from desk.say(all_there, text=steps.COMMANDED)
    yield desk.set(name, odds.unity(rules, bonus, greater, stacks=stacks))


def _line_columns(plan: Plan) -> tuple[set[int], set[int]]:
    """The columns that lines and works of the game are worth."""
    effects = plan.scenario.tables.hexsides.values()
    return {min(0, e.combat) for e in effects if not e.additive}, {min(0, e.combat) for e in effects if e.additive}


def _sums(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Attack and defence with the points of aircraft and of guns beyond the map, of whoever has them."""
    attack, defence = {}, {}
    for spec in plan.scenario.game.sides[:2]:
        ours, theirs = points_of(plan, spec.id)
        attack[spec.id] = " + ".join([steps.ATTACKING, *ours])
        defence[spec.id] = " + ".join([steps.SUM, *theirs])
    yield desk.set(steps.SUM_ATTACK, _by_side(attack))
    yield desk.set(steps.SUM_DEFENCE, _by_side(defence))


def _by_side(values: dict[str, str]) -> str:
    first, second = values
    return f"{steps.ATTACKER} == {quoted(first)} ? {values[first]} : {values[second]}"


def points_of(plan: Plan, attacker: str) -> tuple[list[str], list[str]]:
    """The properties of points that help a side when it attacks, and those that help the other."""
    rules, ours, theirs = plan.scenario.game.rules.combat, list[str](), list[str]()
    if has_air(plan.scenario) and rules.air is not None:
        (ours if rules.air.side == attacker else theirs).append(steps.POINTS)
    if sides := {row.side for row in rules.artillery.offboard}:
        (ours if attacker in sides else theirs).append(steps.OFFBOARD)
    return ours, theirs


def _columns(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """Odds, shifts and the column."""
    scenario = plan.scenario
    table = scenario.tables.crt
    inverse = odds.inverse(scenario)
    fort = f"{steps.WORKS} < {odds.columns_at(battlefield.WORKS)} ? {steps.WORKS}"
    yield desk.set(steps.HEX, odds.columns_at(battlefield.TERRAIN))
    yield desk.set(steps.WORKS, f"{fort} : {odds.columns_at(battlefield.WORKS)}")
    yield desk.set(steps.COVER, odds.cover())
    yield desk.set(steps.SURPRISE, odds.columns(scenario))
    yield desk.set(steps.BASE, odds.base(table, inverse))
    yield desk.set(steps.ODDS, odds.named(table, steps.BASE))
    moved = [steps.COVER, steps.ENCIRCLED, steps.UNITY_ATTACK, steps.SURPRISE, steps.SHIFT]
    yield desk.set(steps.MOVED, " + ".join(moved) + f" - {steps.UNITY_DEFENCE}")
    yield from within(desk, table)
    if odds.option(scenario, "clamp_before_shift") == "no":
        yield desk.set(steps.VALUE, odds.beyond(table, round_up=inverse == "defender"))
        yield desk.set(steps.MOVED, f"{steps.MOVED} + {steps.VALUE}")
    yield from column_of(desk, table)


def within(desk: CombatDesk, table: ResultTable) -> Iterator[traits.Key]:
    """What moves the column, held within the table's limit."""
    if most := table.columns_most:
        yield desk.set(steps.MOVED, f"Math.max(-{most}, Math.min({most}, {steps.MOVED}))")


def column_of(desk: CombatDesk, table: ResultTable) -> Iterator[traits.Key]:
    yield desk.set(steps.COLUMN, f"{steps.BASE} + {steps.MOVED}")
    yield desk.set(steps.COLUMN, odds.held(table, steps.COLUMN))
    yield desk.set(steps.NAMED, odds.named(table, steps.COLUMN))
