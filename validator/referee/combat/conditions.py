"""When modifiers hold: their conditions, asked of a combat, of a unit's part in it, or of neither."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hexforge.scenarios.hexgrid import Hex, HexGrid, side
from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.sight import SightLine, sight_line
from hexforge.scenarios.words import Message
from hexforge.validator.referee.combat.encirclement import encircled
from hexforge.validator.referee.context import in_turns
from hexforge.validator.referee.roster import fits as selected
from hexforge.validator.referee.values import altered

if TYPE_CHECKING:
    from hexforge.validator.referee.combat.battle import Battle
    from hexforge.validator.referee.combat.figures import Forces
    from hexforge.validator.referee.context import Context
    from hexforge.validator.referee.state import Position


@dataclass(frozen=True)
class Asked:
    """Whom conditions are asked of: one unit's `part` in a combat, and the `whole` of it, as the dice `fell`.

    Ground and distances are asked of the part, who takes part of the whole.
    """

    part: Forces
    whole: Forces
    fell: Battle

    def of(self, condition: m.Condition) -> Forces:
        """The forces that a condition is asked of."""
        if isinstance(condition, m.Around):
            return altered(self.whole, targets=self.part.targets)
        return self.whole if isinstance(condition, m.WithUnits | m.Together | m.OfFormation) else self.part

    def at(self, target: Hex) -> Asked:
        """The same of one hex attacked alone."""
        return altered(
            self, part=altered(self.part, targets=(target,)), whole=altered(self.whole, targets=(target,))
        )


def asked_of(battle: Battle, forces: Forces, of: m.Party, unit: str) -> Asked:
    """Of a unit: who attacks does so alone, what is next to him; who defends does so in his own hex alone."""
    here, targets = battle.position.hex_of(unit), battle.known(forces.targets)
    if of == "defenders":
        part = altered(forces, targets=(here,)) if here in targets else forces
        return Asked(part, forces, battle)
    part = forces.only(unit)
    near: tuple[Hex, ...] = ()
    if here is not None and unit in forces.engaged and not forces.fronts:
        near = tuple(t for t in targets if battle.position.grid.adjacent(here, t))
    return Asked(altered(part, targets=near) if near else part, forces, battle)


def hold_for(battle: Battle, asked: Asked, rule: m.Modifier) -> bool:
    """Whether all conditions of a modifier hold of a unit in a combat."""
    return all(
        rule.name in asked.whole.declared
        if isinstance(condition, m.IsDeclared)
        else holds(battle, asked.of(condition), condition, asked.fell)
        for condition in rule.when
    )


def all_hold(battle: Battle, forces: Forces | None, rule: m.Modifier) -> bool:
    """Whether all conditions of a modifier hold; those of combats do not without `forces`."""
    return all(
        forces is not None and rule.name in forces.declared
        if isinstance(condition, m.IsDeclared)
        else holds(battle, forces, condition)
        for condition in rule.when
    )


def holds(battle: Battle, forces: Forces | None, condition: m.Condition, fell: Battle | None = None) -> bool:
    """Whether a condition holds; one of a combat does not without `forces`, and is asked as its dice `fell`."""
    match condition:
        case m.InTurns():
            return in_turns(condition.turns, battle.turn)
        case m.InWeather():
            target = forces.targets[0] if forces is not None and forces.targets else None
            return battle.ctx.weather(battle.position, target) in condition.weather
        case m.ByAttacker():
            return battle.attacker == condition.side
        case m.IsOption():
            return (battle.ctx.option(condition.option) == condition.value) == (condition.share == "all")
        case m.AfterLosses():
            whose = {None: condition.side, "attackers": battle.attacker, "defenders": battle.defender}[condition.of]
            return (
                whose == condition.side
                and lost(battle.ctx, battle.position, condition.side, condition.counted) >= condition.least
            )
    return forces is not None and _in_combat(fell or battle, forces, condition)


def _in_combat(battle: Battle, forces: Forces, condition: m.Condition) -> bool:
    """Whether a condition of a combat's own forces and ground holds."""
    match condition:
        case m.InTerrain():
            hexes = forces.targets if condition.of == "defenders" else stands(battle, forces)
            grounds = [battle.ctx.map.terrain[h] for h in battle.known(hexes)]
            return _share(condition.share, [not set(g).isdisjoint(condition.terrain) for g in grounds])
        case m.InWorks():
            return _share(condition.share, [h in battle.ctx.map.fortified for h in battle.known(forces.targets)])
        case m.AcrossHexside():
            kinds = set(condition.hexsides)
            # Whoever is next to none of the hexes that are asked about crosses no line to them.
            found = (sides for _, sides in fronts(battle, forces, condition.bridged) if sides)
            crossed = [not any(map(kinds.isdisjoint, sides)) for sides in found]
            return _share(condition.share, crossed)
        case m.WithUnits():
            hits = [fits(battle, u, condition) for u in party(battle, forces, condition.of, afar=condition.afar)]
            return _share(condition.share, hits) and (condition.least == 1 or sum(hits) >= condition.least)
        case m.Together():
            units = party(battle, forces, condition.of)
            return all(any(battle.unit(u).is_any(types) for u in units) for types in condition.types)
        case m.Surrounded():
            known = battle.known(forces.targets) if party(battle, forces, "defenders", afar=False) else ()
            return bool(known) and all(encircled(battle.ctx, battle.position, t, battle.defender) for t in known)
        case m.Around():
            near = {h for h, _ in fronts(battle, forces)}
            return any(_around(battle.position.grid, t, near, condition) for t in battle.known(forces.targets))
        case m.OfFormation():
            return _of_formation(battle, party(battle, forces, condition.of), condition)
        case m.AtRange():
            return _share(condition.share, [_at_range(battle, forces, u, condition) for u in shooters(forces)])
        case m.Between():
            blocked = [_blocked(battle, hex_, forces.targets, condition) for hex_ in stands(battle, forces)]
            return _share(condition.share, blocked)
        case m.InOverrun():
            return forces.overrun == (condition.share == "all")
        case m.FromAfar():
            return condition.alone == (not forces.engaged and bool(forces.supports))
    return False


