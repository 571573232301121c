"""Combats that nobody declared: read from the dice and what followed them, where only one reading is possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexforge.scenarios.words import message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.blocks import CounterFact, Item, joined
from hexforge.validator.transcribe.noted import Origin, faces_told
from hexforge.validator.transcribe.spots import Spot

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario


@dataclass
class Undeclared:
    """Dice without a declaration; where all stood then; what happened to counters afterwards."""

    origin: Origin
    faces: list[int]
    before: dict[str, Spot]
    side: str
    items: list[Item]

    @property
    def facts(self) -> list[CounterFact]:
        """What happened to counters."""
        return [item.fact for item in self.items if item.fact is not None]

    def held(self, sides: Mapping[str, str]) -> set[str]:
        """Hexes in which the other side stood."""
        return _held(self.before, sides, self.side)

    def emptied(self, sides: Mapping[str, str], now: Mapping[str, Spot]) -> set[str]:
        """Hexes in which the other side stood and stands no more."""
        return self.held(sides) - _held(now, sides, self.side)


def _held(at: Mapping[str, Spot], sides: Mapping[str, str], side: str) -> set[str]:
    """Hexes in which any but a side stands."""
    return {s.hex for u, s in at.items() if s.hex and sides.get(u) != side}


def _target(pending: Undeclared, sides: Mapping[str, str], scenario: Scenario) -> str | None:
    """The one hex that was attacked; None where it could have been another."""
    hit = {
        pending.before[f.unit].hex
        for f in pending.facts
        if f.unit in pending.before and sides.get(f.unit) != pending.side
    }
    if hit:
        return hit.pop() if len(hit) == 1 else None
    enemies, grid = pending.held(sides), scenario.map.grid
    common: set[str] | None = None
    for fact in pending.facts:
        spot = pending.before.get(fact.unit)
        near = {h for h in enemies if spot is not None and spot.hex and grid.adjacent(spot.hex, h)}
        common = near if common is None else common & near
    return common.pop() if common is not None and len(common) == 1 else None


def _attackers(
    pending: Undeclared, target: str, sides: Mapping[str, str], scenario: Scenario
) -> tuple[str, ...] | None:
    """The units that attacked; None where some next to the target could have attacked another hex, or fired."""
    grid, others = scenario.map.grid, pending.held(sides) - {target}
    found = []
    for unit, spot in pending.before.items():
        if sides.get(unit) != pending.side or not spot.hex or not grid.adjacent(spot.hex, target):
            continue
        counter = scenario.counters.get(unit)
        if counter is None or counter.range is not None or any(grid.adjacent(spot.hex, h) for h in others):
            return None
        found.append(unit)
    return tuple(found) or None


def combat_lines(pending: Undeclared, sides: Mapping[str, str], scenario: Scenario) -> list[Item]:
    """The combat as lines, with a comment that says that nobody declared it, or comments alone."""
    origin, faces = pending.origin, pending.faces
    target = _target(pending, sides, scenario) if pending.items else None
    if target is None:
        said = Item(origin, message("logs.comment.undeclared-roll", faces=faces_told(faces)))
        return [said, *(replace(item, aside=True) for item in joined(pending.items))]
    attackers = _attackers(pending, target, sides, scenario)
    attack = st.Attack(0, attackers) if attackers is not None else message("logs.comment.attackers-missing")
    return [
        Item(origin, message("logs.comment.deduced")),
        Item(origin, st.Combat(0, (target,))),
        Item(origin, attack, indent=True),
        Item(origin, st.Roll(0, tuple(faces)), indent=True),
        *pending.items,
    ]
