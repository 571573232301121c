"""Points that are spent: air power (6.1) and guns beyond the map (8.0)."""

from __future__ import annotations

from dataclasses import replace

from hexforge.scenarios.words import Term
from hexforge.validator.referee.context import Context, in_turns
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.state import Position


def spend_air(ctx: Context, position: Position, side: str, points: int, line: int) -> Outcome:
    """Take air points of a side, which both combat phases of a turn share; more than it has is found fault with."""
    if points <= 0:
        return Outcome(position)
    rule = ctx.rules.combat.air
    if rule is None or rule.side != side:
        found = ctx.found(line, "no-air", declared=points, computed=0, side=Term("sides", side))
        return Outcome(position, (found,))
    left = position.air.get(side, 0)
    findings = []
    if points > left:
        whose = Term("sides", side)
        findings.append(
            ctx.found(line, "air-spent", declared=points, computed=left, side=whose, left=left, points=points)
        )
    used = position.ledger.air_used
    after = replace(position, air={**position.air, side: max(0, left - points)})
    return Outcome(after.noted(air_used={**used, side: used.get(side, 0) + points}), tuple(findings))


def check_air_limits(ctx: Context, points: int, line: int) -> list[Finding]:
    """An attack by air takes neither too few nor too many points."""
    rule = ctx.rules.combat.air
    if rule is None or rule.least <= points <= rule.most:
        return []
    return [ctx.found(line, "air-limits", declared=points, least=rule.least, most=rule.most, points=points)]


def offboard_total(ctx: Context, side: str, turn: int) -> int:
    """Points of guns beyond the map that a side has in a turn, for all uses together."""
    return sum(
        rule.points
        for rule in ctx.rules.combat.artillery.offboard
        if rule.side == side and in_turns(rule.turns, turn)
    )


def spend_offboard(ctx: Context, position: Position, side: str, points: int, line: int) -> Outcome:
    """Take points of guns beyond the map, of which there are so many in a turn for all uses together."""
    if points <= 0:
        return Outcome(position)
    turn, whose = position.turn, Term("sides", side)
    total = offboard_total(ctx, side, turn)
    if not total:
        found = ctx.found(line, "no-offboard", declared=points, computed=0, side=whose, turn=turn)
        return Outcome(position, (found,))
    used = position.ledger.offboard
    findings = []
    if used + points > total:
        left = max(0, total - used)
        findings.append(
            ctx.found(
                line,
                "offboard-spent",
                declared=points,
                computed=left,
                side=whose,
                left=left,
                total=total,
                points=points,
            )
        )
    return Outcome(position.noted(offboard=used + points), tuple(findings))
