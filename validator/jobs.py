"""Judge games in processes of their own, and tell of each in the order of the input.

A process judges whole games and makes of each answer what a report needs of it: answers themselves stay where they
were made. However many processes there are, the same is told.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, Self, TypeVar

from hexforge.scenarios import words
from hexforge.scenarios.console import warned
from hexforge.scenarios.process_pool import ProcessPool, WorkerEnded, ways
from hexforge.scenarios.words import HexforgeError, message
from hexforge.validator import games, tournament
from hexforge.validator.judging import Judging, Work
from hexforge.validator.report.forms import Form, ReportForm

_WORTH: Final = 4.0
"""Seconds of work that are worth starting processes for: each reads the program and the games anew."""
_MANY: Final = 200
"""Games that are worth several processes however little each takes: who gives them out need not know any game."""
_SAMPLE: Final = 2
"""Games after which it is guessed what the others take. The first one reads its game's files besides."""


NEEDED: Final = (
    "hexforge.validator.judging",
    "hexforge.validator.check",
    "hexforge.validator.referee.replay",
    "hexforge.scenarios.compiled",
)
"""What every process imports."""


class Named(Protocol):
    """What a process is given to judge: it can be pickled, and is called by a file."""

    @property
    def source(self) -> str:
        """The file that it is about."""


W = TypeVar("W", bound=Named)
G = TypeVar("G")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class GivenToAll:
    """What was given with a command for all that it judges, and a new process does not know."""

    folders: tuple[Path, ...]
    rulings: Path | None

    @classmethod
    def here(cls) -> Self:
        """As it is in this process."""
        return cls(games.learned(), tournament.in_use())

    def anywhere(self) -> Self:
        """The same for a process that works in another folder."""
        return type(self)(
            tuple(folder.absolute() for folder in self.folders), self.rulings and self.rulings.absolute()
        )

    def take_up(self) -> None:
        """Have it hold in this process."""
        for folder in self.folders:
            games.learn(folder)
        tournament.use(self.rulings)


@dataclass(frozen=True, slots=True)
class PartTold:
    """What became of a game: the part that it has in a report, or why there is none."""

    source: str
    part: Any = None
    error: Exception | None = None
    illegal: bool = False
    unread: bool = False


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
        yield from (told for _, told in apart(works, form.judge, wanted, many=judging.count >= _MANY))


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


def pool(jobs: int, begin: Callable[[], Callable[[G], R]]) -> ProcessPool[G, R]:
    """Processes that judge as this one would; in each, `begin` gives what does a piece of work."""
    return ProcessPool(jobs, partial(_begun, GivenToAll.here(), begin), ways(NEEDED))


def _begun(known: GivenToAll, begin: Callable[[], Callable[[G], R]]) -> Callable[[G], R]:
    known.take_up()
    return begin()


def apart(
    works: Iterable[W], begin: Callable[[], Callable[[W], PartTold]], jobs: int, *, many: bool = False
) -> Iterator[tuple[W, PartTold]]:
    """What becomes of games that so many processes judge, in order. `many`: worth making ready for."""
    if many:
        keep_games()
    with pool(jobs, begin) as processes:
        for work, found in processes.results(works):
            yield work, PartTold(work.source, error=ended(work.source)) if isinstance(found, WorkerEnded) else found


def ended(source: str) -> HexforgeError:
    """That what judged a game was ended."""
    return HexforgeError(message("validator.jobs.ended", file=source))


def keep_games() -> None:
    """Have all words and all known games in the cache, by a process that ends when they are.

    Processes that judge would each read what is not there, and hold the libraries for it from then on.
    """
    with pool(1, _keeper) as processes:
        for _ in processes.results(games.all_names()):
            pass


def _keeper() -> Callable[[str], None]:
    # Whoever speaks a language is told what is wrong with its words.
    with suppress(Exception):
        words.keep()
    return _keep


def _keep(game: str) -> None:
    # Whoever judges by a game whose files are broken is told.
    with suppress(HexforgeError, OSError), warned(lambda _: None):
        games.keep(game)


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
