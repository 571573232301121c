"""A sheet that begins in the middle of a turn, with a phase of which its side has several: which of them it is.

So with weather of which nothing says what its dice have shown; there, what would be wrong in another is doubtful.

What comes after it may settle that. Where it does not, it is taken for the first. What is wrong there, and would
not be in another, is doubtful; what would be wrong in another is warned of. What would be left undone in another is
doubtful too: nobody is acquitted of a duty because nobody said which phase it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, doubt
from hexforge.validator.referee.kinds import Severity
from hexforge.validator.referee.limits import differ
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.weather import supposed

Judge = Callable[[Context, Position], Outcome]


def in_each(
    ctx: Context, position: Position, judge: Judge, elsewhere: Severity = "warning", *, places: bool = True
) -> Outcome:
    """What comes of a statement, or of a phase's end, with what would come of it in another phase or weather.

    `elsewhere` is how grave it is that something would be illegal in another place of the phase alone; without
    `places` the weathers alone are tried.
    """
    first = judge(ctx, position)
    others = [(why, judge(ctx, other).findings) for why, other in _others(ctx, position, places=places)]
    found = []
    for f in first.findings:
        free = [why for why, other in others if not _forbids(other, f)] if f.severity == "illegal" else []
        found.append(_resting(f, "doubtful", *dict.fromkeys(word for why in free for word in why)) if free else f)
    for why, other in others:
        severity = "doubtful" if "weather" in why else elsewhere
        found += [_resting(f, severity, *why) for f in other if f.severity == "illegal" and not _among(f, found)]
    return replace(first, findings=tuple(found))


def _others(ctx: Context, position: Position, *, places: bool) -> Iterator[tuple[tuple[str, ...], Position]]:
    """The positions that may as well be the one at hand, each with what is otherwise in it."""
    phase, sequence = position.phase, ctx.scenario.game.sequence
    if phase is None:
        return
    of_phase = phase.places if places and differ(ctx, phase) else phase.places[:1]
    for sky in position.guesses or (position.sky,):
        played = [place for place in of_phase if sequence[place].played(phase.turn, sky.weather)]
        for place in played or of_phase[:1]:
            why = [("phase", place != of_phase[0]), ("weather", sky != position.sky)]
            if any(otherwise for _, otherwise in why):
                there = replace(phase, places=(place,)) if places else phase
                other = replace(supposed(position, sky), phase=there)
                yield tuple(word for word, otherwise in why if otherwise), other


def _forbids(others: Sequence[Finding], finding: Finding) -> bool:
    """Whether another place of the phase forbids the same, be it for another reason."""
    illegal = (f for f in others if f.severity == "illegal" and f.line == finding.line)
    return _among(finding, others) or any(set(f.units) & set(finding.units) for f in illegal)


def _among(finding: Finding, others: Sequence[Finding]) -> bool:
    return any((f.line, f.code, f.units) == (finding.line, finding.code, finding.units) for f in others)


def _resting(finding: Finding, severity: Severity, *why: str) -> Finding:
    return replace(finding, severity=severity, rests_on=(*finding.rests_on, *map(doubt, why)))
