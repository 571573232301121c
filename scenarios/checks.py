"""What a map maker would want to be told: contradictions that no schema sees.

Each rule is a function from a scenario to problems; `RULES` lists them in the order of a game's files.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

from scenarios.hexgrid import Hex
from scenarios.model import Scenario
from scenarios.problems import Problem
from scenarios.schema.tables import Cost, ResultTable

Where = list[str | int]
Locate = Callable[[str, Iterable[str | int]], tuple[Path, int]]


class Checker:
    """A scenario under examination; `say` makes a problem that knows its file and line."""

    def __init__(self, scenario: Scenario, locate: Locate) -> None:
        self.scenario = scenario
        self._locate = locate

    def say(
        self, file: str, where: Where, message: str, severity: Literal["error", "warning"] = "error"
    ) -> Problem:
        path, line = self._locate(file, where)
        return Problem(str(path), line, ".".join(map(str, where)), message, severity)


def check(scenario: Scenario, locate: Locate) -> list[Problem]:
    """All contradictions of a scenario, errors and warnings."""
    checker = Checker(scenario, locate)
    off_map = list(hexes_are_on_the_map(checker))
    return off_map + [problem for rule in RULES for problem in rule(checker)]


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


def hexsides_touch(c: Checker) -> Iterator[Problem]:
    """A hexside lies between two hexes of the map that touch."""
    grid = c.scenario.map.grid
    for i, run in enumerate(c.scenario.map.hexside_runs):
        for a, b in run.sides:
            if not grid.adjacent(a, b):
                yield c.say("map.yaml", ["hexsides", i], f"{a}/{b}: these hexes do not touch")
    for i, bridge in enumerate(c.scenario.map.bridge_list):
        if not grid.adjacent(*bridge.side):
            yield c.say("map.yaml", ["bridges", i], f"{'/'.join(bridge.side)}: these hexes do not touch")


def bridges_cross_water(c: Checker) -> Iterator[Problem]:
    """A bridge stands where there is something to cross."""
    for i, bridge in enumerate(c.scenario.map.bridge_list):
        if bridge.side not in c.scenario.map.hexsides:
            message = f"{'/'.join(bridge.side)}: no river runs here for a bridge to cross"
            yield c.say("map.yaml", ["bridges", i], message, "warning")


def ways_do_not_jump(c: Checker) -> Iterator[Problem]:
    """Each hex of a way touches the one before."""
    for i, way in enumerate(c.scenario.map.ways):
        for a, b in c.scenario.map.grid.gaps(way.hexes):
            yield c.say("map.yaml", ["ways", i], f"the {way.kind} jumps from {a} to {b}")


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


def ids_are_unique(c: Checker) -> Iterator[Problem]:
    """No two places and no two areas share an id."""
    for key, ids in (
        ("places", [p.id for p in c.scenario.map.places]),
        ("areas", [a.id for a in c.scenario.map.areas]),
    ):
        for i, id_ in enumerate(ids):
            if id_ in ids[:i]:
                yield c.say("map.yaml", [key, i], f"the id {id_!r} stands twice")


def towns_have_names(c: Checker) -> Iterator[Problem]:
    """A hex of a terrain that tables.yaml calls `named` bears the name of a place."""
    named = {t for t, effect in c.scenario.tables.terrain.items() if effect.named}
    for hex_, terrains in sorted(c.scenario.map.terrain.items()):
        town = named & set(terrains)
        if town and hex_ not in c.scenario.map.place_at:
            yield c.say("map.yaml", ["places"], f"{hex_} is {min(town)} but no place names it")


def tables_are_whole(c: Checker) -> Iterator[Problem]:
    """Result tables have a cell for each roll and column; effects a cost for each movement class and weather."""
    tables, game = c.scenario.tables, c.scenario.game
    for key, table in (("crt", tables.crt), ("bombardment", tables.bombardment)):
        yield from _table(c, key, table)
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
    types = sorted({u.type for u in c.scenario.counters.values()})
    for kind in ("air", "artillery"):
        for type_ in types:
            if type_ not in tables.vulnerability.get(kind, {}):
                yield c.say("tables.yaml", ["vulnerability", kind], f"has no index for {type_}")


def _table(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    rolls = [roll for name in table.rows for roll in name.split(",")]
    for roll in map(str, range(2, 13)):
        if rolls.count(roll) != 1:
            yield c.say("tables.yaml", [key, "rows"], f"the roll {roll} has {rolls.count(roll)} rows; expected one")
    for name, cells in table.rows.items():
        if len(cells) != len(table.columns):
            message = f"has {len(cells)} cells; the table has {len(table.columns)} columns"
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


def setup_is_possible(c: Checker) -> Iterator[Problem]:
    """Each counter is set up once, where it may stand, within the stacking limit and apart from the enemy."""
    scenario = c.scenario
    seen: dict[str, str] = {}
    groups = [("at_start", i, p.units) for i, p in enumerate(scenario.setup.at_start)]
    groups += [("reinforcements", i, r.units) for i, r in enumerate(scenario.setup.reinforcements)]
    for key, i, units in groups:
        for id_ in units:
            if id_ not in scenario.counters:
                yield c.say("setup.yaml", [key, i], f"there is no counter {id_!r} in counters.csv")
            elif id_ in seen:
                yield c.say("setup.yaml", [key, i], f"{id_} is set up twice; it stands in {seen[id_]} too")
            seen.setdefault(id_, f"{key} {i + 1}")
    for id_ in scenario.counters:
        if id_ not in seen:
            yield c.say("counters.csv", [id_], "is set up nowhere in setup.yaml", "warning")
    for i, withdrawal in enumerate(scenario.setup.withdrawals):
        for id_ in withdrawal.units:
            if id_ not in scenario.counters:
                yield c.say("setup.yaml", ["withdrawals", i], f"there is no counter {id_!r} in counters.csv")
    yield from _places_at_start(c)
    turns = scenario.game.turns
    for i, r in enumerate(scenario.setup.reinforcements):
        if not turns.first <= r.turn <= turns.last:
            message = f"turn {r.turn} is none of {turns.first} to {turns.last}"
            yield c.say("setup.yaml", ["reinforcements", i, "turn"], message)
        if not (r.edges or r.hexes):
            yield c.say("setup.yaml", ["reinforcements", i], "names neither edges nor hexes to enter by")


def _places_at_start(c: Checker) -> Iterator[Problem]:
    scenario = c.scenario
    stacks: dict[Hex, list[str]] = {}
    for i, placement in enumerate(scenario.setup.at_start):
        for area in placement.areas:
            if area not in scenario.map.area:
                yield c.say("setup.yaml", ["at_start", i], f"there is no area {area!r} in map.yaml")
        if not (placement.hexes or placement.areas or placement.free):
            yield c.say("setup.yaml", ["at_start", i], "names no hexes and no areas, and is not `free`")
        if len(placement.hexes) != 1:
            continue
        hex_ = placement.hexes[0]
        for id_ in placement.units:
            if id_ not in scenario.counters or hex_ not in scenario.map.grid:
                continue
            stacks.setdefault(hex_, []).append(id_)
            for terrain in scenario.map.terrain[hex_]:
                barred = scenario.tables.terrain[terrain].barred if terrain in scenario.tables.terrain else ()
                if any(scenario.counters[id_].type in scenario.game.classes.get(b, ()) for b in barred):
                    message = f"{id_} starts in {hex_}, but {terrain} is barred to {scenario.counters[id_].type}"
                    yield c.say("setup.yaml", ["at_start", i], message)
    limit = scenario.game.rules.stacking.limit
    for hex_, units in stacks.items():
        last = max(i for i, p in enumerate(scenario.setup.at_start) if p.hexes == (hex_,))
        where: Where = ["at_start", last]
        if len(units) > limit:
            yield c.say("setup.yaml", where, f"{len(units)} units start in {hex_}; at most {limit} may")
        if len({scenario.counters[u].side for u in units}) > 1:
            yield c.say("setup.yaml", where, f"both sides start in {hex_}")


def totals_are_printed_ones(c: Checker) -> Iterator[Problem]:
    """The counters of each side are as many as the rulebook counts."""
    tally = Tally(u.side for u in c.scenario.counters.values())
    for side, total in c.scenario.setup.totals.items():
        if tally[side] != total:
            section = c.scenario.citation(c.scenario.setup.totals_section)
            message = f"counters.csv has {tally[side]} {side} counters; the rulebook counts {total} ({section})"
            yield c.say("setup.yaml", ["totals", side], message)


def victory_is_on_the_map(c: Checker) -> Iterator[Problem]:
    """Objectives are places of the map, and points go to sides of the game."""
    places, sides = c.scenario.map.place, {s.id for s in c.scenario.game.sides}
    for i, objective in enumerate(c.scenario.victory.objectives):
        for place in objective.place:
            if place not in places:
                yield c.say("victory.yaml", ["objectives", i], f"there is no place {place!r} in map.yaml")
        for side in objective.points:
            if side not in sides:
                yield c.say(
                    "victory.yaml", ["objectives", i], f"{side!r} is none of the sides {', '.join(sorted(sides))}"
                )


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


def languages_say_the_same(c: Checker) -> Iterator[Problem]:
    """What one language has, the others have too."""
    every = {key for text in c.scenario.texts.values() for key in text.values}
    for language, text in c.scenario.texts.items():
        for key in sorted(every - set(text.values)):
            message = f"{key!r} is said in another language but not here"
            yield c.say(f"text.{language}.yaml", [], message, "warning")


RULES: tuple[Callable[[Checker], Iterator[Problem]], ...] = (
    sequence_is_of_the_sides,
    hexsides_touch,
    bridges_cross_water,
    ways_do_not_jump,
    kinds_are_known,
    ids_are_unique,
    towns_have_names,
    tables_are_whole,
    counters_are_of_this_game,
    setup_is_possible,
    totals_are_printed_ones,
    victory_is_on_the_map,
    languages_say_the_same,
)
