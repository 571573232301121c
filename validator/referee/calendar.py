"""Whether who stands on the map when a sheet begins may be there by then: nobody who has left, or comes later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.phases import ended, is_first
from hexforge.validator.referee.state import Phase, Position


def out_of_time(
    ctx: Context, position: Position, builds: Iterable[st.Statement], *, over: bool
) -> Iterator[Finding]:
    """Warnings on units of the game's own whom a position puts on the map before their turn, or after their last.

    `over`: the phase that the position has has been played. What a position says holds all the same.
    """
    opened = position.phase if over else next(iter(ctx.announced), None)
    if opened is None:
        return
    own = ctx.units.keys() - ctx.declared
    opened = replace(ended(ctx, opened.turn, opened.side, opened.kind), line=opened.line)
    for build in builds:
        if isinstance(build, st.Placement) and build.unit in own and position.hex_of(build.unit):
            yield from _early(ctx, build, opened)
            yield from _late(ctx, build, opened, begun=over or not is_first(ctx, opened))


def _early(ctx: Context, build: st.Placement, opened: Phase) -> Iterator[Finding]:
    own = ctx.units[build.unit].counters
    lines = [r for r in ctx.scenario.setup.reinforcements if own & set(r.units)]
    at_start = any(own & set(r.units) for r in ctx.scenario.setup.at_start)
    first = min(lines, key=lambda r: r.turn, default=None)
    if first is not None and not at_start and first.turn > opened.turn and build.unit not in ctx.due:
        yield ctx.found(
            build.line, "placed-early", section=first.section, severity="warning", units=(build.unit,),
            unit=build.unit, turn=first.turn,
        )  # fmt: skip


def _late(ctx: Context, build: st.Placement, opened: Phase, *, begun: bool) -> Iterator[Finding]:
    """Where others may go in a unit's place, or the encircled wait, who is left may be right to be there."""
    if ctx.movement.withdrawals_wait or ctx.movement.substitutes:
        return
    own, last = ctx.units[build.unit].counters, opened.turn if begun else opened.turn - 1
    for rule in ctx.scenario.setup.withdrawals:
        back = rule.returns_turn is not None and rule.returns_turn <= opened.turn
        if own and own <= set(rule.units) and rule.turn <= last and not back:
            yield ctx.found(
                build.line, "placed-withdrawn", section=rule.section, severity="warning", units=(build.unit,),
                unit=build.unit, turn=rule.turn,
            )  # fmt: skip
            return
