"""Answers as JUnit XML, for tournament pages and build servers that show test results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final
from xml.etree import ElementTree

from hexforge.scenarios.console import safe
from hexforge.scenarios.words import Words
from hexforge.validator.referee.findings import Finding
from hexforge.validator.report import wording
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.forms import Rest

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_TAGS: Final = {
    "illegal": ("failure", "failures"),
    "unread": ("error", "errors"),
    "doubtful": ("skipped", "skipped"),
    "waived": ("skipped", "skipped"),
}
"""What a test with a finding holds, and what a suite counts them as."""


def _clean(text: str) -> str:
    """XML has no notation for control characters."""
    return _FORBIDDEN.sub("\ufffd", safe(text))


class JunitReport:
    """A suite a sheet.

    Each illegal finding is a failed test, each line that could not be read an error, each doubtful or waived one a
    skipped test, each combat without any a passed one; a file that could not be read is an error too, and what is
    no game a skipped test. A part is the suite of one sheet.
    """

    def __init__(self, words: Words) -> None:
        self.words = words

    def part(self, answer: Answer) -> str:
        """The suite of one answer."""
        return _written(_suite(answer, answer.words(self.words.language)))

    def whole(self, parts: Iterable[str], rest: Rest) -> Iterator[str]:
        """All suites, as they come."""
        yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        inner = False
        for suite in chain(parts, _untested(rest)):
            yield suite if inner else f'<testsuites name="validator">\n{suite}'
            inner = True
        yield "</testsuites>\n" if inner else '<testsuites name="validator" />\n'


def write_junit(
    answers: Iterable[Answer],
    failures: Sequence[tuple[str, str]],
    words: Words,
    *,
    skipped: Sequence[tuple[str, str]] = (),
) -> str:
    """`JunitReport` of answers that are at hand."""
    report = JunitReport(words)
    return "".join(report.whole(map(report.part, answers), Rest(failures, skipped)))


def _untested(rest: Rest) -> Iterator[str]:
    """Suites of what could not be read, and of what is no game."""
    for source, why in rest.failures:
        yield _written(_single(source, "errors", "error", why))
    for source, why in rest.skipped:
        yield _written(_single(source, "skipped", "skipped", why))


def _single(source: str, count: str, tag: str, why: str) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": _clean(source), "tests": "1", count: "1"})
    case = ElementTree.SubElement(suite, "testcase", name="read", classname=_clean(source))
    ElementTree.SubElement(case, tag, message=_clean(why))
    return suite


def _written(suite: ElementTree.Element) -> str:
    ElementTree.indent(suite, level=1)
    return f"  {ElementTree.tostring(suite, encoding='unicode')}\n"


def _suite(answer: Answer, w: Words) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=_clean(answer.source))
    name = _clean(answer.source)
    told = {
        "tournament": wording.tournament(answer, w),
        "not_judged": "; ".join(wording.not_judged(answer.scenario, w)),
    }
    if any(told.values()):
        properties = ElementTree.SubElement(suite, "properties")
        for key, value in told.items():
            if value:
                ElementTree.SubElement(properties, "property", name=key, value=_clean(value))
    bad = [f for f in answer.findings if f.severity in _TAGS]
    for finding in bad:
        title = " ".join(filter(None, (w("report.at", line=finding.line), finding.rule, finding.code)))
        case = ElementTree.SubElement(suite, "testcase", name=title, classname=name)
        _add(case, finding, answer, w)
    blamed = {f.line for f in bad}
    for record in answer.combats:
        if record.line not in blamed:
            title = f"{w('report.at', line=record.line)} {wording.struck(record, w)}"
            ElementTree.SubElement(suite, "testcase", name=title, classname=name)
    if not bad and not answer.combats:
        ElementTree.SubElement(suite, "testcase", name=wording.verdict(answer, w), classname=name)
    suite.set("tests", str(len(suite.findall("testcase"))))
    for count in ("failures", "errors", "skipped"):
        suite.set(count, str(sum(_TAGS[f.severity][1] == count for f in bad)))
    return suite


def _add(case: ElementTree.Element, finding: Finding, answer: Answer, w: Words) -> None:
    tag, _ = _TAGS[finding.severity]
    said = ": ".join(filter(None, (wording.severity(finding, w) if finding.waived else "", w.say(finding.message))))
    element = ElementTree.SubElement(case, tag, message=_clean(said))
    if tag != "skipped":
        element.set("type", finding.code)
    where = answer.step(finding.line) or str(finding.line)
    element.text = _clean(
        "\n".join(filter(None, (f"{where}: {answer.quote(finding.line)}", wording.ruling(finding, w))))
    )
