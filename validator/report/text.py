"""Answers for a terminal, turn by turn: what is wrong under the line that says it, every combat part by part.

Lines of a report wrapped to a terminal's width by rich, what follows below what it continues.

An attack before the dice, in words: its computation, the chance of each result, what stands against it.

Answers as Markdown, to be pasted into a forum, a wiki or an issue; nothing of a sheet counts as markup there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

import click

from ...scenarios.console import lined_up, safe
from ...scenarios.text.words import Term, Words
from ..judging.answer import Answer
from ..rules.findings import CombatRecord, Finding, doubts_told
from . import wording
from .pages import Rest
from .wording import Headings

if TYPE_CHECKING:
    from ..rules.combat.preview import Odds


_LEAST: Final = 30
"""Columns below which nothing is wrapped: whoever has so few scrolls."""
_HEAD: Final = re.compile(r"^ *(?:│ |.*?\S {2,}(?=\S))?")
"""What stands before the text of a line: blanks, the bar of a quotation, a first column."""


def wrapped(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines, those that are longer than `width` (0 for none) on several; their colours stay."""
    for line in lines:
        if width < _LEAST or len(plain := click.unstyle(line)) <= width:
            yield line
        else:
            yield from _wrapped(line, plain, width)


def _wrapped(line: str, plain: str, width: int) -> Iterator[str]:
    from rich.console import Console
    from rich.text import Text

    head = len(_HEAD.match(plain)[0])  # type: ignore[index]
    hang = head if 0 < head <= width // 3 else len(plain) - len(plain.lstrip()) + 2
    out = StringIO()
    console = Console(
        file=out, width=width, color_system="standard", force_terminal=True, no_color=False, force_jupyter=False
    )
    text = Text.from_ansi(line)
    first, rest = (text[:hang], text[hang:]) if hang == head else (Text(), text)
    bar = "│ " if plain[:hang].endswith("│ ") else ""
    for number, row in enumerate(rest.wrap(console, width - len(first) if first else width - hang)):
        row.rstrip()
        console.print(first if not number else " " * (hang - len(bar)) + bar, row, sep="", end="\n", soft_wrap=True)
    yield from out.getvalue().splitlines()


STYLES: Final[dict[str, dict[str, Any]]] = {
    "illegal": {"fg": "red", "bold": True},
    "unread": {"fg": "magenta", "bold": True},
    "doubtful": {"fg": "yellow", "bold": True},
    "legal": {"fg": "green", "bold": True},
    "waived": {"fg": "blue", "bold": True},
    "warning": {"fg": "yellow"},
    "info": {"fg": "cyan"},
    "bold": {"bold": True},
    "dim": {"dim": True},
}


@dataclass(frozen=True)
class _Pen:
    """Says what stands in a report in the words of its game, with style or plain."""

    w: Words
    color: bool

    def __call__(self, style: str, text: str) -> str:
        text = safe(text)
        return click.style(text, **STYLES[style]) if self.color and text else text


class TextReport:
    """The report of each sheet; below several, the verdict on each, and below all what was not judged.

    `width`: columns of the terminal that lines are wrapped to, 0 for none. A part is the report of one sheet, and
    the line with its verdict.
    """

    def __init__(self, words: Words, *, quiet: bool = False, color: bool = False, width: int = 0) -> None:
        self.words, self.quiet, self.color, self.width = words, quiet, color, width

    def part(self, answer: Answer) -> tuple[str, str]:
        """What is told of one answer."""
        pen = _Pen(answer.words(self.words.language), self.color)
        lines = wrapped(_sheet(answer, pen, self.quiet), self.width)
        return "".join(f"{line}\n" for line in lines), _verdict(answer, pen)

    def whole(self, parts: Iterable[tuple[str, str]], rest: Rest) -> Iterator[str]:
        """The report of all, as it comes."""
        overview: list[str] = []
        for text, verdict in parts:
            yield text
            overview.append(verdict)
        plain = _Pen(self.words, self.color)
        lines: list[str] = []
        if len(overview) > 1:
            lines += ["", plain("bold", self.words("report.overview")), *(f"  {line}" for line in overview)]
        if rest.skipped:
            skipped = (f"  {safe(what)}" for _, what in rest.skipped)
            lines += ["", plain("bold", self.words("report.skipped")), *skipped]
        yield "".join(f"{line}\n" for line in wrapped(lines, self.width))


