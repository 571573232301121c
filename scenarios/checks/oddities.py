"""Warnings on what is sound by itself but stands so oddly beside its like that it is most likely a slip.

Numbers far from their like, things that are there twice, lists from which one is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, pairwise
from typing import Any, Final

from ..console import Problem
from ..model import references
from ..schema.declared import warning
from ..schema.modifiers import IsDeclared, Morale, Together
from ..schema.results import Dice, lower_bounds
from ..schema.rules import Stacking, Untried
from ..schema.rules_movement import Railway
from . import Case, Checker, Slips

_STAFF: Final = "headquarters"
"""The drawing that headquarters have."""
_LISTED: Final = frozenset(
    ("area", "division", "edge", "hexside", "mark", "phase-of-either", "place", "side", "terrain", "type", "unit")
) | {"unit-type", "way", "weather"}
"""What lists name of which each may stand in them once."""
_TWIN: Final = ("when", "what", "group", "each", "table")
_TIMES: Final = 3
"""How many times the next best a unit's movement or strength must be to look like a slip of the hand."""


def movement_is_alike(c: Checker) -> Iterator[Problem]:
    """An allowance several times as high as any other of its type."""
    of_type: dict[str, list[int]] = {}
    for unit in c.units:
        of_type.setdefault(unit.type, []).append(unit.move)
    for unit in c.units:
        *_, most, own = sorted([0, 0, *of_type[unit.type]])
        if unit.move == own > _TIMES * most > 0:
            odd = partial(c.warning, "counters.csv", [unit.id, "move"], "counters.far-mover")
            yield odd(move=own, most=most, type=unit.type)
        if unit.move == 0 < sorted(of_type[unit.type])[-1]:
            yield c.warning("counters.csv", [unit.id, "move"], "counters.unmoved", type=unit.type)


def strengths_are_alike(c: Checker) -> Iterator[Problem]:
    """A strength several times as high as any other."""
    for unit in c.units:
        others = [figure for other in c.units if other is not unit for figure in (other.attack, other.defence)]
        most = max(others, default=0)
        if max(unit.attack, unit.defence) > _TIMES * most > 0:
            odd = partial(c.warning, "counters.csv", [unit.id], "counters.far-stronger")
            yield odd(attack=unit.attack, defence=unit.defence, most=most)


def morale_can_be_thrown(c: Checker) -> Iterator[Problem]:
    """Units whose morale lies beyond all that the dice of their tests show, whatever modifies it."""
    game, results = c.game, c.tables.results
    demands = [
        (d.morale.dice, d.morale.passes) for r in results.values() for d in (r.attacker, r.defender) if d.morale
    ]
    rallies = [rule.rally for rule in game.rules.marks if rule.rally is not None]
    demands += [(rally.dice, rally.passes) for rally in rallies if rally.dice and rally.passes]
    moved = sum(abs(rule.what.morale) for rule in game.rules.combat.modifiers if isinstance(rule.what, Morale))
    for dice in dict.fromkeys(dice for dice, _ in demands):
        shown = sorted(Dice.of(dice).ways)
        for unit in c.units:
            beyond = [m for m in unit.morale if m - moved > shown[-1] or 0 < m + moved < shown[0]]
            if beyond:
                odd = partial(c.warning, "counters.csv", [unit.id, "morale"], "counters.beyond-dice")
                yield odd(morale=beyond[0], dice=dice, least=shown[0], most=shown[-1])


def modifiers_differ(c: Checker) -> Iterator[Problem]:
    """Two modifiers that do the same on the same conditions, so that it counts twice."""
    rules = list(enumerate(c.rules.combat.modifiers))
    for (_, first), (number, second) in combinations(rules, 2):
        declared = any(isinstance(condition, IsDeclared) for condition in second.when)
        if not declared and all(getattr(first, key) == getattr(second, key) for key in _TWIN):
            at = ("rules", "combat", "modifiers", number)
            yield c.warning("game.yaml", at, "game.twin", name=second.name, other=first.name)


def lists_name_once(c: Checker) -> Iterator[Problem]:
    """A list that names one thing twice, most likely in place of another."""
    seen: set[tuple[Any, ...]] = set()
    for ref in references(c.scenario):
        listed = ref.kind in _LISTED
        # The words of one line have its place; items of a list have their number.
        at = ref.where[:-1] if isinstance(ref.where[-1], int) else ref.where
        key = (ref.file, *at, ref.kind, ref.id)
        if listed and key in seen:
            yield c.warning(ref.file, at, "value.named-twice", id=str(ref.id))
        seen.add(key)


