"""The words of a game that the notation itself does not have: its sides, types, terrains, ways and hexsides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexforge.validator.readers.keywords import HEXSIDES, SIDES, TERRAINS, TYPES, WAYS, aliases, fold

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario


@dataclass(frozen=True)
class Kinds:
    """Folded form -> id, for every open list of the notation. `ways` and `hexsides` also begin statements."""

    sides: Mapping[str, str]
    types: Mapping[str, str]
    terrains: Mapping[str, str]
    ways: Mapping[str, str]
    hexsides: Mapping[str, str]


NOTATION: Final = Kinds(
    sides=aliases(SIDES),
    types=aliases(TYPES),
    terrains=aliases(TERRAINS),
    ways=aliases(WAYS),
    hexsides=aliases({kind: forms for kind, forms in HEXSIDES.items() if kind != "bridge"}),
)
"""What a sheet may say of any game."""


def kinds_of(scenario: Scenario) -> Kinds:
    """The notation's words and those that a scenario adds: its ids, and its names for them in each language.

    A word of the notation keeps its meaning. Gives NOTATION itself for a game that adds nothing.
    """
    game, tables = scenario.game, scenario.tables
    own = Kinds(
        sides=_add(scenario, NOTATION.sides, "sides", (side.id for side in game.sides), "-"),
        types=_add(scenario, NOTATION.types, "unit_types", game.unit_types, "_"),
        terrains=_add(scenario, NOTATION.terrains, "terrain", tables.terrain, "_"),
        ways=_add(scenario, NOTATION.ways, "ways", tables.ways, "-"),
        hexsides=_add(scenario, NOTATION.hexsides, "hexsides", tables.hexsides, "-"),
    )
    return NOTATION if own == NOTATION else own


def _add(
    scenario: Scenario, known: Mapping[str, str], section: str, ids: Iterable[str], joint: str
) -> Mapping[str, str]:
    found: dict[str, str] = {}
    canonical = set(known.values())
    for id_ in ids:
        if id_ in canonical:
            continue
        names = (text.get(f"{section}.{id_}") for text in scenario.texts.values())
        for name in (id_, *names):
            word = fold(name).replace("-", " ").replace("_", " ")
            found.setdefault(joint.join(word.split()), id_)
        found[id_] = id_
    found.pop("", None)
    return {**found, **known} if found else known