def write_text(
    answers: Iterable[Answer],
    words: Words,
    *,
    quiet: bool = False,
    color: bool = False,
    skipped: Sequence[tuple[str, str]] = (),
) -> str:
    """`TextReport` of answers that are at hand."""
    report = TextReport(words, quiet=quiet, color=color)
    return "".join(report.whole(map(report.part, answers), Rest(skipped=skipped))) or "\n"


def _verdict(answer: Answer, pen: _Pen) -> str:
    verdict = pen(answer.shade, wording.verdict(answer, pen.w).upper())
    return f"{pen('bold', answer.source or answer.game)}: {verdict} ({wording.summary(answer, pen.w)})"


def _sheet(answer: Answer, pen: _Pen, quiet: bool) -> Iterator[str]:
    yield _verdict(answer, pen)
    if told := wording.not_judged_in_a_line(answer.scenario, pen.w):
        yield f"  {safe(told)}"
    shown = [f for f in answer.findings if not quiet or f.ruled or f.severity in ("illegal", "unread", "doubtful")]
    when = Headings(answer, pen.w)
    if asked := [f for f in shown if f.asked]:
        yield from ("", pen("bold", pen.w("report.open")))
        yield from (line for finding in asked for line in _finding(finding, answer, pen))
    for heading, found in when.grouped((f.line, f) for f in shown if not f.asked):
        if heading:
            yield from ("", pen("bold", heading))
        for _, finding in found:
            yield from _finding(finding, answer, pen)
    if answer.stopped:
        yield f"  {pen.w('report.stopped')}"
    if quiet:
        return
    if readings := answer.understood:
        yield from ("", pen("bold", pen.w("report.understood")))
        for line, text in readings.items():
            yield f"  {pen('dim', pen.w('report.at', line=line))}  {safe(text)}"
    fought = [(record.line, _combat(record, pen)) for record in answer.combats]
    moved = [(line, [_dated(line, told, pen)]) for line, told in wording.echoes(answer, pen.w)]
    yield from _by_turn(pen("bold", pen.w("report.combats")), when.grouped(fought), pen)
    yield from _by_turn(pen("bold", pen.w("report.moves")), when.grouped(moved), pen)
    thrown = [(line, [_dated(line, said, pen)]) for line, said in wording.sealed(answer, pen.w)]
    yield from _by_turn(pen("bold", pen.w("report.sealed")), when.grouped(thrown), pen)
    yield from _accounts(answer, pen)
    yield from _intake(answer, pen)
    yield ""
    yield from _foot(answer, pen)


def _dated(line: int, told: str, pen: _Pen) -> str:
    return f"{pen('dim', pen.w('report.at', line=line))}  {safe(told)}"


def _by_turn(
    title: str, groups: Iterable[tuple[str, Iterable[tuple[int, Iterable[str]]]]], pen: _Pen
) -> Iterator[str]:
    """A chapter whose items stand below the phases that they belong to; nothing of one without items."""
    for number, (heading, items) in enumerate(groups):
        if not number:
            yield from ("", title)
        if heading:
            yield f"  {pen('bold', heading)}"
        yield from (f"    {line}" for _, lines in items for line in lines)


def _accounts(answer: Answer, pen: _Pen) -> Iterator[str]:
    """What followed, the facts that are taken as they are stated, every account, and what is not judged."""
    effects = [(line, [_dated(line, told, pen)]) for line, told in wording.effects(answer, pen.w)]
    yield from _by_turn(
        pen("bold", pen.w("report.accounts.effects")), Headings(answer, pen.w).grouped(effects), pen
    )
    if facts := wording.facts(answer, pen.w):
        yield from ("", pen("bold", pen.w("report.accounts.facts")))
        yield from (f"  {pen('dim', where)}  {safe(said)}" for where, said in facts)
    if accounts := wording.accounts(answer, pen.w):
        yield from ("", pen("bold", pen.w("report.accounts.title")))
        yield from (f"  {safe(what)}: {safe(told)}" for what, told in accounts)
    if unjudged := wording.unjudged(answer, pen.w):
        yield from ("", f"{pen('bold', pen.w('report.accounts.unjudged'))}: {safe(unjudged)}")


