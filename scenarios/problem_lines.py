"""Problems of a game's files, as commands tell them: in lines for people, and in JSON for scripts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.commands import said, shortened, words
from hexforge.scenarios.console import safe
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from hexforge.scenarios.problems import Problem

_MOST_TOLD: Final = 8


def problem_line(problem: Problem) -> str:
    """A defect of a game's files with its place."""
    return safe(problem.text(words()))


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Problems as lines of text, a last one saying how many more there are."""
    return shortened([line for _, line in told_once(problems)])


def told_once(problems: Iterable[Problem]) -> list[tuple[Problem, str]]:
    """Problems, each with its text. What is said of a file again and again is told once, with the other lines."""
    alike: dict[object, list[Problem]] = {}
    for problem in problems:
        # What is wrong with several cells of a table is one thing, whichever their columns are.
        values = {name: value for name, value in problem.message.values.items() if name != "column"}
        said_so = (problem.file, problem.severity, problem.message.key, repr(values))
        alike.setdefault(said_so, []).append(problem)
    return [(first, _with_others(first, others)) for first, *others in alike.values()]


def _with_others(first: Problem, others: Iterable[Problem]) -> str:
    lines = sorted({other.line for other in others} - {first.line})
    if not lines:
        return problem_line(first)
    named = (*map(str, lines[:_MOST_TOLD]), *("…" for _ in lines[_MOST_TOLD : _MOST_TOLD + 1]))
    return said(message("commands.also", what=problem_line(first), lines=named, count=len(lines)))


def problem_json(problem: Problem) -> dict[str, object]:
    """A problem for scripts."""
    return {
        "file": problem.file,
        "line": problem.line,
        "where": words().value(problem.where),
        "message": words().value(problem.message),
        "severity": problem.severity,
    }
