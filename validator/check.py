"""Judge a sheet: read it, load its game, replay it, and put the answer together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from validator.readers import statements as st
from validator.readers.phrases import phrase
from validator.readers.sheet import read_file
from validator.referee.findings import Finding
from validator.report.answer import Answer, Edition

if TYPE_CHECKING:
    from scenarios.model import Scenario


class UnknownOption(Exception):
    """An option that a game has not, or a value that it does not know. `known` maps each option to its values."""

    def __init__(self, name: str, value: str, known: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(f"{name}={value}")
        self.name = name
        self.value = value
        self.known = known


@cache
def program() -> str:
    """Name and version of this program."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"hexforge {version('hexforge')}"
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "hexforge"


@cache
def _scenario(name: str) -> Scenario:
    from scenarios.loader import load

    return load(name)


def game_of(sheet: st.Sheet) -> st.GameName | None:
    """The statement that names the sheet's game."""
    return next((s for s in sheet.statements if isinstance(s, st.GameName)), None)


def syntax_finding(problem: st.SyntaxProblem) -> Finding:
    """A problem of the reader as a finding of the contract."""
    found_en = f"found `{problem.found}`" if problem.found else "the line ends"
    found_pt = f"encontrado `{problem.found}`" if problem.found else "a linha acaba"
    return Finding(
        problem.line,
        "",
        "syntax",
        "illegal",
        f"column {problem.column}: {found_en}; expected {problem.expected_en}",
        f"coluna {problem.column}: {found_pt}; esperado: {problem.expected_pt}",
        declared=problem.found or None,
    )


def judge(sheet: st.Sheet, options: Mapping[str, str] | None = None, *, strict: bool = False) -> Answer:
    """The judgement of a sheet that has been read.

    `options` overrule the sheet's own `option` lines; `strict` stops at the first illegal statement. Raises
    UnknownOption for one of `options`, ScenarioError if the files of the game are broken.
    """
    from scenarios.loader import names

    problems = list(sheet.problems)
    game = game_of(sheet)
    if game is not None and game.name not in names():
        en, pt = phrase("unknown-game", known=", ".join(names()))
        problems.append(st.SyntaxProblem(game.line, 1, game.name, en, pt))
        game = None
    syntax = tuple(map(syntax_finding, sorted(problems, key=lambda p: (p.line, p.column))))
    if game is None:
        return Answer(sheet.source, "", Edition(program()), syntax, lines=sheet.lines)
    return _replayed(sheet, _scenario(game.name), syntax, options or {}, strict)


def _replayed(
    sheet: st.Sheet, scenario: Scenario, syntax: tuple[Finding, ...], options: Mapping[str, str], strict: bool
) -> Answer:
    from validator.referee.replay import replay

    known = {name: option.choices for name, option in scenario.game.options.items()}
    for name, value in options.items():
        if value not in known.get(name, ()):
            raise UnknownOption(name, value, known)
    outcome = replay(scenario, sheet, options=options, strict=strict)
    declared = {s.unit for s in sheet.statements if isinstance(s, st.UnitDefinition)}
    return Answer(
        source=sheet.source,
        game=scenario.name,
        edition=Edition(program(), scenario.game.module.version, scenario.digest, dict(outcome.options)),
        findings=tuple(sorted((*syntax, *outcome.findings), key=lambda f: f.line)),
        combats=outcome.combats,
        moves=outcome.moves,
        position=outcome.position,
        score=outcome.score,
        lines=sheet.lines,
        shown=frozenset(declared),
        stopped=outcome.stopped,
    )


def check_file(path: str | Path, options: Mapping[str, str] | None = None, *, strict: bool = False) -> Answer:
    """`judge` for a file, `-` being standard input. Raises UnreadableSheet besides what `judge` raises."""
    return judge(read_file(path), options, strict=strict)
