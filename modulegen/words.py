"""The words of a module in one language: its windows, menus, boxes and reports."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.render import texts
from hexforge.scenarios.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexforge.scenarios.extended import AnyGame
    from hexforge.scenarios.model import Counter, Place, Scenario, Text
    from hexforge.scenarios.schema.phases import PhaseSpec


@dataclass(frozen=True)
class ModuleWords:
    """The words of a game's module in one language."""

    language: str
    text: Text

    @classmethod
    def of(cls, scenario: AnyGame, language: str) -> ModuleWords:
        """The words of a game in a language."""
        return cls(language, texts.words(scenario, language))

    def __call__(self, key: str, **values: object) -> str:
        """The word at a key, `{name}` replaced. Raises KeyError for a key that neither game nor compiler knows."""
        found = self.text.values[f"module.{key}"]
        if "{zone}" in found:
            # What every game has and many call by a name of their own.
            zone = Words(self.language, {self.language: self.text}).term("concepts", "zone")
            found = found.replace("{zone}", zone.replace("{", "{{").replace("}", "}}") if values else zone)
            found = found[:1].upper() + found[1:]
        return found.format(**values) if values else found

    def side(self, side: str) -> str:
        """The name of a side."""
        for key in (f"sides.{side}.name", f"sides.{side}", f"side.{side}"):
            if found := self.text.get(key):
                return found
        return side.capitalize()

    def phase(self, phase: str) -> str:
        """The name of a phase of the turn."""
        return self.text.get(f"phases.{phase}") or self.text.values[f"phase.{phase}"]

    def mark(self, mark: str) -> str:
        """The name of a mark that units bear."""
        return self.text.get(f"marks.{mark}") or mark.replace("_", " ").replace("-", " ")

    def step(self, side: str, phase: str, number: int = 0) -> str:
        """What the turn tracker calls a phase of a side; `number`: which of several of a kind, 0 if it is alone."""
        return f"{self.side(side)}: {self.phase(phase)}" + (f" {number}" if number else "")

    def steps(self, sequence: Sequence[PhaseSpec]) -> list[str]:
        """What the turn tracker calls the phases of a turn, those of a side that are of one kind told apart."""
        kinds = [(spec.side, spec.phase) for spec in sequence]
        return [
            self.step(*kind, kinds[: place + 1].count(kind) if kinds.count(kind) > 1 else 0)
            for place, kind in enumerate(kinds)
        ]

    def movements(self, sequence: Sequence[PhaseSpec]) -> list[str]:
        """As `steps`, of the phases in which units move."""
        named = zip(self.steps(sequence), sequence, strict=True)
        return [name for name, spec in named if spec.phase == "movement"]

    def edge(self, edge: str) -> str:
        """The name of an edge of the map."""
        return self.text.get(f"edges.{edge}") or edge

    def area(self, scenario: Scenario, area: str) -> str:
        """The name of an area of the map."""
        named = {a.id: a.name for a in scenario.map.areas}
        return self.text.get(f"areas.{area}") or named.get(area) or area

    def terrain(self, terrain: str) -> str:
        """The name of a terrain."""
        return self.text.get(f"terrain.{terrain}") or texts.spoken(terrain)

    @property
    def fortified(self) -> str:
        """What works are called."""
        return self.text.get("fortified") or texts.spoken("fortified")

    def place(self, place: Place) -> str:
        """The name of a place on the map."""
        return self.text.get(f"places.{place.id}") or place.name

    def formation(self, counter: Counter) -> str:
        """What a palette calls the formation that a counter belongs to."""
        number = counter.division or counter.corps
        if not number:
            return self("palette.other")
        for key in (f"formations.{counter.side}.{number}", f"formations.{number}"):
            if found := self.text.get(key):
                return found
        if counter.division:
            return self("palette.division", n=number) if number.isdecimal() else number
        return self("palette.corps", n=number)

    def name(self, counter: Counter) -> str:
        """A counter's name."""
        return counter.name(self.language)

    def date(self, day: datetime.date) -> str:
        """A day as players write it: `2 nov 1944`."""
        return f"{day.day} {self.text.values[f'months.{day.month}']} {day.year}"

    def turn_date(self, scenario: Scenario, turn: int) -> str:
        """The date on which a turn begins."""
        turns = scenario.game.turns
        return self.date(turns.start + datetime.timedelta(days=(turn - turns.first) * turns.days))

    def title(self, scenario: AnyGame) -> str:
        """The game's title."""
        return self.text.get("title.name") or self.text.get("title") or scenario.game.module.name
