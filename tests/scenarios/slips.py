"""Slips planted into a game's files, as authors make them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from hexforge.scenarios.console import Problem, ScenarioError
from hexforge.scenarios.loader import load


def told_of(folder: Path, slips: Iterable[tuple[str, str, str]]) -> Sequence[Problem]:
    """What is told of the game in a folder once each file has, in place of one text, another."""
    for file, old, new in slips:
        text = (folder / file).read_text("utf-8")
        assert old in text, old
        (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    try:
        return load(folder, strict=False).warnings
    except ScenarioError as error:
        return error.problems
