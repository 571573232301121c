"""How games end: points turn by turn, a side that wins at once, and by how much a game is won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.victory import Level, SuddenEnd
from hexforge.scenarios.words import Term
from hexforge.validator.referee.context import Context, in_turns
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.passing import holder
from hexforge.validator.referee.replacements import saved
from hexforge.validator.referee.state import Phase, Position
from hexforge.validator.referee.victory import score, turn_points


def turn_over(ctx: Context, position: Position) -> Position:
    """The position with the points of the turn that is over, and with what is saved for later turns."""
    if ctx.rules.replacements:
        position = replace(position, saved=saved(ctx, position))
    if not any(objective.by_turns for objective in ctx.scenario.victory.objectives):
        return position
    return replace(position, scored=turn_points(ctx, position))


def phase_over(ctx: Context, position: Position, phase: Phase) -> Outcome:
    """Whether the phase before ended the game; that a `phase` begins nevertheless is told once."""
    if position.won:
        return Outcome(position)
    looked_at = [r for r in ctx.scenario.victory.sudden if r.at == "phase" or phase.turn != position.turn]
    rule = next((r for r in looked_at if _holds(ctx, position, r)), None)
    if rule is None:
        return Outcome(position)
    side = Term("sides", rule.side)
    won = ctx.found(phase.line, "won-at-once", section=rule.section, severity="info", side=side)
    on = ctx.found(phase.line, "played-on", severity="warning", side=side)
    return Outcome(replace(position, won=rule.side), (won, on))


def _holds(ctx: Context, position: Position, rule: SuddenEnd) -> bool:
    if not in_turns(rule.turns, position.turn):
        return False
    places = [ctx.ground.place(id_) for id_ in rule.place]
    if not all(places) or any(holder(ctx, position, h) != rule.side for hexes in places for h in hexes):
        return False
    if rule.none_left and any(True for _ in position.on_map(ctx.enemy(rule.side))):
        return False
    points = score(ctx, position)
    mine, theirs = points[rule.side], points[ctx.enemy(rule.side)]
    if rule.points is not None and mine < rule.points:
        return False
    return rule.lead is None or mine - theirs >= rule.lead


def level(scenario: Scenario, points: Mapping[str, int]) -> Level | None:
    """The level of victory by the points of both sides; None where the game has none that fits."""
    sides = [side.id for side in scenario.game.sides]
    for rule in scenario.victory.levels:
        for side in [rule.measured] if rule.measured else sides:
            mine = points.get(side, 0)
            theirs = sum(points.get(other, 0) for other in sides if other != side)
            if _reaches(rule, mine, theirs):
                return rule
    return None


def _reaches(rule: Level, mine: int, theirs: int) -> bool:
    if rule.by == "points":
        return mine >= rule.least
    if rule.by == "lead":
        return mine - theirs >= rule.least
    return mine >= rule.least * theirs and mine > 0
