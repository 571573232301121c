"""Processes that judge games: each begins as its parent stands, and none outlives it or takes others with it."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from hexforge.scenarios import words
from hexforge.scenarios.console import warned
from hexforge.scenarios.words import HexforgeError, Message, message
from hexforge.scenarios.workers import begin_worker, end, undisturbed
from hexforge.validator import games, tournament
from hexforge.validator.jobs import PartTold

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess
    from types import TracebackType

_AHEAD: Final = 4
"""Games that are given to each process before the first of them is told."""
_NEEDED: Final = [
    "hexforge.validator.judging",
    "hexforge.validator.check",
    "hexforge.validator.referee.replay",
    "hexforge.scenarios.compiled",
]
"""What every process imports."""


class Given(Protocol):
    """What a process is given to do, picklable. `mark` is what whoever wants it done calls it."""

    @property
    def source(self) -> str:
        """The file that it is about."""

    @property
    def mark(self) -> str:
        """Its mark."""


class Maker(Protocol):
    """What is told to a process, and there makes what judges."""

    def judge(self) -> Callable[[Any], PartTold]:
        """What does what is given, judges a game and makes what is wanted of it."""


@dataclass(frozen=True, slots=True)
class GivenToAll:
    """What was given with a command for all that it judges, and a new process does not know."""

    folders: tuple[Path, ...]
    rulings: Path | None

    @classmethod
    def here(cls) -> Self:
        """As it is in this process, whatever folder another works in."""
        rulings = tournament.in_use()
        return cls(tuple(folder.absolute() for folder in games.learned()), rulings and rulings.absolute())

    def take_up(self) -> None:
        """Have it hold in this process."""
        for folder in self.folders:
            games.learn(folder)
        tournament.use(self.rulings)


@dataclass(frozen=True, slots=True)
class RunSetting:
    """What holds for the whole run and a new process does not know."""

    form: Maker
    folders: tuple[Path, ...]
    rulings: Path | None

    @classmethod
    def of(cls, form: Maker) -> Self:
        """As it is in this process."""
        return cls(form, games.learned(), tournament.in_use())


_judge: Callable[[Any], PartTold] | None = None


def _begin(setting: RunSetting) -> None:
    """Make a new process one that judges as its parent would."""
    global _judge  # noqa: PLW0603 - a process of a pool has nothing else to keep things in
    begin_worker()
    GivenToAll(setting.folders, setting.rulings).take_up()
    _judge = setting.form.judge()


def _judged(work: Given) -> PartTold:
    assert _judge is not None
    said: list[Message] = []
    with warned(said.append):
        found = _judge(work)
    return replace(found, warnings=tuple(said))


@dataclass(frozen=True, slots=True)
class _Game:
    """A game by its name, to be kept."""

    source: str
    mark: str = ""


class _Keeping:
    """Has words and games in the cache."""

    def judge(self) -> Callable[[_Game], PartTold]:
        # Whoever speaks a language is told what is wrong with its words.
        with suppress(Exception):
            words.keep()
        return _kept


def _kept(game: _Game) -> PartTold:
    # Whoever judges by a game whose files are broken is told.
    with suppress(HexforgeError, OSError):
        games.keep(game.source)
    return PartTold(game.source)


def keep_games() -> None:
    """Have all words and all known games in the cache, by a process that ends when they are.

    Processes that judge would each read what is not there, and hold the libraries for it from then on.
    """
    with Crew(1, RunSetting.of(_Keeping())) as crew:
        for _ in crew.results(map(_Game, games.all_names())):
            pass


class Crew:
    """Processes that judge. To be used in a `with`, at the end of which none of them is left."""

    def __init__(self, jobs: int, setting: RunSetting) -> None:
        self.jobs, self.setting = jobs, setting
        self._pool: ProcessPoolExecutor | None = None
        self._others: list[BaseProcess] = []
        self._waiting: deque[tuple[Given, Future[PartTold]]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop(at_once=kind is not None)

    def results(self, works: Iterable[Given]) -> Iterator[PartTold]:
        """What becomes of each, in order."""
        for work in works:
            self._waiting.append((work, self._submit(work)))
            if len(self._waiting) >= self.jobs * _AHEAD:
                yield self._next()
        while self._waiting:
            yield self._next()

    def _submit(self, work: Given) -> Future[PartTold]:
        from concurrent.futures import BrokenExecutor, Future

        with undisturbed():
            try:
                return self._started().submit(_judged, work)
            except BrokenExecutor as error:
                refused: Future[PartTold] = Future()
                refused.set_exception(error)
                return refused

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor

            self._others = multiprocessing.active_children()
            self._pool = ProcessPoolExecutor(self.jobs, context(), _begin, (self.setting,))
        return self._pool

    def _next(self) -> PartTold:
        from concurrent.futures import BrokenExecutor

        _, future = self._waiting[0]
        try:
            found = future.result()
        except BrokenExecutor:
            self._repeat()
            found = self._waiting[0][1].result()
        self._waiting.popleft()
        return found

    def _repeat(self) -> None:
        """Judge what was under way when a process ended once more, one by one: so it is seen which game ends it."""
        from concurrent.futures import BrokenExecutor, Future

        self._stop()
        again: deque[tuple[Given, Future[PartTold]]] = deque()
        for work, future in self._waiting:
            if future.exception() is None:
                again.append((work, future))
                continue
            found: Future[PartTold] = Future()
            try:
                found.set_result(self._submit(work).result())
            except BrokenExecutor:
                self._stop()
                said = message("validator.jobs.ended", file=work.source)
                found.set_result(PartTold(work.source, error=HexforgeError(said), mark=work.mark))
            again.append((work, found))
        self._waiting = again

    def _stop(self, *, at_once: bool = False) -> None:
        if self._pool is None:
            return
        if at_once:
            end(self._others, [future for _, future in self._waiting])
        self._pool.shutdown()
        self._pool = None


def context() -> Any:
    """A way to start processes that is the same on every system, quicker where one that is ready can be copied."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_NEEDED)
    return context
