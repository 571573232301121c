"""Many findings of one cause as one: a container that is gone takes all with it that lies in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hexforge.modulegen.lint.context import Examination, shown
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.parts import MAPS

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


def _of_properties(finding: LintFinding) -> bool:
    """Whether global properties, or the buttons that change them, may be what is missing."""
    return finding.rule == "unknown-property" or (finding.rule == "unheard-key" and finding.says == "buttons")


def _said(finding: LintFinding, gone: set[str]) -> LintFinding:
    names = ", ".join(sorted(gone)[:_LISTED])
    rule = "missing-prototype" if finding.rule == "missing-prototype" else "unknown-property"
    return replace(finding, rule=rule, says="container", values=(("count", len(gone)), ("names", shown(names))))


def _name(finding: LintFinding) -> str:
    return str(dict(finding.values).get("name", ""))
