"""How statements come together to a sheet: in what part of it each stands, and which stand where they cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from ..notation import base, kinds, statements, statements_head
from ..notation.cursor import SyntaxProblem, Unread, expected
from ..notation.records import VERSION

MAX_STATEMENTS: Final = 10_000
MAX_PROBLEMS: Final = 1_000


Misplaced: TypeAlias = Callable[[str], SyntaxProblem]
"""Gives the problem of a line, by the key of what was expected instead."""


class Assembly:
    """The statements and problems of a sheet so far, and in what part of it the next line stands."""

    def __init__(self, write: Callable[[base.Statement], str], side_of: Callable[[str], str]) -> None:
        """`write` gives a statement as a line, `side_of` the side of one of the game's units, "" for any other."""
        self._write = write
        self._side_of = side_of
        self._sides: dict[str, str] = {}
        self.statements: list[base.Statement] = []
        self.problems: list[SyntaxProblem] = []
        self.units: set[str] = set()
        self.in_position = False
        self.in_turn = False
        self.has_game = False
        self._head: statements.Engagement | None = None
        self._acts: list[base.Act] = []
        self._beside: list[base.Statement] = []
        self._broken_head = 0
        self._broken_turn = 0
        self._moving = False
        self._side = ""
        self._below: dict[int, list[int]] = {}
        self._hanging: list[base.Act] = []
        self._stray = 0

    @property
    def moving(self) -> bool:
        """Whether a line may name units and their way alone: in a phase of movement there is but one reading."""
        return self._moving and self.in_turn and not self._broken_turn and self._head is None

    @property
    def fighting(self) -> bool:
        """Whether combats may be told here: a phase is open in which units do not simply move."""
        return self.in_turn and not self._moving and not self._broken_turn

    @property
    def side(self) -> str:
        """The side whose phase is open; "" before the first."""
        return self._side if self.in_turn else ""

    @property
    def told(self) -> frozenset[type[base.Statement]]:
        """The classes of what has been said of the combat, bombardment or air strike that is open."""
        return frozenset(map(type, (self._head, *self._acts))) if self._head is not None else frozenset()

    @property
    def engaged(self) -> tuple[str, ...]:
        """The hexes of the combat, bombardment or air strike that is open."""
        return self._head.targets if self._head is not None else ()

    @property
    def reckoned(self) -> frozenset[str]:
        """What is told of the ratios of the combat that is open: `odds`, `column`, `either`."""
        told = (act for act in self._acts if isinstance(act, statements.Declare)) if self._head is not None else ()
        return frozenset(name for act in told for name in ("odds", "column", "either") if getattr(act, name))

    @property
    def last(self) -> int:
        """The line of the last statement outside a combat that is open."""
        return self.statements[-1].line if self.statements else 0

    @property
    def way(self) -> tuple[str, ...]:
        """Where those of the last movement went, without where they stood; none behind an unread line."""
        last = self.statements[-1] if self.statements else None
        unread = bool(self.problems) and last is not None and self.problems[-1].line > last.line
        if not isinstance(last, statements.Move) or unread:
            return ()
        return last.path[1 + (last.path[1] == kinds.OPEN) :] if len(last.path) > 1 else last.path

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

    def watch_place(self, cls: type[base.Statement], misplaced: Misplaced) -> None:
        """Notes statements that stand where they cannot belong. Raises Unread for those that mean nothing there."""
        if issubclass(cls, base.Act | base.Play) and self._broken_turn:
            return
        if issubclass(cls, statements.Open):
            return  # the throws that it opens may be those of several combats, or of none
        if issubclass(cls, base.Act):
            if issubclass(cls, statements.Attack) and self._may_be_another:
                self.break_off(statements.Engagement, self._stray)
            if self._head is None and not self._broken_head:
                problem = misplaced("in-engagement" if self.in_turn else "in-turn")
                if not self.in_turn:
                    raise Unread(problem)
                # What follows it hangs in the air for the same reason, and needs no telling of its own.
                self.complain(problem)
                self._broken_head = problem.line
        elif issubclass(cls, base.Play) and not issubclass(cls, base.Given) and not self.in_turn:
            # Whose turn it is nobody can say: a header that was not understood is no broken rule.
            problem = misplaced("in-turn")
            self.complain(problem)
            self.break_off(statements.TurnStart, problem.line)
            return
        elif issubclass(cls, base.Header) and self.in_turn:
            self.complain(misplaced("before-turn"))
        elif issubclass(cls, base.Positioned) and not self.in_position:
            self.complain(misplaced("in-position"))
        elif issubclass(cls, statements_head.SheetVersion | statements_head.GameName) and any(
            isinstance(s, cls) for s in self.statements
        ):
            raise Unread(misplaced("once"))
        elif issubclass(cls, base.Opening) and not self.has_game:
            self.has_game = True  # said once
            self.complain(misplaced("game"))
        if not issubclass(cls, base.Act | statements_head.Accept):
            self.close()

    @property
    def _may_be_another(self) -> bool:
        """Whether a line that was not read stands behind a combat's dice, and may have begun the next one."""
        thrown = any(isinstance(act, statements.Roll | statements.Result) for act in self._acts)
        return thrown and self._stray > self._acts[-1].line

    def stray(self, line: int) -> None:
        """A line says nothing that can be read: where combats are told, it may have been the first line of one."""
        self._stray = line
        if self.fighting and self._head is None and not self._broken_head:
            self._broken_head = line

    def break_off(self, cls: type[base.Statement], line: int) -> None:
        """A statement that began cannot be read: what belongs to it is read, but hangs in the air."""
        if issubclass(cls, base.Act | statements_head.Accept):
            return
        self.close()
        if issubclass(cls, base.Opening):
            self.in_turn, self.in_position = True, False
            self._broken_turn = line
        elif issubclass(cls, statements.Engagement):
            self._broken_head = line

    def _hangs(self, statement: base.Statement) -> bool:
        """Whether a statement rests on one that could not be read, which then is told of it."""
        if isinstance(statement, base.Opening):
            self._broken_turn = 0
        alone = self._head is None and isinstance(statement, base.Act)
        above = self._broken_turn or (self._broken_head if alone else 0)
        if above and isinstance(statement, base.Act | base.Play):
            if statement.line != above:
                self._below.setdefault(above, []).append(statement.line)
            if isinstance(statement, base.Act) and not self._broken_turn:
                self._hanging.append(statement)
            return True
        return False

    def add(self, statement: base.Statement, *, void: bool = False) -> None:
        """Take a statement; a void one only keeps what follows it in its place."""
        if isinstance(statement, statements_head.Accept):
            # It may stand below any line, also among those of a combat, which goes on after it.
            (self.statements if self._head is None else self._beside).append(statement)
            return
        if isinstance(statement, statements.Support):
            statement = self._defending(statement)
        if isinstance(statement, statements.AirSupport) and self._flies_alone(statement):
            return
        if isinstance(statement, statements.Open) and self._head is None:
            self.statements.append(statement)
            return
        if self._hangs(statement):
            return
        if isinstance(statement, base.Act):
            if self._head is not None:
                self._acts.append(statement)
            return
        self.close()
        if isinstance(statement, statements.Engagement):
            self._head = statement
            return
        self._note(statement)
        if isinstance(statement, base.Opening) and self._is_made_out(statement):
            self.statements.pop()
        if not void:
            self.statements.append(statement)

    def _flies_alone(self, air: statements.AirSupport) -> bool:
        """Whether points of aircraft are those of the air strike that the same line begins, which then has them."""
        head = self._head
        if not isinstance(head, statements.AirStrike) or head.points is not None or head.line != air.line:
            return False
        self._head = replace(head, points=air.points)
        return True

    def _defending(self, support: statements.Support) -> statements.Support | statements.Guard:
        """Guns that are named behind who defends, and are of that side, as those of the defence.

        `Defender: u1. Support: u2`: by itself `support` is of guns that fire for the attack.
        """
        acts = self._acts if self._head is not None else self._hanging
        defended = {self._whose(unit) for act in acts if isinstance(act, statements.Guard) for unit in act.units}
        sides = {self._whose(unit) for unit in support.units}
        if support.offboard or len(sides) != 1 or sides != defended or not sides.isdisjoint(("", self._side)):
            return support
        return statements.Guard(support.line, support.units)

    def _whose(self, unit: str) -> str:
        return self._sides.get(unit) or self._side_of(unit)

    def _is_made_out(self, turn: base.Opening) -> bool:
        """Whether a misspelt line that surely means it has opened a phase just now, as a right one does."""
        last = self.statements[-1] if self.statements else None
        if not isinstance(last, base.Opening) or type(last) is not type(turn) or last.key != turn.key:
            return False
        return any(last.line == problem.line and problem.assumed for problem in reversed(self.problems))

    def _note(self, statement: base.Statement) -> None:
        match statement:
            case statements_head.SheetVersion(version=version) if version != VERSION:
                self.complain(SyntaxProblem(statement.line, 1, str(version), expected("version-known")))
            case statements_head.GameName():
                self.has_game = True
            case statements_head.Naming(unit=unit):
                self.units.add(unit)
                if isinstance(statement, statements_head.UnitDefinition):
                    self._sides[unit] = statement.side
            case statements_head.PositionStart() | statements_head.SetupStart():
                self.in_position = True
            case base.Opening():
                self._moving = isinstance(statement, statements.TurnStart) and statement.phase == "movement"
                self._side = statement.side if isinstance(statement, statements.TurnStart) else ""
                self.in_turn, self.in_position = True, False

    def close(self) -> None:
        """Ends the combat, bombardment or air strike that is open."""
        if self._head is not None:
            self.statements.append(replace(self._head, acts=tuple(self._acts)))
            self.statements += self._beside
            self._head = None
            self._acts, self._beside = [], []
        if self._broken_head:
            self._recover(self._broken_head)
            self._broken_head = 0

    def _recover(self, line: int) -> None:
        """Make out the combat whose first line could not be read by what is told below it, and note it as assumed.

        Who retreats says from where, and whoever attacks is not among them. Less than that is not guessed at.
        """
        hanging, self._hanging = self._hanging, []
        attackers = {unit for act in hanging if isinstance(act, statements.Attack) for unit in act.units}
        # A way of one hex may tell only where it ends, an open one through where it goes.
        told = [act for act in hanging if isinstance(act, statements.Retreat) and len(act.path) > 1]
        ways = [act for act in told if act.path[0] != kinds.OPEN]
        fled = {act.path[0] for act in ways if attackers.isdisjoint(act.units)}
        at = next((i for i, problem in enumerate(self.problems) if problem.line == line), None)
        if not attackers or len(fled) != 1 or at is None:
            return
        head = statements.Combat(line, tuple(fled), tuple(hanging))
        self.statements.append(head)
        self._below.pop(line, None)
        self.problems[at] = replace(self.problems[at], assumed=self._write(head))

    def sheet(self, lines: list[str], source: str) -> statements.Sheet:
        """The whole of it."""
        self.close()
        if not self.has_game:
            self.problems.append(SyntaxProblem(max(1, len(lines)), 1, "", expected("game")))
        problems = sorted(map(self._told, self.problems), key=lambda p: (p.line, p.column))
        return statements.Sheet(tuple(self.statements), tuple(problems), tuple(lines), source)

    def _told(self, problem: SyntaxProblem) -> SyntaxProblem:
        """A problem with the lines that rest on it, which only the first of its line is given."""
        below = self._below.pop(problem.line, None)
        return replace(problem, below=tuple(below)) if below else problem
