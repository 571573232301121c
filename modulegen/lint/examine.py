"""Lint as a whole: a module is opened, every rule looks at it, what they find is grouped.

What lint found as text, as JSON, and as SARIF for editors and code hosts.

SARIF: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

Many findings of one cause as one: a container that is gone takes all with it that lies in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from ...scenarios.text.words import Words, message
from ..vassal.archive import Archive
from . import check_elements, check_expressions, check_files, check_keystrokes, check_pieces, check_reports
from .context import Examination, shown
from .finding import LEVELS, RULES, Config, FindingGroup, Level, LintFinding, PlaceInModule, grouped
from .parts import MAPS, ElementPart, OpenModule

_MANY: Final = 3
_LISTED: Final = 5
_DOUBTFUL: Final = frozenset(("unheard-key", "unknown-property", "unused-file", "hidden-command", "menu-entry"))
"""What cannot be told of pieces without the traits of their prototypes."""


def one_cause(context: Examination, found: list[LintFinding]) -> list[LintFinding]:
    """The findings, those of one cause said alike, so that they are grouped with all of their places."""
    module = context.module
    if module.open_ended:
        return found
    if not any(True for _ in module.everywhere("PrototypeDefinition")):
        gone = {_name(f) for f in found if f.rule == "missing-prototype"}
        if gone:
            found = [f for f in found if f.rule not in _DOUBTFUL]
            return [_said(f, gone) if f.rule == "missing-prototype" else f for f in found]
    if all(p.above(*MAPS, "Zone") for p in module.everywhere("GlobalProperties", "GlobalProperty")):
        gone = {_name(f) for f in found if f.rule == "unknown-property"}
        if len(gone) >= _MANY:
            return [_said(f, gone) if _of_properties(f) else f for f in found]
    return found


def in_vain(context: Examination, found: list[LintFinding]) -> list[LintFinding]:
    """The findings, those in what nothing uses as one for each such prototype or slot: no player meets them."""
    # One that holds itself is an error whoever uses it.
    circles = {(f.place.line, f.place.path) for f in found if f.rule == "prototype-circle"}
    unused = {at: part for part in context.unused if (at := (part.line, part.path)) not in circles}
    kept: list[LintFinding] = []
    within: Counter[ElementPart] = Counter()
    for finding in found:
        place = finding.place
        ends = range(len(place.path), 0, -1) if unused and place.line else ()
        part = next((p for end in ends if (p := unused.get((place.line, place.path[:end])))), None)
        if part is None:
            kept.append(finding)
        else:
            within[part] += 1
    for _, part in sorted(unused.items()):
        if part.kind != "PrototypeDefinition":
            if within[part]:
                kept.append(context.at("unused-prototype", part, "slot", name=part.name, count=within[part]))
        elif within[part]:
            kept.append(context.at("unused-prototype", part, "within", name=part.name, count=within[part]))
        else:
            kept.append(context.at("unused-prototype", part, name=part.name))
    return kept


def _of_properties(finding: LintFinding) -> bool:
    """Whether global properties, or the buttons that change them, may be what is missing."""
    return finding.rule == "unknown-property" or (finding.rule == "unheard-key" and finding.says == "buttons")


def _said(finding: LintFinding, gone: set[str]) -> LintFinding:
    names = ", ".join(sorted(gone)[:_LISTED])
    rule = "missing-prototype" if finding.rule == "missing-prototype" else "unknown-property"
    return replace(finding, rule=rule, says="container", values=(("count", len(gone)), ("names", shown(names))))


def _name(finding: LintFinding) -> str:
    return str(dict(finding.values).get("name", ""))


_CHECKS: Final = (
    *check_elements.ELEMENT_CHECKS,
    *check_pieces.PIECE_CHECKS,
    *check_expressions.TARGET_CHECKS,
    *check_expressions.LINK_CHECKS,
    *check_keystrokes.KEY_CHECKS,
    *check_keystrokes.LOOP_CHECKS,
    *check_keystrokes.CLASH_CHECKS,
    *check_reports.REPORT_CHECKS,
    *check_expressions.EXPRESSION_CHECKS,
    *check_elements.VALUE_CHECKS,
    *check_expressions.SHAPE_CHECKS,
    *check_pieces.IDLE_CHECKS,
    *check_files.FILE_CHECKS,
    *check_files.SAVE_CHECKS,
)


@dataclass(frozen=True)
class LintReport:
    """What lint says of one module, the worst first; `silenced` findings were wanted silent."""

    path: str
    groups: tuple[FindingGroup, ...]
    silenced: int = 0

    def count(self, level: Level) -> int:
        """How many different things were found at a level."""
        return sum(group.level == level for group in self.groups)

    def worse_than(self, level: Level | None) -> bool:
        """Whether anything was found at this level or a worse one; None for no level at all."""
        return level is not None and any(LEVELS.index(g.level) <= LEVELS.index(level) for g in self.groups)


def examine(
    source: Path | bytes,
    *,
    base: Path | bytes | None = None,
    config: Config | None = None,
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> LintReport:
    """Judge a module or extension; raises `FormatError` for what is none.

    `base`: the module that an extension is for. Without it, names that may be the base module's are not judged.
    `progress` is told how many rules have looked, and of how many.
    """
    settings = config or Config()
    with ExitStack() as opened:
        below = OpenModule(opened.enter_context(Archive(base))) if base is not None else None
        module = OpenModule(opened.enter_context(Archive(source)), below)
        context = Examination(module)
        found: list[LintFinding] = []
        for done, check in enumerate(_CHECKS):
            progress(done, len(_CHECKS))
            found.extend(check(context))
        found = in_vain(context, one_cause(context, found))
        progress(len(_CHECKS), len(_CHECKS))
    levels: Mapping[str, Level] = {key: settings.level(rule) or rule.level for key, rule in RULES.items()}
    kept = [f for f in found if not settings.silences(f)]
    path = str(source) if isinstance(source, Path) else ""
    return LintReport(path, tuple(grouped(kept, levels)), len(found) - len(kept))


def base_beside(extension: Path) -> Path | None:
    """The module that an extension lies beside as VASSAL wants it: `Game_ext/More.vmdx` and `Game.vmod`."""
    folder = extension.resolve().parent
    if extension.suffix.lower() != ".vmdx" or not folder.name.endswith("_ext"):
        return None
    found = (folder.with_name(folder.name.removesuffix("_ext") + suffix) for suffix in (".vmod", ".mod"))
    return next((path for path in found if path.is_file()), None)


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

    # The file itself is the archive; the part in it follows as a fragment, for a viewer opens what is on disk.
    uri = quote(report.path.replace("\\", "/")) + "#" + quote(place.file)
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if place.line:
        physical["region"] = {"startLine": place.line}
    logical = [{"fullyQualifiedName": " / ".join(place.path)}] if place.path else []
    return {"physicalLocation": physical, **({"logicalLocations": logical} if logical else {})}
