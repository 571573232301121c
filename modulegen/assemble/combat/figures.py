"""The figures of an assault, step by step: who fights, sums, odds, shifts, column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import air
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat import odds
from hexforge.modulegen.assemble.combat.desk import Desk
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan import battlefield
from hexforge.modulegen.plan.markers import has_air
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan
    from hexforge.scenarios.schema.tables import ResultTable


def figures(plan: Plan, desk: Desk) -> Iterator[t.Key]:
    """Everything up to the column, step by step."""
    yield from placed(plan, desk)
    yield from _attackers(plan, desk)
    yield from _defenders(plan, desk)
    yield from _sums(plan, desk)
    yield from _columns(plan, desk)


def placed(plan: Plan, desk: Desk) -> Iterator[t.Key]:
    """Where the target lies, and what the ground there is worth."""
    scenario, field_ = plan.scenario, plan.ground
    one, other = (spec.id for spec in scenario.game.sides[:2])
    column, row = f"Integer.parseInt({n.TARGET}.substring(1, 3))", f"Integer.parseInt({n.TARGET}.substring(3, 5))"
    yield desk.set(n.DEFENDER, f"{n.TARGET}.substring(6)")
    yield desk.set(n.ATTACKER, f"{n.DEFENDER} == {quoted(one)} ? {quoted(other)} : {quoted(one)}")
    yield desk.set(n.X, f"{column} * {round(field_.dx * 1000)} / 1000 + {round(field_.x0 - field_.dx)}")
    lower = f"{column} % 2 == {0 if field_.grid.low == 'even' else 1} ? {round(field_.dy / 2)} : 0"
    top = field_.centre("0101")[1] - field_.dy - (field_.dy / 2 if field_.grid.low == "odd" else 0)
    yield desk.set(n.MOVED, lower)
    yield desk.set(n.Y, f"{row} * {round(field_.dy * 1000)} / 1000 + {n.MOVED} + {round(top)}")
    records = {side: battlefield.records(scenario, plan.barriers, side) for side in (one, other)}
    yield desk.set(n.GROUND, odds.ground(records, n.DEFENDER))
    yield desk.set(n.LINES, odds.around(battlefield.LINES))
    yield desk.set(n.FORTS, odds.around(battlefield.FORTS))


def group(desk: Desk, number: int, order: t.Key) -> list[t.Key]:
    """Counters of a group add themselves to sum and record."""
    return [desk.set(n.PASS, str(number)), order]


def emptied(desk: Desk) -> list[t.Key]:
    return [desk.set(n.SUM, "0"), desk.set(n.RECORD, quoted(""))]


def listed(desk: Desk, name: str, *, besides: str = "") -> t.Key:
    """The ids of the record, without what is told of them (and without those of a group before)."""
    ids = f'{n.RECORD}.replaceAll("[^a-z0-9._ -]", "")'
    return desk.set(name, f"{ids}.substring({besides}.length())" if besides else ids)


def _attackers(plan: Plan, desk: Desk) -> Iterator[t.Key]:
    unity = plan.scenario.game.rules.combat.unity
    marked, attacking = desk.order("Role > 0", n.KEY_COUNT), desk.order("Role == 1 || Role == 2", n.KEY_WHOLE)
    worst = odds.option(plan.scenario, "river_needs_all") != "no"
    line, works = _line_columns(plan)
    yield from emptied(desk)
    yield from group(desk, n.ATTACK, marked)
    yield listed(desk, n.ATTACKERS)
    yield desk.set(n.LINE, odds.lines(odds.LINE_CODE, line, worst=worst))
    yield desk.set(n.WORKS, odds.lines(odds.WORKS_CODE, works, worst=True))
    yield from group(desk, n.SUPPORT, marked)
    yield listed(desk, n.GUNS, besides=n.ATTACKERS)
    yield desk.set(n.ATTACKING, n.SUM)
    if unity.regiment.attack or unity.division.attack:
        yield attacking
    yield desk.set(n.UNITY_ATTACK, _unity(plan, unity.regiment.attack, unity.division.attack))


def _defenders(plan: Plan, desk: Desk) -> Iterator[t.Key]:
    rules = plan.scenario.game.rules.combat
    unity, circle = rules.unity, rules.encirclement
    held, marked = desk.order(n.IN_TARGET, n.KEY_COUNT), desk.order("Role > 0", n.KEY_COUNT)
    yield from emptied(desk)
    yield from group(desk, n.DEFEND, held)
    yield listed(desk, n.DEFENDERS)
    relief = circle.relief if circle.immune else 0
    if circle.columns:
        # Who stands near covers hexes around the target; the record of the defenders comes back afterwards.
        yield desk.set(n.COVERS, n.RECORD)
        yield desk.set(n.RECORD, f"{n.GROUND}.substring({battlefield.MISSING}, {battlefield.BARRED})")
        yield desk.order(f"Side == {n.ATTACKER} && CombatPlace >= 0", n.KEY_COVER)
        yield desk.set(n.MOVED, n.RECORD)
        yield desk.set(n.RECORD, n.COVERS)
        yield desk.set(n.COVERS, n.MOVED)
    barred = bool(circle.columns and plan.barriers.sets)
    if barred:
        yield desk.set(n.BARS, odds.shut(plan.barriers))
    yield desk.set(n.ENCIRCLED, odds.surrounded(circle.columns, relief, n.DEFENDERS, barred=barred))
    yield from group(desk, n.GUARD, marked)
    yield listed(desk, n.GUARDS, besides=n.DEFENDERS)
    if unity.regiment.defence or unity.division.defence:
        yield desk.order(n.IN_TARGET, n.KEY_WHOLE)
        yield desk.order("Role == 3", n.KEY_WHOLE)
    yield desk.set(n.UNITY_DEFENCE, _unity(plan, unity.regiment.defence, unity.division.defence))


def _unity(plan: Plan, bonus: int, greater: int) -> str:
    stacks = odds.option(plan.scenario, "regimental_stacks") == "yes"
    return odds.unity(plan.scenario.game.rules.combat.unity, bonus, greater, stacks=stacks)


def _line_columns(plan: Plan) -> tuple[set[int], set[int]]:
    """The columns that lines and works of the game are worth."""
    effects = plan.scenario.tables.hexsides.values()
    return {min(0, e.combat) for e in effects if not e.additive}, {min(0, e.combat) for e in effects if e.additive}


def _sums(plan: Plan, desk: Desk) -> Iterator[t.Key]:
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


def _columns(plan: Plan, desk: Desk) -> Iterator[t.Key]:
    """Odds, shifts and the column."""
    scenario = plan.scenario
    table, up = scenario.tables.crt, odds.option(scenario, "inverse_rounding") == "ceil"
    fort = f"{n.WORKS} < {odds.columns_at(battlefield.WORKS)} ? {n.WORKS}"
    surprise = [(rule.turns, rule.side, rule.columns) for rule in scenario.game.rules.combat.surprise]
    yield desk.set(n.HEX, odds.columns_at(battlefield.TERRAIN))
    yield desk.set(n.WORKS, f"{fort} : {odds.columns_at(battlefield.WORKS)}")
    yield desk.set(n.COVER, odds.cover())
    yield desk.set(n.SURPRISE, odds.by_turn(surprise, n.ATTACKER, air.TURN))
    yield desk.set(n.BASE, odds.base(table, round_up=up))
    yield desk.set(n.ODDS, odds.named(table, n.BASE))
    moved = [n.COVER, n.ENCIRCLED, n.UNITY_ATTACK, n.SURPRISE, n.SHIFT]
    yield desk.set(n.MOVED, " + ".join(moved) + f" - {n.UNITY_DEFENCE}")
    if odds.option(scenario, "clamp_before_shift") == "no":
        yield desk.set(n.VALUE, odds.beyond(table, round_up=up))
        yield desk.set(n.MOVED, f"{n.MOVED} + {n.VALUE}")
    yield from column_of(desk, table)


def column_of(desk: Desk, table: ResultTable) -> Iterator[t.Key]:
    yield desk.set(n.COLUMN, f"{n.BASE} + {n.MOVED}")
    yield desk.set(n.COLUMN, odds.held(table, n.COLUMN))
    yield desk.set(n.NAMED, odds.named(table, n.COLUMN))
