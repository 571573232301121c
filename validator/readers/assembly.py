"""How statements come together to a sheet: in what part of it each stands, and which stand where they cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from hexforge.validator.readers import statements as st
from hexforge.validator.readers.cursor import SyntaxProblem, Unread, expected

MAX_STATEMENTS: Final = 100_000
MAX_PROBLEMS: Final = 1_000
VERSION: Final = 1

Misplaced: TypeAlias = Callable[[str], SyntaxProblem]
"""Gives the problem of a line, by the key of what was expected instead."""


class Assembly:
    """The statements and problems of a sheet so far, and in what part of it the next line stands."""

    def __init__(self) -> None:
        self.statements: list[st.Statement] = []
        self.problems: list[SyntaxProblem] = []
        self.units: set[str] = set()
        self.in_position = False
        self.in_turn = False
        self.has_game = False
        self._head: st.Engagement | None = None
        self._acts: list[st.Act] = []
        self._beside: list[st.Statement] = []
        self._broken_head = 0
        self._broken_turn = 0
        self._moving = False
        self._below: dict[int, list[int]] = {}

    @property
    def moving(self) -> bool:
        """Whether a line may name units and their way alone: in a phase of movement there is but one reading."""
        return self._moving and self.in_turn and not self._broken_turn and self._head is None

    @property
    def engaged(self) -> frozenset[str]:
        """The hexes of the combat, bombardment or air strike that is open."""
        return frozenset(self._head.targets) if self._head is not None else frozenset()

    def overflow(self, line: int) -> None:
        """Note that the sheet has more than `MAX_STATEMENTS` lines that say something."""
        self.problems.append(SyntaxProblem(line, 1, "", expected("sheet-length", limit=MAX_STATEMENTS)))

    def complain(self, *problems: SyntaxProblem) -> None:
        """Note problems, up to a bound."""
        self.problems += problems[: max(0, MAX_PROBLEMS - len(self.problems))]

    def watch_first(self, *, version: bool, misplaced: Misplaced) -> None:
        """Notes a first line that does not give the notation's version."""
        if not self.statements and not version:
            self.complain(misplaced("first"))

    def watch_place(self, cls: type[st.Statement], misplaced: Misplaced) -> None:
        """Notes statements that stand where they cannot belong. Raises Unread for those that mean nothing there."""
        if issubclass(cls, st.Act | st.Play) and self._broken_turn:
            return
        if issubclass(cls, st.Act):
            if self._head is None and not self._broken_head:
                raise Unread(misplaced("in-engagement" if self.in_turn else "in-turn"))
        elif issubclass(cls, st.Play) and not issubclass(cls, st.Given) and not self.in_turn:
            # Whose turn it is nobody can say: a header that was not understood is no broken rule.
            problem = misplaced("in-turn")
            self.complain(problem)
            self.break_off(st.TurnStart, problem.line)
            return
        elif issubclass(cls, st.Header) and self.in_turn:
            self.complain(misplaced("before-turn"))
        elif issubclass(cls, st.Positioned) and not self.in_position:
            self.complain(misplaced("in-position"))
        elif issubclass(cls, st.SheetVersion | st.GameName) and any(isinstance(s, cls) for s in self.statements):
            raise Unread(misplaced("once"))
        elif issubclass(cls, st.Opening) and not self.has_game:
            self.has_game = True  # said once
            self.complain(misplaced("game"))
        if not issubclass(cls, st.Act | st.Accept):
            self.close()

    def break_off(self, cls: type[st.Statement], line: int) -> None:
        """A statement that began cannot be read: what belongs to it is read, but hangs in the air."""
        if issubclass(cls, st.Opening):
            self.close()
            self.in_turn, self.in_position = True, False
            self._broken_turn, self._broken_head = line, 0
        elif issubclass(cls, st.Engagement):
            self.close()
            self._broken_head = line
        elif not issubclass(cls, st.Act):
            self._broken_head = 0

    def _hangs(self, statement: st.Statement) -> bool:
        """Whether a statement rests on one that could not be read, which then is told of it."""
        if isinstance(statement, st.Opening):
            self._broken_turn = 0
        alone = self._head is None and isinstance(statement, st.Act)
        above = self._broken_turn or (self._broken_head if alone else 0)
        if above and isinstance(statement, st.Act | st.Play):
            if statement.line != above:
                self._below.setdefault(above, []).append(statement.line)
            return True
        return False

    def add(self, statement: st.Statement, *, void: bool = False) -> None:
        """Take a statement; a void one only keeps what follows it in its place."""
        if isinstance(statement, st.Accept):
            # It may stand below any line, also among those of a combat, which goes on after it.
            (self.statements if self._head is None else self._beside).append(statement)
            return
        if self._hangs(statement):
            return
        if isinstance(statement, st.Act):
            if self._head is not None:
                self._acts.append(statement)
            return
        self.close()
        self._broken_head = 0
        if isinstance(statement, st.Engagement):
            self._head = statement
            return
        self._note(statement)
        if not void:
            self.statements.append(statement)

    def _note(self, statement: st.Statement) -> None:
        match statement:
            case st.SheetVersion(version=version) if version != VERSION:
                self.complain(SyntaxProblem(statement.line, 1, str(version), expected("version-known")))
            case st.GameName():
                self.has_game = True
            case st.Naming(unit=unit):
                self.units.add(unit)
            case st.PositionStart() | st.SetupStart():
                self.in_position = True
            case st.Opening():
                self._moving = isinstance(statement, st.TurnStart) and statement.phase == "movement"
                self.in_turn, self.in_position = True, False

    def close(self) -> None:
        """Ends the combat, bombardment or air strike that is open."""
        if self._head is not None:
            self.statements.append(replace(self._head, acts=tuple(self._acts)))
            self.statements += self._beside
            self._head = None
            self._acts, self._beside = [], []

    def sheet(self, lines: list[str], source: str) -> st.Sheet:
        """The whole of it."""
        self.close()
        if not self.has_game:
            self.problems.append(SyntaxProblem(max(1, len(lines)), 1, "", expected("game")))
        problems = sorted(map(self._told, self.problems), key=lambda p: (p.line, p.column))
        return st.Sheet(tuple(self.statements), tuple(problems), tuple(lines), source)

    def _told(self, problem: SyntaxProblem) -> SyntaxProblem:
        """A problem with the lines that rest on it, which only the first of its line is given."""
        below = self._below.pop(problem.line, None)
        return replace(problem, below=tuple(below)) if below else problem
