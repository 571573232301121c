"""Units that the set-up takes off the map in the course of the game (4.2.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scenarios.schema.rules_movement import Substitute
from scenarios.schema.setup import Withdrawal
from validator.referee.combat.desk import Desk
from validator.referee.combat.encirclement import encircled
from validator.referee.context import Context
from validator.referee.findings import Finding
from validator.referee.outcome import Outcome
from validator.referee.roster import formation_key
from validator.referee.state import Departure, Position

LATE: Final = "withdrawal-due"
"""Mark of a unit that is due to leave and encircled."""


def begin_turn(ctx: Context, position: Position, line: int, turn: int) -> Outcome:
    """Take off the units whose turn it is; those encircled stay until they are free, where the game says so."""
    findings: list[Finding] = []
    for rule in ctx.scenario.setup.withdrawals:
        if rule.turn != turn:
            continue
        ids = _leaving(ctx, position, rule)
        if not ids:
            continue
        free = [u for u in ids if not _held(ctx, position, line, u)]
        held = [u for u in ids if u not in free]
        position = _take_off(position, free, turn)
        for u in held:
            position = position.mark(u, LATE)
        if free:
            findings.append(_told(ctx, line, "withdrawal", free, turn))
        if held:
            findings.append(_told(ctx, line, "withdrawal-held", held, turn))
    return Outcome(position, tuple(findings))


def freed(ctx: Context, position: Position, line: int, turn: int) -> Outcome:
    """Take off units that were due earlier and are encircled no longer."""
    late = [u for u in position.on_map() if LATE in position.units[u].marks]
    free = [u for u in late if not _held(ctx, position, line, u)]
    if not free:
        return Outcome(position)
    told = _told(ctx, line, "withdrawal", free, turn)
    return Outcome(_take_off(position, free, turn), (told,))


def _told(ctx: Context, line: int, key: str, ids: Iterable[str], turn: int) -> Finding:
    names, section = tuple(ids), ctx.sections.exit
    return ctx.found(line, section, "special", key, "info", units=names, who=" ".join(names), turn=turn)


def _take_off(position: Position, ids: Iterable[str], turn: int) -> Position:
    for u in ids:
        left = Departure(turn, "", position.hex_of(u) or "")
        position = position.unmark(u, LATE).take_off(u, "withdrawn", left=left)
    return position


def _held(ctx: Context, position: Position, line: int, unit: str) -> bool:
    """Whether a unit cannot leave for being encircled."""
    hex_ = position.hex_of(unit)
    if hex_ is None or not ctx.movement.withdrawals_wait or not position.engaged(unit):
        return False
    return encircled(Desk(ctx, position, line), hex_, ctx.units[unit].side, (unit,))


def _leaving(ctx: Context, position: Position, rule: Withdrawal) -> list[str]:
    """The units that a line of the set-up takes off: its own, or those of a weaker division in their place."""
    own = [u for u in _present(position) if ctx.units[u].counters and ctx.units[u].counters <= set(rule.units)]
    for substitute in ctx.movement.substitutes:
        if rule.turn in substitute.turns and own and _division(ctx, own[0]) == substitute.of:
            weaker = _weaker(ctx, position, substitute)
            if weaker:
                last = rule.turn == substitute.turns[-1]
                return weaker if last or len(weaker) == 1 else weaker[:-1]
    return own


def _present(position: Position) -> list[str]:
    return [u for u, s in position.units.items() if s.hex is not None or s.where == "retreated"]


def _division(ctx: Context, unit: str) -> str:
    name = ctx.units[unit].division
    return formation_key(name) if name else ""


def _weaker(ctx: Context, position: Position, rule: Substitute) -> list[str]:
    """The units of the weakest division of the same kind that has fewer of them than the one named."""
    members: dict[str, list[str]] = {}
    for u in _present(position):
        unit = ctx.units[u]
        if unit.side == rule.side and unit.is_any(rule.types) and unit.division:
            members.setdefault(_division(ctx, u), []).append(u)
    of = len(members.pop(rule.of, []))
    fewer = [ids for ids in members.values() if len(ids) < of]
    return min(fewer, key=len) if fewer else []
