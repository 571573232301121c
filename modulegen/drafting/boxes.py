"""The boxes of a module for units that left the board alive: zones on the map of the dead that are called so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.drafting.pieces import plain
from hexforge.modulegen.vassal.grids import ZonedGrid
from hexforge.scenarios.words import Words, languages

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.module import Module
    from hexforge.scenarios.model import Scenario

_CORNERS: Final = 3
Box = tuple[int, int, int, int]


def left_boxes(scenario: Scenario, module: Module, losses: str, sides: Mapping[str, str]) -> dict[str, list[int]]:
    """Side of the game -> left, top, right, bottom of its box in pixels of the map `losses`.

    A box that names no side is that of the one side that has none, or of all where it is the only one.
    `sides`: the module's names of sides -> the game's.
    """
    called = {side.id: {plain(side.id)} for side in scenario.game.sides}
    for text in scenario.texts.values():
        for side, names in called.items():
            names |= {plain(name) for key in ("sides", "adjectives") if (name := text.get(f"{key}.{side}"))}
    for name, side in sides.items():
        called[side].add(plain(name))
    found: dict[str, Box] = {}
    nobodys: list[Box] = []
    for name, box in _zones(module, losses):
        mine = [side for side, names in called.items() if any(one and _says(name, one) for one in names)]
        if len(mine) == 1:
            found.setdefault(mine[0], box)
        elif not mine:
            nobodys.append(box)
    rest = [side for side in called if side not in found]
    if len(nobodys) == 1 and (len(rest) == 1 or not found):
        found |= dict.fromkeys(rest, nobodys[0])
    return {side: list(box) for side, box in found.items()}


def _zones(module: Module, losses: str) -> Iterator[tuple[str, Box]]:
    """The zones of a map that are called as boxes of those that left, by their plain names."""
    words = {word for language in languages() for word in Words(language)("modulegen.bind.gone").split("|")}
    map_ = next((one for one in module.maps if one.name == losses), None)
    if map_ is None or len(map_.boards) != 1 or not isinstance(map_.boards[0].grid, ZonedGrid):
        return
    right, down = map_.edge
    for zone in map_.boards[0].grid.zones:
        name = plain(zone.name)
        if len(zone.polygon) >= _CORNERS and any(_says(name, plain(word)) for word in words):
            xs, ys = [x + right for x, _ in zone.polygon], [y + down for _, y in zone.polygon]
            yield name, (min(xs), min(ys), max(xs), max(ys))


def _says(name: str, words: str) -> bool:
    """Whether whole words stand in a plain name; the last may go on (`exit`, `exited`)."""
    return f"-{words}" in f"-{name}"
