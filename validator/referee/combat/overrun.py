"""Overruns: attacks in the course of a move, at odds that the game names, after which the move may go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.rules_movement import Overrun
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.combat import tables
from hexforge.validator.referee.combat.assault import Special, combat
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.combat.fight import Fight
from hexforge.validator.referee.combat.figures import Figures
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, doubt, points
from hexforge.validator.referee.journey import complaint
from hexforge.validator.referee.movement import held_back
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.roster import fits
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.travel import Obstacle, Traveller, traveller

_ZONES: Final = {"must-stop", "zone-hold", "zone-shut", "zone-to-zone", "zone-again"}
"""What forbids a move for the zones of enemies."""


def judge_overrun(ctx: Context, position: Position, statement: st.Overrun) -> Outcome:
    """`overrun`: the attack judged, what it costs its units paid, and they free to move on."""
    units = [u for act in statement.acts if isinstance(act, st.Attack) for u in act.units if u in ctx.units]
    fitting = [r for r in ctx.movement.overruns if any(_may(r, ctx, position, u) for u in units)]
    rule = next((r for r in fitting if not any(_spared(ctx, position, r, statement.targets))), None)
    rule = rule or next(iter(fitting), None)
    if rule is None:
        if marked := [f for u in units for f in _marked(ctx, position, statement.line, u)]:
            return Outcome(position, tuple(marked))
        section = next((r.section for r in ctx.movement.overruns), "")
        return Outcome(position, (ctx.found(statement.line, "overrun-none", section=section, units=units),))
    check = _Check(rule)
    outcome = combat(ctx, position, statement, Special("overrun", "movement", rule.result or "", check))
    after = outcome.position
    spent = {u: position.ledger.spent.get(u, 0) + _price(ctx, position, rule, u, statement.targets) for u in units}
    for unit in units:
        after = after.set(unit, moved=True)
    ledger = after.ledger
    after = after.noted(spent={**ledger.spent, **spent}, overran=ledger.overran | set(units))
    return Outcome(after, outcome.findings, outcome.moves, outcome.combats)


def _may(rule: Overrun, ctx: Context, position: Position, unit: str) -> bool:
    return _of_its_kind(rule, ctx, position, unit) and position.units[unit].marks.isdisjoint(rule.barred_marks)


def _of_its_kind(rule: Overrun, ctx: Context, position: Position, unit: str) -> bool:
    """Whether a rule lets a unit overrun but for the marks that it bears."""
    state = position.units[unit]
    return fits(rule, ctx.units[unit], state) and ctx.in_force(rule, position, state.hex)


def _marked(ctx: Context, position: Position, line: int, unit: str) -> list[Finding]:
    """What is found of a unit that but for a mark might overrun; of any other nothing."""
    rule = next((r for r in ctx.movement.overruns if _of_its_kind(r, ctx, position, unit)), None)
    marks = position.units[unit].marks.intersection(rule.barred_marks) if rule is not None else ()
    return [
        ctx.found(
            line,
            "overrun-mark",
            section=rule.section,
            units=(unit,),
            unit=unit,
            mark=Term("marks", mark, mark.replace("_", " ")),
        )
        for mark in sorted(marks)[:1]
        if rule is not None
    ]


def _spared(ctx: Context, position: Position, rule: Overrun, targets: tuple[Hex, ...]) -> Iterator[tuple[str, Hex]]:
    """Units in hexes that are overrun which the rule lets nobody overrun."""
    for hex_ in targets if rule.targets else ():
        yield from ((u, hex_) for u in position.at(hex_) if not ctx.units[u].is_any(rule.targets))


def _price(ctx: Context, position: Position, rule: Overrun, unit: str, targets: tuple[Hex, ...]) -> int:
    """What an overrun takes of a unit, in halves: the rule's points, the hex if asked for, and zones of others."""
    if not rule.ground:
        return rule.points
    one = _raider(ctx, position, unit, targets)
    return rule.points + max((cost for cost, _, _ in _steps(one, rule, targets)), default=0)


def _raider(ctx: Context, position: Position, unit: str, targets: tuple[Hex, ...]) -> Traveller:
    """A unit on its move into hexes whose defenders, being overrun, neither bar the way nor have zones."""
    enemy = position.enemy(ctx.units[unit].side)
    for defender in [u for hex_ in targets if hex_ in position.grid for u in position.at(hex_, enemy)]:
        position = position.set(defender, hex=None)
    return traveller(ctx, position, ctx.units[unit])


