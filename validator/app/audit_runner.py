"""What judges games for an audit: in this process, in others of this machine, or on others.

Logs that lie in one heap, sorted into games: by module, by where each begins and ends, and by who plays.

Games judged on a Dask cluster, for archives that are too large for one machine.

The workers must see the games' files under the same paths. A worker that dies loses nothing: what it had in hand is
judged by another.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ...scenarios.console import refused, require, without_folders
from ...scenarios.process_pool import Answer, answered
from ...scenarios.text.words import HexforgeError, Language, Message, Words, message
from ..judging.chain import Leg
from .audit_record import Dossier, GamePages, Record, failed, place_of, record_of
from .batch import Work
from .discover import GivenToAll, PartTold

if TYPE_CHECKING:
    from ..logs.chain import Chain, LogRead


_TWO = 2


@dataclass
class _Game:
    """Logs of one game so far, with who plays it."""

    legs: list[Leg]
    players: set[str] = field(default_factory=set)

    def takes(self, leg: Leg, players: set[str]) -> bool:
        """Whether these players may be those of this game."""
        together = self.players | players
        nested = self.players <= players or players <= self.players
        return nested or (bool(self.players & players) and len(together) <= _TWO) or len(together) <= _TWO

    def add(self, leg: Leg, players: set[str]) -> None:
        self.legs.append(leg)
        self.players |= players


def games_in(logs: Sequence[LogRead]) -> list[list[LogRead]]:
    """The games that logs are of, each in the order of play; `logs` are in the order in which they were written."""
    from ..judging.chain import order_of
    from ..logs.wrong_phase import hand_of

    modules: dict[str, list[_Game]] = {}
    for log in logs:
        leg, players = Leg(log, hand_of(log)), _players(log)
        games = modules.setdefault(log.game.module.name if log.game.module else "", [])
        game = _of(leg, players, games)
        if game is None:
            game = _Game([])
            games.append(game)
        game.add(leg, players)
    found = [game for games in modules.values() for game in games]
    return [[leg.log for leg in order_of(game.legs) or game.legs] for game in found]


def _of(leg: Leg, players: set[str], games: Sequence[_Game]) -> _Game | None:
    """The game that a log goes on from; else the one of its players; None for the first of a game."""
    able = [game for game in reversed(games) if game.takes(leg, players)]
    for game in able:
        if any(other.ends == leg.begins for other in game.legs):
            return game
    shared = [game for game in able if game.players & players]
    return shared[0] if shared else None


def _players(log: LogRead) -> set[str]:
    from ..logs.wrong_phase import hand_of

    seated = {name.casefold() for name, _ in (*log.start.players, *log.end.players)}
    hand = hand_of(log).casefold()
    return {name for name in (*seated, hand) if name}


@dataclass(frozen=True)
class FinishedGame:
    """A game that is done: its record, and its pages by their paths within the site."""

    record: Record
    pages: Mapping[str, bytes]


@dataclass(frozen=True)
class AuditDesk:
    """What a process has to know that judges for an audit: as `Manner`, and `roots`, the folders searched."""

    languages: tuple[Language, ...]
    roots: tuple[str, ...] = ()
    options: Mapping[str, str] | None = None
    module: str | None = None
    salvage: bool = False
    title: str = ""
    replays: bool = True

    def judge(self) -> Callable[[Work], PartTold]:
        """What judges a game; its part is a list of `FinishedGame`, for a heap of logs may hold several."""
        return Clerk(self).judged

    def relative(self, text: str) -> str:
        """A text without the folders that were searched: a site shows nobody where on a disk it was made."""
        return without_folders(text, self.roots)

    @property
    def mark(self) -> str:
        """A mark of what the records of this desk are made by."""
        known = (
            self.languages,
            sorted((self.options or {}).items()),
            self.module,
            self.salvage,
            self.title,
            self.replays,
        )
        return hashlib.sha256(repr(known).encode()).hexdigest()


class Clerk:
    """Judges games, one after the other; the drawings that their pages share are made once."""

    def __init__(self, desk: AuditDesk) -> None:
        self.desk = desk
        self.pages = GamePages(desk.languages, desk.title, replays=desk.replays, said=desk.relative)

    def judged(self, work: Work) -> PartTold:
        """What becomes of one. Whatever goes wrong in it is its own failure, and nobody else's."""
        try:
            done = [self._done(game, work) for game in self._games(work)]
        except (HexforgeError, OSError) as error:
            return PartTold(work.source, error=error)
        except Exception as error:
            what = message("audit.failed", file=work.source, what=f"{type(error).__name__}: {error}"[:300])
            return PartTold(work.source, error=HexforgeError(what))
        return PartTold(
            work.source,
            done,
            illegal=any(one.record["verdict"] == "illegal" for one in done),
            unread=any(one.record["counts"]["unread"] for one in done),
        )

    def _done(self, game: Dossier, work: Work) -> FinishedGame:
        logs = [log.path for log in game.chain.logs] if game.chain is not None else []
        source = " ".join(logs) or work.source
        known = hashlib.sha256(f"{work.place}\n{self.desk.relative(source)}".encode("utf-8", "replace"))
        # Logs in mails are called as their senders did, by names that other mails have too.
        for log in work.logs:
            known.update(b"" if isinstance(log, str) else log.data)
        key = known.hexdigest()[:16]
        made = record_of(game, key, source, self.desk.languages)
        record: Record = json.loads(self.desk.relative(json.dumps(made, ensure_ascii=False)))
        pages = self.pages.of(record, game.answer)
        told = {
            path: self.desk.relative(page).encode("utf-8", "replace") if isinstance(page, str) else page
            for path, page in pages.items()
        }
        return FinishedGame(record, told)

    def _games(self, work: Work) -> Iterator[Dossier]:
        from ..judging.check import judge_chain

        name, round_ = place_of(work, self.desk.roots)
        if not work.logs:
            yield _with_game_name(Dossier(work.answer(), name, round_))
            return

        chains = list(self._chains(work))
        for chain in chains:
            source = " ".join(log.path for log in chain.logs)
            answer = judge_chain(chain, source, self.desk.options, salvage=self.desk.salvage)
            called = name if len(chains) == 1 else f"{name} ({chain.logs[0].name})"
            yield _with_game_name(Dossier(replace(answer, reread=partial(_same, chain)), called, round_, chain))

    def _chains(self, work: Work) -> Iterator[Chain]:
        """The games that a heap of logs holds."""
        from ..logs.chain import chain_of, read_chain
        from ..logs.locations import read_marks

        whole = read_chain(work.logs, module=self.desk.module, salvage=self.desk.salvage)
        games = games_in(whole.logs) if len(whole.logs) > 1 else [list(whole.logs)]
        if len(games) == 1 and games[0] == list(whole.logs):
            yield whole
            return
        for logs in games:
            marks = next((m for log in logs if (m := read_marks(log.game.module))), None)
            yield chain_of(logs, whole.module, marks, whole.archive)


def _same(chain: Chain) -> Chain:
    """The logs, which need not be read once more while they are at hand."""
    return chain


def _with_game_name(game: Dossier) -> Dossier:
    told = game.answer.tournament or {}
    return replace(game, name=str(told.get("game") or game.name))


def failure(desk: AuditDesk, work: Work, error: Exception) -> Record:
    """The record of a game that could not be judged."""
    name, round_ = place_of(work, desk.roots)
    key = hashlib.sha256(work.place.encode("utf-8", "replace")).hexdigest()[:16]
    why = {lang: desk.relative(_why(error, Words(lang))) for lang in desk.languages}
    return failed(key, desk.relative(work.source), name, round_, why)


def _why(error: Exception, words: Words) -> str:
    if isinstance(error, HexforgeError):
        return words.say(error.message)
    what: Any = refused(error) if isinstance(error, OSError) else str(error)
    return words.say(what) if isinstance(what, Message) else str(what)


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
