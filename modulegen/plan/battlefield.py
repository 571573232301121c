"""What a module knows of ground, formations, combats, arrivals and set-up.

VASSAL has no tables that an expression could look into, but its expressions may cut texts into pieces. So each hex
that helps its defender, or lies at the edge of the map, has a record of letters, and each formation a code.

What a module can work out of a game's combats.

Where it cannot, it throws the dice and says who fights, but states no sums, no column and no result.

Which of weather, rallies, overruns, attrition, tests, losses by dice and untried units a game has, as far as one
button or entry can do them.

The hexes by which units may enter, as far as one key can bring them there.

A set-up for units that the rulebook leaves a choice: one that is legal, and sensible to begin with.

Formations stay together, guns stand as far behind as their range bears, all others towards the enemy. Players will
do better.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from ...scenarios.model import behind_own_line
from ...scenarios.schema import modifiers
from ...scenarios.schema.game import GUNS
from ...scenarios.text.hexgrid import DIRECTIONS, Hex, side

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.schema.rules_movement import Overrun
    from ...scenarios.schema.setup import CounterRow as Counter
    from ...scenarios.schema.setup import Placement
    from ...scenarios.schema.tables import WayEffect


K = TypeVar("K", bound=Hashable)

ZERO = "M"
"""The letter for no columns; those before it are columns to the left, those behind it to the right."""
SIDES = len(DIRECTIONS)
TERRAIN, WORKS, LINES, FORTS, MISSING, BARRED = 0, 1, *range(2, 2 + 4 * SIDES, SIDES)
"""Where in a record stand: terrain, works on all sides; by direction lines, works, what is missing or barred."""
PLAIN = ZERO * MISSING + "=" * 2 * SIDES
"""The record of a hex that has none: nothing helps its defender, and six hexes lie around it."""
NOBODY = "-"
"""The code of a formation that earns nothing."""


def letter(columns: int) -> str:
    """Columns as a letter; more than twelve to either side do not happen on any table."""
    return chr(ord(ZERO) + max(-12, min(12, columns)))


def letters(number: int) -> str:
    """A number, from 0, in capitals: codes may hold neither digits nor small letters, of which ids are made."""
    found = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        found = chr(ord("A") + rest) + found
    return found


def target(hex_: Hex) -> str:
    """How a record, and the property that names the target, begin: a letter keeps VASSAL from reading a number."""
    return f"h{hex_}"


def records(scenario: Scenario, closed: Barriers, defender: str) -> str:
    """`h0905:` and its record for every hex that helps the side that defends, or lies at the edge of the map."""
    found = ((hex_, _record(scenario, closed, hex_, defender)) for hex_ in scenario.map.grid)
    return "".join(f"{target(hex_)}:{record};" for hex_, record in found if record != PLAIN)


def _record(scenario: Scenario, closed: Barriers, hex_: Hex, defender: str) -> str:
    tables, map_ = scenario.tables, scenario.map
    terrain = min((tables.terrain[t].combat for t in map_.terrain[hex_] if t in tables.terrain), default=0)
    works = tables.fortified.combat if tables.fortified and hex_ in map_.fortified else 0
    around = map_.grid.rings[hex_]
    lines = [_line(scenario, hex_, n, defender) if n else (0, 0) for n in around]
    columns = [terrain, works, *(plain for plain, _ in lines), *(added for _, added in lines)]
    missing = ("=" if n else letters(i) for i, n in enumerate(around))
    barred = ("=" if n is None else closed.letter(hex_, n) for n in around)
    return "".join([*map(letter, columns), *missing, *barred])


def _line(scenario: Scenario, hex_: Hex, from_: Hex, defender: str) -> tuple[int, int]:
    """Columns of the hexside that an attack crosses: of its best line, and of works that are added to it."""
    ours = scenario.game.rules.combat.line_side
    effects = [
        scenario.tables.hexsides[kind]
        for kind in scenario.map.hexsides.get(side(hex_, from_), ())
        if kind in scenario.tables.hexsides and ours.get(kind, defender) == defender
    ]
    plain = min((e.combat for e in effects if not e.additive), default=0)
    return min(0, plain), min(0, *(e.combat for e in effects if e.additive), 0)


@dataclass(frozen=True)
class Barriers:
    """Which units may not go from a hex to the next, not even in retreat: for each such hexside a letter.

    A letter stands for a set of unit types; types that are always in the same sets are one group.
    """

    steps: Mapping[tuple[Hex, Hex], frozenset[str]]
    sets: tuple[frozenset[str], ...]
    groups: Mapping[str, str]
    """Unit type -> letter of its group."""

    def letter(self, a: Hex, b: Hex) -> str:
        """The letter of a step; `=` where everybody may go."""
        return letters(self.sets.index(found)) if (found := self.steps.get((a, b))) else "="

    def outside(self, number: int) -> tuple[str, ...]:
        """The letters of the groups that a set leaves free."""
        return tuple(sorted({group for type_, group in self.groups.items() if type_ not in self.sets[number]}))


def barriers(scenario: Scenario) -> Barriers:
    """The barriers of a game's map, as far as they stand on it from the first turn to the last."""
    grid = scenario.map.grid
    found = {(a, b): barred for a in grid for b in grid.neighbours[a] if (barred := _barred(scenario, a, b))}
    sets = tuple(sorted(set(found.values()), key=sorted))
    kinds = dict.fromkeys(tuple(t in s for s in sets) for t in scenario.game.unit_types)
    numbers = {key: letters(i) for i, key in enumerate(kinds)}
    groups = {t: numbers[tuple(t in s for s in sets)] for t in scenario.game.unit_types}
    return Barriers(found, sets, groups)


