"""Hold the open words of a sheet against what its game knows: sides and types of unit."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import replace

from hexforge.validator.readers.phrases import phrase
from hexforge.validator.readers.statements import (
    AirPoints,
    Control,
    LeftMap,
    LostUnit,
    Players,
    Sheet,
    Statement,
    SyntaxProblem,
    TurnStart,
    UnitDefinition,
)


def restrict(sheet: Sheet, sides: Collection[str], types: Collection[str]) -> Sheet:
    """The sheet with a problem for every side and every type of unit that its game does not know.

    A statement of a side that does not exist says nothing to the game and is left out; a unit of unknown type
    stays, so that the lines that name it are not all wrong too.
    """
    kept: list[Statement] = []
    problems = list(sheet.problems)
    for statement in sheet.statements:
        match statement:
            case Players(names=names):
                problems += (_unknown(sheet, statement.line, s, sides) for s, _ in names if s not in sides)
            case (
                TurnStart(side=side)
                | UnitDefinition(side=side)
                | AirPoints(side=side)
                | Control(side=side)
                | LostUnit(side=side)
                | LeftMap(side=side)
            ) if side not in sides:
                problems.append(_unknown(sheet, statement.line, side, sides))
                continue
            case UnitDefinition(type=kind) | LostUnit(type=kind) if kind not in types:
                problems.append(_unknown(sheet, statement.line, kind, types))
        kept.append(statement)
    problems.sort(key=lambda problem: (problem.line, problem.column))
    return replace(sheet, statements=tuple(kept), problems=tuple(problems))


def _unknown(sheet: Sheet, line: int, word: str, known: Collection[str]) -> SyntaxProblem:
    close = difflib.get_close_matches(word, known, n=1) or sorted(known)
    en, pt = phrase("known-word", known=", ".join(close))
    text = sheet.lines[line - 1] if line <= len(sheet.lines) else ""
    return SyntaxProblem(line, max(0, text.lower().find(word)) + 1, word, en, pt)
