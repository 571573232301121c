"""The hexes by which units may enter, as far as one key can bring them there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexforge.scenarios.hexgrid import Hex
    from hexforge.scenarios.model import Scenario

MOST_ENTRIES = 16


def entries(scenario: Scenario, unit: str) -> list[Hex]:
    """The hexes named for a unit's arrivals, and those of its edges at which ways begin."""
    setup = scenario.setup
    arrivals = [a for a in setup.reinforcements if unit in a.units]
    edges = [e for a in arrivals if not a.hexes for e in a.edges]
    edges += [e for w in setup.withdrawals if unit in w.units for e in w.returns_edges]
    return list(dict.fromkeys([*(h for a in arrivals for h in a.hexes), *_by_ways(scenario, edges)]))


def anybody_enters(scenario: Scenario) -> bool:
    """Whether there is any unit that a key can bring on."""
    return any(entries(scenario, unit) for unit in scenario.counters)


def _by_ways(scenario: Scenario, edges: Sequence[str]) -> list[Hex]:
    """The hexes of edges at which ways begin; none where there are too many to go through one by one."""
    map_, ways = scenario.map, scenario.tables.ways
    edge = sorted(frozenset[str]().union(*(map_.edges.get(e, frozenset()) for e in edges)))
    for kind in ways:
        found = [h for h in edge if ways[kind].costs and h in map_.way_hexes.get(kind, ())]
        if 0 < len(found) <= MOST_ENTRIES:
            return found
    return []
