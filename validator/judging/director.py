"""What a director's file puts right by hand, as statements of the sheet that it speaks of.

A ruling is read by the words of the sheet's game, so it says what the same line would say in the sheet itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...scenarios.console import Problem, ScenarioError
from ..notation import base, cursor, games, statements_head
from ..notation import statements as st
from ..notation.vocabulary import notation
from ..reading.sheet import read_ruling
from ..rules.findings import Ruled
from ..rules.rulings import Directed

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.schema.tournament import TournamentRuling
    from ..notation.words import Vocabulary
    from ..reading.tournament import Applied


Steps = Mapping[int, tuple[str, int]]
"""The log and the step that lines of a sheet come from."""


def directed(applied: Applied, sheet: st.Sheet, scenario: Scenario, steps: Steps) -> st.Sheet:
    """The sheet with what a director's file puts right, each below its line, and below the combat that has that.

    Raises ScenarioError, with all that is wrong, for rulings that cannot be read, name units or hexes that the game
    has not, or lines that the sheet has not.
    """
    found: list[tuple[int, base.Statement]] = []
    bad: list[Problem] = []
    reader = _Reader(applied, sheet, scenario)
    for number, ruling in applied.rulings:
        below = _below(applied, ruling, sheet, steps)
        if below is None:
            continue
        got = reader.read(number, ruling, below)
        if isinstance(got, Problem):
            bad.append(got)
        else:
            found.append((below, got))
    if bad:
        raise ScenarioError(bad)
    return replace(sheet, statements=tuple(_merged(sheet.statements, found))) if found else sheet


def refuse(applied: Applied) -> None:
    """Raises ScenarioError for rulings on a game that has no position to put anything right in."""
    bad = [applied.tournament.problem(["rulings", number], "no-position") for number, _ in applied.rulings]
    if bad:
        raise ScenarioError(bad)


def _below(applied: Applied, ruling: TournamentRuling, sheet: st.Sheet, steps: Steps) -> int | None:
    """The line below which a ruling has its place, 0 for above all; None if its log or mail is not here."""
    if ruling.line is not None:
        lines = applied.lines_of(ruling, sheet)
        # A line that the file has not is told as one that the game has not.
        return (lines[0] or len(sheet.lines) + 1) if lines else None
    own = applied.steps_of(ruling.sheet, sheet, steps)
    done = (line for line, step in own.items() if step <= (ruling.step or 0))
    return max(done, default=min(own) - 1) if own else None


def _merged(
    statements: tuple[base.Statement, ...], rulings: list[tuple[int, base.Statement]]
) -> Iterator[base.Statement]:
    """The statements with the rulings among them; of those below one line the first comes first."""
    waiting = sorted(rulings, key=lambda pair: pair[0])
    for statement in statements:
        while waiting and waiting[0][0] < statement.line:
            yield waiting.pop(0)[1]
        yield statement
    yield from (ruling for _, ruling in waiting)


class _Reader:
    """Reads rulings by the words of a sheet's game, and by the units that the sheet itself names."""

    def __init__(self, applied: Applied, sheet: st.Sheet, scenario: Scenario) -> None:
        self._applied = applied
        self._sheet = sheet
        self._declared: Collection[str] = {
            s.unit for s in sheet.statements if isinstance(s, statements_head.UnitDefinition)
        }
        self._words: Vocabulary = games.vocabulary(scenario.name, sheet.source) or notation()
        self._own_map = any(isinstance(s, statements_head.MapBlank) for s in sheet.statements)

    def read(self, number: int, ruling: TournamentRuling, below: int) -> Directed | Problem:
        tournament = self._applied.tournament
        at: list[str | int] = ["rulings", number]
        if below > (last := len(self._sheet.lines)):
            return tournament.problem([*at, "line"], "no-line", sheet=self._sheet.source, line=below, last=last)
        cls, key = (statements_head.Put, "put") if ruling.put else (statements_head.RuledControl, "control")
        got = read_ruling(cls, ruling.put or ruling.control, self._words, self._declared)
        at.append(key)
        if isinstance(got, cursor.SyntaxProblem):
            # Where the text ends, the reader stands at the reason that is not part of it.
            key = "ruling" if got.found and got.found != "because" else "ruling-end"
            return tournament.problem(at, key, found=got.found, expected=got.expected)
        if strange := [
            u for u in getattr(got, "units", ()) if u not in self._words.units and u not in self._declared
        ]:
            return tournament.problem(at, "no-unit", unit=strange[0])
        grid = self._words.grid
        if got.hex and grid is not None and not self._own_map and got.hex not in grid:
            return tournament.problem(at, "no-hex", hex=got.hex)
        return Directed(self._line(below), replace(got, line=self._line(below)), self._ruled(number, ruling))

    def _line(self, below: int) -> int:
        """The line that a ruling is told on: the last at or above its place that says anything, or the first."""
        told = (
            line
            for s in self._sheet.statements
            if not isinstance(s, statements_head.Accept)
            for line in (s.line, *(act.line for act in (s.acts if isinstance(s, st.Engagement) else ())))
        )
        return max((line for line in told if line <= below), default=1)

    def _ruled(self, number: int, ruling: TournamentRuling) -> Ruled:
        tournament = self._applied.tournament
        line = tournament.line(["rulings", number])
        by = ruling.by or tournament.file.director
        return Ruled(self._applied.source, line, " ".join(ruling.reason.split()), by)
