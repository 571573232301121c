"""Worker processes: each has one thing in hand, so that it is known what ended it, and nothing else is lost."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar, cast

from .console import warned
from .text.words import HexforgeWarning, Message

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection
    from types import TracebackType


W = TypeVar("W")
R = TypeVar("R")
_AHEAD: Final = 4
"""Pieces of work that are given to each process before the first of them is taken."""
_LOOK: Final = 0.2
"""Seconds between two looks at whether anybody still waits."""
_STOPS: Final = {signal.SIGINT, signal.SIGTERM}
_MASKS: Final = hasattr(signal, "pthread_sigmask")


@dataclass(frozen=True, slots=True)
class Answer(Generic[R]):
    """What came of a piece of work in a process: a value or an error, and the warnings that were given."""

    value: R | None
    error: Exception | None
    warnings: tuple[Message, ...]

    def taken(self) -> R:
        """The value, with the warnings given again here. Raises what was raised there."""
        for what in self.warnings:
            warnings.warn(HexforgeWarning(what), stacklevel=2)
        if self.error is not None:
            raise self.error
        return cast("R", self.value)


class WorkerEnded(Exception):
    """A process ended before it answered: it was killed, or the system had no more memory for it."""


class WorkerLate(Exception):
    """A process did not answer in time, or nobody waits for it any more."""


class Worker(Generic[W, R]):
    """A process in which `begin`, which can be pickled, gives what is called with each piece of work."""

    def __init__(self, begin: Callable[[], Callable[[W], R]], ways: Any) -> None:
        self._begin, self._ways = begin, ways
        self._process: Any = None
        self._pipe: Connection
        self._lock, self._over = threading.Lock(), False

    def start(self) -> None:
        """Have it begin, if it does not run. Raises WorkerEnded after `end`."""
        with self._lock:
            if self._over:
                raise WorkerEnded
            if self._process is None:
                self._pipe, far = self._ways.Pipe()
                process = self._ways.Process(target=_serve, args=(far, self._begin), daemon=True)
                with far, undisturbed():
                    process.start()
                self._process = process

    def ask(self, work: W, seconds: float = inf, given_up: threading.Event | None = None) -> Answer[R]:
        """What comes of a piece of work. A process that dies of it begins again with the next.

        Raises WorkerEnded, and WorkerLate after so many seconds or when it is `given_up`: it is to be ended then.
        """
        self.start()
        end = time.monotonic() + seconds
        try:
            self._pipe.send(work)
            while not self._pipe.poll(min(end - time.monotonic(), _LOOK)):
                if time.monotonic() >= end or (given_up is not None and given_up.is_set()):
                    raise WorkerLate
            answer: Answer[R] = self._pipe.recv()
        except (EOFError, OSError):
            self._kill()
            raise WorkerEnded from None
        return answer

    def end(self) -> None:
        """End the process, whatever it does."""
        self._over = True
        self._kill()

    def _kill(self) -> None:
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process = None


class ProcessPool(Generic[W, R]):
    """Processes as `Worker`, for a `with`, at the end of which none is left; an error ends them at once."""

    def __init__(self, jobs: int, begin: Callable[[], Callable[[W], R]], ways: Any) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._threads = ThreadPoolExecutor(jobs)
        self._workers = [Worker(begin, ways) for _ in range(jobs)]
        self._idle = deque(self._workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._threads.shutdown()
        finally:
            for worker in self._workers:
                worker.end()
            self._threads.shutdown(cancel_futures=True)

    def submit(self, work: W) -> Future[Answer[R]]:
        """Have a piece of work done."""
        # Before there are threads: a process that is copied with some may wait for ever for what they had locked.
        for worker in self._workers:
            worker.start()
        with undisturbed():
            return self._threads.submit(self._ask, work)

    def _ask(self, work: W) -> Answer[R]:
        worker = self._idle.popleft()
        try:
            return worker.ask(work)
        finally:
            self._idle.append(worker)

    def results(self, works: Iterable[W]) -> Iterator[tuple[W, R | WorkerEnded]]:
        """What comes of each piece of work, in order, few of them held."""
        waiting: deque[tuple[W, Future[Answer[R]]]] = deque()

        def first() -> R | WorkerEnded:
            try:
                return waiting[0][1].result().taken()
            except WorkerEnded as ended:
                return ended

        for work in works:
            waiting.append((work, self.submit(work)))
            if len(waiting) >= len(self._workers) * _AHEAD:
                yield waiting[0][0], first()
                waiting.popleft()
        while waiting:
            yield waiting[0][0], first()
            waiting.popleft()


def answered(do: Callable[[W], R], work: W) -> Answer[R]:
    """What comes of a piece of work in this process."""
    said: list[Message] = []
    value, failed = None, None
    with warned(said.append):
        try:
            value = do(work)
        except Exception as error:
            failed = error
    return Answer(value, failed, tuple(said))


def ways(preload: Iterable[str] = ()) -> Any:
    """How processes are started: alike on every system, quicker where one that is ready can be copied.

    `preload` are modules that all of them import.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(list(preload))
    return found


def _serve(pipe: Connection, begin: Callable[[], Callable[[Any], Any]]) -> None:
    _begin_worker()
    do = begin()
    with suppress(EOFError):
        while True:
            pipe.send(answered(do, pipe.recv()))


def _begin_worker() -> None:
    """A worker leaves the keyboard to its parent, which ends it when it must end itself."""
    # What it was copied from is looked through for garbage no more: to look would copy every page of it.
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if _MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)


def _end_with_parent() -> None:
    """A parent that was killed tells nobody, and its workers would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Holds back requests to stop: one that came while workers start would leave them to nobody."""
    if not _MASKS:
        yield
        return
    from multiprocessing import resource_tracker

    # Where the first worker starts it, it would let the requests through again before that worker has begun.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
