"""How sure each datum of a game is: printed in the rulebook, taken from real geography, or assumed."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator
from dataclasses import dataclass

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.base import Provenance
from hexforge.scenarios.words import SOURCE, Message, message

PROVENANCES: tuple[Provenance, ...] = ("printed", "gazetteer", "assumed")

_STRENGTH: dict[str, Provenance] = {"printed": "printed", "inferred": "assumed", "assumed": "assumed"}
_IDENTITY: dict[str, Provenance] = {"printed": "printed", "history": "gazetteer", "assumed": "assumed"}


@dataclass(frozen=True, slots=True)
class Datum:
    """One fact of a game. `kind` is what it is about (`hex`, `hexside`, `strength` …), `id` which one it is."""

    kind: str
    id: str
    value: str
    provenance: Provenance
    note: str = ""


def kind_name(kind: str) -> Message:
    """A kind of datum for readers: its id, which commands ask for, and where that is English what it means."""
    return message(f"scenario.kind.{kind}")


def origin_name(origin: Provenance) -> Message:
    """Where data come from, for readers."""
    return message(f"scenario.origin.{origin}")


def survey(scenario: Scenario) -> list[Datum]:
    """Every datum of the map and of the counters with its provenance, map first."""
    return [*_map(scenario), *_counters(scenario)]


def totals(data: list[Datum]) -> dict[str, dict[Provenance, int]]:
    """For each kind, in the order of first appearance, how many data are printed, gazetteer and assumed."""
    tally = Tally((d.kind, d.provenance) for d in data)
    return {kind: {p: tally[kind, p] for p in PROVENANCES} for kind in dict.fromkeys(d.kind for d in data)}


def _map(scenario: Scenario) -> Iterator[Datum]:
    ground = scenario.map
    for hex_, terrain in sorted(ground.terrain.items()):
        yield Datum("hex", hex_, "+".join(terrain), ground.provenance[hex_], ground.notes.get(hex_, ""))
    for run in ground.hexside_runs:
        for a, b in run.sides:
            yield Datum("hexside", f"{a}/{b}", f"{run.kind} {run.name}".strip(), run.provenance, run.note)
    for bridge in ground.bridge_list:
        yield Datum("bridge", "/".join(bridge.side), bridge.name or "bridge", bridge.provenance, bridge.note)
    for way in ground.ways:
        run_of = f"{way.hexes[0]}-{way.hexes[-1]}"
        yield Datum("way", run_of, f"{way.kind} {way.name}".strip(), way.provenance, way.note)
    for place in ground.places:
        yield Datum("place", " ".join(place.hexes), place.name, place.provenance, place.note)
    for area in ground.areas:
        yield Datum("area", area.id, f"{len(area.hexes)} hexes", area.provenance, area.note)


def _counters(scenario: Scenario) -> Iterator[Datum]:
    for unit in scenario.counters.values():
        figures = f"{unit.attack}-{unit.defence}-{unit.move}"
        yield Datum("strength", unit.id, figures, _STRENGTH[unit.source_strength], unit.note)
        if unit.reduced_attack is not None or unit.reduced_defence is not None:
            reduced = f"{unit.reduced_attack}-{unit.reduced_defence}"
            yield Datum("reduced", unit.id, reduced, _STRENGTH[unit.source_reduced], unit.note)
        if unit.range is not None:
            yield Datum("range", unit.id, str(unit.range), _STRENGTH[unit.source_range], unit.note)
        yield Datum("identity", unit.id, unit.name(SOURCE), _IDENTITY[unit.source_identity], unit.note)