def _barred(scenario: Scenario, a: Hex, b: Hex) -> frozenset[str]:
    """The types that neither the country nor a way lets into a neighbouring hex; water is no barrier in retreat."""
    tables, s = scenario.tables, side(a, b)
    prevailing = scenario.game.rules.movement.prevailing
    terrains = scenario.map.terrain[b]
    ruling = [t for t in terrains if t in prevailing] or terrains
    lines = [tables.hexsides[k] for k in scenario.map.hexsides.get(s, ()) if k in tables.hexsides]
    words = [w for t in ruling for w in tables.terrain[t].barred]
    words += [w for line in lines if not line.water for w in line.barred]
    if not words:
        return frozenset()
    wet = any(line.water for line in lines)
    ways = [tables.ways[k] for k in scenario.map.links.get(s, ()) if k in tables.ways]
    open_ = [way for way in ways if way.costs and (way.bridges or not wet)]
    shut = types_of(scenario, words)
    return frozenset(t for t in shut if not any(_carries(scenario, way, t) for way in open_))


def _carries(scenario: Scenario, way: WayEffect, type_: str) -> bool:
    spec = scenario.game.unit_types.get(type_)
    return spec is not None and spec.movement in way.costs and type_ not in types_of(scenario, way.barred)


@dataclass(frozen=True)
class Membership:
    """What a unit counts for in unity of command: the codes of its regiment and division with their sizes.

    `codes` is all that it adds to the facts of a combat it fights in; `command` its division as commands know it.
    One unit of each regiment `leads` it: the one that speaks up when all of them fight.
    """

    regiment: str = NOBODY
    regiment_size: int = 0
    division: str = NOBODY
    division_size: int = 0
    codes: str = ""
    command: str = ""
    leads: bool = False


def memberships(scenario: Scenario) -> Mapping[str, Membership]:
    """The formations of every unit by its id."""
    rules = scenario.game.rules.combat.unity
    counters = scenario.counters.values()
    regiments = _codes("R", (_regiment(scenario, c) for c in counters))
    divisions = _codes("D", (_division(c) for c in counters))
    members = {c.id: regiments[key] for c in counters if (key := _regiment(scenario, c)) is not None}
    sizes: dict[str, int] = {}
    for id_, code in members.items():
        sizes[code] = sizes.get(code, 0) + 1
        whole = divisions.get(_division(scenario.counters[id_]) or ("", ""))
        if whole is not None:
            sizes[whole] = sizes.get(whole, 0) + 1
    found, led = {}, set[str]()
    for c in counters:
        regiment = members.get(c.id, NOBODY)
        division = divisions.get(_division(c) or ("", ""), NOBODY) if c.id in members else NOBODY
        key = _regiment(scenario, c)
        if key is not None and _listed(rules.no_regiment, c.side, key[2]):
            regiment = NOBODY
        if _listed(rules.no_division, c.side, c.division):
            division = NOBODY
        command = divisions.get(_division(c) or ("", ""), "").strip("[]") if rules.commands else ""
        codes = "".join(code for code in (regiment, division) if code != NOBODY)
        found[c.id] = Membership(
            regiment,
            sizes.get(regiment, 0),
            division,
            sizes.get(division, 0),
            codes + "".join(_ranks(scenario, c, command)),
            command,
            regiment not in led,
        )
        led.add(regiment)
    return found


