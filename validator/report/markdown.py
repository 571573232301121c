"""Answers as Markdown, to be pasted into a forum, a wiki or an issue; nothing of a sheet counts as markup there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from hexforge.scenarios.console import safe
from hexforge.scenarios.words import Words
from hexforge.validator.referee.findings import Finding, doubts_told
from hexforge.validator.report import wording
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.forms import Rest
from hexforge.validator.report.turns import Headings

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
                yield from _finding(finding, answer, w)
    if answer.combats:
        yield from ("", f"### {plain(w('report.combats'))}", "")
        for record in answer.combats:
            result = f" → **{plain(record.result)}**" if record.result else ""
            where = plain(w("report.at", line=record.line))
            yield f"- {where}: {plain(wording.struck(record, w))}: {plain(wording.work_alone(record, w))}{result}"
    if answer.score:
        yield from ("", f"### {plain(w('report.page.score'))}", "")
        for side, points in sorted(answer.score.items()):
            parts = wording.part_list(answer, side, w)
            yield f"- {plain(w.heading('sides', side))}: **{points}**" + (f" = {plain(parts)}" if parts else "")
    yield from ("", plain(wording.edition(answer, w, digits=12)))


def _finding(finding: Finding, answer: Answer, w: Words) -> Iterator[str]:
    head = [f"**{plain(wording.severity(finding, w))}**", plain(wording.place(finding, answer, w))]
    yield "- " + " · ".join([*head, *filter(None, (plain(finding.rule), plain(finding.code)))])
    if quote := answer.quote(finding.line):
        yield f"  {code(quote)}  "
    told = [w.say(finding.message), wording.figures(finding, w), wording.ruling(finding, w)]
    if finding.rests_on:
        told.append(w("report.rests-on", what=doubts_told(finding.rests_on, w)))
    yield f"  {plain('; '.join(filter(None, told)))}"