def _finding(finding: Finding, answer: Answer, pen: _Pen) -> Iterator[str]:
    kind = wording.severity(finding, pen.w)
    where = safe(wording.place(finding, answer, pen.w))
    head = [pen(finding.severity, kind), where, pen("bold", finding.rule), finding.code]
    yield ""
    yield "  " + "  ".join(part for part in head if part)
    if quote := answer.quote(finding.line):
        yield f"    {pen('dim', '│')} {safe(quote)}"
    yield f"    {safe(pen.w.say(finding.message))}"
    if figures := wording.figures(finding, pen.w):
        yield f"    {safe(figures)}"
    if ruling := wording.ruling(finding, pen.w):
        yield f"    {pen('bold', ruling)}"
    if finding.rests_on:
        yield f"    {safe(pen.w('report.rests-on', what=doubts_told(finding.rests_on, pen.w)))}"


def _combat(record: CombatRecord, pen: _Pen) -> Iterator[str]:
    line = pen.w("report.at", line=record.line)
    yield f"{pen('dim', line)}  {pen('bold', wording.struck(record, pen.w))}"
    yield from (f"  {line}" for line in _work(record, pen))


def _work(record: CombatRecord, pen: _Pen) -> Iterator[str]:
    yield from lined_up(wording.sums(record, pen.w))
    result = f" → {pen('bold', record.result)}" if record.result else ""
    yield f"{wording.work(record, pen.w)}{result}"


def worked_out(record: CombatRecord, words: Words) -> list[str]:
    """A combat's computation, part by part, without its place in a sheet."""
    return list(_work(record, _Pen(words, False)))


def _intake(answer: Answer, pen: _Pen) -> Iterator[str]:
    """The mails, and every line of them that was not judged, with what became of it."""
    if mails := wording.mails(answer, pen.w):
        yield from ("", pen("bold", pen.w("report.mails")))
        yield from (f"  {safe(mail)}" for mail in mails)
    lines = wording.account(answer, pen.w)
    if lines or answer.intake.aside:
        yield from ("", pen("bold", pen.w("report.account.title")))
    for where, why, quotes in lines:
        yield f"  {pen('dim', where)}  {safe(why)}"
        yield from (f"    {pen('dim', '│')} {safe(quote)}" for quote in quotes)
    yield from (f"  {safe(what)}" for what in wording.aside(answer, pen.w))


def _foot(answer: Answer, pen: _Pen) -> Iterator[str]:
    for side, number in sorted(answer.score.items()):
        parts = wording.part_list(answer, side, pen.w)
        key = "report.score-of" if parts else "report.score"
        yield safe(pen.w(key, side=pen.w.heading("sides", side), points=number, parts=parts))
    if answer.level:
        name = pen.w.value(Term("levels", answer.level.name, answer.level.name.replace("_", " ")))
        yield safe(pen.w("report.level", level=name))
    if air := wording.air_left(answer, pen.w):
        yield air
    if told := wording.tournament(answer, pen.w):
        yield safe(told)
    yield pen("dim", wording.edition(answer, pen.w, 12))


def odds_told(answer: Odds, w: Words) -> Iterator[str]:
    """The lines that tell of an attack that was worked out."""
    yield answer.target
    if not answer.chances:
        yield from _objections(answer, w)
        return
    yield from (f"    {line}" for line in worked_out(answer.record, w))
    yield ""
    rows = [
        (" ".join(c.codes), f"{c.ways}/{c.throws}", w.percent(c.probability), "█" * round(c.probability * 36))
        for c in answer.chances
    ]
    yield from lined_up(rows, right=[1, 2], indent=2, fit=True)
    yield from _objections(answer, w)
    if doubts := answer.ask():
        yield f"  {w('report.rests-on', what=doubts_told(doubts, w))}"


