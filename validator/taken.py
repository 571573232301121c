"""What became of every line of a sheet or mail, and what is found wrong with lines that could not be taken."""

from __future__ import annotations

from collections.abc import Iterator

from hexforge.validator.readers import statements as st
from hexforge.validator.readers.account import REFUSED, Account, accounts
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
    """A finding for each stretch of lines that are statements and belong to no game without doubt."""
    for part in account_of(sheet):
        if part.why in REFUSED:
            yield find(part.line, f"not-read-{part.why}", "", count=part.count)
