"""Answers as a spreadsheet (`.xlsx`): who audits a tournament sorts, filters and counts in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hexforge.scenarios.words import Language
from hexforge.validator.referee.findings import CombatRecord, doubts_told, points
from hexforge.validator.report.answer import SEVERITIES, Answer
from hexforge.validator.report.plain import clipped, safe
from hexforge.validator.report.text import sums
from hexforge.validator.report.words import Words, figure, words

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook

Cell: TypeAlias = int | float | str | None

_LONGEST: Final = 32_000
"""Characters that a cell can hold, nearly."""
_ROWS: Final = 1_000_000
_WIDEST: Final = 70
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
_COLOURS: Final = {"illegal": "#f7dcdc", "doubtful": "#f7ebcf", "warning": "#f5f0d5", "legal": "#dcefdf"}


@dataclass(frozen=True, slots=True)
class Table:
    """One sheet of the workbook: its name, the heads of its columns, and rows, each with what colours it."""

    name: str
    heads: tuple[str, ...]
    rows: list[tuple[str, tuple[Cell, ...]]]


@dataclass(frozen=True, slots=True)
class _Heads:
    summary: str
    findings: str
    file: str
    game: str
    verdict: str
    turn: str
    log: str
    log_step: str
    severity: str
    code: str
    quote: str
    message: str
    kind: str
    side: str
    points: str
    where: str
    position: str


_EN: Final = _Heads(
    "Summary", "Findings", "file", "game", "verdict", "last turn", "log", "log step", "severity", "code",
    "what was written", "what is wrong", "kind", "side", "points", "where", "Position",
)  # fmt: skip
_PT: Final = _Heads(
    "Resumo", "Apontamentos", "arquivo", "jogo", "veredito", "último turno", "registro", "passo", "gravidade",
    "código", "o que foi escrito", "o que está errado", "tipo", "lado", "pontos", "onde", "Posição",
)  # fmt: skip


def write_workbook(answers: Sequence[Answer], failures: Sequence[tuple[str, str]], language: Language) -> bytes:
    """A workbook with a row for each sheet, finding, combat, move and unit; the same answers, the same bytes."""
    from xlsxwriter.workbook import Workbook

    data = BytesIO()
    # What players write may begin as a formula or an address does, and is neither.
    book = Workbook(
        data,
        {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    book.set_properties({"title": words(language).report, "created": _EPOCH})
    head = book.add_format({"bold": True, "bottom": 1, "valign": "top"})
    looks = {mark: book.add_format({"bg_color": c, "valign": "top"}) for mark, c in _COLOURS.items()}
    plain = book.add_format({"valign": "top"})
    for table in tables(answers, failures, language):
        _write(book, table, head, looks, plain)
    book.close()
    return data.getvalue()


def tables(answers: Sequence[Answer], failures: Sequence[tuple[str, str]], language: Language) -> tuple[Table, ...]:
    """What the workbook holds."""
    h = _PT if language == "pt" else _EN
    w = words(language)
    return (
        Table(
            h.summary,
            (h.file, h.game, h.verdict, *(w.severities[k][1] for k in SEVERITIES), h.turn, w.score.lower()),
            [
                *((a.verdict, _summary(a, words(language, a.scenario))) for a in answers),
                *(("illegal", (source, "", w.unreadable, *[None] * 5, message)) for source, message in failures),
            ],
        ),
        Table(
            h.findings,
            (
                h.file, h.log, h.log_step, w.line, h.severity, w.rule, h.code, h.quote, h.message, w.declared,
                w.computed, w.hex, w.units, w.rests_on,
            ),
            [row for a in answers for row in _findings(a, language)],
        ),
        Table(
            w.combats,
            (h.file, w.line, h.kind, w.hex, w.attack, w.defence, w.odds, w.value, w.shifts, w.column, w.roll,
             w.result, w.units),
            [("", _combat(a, c, words(language, a.scenario))) for a in answers for c in a.combats],
        ),
        Table(
            w.moves,
            (h.file, w.line, w.units, w.way, w.cost, w.left),
            [
                ("", (a.source, m.line, " ".join(m.units), " ".join(m.path), points(m.cost), points(m.left)))
                for a in answers
                for m in a.moves
            ],
        ),
        Table(
            h.position,
            (h.file, w.unit, w.hex, w.step, h.where),
            [("", (a.source, *row)) for a in answers for row in _position(a, w)],
        ),
        Table(
            w.score,
            (h.file, h.side, h.points),
            [
                ("", (a.source, words(language, a.scenario).sides.get(side, side), number))
                for a in answers
                for side, number in sorted(a.score.items())
            ],
        ),
    )  # fmt: skip


def _summary(answer: Answer, w: Words) -> tuple[Cell, ...]:
    score = ", ".join(f"{w.sides.get(side, side)} {number}" for side, number in sorted(answer.score.items()))
    turn = answer.position.turn if answer.position else None
    return answer.source, answer.game, w.verdicts[answer.verdict], *answer.counts.values(), turn or None, score


def _findings(answer: Answer, language: Language) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    w = words(language)
    for f in answer.findings:
        log, step = answer.steps.get(f.line, ("", None))
        speech = answer.words(language)
        yield (
            f.severity,
            (
                answer.source, log, step, f.line, w.severities[f.severity][0], f.rule, f.code,
                answer.quote(f.line), speech.say(f.message),
                figure(f.declared, language), figure(f.computed, language),
                " ".join(f.hexes), " ".join(f.units), doubts_told(f.rests_on, speech),
            ),
        )  # fmt: skip


def _combat(answer: Answer, record: CombatRecord, w: Words) -> tuple[Cell, ...]:
    shifts = "; ".join(f"{w.causes.get(s.cause, s.cause)} {s.columns:+d} ({s.rule})" for s in record.shifts)
    parts = "; ".join(f"{label} {terms}" for label, terms in sums(record, w))
    return (
        answer.source, record.line, w.kinds[record.kind], " ".join(record.target), record.attack, record.defence,
        record.odds, record.value, shifts, record.column, record.roll, record.result, parts,
    )  # fmt: skip


def _position(answer: Answer, w: Words) -> Iterator[tuple[Cell, ...]]:
    if answer.position is None:
        return
    for unit, state in sorted(answer.position.units.items()):
        if state.hex is not None or state.where != "absent" or unit in answer.shown:
            yield unit, state.hex, w.steps[state.step], "" if state.hex else w.where.get(state.where, state.where)


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