def _regiment(scenario: Scenario, counter: Counter) -> tuple[str, str, str] | None:
    """Side, division and regiment of a unit that makes up one; guns do not."""
    if counter.type in scenario.game.classes.get(GUNS, ()):
        return None
    division = counter.division.lower()
    if scenario.game.rules.combat.unity.unit_is_regiment and division:
        return counter.side, division, counter.id
    return (counter.side, division, counter.regiment.lower()) if counter.regiment else None


def _division(counter: Counter) -> tuple[str, str] | None:
    return (counter.side, counter.division.lower()) if counter.division else None


def _codes(kind: str, keys: Iterable[K | None]) -> dict[K, str]:
    distinct = dict.fromkeys(key for key in keys if key is not None)
    return {key: f"[{kind}{letters(number)}]" for number, key in enumerate(distinct)}


def _ranks(scenario: Scenario, counter: Counter, command: str) -> Iterator[str]:
    """The ranks that a unit can fill in the commands of its division: `[CAB:DC]`, first command, second rank."""
    for number, rule in enumerate(scenario.game.rules.combat.unity.commands):
        for rank, types in enumerate(rule.types):
            if command and counter.side == rule.side and counter.type in types_of(scenario, types):
                yield rank_code(number, rank, command)


def rank_code(number: int, rank: int, division: str) -> str:
    """The code of a unit that fills a rank in a command of its division."""
    return f"[C{letters(number)}{letters(rank)}:{division}]"


def types_of(scenario: Scenario, names: Iterable[str]) -> frozenset[str]:
    """The unit types that a list of types, classes and movement classes names."""
    game, found = scenario.game, set[str]()
    for name in names:
        found.update(game.classes.get(name, ()))
        found.update(t for t, spec in game.unit_types.items() if name in (t, spec.movement))
    return frozenset(found)


def of_types(scenario: Scenario, counter: Counter, names: Iterable[str]) -> bool:
    """Whether a counter is of one of the types, classes or movement classes named."""
    return counter.type in types_of(scenario, names)


_NUMBER = re.compile(r"\d+")


def _key(name: str) -> str:
    """A formation is known by its number, else by its name in small letters."""
    number = _NUMBER.match(name.strip())
    return number.group() if number else name.strip().lower()


def _listed(lists: Mapping[str, Iterable[str]], side_: str, name: str) -> bool:
    return _key(name) in {_key(word) for word in lists.get(side_, ())}


_SAID: Final = (modifiers.InTurns, modifiers.ByAttacker, modifiers.InWeather, modifiers.InTerrain)


def works_out(scenario: Scenario) -> bool:
    """Whether the module can work out every combat of the game by itself."""
    rules = scenario.game.rules.combat
    plain = rules.shape.targets == "one" and rules.shape.guns_alone != "odds" and not rules.groups
    ends = {getattr(scenario.tables.crt.column_by, key, "end") for key in ("below", "above")}
    plain = plain and not scenario.game.rules.untried and rules.shape.split == 1
    # A counter goes on saying the side that it was printed for.
    plain = plain and not scenario.game.rules.allegiance
    return plain and ends == {"end"} and all(is_said(scenario, rule) for rule in rules.modifiers)


