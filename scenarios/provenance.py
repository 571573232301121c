"""How sure each datum of a game is: printed in the rulebook, taken from real geography, or assumed."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.hexgrid import side
from hexforge.scenarios.schema.base import Provenance, Sourced
from hexforge.scenarios.walk import Files, marked
from hexforge.scenarios.words import Message, message

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario

PROVENANCES: tuple[Provenance, ...] = ("printed", "gazetteer", "assumed")

_SOURCES: Final[Mapping[str, Provenance]] = {
    **{source: source for source in PROVENANCES},
    **{source[0]: source for source in PROVENANCES},
    "history": "gazetteer",
    "inferred": "assumed",
}
"""What the files call the three: letters for hexes, words of their own for counters."""


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


def survey(scenario: Files) -> list[Datum]:
    """Every datum of the files and of the counters with its provenance, the map's first."""
    found = []
    for mark, source, _, _, holders in marked(scenario, Sourced):
        for fact in mark.facts(holders[-1]):
            note = fact.note or getattr(holders[-1], "note", "")
            found.append(Datum(mark.kind, fact.id, fact.value, _SOURCES[fact.source or source], note))
    return found


@dataclass(frozen=True, slots=True)
class Doubt:
    """How much of what may be found rests on assumed data: steps from hex to hex, and counters that fight."""

    steps: int
    doubtful_steps: int
    counters: int
    doubtful_counters: int


def doubt(scenario: Scenario) -> Doubt:
    """Which share of moves and of combats could be judged with a doubt alone.

    A step rests on the hex that it enters, on what lies on its hexside, and on the way that it follows.
    """
    ground = scenario.map
    sides = {s for run in ground.hexside_runs if run.provenance == "assumed" for s in run.sides}
    ways = {side(*p) for way in ground.ways if way.provenance == "assumed" for p in pairwise(way.hexes)}
    steps = [(a, b) for a in ground.grid for b in ground.grid.neighbours[a]]
    unsure = [
        b for a, b in steps if ground.provenance.get(b) == "assumed" or side(a, b) in sides or side(a, b) in ways
    ]
    figures = [_SOURCES[c.source_strength] == "assumed" for c in scenario.counters.values()]
    return Doubt(len(steps), len(unsure), len(figures), sum(figures))


def totals(data: list[Datum]) -> dict[str, dict[Provenance, int]]:
    """For each kind, in the order of first appearance, how many data are printed, gazetteer and assumed."""
    tally = Tally((d.kind, d.provenance) for d in data)
    return {kind: {p: tally[kind, p] for p in PROVENANCES} for kind in dict.fromkeys(d.kind for d in data)}
