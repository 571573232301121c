"""A chain of logs of a module of ours as a turn sheet, each line with the step of the log that it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.scenarios.language import Language
from hexforge.validator.transcribe.blocks import Item
from hexforge.validator.transcribe.chain import Chain
from hexforge.validator.transcribe.noted import Noted, Origin

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario


@dataclass(frozen=True)
class Transcript:
    """The sheet. `origins` has one entry a line; `noted` is what is wrong with the logs themselves."""

    lines: tuple[str, ...]
    origins: tuple[Origin, ...]
    noted: tuple[Noted, ...]
    scenario: Scenario
    same_data: bool = True

    @property
    def text(self) -> str:
        """The sheet as text."""
        return "\n".join(self.lines) + "\n"

    def line_of(self, origin: Origin) -> int:
        """The first line of a step or, where it left none, the last before it; 1 at least."""
        best = 1
        for number, found in enumerate(self.origins, 1):
            if found == origin:
                return number
            if found.log == origin.log and found.step <= origin.step:
                best = number
        return best


def scenario_of(name: str, source: str = "") -> Scenario | None:
    """The scenario that a mark names; None if it is not among those that are here. `source`: the log's path."""
    from hexforge.validator import games

    return games.scenario(name, source)


def transcript(chain: Chain, lang: Language = "en") -> Transcript | None:
    """The turn sheet of a chain; None if it is not of a game that is known here."""
    from hexforge.validator.transcribe.outline import outline
    from hexforge.validator.transcribe.scribe import Scribe

    marks = chain.marks
    if marks is None or not chain.logs:
        return None
    scenario = scenario_of(marks.game, chain.logs[0].path)
    if scenario is None:
        return None
    scribe = Scribe(chain, marks, scenario, lang)
    scribe.write()
    found = outline(scribe, chain, marks, scenario, lang)
    for block in scribe.blocks:
        found += [("", block.origin), (block.heading(lang, scribe.words), block.origin), *block.lines(lang)]
    found += _plain(scribe.scores)
    noted = (*chain.noted, *scribe.noted)
    lines, origins = zip(*found, strict=True)
    return Transcript(lines, origins, noted, scenario, marks.digest == scenario.digest)


def _plain(items: list[Item]) -> list[tuple[str, Origin]]:
    return [(item.text, item.origin) for item in items]
