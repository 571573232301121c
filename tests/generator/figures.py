"""What a player works out before he throws: totals, odds, shifts, column (5.1), bombardment values (6.2, 8.0)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hexforge.scenarios.text.hexgrid import Hex, side
from tests.generator.table import Forces, Table, barred


@dataclass(frozen=True)
class Sum:
    """Attack and defence, odds as the table heads them, the sum of all shifts, and the final column."""

    attack: int
    defence: int
    odds: str
    shifts: int
    column: str


def label(name: str) -> str:
    """A formation's number, or its name where it has none."""
    found = re.match(r"\d+", name)
    return found.group() if found else name.lower()


def ground(table: Table, target: Hex, sources: Iterable[Hex], defender: str) -> int:
    """Columns that the ground gives a defender against an assault from some hexes: 0 or less."""
    tables, rules = table.scenario.tables, table.scenario.game.rules.combat
    best = min(tables.terrain[t].combat for t in table.ctx.map.terrain[target])
    lines, works = [], []
    for hex_ in set(sources):
        kinds = [
            k
            for k in table.ctx.map.hexsides.get(side(target, hex_), ())
            if k in tables.hexsides and rules.line_side.get(k, defender) == defender
        ]
        lines.append(min((tables.hexsides[k].combat for k in kinds if not tables.hexsides[k].additive), default=0))
        works.append(min((tables.hexsides[k].combat for k in kinds if tables.hexsides[k].additive), default=0))
    best = min(best, max(lines, default=0))
    fort = max(works, default=0)
    if tables.fortified and target in table.ctx.map.fortified:
        fort = min(fort, tables.fortified.combat)
    return best + fort


def dominates(table: Table, mine: Hex, side_: str, theirs: Hex) -> bool:
    """Whether a side's unit stands in dominant terrain towards an enemy next to it (4.1.2)."""
    enemy = next(s.id for s in table.scenario.game.sides if s.id != side_)
    rule = table.scenario.game.rules.movement.dominant_side
    kinds = table.ctx.map.hexsides.get(side(mine, theirs), frozenset())

    def behind_works(hex_: Hex, who: str) -> bool:
        return (rule.get("fortified") == who and hex_ in table.ctx.map.fortified) or any(
            rule.get(k) == who for k in kinds
        )

    if behind_works(mine, side_):
        return True
    if behind_works(theirs, enemy):
        return False
    return ground(table, mine, (theirs,), side_) < ground(table, theirs, (mine,), enemy)


def encircled(forces: Forces, hex_: Hex) -> bool:
    """Whether nobody in a hex has a neighbouring hex free of the enemy and his zone (5.1.3)."""
    table = forces.table
    units = forces.at(hex_)
    enemy = next(s.id for s in table.scenario.game.sides if s.id != table.unit(units[0]).side)
    unsafe = forces.zone(enemy) | forces.held(enemy)
    return not any(
        n not in unsafe and any(not barred(table, u, hex_, n) for u in units)
        for n in table.ctx.map.grid.neighbours[hex_]
    )


def unity(table: Table, fighters: Sequence[str], role: str) -> int:
    """Columns for complete formations (5.1.4): 0 or more."""
    rules = table.scenario.game.rules.combat.unity
    who = {table.unit(u).side for u in fighters}
    if not who:
        return 0
    (side_,) = who
    regiment: int = getattr(rules.regiment, role)
    division: int = getattr(rules.division, role)
    parts: dict[str, dict[str, set[str]]] = {}
    for unit in table.ctx.units.values():
        if unit.side != side_ or "guns" in unit.kinds:
            continue
        name = unit.id if rules.unit_is_regiment and unit.division else unit.regiment
        if name:
            parts.setdefault(unit.division, {}).setdefault(name, set()).add(unit.id)
    present = set(fighters)
    small = large = False
    for name, regiments in parts.items():
        whole = [r for r, units in regiments.items() if units <= present]
        counted = [r for r in whole if label(r) not in map(label, rules.no_regiment.get(side_, ()))]
        small = small or bool(counted)
        barred_division = label(name) in map(label, rules.no_division.get(side_, ()))
        large = large or bool(name and not barred_division and len(whole) == len(regiments))
    for command in rules.commands if side_ in [c.side for c in rules.commands] else ():
        for name in {table.unit(u).division for u in fighters} - {""}:
            types = {table.unit(u).type for u in fighters if table.unit(u).division == name}
            small = small or all(types & set(wanted) for wanted in command.types)
    if large and division and rules.division.in_all:
        return max(division, regiment * small)
    return regiment * small + division * large


