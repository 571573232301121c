"""Processes that work for one that was started by a user: how they begin, and how they end with it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.process import BaseProcess

_STOPS: Final = {signal.SIGINT, signal.SIGTERM}
_MASKS: Final = hasattr(signal, "pthread_sigmask")


def begin_worker() -> None:
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


def end(others: Collection[BaseProcess], pending: Collection[Future[Any]]) -> None:
    """End all workers but those of somebody else, and wait until what was `pending` is known to have ended."""
    from concurrent.futures import wait

    for worker in multiprocessing.active_children():
        if worker not in others:
            worker.kill()
    # Shut down before it has seen that its workers are gone, a pool would wait for them for ever.
    wait(pending)
