"""Points that are spent: air power (6.1) and guns beyond the map (8.0)."""

from __future__ import annotations

from dataclasses import replace

from hexforge.scenarios.words import Term
from hexforge.validator.referee.combat.desk import Desk


def spend_air(desk: Desk, side: str, points: int, line: int) -> None:
    """Take air points of a side, which both combat phases of a turn share; more than it has is found fault with."""
    if points <= 0:
        return
    rule = desk.rules.air
    if rule is None or rule.side != side:
        desk.find(line, "no-air", declared=points, computed=0, side=Term("sides", side))
        return
    left = desk.position.air.get(side, 0)
    if points > left:
        desk.find(
            line,
            "air-spent",
            declared=points,
            computed=left,
            side=Term("sides", side),
            left=left,
            points=points,
        )
    used = desk.position.ledger.air_used
    desk.position = replace(desk.position, air={**desk.position.air, side: max(0, left - points)})
    desk.position = desk.position.noted(air_used={**used, side: used.get(side, 0) + points})


def check_air_limits(desk: Desk, points: int, line: int) -> None:
    """An attack by air takes neither too few nor too many points."""
    rule = desk.rules.air
    if rule is not None and not rule.least <= points <= rule.most:
        desk.find(line, "air-limits", declared=points, least=rule.least, most=rule.most, points=points)


def spend_offboard(desk: Desk, side: str, points: int, line: int) -> None:
    """Take points of guns beyond the map, of which there are so many in a turn for all uses together."""
    if points <= 0:
        return
    total = sum(
        rule.points
        for rule in desk.rules.artillery.offboard
        if rule.side == side and rule.turns[0] <= desk.turn <= rule.turns[1]
    )
    used = desk.position.ledger.offboard
    if not total:
        desk.find(line, "no-offboard", declared=points, computed=0, side=Term("sides", side), turn=desk.turn)
        return
    if used + points > total:
        desk.find(
            line,
            "offboard-spent",
            declared=points,
            computed=max(0, total - used),
            side=Term("sides", side),
            left=max(0, total - used),
            total=total,
            points=points,
        )
    desk.position = desk.position.noted(offboard=used + points)
