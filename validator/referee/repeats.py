"""Orders that are said twice, as in a mail pasted into itself: the second changes nothing, and breaks no rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, doubt
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.state import Position

_WALKS: Final = (st.Move, st.Enter, st.Exit, st.RailMove)
_DICE: Final = (st.AirRoll, st.WeatherRoll, st.OrderRoll)


def repeats_in(statements: Iterable[st.Statement]) -> frozenset[st.Statement]:
    """The ways that say what was said before them in the same phase, and single dice in a phase with such ways.

    A way of which only the end is written says what the whole of it does. Dice alone that are the same were thrown
    twice: where a mail is pasted into itself, its moves are there twice too.
    """
    found: set[st.Statement] = set()
    for phase in _phases(statements):
        ways = _ways_again(phase)
        found |= ways | (_dice_again(phase) if ways else set())
    return frozenset(found)


def _phases(statements: Iterable[st.Statement]) -> Iterator[list[st.Statement]]:
    phase: list[st.Statement] = []
    for statement in statements:
        if isinstance(statement, st.Opening):
            yield phase
            phase = []
        phase.append(statement)
    yield phase


def _ways_again(phase: Iterable[st.Statement]) -> set[st.Statement]:
    found: set[st.Statement] = set()
    said: set[st.Statement] = set()
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


def _dice_again(phase: Iterable[st.Statement]) -> set[st.Statement]:
    found: set[st.Statement] = set()
    said: set[st.Statement] = set()
    for statement in phase:
        if isinstance(statement, _DICE):
            bare = replace(statement, line=0)
            found |= {statement} if bare in said else set()
            said.add(bare)
    return found


def said_again(ctx: Context, position: Position, statement: st.Statement) -> Outcome | None:
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


def thrown_again(ctx: Context, statement: st.Statement, outcome: Outcome) -> Outcome:
    """What comes of a die, in doubt where the same die with the same number stands above: it may be one throw."""
    if statement not in ctx.repeats or not isinstance(statement, _DICE):
        return outcome
    return replace(outcome, findings=tuple(map(_doubted, outcome.findings)))


def _doubted(finding: Finding) -> Finding:
    if finding.severity != "illegal":
        return finding
    return replace(finding, severity="doubtful", rests_on=(*finding.rests_on, doubt("said-twice")))
