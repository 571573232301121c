"""Regiments that a sheet names as a whole, as those of their units that are meant: `move regiment-109: 0705 0805`.

Only where one meaning fits. Who stands where is known as the game is played, from the position before the line:

- A move takes those who stand where its way begins; one of which only the end is told takes all who are not there
  yet, if they stand in one hex.
- An attack takes all of them, if all stand next to its target.
- After a combat those retreat, advance or are lost who fought in it, from the one hex in which they stood. A step
  is lost by a regiment of which one unit alone fought.

By its number alone (`all-109`) a regiment is not meant where another unit that is called so might do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..notation import base, kinds, statements
from ..notation.cursor import SyntaxProblem, expected
from ..notation.vocabulary import vocabulary_of
from ..notation.words import GROUPS
from ..rules.findings import Finding, find
from ..rules.opening import open_game
from .replay import judge_once

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ..rules.context import Context
    from ..rules.position import Position


S = TypeVar("S", bound=base.Statement)
_SURE, _BARE = GROUPS
_WALKS: Final = (statements.Move, statements.Exit, statements.RailMove)


def named_whole(sheet: statements.Sheet) -> bool:
    """Whether a sheet names a regiment as a whole anywhere."""
    every = (
        one for s in sheet.statements for one in (s, *(s.acts if isinstance(s, statements.Engagement) else ()))
    )
    return any(_whole_regiments(one) for one in every)


def with_units(
    sheet: statements.Sheet, scenario: Scenario, options: Mapping[str, str]
) -> tuple[statements.Sheet, tuple[Finding, ...]]:
    """The sheet with the ids of those whom its regiments mean, and notes on who that is.

    A line that may mean several, or nobody, is no statement there, but one that could not be read, with what fits.
    """
    ctx, position, _ = open_game(scenario, sheet, options)
    found = _Reader(sheet, ctx)
    played: list[base.Statement] = []
    for statement in sheet.statements:
        if isinstance(statement, statements.TurnStart):
            found.ctx = ctx = ctx.at(statement.number)
        meant = found.read(position, statement)
        if meant is not None:
            played.append(meant)
            position = judge_once(ctx, position, meant).position
    return replace(sheet, statements=tuple(played), problems=(*sheet.problems, *found.problems)), tuple(found.notes)


def _whole_regiments(statement: base.Statement) -> list[str]:
    """The regiments that a statement names as a whole."""
    return [unit for unit in getattr(statement, "units", ()) if unit.startswith(GROUPS)]


class _Reader:
    """Reads statements with the units that their regiments mean, and keeps what is to be said of it."""

    def __init__(self, sheet: statements.Sheet, ctx: Context) -> None:
        self.ctx = ctx
        self.notes: list[Finding] = []
        self.problems: list[SyntaxProblem] = []
        self._lines = sheet.lines
        self._calls = vocabulary_of(ctx.scenario).calls

    def read(self, position: Position, statement: base.Statement) -> base.Statement | None:
        """A statement in a position, with the ids of those whom it means; None where that is not known."""
        if isinstance(statement, statements.Engagement):
            statement = self._combat(position, statement)
        return self._with(position, statement, lambda group: self._outside(position, statement, group))

    def _combat(self, position: Position, fight: statements.Engagement) -> statements.Engagement:
        acts: list[base.Act] = []
        for act in fight.acts:
            fought = replace(fight, acts=tuple(acts))
            meant = self._with(position, act, lambda group: self._within(position, act, fought, group))  # noqa: B023
            acts += [meant] if meant is not None else []
        return replace(fight, acts=tuple(acts))

    def _with(self, position: Position, statement: S, meant: Callable[[str], Sequence[str]]) -> S | None:
        groups = {group: self._members(group) for group in _whole_regiments(statement)}
        groups = {group: units for group, units in groups.items() if units and group not in self.ctx.units}
        for group, units in groups.items():
            if not (taken := tuple(meant(group))):
                self._refuse(position, statement.line, group, units)
                return None
            groups[group] = taken
        if not groups:
            return statement
        for group, taken in groups.items():
            self._note(statement.line, group, taken)
        said = (one for unit in getattr(statement, "units", ()) for one in groups.get(unit, (unit,)))
        changes: Any = {"units": tuple(dict.fromkeys(said))}
        return replace(statement, **changes)

    def _members(self, group: str) -> tuple[str, ...]:
        """All units of a regiment, those that the sheet itself brings among them, of one side."""
        number = _number(group)
        found = [unit for unit in self.ctx.units.values() if unit.regiment == number]
        return tuple(unit.id for unit in found) if len({unit.side for unit in found}) == 1 else ()

    # ------------------------------------------------------------------------------------------- who is meant

    def _outside(self, position: Position, statement: base.Statement, group: str) -> Sequence[str]:
        """Whom a regiment means in a statement outside of combats."""
        stand = _standing(position, self._members(group))
        if not isinstance(statement, _WALKS):
            return ()
        way = [step for step in statement.path if step != kinds.OPEN]
        if len(way) > 1 and statement.path[0] != kinds.OPEN:
            there = stand.get(way[0], ())
            return () if any(position.hex_of(u) == way[0] for u in self._others(group)) else there
        gone = [units for hex_, units in stand.items() if hex_ != (way[-1] if way else "")]
        others = any(position.hex_of(u) is not None for u in self._others(group))
        return gone[0] if len(gone) == 1 and not others else ()

    def _within(self, position: Position, act: base.Act, fight: statements.Engagement, group: str) -> Sequence[str]:
        """Whom a regiment means in an act of a combat, of which the acts before it are told."""
        units = [u for u in self._members(group) if position.hex_of(u) is not None]
        if isinstance(act, statements.Attack):
            others = any(_next_to(position, u, fight.targets) for u in self._others(group))
            return units if not others and all(_next_to(position, u, fight.targets) for u in units) else ()
        attack = {u for one in fight.acts if isinstance(one, statements.Attack) for u in one.units}
        fought = [u for u in units if u in attack or position.hex_of(u) in fight.targets]
        if isinstance(act, statements.Lose):
            return fought if len(fought) == 1 else ()
        if isinstance(act, statements.Retreat | statements.Advance | statements.Eliminate):
            return fought if len(_standing(position, fought)) == 1 else ()
        return ()

    def _others(self, group: str) -> Sequence[str]:
        """The units of no such regiment that its number, said alone, may mean as well."""
        if not group.startswith(_BARE):
            return ()
        regiment = self._members(group)
        side = self.ctx.units[regiment[0]].side
        called = self._calls.fit((_number(group),), ())
        return [u for u in called if u not in regiment and u in self.ctx.units and self.ctx.units[u].side == side]

    # --------------------------------------------------------------------------------------------- what is said

    def _note(self, line: int, group: str, units: Sequence[str]) -> None:
        told = " ".join(units)
        self.notes.append(
            find(line, "group-as", "", severity="info", units=units, number=_number(group), units_told=told)
        )

    def _refuse(self, position: Position, line: int, group: str, units: Iterable[str]) -> None:
        number = _number(group)
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        stand = sorted(_standing(position, units).items())
        fits = ", ".join(f"{' '.join(there)} ({hex_})" for hex_, there in stand)
        hint = expected("group", fits=fits) if fits else expected("group-nobody")
        self.problems.append(SyntaxProblem(line, text.find(number) + 1, number, hint))


def _number(group: str) -> str:
    return group.removeprefix(_SURE).removeprefix(_BARE)


def _standing(position: Position, units: Iterable[str]) -> dict[str, list[str]]:
    """Units by the hexes in which they stand."""
    found: dict[str, list[str]] = {}
    for unit in units:
        if (hex_ := position.hex_of(unit)) is not None:
            found.setdefault(hex_, []).append(unit)
    return found


def _next_to(position: Position, unit: str, hexes: Iterable[str]) -> bool:
    here = position.hex_of(unit)
    return here is not None and any(h in position.grid and position.grid.adjacent(here, h) for h in hexes)
