"""Units that the set-up takes off the map in the course of the game (4.2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from hexforge.scenarios.schema.rules_movement import Substitute
from hexforge.scenarios.schema.setup import Withdrawal
from hexforge.validator.referee.combat.encirclement import encircled
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.roster import formation_key
from hexforge.validator.referee.state import Departure, Position

LATE: Final = "withdrawal-due"
"""Mark of a unit that is due to leave and encircled."""

INSTEAD: Final = "withdrawal-instead"
"""Mark of a weaker division's units, which leave in place of those that the set-up names."""

AS_LISTED: Final = "withdrawal-as-listed"
"""Mark of a division's units that leave as the set-up says, whoever is weaker later."""


def begin_turn(ctx: Context, position: Position, line: int, turn: int) -> Outcome:
    """Take off the units whose turn it is; those encircled stay until they are free, where the game says so."""
    findings: list[Finding] = []
    for rule in ctx.scenario.setup.withdrawals:
        if rule.turn != turn:
            continue
        ids, position = _leaving(ctx, position, rule)
        if not ids:
            continue
        free = [u for u in ids if not _held(ctx, position, u)]
        held = [u for u in ids if u not in free]
        position = _take_off(position, free, turn)
        for u in held:
            position = position.mark(u, LATE)
        if free:
            findings.append(_told(ctx, line, "withdrawal", free, (turn, rule.section)))
        if held:
            findings.append(_told(ctx, line, "withdrawal-held", held, (turn, rule.section)))
    return Outcome(position, tuple(findings))


def freed(ctx: Context, position: Position, line: int, turn: int) -> Outcome:
    """Take off units that were due earlier and are encircled no longer."""
    late = [u for u in position.on_map() if LATE in position.units[u].marks]
    free = [u for u in late if not _held(ctx, position, u)]
    if not free:
        return Outcome(position)
    told = _told(ctx, line, "withdrawal", free, (turn, withdrawn_by(ctx, free[0], turn)))
    return Outcome(_take_off(position, free, turn), (told,))


def withdrawn_by(ctx: Context, unit: str, turn: int) -> str:
    """Where the set-up prints by which line a unit has left by a turn: the last that names it; "" for none."""
    own = ctx.units[unit].counters
    lines = [w for w in ctx.scenario.setup.withdrawals if own and own <= set(w.units) and w.turn <= turn]
    return max(lines, key=lambda w: w.turn).section if lines else ""


def _told(ctx: Context, line: int, key: str, ids: Iterable[str], by: tuple[int, str]) -> Finding:
    """A note on units that leave: in which turn, and by which section."""
    names, (turn, section) = tuple(ids), by
    return ctx.found(line, key, section=section, severity="info", units=names, who=" ".join(names), turn=turn)


def _take_off(position: Position, ids: Iterable[str], turn: int) -> Position:
    for u in ids:
        left = Departure(turn, "", position.hex_of(u) or "")
        position = position.unmark(u, LATE).take_off(u, "withdrawn", left=left)
    return position


def _held(ctx: Context, position: Position, unit: str) -> bool:
    """Whether a unit cannot leave for being encircled."""
    hex_ = position.hex_of(unit)
    if hex_ is None or not ctx.movement.withdrawals_wait or not position.engaged(unit):
        return False
    return encircled(ctx, position, hex_, ctx.units[unit].side, (unit,))


def _leaving(ctx: Context, position: Position, rule: Withdrawal) -> tuple[list[str], Position]:
    """The units that a line of the set-up takes off: its own, or those of a weaker division in their place.

    The first turn that finds a division due decides for all of them, so the position comes back with that noted.
    """
    own = [u for u in _present(position) if ctx.units[u].counters and ctx.units[u].counters <= set(rule.units)]
    substitute = next((s for s in ctx.movement.substitutes if _binds(ctx, s, rule)), None)
    if substitute is None:
        return own, position
    instead = _marked(ctx, position, substitute, INSTEAD)
    if instead:
        return [u for u in instead if u in _present(position)], position
    if _marked(ctx, position, substitute, AS_LISTED):
        return own, position
    weaker = _weaker(ctx, position, substitute, rule.turn)
    first = rule.turn == substitute.turns[0]
    for u in weaker or [u for u in _present(position) if first and _division(ctx, u) == substitute.of]:
        position = position.mark(u, INSTEAD if weaker else AS_LISTED)
    if len(weaker) > 1 and rule.turn != substitute.turns[-1]:
        weaker.remove(_staying(ctx, weaker, rule.turn))
    return weaker or own, position


def _binds(ctx: Context, substitute: Substitute, rule: Withdrawal) -> bool:
    counters = ctx.scenario.counters
    divisions = {formation_key(counters[u].division or "") for u in rule.units if u in counters}
    return rule.turn in substitute.turns and substitute.of in divisions


def _marked(ctx: Context, position: Position, substitute: Substitute, mark: str) -> list[str]:
    return [u for u, s in position.units.items() if mark in s.marks and ctx.units[u].is_any(substitute.types)]


def _staying(ctx: Context, ids: Sequence[str], turn: int) -> str:
    """The unit that stays a while longer, by the players' choice: one that the sheet has do something else."""
    rest = [u for u in ids if u not in ctx.named_leaving.get(turn, ())] or list(ids)
    return next((u for u in rest if u in ctx.named.get(turn, ())), rest[-1])


def _present(position: Position) -> list[str]:
    return [u for u, s in position.units.items() if s.hex is not None or s.where == "retreated"]


def _division(ctx: Context, unit: str) -> str:
    name = ctx.units[unit].named_division
    return formation_key(name) if name else ""


def _weaker(ctx: Context, position: Position, rule: Substitute, turn: int) -> list[str]:
    """The units of the weakest division of the same kind that has fewer of them than the one named."""
    members: dict[str, list[str]] = {}
    for u in _present(position):
        unit = ctx.units[u]
        if unit.side == rule.side and unit.is_any(rule.types) and unit.named_division:
            members.setdefault(_division(ctx, u), []).append(u)
    of = len(members.pop(rule.of, []))
    named = ctx.named.get(turn, frozenset())
    fewer = [ids for ids in members.values() if len(ids) < of]
    return min(fewer, key=lambda ids: (len(ids), not named.isdisjoint(ids))) if fewer else []
