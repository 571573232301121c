"""Which hexes lie behind a side's own line, where a rulebook lets units begin there and draws no line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from hexforge.scenarios.hexgrid import Hex, HexGrid

if TYPE_CHECKING:
    from hexforge.scenarios.schema.counters import CounterRow
    from hexforge.scenarios.schema.setup import SetupFile


def behind_own_line(
    grid: HexGrid, setup: SetupFile, counters: Mapping[str, CounterRow], side: str
) -> frozenset[Hex]:
    """What may lie behind a side's line: hexes no nearer to the places printed for the enemy than to its own.

    No text says where a line runs, but none runs through the other side's places.
    """
    fixed = [r for r in setup.at_start if len(r.hexes) == 1 and not r.areas]
    places = {r.hexes[0]: counters[r.units[0]].side == side for r in fixed if r.hexes[0] in grid}
    return _nearer_to_own(grid, tuple(places.items()))


@lru_cache(32)
def _nearer_to_own(grid: HexGrid, places: tuple[tuple[Hex, bool], ...]) -> frozenset[Hex]:
    """The hexes from which no place of the enemy is nearer than all that are a side's own."""
    nearest = {h: min((grid.distance(h, place), not own) for place, own in places) for h in grid if places}
    return frozenset(h for h in grid if not places or not nearest[h][1])
