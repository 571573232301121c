"""Answers as a spreadsheet (`.xlsx`): who audits a tournament sorts, filters and counts in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from traceback import clear_frames
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

from ...scenarios.console import clipped, safe
from ...scenarios.text.words import Words
from ..judging.answer import Answer
from ..rules.findings import SEVERITIES, Figure, doubts_told, points
from ..rules.withdrawal import ActionRecord
from . import wording
from .pages import Rest, spool
from .wording import numbered

if TYPE_CHECKING:
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet


Cell: TypeAlias = int | float | str | None
Row: TypeAlias = tuple[str, tuple[Cell, ...]]
"""What colours a row (a severity, or ""), and its cells."""
_Columns: TypeAlias = tuple[tuple[str, ...], Callable[[Answer, Words], Iterator[Row]]]

_LONGEST: Final = 32_000
"""Characters that a cell can hold, nearly."""
_ROWS: Final = 1_000_000
_PIECE: Final = 1 << 20
"""Bytes that are given out at a time."""
_WIDEST: Final = 150
"""Characters of a line that a column is made for; what is longer is broken in any case."""
_NARROWEST: Final = 9
_PAPER: Final = 220
"""Characters of all columns together that can be read on the breadth of A4."""
_DIGITS: Final = 12
"""Of the hash of a game's files."""
_A4: Final = 9
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
_COLOURS: Final = {
    "illegal": "#f7dcdc",
    "unread": "#e8def2",
    "doubtful": "#f7ebcf",
    "waived": "#dfe6e2",
    "warning": "#f5f0d5",
    "legal": "#dcefdf",
}


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one answer: that of the summary, and all others by page.

    `aside` is what the summary says besides where there is any: rules that are not judged, and what a tournament
    rules.
    """

    summary: Row
    aside: Mapping[str, str]
    pages: Mapping[str, Sequence[Row]]


class WorkbookReport:
    """A workbook with a row for each sheet, finding, combat, move and unit; the same answers, the same bytes."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def part(self, answer: Answer) -> Rows:
        """The rows of one answer."""
        w = answer.words(self.words.language)
        pages = {name: list(rows(answer, w)) for name, (_, rows) in (_PAGES | _ASIDE).items()}
        aside = {
            "not-judged": "; ".join(wording.not_judged(answer.scenario, w)),
            "ruled": wording.tournament(answer, w) if answer.tournament else "",
        }
        return Rows((answer.shade, _summary(answer, w)), aside, pages)

    def whole(self, parts: Iterable[Rows], rest: Rest) -> Iterator[bytes]:
        """The file, piece by piece, when all is in it. Rows wait on the disk."""
        with spool() as file:
            self._write(file, parts, rest)
            file.seek(0)
            yield from iter(lambda: file.read(_PIECE), b"")

    def _write(self, file: IO[bytes], parts: Iterable[Rows], rest: Rest) -> None:
        with opened(file, self.words("report.title")) as (book, looks):
            # The first page is filled last: only in the end it is known whether anything is ruled.
            summary = book.add_worksheet(self.words("report.page.summary"))
            pages = {name: self._page(book, looks, name, heads) for name, (heads, _) in _PAGES.items()}
            rows: list[Rows] = []
            for part in self._placed(parts, pages, book, looks):
                rows.append(replace(part, pages={}))
            if rest.skipped:
                aside = pages.get("aside") or self._page(book, looks, "aside", _ASIDE["aside"][0])
                for source, why in rest.skipped:
                    aside.add(("", (source, None, why, None)))
                pages["aside"] = aside
            self._summary(summary, looks, rows, rest)
            for page in pages.values():
                page.close()

    def _placed(
        self, parts: Iterable[Rows], pages: dict[str, WorkbookPage], book: Workbook, looks: CellLooks
    ) -> Iterator[Rows]:
        """The parts, with their rows on their pages; that of lines set aside begins with the first of them."""
        for part in parts:
            for name, rows in part.pages.items():
                if rows and name not in pages:
                    pages[name] = self._page(book, looks, name, _ASIDE[name][0])
                for row in rows:
                    pages[name].add(row)
            yield part

    def _page(self, book: Workbook, looks: CellLooks, name: str, heads: Iterable[str]) -> WorkbookPage:
        return WorkbookPage(book.add_worksheet(self.words(f"report.page.{name}")), _heads(self.words, heads), looks)

    def _summary(self, sheet: Worksheet, looks: CellLooks, rows: Sequence[Rows], rest: Rest) -> None:
        words = self.words
        aside = [name for name in ("not-judged", "ruled") if any(row.aside[name] for row in rows)]
        severities = (words(f"report.severities.{severity}") for severity in SEVERITIES)
        last = _heads(words, ("turn", "score", "edition", "options", *aside))
        page = WorkbookPage(sheet, (*_heads(words, ("file", "game", "verdict")), *severities, *last), looks)
        for row in rows:
            mark, cells = row.summary
            page.add((mark, (*cells, *(row.aside[name] for name in aside))))
        for source, why in rest.failures:
            page.add(("unread", (source, "", words("report.unreadable"), *[None] * len(SEVERITIES), None, why)))
        page.close()


