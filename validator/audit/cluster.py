"""Games judged on a Dask cluster, for archives that are too large for one machine.

The workers must see the games' files under the same paths. A worker that dies loses nothing: what it had in hand is
judged by another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hexforge.scenarios.libraries import require
from hexforge.scenarios.process_pool import Answer, answered
from hexforge.scenarios.words import HexforgeError, message
from hexforge.validator.jobs import GivenToAll, PartTold
from hexforge.validator.judging import Work

if TYPE_CHECKING:
    from hexforge.validator.audit.clerk import AuditDesk

_AHEAD: Final = 3
"""Games that are given to each thread of the cluster at a time: so few, because none of the rest is held."""
_TIMEOUT: Final = "20s"


class NoCluster(HexforgeError):
    """A scheduler that does not answer."""


def results(address: str, desk: AuditDesk, works: Iterable[Work]) -> Iterator[tuple[Work, PartTold]]:
    """What becomes of each game, in the order in which they are done. Raises MissingLibrary, NoCluster."""
    require("cluster")
    from distributed import Client, as_completed

    try:
        client = Client(address, timeout=_TIMEOUT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise NoCluster(message("audit.no-cluster", address=address, why=str(error)[:200])) from None
    with client:
        shared = client.scatter((GivenToAll.here(), desk), broadcast=True, hash=False)
        waiting: dict[Any, Work] = {}
        queue = as_completed(loop=client.loop)
        source = iter(works)

        def give() -> None:
            while len(waiting) < _AHEAD * max(1, sum(client.nthreads().values())):
                work = next(source, None)
                if work is None:
                    return
                # Asked for anew each time: what a cluster remembers of an earlier run may be of other files.
                future = client.submit(_judged, work, shared, pure=False)
                waiting[future.key] = work
                queue.add(future)

        give()
        while waiting:
            future = next(queue)
            work = waiting.pop(future.key)
            yield work, _outcome(future, work)
            future.release()
            give()


def _outcome(future: Any, work: Work) -> PartTold:
    try:
        found = future.result().taken()
    except Exception as error:
        # A game that ended one worker after the other, or that cannot be sent.
        said = message("audit.failed", file=work.source, what=f"{type(error).__name__}: {error}"[:300])
        return PartTold(work.source, error=HexforgeError(said))
    assert isinstance(found, PartTold)
    return found


_Setting: TypeAlias = "tuple[GivenToAll, AuditDesk]"


def _judged(work: Work, setting: _Setting) -> Answer[PartTold]:
    """Judge a game in a process of the cluster."""
    return answered(_judge_of(setting), work)


_ready: list[tuple[_Setting, Callable[[Work], PartTold]]] = []
"""The desk of the latest run in this process, and what judges for it."""


def _judge_of(setting: _Setting) -> Callable[[Work], PartTold]:
    if not _ready or _ready[0][0] != setting:
        known, desk = setting
        known.take_up()
        _ready[:] = [(setting, desk.judge())]
    return _ready[0][1]
