"""What reports call the turn and phase that a line is played in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation.statements_ledger import DayStart

if TYPE_CHECKING:
    from hexforge.modulegen.words import ModuleWords
    from hexforge.scenarios.extended import Extension
    from hexforge.scenarios.words import Words
    from hexforge.validator.report.answer import Answer

T = TypeVar("T")


def numbered(kind: str, number: int, w: Words) -> str:
    """`Movement 2`: a kind of phase, and which of several; 0 if it is alone."""
    return f"{w.heading('phases', kind)} {number}" if number else w.heading("phases", kind)


class Headings:
    """The names of the turns and phases of an answer in one language."""

    def __init__(self, answer: Answer, w: Words) -> None:
        self.answer, self.w = answer, w

    def __call__(self, line: int) -> str:
        """`Turn 2 · 2 Nov 1944 · American: Movement`; "" for what stands before the first turn."""
        if (phase := self.answer.phase_of(line)) is not None:
            return self.phase(self.turn(phase.turn), phase.side, phase.kind, phase.number)
        number = bisect_right(self._days, line, key=lambda day: day.line)
        return self.day(self._days[number - 1]) if number else ""

    def grouped(self, items: Iterable[tuple[int, T]]) -> Iterator[tuple[str, list[tuple[int, T]]]]:
        """Items with their lines, in their order, those beside each other of one phase together below its name."""
        for heading, found in groupby(items, key=lambda item: self(item[0])):
            yield heading, list(found)

    def phase(self, turn: str, side: str, kind: str, number: int = 0) -> str:
        """A phase of a side in a turn that has a name; either may be ""."""
        told = ": ".join(
            filter(None, (side and self.w.heading("sides", side), kind and numbered(kind, number, self.w)))
        )
        return " · ".join(filter(None, (turn, told)))

    def turn(self, turn: int) -> str:
        """`Turn 2 · 2 Nov 1944`: with the day only where the printed map was played on."""
        if not turn:
            return self.w("page.start")
        named = self.w("page.turn", turn=turn)
        game = self.answer.scenario
        dated = self.answer.field is not None and self.answer.field.printed and isinstance(game, Scenario)
        if not (dated and isinstance(game, Scenario) and game.game.turns.first <= turn <= game.game.turns.last):
            return named
        return self.w("page.turn-dated", turn=named, date=self._calendar.turn_date(game, turn))

    def day(self, opened: DayStart) -> str:
        """`25 Jun 1944, A.M. · Movement`: a phase of a part of a day."""
        return " · ".join(
            (
                self.part_of_day(opened),
                ": ".join(filter(None, (self.phase("", opened.side, ""), self.phase_of_day(opened)))),
            )
        )

    def phase_of_day(self, opened: DayStart) -> str:
        """`Invasion 2`."""
        return numbered(opened.phase, opened.number or 0, self.w)

    def part_of_day(self, opened: DayStart) -> str:
        """`25 Jun 1944, A.M.`"""
        game: Extension = self.answer.scenario  # type: ignore[assignment]
        year = game.game.days.first.year if game.game.days else 1
        # The last of February is the 29th in any year that is written.
        day = date(year, opened.month, min(opened.day, 28) if opened.month == 2 else opened.day)
        part = self.w.value(Term("turns", opened.part, opened.part))
        return self.w("page.day", date=self._calendar.date(day), part=part)

    @cached_property
    def _calendar(self) -> ModuleWords:
        from hexforge.modulegen.words import ModuleWords

        assert self.answer.scenario is not None
        return ModuleWords.of(self.answer.scenario, self.w.language)

    @cached_property
    def _days(self) -> list[DayStart]:
        return [s for s in (self.answer.sheet.statements if self.answer.sheet else ()) if isinstance(s, DayStart)]
