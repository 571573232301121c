"""Units that the set-up takes off the map in the course of the game (4.2.2).

Orders that are said twice, as in a mail pasted into itself: the second changes nothing, and breaks no rule.

What was done in a game, action by action: when, by whom, with which units and dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ...scenarios.schema.rules_movement import Substitute
from ...scenarios.schema.setup import Withdrawal
from ..notation import base
from ..notation import statements as st
from ..notation.base import WORDS
from .combat.encirclement import encircled
from .context import Context, Outcome
from .findings import Finding, doubt
from .position import Departure, Position
from .roster import formation_key

LATE: Final = "withdrawal-due"
"""Mark of a unit that is due to leave and encircled."""

INSTEAD: Final = "withdrawal-instead"
"""Mark of a weaker division's units, which leave in place of those that the set-up names."""

AS_LISTED: Final = "withdrawal-as-listed"
"""Mark of a division's units that leave as the set-up says, whoever is weaker later."""


def begin_turn(ctx: Context, position: Position, line: int, turn: int) -> Outcome:
    """Take off the units whose turn it is; those encircled stay until they are free, where the game says so."""
    return _withdraw(ctx, position, line, [rule for rule in ctx.scenario.setup.withdrawals if rule.turn == turn])


def overdue(ctx: Context, position: Position, line: int, turn: int, *, begun: bool) -> Outcome:
    """Take off the units that a position has on the map though the turn of their withdrawal has begun.

    Where others may have gone in their place, who is there may be right to be there.
    """

    def is_over(rule: Withdrawal) -> bool:
        back = rule.returns_turn is not None and rule.returns_turn <= turn
        return (
            rule.turn < turn + begun
            and not back
            and not any(_binds(ctx, s, rule) for s in ctx.movement.substitutes)
        )

    return _withdraw(ctx, position, line, filter(is_over, ctx.scenario.setup.withdrawals))


def _withdraw(ctx: Context, position: Position, line: int, rules: Iterable[Withdrawal]) -> Outcome:
    findings: list[Finding] = []
    for rule in rules:
        ids, position = _leaving(ctx, position, rule)
        free = [u for u in ids if not _held(ctx, position, u)]
        held = [u for u in ids if u not in free]
        position = _take_off(position, free, rule.turn)
        for u in held:
            position = position.mark(u, LATE)
        if free:
            findings.append(_told(ctx, line, "withdrawal", free, (rule.turn, rule.section)))
        if held:
            findings.append(_told(ctx, line, "withdrawal-held", held, (rule.turn, rule.section)))
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


_WALKS: Final = (st.Move, st.Enter, st.Exit, st.RailMove)
_DICE: Final = (st.AirRoll, st.WeatherRoll, st.OrderRoll)


def repeats_in(statements: Iterable[base.Statement]) -> frozenset[base.Statement]:
    """The ways that say what was said before them in the same phase, and single dice in a phase with such ways.

    A way of which only the end is written says what the whole of it does. Dice alone that are the same were thrown
    twice: where a mail is pasted into itself, its moves are there twice too.
    """
    found: set[base.Statement] = set()
    for phase in _phases(statements):
        ways = _ways_again(phase)
        found |= ways | (_dice_again(phase) if ways else set())
    return frozenset(found)


def _phases(statements: Iterable[base.Statement]) -> Iterator[list[base.Statement]]:
    phase: list[base.Statement] = []
    for statement in statements:
        if isinstance(statement, base.Opening):
            yield phase
            phase = []
        phase.append(statement)
    yield phase


def _ways_again(phase: Iterable[base.Statement]) -> set[base.Statement]:
    found: set[base.Statement] = set()
    said: set[base.Statement] = set()
    for statement in phase:
        if isinstance(statement, _WALKS) and statement.path:
            whole = replace(statement, line=0, units=tuple(sorted(statement.units)))
            end = replace(whole, path=whole.path[-1:])
            # The end alone stands for all ways to it, marked apart from an order that says no more.
            any_way = replace(whole, path=("", *end.path))
            told = any_way in said if len(whole.path) == 1 else not said.isdisjoint((whole, end))
            found |= {statement} if told else set()
            said |= {whole, any_way}
    return found


def _dice_again(phase: Iterable[base.Statement]) -> set[base.Statement]:
    found: set[base.Statement] = set()
    said: set[base.Statement] = set()
    for statement in phase:
        if isinstance(statement, _DICE):
            bare = replace(statement, line=0)
            found |= {statement} if bare in said else set()
            said.add(bare)
    return found


