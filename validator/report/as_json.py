"""Answers as JSON: one object for one sheet, a list for several.

Answers as SARIF 2.1.0, which code hosts and editors show beside the lines that findings are about.

Format: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.

Answers as JUnit XML, for tournament pages and build servers that show test results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote
from xml.etree import ElementTree

from ...scenarios.console import safe, safe_json
from ...scenarios.text.words import SOURCE, Language, Words
from ..judging.answer import Answer
from ..judging.replayed import program
from ..rules.findings import Finding, Severity
from . import wording
from .pages import Rest


class JsonReport:
    """The contract's object, or a list of them, in which an unreadable file has `source` and `error`.

    What is no game stands behind them with `source` and `skipped`, the reason; where one answer alone is asked for,
    within it. A part is the object of one answer.
    """

    def __init__(self, language: Language = SOURCE) -> None:
        self.language = language

    def part(self, answer: Answer) -> str:
        """One answer as an object."""
        return _text(answer.as_json(self.language))

    def whole(self, parts: Iterable[str], rest: Rest) -> Iterator[str]:
        """All of them, as they come."""
        told: Iterator[str] = chain(parts, _failures(rest), _skipped(rest))
        if not rest.many:
            texts = _one([*parts, *_failures(rest)], rest)
            if len(texts) == 1:
                yield safe_json(texts[0])
                return
            told = iter(texts)
        mark = "[\n "
        for text in told:
            yield safe_json(mark + text.replace("\n", "\n "))
            mark = ",\n "
        yield "[]" if mark.startswith("[") else "\n]"


def write_json(
    answers: Iterable[Answer],
    failures: Sequence[tuple[str, str]],
    skipped: Sequence[tuple[str, str]] = (),
    *,
    many: bool,
    language: Language = SOURCE,
) -> str:
    """`JsonReport` of answers that are at hand."""
    report = JsonReport(language)
    return "".join(report.whole(map(report.part, answers), Rest(failures, skipped, many)))


def _failures(rest: Rest) -> Iterator[str]:
    for source, error in rest.failures:
        yield _text({"source": source, "error": error})


def _skipped(rest: Rest) -> Iterator[str]:
    for source, why in rest.skipped:
        yield _text({"source": source, "skipped": why})


def _one(texts: list[str], rest: Rest) -> list[str]:
    """One answer with what is no game besides: an object, as for any one file."""
    skipped = [{"source": source, "skipped": why} for source, why in rest.skipped]
    if len(texts) != 1 or not skipped:
        return [*texts, *map(_text, skipped)]
    return [_text({**json.loads(texts[0]), "skipped": skipped})]


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final[dict[Severity, str]] = {
    "illegal": "error",
    "unread": "error",
    "doubtful": "warning",
    "waived": "note",
    "warning": "warning",
    "info": "note",
}


class SarifReport:
    """One run, with a result for each finding; what a ruling waives is suppressed by it.

    A part is the results of one sheet, as text, and the codes in them.
    """

    def __init__(self, words: Words) -> None:
        self.words = words

    def part(self, answer: Answer) -> tuple[list[str], list[str]]:
        """The results of one answer."""
        w = answer.words(self.words.language)
        results = [json.dumps(_result(finding, answer, w), ensure_ascii=False) for finding in answer.findings]
        return results, list(dict.fromkeys(finding.code for finding in answer.findings))

    def whole(self, parts: Iterable[tuple[list[str], list[str]]], rest: Rest) -> Iterator[str]:
        """The run, its results as they come, what made them at its end."""
        codes: dict[str, None] = {}
        yield f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{"results": ['
        mark = "\n "
        for results, own in parts:
            codes |= dict.fromkeys(own)
            for result in results:
                yield safe_json(mark + result)
                mark = ",\n "
        name, _, version = program().partition(" ")
        driver = {"name": name, **({"version": version} if version else {}), "rules": [{"id": c} for c in codes]}
        yield "\n], " + safe_json(
            f'"columnKind": "unicodeCodePoints", "tool": {json.dumps({"driver": driver})}, '
            f'"invocations": {json.dumps([_invocation(rest)], ensure_ascii=False)}}}]}}\n'
        )


def _invocation(rest: Rest) -> dict[str, Any]:
    """What could not be read, and what is no game."""
    told = [("error", source, why) for source, why in rest.failures]
    told += [("note", source, why) for source, why in rest.skipped]
    notes = [
        {"level": level, "message": {"text": safe(why)}, "locations": [_location(source)]}
        for level, source, why in told
    ]
    success = {"executionSuccessful": not rest.failures}
    return {**success, "toolExecutionNotifications": notes} if notes else success


def _result(finding: Finding, answer: Answer, w: Words) -> dict[str, Any]:
    told = [w.say(finding.message), wording.figures(finding, w)]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": safe("; ".join(filter(None, told)))},
        "locations": [_place(finding, answer)],
        "properties": {
            "severity": finding.severity,
            **({"rule": finding.rule} if finding.rule else {}),
            **({"units": list(finding.units)} if finding.units else {}),
            **({"hexes": list(finding.hexes)} if finding.hexes else {}),
        },
    }
    if finding.waived is not None:
        result["suppressions"] = [{"kind": "external", "justification": safe(wording.ruling(finding, w))}]
    return result


def _place(finding: Finding, answer: Answer) -> dict[str, Any]:
    """The line of a sheet or mail; of a log the step, for it has no lines."""
    log, _ = answer.steps.get(finding.line, ("", 0))
    if log:
        return _location(log) | {"logicalLocations": [{"name": safe(answer.step(finding.line)), "kind": "member"}]}
    source, line = answer.intake.places.get(finding.line, (answer.source, finding.line))
    found = _location(source)
    if line > 0:
        quoted = answer.quote(finding.line)
        snippet = {"snippet": {"text": safe(quoted)}} if quoted else {}
        found["physicalLocation"]["region"] = {"startLine": line, **snippet}
    return found


def _location(source: str) -> dict[str, Any]:
    uri = quote(PurePath(source).as_posix().encode("utf-8", "replace")) or "sheet"
    return {"physicalLocation": {"artifactLocation": {"uri": uri}}}


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
