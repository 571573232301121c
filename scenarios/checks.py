"""What a map maker would want to be told: contradictions that no schema sees.

Each rule is a function from a scenario to problems; `RULES` lists them in the order of a game's files. Rules of the
map and of the set-up have modules of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from scenarios.checker import Checker, Locate, Where
from scenarios.checks_combat import COMBAT_RULES
from scenarios.checks_map import MAP_RULES
from scenarios.checks_setup import SETUP_RULES
from scenarios.hexgrid import Hex
from scenarios.model import Scenario
from scenarios.problems import Problem
from scenarios.schema.game import OPTIONS
from scenarios.schema.tables import RESULTS, Cost, ResultTable

__all__ = ["Checker", "check"]

_ODDS = re.compile(r"([1-9][0-9]*)-(1)|(1)-([1-9][0-9]*)")
_BOUNDS = re.compile(r"([0-9]+)(?:-[0-9]+|\+)?")


def check(scenario: Scenario, locate: Locate) -> list[Problem]:
    """All contradictions of a scenario, errors and warnings.

    Hexes off the map are said first and alone, for the other rules would stumble over them.
    """
    checker = Checker(scenario, locate)
    off_map = list(hexes_are_on_the_map(checker))
    rules = [rule for rule in RULES if not off_map or rule not in MAP_RULES]
    return off_map + [problem for rule in rules for problem in rule(checker)]


def hexes_are_on_the_map(c: Checker) -> Iterator[Problem]:
    """Every hex that a file names is one of the map's."""
    ground = c.scenario.map
    named: list[tuple[str, Where, Iterable[Hex]]] = [
        ("map.yaml", ["notes"], ground.notes),
        ("map.yaml", ["fortified"], sorted(ground.fortified)),
    ]
    named += [("map.yaml", ["ways", i], way.hexes) for i, way in enumerate(ground.ways)]
    named += [("map.yaml", ["places", i], place.hexes) for i, place in enumerate(ground.places)]
    named += [("map.yaml", ["areas", i], area.hexes) for i, area in enumerate(ground.areas)]
    named += [("map.yaml", ["edges", name], hexes) for name, hexes in ground.named_edges.items()]
    named += [("setup.yaml", ["at_start", i], p.hexes) for i, p in enumerate(c.scenario.setup.at_start)]
    named += [("setup.yaml", ["reinforcements", i], r.hexes) for i, r in enumerate(c.scenario.setup.reinforcements)]
    for file, where, hexes in named:
        for hex_ in hexes:
            if hex_ not in ground.grid:
                size = f"{ground.grid.columns:02d}{ground.grid.rows:02d}"
                yield c.say(file, where, f"{hex_} is off the map, which ends at {size}")


def kinds_are_known(c: Checker) -> Iterator[Problem]:
    """Terrains, hexsides and ways of the map have effects in tables.yaml."""
    ground, tables = c.scenario.map, c.scenario.tables
    for terrain in sorted({t for hex_ in ground.terrain.values() for t in hex_} - set(tables.terrain)):
        yield c.say("map.yaml", ["legend"], f"the terrain {terrain!r} has no effects in tables.yaml")
    for i, run in enumerate(ground.hexside_runs):
        if run.kind not in tables.hexsides:
            known = ", ".join(tables.hexsides)
            yield c.say("map.yaml", ["hexsides", i], f"{run.kind!r} is no kind of hexside; tables.yaml has {known}")
    for i, way in enumerate(ground.ways):
        if way.kind not in tables.ways:
            known = ", ".join(tables.ways)
            yield c.say("map.yaml", ["ways", i], f"{way.kind!r} is no kind of way; tables.yaml has {known}")


