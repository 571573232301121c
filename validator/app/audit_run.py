"""An audit from end to end: what there is to judge, what of it is judged already, the rest, and the site.

The site of a round, written from its records: pages in every language, a style, and what to take away.

The round as files to take away: a workbook, tables as CSV, and JSON, each written as it is read.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from ...scenarios.console import folders_of, require, safe, safe_json
from ...scenarios.text.files import put
from ...scenarios.text.words import HexforgeError, Language, Message, Words, languages, message
from ..judging.replayed import program
from ..reading import tournament
from ..report.pages import page, spool, style
from ..report.workbook import WorkbookPage, opened
from ..rules.findings import SEVERITIES
from .audit_record import Record, site_pieces
from .audit_result_cache import Store
from .audit_runner import AuditDesk, failure, results
from .audit_standings import WORST, GamePoints, Standings, Totals
from .batch import Judging, Work
from .discover import PartTold, apart, pool_of, processors

if TYPE_CHECKING:
    from ...scenarios.schema.tournament import TournamentFile


Cell: TypeAlias = "str | int | float | None"
Rows: TypeAlias = Iterator[tuple[str, list[Cell]]]
"""What colours each row, and its cells."""
_GAMES: Final = (
    "round", "name", "source", "game", "verdict", *SEVERITIES, "turn", "players", "score", "chain", "program",
    "version", "hash", "options", "tournament",
)  # fmt: skip
_FINDINGS: Final = (
    "round", "name", "at", "line", "turn", "phase", "side", "player", "severity", "rule", "code", "quote",
    "message", "figures", "ruling",
)  # fmt: skip
_THROWS: Final = (
    "round", "name", "player", "side", "button", "turn", "phase", "purpose", "log", "place", "faces", "sides",
    "undone", "how",
)  # fmt: skip
_CHAIN: Final = ("round", "name", "file", "step", "severity", "kind", "message")
_STANDINGS: Final = ("player", "points", "played", "won", "drawn", "lost", "open", "illegal")
_BEGINS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a formula of a cell, in programs that take a table of texts for one of formulas."""
_WORKBOOK: Final = "results.xlsx"
_DIGITS: Final = 12
"""Of the hash of a game's files."""
_PIECE: Final = 1 << 16
"""Bytes that are given out at a time."""
_IN_MEMORY: Final = 1 << 16
"""Bytes of each file that are held before it lies on the disk."""


def as_json(records: Iterable[Record]) -> Iterator[bytes]:
    """A list of all records."""
    mark = "[\n"
    for record in records:
        told = {key: value for key, value in record.items() if key != "pages"}
        yield safe_json(mark + json.dumps(told, ensure_ascii=False)).encode("utf-8", "replace")
        mark = ",\n"
    yield b"[]\n" if mark.startswith("[") else b"\n]\n"