def _steps(
    one: Traveller, rule: Overrun, targets: tuple[Hex, ...]
) -> Iterator[tuple[int, list[Obstacle], tuple[Hex, Hex]]]:
    """Steps of a unit into the hexes next to it that are overrun: the cost, what forbids it, from and to."""
    position = one.position
    here, first = position.hex_of(one.unit.id), not position.units[one.unit.id].moved
    for there in targets if here is not None else ():
        if here is not None and there in position.grid and position.grid.adjacent(here, there):
            step, added, obstacles = one.step(here, there, first=first, passed=one.passed)
            if rule.zones == "none":
                added, obstacles = 0, [obstacle for obstacle in obstacles if obstacle.key not in _ZONES]
            yield step.cost + added, obstacles, (here, there)


def _blocked(battle: Battle, fight: Fight, unit: str, line: int, rule: Overrun) -> list[Finding]:
    """What bars a unit from the hexes that it overruns, as in any move."""
    one = _raider(battle.ctx, battle.position, unit, fight.targets)
    return [
        complaint(one, line, (unit,), (obstacle, *way))
        for _, obstacles, way in _steps(one, rule, fight.targets)
        for obstacle in obstacles
    ]


@dataclass(frozen=True)
class _Check:
    """What a rule of overruns asks for besides what every attack has to keep to."""

    rule: Overrun

    def __call__(self, battle: Battle, fight: Fight, figures: Figures) -> Iterator[Finding]:
        rule, ctx, position = self.rule, battle.ctx, battle.position
        least = tables.column_index(figures.table, rule.least) or 0
        if figures.base < least:
            yield battle.found(
                fight.line, "overrun-odds", section=rule.section, hexes=fight.targets, computed=figures.odds,
                doubts=figures.strength_doubts, least=rule.least, odds=figures.odds,
            )  # fmt: skip
        if figures.attack < rule.strength:
            told = {"computed": figures.attack, "count": figures.attack, "limit": rule.strength}
            yield battle.found(
                fight.line, "overrun-strength", section=rule.section, hexes=fight.targets,
                doubts=figures.strength_doubts, **told,
            )  # fmt: skip
        for target in battle.known(fight.targets):
            barred = [t for t in ctx.map.terrain[target] if t in rule.barred]
            if barred:
                yield battle.found(
                    fight.line, "overrun-terrain", section=rule.section, hexes=(target,), hex=target,
                    doubts=battle.terrain_doubts(target), what=Term("terrain", barred[0]),
                )  # fmt: skip
        for unit, hex_ in list(_spared(ctx, position, rule, fight.targets))[:1]:
            yield battle.found(
                fight.line,
                "overrun-target",
                section=rule.section,
                hexes=(hex_,),
                units=(unit,),
                unit=unit,
                hex=hex_,
            )
        for unit, line in fight.attackers.items():
            if not _may(rule, ctx, position, unit):
                plain = [battle.found(line, "overrun-unit", section=rule.section, units=(unit,), unit=unit)]
                yield from _marked(ctx, position, line, unit) or plain
            elif position.units[unit].moved and unit not in position.ledger.spent:
                yield battle.found(line, "moved-twice", units=(unit,), unit=unit)
            elif unit in position.ledger.worked:
                unsure = (doubt("worked", units=unit),) if unit in position.ledger.unsure_works else ()
                yield battle.found(line, "worked", units=(unit,), unit=unit, doubts=unsure)
            else:
                yield from held_back(ctx, position, line, unit) or _blocked(battle, fight, unit, line, rule)
                yield from self._affordable(battle, fight, unit, line)

    def _affordable(self, battle: Battle, fight: Fight, unit: str, line: int) -> Iterator[Finding]:
        ctx, position = battle.ctx, battle.position
        left = traveller(ctx, position, battle.unit(unit)).allowance
        price = _price(ctx, position, self.rule, unit, fight.targets)
        if price > left:
            yield battle.found(
                line, "overrun-points", section=self.rule.section, units=(unit,), computed=points(price),
                unit=unit, cost=points(price), left=points(max(left, 0)),
            )  # fmt: skip