def is_said(scenario: Scenario, rule: modifiers.Modifier) -> bool:
    """Whether the module knows when a modifier holds, and can do what it does."""
    if isinstance(rule.what, modifiers.Barred | modifiers.Morale | modifiers.Stays):
        return True
    if standing(scenario, rule):
        return True
    if rule.table != "crt" or not all(isinstance(condition, _SAID) for condition in rule.when):
        return False
    if any(isinstance(condition, modifiers.InTerrain) and condition.of == "attackers" for condition in rule.when):
        return False
    unsure = scenario.game.weather_die or scenario.game.weather_areas
    if unsure and any(isinstance(condition, modifiers.InWeather) for condition in rule.when):
        return False
    return isinstance(rule.what, modifiers.Columns) or bool(doubled(rule))


@dataclass(frozen=True)
class StandingShare:
    """A share of the strength that some units have in some turns, which their counters show by themselves."""

    side: str
    types: tuple[str, ...]
    turns: tuple[int, int]
    share: int


def standing(scenario: Scenario, rule: modifiers.Modifier) -> StandingShare | None:
    """A modifier as a standing share, in whatever the unit does; None for one that is none."""
    if rule.table != "both" and (rule.table != "crt" or scenario.tables.bombardment is not None):
        return None
    what, turns = rule.what, [c.turns for c in rule.when if isinstance(c, modifiers.InTurns)]
    if (
        not isinstance(what, modifiers.Multiply)
        or what.of != "both"
        or what.by.numerator != 1
        or what.rounding != "up"
    ):
        return None
    who = what.units
    if (
        who != modifiers.Who(side=who.side, types=who.types)
        or who.side is None
        or len(turns) != 1
        or len(rule.when) != 1
    ):
        return None
    return StandingShare(who.side, who.types, turns[0], what.by.denominator)


def doubled(rule: modifiers.Modifier) -> int:
    """By how much it multiplies everybody in the target, 0 if that is not what it does."""
    what = rule.what
    if not isinstance(what, modifiers.Multiply) or what.of != "defenders" or what.units != modifiers.Who():
        return 0
    return what.by.numerator if what.by.denominator == 1 else 0


RoleName = Literal["attacker", "defender"]


def rallies(scenario: Scenario) -> dict[str, str]:
    """The marks of which units rally -> the dice for each; "" where none are thrown."""
    return {rule.mark: rule.rally.dice or "" for rule in scenario.game.rules.marks if rule.rally is not None}


def taken(scenario: Scenario) -> tuple[str, ...]:
    """The marks that units take of their own will."""
    return tuple(rule.mark for rule in scenario.game.rules.marks if rule.take is not None)


def overruns(scenario: Scenario) -> Overrun | None:
    """How enemies are overrun, where all that may do it have the same result; else None."""
    found = scenario.game.rules.movement.overruns
    return found[0] if len({rule.result for rule in found}) == 1 else None


def attrition_dice(scenario: Scenario) -> str | None:
    """The dice of attrition, where all rules of it that throw any throw the same; else None."""
    found = {rule.steps.dice for rule in scenario.game.rules.attrition if rule.steps.dice}
    return found.pop() if len(found) == 1 else None


def morale_dice(scenario: Scenario) -> str | None:
    """The dice by which results test units, where all of them throw the same; else None."""
    demands = (d for result in scenario.tables.results.values() for d in (result.attacker, result.defender))
    found = {demand.morale.dice for demand in demands if demand.morale is not None}
    return found.pop() if len(found) == 1 else None


def wears(scenario: Scenario) -> bool:
    """Whether some attrition goes without dice."""
    return any(not rule.steps.dice for rule in scenario.game.rules.attrition)


def loss_dice(scenario: Scenario) -> dict[RoleName, str]:
    """Part -> the dice that say how much it loses, where all results throw the same for it."""
    parts: tuple[RoleName, ...] = ("attacker", "defender")
    found = {}
    for part in parts:
        demands = [getattr(result, part) for result in scenario.tables.results.values()]
        dice = {loss.dice for demand in demands for loss in (demand.steps, demand.units) if loss and loss.dice}
        if len(dice) == 1:
            found[part] = dice.pop()
    return found


def recovers(scenario: Scenario) -> bool:
    """Whether a game ever gives back a step that is lost."""
    rules = scenario.game.rules
    listed = any("recover" in phase.does for phase in scenario.game.sequence)
    return bool(rules.movement.recovery or rules.replacements) or listed