def write_workbook(
    answers: Iterable[Answer],
    failures: Sequence[tuple[str, str]],
    words: Words,
    *,
    skipped: Sequence[tuple[str, str]] = (),
) -> bytes:
    """`WorkbookReport` of answers that are at hand."""
    report = WorkbookReport(words)
    return b"".join(report.whole(map(report.part, answers), Rest(failures, skipped)))


@contextmanager
def opened(file: IO[bytes], title: str) -> Iterator[tuple[Workbook, CellLooks]]:
    """A workbook that is written into a file and finished where the block ends; the same rows give the same bytes.

    Rows wait in a folder of its own, which is gone however the block ends. Raises OSError for a full disk.
    """
    import tempfile

    from xlsxwriter.exceptions import FileCreateError
    from xlsxwriter.workbook import Workbook

    # What players write may begin as a formula or an address does, and is neither.
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with tempfile.TemporaryDirectory(prefix="hexforge-", ignore_cleanup_errors=True) as folder:
        book = Workbook(file, {"constant_memory": True, "tmpdir": folder, **plain})
        book.set_properties({"title": title, "created": _EPOCH})
        try:
            yield book, CellLooks(book)
            book.close()
        except FileCreateError as error:
            refusal = error.args[0]
            # The archive that was begun ends itself when it is forgotten, which wants a file and room for it.
            file.seek(0)
            file.truncate()
            clear_frames(refusal.__traceback__)
            raise OSError(refusal.errno, refusal.strerror) from None


class CellLooks:
    """How cells look: those of a head, and those of rows by what colours them."""

    def __init__(self, book: Workbook) -> None:
        broken: dict[str, Any] = {"valign": "top", "text_wrap": True}
        self.head = book.add_format({"bold": True, "bottom": 1, **broken})
        self.rows = {mark: book.add_format({"bg_color": c, **broken}) for mark, c in _COLOURS.items()}
        self.plain = book.add_format(broken)
        self.aside = book.add_format({"valign": "top"})


class WorkbookPage:
    """One sheet of the workbook, which takes its rows one after the other.

    Of its columns the first `printed` go on paper, by default all; the others are for the screen alone.
    """

    def __init__(
        self, sheet: Worksheet, heads: tuple[str, ...], looks: CellLooks, printed: int | None = None
    ) -> None:
        self.sheet, self.heads, self.looks = sheet, heads, looks
        self.printed = len(heads) if printed is None else printed
        self.widths = [len(name) + 3 for name in heads]
        self.count = 0
        for column, name in enumerate(heads):
            sheet.write_string(0, column, name, looks.head)

    def add(self, row: Row) -> None:
        """Write a row below the others, if there is room."""
        if self.count >= _ROWS:
            return
        self.count += 1
        mark, cells = row
        look = self.looks.rows.get(mark, self.looks.plain)
        for column, cell in enumerate(cells):
            if column == self.printed:
                look = self.looks.aside
            value = _value(cell)
            self.widths[column] = max(self.widths[column], len(str(value)) + 1)
            if value is None or value == "":
                self.sheet.write_blank(self.count, column, None, look)
            elif isinstance(value, str):
                self.sheet.write_string(self.count, column, value, look)
            else:
                self.sheet.write_number(self.count, column, value, look)

    def close(self) -> None:
        """Set what depends on all rows."""
        widths = (*breadths(self.widths[: self.printed]), *(min(w, 40) for w in self.widths[self.printed :]))
        for column, width in enumerate(widths):
            self.sheet.set_column(column, column, width)
        self.sheet.freeze_panes(1, 0)
        self._for_paper()
        if self.count:
            self.sheet.autofilter(0, 0, self.count, len(self.heads) - 1)

    def _for_paper(self) -> None:
        """As wide as the paper, the heads on every leaf, and the leaves numbered."""
        self.sheet.set_landscape()
        self.sheet.set_paper(_A4)
        self.sheet.fit_to_pages(1, 0)
        self.sheet.repeat_rows(0)
        if self.printed < len(self.heads):
            self.sheet.print_area(0, 0, self.count, self.printed - 1)
        self.sheet.set_footer("&L&A&R&P / &N")


def breadths(needed: Sequence[int]) -> list[int]:
    """How wide columns are that need so many characters: as many, or what the paper has room for.

    Where it is too little, long texts give way more than short ones, which are hard to read broken.
    """
    wanted = [min(width, _WIDEST) for width in needed]
    share = float(_WIDEST)
    while True:
        found = [min(width, max(_NARROWEST, int(share * width**0.5))) for width in wanted]
        if sum(found) <= _PAPER or all(width <= _NARROWEST for width in found):
            return found
        share *= 0.97