def tables_are_whole(c: Checker) -> Iterator[Problem]:
    """Result tables have a cell for each roll and column; effects a cost for each movement class and weather."""
    tables, game = c.scenario.tables, c.scenario.game
    yield from _table(c, "crt", tables.crt)
    if tables.bombardment is not None:
        yield from _table(c, "bombardment", tables.bombardment)
    yield from _columns(c)
    weathers = set(game.weather)

    def costs(key: str, name: str, given: dict[str, Cost], needed: Iterable[str]) -> Iterator[Problem]:
        for movement in needed:
            if movement not in given:
                yield c.say("tables.yaml", [key, name, "costs"], f"has no cost for the movement class {movement!r}")
        for movement, cost in given.items():
            if movement not in game.movement_classes:
                message = f"{movement!r} is no movement class; game.yaml has {', '.join(game.movement_classes)}"
                yield c.say("tables.yaml", [key, name, "costs"], message)
            elif "" not in cost and set(cost) != weathers:
                message = (
                    f"gives costs for {', '.join(cost)}; game.yaml has the weathers {', '.join(weathers) or 'none'}"
                )
                yield c.say("tables.yaml", [key, name, "costs", movement], message)

    for name, terrain in tables.terrain.items():
        yield from costs("terrain", name, terrain.costs, game.movement_classes)
    for name, hexside in tables.hexsides.items():
        yield from costs("hexsides", name, hexside.costs, ())
    for name, way in tables.ways.items():
        yield from costs("ways", name, way.costs, ())
    barred_lists = {name: effect.barred for name, effect in tables.terrain.items()}
    barred_lists |= {name: effect.barred for name, effect in tables.hexsides.items()}
    barred_lists |= {name: effect.barred for name, effect in tables.ways.items()}
    for name, barred_list in barred_lists.items():
        for barred in barred_list:
            if barred not in game.classes:
                yield c.say(
                    "tables.yaml",
                    [],
                    f"{name}: {barred!r} is no class of units; game.yaml has {', '.join(game.classes)}",
                )
    yield from _vulnerability(c)


def _vulnerability(c: Checker) -> Iterator[Problem]:
    """Whoever can be bombarded, by guns or from the air, has an index against it."""
    tables = c.scenario.tables
    types = sorted({u.type for u in c.scenario.counters.values()})
    flies = c.scenario.game.rules.combat.air is not None
    if flies and tables.bombardment is None:
        yield c.say("tables.yaml", [], "has no `bombardment`, on which the attacks by air of game.yaml are judged")
    if tables.bombardment is None:
        return
    for kind in ("air", "artillery") if flies else ("artillery",):
        for type_ in types:
            if type_ not in tables.vulnerability.get(kind, {}):
                yield c.say("tables.yaml", ["vulnerability", kind], f"has no index for {type_}")


def _columns(c: Checker) -> Iterator[Problem]:
    """Columns are ones that odds and values can come to, and rise from left to right."""
    tables = c.scenario.tables
    last: Fraction | None = None
    for name in tables.crt.columns:
        ratio = _ODDS.fullmatch(name)
        if ratio is None:
            message = f"the column {name!r} is never reached; odds are n-1 or 1-n, for their fraction is dropped"
            yield c.say("tables.yaml", ["crt", "columns"], message)
            continue
        strength = Fraction(int(ratio[1] or 1), int(ratio[4] or 1))
        if last is not None and strength <= last:
            yield c.say(
                "tables.yaml", ["crt", "columns"], f"the column {name!r} does not rise from the one before it"
            )
        last = strength
    low = -1
    for name in tables.bombardment.columns if tables.bombardment else ():
        bounds = _BOUNDS.fullmatch(name)
        if bounds is None or int(bounds[1]) <= low:
            message = f"the column {name!r} is no span of values that rises from the one before it, as 13-24 or 49+"
            yield c.say("tables.yaml", ["bombardment", "columns"], message)
        low = int(bounds[1]) if bounds else low