def said_again(ctx: Context, position: Position, statement: base.Statement) -> Outcome | None:
    """A note on an order that has been carried out already; None for any other.

    A unit that has gone elsewhere since, or goes back to where it began, is ordered anew.
    """
    if statement not in ctx.repeats or not isinstance(statement, _WALKS):
        return None
    units, path = statement.units, statement.path
    there = bool(path) and (len(path) == 1 or path[0] != path[-1] or isinstance(statement, st.Exit))
    done = _has_left if isinstance(statement, st.Exit) else _has_gone
    if not there or any(u not in position.units or not done(position, u, path[-1]) for u in units):
        return None
    return Outcome(
        position, (ctx.found(statement.line, "said-twice", severity="info", units=units, unit=" ".join(units)),)
    )


def _has_gone(position: Position, unit: str, hex_: str) -> bool:
    return position.hex_of(unit) == hex_


def _has_left(position: Position, unit: str, hex_: str) -> bool:
    """Whether a unit has left the map in this turn by a hex."""
    left = position.units[unit].left
    return left is not None and (left.turn, left.hex) == (position.turn, hex_) and position.hex_of(unit) is None


def thrown_again(ctx: Context, statement: base.Statement, outcome: Outcome) -> Outcome:
    """What comes of a die, in doubt where the same die with the same number stands above: it may be one throw."""
    if statement not in ctx.repeats or not isinstance(statement, _DICE):
        return outcome
    return replace(outcome, findings=tuple(map(_doubted, outcome.findings)))


def _doubted(finding: Finding) -> Finding:
    if finding.severity != "illegal":
        return finding
    return replace(finding, severity="doubtful", rests_on=(*finding.rests_on, doubt("said-twice")))


OUTCOMES = (st.Lose, st.Eliminate, st.Retreat, st.Advance)
"""What follows from a combat and is done to units; all else within it is part of the combat itself."""


@dataclass(frozen=True, slots=True)
class ActionRecord:
    """A statement that was played: the turn and phase that it was played in, and the side that did it.

    `side` owns the units of what a combat brings; of all else it is the side whose phase it is. `of` is the line of
    the combat, bombardment or air strike that the action follows from, 0 for one that stands for itself.
    """

    statement: base.Statement
    turn: int
    phase: str
    side: str
    of: int = 0

    @property
    def line(self) -> int:
        """The line of the sheet that says it."""
        return self.statement.line

    @property
    def kind(self) -> str:
        """The statement's words: `move`, `build bridge`, `combat`."""
        return " ".join(WORDS[type(self.statement)])

    @property
    def units(self) -> tuple[str, ...]:
        """The units that act; of a combat, all that its statements name as attackers, support and guard."""
        return tuple(dict.fromkeys(u for part in self._parts for u in _units(part)))

    @property
    def hexes(self) -> tuple[str, ...]:
        """The way, the targets, the hexside, or the hex, as the sheet writes it."""
        for name in ("path", "targets", "side", "hex"):
            found = getattr(self.statement, name, None)
            if found:
                return (found,) if isinstance(found, str) else tuple(found)
        return ()

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces that were thrown for it, each die by itself."""
        if isinstance(self.statement, st.Engagement):
            return tuple(face for act in self.statement.acts if isinstance(act, st.Roll) for face in act.faces)
        roll = getattr(self.statement, "roll", None)
        return () if roll is None else (roll,)

    @property
    def _parts(self) -> tuple[base.Statement, ...]:
        if not isinstance(self.statement, st.Engagement):
            return (self.statement,)
        return (self.statement, *(a for a in self.statement.acts if not isinstance(a, OUTCOMES)))

    def as_json(self, player: str, text: str) -> dict[str, Any]:
        """The action for scripts; `player` plays its side, `text` is the line in the notation's words."""
        return {
            "line": self.line,
            "action": self.kind,
            "of": self.of or None,
            "turn": self.turn,
            "phase": self.phase,
            "side": self.side,
            "player": player or None,
            "units": list(self.units),
            "hexes": list(self.hexes),
            "dice": list(self.dice),
            "text": text,
        }


def _units(part: base.Statement) -> tuple[str, ...]:
    named = getattr(part, "units", None) or getattr(part, "unit", None) or ()
    return (named,) if isinstance(named, str) else tuple(named)


def actions(before: Position, statement: base.Statement) -> Iterator[ActionRecord]:
    """The actions that a statement tells, played from a position: itself, and what a combat does to units."""
    phase = before.phase
    if phase is None or not isinstance(statement, base.Play):
        return
    yield ActionRecord(statement, phase.turn, phase.kind, phase.side)
    for act in statement.acts if isinstance(statement, st.Engagement) else ():
        if isinstance(act, OUTCOMES):
            owner = next((before.roster[u].side for u in act.units if u in before.roster), phase.side)
            yield ActionRecord(act, phase.turn, phase.kind, owner, statement.line)
