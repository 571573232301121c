"""When modifiers hold: their conditions, asked of a combat, of a unit's part in it, or of neither.

What the rules of combat are asked about: a position, and the side that attacks in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from ....scenarios.modifiers import Modifiers
from ....scenarios.schema import modifiers as m
from ....scenarios.schema.base import in_turns
from ....scenarios.schema.rules_combat import CombatRules
from ....scenarios.schema.tables import TablesFile
from ....scenarios.text.hexgrid import Hex, HexGrid, SightLine, side, sight_line
from ....scenarios.text.words import Message
from ..context import Context
from ..findings import Finding, doubt
from ..position import IN_POOL, Position, Unit
from ..roster import fits as selected
from ..roster import untried
from ..values import altered
from .encirclement import encircled


@dataclass(frozen=True)
class Battle:
    """A position as the rules of combat see it. `attacker` is the side that attacks."""

    ctx: Context
    position: Position
    attacker: str

    @property
    def rules(self) -> CombatRules:
        """The parameters of combat of this game."""
        return self.ctx.rules.combat

    @property
    def tables(self) -> TablesFile:
        """The tables of this game."""
        return self.ctx.scenario.tables

    @property
    def modifiers(self) -> Modifiers:
        """The modifiers of this game, stated or implied."""
        return self.ctx.scenario.modifiers

    @property
    def turn(self) -> int:
        """The turn being played."""
        return self.position.turn

    @property
    def defender(self) -> str:
        """The other side."""
        return self.ctx.enemy(self.attacker)

    def unit(self, id_: str) -> Unit:
        """A unit of the roster. Raises KeyError."""
        return self.position.roster[id_]

    def steps_of(self, id_: str) -> int:
        """How many steps a unit has left."""
        return self.unit(id_).steps_at(self.position.units[id_].step)

    def doubts(self, ids: Iterable[str]) -> tuple[Message, ...]:
        """Which strengths among those of the units, as they stand, no rulebook prints."""
        return tuple(d for u in ids if (d := strength_doubt(self.ctx, self.position, u)))

    def known(self, hexes: Iterable[Hex]) -> list[Hex]:
        """Those of the hexes that are on the map."""
        return [h for h in hexes if h in self.position.grid]

    def found(self, line: int, key: str, **more: Any) -> Finding:
        """A finding, with what `Context.found` takes."""
        return self.ctx.found(line, key, **more)


def phasing(ctx: Context, position: Position) -> str:
    """The side whose phase it is."""
    return position.phase.side if position.phase else ctx.scenario.game.sequence[0].side


def acting(ctx: Context, position: Position, units: Iterable[str]) -> str:
    """The side that attacks: the phasing one, unless all of the units (those that exist) are the other's."""
    side = phasing(ctx, position)
    sides = {ctx.units[u].side for u in units if u in ctx.units}
    return sides.pop() if sides == {ctx.enemy(side)} else side


def strength_doubt(ctx: Context, position: Position, unit: str) -> Message | None:
    """Why a unit's strength, as it stands, may be another; None where the rulebook or the sheet prints it."""
    reduced = position.units[unit].lost > 0
    if ("reduced" if reduced else "strength") in position.roster[unit].assumed:
        return doubt("reduced-strength" if reduced else "strength", unit=unit)
    hidden = unit not in position.revealed and untried(ctx.rules.untried, position, unit)
    return doubt("strength", unit=unit) if hidden else None