def leaves(scenario: Scenario) -> bool:
    """Whether a unit may ever leave the map alive: to score, withdrawn, or in retreat."""
    away = scenario.game.rules.combat.off_map
    listed = any("exit" in phase.does for phase in scenario.game.sequence)
    retreats = away is not None
    return bool(scenario.victory.exits or scenario.setup.withdrawals) or retreats or listed


def icons(scenario: Scenario) -> frozenset[str]:
    """The icons that the buttons of a game have."""
    there = {"weather": scenario.game.weather_die, "overrun": overruns(scenario)}
    return frozenset(name for name, rule in there.items() if rule is not None)


MOST_ENTRIES = 16


def entries(scenario: Scenario, unit: str) -> list[Hex]:
    """The hexes named for a unit's arrivals, and those of its edges: at which ways begin and, edge by edge, all
    others where no rule binds its side to some of them."""
    setup = scenario.setup
    arrivals = [a for a in setup.reinforcements if unit in a.units]
    edges = [e for a in arrivals if not a.hexes for e in a.edges]
    edges += [e for w in setup.withdrawals if unit in w.units for e in w.returns_edges]
    named = [h for a in arrivals for h in a.hexes]
    side_ = scenario.counters[unit].side
    rules = (r for r in scenario.game.rules.movement.entries if r.side in (None, side_))
    if any(r.ways or r.hexes or r.terrain or r.west_of for r in rules):
        return list(dict.fromkeys([*named, *_by_ways(scenario, edges)]))
    by_edge = [(_by_ways(scenario, [e]), sorted(scenario.map.edges.get(e, ()))) for e in dict.fromkeys(edges)]
    # Who has to come by the edge of his mates finds them all in a row.
    by_edge.sort(key=lambda found: (not found[0], found))
    return list(dict.fromkeys([*named, *(h for ways, every in by_edge for h in (*ways, *every))]))


def anybody_enters(scenario: Scenario) -> bool:
    """Whether there is any unit that a key can bring on."""
    return any(entries(scenario, unit) for unit in scenario.counters)


def _by_ways(scenario: Scenario, edges: Sequence[str]) -> list[Hex]:
    """The hexes of edges at which ways begin; none where there are too many to go through one by one."""
    map_, ways = scenario.map, scenario.tables.ways
    edge = sorted(frozenset[str]().union(*(map_.edges.get(e, frozenset()) for e in edges)))
    for kind in ways:
        found = [h for h in edge if ways[kind].costs and h in map_.way_hexes.get(kind, ())]
        if 0 < len(found) <= MOST_ENTRIES:
            return found
    return []


Formation = tuple[str, str, bool]


def fixed(placement: Placement) -> bool:
    """Whether a placement leaves no choice: one hex."""
    return len(placement.hexes) == 1 and not placement.areas and not placement.free


def formations(scenario: Scenario, units: Iterable[str]) -> list[tuple[str, ...]]:
    """Units in stacks of one regiment, or of the guns or the rest of one division, none higher than the limit."""
    rule = scenario.game.rules.stacking
    stacks: dict[Formation, list[list[str]]] = {}
    for id_ in units:
        found = stacks.setdefault(_formation(scenario, scenario.counters[id_]), [[]])
        limit = rule.most((), scenario.counters[id_].side)
        if found[-1] and sum(_weight(scenario, u) for u in (*found[-1], id_)) > limit:
            found.append([])
        found[-1].append(id_)
    return [tuple(stack) for several in stacks.values() for stack in several]


def suggested(scenario: Scenario) -> dict[str, Hex]:
    """unit id -> hex, for all units that have a choice and find room."""
    field_ = _Field(scenario)
    choices = [p for p in scenario.setup.at_start if not fixed(p)]
    wished = [
        (stack, hexes)
        for placement in choices
        for stack in formations(scenario, placement.units)
        for hexes in [_allowed(scenario, placement, stack)]
    ]
    # Who has the least choice chooses first.
    for stack, hexes in sorted(wished, key=lambda wish: len(wish[1])):
        field_.place(stack, hexes)
    return {unit: hex_ for unit, hex_ in field_.chosen.items() if any(unit in p.units for p in choices)}