def stands(battle: Battle, forces: Forces) -> tuple[Hex, ...]:
    """The hexes from which the targets are attacked or fired at."""
    if forces.fronts and not forces.supports:
        return forces.fronts
    return tuple(h for u in shooters(forces) if (h := battle.position.hex_of(u)) is not None)


def sights(battle: Battle, hex_: Hex, targets: Iterable[Hex]) -> list[SightLine]:
    """The lines from a hex to all targets that are on the map."""
    return [sight_line(battle.position.grid, hex_, t) for t in battle.known(targets)]


def view_doubts(battle: Battle, forces: Forces, rules: Iterable[m.Modifier]) -> tuple[Message, ...]:
    """What no rulebook says of the ground besides the targets that modifiers ask about."""
    asked, found = [c for rule in rules for c in rule.when], list[Message | None]()
    between = [c for c in asked if isinstance(c, m.Between)]
    own = any(isinstance(c, m.InTerrain) and c.of == "attackers" for c in asked)
    for hex_ in stands(battle, forces) if between or own else ():
        found += [battle.ctx.ground.doubt(hex_)] if own else []
        for line in sights(battle, hex_, forces.targets) if between else ():
            found += [battle.ctx.ground.doubt(h) for hexes in line.through for h in hexes if h]
            found += map(battle.ctx.ground.side_doubt, sorted(line.sides))
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _blocked(battle: Battle, hex_: Hex, targets: Iterable[Hex], condition: m.Between) -> bool:
    """Whether what a condition names lies between a hex and every target."""
    position, kinds, ground = battle.position, frozenset(condition.hexsides), battle.ctx.ground.hexsides
    sides = {"friends": [battle.attacker], "enemies": [battle.defender], "any": [battle.attacker, battle.defender]}

    def such(there: Hex) -> bool:
        held = any(position.at(there, whose) for whose in sides.get(condition.units, ()))
        return held or not set(battle.ctx.map.terrain.get(there, ())).isdisjoint(condition.terrain)

    def shut(line: SightLine) -> bool:
        needed = all if condition.along == "both" else any
        return any(needed(map(such, hexes)) for hexes in line.through) or any(
            not kinds.isdisjoint(ground.get(s, ())) for s in line.sides
        )

    lines = sights(battle, hex_, targets)
    return bool(lines) and all(map(shut, lines))


def shooters(forces: Forces) -> tuple[str, ...]:
    """Who attacks, from next to the target or from afar."""
    return (*forces.attackers, *forces.supports)


def _at_range(battle: Battle, forces: Forces, unit: str, condition: m.AtRange) -> bool:
    hex_, known = battle.position.hex_of(unit), battle.known(forces.targets)
    if forces.fronts and unit in forces.attackers:
        far = 1
    elif hex_ is None or not known:
        return False
    else:
        far = min(battle.position.grid.distance(hex_, target) for target in known)
    return condition.least <= far and (condition.most is None or far <= condition.most)


def _around(grid: HexGrid, target: Hex, hexes: Iterable[Hex], condition: m.Around) -> bool:
    """Whether a target is attacked out of enough of the hexes next to it, or out of opposite ones."""
    near = [grid.cube(h) for h in hexes if grid.adjacent(h, target)]
    here = grid.cube(target)
    facing = {tuple(2 * c - n for c, n in zip(here, cube, strict=True)) for cube in near}
    return len(near) >= condition.least or (condition.opposite and not facing.isdisjoint(near))


