"""Judge games in processes of their own, and tell of each in the order of the input.

A process judges whole games and makes of each answer what a report needs of it: answers themselves stay where they
were made. However many processes there are, the same is told.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hexforge.scenarios.words import HexforgeError, HexforgeWarning, Message
from hexforge.validator.judging import Judging, Work
from hexforge.validator.report.forms import Form, ReportForm

if TYPE_CHECKING:
    from hexforge.validator.crew import Given, Maker

_WORTH: Final = 4.0
"""Seconds of work that are worth starting processes for: each reads the program and the games anew."""
_MANY: Final = 200
"""Games that are worth several processes however little each takes: who gives them out need not know any game."""
_SAMPLE: Final = 2
"""Games after which it is guessed what the others take. The first one reads its game's files besides."""


@dataclass(frozen=True, slots=True)
class PartTold:
    """What became of a game: the part that it has in a report, or why there is none. `mark` is the game's own."""

    source: str
    part: Any = None
    error: Exception | None = None
    illegal: bool = False
    unread: bool = False
    warnings: tuple[Message, ...] = ()
    mark: str = ""


def told(judging: Judging, form: Form, jobs: int | None) -> Iterator[PartTold]:
    """What becomes of all games, one after the other; with one job in this process.

    With several, a process that ends before it has answered is an `error` of the game that ended it, and no more
    than some few games wait to be told. With None, there are as many as processors once it shows that this is
    worth it, or at once for very many games.
    """
    wanted = (processors() if judging.count > 1 else 1) if jobs is None else jobs
    works = judging.works(apart=wanted > 1)
    if wanted == 1 or (jobs is None and judging.count < _MANY):
        yield from _alone(works, judging, form, wanted)
    if wanted > 1:
        judging.hearers = wanted
        yield from apart(works, form, wanted, many=judging.count >= _MANY)


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _alone(works: Iterator[Work], judging: Judging, form: Form, jobs: int) -> Iterator[PartTold]:
    """Judge in this process, until the rest is seen to be worth several."""
    report, start = form.report(), time.monotonic()
    for done, work in enumerate(works, 1):
        yield judged(work, report)
        if worth_several(done, judging.count, time.monotonic() - start, jobs):
            return


def worth_several(done: int, count: int, took: float, jobs: int) -> bool:
    """Whether what is left of some games is worth so many processes, by the seconds that those `done` took."""
    return jobs > 1 and done >= _SAMPLE and took / done * (count - done) * (jobs - 1) / jobs > _WORTH


def apart(works: Iterable[Given], form: Maker, jobs: int, *, many: bool = False) -> Iterator[PartTold]:
    """What becomes of games that so many processes judge, in order. `many`: worth making ready for."""
    from hexforge.validator.crew import Crew, RunSetting, keep_games

    if many:
        keep_games()
    with Crew(jobs, RunSetting.of(form)) as crew:
        for found in crew.results(works):
            for said in found.warnings:
                warnings.warn(HexforgeWarning(said), stacklevel=2)
            yield found


def judged(work: Work, report: ReportForm) -> PartTold:
    """What becomes of a game in this process."""
    try:
        answer = work.answer()
    except (HexforgeError, OSError) as error:
        return PartTold(work.source, error=error)
    return PartTold(
        work.source,
        report.part(answer),
        illegal=answer.verdict == "illegal",
        unread=bool(answer.counts["unread"]),
    )
