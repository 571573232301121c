"""The words of a module in one language: the game's own first, then those that all modules share."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter, Scenario, Text

LANGUAGES = ("pt", "en")


@cache
def shared(language: str) -> Mapping[str, str]:
    """Words that the compiler itself brings, keys with dots. Raises KeyError for a language it does not speak."""
    from hexforge.scenarios import yamlfile

    if language not in LANGUAGES:
        raise KeyError(language)
    source = files("hexforge.modulegen") / f"words.{language}.yaml"
    flat: dict[str, str] = {}

    def flatten(value: object, key: str) -> None:
        if isinstance(value, dict):
            for name, below in value.items():
                flatten(below, f"{key}.{name}" if key else str(name))
        else:
            flat[key] = str(value)

    from pathlib import Path

    flatten(yamlfile.parse(source.read_text("utf-8"), Path(str(source))), "")
    return MappingProxyType(flat)


@dataclass(frozen=True)
class Words:
    """Looks words up in the game's text, then in the shared ones."""

    language: str
    text: Text

    @classmethod
    def of(cls, scenario: Scenario, language: str) -> Words:
        """The words of a game in a language. Raises KeyError when the game does not have it."""
        return cls(language, scenario.texts[language])

    def __call__(self, key: str, **values: object) -> str:
        """The word at a key, `{name}` replaced. Raises KeyError for a key that neither game nor compiler knows."""
        found = self.text.values.get(f"module.{key}") or shared(self.language)[key]
        return found.format(**values) if values else found

    def side(self, side: str) -> str:
        """The name of a side."""
        for key in (f"sides.{side}.name", f"sides.{side}", f"side.{side}"):
            if found := self.text.get(key):
                return found
        return side.capitalize()

    def phase(self, phase: str) -> str:
        """The name of a phase of the turn."""
        for key in (f"phases.{phase}", f"phase.{phase}"):
            if found := self.text.get(key):
                return found
        return self(f"phase.{phase}")

    def edge(self, edge: str) -> str:
        """The name of an edge of the map."""
        return self.text.get(f"edges.{edge}") or self(f"edge.{edge}")

    def area(self, scenario: Scenario, area: str) -> str:
        """The name of an area of the map."""
        named = {a.id: a.name for a in scenario.map.areas}
        return self.text.get(f"areas.{area}") or named.get(area) or area

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
        return f"{day.day} {self('months').split()[day.month - 1]} {day.year}"

    def turn_date(self, scenario: Scenario, turn: int) -> str:
        """The date on which a turn begins."""
        turns = scenario.game.turns
        return self.date(turns.start + datetime.timedelta(days=(turn - turns.first) * turns.days))

    def title(self, scenario: Scenario) -> str:
        """The game's title."""
        return self.text.get("title.name") or self.text.get("title") or scenario.game.module.name