def assault(
    forces: Forces,
    target: Hex,
    attackers: Sequence[str],
    *,
    support: Sequence[str] = (),
    guards: Sequence[str] = (),
    air: int = 0,
    guard_air: int = 0,
    offboard: int = 0,
) -> Sum:
    """The figures of an assault by units that all stand next to the target."""
    table, rules = forces.table, forces.table.scenario.game.rules.combat
    defender = table.enemy
    defenders = forces.at(target, defender)
    attack = sum(map(forces.attack, (*attackers, *support))) + air + offboard
    defence = sum(map(forces.defence, defenders)) + sum(map(forces.attack, guards)) + guard_air
    columns = table.scenario.tables.crt.columns
    if attack >= defence > 0:
        odds = f"{attack // defence}-1"
    elif attack > 0:
        odds = f"1-{defence // attack}" if defence else columns[-1]
    else:
        odds = columns[0]
    if odds not in columns:
        odds = columns[-1] if odds.endswith("-1") and odds != "1-1" else columns[0]
    shifts = ground(table, target, [forces.where[u] for u in attackers], defender)
    if encircled(forces, target):
        shifts += rules.encirclement.columns
        if any(table.unit(u).type in rules.encirclement.immune.get(defender, ()) for u in defenders):
            shifts -= rules.encirclement.relief
    shifts += unity(table, (*attackers, *support), "attack") - unity(table, (*defenders, *guards), "defence")
    for rule in rules.modifiers:
        sides = [c.side for c in rule.when if c.kind == "attacker"]
        turns = [c.turns for c in rule.when if c.kind == "turns"]
        if rule.what.kind == "columns" and sides == [table.side] and turns[0][0] <= table.turn <= turns[0][1]:
            shifts += rule.what.columns
    for transit in rules.transit:
        if transit.turns[0] <= table.turn <= transit.turns[1]:
            marks = table.position.units
            shifts -= transit.columns * any(transit.flag in marks[u].marks for u in attackers)
            shifts += transit.columns * any(transit.flag in marks[u].marks for u in defenders)
    index = min(max(columns.index(odds) + shifts, 0), len(columns) - 1)
    return Sum(attack, defence, odds, shifts, columns[index])


def bombardment(forces: Forces, target: Hex, power: int, means: Literal["air", "artillery"]) -> tuple[int, str]:
    """Value and column of a bombardment: power times vulnerability, the terrain of the hex to the left."""
    table, tables = forces.table, forces.table.scenario.tables
    assert tables.bombardment is not None
    weak = sum(tables.vulnerability[means][table.unit(u).type] for u in forces.at(target, table.enemy))
    columns = tables.bombardment.columns
    lows = [int(re.split(r"[-+]", c)[0]) for c in columns]
    index = max(i for i, low in enumerate(lows) if low <= max(1, power * weak))
    shift = min(tables.terrain[t].combat for t in table.ctx.map.terrain[target])
    if tables.fortified and target in table.ctx.map.fortified:
        shift += tables.fortified.combat
    return power * weak, columns[min(max(index + shift, 0), len(columns) - 1)]


def read(rows: dict[str, tuple[str, ...]], columns: Sequence[str], roll: int, column: str) -> tuple[str, ...]:
    """What a table says for a sum of two dice."""
    row = next(cells for key, cells in rows.items() if str(roll) in key.split(","))
    return tuple(row[list(columns).index(column)].split())
