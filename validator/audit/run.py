"""An audit from end to end: what there is to judge, what of it is judged already, the rest, and the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from hexforge.scenarios.libraries import require
from hexforge.scenarios.words import HexforgeError, Language, Message, Words, languages, message
from hexforge.validator.audit.clerk import AuditDesk, failure
from hexforge.validator.audit.site import write_site
from hexforge.validator.audit.standings import GamePoints
from hexforge.validator.audit.store import Store
from hexforge.validator.audit.totals import Totals
from hexforge.validator.jobs import PartTold, apart, processors
from hexforge.validator.judging import Judging, Work
from hexforge.validator.report.plain import folders_of

if TYPE_CHECKING:
    from hexforge.scenarios.schema.tournament import TournamentFile

Heard = Callable[[int, int], None]
"""Told how many games are done, and how many there are."""
_FEW: Final = 4
"""Games for which no processes are started."""
_MANY: Final = 100
"""Games beyond which other processes make ready what all need, and write tables while this one writes pages."""


@dataclass
class AuditPlan:
    """Where games are, how they are judged, and by how many.

    `cluster` is the address of a Dask scheduler; `jobs` None: as many processes as there are processors. `again`:
    nothing that is kept is used. `replays`: with pages on which games are played through.
    """

    paths: Sequence[str]
    site: str | Path
    options: Mapping[str, str] = field(default_factory=dict)
    module: str | None = None
    salvage: bool = False
    jobs: int | None = None
    cluster: str | None = None
    again: bool = False
    replays: bool = True
    language: Language = "en"


@dataclass
class Audited:
    """What came of it: the tables, how many games were judged now, and how many were so before.

    `closed`: something that mails and archives carry could not be opened.
    """

    totals: Totals
    judged: int = 0
    known: int = 0
    closed: bool = False


class Inside(HexforgeError):
    """A site that would be written into the folder that is audited."""


def audit(plan: AuditPlan, heard: Heard | None = None) -> Audited:
    """Judge all games and write the site.

    Raises NothingThere, NotASite, Inside, ScenarioError, MissingLibrary, OSError.
    """
    require("xlsx", *(("cluster",) if plan.cluster is not None else ()))
    _apart(plan)
    judging = Judging(plan.paths, plan.options, module=plan.module, salvage=plan.salvage)
    file = _tournament(plan)
    # Files that are named lie in folders of this disk too, which the site is to be silent of.
    roots = folders_of(sorted(plan.paths, key=lambda path: not Path(path).is_dir()))
    title = file.tournament if file else ""
    desk = AuditDesk(
        _languages(plan.language), roots, dict(plan.options), plan.module, plan.salvage, title, plan.replays
    )
    judging.hearers = _jobs(plan, judging.count)
    run = _Run(Store(plan.site, desk, again=plan.again), desk, lambda: judging.count, heard)
    with run.store.tidied():
        return Audited(_written(plan, run, judging, file), run.judged, run.known, judging.closed)


def _written(plan: AuditPlan, run: _Run, judging: Judging, file: TournamentFile | None) -> Totals:
    """Judge all games, and write their pages and those of the whole. Raises OSError."""
    desk = run.desk
    for work, told in _told(plan, desk, run.pending(judging.works(apart=True)), judging.count):
        run.take(work, told)
    for source, error in judging.failures:
        run.fail(Work(source, _unread), error)
    run.store.sweep(run.marks, run.pages)
    skipped = [*run.copies, *(what for _, what in judging.skipped)]
    return write_site(
        run.store.site, partial(run.store.records, run.marks), desk.languages, title=desk.title,
        points=GamePoints(**asdict(file.points)) if file else None,
        skipped=lambda language: [desk.told(Words(language).say(what)) for what in skipped],
        jobs=_jobs(plan, judging.count) if judging.count > _MANY else 1,
    )  # fmt: skip


class _Run:
    """How far an audit is: the marks of all games in the order in which they were found, and their pages."""

    def __init__(self, store: Store, desk: AuditDesk, count: Callable[[], int], heard: Heard | None) -> None:
        self.store, self.desk, self.count, self.heard = store, desk, count, heard
        self.found: dict[str, None] = {}
        self.pages: set[str] = set()
        self.places: Counter[str] = Counter()
        self.contents: dict[bytes, str] = {}
        self.copies: list[Message] = []
        self.judged = self.known = self.done = 0

    @property
    def marks(self) -> list[str]:
        """The marks of all records."""
        return list(self.found)

    def pending(self, works: Iterable[Work]) -> Iterator[Work]:
        """The games that are still to be judged, each with its mark."""
        for found in works:
            work = replace(found, place=self._place(found))
            try:
                mark, content = self.store.mark(work)
            except (HexforgeError, OSError) as error:
                self.fail(work, error)
                continue
            if self._is_copy(work, content):
                continue
            self.found[mark] = None
            records = self.store.known(mark, work)
            if records is None:
                yield replace(work, mark=mark)
                continue
            self.pages.update(page for record in records for page in record["pages"])
            self.known += len(records)
            self.done += 1
            self._tell()

    def _is_copy(self, work: Work, content: bytes) -> bool:
        """Whether another game is the same to the last byte: it counts once, in standings and dice too."""
        own = self.desk.told(work.source)
        first = self.contents.setdefault(content, own)
        if first is own:
            return False
        self.copies.append(message("chain.note.same-file", earlier=first, later=own))
        self.done += 1
        self._tell()
        return True

    def _place(self, work: Work) -> str:
        """What a game is known by: its place in the folder that was named, and there may be several of these."""
        place = self.desk.told(work.source)
        self.places[place] += 1
        return place if self.places[place] == 1 else f"{place}\n{self.places[place]}"

    def take(self, work: Work, told: PartTold) -> None:
        """Keep what became of a game."""
        self.done += 1
        self.judged += len(told.part) if told.error is None else 1
        if told.error is None:
            for record in self.store.keep(work.mark, told.part):
                self.pages.update(record["pages"])
        else:
            self.store.fail(work.mark, failure(self.desk, work, told.error))
        self._tell()

    def fail(self, work: Work, error: Exception) -> None:
        """Keep that a game could not be read at all."""
        work = work if work.place else replace(work, place=self._place(work))
        mark = sha256(f"{work.place}\n{error}".encode("utf-8", "replace")).hexdigest()
        self.found[mark] = None
        self.store.fail(mark, failure(self.desk, work, error))

    def _tell(self) -> None:
        if self.heard is not None:
            self.heard(self.done, self.count())


def _unread() -> NoReturn:
    raise AssertionError


def _told(plan: AuditPlan, desk: AuditDesk, works: Iterator[Work], count: int) -> Iterator[tuple[Work, PartTold]]:
    """What becomes of games: on a cluster, in processes of this machine, or here."""
    if plan.cluster is not None:
        from hexforge.validator.audit.cluster import results

        yield from results(plan.cluster, desk, works)
        return
    jobs = _jobs(plan, count)
    if jobs > 1:
        yield from apart(works, desk.judge, jobs, many=count > _MANY)
    else:
        judge = desk.judge()
        yield from ((work, judge(work)) for work in works)


def _jobs(plan: AuditPlan, count: int) -> int:
    return plan.jobs or (processors() if count > _FEW else 1)


def _languages(first: Language) -> tuple[Language, ...]:
    """All languages, that of the command first."""
    return tuple(dict.fromkeys((first, *languages())))


def _apart(plan: AuditPlan) -> None:
    site = Path(plan.site).resolve()
    for path in plan.paths:
        home = Path(path).resolve()
        if home.is_dir() and site.is_relative_to(home):
            raise Inside(message("audit.inside", site=str(plan.site), path=path))


def _tournament(plan: AuditPlan) -> TournamentFile | None:
    """The director's file of the whole: one that was named, else the one that lies with what is audited."""
    from hexforge.validator import tournament

    for path in plan.paths:
        if (found := tournament.whole(path)) is not None:
            return found
    return None
