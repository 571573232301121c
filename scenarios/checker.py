"""What the rules of `scenarios.checks` share: the scenario under examination, and how to say what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from hexforge.scenarios.language import said
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.problems import Problem

Where = list[str | int]
"""The keys and list positions that lead to a value in a file."""

Locate = Callable[[str, Iterable[str | int]], tuple[Path, int]]
"""From a file's name and a `Where` to the file that holds the value, and its line."""


class Checker:
    """A scenario under examination; `say` makes a problem that knows its file and line."""

    def __init__(self, scenario: Scenario, locate: Locate) -> None:
        self.scenario = scenario
        self._locate = locate

    def say(
        self, file: str, where: Where, en: str, pt: str, severity: Literal["error", "warning"] = "error"
    ) -> Problem:
        """A problem at a value of a file, in the reader's language."""
        path, line = self._locate(file, where)
        return Problem(str(path), line, ".".join(map(str, where)), said(en, pt), severity)
