"""Problems of a game's files, as commands tell them: in lines for people, and in JSON for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.commands import said, shortened, words
from hexforge.scenarios.console import safe
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from hexforge.scenarios.problems import Problem

_MOST_TOLD: Final = 8
_UNKNOWN: Final = "scenario.unknown."
_LETTER: Final = "scenario.map.letter"


def problem_line(problem: Problem) -> str:
    """A defect of a game's files with its place."""
    return safe(problem.text(words()))


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Problems as lines of text, a last one saying how many more there are."""
    return shortened([line for _, line in told_once(problems)])


def told_once(problems: Iterable[Problem]) -> list[tuple[Problem, str]]:
    """Problems, each with its text. What is said of a file again and again is told once, with the other lines.

    A name that stands for nothing is one slip in whatever files it is: the other places go with the first.
    """
    alike: dict[object, list[Problem]] = {}
    for problem in problems:
        alike.setdefault(_what(problem), []).append(problem)
    # What must be mended goes before what may be, where one slip is both.
    sorted_ = (sorted(group, key=lambda p: p.severity != "error") for group in alike.values())
    return [(first, _with_others(first, others)) for first, *others in sorted_]


def _what(problem: Problem) -> object:
    """What two problems have alike that are one."""
    key, values = problem.message.key, problem.message.values
    if key.startswith(_UNKNOWN) and "id" in values:
        return str(values["id"])
    # What is wrong with several cells of a table, or hexes of a map, is one thing, whichever these are.
    local = ("column", "hex") if key == _LETTER else ("column",)
    values = {name: value for name, value in values.items() if name not in local}
    return problem.file, problem.severity, key, repr(values)


def _with_others(first: Problem, others: Sequence[Problem]) -> str:
    files = dict.fromkeys(problem.file for problem in others)
    lines = {file: sorted({problem.line for problem in others if problem.file == file}) for file in files}
    here = [line for line in lines.pop(first.file, ()) if line != first.line]
    text = problem_line(first)
    if here:
        text = said(message("commands.also", what=text, lines=_listed(here), count=len(here)))
    places = (*(safe(f"{Path(file).name}:{said_line}") for file, at in lines.items() for said_line in _listed(at)),)
    return said(message("commands.also-in", what=text, places=places)) if places else text


def _listed(lines: Sequence[int]) -> tuple[str, ...]:
    return (*map(str, lines[:_MOST_TOLD]), *("…" for _ in lines[_MOST_TOLD : _MOST_TOLD + 1]))


def problem_json(problem: Problem) -> dict[str, object]:
    """A problem for scripts."""
    return {
        "file": problem.file,
        "line": problem.line,
        "where": words().value(problem.where),
        "message": words().value(problem.message),
        "severity": problem.severity,
    }
