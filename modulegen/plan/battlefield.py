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

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter, Scenario

K = TypeVar("K", bound=Hashable)

ZERO = "M"
"""The letter for no columns; those before it are columns to the left, those behind it to the right."""
SIDES = len(DIRECTIONS)
TERRAIN, WORKS, LINES, FORTS, MISSING = 0, 1, 2, 2 + SIDES, 2 + 2 * SIDES
"""Where in a record stand: the terrain, works on all sides, lines and works by direction, and who is missing."""
PLAIN = ZERO * MISSING + "=" * SIDES
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


def records(scenario: Scenario, defender: str) -> str:
    """`h0905:` and its record for every hex that helps the side that defends, or lies at the edge of the map."""
    found = ((hex_, _record(scenario, hex_, defender)) for hex_ in scenario.map.grid)
    return "".join(f"{target(hex_)}:{record};" for hex_, record in found if record != PLAIN)


def _record(scenario: Scenario, hex_: Hex, defender: str) -> str:
    tables, map_ = scenario.tables, scenario.map
    terrain = min((tables.terrain[t].combat for t in map_.terrain[hex_] if t in tables.terrain), default=0)
    works = tables.fortified.combat if tables.fortified and hex_ in map_.fortified else 0
    around = [map_.grid.step(hex_, direction) for direction in DIRECTIONS]
    lines = [_line(scenario, hex_, n, defender) if n else (0, 0) for n in around]
    columns = [terrain, works, *(plain for plain, _ in lines), *(added for _, added in lines)]
    missing = ("=" if n else letters(i) for i, n in enumerate(around))
    return "".join([*map(letter, columns), *missing])


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


# Around a target, columns are counted from two to the left of it, rows in half hexes from four above it; the two
# make one number, which an expression can work out of a counter's distance in pixels.
ROWS, PLACES = 9, 45
_AROUND = {(0, -2): 0, (1, -1): 1, (1, 1): 2, (0, 2): 3, (-1, 1): 4, (-1, -1): 5}


def adjacent() -> dict[int, int]:
    """The places that touch the target, each with the number of its direction."""
    return {(column + 2) * ROWS + row + 4: direction for (column, row), direction in _AROUND.items()}


def covered() -> str:
    """For each place in turn, the directions in which a unit there covers the hex, as six letters or `=`."""
    return "".join(_covers(column, row) for column in range(-2, 3) for row in range(-4, 5))


def _covers(column: int, row: int) -> str:
    near = {d for (c, r), d in _AROUND.items() if _apart(column - c, row - r) <= 1}
    real = (column + row) % 2 == 0 and _apart(column, row) > 0
    return "".join(letters(d) if real and d in near else "=" for d in range(SIDES))


def _apart(columns: int, half_rows: int) -> int:
    """Distance in hexes."""
    return max(abs(columns), (abs(columns) + abs(half_rows)) // 2)


@dataclass(frozen=True)
class Membership:
    """What a unit counts for in unity of command: the codes of its regiment and division with their sizes.

    `codes` is all that it adds to the facts of a combat it fights in; `division` its division as commands know it.
    """

    regiment: str = NOBODY
    regiment_size: int = 0
    division: str = NOBODY
    division_size: int = 0
    codes: str = ""
    command: str = ""


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
    found = {}
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
        )
    return found


def _regiment(scenario: Scenario, counter: Counter) -> tuple[str, str, str] | None:
    """Side, division and regiment of a unit that makes up one; guns do not."""
    if counter.type in scenario.game.classes.get("guns", ()):
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
            if command and counter.side == rule.side and counter.type in _types(scenario, types):
                yield rank_code(number, rank, command)


def rank_code(number: int, rank: int, division: str) -> str:
    """The code of a unit that fills a rank in a command of its division."""
    return f"[C{letters(number)}{letters(rank)}:{division}]"


def _types(scenario: Scenario, names: Iterable[str]) -> frozenset[str]:
    """The unit types that a list of types, classes and movement classes names."""
    game, found = scenario.game, set[str]()
    for name in names:
        found.update(game.classes.get(name, ()))
        found.update(t for t, spec in game.unit_types.items() if name in (t, spec.movement))
        found.add(name)
    return frozenset(found)


def of_types(scenario: Scenario, counter: Counter, names: Iterable[str]) -> bool:
    """Whether a counter is of one of the types, classes or movement classes named."""
    return counter.type in _types(scenario, names)


_NUMBER = re.compile(r"\d+")


def _key(name: str) -> str:
    """A formation is known by its number, else by its name in small letters."""
    number = _NUMBER.match(name.strip())
    return number.group() if number else name.strip().lower()


def _listed(lists: Mapping[str, Iterable[str]], side_: str, name: str) -> bool:
    return _key(name) in {_key(word) for word in lists.get(side_, ())}
