"""Combats that nobody declared: read from the dice and what followed them, where only one reading is possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.scenarios.language import Language
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.writer import write_statement
from hexforge.validator.transcribe.blocks import Block, Fact, Item
from hexforge.validator.transcribe.noted import Origin
from hexforge.validator.transcribe.spots import Clock, Spot

if TYPE_CHECKING:
    from hexforge.scenarios.hexgrid import HexGrid
    from hexforge.scenarios.model import Scenario


@dataclass
class Undeclared:
    """Dice (perhaps none) without a declaration; where all stood then; what happened to counters afterwards."""

    origin: Origin
    faces: list[int]
    before: dict[str, Spot]
    side: str
    items: list[Item]

    @property
    def facts(self) -> list[Fact]:
        """What happened to counters."""
        return [item.fact for item in self.items if item.fact is not None]

    def emptied(self, sides: Mapping[str, str], now: Mapping[str, Spot]) -> set[str]:
        """Hexes in which the other side stood and stands no more."""
        held = {s.hex for u, s in self.before.items() if s.hex and sides.get(u) != self.side}
        return held - {s.hex for u, s in now.items() if s.hex and sides.get(u) != self.side}


def _target(pending: Undeclared, sides: Mapping[str, str], grid: HexGrid) -> str | None:
    """The one hex that was attacked; None where it could have been another."""
    hit = {
        pending.before[f.unit].hex
        for f in pending.facts
        if f.unit in pending.before and sides.get(f.unit) != pending.side
    }
    if hit:
        return hit.pop() if len(hit) == 1 else None
    enemies = {s.hex for u, s in pending.before.items() if s.hex and sides.get(u) != pending.side}
    common: set[str] | None = None
    for fact in pending.facts:
        spot = pending.before.get(fact.unit)
        near = {h for h in enemies if spot is not None and spot.hex and grid.adjacent(spot.hex, h)}
        common = near if common is None else common & near
    return common.pop() if common is not None and len(common) == 1 else None


def _attackers(
    pending: Undeclared, target: str, sides: Mapping[str, str], grid: HexGrid, scenario: Scenario
) -> tuple[str, ...] | None:
    """The units that attacked; None where some next to the target could have attacked another hex, or fired."""
    enemies = {s.hex for u, s in pending.before.items() if s.hex and sides.get(u) != pending.side}
    found = []
    for unit, spot in pending.before.items():
        if sides.get(unit) != pending.side or not spot.hex or not grid.adjacent(spot.hex, target):
            continue
        others = [h for h in enemies if h != target and grid.adjacent(spot.hex, h)]
        counter = scenario.counters.get(unit)
        if others or counter is None or counter.range is not None:
            return None
        found.append(unit)
    return tuple(found) or None


def settle(
    pending: Undeclared, sides: Mapping[str, str], grid: HexGrid, scenario: Scenario, lang: Language
) -> list[Item]:
    """The combat as lines, with a comment that says that nobody declared it, or comments alone."""
    origin, portuguese = pending.origin, lang == "pt"
    roll = write_statement(st.Roll(0, tuple(pending.faces)), lang) if pending.faces else ""
    target = _target(pending, sides, grid) if pending.items else None
    if target is None:
        said = (
            f"{roll or 'mudanças'}: combate não declarado; escreva acima `combat HEX` e `attack UNIDADES`"
            if portuguese
            else f"{roll or 'changes'}: no combat was declared; write `combat HEX` and `attack UNITS` above"
        )
        lines = [Item(origin, f"# {said}")]
        scratch = Block(Clock(0, pending.side, "combat"), origin, items=pending.items)
        lines += [Item(o, f"#   {text.strip()}") for text, o in scratch.lines(lang)]
        return lines
    attackers = _attackers(pending, target, sides, grid, scenario)
    said = (
        "combate não declarado, deduzido dos dados e do que se seguiu"
        if portuguese
        else "not declared, read from the dice and what followed"
    )
    found = [Item(origin, f"# {said}"), Item(origin, write_statement(st.Combat(0, (target,)), lang))]
    if attackers is not None:
        found.append(Item(origin, write_statement(st.Attack(0, attackers), lang), indent=True))
    else:
        lacks = "falta: attack UNIDADES" if portuguese else "to be added: attack UNITS"
        found.append(Item(origin, f"# {lacks}", indent=True))
    if roll:
        found.append(Item(origin, roll, indent=True))
    return [*found, *pending.items]
