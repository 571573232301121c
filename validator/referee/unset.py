"""Units that the rulebook leaves a choice of hexes at set-up, and of which nobody has said where they stand.

They are on the map all the same. What hangs on where they stand is doubtful, and says how to tell it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hexforge.scenarios.words import Message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, doubt
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.setup import starting_areas
from hexforge.validator.referee.state import Position

_OF_WHO_ACTS: Final = frozenset({"not-there", "recovery", "bridge-building", "trail-clearing"})
"""Codes of findings on where a unit stands that acts."""
_OF_WHO_IS_ATTACKED: Final = frozenset(
    {"not-there", "odds", "column", "shifts", "result", "losses", "retreat", "advance", "exchange"}
)
"""Codes of findings in a combat that others could answer who stand in the hex as well."""
_TOLD: Final = 3


def waiting(ctx: Context, position: Position, units: Iterable[str]) -> Iterator[str]:
    """Those of some units of which nobody has said yet where they stand."""
    return (u for u in units if u in ctx.unset and position.units[u].where == "absent")


def unsettled(ctx: Context, position: Position, statement: st.Statement, outcome: Outcome) -> Outcome:
    """The outcome of a statement, doubtful where it hangs on units that nobody has set up."""
    if not ctx.unset or all(f.severity != "illegal" for f in outcome.findings):
        return outcome
    there = _defenders(ctx, position, statement)
    return replace(outcome, findings=tuple(_doubted(ctx, position, f, there) for f in outcome.findings))


def _doubted(ctx: Context, position: Position, finding: Finding, there: tuple[str, ...]) -> Finding:
    units = tuple(waiting(ctx, position, finding.units)) if finding.code in _OF_WHO_ACTS else ()
    if not units and finding.code in _OF_WHO_IS_ATTACKED:
        units = there
    if finding.severity != "illegal" or not units:
        return finding
    return replace(finding, severity="doubtful", rests_on=(*finding.rests_on, unknown_place(units)))


def unknown_place(units: Sequence[str]) -> Message:
    """That nobody has said where units were set up, as findings rest on it."""
    more = len(units) > _TOLD
    return doubt("unset", units=" ".join(units[:_TOLD]) + (" …" if more else ""), unit=units[0])


def _defenders(ctx: Context, position: Position, statement: st.Statement) -> tuple[str, ...]:
    """The units that may stand in the hexes which a combat is about, without anybody having said so."""
    if not isinstance(statement, st.Engagement) or position.phase is None:
        return ()
    targets, enemy = statement.targets, ctx.enemy(position.phase.side)
    areas = starting_areas(ctx)
    left = (u for u in waiting(ctx, position, sorted(ctx.unset)) if ctx.units[u].side == enemy)
    return tuple(u for u in left if u not in areas or any(map(areas[u].allows, targets)))
