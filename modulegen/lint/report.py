"""What lint found as text, as JSON, and as SARIF for editors and code hosts.

SARIF: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from hexforge.modulegen.lint.examine import LintReport
from hexforge.modulegen.lint.finding import LEVELS, RULES, FindingGroup, PlaceInModule
from hexforge.scenarios.words import Words, message

MOST_GROUPS: Final = 10
MOST_PLACES: Final = 3
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(report: LintReport, words: Words, *, everything: bool = False) -> Iterator[str]:
    """Lines: each rule once with what mends it, below it what it found and where, the rest as counts."""
    for rule, found in groupby(report.groups, lambda g: g.finding.rule):
        groups = list(found)
        level = words(f"lint.levels.{groups[0].level}")
        places = sum(len(g.places) for g in groups)
        title = words(f"lint.rules.{rule}.title")
        yield words("lint.text.rule", level=level, rule=rule, title=title, count=len(groups), places=places)
        yield from _shown(groups, words, everything)
        yield words("lint.text.mend", text=words(f"lint.rules.{rule}.mend"))
        yield ""
    counts = {level: message(f"commands.counts.{level}", count=report.count(level)) for level in LEVELS}
    yield words("lint.text.sum", **counts)
    if report.silenced:
        yield words("lint.text.silenced", count=report.silenced)


def _shown(groups: Sequence[FindingGroup], words: Words, everything: bool) -> Iterator[str]:
    for group in groups if everything else groups[:MOST_GROUPS]:
        yield f"  {words.say(group.finding.message)}"
        for place in group.places if everything else group.places[:MOST_PLACES]:
            yield f"    {place}"
        left = len(group.places) - MOST_PLACES
        if left > 0 and not everything:
            yield "    " + words("lint.text.more-places", count=left)
    left = len(groups) - MOST_GROUPS
    if left > 0 and not everything:
        yield "  " + words("lint.text.more", count=left)


def as_json(report: LintReport, words: Words) -> dict[str, Any]:
    """All of it as plain data; keys and rules are the same in every language."""
    return {
        "module": report.path,
        "counts": {level: report.count(level) for level in LEVELS},
        "silenced": report.silenced,
        "findings": [
            {
                "rule": g.finding.rule,
                "level": g.level,
                "message": words.say(g.finding.message),
                "mend": words.say(g.finding.mend),
                "basis": RULES[g.finding.rule].basis,
                "values": {key: words.value(value) for key, value in g.finding.values},
                "places": [{"file": p.file, "line": p.line or None, "path": list(p.path)} for p in g.places],
            }
            for g in report.groups
        ],
    }


def as_sarif(reports: Sequence[LintReport], words: Words, version: str) -> dict[str, Any]:
    """One run of SARIF 2.1.0, a result for each thing found, all of its places in it."""
    used = sorted({g.finding.rule for report in reports for g in report.groups})
    rules = [
        {
            "id": key,
            "shortDescription": {"text": words(f"lint.rules.{key}.title")},
            "help": {"text": words(f"lint.rules.{key}.mend")},
            "helpUri": RULES[key].basis,
            "defaultConfiguration": {"level": RULES[key].level},
        }
        for key in used
    ]
    driver = {"name": "modulegen lint", "version": version, "rules": rules}
    results = [_result(report, g, used, words) for report in reports for g in report.groups]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _result(report: LintReport, group: FindingGroup, used: Sequence[str], words: Words) -> dict[str, Any]:
    return {
        "ruleId": group.finding.rule,
        "ruleIndex": used.index(group.finding.rule),
        "level": group.level,
        "message": {"text": words.say(group.finding.message)},
        "locations": [_location(report, place) for place in group.places],
    }


def _location(report: LintReport, place: PlaceInModule) -> dict[str, Any]:
    from urllib.parse import quote

    # The file itself is the archive; the part in it follows as a fragment, for a viewer opens what is on disk.
    uri = quote(report.path.replace("\\", "/")) + "#" + quote(place.file)
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if place.line:
        physical["region"] = {"startLine": place.line}
    logical = [{"fullyQualifiedName": " / ".join(place.path)}] if place.path else []
    return {"physicalLocation": physical, **({"logicalLocations": logical} if logical else {})}
