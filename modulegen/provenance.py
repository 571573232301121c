"""Where a game's data come from, by kind: what `modulegen data` and `modulegen check` show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenarios.model import Scenario

ORIGINS = ("printed", "gazetteer", "history", "inferred", "assumed")
Origins = dict[str, dict[str, list[str]]]


def origins(scenario: Scenario) -> Origins:
    """Kind of datum -> origin -> the data: hexes by number, counters by id, lines by name or first hexes."""
    found: Origins = {}

    def note(kind: str, origin: str, what: str) -> None:
        found.setdefault(kind, {o: [] for o in ORIGINS})[origin].append(what)

    ground = scenario.map
    for hex_ in ground.grid:
        note("hexes", ground.provenance.get(hex_, "assumed"), hex_)
    for run in ground.hexside_runs:
        for a, b in run.sides:
            note("hexsides", run.provenance, f"{run.kind}:{a}/{b}")
    for bridge in ground.bridge_list:
        note("bridges", bridge.provenance, "/".join(bridge.side))
    for way in ground.ways:
        note("ways", way.provenance, f"{way.kind}:{way.hexes[0]}-{way.hexes[-1]}")
    for place in ground.places:
        note("places", place.provenance, f"{place.name.replace(' ', '_')}@{','.join(place.hexes)}")
    for area in ground.areas:
        note("areas", area.provenance, area.id)
    for c in scenario.counters.values():
        note("strengths", c.source_strength, c.id)
        if c.reduced_attack is not None:
            note("reduced strengths", c.source_reduced, c.id)
        if c.range is not None:
            note("ranges", c.source_range, c.id)
        note("identities", c.source_identity, c.id)
    return found


def summary(scenario: Scenario) -> dict[str, dict[str, int]]:
    """Kind of datum -> origin -> how many."""
    return {kind: {o: len(items) for o, items in rows.items()} for kind, rows in origins(scenario).items()}
