"""What the ground gives the defender (5.1.2): the largest of hex and hexsides, and fortifications on top."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from hexforge.scenarios.hexgrid import Hex, side
from hexforge.scenarios.model import GameMap
from hexforge.scenarios.schema.rules_combat import CombatRules
from hexforge.scenarios.schema.tables import TablesFile


@dataclass(frozen=True, slots=True)
class Cover:
    """Columns (0 or negative) by where they come from.

    `terrains` are those of the target hex, `line` that of the hexsides attacked across (with its `line_kind`),
    `fort` what is added to the larger of the two, `works` the part of it that the hex has on all sides. A line
    helps only as far as it stands before every attacker.
    """

    terrains: tuple[tuple[str, int], ...] = ()
    line: int = 0
    line_kind: str = ""
    fort: int = 0
    works: int = 0

    @property
    def hex(self) -> int:
        """The best terrain of the hex: several do not add up."""
        return min((columns for _, columns in self.terrains), default=0)

    @property
    def columns(self) -> int:
        """What the defender has in all."""
        return min(self.hex, self.line) + self.fort

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """The causes that count, each with its columns; none of 0."""
        best = ("terrain", self.hex) if self.hex <= self.line else (self.line_kind, self.line)
        return tuple(part for part in (best, ("fortification", self.fort)) if part[1])

    def readings(self, line: int, fort: int) -> set[int]:
        """What the columns could be if the hexsides bore nothing, what they bear, or lines of these columns."""
        lines, forts = {0, line, self.line}, {self.works, min(self.works, fort), self.fort}
        return {min(self.hex, some) + other for some in lines for other in forts}

    @property
    def misreadings(self) -> tuple[int, ...]:
        """Sums that one gets by adding what does not add, or by leaving out what does."""
        pieces = [columns for _, columns in self.terrains if columns] + [c for c in (self.line, self.fort) if c]
        sums = {sum(some) for n in range(1, len(pieces) + 1) for some in combinations(pieces, n)}
        return tuple(sorted(sums - {self.columns}))


def cover(
    map_: GameMap,
    tables: TablesFile,
    rules: CombatRules,
    *,
    target: Hex,
    attackers: Iterable[Hex],
    defender: str,
    lines_need_all: bool = True,
) -> Cover:
    """The ground of an assault on `target` by units in `attackers` (adjacent hexes), held by the side `defender`.

    With `lines_need_all` false a river helps as soon as one attacker comes over it.
    """
    before = [
        _lines(map_.hexsides.get(side(target, hex_), frozenset()), tables, rules, defender)
        for hex_ in sorted(set(attackers))
    ]
    choose = max if lines_need_all else min
    line, kind = choose((plain for plain, _ in before), key=lambda part: part[0], default=(0, ""))
    behind = max((fort for _, fort in before), default=0)
    return Cover(
        terrains=tuple((t, tables.terrain[t].combat) for t in map_.terrain[target] if t in tables.terrain),
        line=line,
        line_kind=kind,
        fort=min(behind, _fortified(map_, tables, target)),
        works=_fortified(map_, tables, target),
    )


def cover_from_afar(map_: GameMap, tables: TablesFile, target: Hex) -> Cover:
    """The ground against fire from afar: the hex and its own fortification, but never hexsides (6.2, 8.0)."""
    return Cover(
        terrains=tuple((t, tables.terrain[t].combat) for t in map_.terrain[target] if t in tables.terrain),
        fort=_fortified(map_, tables, target),
        works=_fortified(map_, tables, target),
    )


def _fortified(map_: GameMap, tables: TablesFile, target: Hex) -> int:
    return tables.fortified.combat if tables.fortified and target in map_.fortified else 0


def _lines(
    kinds: frozenset[str], tables: TablesFile, rules: CombatRules, defender: str
) -> tuple[tuple[int, str], int]:
    plain, fort = (0, ""), 0
    for kind in sorted(kinds):
        effect = tables.hexsides.get(kind)
        if effect is None or rules.line_side.get(kind, defender) != defender:
            continue
        if effect.additive:
            fort = min(fort, effect.combat)
        elif effect.combat < plain[0]:
            plain = (effect.combat, kind)
    return plain, fort