def _objections(answer: Odds, w: Words) -> Iterator[str]:
    """What stands against an attack."""
    for finding in answer.objections:
        yield f"  ! {finding.rule} {w.say(finding.message)}"


_MARKUP: Final = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~&@:$])")
_TICKS: Final = re.compile(r"`+")


class MarkdownReport:
    """A chapter a sheet: verdict, findings, combats, score. A part is the chapter of one sheet."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def part(self, answer: Answer) -> str:
        """The chapter of one answer."""
        return "\n".join(_chapter(answer, answer.words(self.words.language))) + "\n"

    def whole(self, parts: Iterable[str], rest: Rest) -> Iterator[str]:
        """All chapters, as they come, then what could not be read and what is no game."""
        between = ""
        for chapter in parts:
            yield between + chapter
            between = "\n"
        left = [f"- **{plain(self.words('report.unreadable'))}** {plain(why)}" for _, why in rest.failures]
        left += [f"- {plain(self.words('report.skipped'))}: {plain(why)}" for _, why in rest.skipped]
        if left:
            yield between + "\n".join(left) + "\n"


def plain(text: str) -> str:
    """A text in which no sign means anything, on one line."""
    return _MARKUP.sub(r"\\\1", " ".join(safe(text).split()))


def code(text: str) -> str:
    """A text as it was typed, between more ticks than it has itself."""
    one = " ".join(safe(text).split(" "))
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(one)), default=0))
    room = " " if one.startswith("`") or one.endswith("`") else ""
    return f"{ticks}{room}{one}{room}{ticks}"


def _chapter(answer: Answer, w: Words) -> Iterator[str]:
    yield f"## {plain(answer.source or answer.game)}"
    yield ""
    yield f"**{plain(wording.verdict(answer, w))}** ({plain(wording.summary(answer, w))})"
    if told := wording.not_judged_in_a_line(answer.scenario, w):
        yield from ("", plain(told))
    if answer.findings:
        for heading, found in Headings(answer, w).grouped((f.line, f) for f in answer.findings):
            yield from ("", f"### {plain(heading)}", "") if heading else ("",)
            for _, finding in found:
                yield from _markdown_finding(finding, answer, w)
    if answer.combats:
        yield from ("", f"### {plain(w('report.combats'))}", "")
        for record in answer.combats:
            result = f" → **{plain(record.result)}**" if record.result else ""
            where = plain(w("report.at", line=record.line))
            yield f"- {where}: {plain(wording.struck(record, w))}: {plain(wording.work_alone(record, w))}{result}"
    if answer.sealed:
        yield from ("", f"### {plain(w('report.sealed'))}", "")
        yield from (
            f"- {plain(w('report.at', line=line))}: {plain(told)}" for line, told in wording.sealed(answer, w)
        )
    if answer.score:
        yield from ("", f"### {plain(w('report.page.score'))}", "")
        for side, points in sorted(answer.score.items()):
            parts = wording.part_list(answer, side, w)
            yield f"- {plain(w.heading('sides', side))}: **{points}**" + (f" = {plain(parts)}" if parts else "")
    yield from ("", plain(wording.edition(answer, w, digits=12)))


def _markdown_finding(finding: Finding, answer: Answer, w: Words) -> Iterator[str]:
    head = [f"**{plain(wording.severity(finding, w))}**", plain(wording.place(finding, answer, w))]
    yield "- " + " · ".join([*head, *filter(None, (plain(finding.rule), plain(finding.code)))])
    if quote := answer.quote(finding.line):
        yield f"  {code(quote)}  "
    told = [w.say(finding.message), wording.figures(finding, w), wording.ruling(finding, w)]
    if finding.rests_on:
        told.append(w("report.rests-on", what=doubts_told(finding.rests_on, w)))
    yield f"  {plain('; '.join(filter(None, told)))}"