def _formation(scenario: Scenario, counter: Counter) -> Formation:
    guns = counter.type in scenario.game.classes.get(GUNS, ())
    return counter.division or counter.corps, "" if guns else counter.regiment, guns


def _weight(scenario: Scenario, id_: str) -> int:
    counter = scenario.counters[id_]
    return scenario.game.rules.stacking.weight(
        id_, scenario.kinds(counter.type), counter.size, 1 + len(counter.backs)
    )


def _allowed(scenario: Scenario, placement: Placement, stack: Sequence[str]) -> frozenset[Hex]:
    """Where a stack may stand: in the areas of its line of the list, and as quotas want it."""
    map_, counters = scenario.map, scenario.counters
    hexes = {h for a in placement.areas for h in map_.area.get(a, ())} | set(placement.hexes)
    if placement.free:
        hexes = set(behind_own_line(map_.grid, scenario.setup, counters, counters[stack[0]].side))
    for quota in scenario.setup.quotas:
        regiments = list(dict.fromkeys(counters[u].regiment for u in quota.units))
        if stack[0] in quota.units:
            inside = counters[stack[0]].regiment in regiments[: quota.regiments]
            area = map_.area.get(quota.area, frozenset())
            hexes = hexes & area if inside else hexes - area
    return frozenset(
        h for h in hexes if h in map_.grid and not any(_deployment_barred(scenario, u, h) for u in stack)
    )


def _deployment_barred(scenario: Scenario, id_: str, hex_: Hex) -> bool:
    """Whether the ground or a rule keeps a unit out of a hex."""
    unit, terrains = scenario.counters[id_], scenario.tables.terrain
    kinds = {b for t in scenario.map.terrain[hex_] if t in terrains for b in terrains[t].barred}
    closed = scenario.game.rules.movement.barred_hexes
    return not kinds.isdisjoint(scenario.kinds(unit.type)) or any(
        hex_ in rule.hexes and rule.side in (None, unit.side) for rule in closed
    )


@dataclass
class _Field:
    """The map as it fills: who stands where, and how near the enemy's printed places are."""

    scenario: Scenario
    chosen: dict[str, Hex] = field(default_factory=dict)
    _inside: dict[Hex, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for placement in self.scenario.setup.at_start:
            if fixed(placement):
                for unit in placement.units:
                    self._put(unit, placement.hexes[0])

    def _put(self, unit: str, hex_: Hex) -> None:
        self.chosen[unit] = hex_
        self._inside.setdefault(hex_, []).append(unit)

    def place(self, stack: Sequence[str], hexes: frozenset[Hex]) -> None:
        """A stack in the best hex that has room for all of it, else its units one by one; who finds none stays."""
        whole = self._best(stack, hexes)
        for unit in stack:
            hex_ = whole or self._best((unit,), hexes)
            if hex_ is not None:
                self._put(unit, hex_)

    def _best(self, stack: Sequence[str], hexes: frozenset[Hex]) -> Hex | None:
        counter = self.scenario.counters[stack[0]]
        foes = self._foes(counter.side)
        away = (counter.range or 0) * 2 // 3

        def unfit(hex_: Hex) -> tuple[bool, int]:
            return bool(self._inside.get(hex_)), abs(self._away(hex_, foes) - away)

        return min((h for h in sorted(hexes) if self._room(stack, h, counter.side)), key=unfit, default=None)

    def _away(self, hex_: Hex, foes: Sequence[Hex]) -> int:
        return min((self.scenario.map.grid.distance(hex_, foe) for foe in foes), default=0)

    def _foes(self, side: str) -> list[Hex]:
        return [h for h, units in self._inside.items() if self.scenario.counters[units[0]].side != side]

    def _room(self, stack: Sequence[str], hex_: Hex, side: str) -> bool:
        inside, rule = self._inside.get(hex_, []), self.scenario.game.rules.stacking
        if any(self.scenario.counters[u].side != side for u in inside):
            return False
        weight = sum(_weight(self.scenario, u) for u in (*inside, *stack))
        return weight <= rule.most(self.scenario.map.terrain[hex_], side)