def _table(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    rolls = [roll for name in table.rows for roll in name.split(",")]
    for roll in map(str, range(2, 13)):
        if rolls.count(roll) != 1:
            yield c.say("tables.yaml", [key, "rows"], f"the roll {roll} has {rolls.count(roll)} rows; expected one")
    for name, cells in table.rows.items():
        if len(cells) != len(table.columns):
            message = f"has {len(cells)} cells; the table has {len(table.columns)} columns"
            yield c.say("tables.yaml", [key, "rows", name], message)
        for code in sorted({code for cell in cells for code in cell.split()} - set(RESULTS)):
            message = f"{code!r} is no result; expected {', '.join(RESULTS)}"
            yield c.say("tables.yaml", [key, "rows", name], message)


def counters_are_of_this_game(c: Checker) -> Iterator[Problem]:
    """Sides, branches, types and classes are the game's; guns have a range; a reduced face is not stronger."""
    game = c.scenario.game
    sides = {s.id: s for s in game.sides}
    for name, types in game.classes.items():
        for type_ in types:
            if type_ not in game.unit_types:
                yield c.say("game.yaml", ["classes", name], f"{type_!r} is no unit type")
    for unit in c.scenario.counters.values():
        spec = sides.get(unit.side)
        if spec is None:
            yield c.say("counters.csv", [unit.id], f"the side {unit.side!r} is none of {', '.join(sides)}")
        elif unit.branch not in spec.branches:
            known = ", ".join(spec.branches)
            yield c.say("counters.csv", [unit.id], f"{unit.branch!r} is no branch of {unit.side}; it has {known}")
        elif not unit.id.startswith(f"{spec.prefix}-"):
            yield c.say(
                "counters.csv", [unit.id], f"the id does not begin with {spec.prefix}-, as those of {unit.side} do"
            )
        if unit.type not in game.unit_types:
            yield c.say(
                "counters.csv", [unit.id], f"{unit.type!r} is no unit type of this game; it would have no face"
            )
        if unit.range is not None and unit.type not in game.classes.get("guns", ()):
            yield c.say("counters.csv", [unit.id], f"has a range, but {unit.type} is none of the guns", "warning")
        for what, full, reduced in (
            ("attack", unit.attack, unit.reduced_attack),
            ("defence", unit.defence, unit.reduced_defence),
        ):
            if reduced is not None and reduced > full:
                yield c.say("counters.csv", [unit.id], f"the reduced {what} {reduced} is more than the full {full}")


def sequence_is_of_the_sides(c: Checker) -> Iterator[Problem]:
    """Phases belong to sides, and every turn has one weather where the game has weather at all."""
    game = c.scenario.game
    sides = {s.id for s in game.sides}
    for i, phase in enumerate(game.sequence):
        if phase.side not in sides:
            yield c.say(
                "game.yaml", ["sequence", i], f"{phase.side!r} is none of the sides {', '.join(sorted(sides))}"
            )
    for turn in range(game.turns.first, game.turns.last + 1):
        kinds = [w for w, (a, b) in game.weather.items() if a <= turn <= b]
        if game.weather and len(kinds) != 1:
            yield c.say("game.yaml", ["weather"], f"turn {turn} has {len(kinds)} kinds of weather; expected one")


def options_are_known(c: Checker) -> Iterator[Problem]:
    """Options are rulings that the referee can judge by, and their defaults are among their choices."""
    for name, option in c.scenario.game.options.items():
        known = OPTIONS.get(name)
        if known is None:
            message = f"is no ruling that can be set; there are {', '.join(OPTIONS)}"
            yield c.say("game.yaml", ["options", name], message)
            continue
        for choice in option.choices:
            if choice not in known:
                yield c.say("game.yaml", ["options", name, "choices"], f"{choice!r} is none of {', '.join(known)}")
        if option.default not in option.choices:
            message = f"{option.default!r} is none of its choices {', '.join(option.choices)}"
            yield c.say("game.yaml", ["options", name, "default"], message)


def languages_say_the_same(c: Checker) -> Iterator[Problem]:
    """What one language has, the others have too."""
    every = {key for text in c.scenario.texts.values() for key in text.values}
    for language, text in c.scenario.texts.items():
        for key in sorted(every - set(text.values)):
            message = f"{key!r} is said in another language but not here"
            yield c.say(f"text.{language}.yaml", [], message, "warning")


RULES: tuple[Callable[[Checker], Iterator[Problem]], ...] = (
    sequence_is_of_the_sides,
    options_are_known,
    kinds_are_known,
    *MAP_RULES,
    tables_are_whole,
    counters_are_of_this_game,
    *SETUP_RULES,
    *COMBAT_RULES,
    languages_say_the_same,
)
