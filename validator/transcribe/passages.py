"""By which hex and edge a counter came onto the map or left it, where the log shows only that it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from hexforge.validator.readers.notation import statements as st

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario


def edges_of(scenario: Scenario, hex_: str, *, retreat: bool = False) -> list[st.EdgeName]:
    """The edges that a hex lies on; with `retreat`, those too by which only who gives way leaves there (4.2.2)."""
    rule = scenario.game.rules.combat.off_map
    gaps = rule.gaps if retreat and rule is not None else {}
    found = (e for edges in (scenario.map.edges, gaps) for e, at in edges.items() if hex_ in at)
    return cast("list[st.EdgeName]", list(dict.fromkeys(found)))


def way_out(scenario: Scenario, hex_: str, *, retreat: bool = False) -> st.EdgeName | None:
    """The first of those edges; None for a hex inside."""
    return next(iter(edges_of(scenario, hex_, retreat=retreat)), None)


def way_in(scenario: Scenario, unit: str, hex_: str) -> tuple[list[str], st.EdgeName | None]:
    """Path and edge of an entry that ended in a hex.

    A counter that was dropped inside the map came by the nearest of its ways in; its path is open then.
    """
    edges, hexes = _ways_in(scenario, unit)
    on_edge = scenario.map.edges
    known = [e for e, at in on_edge.items() if hex_ in at]
    path, first = [hex_], hex_
    if hex_ not in hexes and not known:
        candidates = hexes or [h for e in edges for h in sorted(on_edge.get(e, ()))]
        if candidates:
            grid = scenario.map.grid
            first = min(candidates, key=lambda h: (grid.distance(h, hex_), h))
            path = [first, *([hex_] if grid.adjacent(first, hex_) else [st.OPEN, hex_])]
            known = [e for e, at in on_edge.items() if first in at]
    fits = [e for e in edges if first in on_edge.get(e, ())]
    return path, cast("st.EdgeName | None", next(iter(fits or known), None))


def group_of(scenario: Scenario, unit: str) -> frozenset[str]:
    """The units that must come by the same edge as this one, itself among them; none where there are none."""
    arrivals = scenario.setup.reinforcements
    groups = {a.group for a in arrivals if a.group and unit in a.units}
    return frozenset(u for a in arrivals if a.group in groups for u in a.units)


def _ways_in(scenario: Scenario, unit: str) -> tuple[list[str], list[str]]:
    """Edges and hexes by which a unit may come."""
    edges: dict[str, None] = {}
    hexes: dict[str, None] = {}
    for arrival in scenario.setup.reinforcements:
        if unit in arrival.units:
            edges |= dict.fromkeys(arrival.edges)
            hexes |= dict.fromkeys(arrival.hexes)
    for leave in scenario.setup.withdrawals:
        if unit in leave.units:
            edges |= dict.fromkeys(leave.returns_edges)
    return list(edges), list(hexes)
