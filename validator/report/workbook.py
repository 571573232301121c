"""Answers as a spreadsheet (`.xlsx`): who audits a tournament sorts, filters and counts in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hexforge.scenarios.words import Words
from hexforge.validator.referee.findings import Figure, doubts_told, points
from hexforge.validator.report import wording
from hexforge.validator.report.answer import SEVERITIES, Answer
from hexforge.validator.report.plain import clipped, safe

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook

Cell: TypeAlias = int | float | str | None
Row: TypeAlias = tuple[str, tuple[Cell, ...]]
"""What colours a row (a severity, or ""), and its cells."""

_LONGEST: Final = 32_000
"""Characters that a cell can hold, nearly."""
_ROWS: Final = 1_000_000
_WIDEST: Final = 70
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
class Table:
    """One sheet of the workbook: its name, the heads of its columns, and rows, each with what colours it."""

    name: str
    heads: tuple[str, ...]
    rows: list[Row]


def write_workbook(
    answers: Sequence[Answer],
    failures: Sequence[tuple[str, str]],
    words: Words,
    *,
    skipped: Sequence[tuple[str, str]] = (),
) -> bytes:
    """A workbook with a row for each sheet, finding, combat, move and unit; the same answers, the same bytes."""
    from xlsxwriter.workbook import Workbook

    data = BytesIO()
    # What players write may begin as a formula or an address does, and is neither.
    book = Workbook(
        data,
        {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    book.set_properties({"title": words("report.title"), "created": _EPOCH})
    head = book.add_format({"bold": True, "bottom": 1, "valign": "top"})
    looks = {mark: book.add_format({"bg_color": c, "valign": "top"}) for mark, c in _COLOURS.items()}
    plain = book.add_format({"valign": "top"})
    for table in tables(answers, failures, words, skipped=skipped):
        _write(book, table, head, looks, plain)
    book.close()
    return data.getvalue()


def tables(
    answers: Sequence[Answer],
    failures: Sequence[tuple[str, str]],
    words: Words,
    *,
    skipped: Sequence[tuple[str, str]] = (),
) -> Iterator[Table]:
    """What the workbook holds."""
    spoken = [(answer, answer.words(words.language)) for answer in answers]
    ruled = any(a.tournament for a in answers)
    summary = [(a.verdict, (*_summary(a, w), *([wording.tournament(a, w)] if ruled else ()))) for a, w in spoken]
    unread: list[Row] = [
        ("unread", (source, "", words("report.unreadable"), *[None] * len(SEVERITIES), None, why))
        for source, why in failures
    ]
    severities = tuple(words(f"report.severities.{severity}") for severity in SEVERITIES)
    yield Table(
        words("report.page.summary"),
        (
            *_heads(words, ("file", "game", "verdict")),
            *severities,
            *_heads(words, ("turn", "score", *(("ruled",) if ruled else ()))),
        ),
        [*summary, *unread],
    )
    pages: dict[str, tuple[tuple[str, ...], Callable[[Answer, Words], Iterator[Row]]]] = {
        "findings": (
            (
                "file",
                "log",
                "log-step",
                "line",
                "severity",
                "rule",
                "code",
                "quote",
                "message",
                "declared",
                "computed",
                "hex",
                "units",
                "rests-on",
                "ruled",
            ),
            _findings,
        ),
        "combats": (
            (
                "file",
                "line",
                "kind",
                "hex",
                "attack",
                "defence",
                "odds",
                "value",
                "shifts",
                "column",
                "roll",
                "result",
                "units",
            ),
            _combats,
        ),
        "moves": (("file", "line", "units", "way", "cost", "left"), _moves),
        "actions": (
            ("file", "line", "turn", "phase", "side", "player", "action", "units", "hex", "dice"),
            _actions,
        ),
        "position": (("file", "unit", "hex", "step", "where"), _position),
        "score": (("file", "side", "points"), _score),
    }
    for name, (heads, rows) in pages.items():
        found = [row for a, w in spoken for row in rows(a, w)]
        yield Table(words(f"report.page.{name}"), _heads(words, heads), found)
    aside: list[Row] = [row for a, w in spoken for row in _aside(a, w)]
    aside += [("", (source, None, why, None)) for source, why in skipped]
    if aside:
        yield Table(words("report.page.aside"), _heads(words, ("file", "line", "message", "quote")), aside)


def _heads(words: Words, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(words(f"report.head.{name}") for name in names)


def _summary(answer: Answer, w: Words) -> tuple[Cell, ...]:
    turn = answer.position.turn if answer.position else None
    verdict = wording.verdict(answer, w)
    score = wording.purse(answer.score, w)
    return answer.source, answer.game, verdict, *answer.counts.values(), turn or None, score


def _findings(answer: Answer, w: Words) -> Iterator[Row]:
    for f in answer.findings:
        log, step = answer.steps.get(f.line, ("", None))
        yield (
            f.severity,
            (
                answer.source, log, step, f.line, wording.severity(f, w), f.rule, f.code,
                answer.quote(f.line), w.say(f.message), _cell(f.declared, w), _cell(f.computed, w),
                " ".join(f.hexes), " ".join(f.units), doubts_told(f.rests_on, w), wording.ruling(f, w),
            ),
        )  # fmt: skip


def _cell(value: Figure, w: Words) -> Cell:
    return None if value is None else wording.figure(value, w)


def _combats(answer: Answer, w: Words) -> Iterator[Row]:
    for c in answer.combats:
        parts = "; ".join(w("report.sum", label=label, terms=terms) for label, terms in wording.sums(c, w))
        yield (
            "",
            (
                answer.source, c.line, w(f"report.kind.{c.kind}"), " ".join(c.target), c.attack, c.defence, c.odds,
                c.value, "; ".join(wording.shifts(c, w)), c.column, c.roll, c.result, parts,
            ),
        )  # fmt: skip


def _moves(answer: Answer, w: Words) -> Iterator[Row]:
    for m in answer.moves:
        yield "", (answer.source, m.line, " ".join(m.units), " ".join(m.path), points(m.cost), points(m.left))


def _actions(answer: Answer, w: Words) -> Iterator[Row]:
    for a in answer.actions:
        yield (
            "",
            (
                answer.source, a.line, a.turn, w.heading("phases", a.phase), w.heading("sides", a.side),
                answer.players.get(a.side, ""), answer.told(a, w.language), " ".join(a.units), " ".join(a.hexes),
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


def _write(book: Workbook, table: Table, head: Format, looks: dict[str, Format], plain: Format) -> None:
    page = book.add_worksheet(table.name)
    widths = [len(name) + 3 for name in table.heads]
    for column, name in enumerate(table.heads):
        page.write_string(0, column, name, head)
    for number, (mark, cells) in enumerate(table.rows[:_ROWS], 1):
        look = looks.get(mark, plain)
        for column, cell in enumerate(cells):
            value = _value(cell)
            widths[column] = max(widths[column], len(str(value)) + 1)
            page.write(number, column, value, look)
    for column, width in enumerate(widths):
        page.set_column(column, column, min(width, _WIDEST))
    page.freeze_panes(1, 0)
    if table.rows:
        page.autofilter(0, 0, len(table.rows), len(table.heads) - 1)


def _value(cell: Cell) -> Any:
    return clipped(safe(cell), _LONGEST) if isinstance(cell, str) else cell
