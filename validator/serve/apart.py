"""Judging in a process of its own, which is ended when it takes too long or too much."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from hexforge.scenarios.words import HexforgeError, Message, message
from hexforge.scenarios.workers import begin_worker, undisturbed
from hexforge.validator.serve.judge import Task, TaskOutcome, judged

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from hexforge.validator.crew import GivenToAll

MEMORY: Final = 3 << 30
"""Bytes of addresses that a process may have."""
MOST: Final = 64_000_000
"""Bytes that may come of one request."""


_LOOK: Final = 0.2
"""Seconds between two looks at whether anybody still waits."""


class GivenUp(HexforgeError):
    """Judging took too long or too much, or ended without an answer."""


@dataclass(frozen=True)
class ProcessLimits:
    """What a process may take: seconds, and bytes of its answer. `home` is an empty folder in which it works."""

    home: str
    seconds: float = 60.0
    answer: int = MOST


def judge_apart(task: Task, bounds: ProcessLimits, known: GivenToAll, given_up: Event | None = None) -> TaskOutcome:
    """As `judged`, in another process, which is ended also when it is `given_up`. Raises GivenUp."""
    from hexforge.validator.crew import context

    ways = context()
    receive, send = ways.Pipe(duplex=False)
    worker = ways.Process(target=_work, args=(send, task, bounds, known), daemon=True)
    with receive:
        with send, undisturbed():
            worker.start()
        try:
            if not _comes(receive, bounds.seconds, given_up or Event()):
                raise GivenUp(message("serve.long", limit=bounds.seconds))
            found = receive.recv()
        except (EOFError, OSError) as error:
            raise GivenUp(message("serve.ended")) from error
        finally:
            worker.kill()
            worker.join()
    if isinstance(found, Message):
        raise GivenUp(found)
    assert isinstance(found, TaskOutcome)
    return found


def _comes(receive: Connection, seconds: float, given_up: Event) -> bool:
    """Whether an answer comes in time."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and not given_up.is_set():
        if receive.poll(min(left, _LOOK)):
            return True
    return False


def _work(send: Connection, task: Task, bounds: ProcessLimits, known: GivenToAll) -> None:
    """The process: it sends what came of the task, or why nothing did."""
    begin_worker()
    _bound(bounds)
    send.send(_found(task, bounds, known))


def _found(task: Task, bounds: ProcessLimits, known: GivenToAll) -> TaskOutcome | Message:
    try:
        known.take_up()
        # A sheet names others that lie beside it: here nothing does.
        os.chdir(bounds.home)
        found = judged(task)
    except HexforgeError as error:
        return error.message
    except MemoryError:
        return message("serve.memory")
    except Exception as error:
        return message("serve.failed", what=f"{type(error).__name__}: {error}"[:300])
    return found if found.size <= bounds.answer else message("serve.much", limit=bounds.answer // 1_000_000)


def _bound(bounds: ProcessLimits) -> None:
    """Limits that hold also if nobody is left to end the process; some systems have none."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limits: Mapping[int, int] = {
            resource.RLIMIT_CPU: int(bounds.seconds) + 5,
            resource.RLIMIT_AS: MEMORY,
            resource.RLIMIT_CORE: 0,
        }
        for what, most in limits.items():
            _lower(resource, what, most)


def _lower(resource: Any, what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(what, (most, most))
