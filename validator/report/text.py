"""Answers for a terminal: what is wrong under the line that says it, and every combat worked out part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.words import Language
from hexforge.validator.referee.findings import CombatRecord, Finding, MoveRecord, doubts_told, points
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.plain import safe
from hexforge.validator.report.words import Words, counted, figure, words

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario

_RESET: Final = "\x1b[0m"
_STYLES: Final = {
    "illegal": "\x1b[1;31m",
    "doubtful": "\x1b[1;33m",
    "legal": "\x1b[1;32m",
    "warning": "\x1b[33m",
    "info": "\x1b[36m",
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
}


class _Pen:
    """Styles text, or leaves it plain."""

    def __init__(self, language: Language, color: bool, scenario: Scenario | None) -> None:
        self.language = language
        self.words = words(language, scenario)
        self._color = color

    def __call__(self, style: str, text: str) -> str:
        return f"{_STYLES[style]}{text}{_RESET}" if self._color and text else text


def write_text(answers: Sequence[Answer], language: Language, *, quiet: bool = False, color: bool = False) -> str:
    """The report of each sheet, one below the other; below several, the verdict on each."""
    pens = [_Pen(language, color, answer.scenario) for answer in answers]
    lines = [line for answer, pen in zip(answers, pens, strict=True) for line in _sheet(answer, pen, quiet)]
    if len(answers) > 1:
        overview = [_verdict(answer, pen) for answer, pen in zip(answers, pens, strict=True)]
        lines += ["", pens[0]("bold", pens[0].words.overview), *(f"  {line}" for line in overview)]
    return "\n".join(lines) + "\n"


def _verdict(answer: Answer, pen: _Pen) -> str:
    counts = [counted(pen.language, s, n) for s, n in answer.counts.items() if n]
    verdict = pen(answer.verdict, pen.words.verdicts[answer.verdict].upper())
    summary = ", ".join(counts) or pen.words.nothing_wrong
    return f"{pen('bold', safe(answer.source or answer.game))}: {verdict} ({summary})"


def _sheet(answer: Answer, pen: _Pen, quiet: bool) -> Iterator[str]:
    yield _verdict(answer, pen)
    shown = [f for f in answer.findings if not quiet or f.severity in ("illegal", "doubtful")]
    for finding in shown:
        yield from _finding(finding, answer, pen)
    if answer.stopped:
        yield f"  {pen.words.stopped}"
    if quiet:
        return
    if answer.combats:
        yield ""
        yield pen("bold", pen.words.combats)
        for record in answer.combats:
            yield from _combat(record, pen)
    if answer.moves:
        yield ""
        yield pen("bold", pen.words.moves)
        yield from (_move(record, pen) for record in answer.moves)
    yield ""
    yield from _foot(answer, pen)


def _finding(finding: Finding, answer: Answer, pen: _Pen) -> Iterator[str]:
    w, speech = pen.words, answer.words(pen.language)
    kind = w.severities[finding.severity][0]
    where = " ".join(part for part in (f"{w.line} {finding.line}", safe(answer.step(finding.line))) if part)
    head = [pen(finding.severity, kind), where, pen("bold", finding.rule), finding.code]
    yield ""
    yield "  " + "  ".join(part for part in head if part)
    if quote := answer.quote(finding.line):
        yield f"    {pen('dim', '│')} {safe(quote)}"
    yield f"    {safe(speech.say(finding.message))}"
    figures = [
        f"{word} {safe(str(figure(value, pen.language)))}"
        for word, value in ((w.declared, finding.declared), (w.computed, finding.computed))
        if value is not None and finding.code != "syntax"
    ]
    if figures:
        yield f"    {', '.join(figures)}"
    if finding.rests_on:
        yield f"    {w.rests_on} {safe(doubts_told(finding.rests_on, speech))}"


def sums(record: CombatRecord, w: Words) -> list[tuple[str, str]]:
    """Each total with what it is made of: a side (or a bombarded hex), and `11 = a1 4 + a2 4 + a7 3`."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for side, unit, number in record.parts:
        groups.setdefault(side, []).append((unit, number))
    found = []
    for i, (side, items) in enumerate(groups.items()):
        label = w.vulnerability if i and record.kind != "combat" else w.sides.get(side, side)
        terms = " + ".join(f"{w.extras.get(unit, unit)} {number}".strip() for unit, number in items)
        found.append((label, f"{sum(number for _, number in items)} = {terms}"))
    return found


def _shifts(record: CombatRecord, pen: _Pen) -> str:
    w = pen.words
    items = [f"{w.causes.get(s.cause, s.cause)} {s.columns:+d} ({s.rule})" for s in record.shifts]
    if not items:
        return w.no_shift
    net = f"; {w.net} {sum(s.columns for s in record.shifts):+d}" if len(items) > 1 else ""
    return ", ".join(items) + net


def _combat(record: CombatRecord, pen: _Pen) -> Iterator[str]:
    w = pen.words
    target = " ".join(record.target)
    yield f"  {pen('dim', f'{w.line} {record.line}')}  {pen('bold', f'{w.kinds[record.kind]} {target}')}"
    yield from _work(record, pen)


def _work(record: CombatRecord, pen: _Pen) -> Iterator[str]:
    w = pen.words
    rows = sums(record, w)
    width = max((len(label) for label, _ in rows), default=0)
    yield from (f"    {label.ljust(width)}  {terms}" for label, terms in rows)
    if record.kind == "combat":
        start = f"{record.attack}:{record.defence} = {record.odds or '?'}"
    else:
        start = f"{w.value} {record.value}"
    roll = f", {w.roll} {record.roll}" if record.roll is not None else ""
    result = f" → {pen('bold', record.result)}" if record.result else ""
    yield f"    {start}; {_shifts(record, pen)}; {w.column} {record.column or '?'}{roll}{result}"


def worked_out(record: CombatRecord, language: Language, scenario: Scenario) -> list[str]:
    """A combat's computation, part by part, without its place in a sheet."""
    return list(_work(record, _Pen(language, False, scenario)))


def _move(record: MoveRecord, pen: _Pen) -> str:
    w = pen.words
    way = " ".join(record.path)
    price = f"{w.cost} {points(record.cost)}, {w.left} {points(record.left)}"
    return f"  {pen('dim', f'{w.line} {record.line}')}  {' '.join(record.units)}: {way} ({price})"


def _purse(values: Iterable[tuple[str, int]], pen: _Pen) -> str:
    return ", ".join(f"{pen.words.sides.get(side, side)} {number}" for side, number in values)


def part_list(answer: Answer, side: str, language: Language) -> str:
    """What a side's score is made of: `Schmidt 20 + 3 × German 15`."""
    speech = answer.words(language)
    return " + ".join(speech.say(part.told) for part in answer.parts if part.side == side)


def _foot(answer: Answer, pen: _Pen) -> Iterator[str]:
    w = pen.words
    if answer.score:
        for side, number in sorted(answer.score.items()):
            terms = part_list(answer, side, pen.language)
            yield f"{w.score}: {w.sides.get(side, side)} {number}" + (f" = {safe(terms)}" if terms else "")
    if answer.position and any(answer.position.air.values()):
        yield f"{w.air}: {_purse(sorted(answer.position.air.items()), pen)}"
    edition = answer.edition
    data = f", {answer.game} {edition.scenario} ({edition.digest[:12]})" if answer.game else ""
    yield pen("dim", f"{w.edition} {edition.program}{data}")
