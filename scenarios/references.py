"""Every name in a scenario's files that stands for something else of the game, by the walk over their schemas.

Checks that what is named exists, and answers about what rests on a hex or a counter, both follow from this walk.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple, get_args

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.base import Size
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.game import OPTIONS
from hexforge.scenarios.schema.references import Ref, RefKind
from hexforge.scenarios.walk import Files, Where, marked
from hexforge.scenarios.words import SOURCE, catalogue

FACES = range(1, 7)
"""The faces of the die that is thrown alone, for air points or clearing a way."""


MEANT_OTHERWISE: Final = frozenset(
    ("arrived", "engaged", "engaged-since", "moved", "recovered", "recovered-perhaps", "reduced", "rode")
) | frozenset(("since", "worked", "worked-perhaps"))
"""Flags of the notation that say what a unit did, and are no marks: `status c1 engaged` marks nobody."""


class Reference(NamedTuple):
    """One name: what kind of thing it stands for, the thing's id, and where the name is.

    `holders` are the models around it, the file's own first. Where it is not `binding` it may name what is not
    there.
    """

    kind: RefKind
    id: Any
    file: str
    where: Where
    holders: tuple[Model, ...]
    binding: bool

    @property
    def holder(self) -> Model:
        """The innermost model that holds the name: a placement, a way, a rule."""
        return self.holders[-1]


def references(scenario: Files) -> Iterator[Reference]:
    """Every name in the scenario's files, file by file."""
    for ref, id_, file, where, holders in marked(scenario, Ref):
        yield Reference(ref.kind, id_, file, where, holders, ref.binding)


def known(scenario: Scenario) -> dict[RefKind, Collection[Any]]:
    """What there is of each kind of thing but of those that are drawn, which what draws knows."""
    game, ground, tables = scenario.game, scenario.map, scenario.tables
    units = scenario.counters.values()
    divisions = {u.division for u in units if u.division}
    phases = tuple(dict.fromkeys(("movement", "combat", *(p.phase for p in game.sequence))))
    return {
        "area": ground.area,
        "barrier": (*tables.hexsides, "fortified"),
        "class": game.classes,
        "division": {word for name in divisions for word in (name, name.lower(), name.split()[0])},
        "edge": ground.edges,
        "face": FACES,
        "formation": divisions | {u.corps for u in units if u.corps},
        "hex": ground.grid.neighbours,
        "hexside": tables.hexsides,
        "mark": marks(scenario),
        "marker": game.markers,
        "movement-class": game.movement_classes,
        "option": (*OPTIONS, *game.rules.movement.switches),
        "phase": phases,
        "phase-of-either": (*phases, *(f"enemy_{phase}" for phase in phases)),
        "place": ground.place,
        "regiment": {u.regiment for u in units if u.regiment},
        "result": tables.results,
        "side": [side.id for side in game.sides],
        "size-or-type": (
            *get_args(Size),
            *game.unit_types,
            *game.classes,
            *game.movement_classes,
            *scenario.counters,
        ),
        "switch": [name for name, option in game.options.items() if set(option.choices) == {"yes", "no"}],
        "terrain": tables.terrain,
        "track": game.tracks,
        "turn": range(game.turns.first, game.turns.last + 1),
        "type": (*game.unit_types, *game.classes, *game.movement_classes),
        "unit": scenario.counters,
        "unit-type": game.unit_types,
        "way": tables.ways,
        "weather": game.weathers,
    }


def marks(scenario: Scenario) -> tuple[str, ...]:
    """The flags that a unit of this game can bear: the notation's, those that rules give, and movement classes."""
    rules = scenario.game.rules.movement
    notated = (key.partition(".")[2] for key in catalogue("notation", SOURCE) if key.startswith("flags."))
    lines = scenario.game.rules.supply
    given = (*(r.mark for r in rules.passages), *(mark for r in lines for mark in (r.mark, *r.stages)))
    transit = (rules.transit.mark, rules.transit.passed) if rules.transit else ()
    taken = (mark for rule in scenario.game.rules.marks for mark in rule.gives)
    suffered = (mark for result in scenario.tables.results.values() for mark in result.marks)
    return tuple(dict.fromkeys((*given, *transit, *suffered, *taken, *notated, *scenario.game.movement_classes)))
