"""Lint as a whole: a module is opened, every rule looks at it, what they find is grouped."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hexforge.modulegen.lint.causes import one_cause
from hexforge.modulegen.lint.checks import (
    clashes,
    elements,
    expressions,
    files,
    idle,
    keys,
    links,
    loops,
    pieces,
    reports,
    saves,
    shapes,
    targets,
    values,
)
from hexforge.modulegen.lint.config import Config
from hexforge.modulegen.lint.context import Examination
from hexforge.modulegen.lint.finding import LEVELS, RULES, FindingGroup, Level, grouped
from hexforge.modulegen.lint.parts import OpenModule
from hexforge.modulegen.vassal.archive import Archive

_CHECKS: Final = (
    elements,
    pieces,
    targets,
    links,
    keys,
    loops,
    clashes,
    reports,
    expressions,
    values,
    shapes,
    idle,
    files,
    saves,
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


def examine(source: Path | bytes, *, base: Path | bytes | None = None, config: Config | None = None) -> LintReport:
    """Judge a module or extension; raises `FormatError` for what is none.

    `base`: the module that an extension is for. Without it, names that may be the base module's are not judged.
    """
    settings = config or Config()
    with ExitStack() as opened:
        below = OpenModule(opened.enter_context(Archive(base))) if base is not None else None
        module = OpenModule(opened.enter_context(Archive(source)), below)
        context = Examination(module)
        found = []
        for checks in _CHECKS:
            for check in checks.CHECKS:
                found.extend(check(context))
        found = one_cause(context, found)
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
