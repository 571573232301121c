"""Every name in a scenario's files that stands for something else of the game, in one walk over their schemas.

Checks that what is named exists, and answers about what rests on a hex or a counter, both follow from this walk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.base import Model
from hexforge.scenarios.schema.game import OPTIONS
from hexforge.scenarios.schema.references import Kind, Ref

Where = tuple[str | int, ...]
"""The keys and list positions that lead to a value in a file; in counters.csv a counter's id and a column."""


class Reference(NamedTuple):
    """One name: what kind of thing it stands for, the thing's id, and where the name is.

    `holders` are the models around it, the file's own first. Where it is not `binding` it may name what is not
    there.
    """

    kind: Kind
    id: Any
    file: str
    where: Where
    holders: tuple[Model, ...]
    binding: bool

    @property
    def holder(self) -> Model:
        """The innermost model that holds the name: a placement, a way, a rule."""
        return self.holders[-1]


Found = tuple[Ref, Any, Where, tuple[Model, ...]]
Finder = Callable[[Any, Where, tuple[Model, ...]], Iterator[Found]]
"""Finds the names in a value of one type."""


def references(scenario: Scenario) -> Iterator[Reference]:
    """Every name in the scenario's files, file by file."""
    for file, holder in scenario.files.items():
        for ref, id_, where, holders in _in_model(type(holder))(holder, (), ()):
            yield Reference(ref.kind, id_, file, where, holders, ref.binding)
    for counter in scenario.counters.values():
        for ref, id_, where, holders in _in_model(type(counter))(counter, (counter.id,), ()):
            yield Reference(ref.kind, id_, "counters.csv", where, holders, ref.binding)


def known(scenario: Scenario) -> dict[Kind, Collection[Any]]:
    """What there is of each kind of thing."""
    game, ground, tables = scenario.game, scenario.map, scenario.tables
    units = scenario.counters.values()
    divisions = {u.division for u in units if u.division}
    return {
        "area": ground.area,
        "barrier": (*tables.hexsides, "fortified"),
        "class": game.classes,
        "division": {word for name in divisions for word in (name, name.lower(), name.split()[0])},
        "edge": ground.edges,
        "formation": divisions | {u.corps for u in units if u.corps},
        "hex": ground.grid.neighbours,
        "hexside": tables.hexsides,
        "movement-class": game.movement_classes,
        "option": (*OPTIONS, *game.rules.movement.switches),
        "place": ground.place,
        "side": [side.id for side in game.sides],
        "switch": [name for name, option in game.options.items() if set(option.choices) == {"yes", "no"}],
        "terrain": tables.terrain,
        "turn": range(game.turns.first, game.turns.last + 1),
        "type": (*game.unit_types, *game.classes, *game.movement_classes),
        "unit": scenario.counters,
        "unit-type": game.unit_types,
        "way": tables.ways,
    }


@cache
def _in_model(model: type[Model]) -> Finder:
    hints = get_type_hints(model, include_extras=True)
    fields = [(name, finder) for name in model.model_fields if (finder := _in_type(hints[name], None)) is not None]

    def find(value: Model, where: Where, holders: tuple[Model, ...]) -> Iterator[Found]:
        for name, finder in fields:
            yield from finder(getattr(value, name), (*where, name), (*holders, value))

    return find


def _in_type(hint: Any, ref: Ref | None) -> Finder | None:
    """How to find the names in a value of a type, or None where it can hold none."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _in_type(args[0], next((note for note in args[1:] if isinstance(note, Ref)), ref))
    if origin in (Union, UnionType):
        (given,) = (arg for arg in args if arg is not type(None))
        finder = _in_type(given, ref)
        return finder and (lambda value, at, holders: finder(value, at, holders) if value is not None else iter(()))
    if origin is dict:
        return _in_mapping(*(_in_type(arg, ref) for arg in args))
    if origin is tuple:
        return _in_list(_in_type(args[0], ref), inline=ref is not None)
    if isinstance(hint, type) and issubclass(hint, Model):
        return _in_model(hint)
    return None if ref is None else lambda value, where, holders: iter(((ref, value, where, holders),))


def _in_list(finder: Finder | None, *, inline: bool) -> Finder | None:
    """`inline`: a list of words that may stand in one line, so that the list is the place of each."""
    if finder is None:
        return None

    def find(value: Any, where: Where, holders: tuple[Model, ...]) -> Iterator[Found]:
        for i, item in enumerate(value):
            yield from finder(item, where if inline else (*where, i), holders)

    return find


def _in_mapping(keys: Finder | None, values: Finder | None) -> Finder | None:
    if keys is None and values is None:
        return None

    def find(value: Any, where: Where, holders: tuple[Model, ...]) -> Iterator[Found]:
        for key, item in value.items():
            if keys is not None:
                yield from keys(key, (*where, key), holders)
            if values is not None:
                yield from values(item, (*where, key), holders)

    return find
