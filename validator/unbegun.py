"""What rests on how a game began, where nobody has said it: it is doubtful, and nobody is accused of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hexforge.scenarios.schema.game import GameFile
from hexforge.scenarios.words import Message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.findings import Finding, doubt, find
from hexforge.validator.referee.standing import BEGINS
from hexforge.validator.unread import by_itself


def unbegun(sheet: st.Sheet, findings: Sequence[Finding], links: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, doubtful where a sheet goes on from what could not be read, and does not say itself from where.

    `links` say what is wrong with what it goes on from.
    """
    since = next((link.message for link in links if link.severity == "unread"), None)
    if since is None or any(isinstance(s, BEGINS) for s in sheet.statements):
        return tuple(findings)
    return _beginning(findings, doubt("begins", file=str(since.values["file"])))


def midway(sheet: st.Sheet, findings: Sequence[Finding], game: GameFile) -> tuple[Finding, ...]:
    """The findings, doubtful where a mail tells a game from a later phase on and not how it stood by then.

    In a sheet that somebody wrote the printed set-up stands where it says no other; nobody who types his turn into
    a mail means that. A note says so.
    """
    first = next((s for s in sheet.statements if isinstance(s, st.Opening)), None)
    told = any(isinstance(s, (*BEGINS, st.Continues)) for s in sheet.statements)
    if not sheet.intake.unwritten or told or not isinstance(first, st.TurnStart):
        return tuple(findings)
    begins = game.sequence[0]
    if (first.number, first.side, first.phase) == (game.turns.first, begins.side, begins.phase):
        return tuple(findings)
    note = find(first.line, "midway", "", severity="info")
    return (note, *_beginning(findings, doubt("midway")))


def _beginning(findings: Iterable[Finding], why: Message) -> tuple[Finding, ...]:
    """The findings, doubtful where they may hang on how the game began, of which nobody knows enough."""
    rests_on = (why,)
    return tuple(
        replace(f, severity="doubtful", rests_on=rests_on) if f.severity == "illegal" and not by_itself(f) else f
        for f in findings
    )
