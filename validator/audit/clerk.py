"""What judges games for an audit: in this process, in others of this machine, or on others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.words import HexforgeError, Language, Message, Words, message
from hexforge.validator.audit.record import Record, failed, record_of
from hexforge.validator.dossier import Dossier, place_of
from hexforge.validator.jobs import PartTold
from hexforge.validator.judging import Work
from hexforge.validator.report.plain import without_folders

if TYPE_CHECKING:
    from hexforge.validator.transcribe.chain import Chain


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

    def told(self, text: str) -> str:
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
        from hexforge.validator.audit.pages import GamePages

        self.desk = desk
        self.pages = GamePages(desk.languages, desk.title, replays=desk.replays, said=desk.told)

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
        known = hashlib.sha256(f"{work.place}\n{self.desk.told(source)}".encode("utf-8", "replace"))
        # Logs in mails are called as their senders did, by names that other mails have too.
        for log in work.logs:
            known.update(b"" if isinstance(log, str) else log.data)
        key = known.hexdigest()[:16]
        made = record_of(game, key, source, self.desk.languages)
        record: Record = json.loads(self.desk.told(json.dumps(made, ensure_ascii=False)))
        pages = self.pages.of(record, game.answer)
        told = {
            path: self.desk.told(page).encode("utf-8", "replace") if isinstance(page, str) else page
            for path, page in pages.items()
        }
        return FinishedGame(record, told)

    def _games(self, work: Work) -> Iterator[Dossier]:
        name, round_ = place_of(work, self.desk.roots)
        if not work.logs:
            yield _named(Dossier(work.answer(), name, round_))
            return
        from hexforge.validator.transcribe.judged import judge_chain

        chains = list(self._chains(work))
        for chain in chains:
            source = " ".join(log.path for log in chain.logs)
            answer = judge_chain(chain, source, self.desk.options, salvage=self.desk.salvage)
            called = name if len(chains) == 1 else f"{name} ({chain.logs[0].name})"
            yield _named(Dossier(replace(answer, reread=partial(_same, chain)), called, round_, chain))

    def _chains(self, work: Work) -> Iterator[Chain]:
        """The games that a heap of logs holds."""
        from hexforge.validator.audit.heap import games_in
        from hexforge.validator.transcribe.chain import chain_of, read_chain
        from hexforge.validator.transcribe.marks import read_marks

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


def _named(game: Dossier) -> Dossier:
    told = game.answer.tournament or {}
    return replace(game, name=str(told.get("game") or game.name))


def failure(desk: AuditDesk, work: Work, error: Exception) -> Record:
    """The record of a game that could not be judged."""
    name, round_ = place_of(work, desk.roots)
    key = hashlib.sha256(work.place.encode("utf-8", "replace")).hexdigest()[:16]
    why = {lang: desk.told(_why(error, Words(lang))) for lang in desk.languages}
    return failed(key, desk.told(work.source), name, round_, why)


def _why(error: Exception, words: Words) -> str:
    from hexforge.scenarios.system import refused

    if isinstance(error, HexforgeError):
        return words.say(error.message)
    what: Any = refused(error) if isinstance(error, OSError) else str(error)
    return words.say(what) if isinstance(what, Message) else str(what)
