"""A sheet that begins in the middle of a turn, with a phase of which its side has several: which of them it is.

What comes after it may settle that. Where it does not, it is taken for the first. What is wrong there, and would
not be in another, is doubtful; what would be wrong in another is warned of. What would be left undone in another is
doubtful too: nobody is acquitted of a duty because nobody said which phase it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, doubt
from hexforge.validator.referee.kinds import Severity
from hexforge.validator.referee.limits import differ
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.state import Position

Judge = Callable[[Context, Position], Outcome]


def in_each(ctx: Context, position: Position, judge: Judge, elsewhere: Severity = "warning") -> Outcome:
    """What comes of a statement, or of a phase's end, with what would come of it in other places of the phase.

    `elsewhere` is how grave it is that something would be illegal in another place alone.
    """
    phase = position.phase
    first = judge(ctx, position)
    if phase is None or not differ(ctx, phase):
        return first
    others = [
        judge(ctx, replace(position, phase=replace(phase, places=(place,)))).findings for place in phase.places[1:]
    ]
    found = [
        _resting(f, "doubtful")
        if f.severity == "illegal" and not all(_forbids(other, f) for other in others)
        else f
        for f in first.findings
    ]
    for other in others:
        found += [_resting(f, elsewhere) for f in other if f.severity == "illegal" and not _among(f, found)]
    return replace(first, findings=tuple(found))


def _forbids(others: Sequence[Finding], finding: Finding) -> bool:
    """Whether another place of the phase forbids the same, be it for another reason."""
    illegal = (f for f in others if f.severity == "illegal" and f.line == finding.line)
    return _among(finding, others) or any(set(f.units) & set(finding.units) for f in illegal)


def _among(finding: Finding, others: Sequence[Finding]) -> bool:
    return any((f.line, f.code, f.units) == (finding.line, finding.code, finding.units) for f in others)


def _resting(finding: Finding, severity: Severity) -> Finding:
    return replace(finding, severity=severity, rests_on=(*finding.rests_on, doubt("phase")))