@dataclass(frozen=True)
class Forces:
    """What fights on both sides. `engaged` are the attackers next to the target, whose hexsides count.

    `declared` says how many times a modifier was, `shares` what part of its strength a unit gives.
    `fronts` are the hexes from which a target would be attacked, in place of those in which the attackers stand.
    `overrun`: they attack in the course of a move.
    """

    targets: tuple[Hex, ...]
    attackers: tuple[str, ...]
    engaged: tuple[str, ...]
    supports: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    offboard: int = 0
    guard_offboard: int = 0
    air: int = 0
    guard_air: int = 0
    declared: Mapping[str, int] = field(default_factory=dict)
    fronts: tuple[Hex, ...] = ()
    shares: Mapping[str, int] = field(default_factory=dict)
    overrun: bool = False

    def times(self, name: str) -> int:
        """How many times a modifier counts: as often as it is declared, or once."""
        return self.declared.get(name, 1)

    def firing(self, gun: str) -> Forces:
        """The same targets, under the fire of one gun alone."""
        return altered(self, attackers=(), engaged=(), supports=(gun,), fronts=())

    def without(self, units: Collection[str]) -> Forces:
        """The same without some units on either side, but for those who stand in the hexes attacked."""
        if not units:
            return self
        return altered(
            self,
            attackers=tuple(u for u in self.attackers if u not in units),
            engaged=tuple(u for u in self.engaged if u not in units),
            supports=tuple(u for u in self.supports if u not in units),
            guards=tuple(u for u in self.guards if u not in units),
        )

    def only(self, attacker: str) -> Forces:
        """The same with one attacker alone, from next to the target or from afar."""
        return altered(
            self,
            attackers=tuple(u for u in self.attackers if u == attacker),
            engaged=tuple(u for u in self.engaged if u == attacker),
            supports=tuple(u for u in self.supports if u == attacker),
        )


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
        case m.InPhase():
            return battle.ctx.in_phase(condition.phases, battle.position.phase)
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
        and (who.near is None or any(leaders(battle.position, unit, who.near)))
        and (who.far is None or not any(leaders(battle.position, unit, who.far)))
        and (not who.ran or _ran(battle, unit) >= who.ran)
    )


def _ran(battle: Battle, unit: str) -> int:
    """How many hexes a unit went in one straight line, at the end of its way, to where it stands."""
    position = battle.position
    trail, side_ = position.ledger.trails.get(unit, ()), battle.unit(unit).side
    if trail[-1:] != (position.hex_of(unit),) or side_ != phasing(battle.ctx, position):
        return 0
    cubes = [position.grid.cube(h) for h in reversed(trail)]
    steps = [tuple(b - a for a, b in zip(one, other, strict=True)) for one, other in pairwise(cubes)]
    return next((i for i, step in enumerate(steps) if step != steps[0]), len(steps))


def runs(ctx: Context) -> list[m.Who]:
    """Those of whom modifiers ask how far they ran, however far that is."""
    asked = (
        one for rule in ctx.scenario.modifiers.rules for one in (*rule.when, getattr(rule.what, "units", None))
    )
    return [altered(who, ran=0) for who in asked if isinstance(who, m.Who) and who.ran]


def runs_untold(ctx: Context, position: Position, units: Iterable[str]) -> list[str]:
    """The units that may have run as modifiers ask, for nobody has told by which way they came."""
    told, battle = position.ledger.trails, Battle(ctx, position, phasing(ctx, position))
    asked = runs(ctx) if ctx.partial or battle.attacker not in told else []
    return [
        u
        for u in units
        if position.roster[u].side == battle.attacker
        and not told.get(u)
        and any(fits(battle, u, who) for who in asked)
    ]


def leaders(position: Position, unit: str, rule: m.Commander) -> Iterator[str]:
    """The units of the same side that lead and stand near enough to another, which may be that one itself."""
    known, here = position.roster[unit], position.hex_of(unit)
    own = str(getattr(known, rule.formation)) if rule.formation is not None else None
    for there, units in position.boards[known.side].at.items() if here is not None and own != "" else ():
        if position.grid.distance(here, there) <= rule.hexes:  # type: ignore[arg-type]
            for other in units:
                alike = rule.formation is None or str(getattr(position.roster[other], rule.formation)) == own
                if alike and selected(rule, position.roster[other], position.units[other]):
                    yield other


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
        # Most units stand as they came, and a score is counted at every step; who began dead nobody killed.
        if state.step == "full" or state.died == IN_POOL or (unit := position.roster[id_]).side != side_:
            continue
        if counted == "steps":
            total += max(0, unit.steps_at("full") - unit.steps_at(state.step) - ctx.short.get(id_, 0))
        elif not state.alive:
            total += unit.attack if counted == "factors" else 1
    for whose, _, attack, _, _ in position.lost:
        if whose == side_:
            total += attack if counted == "factors" else 1
    return total