def _harmless(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = safe(cell)
    return f"'{text}" if text.startswith(_BEGINS) else text


def write_tables(folder: Path, records: Iterable[Record], language: Language, points: GamePoints | None) -> None:
    """Write all tables of a language into a folder, reading each record once. Raises OSError.

    A table lies there by itself, with a mark by which spreadsheets know its letters, and as a page of the workbook,
    which has the standings behind them.
    """
    w, people = Words(language), Standings(points)
    with ExitStack() as open_files:
        files = {name: open_files.enter_context(spool(_IN_MEMORY)) for name in (*TABLES, _WORKBOOK)}
        with opened(files[_WORKBOOK], w("audit.title")) as (book, looks):

            def page(name: str, heads: Sequence[str]) -> WorkbookPage:
                named = tuple(w(f"audit.column.{head}") for head in heads)
                # What all was judged by is on every row, and the same on nearly all.
                printed = heads.index("program") if "program" in heads else None
                return WorkbookPage(book.add_worksheet(w(f"audit.{name}")), named, looks, printed)

            pages = {name: page(f"table.{name}", heads) for name, (heads, _) in TABLES.items()}
            for name, (heads, _) in TABLES.items():
                files[name].write(codecs.BOM_UTF8 + _line([w(f"audit.column.{head}") for head in heads]))
            for record in records:
                people.add(record)
                for name, (_, rows) in TABLES.items():
                    for mark, cells in rows(record, language):
                        pages[name].add((mark, tuple(cells)))
                        files[name].write(_line(cells))
            for done in pages.values():
                done.close()
            standings = page("standings", _STANDINGS)
            for p in people.standings():
                shown = (p.name, p.points, p.played, p.won, p.drawn, p.lost, p.open, p.counts["illegal"])
                standings.add(("", shown))
            standings.close()
        for name, file in files.items():
            file.seek(0)
            put(folder / (f"{name}.csv" if name in TABLES else name), iter(partial(file.read, _PIECE), b""))


def _line(cells: Iterable[Cell]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerow([_harmless(cell) for cell in cells])
    return out.getvalue().encode("utf-8", "replace")


# ------------------------------------------------------------------------------------------------ rows


def _game_rows(record: Record, lang: Language) -> Rows:
    shade = str(record.get("shade", "unread"))
    head = [record["round"], record["name"], record["source"]]
    if "error" in record:
        yield shade, [*head, "", record["error"].get(lang, ""), *[None] * (len(_GAMES) - 5)]
        return
    chain, edition = record["chain"], record["scenario"]
    w = Words(lang)
    whole = "" if chain is None else w("audit.whole" if chain["sound"] else "audit.broken")
    ruled = record["ruled"].get(lang, "") if record["tournament"] else ""
    yield shade, [
        *head, record["game"], record["told"].get(lang, ""), *record["counts"].values(), record["turn"] or None,
        _by_side(record["players"], record, lang), _by_side(record["score"], record, lang), whole,
        record["program"], edition["version"], edition["hash"][:_DIGITS], _pairs(record["options"], "="), ruled,
    ]  # fmt: skip


def _pairs(found: dict[str, Any], mark: str = ": ") -> str:
    return ", ".join(f"{key}{mark}{value}" for key, value in found.items())


def _by_side(found: dict[str, Any], record: Record, lang: Language) -> str:
    return _pairs({record["sides"].get(side, {}).get(lang) or side: value for side, value in found.items()})


def _finding_rows(record: Record, lang: Language) -> Rows:
    w = Words(lang)
    for f in record.get("findings", ()):
        phase, side, *said = (f[key].get(lang, "") for key in ("phase", "side", "message", "figures", "ruling"))
        when = f["turn"] or None, phase, side, f["player"]
        plain = (w(f"report.severity.{f['severity']}"), *(f[key] for key in ("rule", "code", "quote")))
        yield f["severity"], [record["round"], record["name"], f["at"], f["line"], *when, *plain, *said]


def _throw_rows(record: Record, lang: Language) -> Rows:
    w = Words(lang)
    heading = cache(w.heading)
    for t in record.get("throws", ()):
        faces = " ".join(map(str, t["faces"]))
        side = record["sides"].get(t["side"], {}).get(lang) or t["side"]
        sections = (("button", "statements"), ("phase", "phases"), ("purpose", "statements"))
        button, phase, purpose = (heading(section, t[key]) if t[key] else "" for key, section in sections)
        plain = t["player"], side, button, t["turn"] or None, phase, purpose, t["log"], t["place"]
        yield (
            "",
            [
                record["round"],
                record["name"],
                *plain,
                faces,
                t["sides"],
                int(t["undone"]),
                w(f"dice.thrown.{t['how']}"),
            ],
        )


def _chain_rows(record: Record, lang: Language) -> Rows:
    w = Words(lang)
    chain = record.get("chain") or {"findings": ()}
    for f in chain["findings"]:
        plain = (f["file"], f["step"], w(f"report.severity.{f['severity']}"), f["kind"])
        yield f["severity"], [record["round"], record["name"], *plain, f["message"].get(lang, "")]


TABLES: Final[dict[str, tuple[tuple[str, ...], Callable[[Record, Language], Rows]]]] = {
    "games": (_GAMES, _game_rows),
    "findings": (_FINDINGS, _finding_rows),
    "dice": (_THROWS, _throw_rows),
    "chain": (_CHAIN, _chain_rows),
}
"""Tables by name: the keys of their columns, and the rows that a record gives."""


_PAGES: Final = ("index", "findings", "dice", "chain", "standings")

Records: TypeAlias = Callable[[], Iterable[Record]]


def write_site(
    site: Path,
    records: Records,
    languages: Sequence[Language],
    *,
    title: str = "",
    points: GamePoints | None = None,
    skipped: Callable[[Language], Sequence[str]] = lambda _: (),
    jobs: int = 1,
) -> Totals:
    """Write all pages but those of games. Raises OSError.

    `records` gives the records anew each time; with several `jobs` in other processes too.
    """
    with _tables(site, records, languages, points, min(jobs, len(languages))):
        totals = Totals(points)
        for record in records():
            totals.add(record)
        _pages(site, totals, languages, title, skipped)
        put(site / "results.json", as_json(records()))
    return totals


def _pages(
    site: Path,
    totals: Totals,
    languages: Sequence[Language],
    title: str,
    skipped: Callable[[Language], Sequence[str]],
) -> None:
    from ..report.dice_report import SurveyTold

    put(site / "style.css", style().encode())
    put(site / "index.html", page("audit_door.html.j2", Words(languages[0]), languages=languages).encode())
    survey = totals.survey()
    for language in languages:
        words = Words(language)
        values: dict[str, Any] = {
            "totals": totals,
            "severities": SEVERITIES,
            "worst": WORST,
            "survey": survey,
            "dice": SurveyTold(survey, words),
            "skipped": skipped(language),
            "program": program(),
        }
        for name in _PAGES:
            path = f"{name}.html"
            text = site_pieces(f"audit_{name}.html.j2", language, languages, title, here=path, **values)
            put(site / language / path, (piece.encode("utf-8", "replace") for piece in text))


@contextmanager
def _tables(
    site: Path, records: Records, languages: Sequence[Language], points: GamePoints | None, jobs: int
) -> Iterator[None]:
    """Have what is to be taken away written, while pages are, each language by a process of its own."""
    if jobs == 1:
        for language in languages:
            _write(site, records, points, language)
        yield
        return
    with pool_of(jobs, partial(partial, _write, site, records, points)) as processes:
        pending = [processes.submit(language) for language in languages]
        yield
        for future in pending:
            future.result().taken()


def _write(site: Path, records: Records, points: GamePoints | None, language: Language) -> None:
    write_tables(site / language, records(), language, points)


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
        skipped=lambda language: [desk.relative(Words(language).say(what)) for what in skipped],
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
        own = self.desk.relative(work.source)
        first = self.contents.setdefault(content, own)
        if first is own:
            return False
        self.copies.append(message("chain.note.same-file", earlier=first, later=own))
        self.done += 1
        self._tell()
        return True

    def _place(self, work: Work) -> str:
        """What a game is known by: its place in the folder that was named, and there may be several of these."""
        place = self.desk.relative(work.source)
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
    for path in plan.paths:
        if (found := tournament.whole(path)) is not None:
            return found
    return None
