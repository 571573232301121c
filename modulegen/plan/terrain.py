"""What a hex is called that the mouse rests on: place and terrain, as texts that an expression can search.

VASSAL knows the number of a hex and nothing else of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.plan.battlefield import letters
from hexforge.scenarios.hexgrid import Hex

if TYPE_CHECKING:
    from hexforge.modulegen.words import ModuleWords
    from hexforge.scenarios.model import Scenario


def gazetteer(scenario: Scenario, words: ModuleWords) -> tuple[str, str]:
    """`;0905=A;…` with a code for each hex, and `;A=Hürtgen: town;…` with what the codes stand for."""
    codes: dict[str, str] = {}
    hexes = [
        f";{hex_}={codes.setdefault(told, letters(len(codes)))}"
        for hex_ in scenario.map.grid
        if (told := _described(scenario, words, hex_))
    ]
    return "".join(hexes) + ";", "".join(f";{code}={told}" for told, code in codes.items()) + ";"


def _described(scenario: Scenario, words: ModuleWords, hex_: Hex) -> str:
    """A hex in words, without what expressions and the texts themselves are cut by."""
    ground = [words.terrain(terrain) for terrain in scenario.map.terrain[hex_]]
    ground += [words.fortified] if hex_ in scenario.map.fortified else []
    named = [words.place(place) for place in scenario.map.places if hex_ in place.hexes]
    told = ": ".join(filter(None, (", ".join(filter(None, named)), ", ".join(ground).lower())))
    return told.translate({ord(letter): None for letter in ';="\\{}$'})