def _share(share: m.Share, hits: Sequence[bool]) -> bool:
    if share == "none":
        return not any(hits)
    return bool(hits) and (all(hits) if share == "all" else any(hits))


def party(battle: Battle, forces: Forces, of: m.Party, *, afar: bool = True) -> tuple[str, ...]:
    """Who takes part on a side; `afar`: with those who fire from a distance."""
    if of == "attackers":
        return shooters(forces) if afar else forces.attackers
    there = tuple(u for t in forces.targets for u in battle.position.at(t, battle.defender))
    return (*there, *(u for u in forces.guards if u not in there)) if afar else there


def _of_formation(battle: Battle, units: Sequence[str], condition: m.OfFormation) -> bool:
    """Whether all units are of one formation, and all that is left of it, if the game asks for that."""
    names = {(battle.unit(u).side, str(getattr(battle.unit(u), condition.by))) for u in units}
    if len(names) != 1 or len(units) < condition.least or not next(iter(names))[1]:
        return False
    if condition.stand != "anywhere" and not _close(battle, units, condition.stand):
        return False
    members = (
        u.id
        for u in battle.ctx.units.values()
        if (u.side, getattr(u, condition.by)) in names
        and battle.ctx.plays(u.id)
        and battle.position.units[u.id].alive
    )
    return not condition.whole or set(members) <= set(units)


def _close(battle: Battle, units: Iterable[str], stand: Literal["linked", "hex"]) -> bool:
    """Whether units stand in one hex, or in hexes each of which is next to another, so that all hang together."""
    hexes = {battle.position.hex_of(unit) for unit in units}
    left = {hex_ for hex_ in hexes if hex_ is not None}
    if len(left) < len(hexes) or stand == "hex":
        return len(left) == len(hexes) == 1
    linked = {left.pop()} if left else set[Hex]()
    while more := {h for h in left if any(battle.position.grid.adjacent(h, other) for other in linked)}:
        linked |= more
        left -= more
    return bool(linked) and not left


def fits(battle: Battle, unit: str, who: m.Who) -> bool:
    """Whether a unit is one of those of whom a rule speaks."""
    known = battle.unit(unit)
    return (
        (who.side is None or who.side == known.side)
        and (not who.types or known.is_any(who.types))
        and (not who.divisions or known.division in who.divisions)
        and (not who.marks or not battle.position.units[unit].marks.isdisjoint(who.marks))
        and (who.near is None or _led(battle, unit, who.near))
        and (who.far is None or not _led(battle, unit, who.far))
    )


def _led(battle: Battle, unit: str, rule: m.Commander) -> bool:
    """Whether a unit of the same side that leads stands near enough to another, which may be that one itself."""
    position, known, here = battle.position, battle.unit(unit), battle.position.hex_of(unit)
    if here is None:
        return False
    own = str(getattr(known, rule.formation)) if rule.formation is not None else None
    return own != "" and any(
        position.grid.distance(here, there) <= rule.hexes
        and selected(rule, position.roster[other], position.units[other])
        and (rule.formation is None or str(getattr(position.roster[other], rule.formation)) == own)
        for there, units in position.boards[known.side].at.items()
        for other in units
    )


def fronts(battle: Battle, forces: Forces, bridged: str = "any") -> Iterator[tuple[Hex, list[frozenset[str]]]]:
    """Where each attacker next to a target stands, and the lines between him and each target next to him.

    `bridged` limits them to those that a bridge crosses (`yes`), or none (`no`).
    """
    grid, ground, markers = battle.position.grid, battle.ctx.ground, battle.position.bridges
    known = battle.known(forces.targets)

    def lines(a: Hex, b: Hex) -> frozenset[str]:
        s = side(a, b)
        if bridged != "any" and ground.bridged(s, battle.turn, markers) != (bridged == "yes"):
            return frozenset()
        return ground.hexsides.get(s, frozenset())

    for hex_ in forces.fronts or map(battle.position.hex_of, forces.engaged):
        if hex_ is not None:
            yield hex_, [lines(hex_, t) for t in known if grid.adjacent(hex_, t)]


def lost(ctx: Context, position: Position, side_: str, counted: Literal["units", "steps", "factors"]) -> int:
    """What a side has lost by now: units, steps, or attack factors of the front of units eliminated.

    Steps that a unit had not when it came into the game nobody has lost.
    """
    total = 0
    for id_, state in position.units.items():
        # Most units stand as they came, and a score is counted at every step.
        if state.step == "full" or (unit := position.roster[id_]).side != side_:
            continue
        if counted == "steps":
            total += max(0, unit.steps_at("full") - unit.steps_at(state.step) - ctx.short.get(id_, 0))
        elif not state.alive:
            total += unit.attack if counted == "factors" else 1
    for whose, _, attack, _, _ in position.lost:
        if whose == side_:
            total += attack if counted == "factors" else 1
    return total
