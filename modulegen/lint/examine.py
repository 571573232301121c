"""Lint as a whole: a module is opened, every rule looks at it, what they find is grouped."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hexforge.modulegen.lint import checks_elements, checks_expressions, checks_files, checks_keys, checks_pieces
from hexforge.modulegen.lint.config import Config
from hexforge.modulegen.lint.context import Context
from hexforge.modulegen.lint.finding import LEVELS, RULES, Group, Level, grouped
from hexforge.modulegen.lint.parts import Module
from hexforge.modulegen.vassal.archive import Archive


@dataclass(frozen=True)
class Report:
    """What lint says of one module, the worst first; `silenced` findings were wanted silent."""

    path: str
    groups: tuple[Group, ...]
    silenced: int = 0

    def count(self, level: Level) -> int:
        """How many different things were found at a level."""
        return sum(group.level == level for group in self.groups)

    def worse_than(self, level: Level | None) -> bool:
        """Whether anything was found at this level or a worse one; None for no level at all."""
        return level is not None and any(LEVELS.index(g.level) <= LEVELS.index(level) for g in self.groups)


def examine(source: Path | bytes, *, base: Path | bytes | None = None, config: Config | None = None) -> Report:
    """Judge a module or extension; raises `FormatError` for what is none.

    `base`: the module that an extension is for. Without it, names that may be the base module's are not judged.
    """
    settings = config or Config()
    with ExitStack() as opened:
        below = Module(opened.enter_context(Archive(base))) if base is not None else None
        module = Module(opened.enter_context(Archive(source)), below)
        context = Context(module)
        found = []
        for checks in (checks_elements, checks_pieces, checks_keys, checks_expressions, checks_files):
            for check in checks.CHECKS:
                found.extend(check(context))
    levels: Mapping[str, Level] = {key: settings.level(rule) or rule.level for key, rule in RULES.items()}
    kept = [f for f in found if not settings.silences(f)]
    path = str(source) if isinstance(source, Path) else ""
    return Report(path, tuple(grouped(kept, levels)), len(found) - len(kept))