def places_are_held(c: Checker) -> Iterator[Problem]:
    """Places that bring replacements to who holds them, and that nobody holds when the game begins."""
    victory, setup = c.victory, c.setup
    taken = {h for line in setup.at_start for h in line.hexes if len(line.hexes) == 1}
    if setup.is_chosen:
        return
    asked: list[tuple[str, list[str | int], tuple[str, ...]]] = [
        ("game.yaml", ["rules", "replacements", i, "held"], rule.held)
        for i, rule in enumerate(c.rules.replacements)
    ]
    asked += [("victory.yaml", ["sudden", i, "place"], end.place) for i, end in enumerate(victory.sudden)]
    asked += [("victory.yaml", ["objectives", i, "place"], aim.place) for i, aim in enumerate(victory.objectives)]
    for file, at, places in asked:
        for place in places:
            hexes = c.map.place[place].hexes if place in c.map.place else ()
            if hexes and victory.control and place not in victory.control and taken.isdisjoint(hexes):
                yield c.warning(file, at, "game.nobodys", place=place)


def edges_have_one_owner(c: Checker) -> Iterator[Problem]:
    """An edge of the map from which both sides have their supply."""
    seen: dict[str, str] = {}
    for i, rule in enumerate(c.rules.supply):
        for edge in rule.edges:
            other = seen.setdefault(edge, rule.side or "")
            if rule.side is not None and other and other != rule.side:
                where = ("rules", "supply", i, "edges")
                yield c.warning("game.yaml", where, "game.same-edge", edge=edge, other=other)


def staffs_pass_supply_on(c: Checker) -> Iterator[Problem]:
    """Types drawn as headquarters that pass no supply on where others do."""
    game, kinds = c.game, c.kinds
    rules = [rule for rule in game.rules.supply if rule.headquarters]
    used = {unit.type for unit in c.units}
    for type_, spec in game.unit_types.items():
        named = any(not kinds(type_).isdisjoint(rule.headquarters) for rule in rules)
        if rules and not named and type_ in used and spec.symbol == _STAFF:
            yield c.warning("game.yaml", ["unit_types", type_], "game.idle-staff", type=type_)


def vulnerability_has_a_column(c: Checker) -> Iterator[Problem]:
    """Units worth something in defence whose vulnerability of 0 gives a value below the table's first column."""
    tables = c.tables
    first = tables.bombardment.columns[0] if tables.bombardment is not None else "0"
    fights = {unit.type for unit in c.units if unit.defence}
    for means, indices in tables.vulnerability.items():
        for type_, index in indices.items():
            if not index and type_ in fights and lower_bounds((first,))[0] > 0:
                where = ("vulnerability", means, type_)
                yield c.warning("tables.yaml", where, "tables.no-value", type=type_, column=first)


def _two_in_one(c: Checker, arms: Together) -> Case | None:
    """Combined arms that one unit is by itself, because its type is in two of the lists."""
    for type_ in sorted({unit.type for unit in c.units}):
        if sum(not c.kinds(type_).isdisjoint(kinds) for kinds in arms.types) > 1:
            return {"type": type_}
    return None


def _short(c: Checker, rule: Untried) -> Case | None:
    """Strengths to be drawn that are fewer than the units that draw one."""
    many, found = sum(c.scenario.fits(rule, id_) for id_ in c.counters), sum(rule.pool.values())
    return {"found": found, "units": many} if rule.pool and not rule.returned and found < many else None


def _rises(_: Checker, rule: Untried) -> Iterator[Case]:
    """Strengths of which a later step is stronger."""
    for figures in rule.pool:
        steps = [tuple(map(int, step.split("-"))) for step in figures.split()]
        if any(after > before for a, b in pairwise(steps) for before, after in zip(a, b, strict=True)):
            yield {"at": (figures,)}


def _counts_one(c: Checker, rule: Stacking) -> Case | None:
    """Stacking points that say even who counts one, and leave a type out, which then counts one too."""
    named, types = {*rule.points, *rule.free}, {u.type for u in c.units}
    left = sorted({u.type for u in c.units if named.isdisjoint({u.id, u.size, *c.kinds(u.type)})})
    return {"type": left[0]} if 1 in rule.points.values() and len(left) == 1 and len(types) > 1 else None


def _other_way(c: Checker, railway: Railway) -> Case | None:
    """A railway on a way that units march along, while another way serves no unit and no rule."""
    game, ways = c.game, c.tables.ways
    classes = {game.unit_types[u.type].movement for u in c.units if u.type in game.unit_types}
    idle = [kind for kind, way in ways.items() if classes.isdisjoint(way.costs)]
    rules = (ref for ref in references(c.scenario) if ref.kind == "way" and ref.file == "game.yaml")
    named = {ref.id for ref in rules if "includes_water" not in ref.where}
    spare = [kind for kind in idle if kind not in named]
    return (
        {"way": railway.way, "other": spare[0]}
        if railway.way in ways and spare and railway.way not in idle
        else None
    )


SLIPS: Final[Slips] = (
    (Together, warning("game.two-in-one", "types", _two_in_one)),
    (Untried, warning("game.short-pool", "pool", _short)),
    (Untried, warning("game.pool-rises", "pool", _rises)),
    (Stacking, warning("game.counts-one", "points", _counts_one)),
    (Railway, warning("game.other-way", "way", _other_way)),
)
