"""An attack before the dice, in words: its computation, the chance of each result, what stands against it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.scenarios.tables import lined_up
from hexforge.scenarios.words import Words
from hexforge.validator.referee.findings import CombatRecord, doubts_told
from hexforge.validator.report.text import worked_out

if TYPE_CHECKING:
    from hexforge.validator.referee.combat.ask import Odds


def odds_told(answer: Odds, w: Words) -> Iterator[str]:
    """The lines that tell of an attack that was worked out."""
    figures = answer.figures
    record = CombatRecord(
        0, "combat", (answer.target,), figures.attack, figures.defence, figures.odds, None, figures.shifts,
        figures.column_name, parts=figures.parts, die=figures.die, changes=figures.changes,
    )  # fmt: skip
    yield answer.target
    if not answer.chances:
        yield from _objections(answer, w)
        return
    yield from (f"    {line}" for line in worked_out(record, w))
    yield ""
    rows = [
        (" ".join(c.codes), f"{c.ways}/{c.throws}", w.percent(c.probability), "█" * round(c.probability * 36))
        for c in answer.chances
    ]
    yield from lined_up(rows, right=[1, 2], indent=2, fit=True)
    yield from _objections(answer, w)
    if doubts := answer.doubts:
        yield f"  {w('report.rests-on', what=doubts_told(doubts, w))}"


def _objections(answer: Odds, w: Words) -> Iterator[str]:
    """What stands against an attack."""
    for finding in answer.objections:
        yield f"  ! {finding.rule} {w.say(finding.message)}"
