"""Which of a game's modifiers hold in a combat, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from hexforge.scenarios.hexgrid import side
from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.words import Term
from hexforge.validator.referee.combat.encirclement import encircled
from hexforge.validator.referee.findings import Finding, Shift

if TYPE_CHECKING:
    from hexforge.validator.referee.combat.battle import Battle
    from hexforge.validator.referee.combat.figures import Forces
    from hexforge.validator.referee.state import Position

E = TypeVar("E")


def shifts(battle: Battle, forces: Forces, kind: type[m.Columns] | type[m.Die]) -> Iterator[Shift]:
    """Modifiers of the column, or of the die, that hold in a combat; of a group those that count."""
    found: list[tuple[m.Modifier, int]] = []
    for rule in battle.rules.modifiers:
        if isinstance(rule.what, kind) and _all_hold(battle, forces, rule):
            found.append((rule, rule.what.columns if isinstance(rule.what, m.Columns) else rule.what.die))
    for rule, value in _grouped(battle.rules.groups, found):
        yield Shift(rule.name, value, battle.ctx.scenario.citation(rule.section), "modifiers")


def strength(battle: Battle, forces: Forces | None, party: m.Party, unit: str, value: int) -> int:
    """What a unit's strength comes to in a combat; without forces, by what depends on no combat."""
    rules = [
        rule
        for rule in battle.rules.strengths
        if isinstance(rule.what, m.Multiply | m.Fixed)
        and rule.what.of in (party, "both")
        and _is(battle, unit, rule.what.units)
        and _all_hold(battle, _alone(forces, party, unit), rule)
    ]
    fixed = [rule.what.strength for rule in rules if isinstance(rule.what, m.Fixed)]
    value = fixed[-1] if fixed else value
    factors = [(rule, rule.what.by) for rule in rules if isinstance(rule.what, m.Multiply)]
    product, rounding = Fraction(value), "up"
    for rule, by in _grouped(battle.rules.groups, factors):
        product *= by
        rounding = rule.what.rounding if isinstance(rule.what, m.Multiply) else rounding
    if product.denominator == 1:
        return int(product)
    return floor(product + {"up": 1 - Fraction(1, product.denominator), "nearest": Fraction(1, 2)}.get(rounding, 0))


def barred(battle: Battle, forces: Forces, lines: Mapping[str, int]) -> Iterator[Finding]:
    """Attackers whom a modifier forbids this attack, on the lines that name them."""
    for rule in battle.rules.modifiers:
        if not isinstance(rule.what, m.Barred):
            continue
        for unit in (*forces.attackers, *forces.supports):
            if _is(battle, unit, rule.what.units) and _all_hold(battle, _alone(forces, "attackers", unit), rule):
                yield battle.found(
                    lines.get(unit, 0),
                    "attack-barred",
                    section=rule.section,
                    units=(unit,),
                    hexes=forces.targets,
                    doubts=battle.terrain_doubts(*battle.known(forces.targets)),
                    unit=unit,
                    cause=Term("modifiers", rule.name, rule.name.replace("_", " ")),
                )


def _grouped(groups: Mapping[str, m.Group], found: Iterable[tuple[m.Modifier, E]]) -> list[tuple[m.Modifier, E]]:
    """Those that count, in their own order."""
    rows = list(found)
    kept = {id(rule) for rule, _ in rows}
    for name, take in groups.items():
        members = [(rule, value) for rule, value in rows if rule.group == name]
        if take == "sum":
            continue
        strongest = sorted(members, key=lambda row: -_weight(row[1]))
        kept -= {id(rule) for rule, _ in strongest[1 if take == "best" else take :]}
    return [(rule, value) for rule, value in rows if id(rule) in kept]


def _weight(value: object) -> float:
    if isinstance(value, Fraction):
        return float(max(value, 1 / value))
    return float(abs(value)) if isinstance(value, int) else 0.0


def _alone(forces: Forces | None, party: m.Party, unit: str) -> Forces | None:
    """The forces with one unit of a party alone, whose own hexsides and kind count."""
    if forces is None:
        return None
    return forces.only(unit) if party == "attackers" else forces


def _all_hold(battle: Battle, forces: Forces | None, rule: m.Modifier) -> bool:
    return all(
        forces is not None and rule.name in forces.declared
        if isinstance(condition, m.IsDeclared)
        else _holds(battle, forces, condition)
        for condition in rule.when
    )


def _holds(battle: Battle, forces: Forces | None, condition: m.Condition) -> bool:
    match condition:
        case m.InTurns():
            return condition.turns[0] <= battle.turn <= condition.turns[1]
        case m.InWeather():
            return battle.ctx.weather(battle.position) in condition.weather
        case m.ByAttacker():
            return battle.attacker == condition.side
        case m.AfterLosses():
            whose = {None: condition.side, "attackers": battle.attacker, "defenders": battle.defender}[condition.of]
            return (
                whose == condition.side
                and lost(battle.position, condition.side, condition.counted) >= condition.least
            )
    return forces is not None and _in_combat(battle, forces, condition)


