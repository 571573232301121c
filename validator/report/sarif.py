"""Answers as SARIF 2.1.0, which code hosts and editors show beside the lines that findings are about.

Format: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from hexforge.scenarios.console import safe, safe_json
from hexforge.scenarios.words import Words
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.kinds import Severity
from hexforge.validator.report import wording
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.forms import Rest

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
        from hexforge.validator.check import program

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
