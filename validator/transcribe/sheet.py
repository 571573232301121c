"""A chain of logs of a module of ours as a turn sheet, each line with the step of the log that it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.scenarios.words import SOURCE, Language, Words
from hexforge.validator.readers.sheet import sheet_of
from hexforge.validator.readers.words import vocabulary_of
from hexforge.validator.transcribe.noted import Noted, Origin, line_of, steps_of
from hexforge.validator.transcribe.reckoning import NOTHING, Reckoning, reckon

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.readers.statements import Sheet
    from hexforge.validator.transcribe.chain import Chain


@dataclass(frozen=True)
class Transcript:
    """What a chain of logs says as a turn sheet.

    `sheet` holds the statements, by the lines on which they are written for people. `origins` has one entry a line;
    `noted` is what is wrong with the logs themselves; `reckoning` is what became of every command; `same_data`: the
    module was built from the scenario's files as they are here.
    """

    sheet: Sheet
    origins: tuple[Origin, ...]
    noted: tuple[Noted, ...]
    scenario: Scenario
    same_data: bool = True
    reckoning: Reckoning = NOTHING

    @property
    def lines(self) -> tuple[str, ...]:
        """The sheet as it is written."""
        return self.sheet.lines

    @property
    def text(self) -> str:
        """The sheet as text."""
        return "\n".join(self.lines) + "\n"

    @property
    def steps(self) -> dict[int, tuple[str, int]]:
        """The log's name and its step, by line."""
        return steps_of(self.origins)

    def line_of(self, origin: Origin) -> int:
        """The first line of a step or, where it left none, the last before it; 1 at least."""
        return line_of(origin, self.origins)


def scenario_of(name: str, source: str = "") -> Scenario | None:
    """The scenario that a mark names; None if it is not among those that are here. `source`: the log's path.

    Of an extension no log is written down: its sheets tell what no map shows.
    """
    from hexforge.scenarios.model import Scenario
    from hexforge.validator import games

    found = games.game(name, source)
    return found if isinstance(found, Scenario) else None


def transcript(chain: Chain, lang: Language = SOURCE) -> Transcript | None:
    """The turn sheet of a chain, written in a language; None if it is not of a game that is known here."""
    from hexforge.validator.transcribe.outline import outline
    from hexforge.validator.transcribe.scribe import AIR, write_down
    from hexforge.validator.transcribe.witness import witnessed

    marks = chain.marks
    if marks is None or not chain.logs:
        return None
    source = chain.logs[0].path
    scenario = scenario_of(marks.game, source)
    if scenario is None:
        return None
    draft = write_down(chain, marks, scenario)
    items = witnessed(draft, list(outline(draft, chain)), cut=chain.logs[-1].game.damage is not None)
    words, vocabulary = Words(lang), vocabulary_of(scenario)
    lines = [(item.written(words, vocabulary), item.statement) for item in items]
    sheet = sheet_of(lines, source, vocabulary, lang)
    noted = (*chain.noted, *draft.noted)
    origins = tuple(item.origin for item in items)
    same = marks.digest == scenario.digest
    reckoning = reckon(chain, draft.heard, frozenset((AIR,)))
    return Transcript(sheet, origins, noted, scenario, same, reckoning)
