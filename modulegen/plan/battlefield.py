"""What a module must know of the ground and of formations to work out a combat, as short texts.

VASSAL has no tables that an expression could look into, but its expressions may cut texts into pieces. So each hex
that helps its defender, or lies at the edge of the map, has a record of letters, and each formation a code.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from hexforge.scenarios.hexgrid import DIRECTIONS, Hex, side
from hexforge.scenarios.schema.game import GUNS

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter, Scenario
    from hexforge.scenarios.schema.tables import WayEffect

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