def _heads(words: Words, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(words(f"report.head.{name}") for name in names)


def _summary(answer: Answer, w: Words) -> tuple[Cell, ...]:
    turn = answer.position.turn if answer.position else None
    verdict = wording.verdict(answer, w)
    score = wording.purse(answer.score, w)
    options = ", ".join(f"{name}={value}" for name, value in sorted(answer.edition.options.items()))
    made = wording.edition(answer, w, _DIGITS)
    return answer.source, answer.game, verdict, *answer.counts.values(), turn or None, score, made, options


def _findings(answer: Answer, w: Words) -> Iterator[Row]:
    for f in answer.findings:
        log, step = answer.steps.get(f.line, ("", None))
        yield (
            f.severity,
            (
                answer.source, log, step, f.line, *_when(answer, f.line, w), wording.severity(f, w), f.rule, f.code,
                answer.quote(f.line), w.say(f.message), _cell(f.declared, w), _cell(f.computed, w),
                " ".join(f.hexes), " ".join(f.units), doubts_told(f.rests_on, w), wording.ruling(f, w),
            ),
        )  # fmt: skip


def _when(answer: Answer, line: int, w: Words) -> tuple[Cell, ...]:
    """Turn, phase, side and player of a line; nothing of what stands before the first phase."""
    phase = answer.phase_of(line)
    if phase is None:
        return None, None, None, None
    turn, side, kind, number = phase
    return turn, numbered(kind, number, w), w.heading("sides", side), answer.players.get(side)


def _phase(answer: Answer, action: ActionRecord, w: Words) -> str:
    played = answer.phase_of(action.line)
    return numbered(played.kind, played.number, w) if played else numbered(action.phase, 0, w)


def _cell(value: Figure, w: Words) -> Cell:
    return None if value is None else wording.figure(value, w)


def _combats(answer: Answer, w: Words) -> Iterator[Row]:
    for c in answer.combats:
        parts = "; ".join(w("report.sum", label=label, terms=terms) for label, terms in wording.sums(c, w))
        yield (
            "",
            (
                answer.source, c.line, *_when(answer, c.line, w), w(f"report.kind.{c.kind}"), " ".join(c.target),
                c.attack, c.defence, c.odds,
                c.value, "; ".join(wording.shifts(c, w)), c.column, c.roll, c.result, parts,
            ),
        )  # fmt: skip


def _moves(answer: Answer, w: Words) -> Iterator[Row]:
    for m in answer.moves:
        way = " ".join(m.units), " ".join(m.path), points(m.cost), points(m.left)
        yield "", (answer.source, m.line, *_when(answer, m.line, w), *way)


def _actions(answer: Answer, w: Words) -> Iterator[Row]:
    for a in answer.actions:
        yield (
            "",
            (
                answer.source, a.line, a.turn, _phase(answer, a, w), w.heading("sides", a.side),
                answer.players.get(a.side, ""), answer.action_line(a, w.language),
                " ".join(a.units), " ".join(a.hexes),
                " ".join(map(str, a.dice)),
            ),
        )  # fmt: skip


def _position(answer: Answer, w: Words) -> Iterator[Row]:
    for unit, state in sorted(answer.position.units.items()) if answer.position else ():
        if state.hex is not None or state.where != "absent" or unit in answer.shown:
            where = "" if state.hex else w.term("where", state.where or "absent")
            yield "", (answer.source, unit, state.hex, w(f"report.step.{state.step}"), where)


def _aside(answer: Answer, w: Words) -> Iterator[Row]:
    """Lines that were not judged, and what of a mail was not read."""
    for where, why, quotes in wording.account(answer, w):
        yield "", (answer.source, where, why, "\n".join(quotes))
    for what in wording.aside(answer, w):
        yield "", (answer.source, None, what, None)


def _score(answer: Answer, w: Words) -> Iterator[Row]:
    for side, number in sorted(answer.score.items()):
        yield "", (answer.source, w.heading("sides", side), number)


def _value(cell: Cell) -> Any:
    if not isinstance(cell, str):
        return cell
    # A workbook is UTF-8 alone, and what is no letter in it has to be replaced before it is written.
    return clipped(safe(cell), _LONGEST).encode("utf-8", "replace").decode()


_WHEN: Final = ("turn-of", "phase", "side", "player")
_PAGES: Final[dict[str, _Columns]] = {
    "findings": (
        (
            "file", "log", "log-step", "line", *_WHEN, "severity", "rule", "code", "quote", "message", "declared",
            "computed", "hex", "units", "rests-on", "ruled",
        ),
        _findings,
    ),
    "combats": (
        (
            "file", "line", *_WHEN, "kind", "hex", "attack", "defence", "odds", "value", "shifts", "column", "roll",
            "result", "units",
        ),
        _combats,
    ),
    "moves": (("file", "line", *_WHEN, "units", "way", "cost", "left"), _moves),
    "actions": (
        ("file", "line", *_WHEN, "action", "units", "hex", "dice"), _actions,
    ),
    "position": (("file", "unit", "hex", "step", "where"), _position),
    "score": (("file", "side", "points"), _score),
}  # fmt: skip
"""The pages that every workbook has, with the heads of their columns and what gives their rows."""
_ASIDE: Final[dict[str, _Columns]] = {"aside": (("file", "line", "message", "quote"), _aside)}
"""The page that a workbook has where there is anything for it."""