def _in_combat(battle: Battle, forces: Forces, condition: m.Condition) -> bool:
    """Whether a condition of a combat's own forces and ground holds."""
    match condition:
        case m.InTerrain():
            grounds = [battle.ctx.map.terrain[h] for h in battle.known(forces.targets)]
            return _share(condition.share, [not set(g).isdisjoint(condition.terrain) for g in grounds])
        case m.AcrossHexside():
            return _share(condition.share, _crossings(battle, forces, condition))
        case m.WithUnits():
            units = _party(battle, forces, condition.of)
            return _share(condition.share, [_is(battle, unit, condition) for unit in units])
        case m.Together():
            units = _party(battle, forces, condition.of)
            return all(any(battle.unit(u).is_any(types) for u in units) for types in condition.types)
        case m.Surrounded():
            known = battle.known(forces.targets)
            return bool(known) and all(encircled(battle.ctx, battle.position, t, battle.defender) for t in known)
        case m.OfFormation():
            return _of_formation(battle, _party(battle, forces, condition.of), condition)
        case m.FromAfar():
            return condition.alone == (not forces.engaged and bool(forces.supports))
    return False


def _share(share: m.Share, hits: Sequence[bool]) -> bool:
    if share == "none":
        return not any(hits)
    return bool(hits) and (all(hits) if share == "all" else any(hits))


def _party(battle: Battle, forces: Forces, party: m.Party) -> tuple[str, ...]:
    if party == "attackers":
        return (*forces.attackers, *forces.supports)
    return tuple(u for t in forces.targets for u in battle.position.at(t, battle.defender))


def _of_formation(battle: Battle, units: Sequence[str], condition: m.OfFormation) -> bool:
    """Whether all units are of one formation, and all that is left of it, if the game asks for that."""
    names = {(battle.unit(u).side, str(getattr(battle.unit(u), condition.by))) for u in units}
    if len(names) != 1 or len(units) < condition.least or not next(iter(names))[1]:
        return False
    members = (
        u.id
        for u in battle.ctx.units.values()
        if (u.side, getattr(u, condition.by)) in names
        and battle.ctx.plays(u.id)
        and battle.position.units[u.id].alive
    )
    return not condition.whole or set(members) <= set(units)


def check_declared(battle: Battle, forces: Forces, lines: Mapping[str, int]) -> Iterator[Finding]:
    """Modifiers that a combat declares: that the game has such, now, and how many times a turn they may be."""
    rules = {r.name: (r, c) for r in battle.rules.modifiers for c in r.when if isinstance(c, m.IsDeclared)}
    for name, line in lines.items():
        if name not in rules:
            yield battle.found(line, "declared-unknown", name=name)
            continue
        rule, declaration = rules[name]
        told: dict[str, Any] = {"section": rule.section, "name": Term("modifiers", name, name.replace("_", " "))}
        most = declaration.most
        if most is not None and battle.position.ledger.declared.get(name, 0) >= most:
            yield battle.found(line, "declared-often", most=most, **told)
        elif not _may_hold(battle, forces, rule):
            yield battle.found(line, "declared-void", hexes=forces.targets, **told)


def _may_hold(battle: Battle, forces: Forces, rule: m.Modifier) -> bool:
    """Whether all conditions hold, for anybody at least where each unit is asked by itself."""
    if isinstance(rule.what, m.Columns | m.Die):
        return _all_hold(battle, forces, rule)
    units = (*forces.attackers, *forces.supports)
    return any(_all_hold(battle, forces.only(unit), rule) for unit in units) or _all_hold(battle, forces, rule)


def _is(battle: Battle, unit: str, who: m.Who) -> bool:
    known = battle.unit(unit)
    return (
        (who.side is None or who.side == known.side)
        and (not who.types or known.is_any(who.types))
        and (not who.divisions or known.division in who.divisions)
        and (not who.marks or not battle.position.units[unit].marks.isdisjoint(who.marks))
    )


def _crossings(battle: Battle, forces: Forces, condition: m.AcrossHexside) -> list[bool]:
    """For each attacker next to a target, whether such a hexside lies between him and all targets next to him."""
    grid, found = battle.position.grid, []
    for unit in forces.engaged:
        hex_ = battle.position.hex_of(unit)
        near = [side(hex_, t) for t in battle.known(forces.targets) if hex_ and grid.adjacent(hex_, t)]
        kinds = [battle.ctx.map.hexsides.get(s, frozenset()) for s in near]
        found.append(bool(near) and all(not k.isdisjoint(condition.hexsides) for k in kinds))
    return found


def lost(position: Position, side_: str, counted: Literal["units", "steps", "factors"]) -> int:
    """What a side has lost by now: units, steps, or attack factors of the front of units eliminated."""
    total = 0
    for id_, state in position.units.items():
        unit = position.roster[id_]
        if unit.side != side_:
            continue
        if counted == "steps":
            total += unit.steps_at("full") - unit.steps_at(state.step)
        elif not state.alive:
            total += unit.attack if counted == "factors" else 1
    for whose, _, attack, _, _ in position.lost:
        if whose == side_:
            total += attack if counted == "factors" else 1
    return total
