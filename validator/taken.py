"""What became of every line of a sheet or mail, and what is found wrong with lines that could not be taken."""

from __future__ import annotations

from collections.abc import Iterator

from hexforge.validator.readers.account import OUTSIDE, REFUSED, Account, accounts
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.findings import Finding, find


def account_of(sheet: st.Sheet) -> tuple[Account, ...]:
    """What became of each line of a sheet that is not blank: judged, prose, quoted or not read."""
    unread = frozenset(problem.line for problem in sheet.problems)
    return accounts(sheet.lines, frozenset(_judged(sheet)), unread, sheet.source, sheet.intake)


def _judged(sheet: st.Sheet) -> Iterator[int]:
    yield from sheet.heads
    for statement in sheet.statements:
        yield statement.line
        if isinstance(statement, st.Engagement):
            yield from (act.line for act in statement.acts)


def refusals(sheet: st.Sheet) -> Iterator[Finding]:
    """A finding for each stretch of lines that are statements and belong to no game without doubt.

    A note where no line says of which game all others are.
    """
    if sheet.intake.surmised is not None:
        line, game, by = sheet.intake.surmised
        yield find(line, f"game-by-{by}", "", severity="info", game=game)
    for part in account_of(sheet):
        if part.why == OUTSIDE and sheet.intake.likely:
            yield find(part.line, "not-read-likely", "", count=part.count, game=sheet.intake.likely)
        elif part.why in REFUSED:
            yield find(part.line, f"not-read-{part.why}", "", count=part.count)
