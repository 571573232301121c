"""What a map maker would be told of map.yaml: lines that break off, ways that jump, towns without a name."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from scenarios.checker import Checker, Where
from scenarios.hexgrid import Hex, Side, side
from scenarios.problems import Problem

_Corner = tuple[int, int]
"""A corner of a hex in thousandths, so that the three hexes that share it agree on it."""


def hexsides_touch(c: Checker) -> Iterator[Problem]:
    """A hexside lies between two hexes of the map that touch, and no line runs along it twice."""
    grid = c.scenario.map.grid
    seen: dict[tuple[str, Side], int] = {}
    for i, run in enumerate(c.scenario.map.hexside_runs):
        for a, b in run.sides:
            if not grid.adjacent(a, b):
                yield c.say("map.yaml", ["hexsides", i], f"{a}/{b}: these hexes do not touch")
            elif (run.kind, (a, b)) in seen:
                message = f"{a}/{b} is {run.kind} twice; it stands in hexsides {seen[run.kind, (a, b)] + 1} too"
                yield c.say("map.yaml", ["hexsides", i], message, "warning")
            seen.setdefault((run.kind, (a, b)), i)
    for i, bridge in enumerate(c.scenario.map.bridge_list):
        if not grid.adjacent(*bridge.side):
            yield c.say("map.yaml", ["bridges", i], f"{'/'.join(bridge.side)}: these hexes do not touch")


def rivers_run_on(c: Checker) -> Iterator[Problem]:
    """A river is one piece, rises once at most on the map, and flows off its edge or into other water."""
    ground, tables = c.scenario.map, c.scenario.tables
    wet = {kind for kind, effect in tables.hexsides.items() if effect.water}
    rivers: dict[tuple[str, str], list[int]] = {}
    for i, run in enumerate(ground.hexside_runs):
        if run.kind in wet:
            rivers.setdefault((run.kind, run.name or f"#{i}"), []).append(i)
    corners: dict[_Corner, set[tuple[str, str]]] = {}
    lines: dict[tuple[str, str], dict[_Corner, list[_Corner]]] = {}
    for river, runs in rivers.items():
        line = lines[river] = {}
        for i in runs:
            for a, b in ground.hexside_runs[i].sides:
                if not ground.grid.adjacent(a, b):
                    continue
                ends = [_corner(p) for p in ground.grid.side_ends(a, b)]
                for here, there in (ends, ends[::-1]):
                    line.setdefault(here, []).append(there)
                    corners.setdefault(here, set()).add(river)
    for river, line in lines.items():
        name = river[1] if not river[1].startswith("#") else f"the {river[0]}"
        where: Where = ["hexsides", rivers[river][0]]
        pieces = _pieces(line)
        if pieces > 1:
            yield c.say("map.yaml", where, f"{name} is broken into {pieces} pieces", "warning")
        loose = [p for p, n in line.items() if len(n) == 1 and len(corners[p]) == 1 and _inland(c, p)]
        if len(loose) > 1:
            ends_at = ", ".join(sorted("-".join(_around(c, p)) for p in loose))
            found = f"{name} ends in the middle of the map {len(loose)} times (between {ends_at})"
            yield c.say("map.yaml", where, f"{found}; a river has one source", "warning")


def _corner(point: tuple[float, float]) -> _Corner:
    return round(point[0] * 1000), round(point[1] * 1000)


def _around(c: Checker, corner: _Corner) -> list[Hex]:
    grid = c.scenario.map.grid
    near = [h for h in grid.hexes if abs(grid.center(h)[0] - corner[0] / 1000) < 1]
    return [h for h in near if corner in map(_corner, grid.corners(h))]


def _inland(c: Checker, corner: _Corner) -> bool:
    """Whether three hexes meet in a corner: fewer do at the edge of the map."""
    return len(_around(c, corner)) == 3


def _pieces(line: dict[_Corner, list[_Corner]]) -> int:
    left, pieces = set(line), 0
    while left:
        pieces += 1
        todo = [left.pop()]
        while todo:
            for corner in line[todo.pop()]:
                if corner in left:
                    left.discard(corner)
                    todo.append(corner)
    return pieces


def bridges_cross_water(c: Checker) -> Iterator[Problem]:
    """A bridge stands where there is something to cross, and once."""
    ground, tables = c.scenario.map, c.scenario.tables
    wet = {kind for kind, effect in tables.hexsides.items() if effect.water}
    seen: set[Side] = set()
    for i, bridge in enumerate(ground.bridge_list):
        at = "/".join(bridge.side)
        if not wet & ground.hexsides.get(bridge.side, frozenset()):
            yield c.say("map.yaml", ["bridges", i], f"{at}: no river runs here for a bridge to cross", "warning")
        if bridge.side in seen:
            yield c.say("map.yaml", ["bridges", i], f"{at}: there is a bridge here already", "warning")
        seen.add(bridge.side)


def ways_run_on(c: Checker) -> Iterator[Problem]:
    """A way neither jumps nor turns back, is laid once, and ends at the edge, in a place or on another way."""
    ground = c.scenario.map
    laid: dict[tuple[str, Side], int] = {}
    hexes: Tally[Hex] = Tally()
    for i, way in enumerate(ground.ways):
        hexes.update(set(way.hexes))
        for a, b in ground.grid.gaps(way.hexes):
            yield c.say("map.yaml", ["ways", i], f"the {way.kind} jumps from {a} to {b}")
        for a, b, back in zip(way.hexes, way.hexes[1:], way.hexes[2:], strict=False):
            if a == back:
                yield c.say("map.yaml", ["ways", i], f"the {way.kind} turns back in {b}", "warning")
        for a, b in pairwise(way.hexes):
            first = laid.setdefault((way.kind, side(a, b)), i)
            if first != i:
                message = f"the {way.kind} from {a} to {b} is laid already, in ways {first + 1}"
                yield c.say("map.yaml", ["ways", i], message, "warning")
    edge = {h for name in ("north", "south", "east", "west") for h in ground.grid.edge(name)}
    for i, way in enumerate(ground.ways):
        for end in (way.hexes[0], way.hexes[-1]):
            if end in edge or end in ground.place_at or hexes[end] > 1 or way.hexes.count(end) > 1:
                continue
            message = f"the {way.kind} ends in {end}, where there is neither a place nor another way"
            yield c.say("map.yaml", ["ways", i], message, "warning")


def ids_are_unique(c: Checker) -> Iterator[Problem]:
    """No two places and no two areas share an id."""
    for key, ids in (
        ("places", [p.id for p in c.scenario.map.places]),
        ("areas", [a.id for a in c.scenario.map.areas]),
    ):
        for i, id_ in enumerate(ids):
            if id_ in ids[:i]:
                yield c.say("map.yaml", [key, i], f"the id {id_!r} stands twice")


def towns_and_names_agree(c: Checker) -> Iterator[Problem]:
    """Terrain that tables.yaml calls `named` bears the name of a place, and towns stand on such terrain."""
    ground = c.scenario.map
    named = {t for t, effect in c.scenario.tables.terrain.items() if effect.named}
    for hex_, terrains in sorted(ground.terrain.items()):
        town = named & set(terrains)
        if town and hex_ not in ground.place_at:
            yield c.say("map.yaml", ["places"], f"{hex_} is {min(town)} but no place names it")
    for i, place in enumerate(ground.places):
        if place.kind == "town" and named:
            for hex_ in place.hexes:
                terrain = ground.terrain.get(hex_, ())
                if not named & set(terrain):
                    message = f"the town {place.name} lies in {hex_}, which is {' and '.join(terrain)}"
                    yield c.say("map.yaml", ["places", i], message, "warning")
        for hex_ in place.hexes[1:]:
            if not any(ground.grid.adjacent(hex_, other) for other in place.hexes):
                message = f"{hex_} touches no other hex of {place.name}"
                yield c.say("map.yaml", ["places", i], message, "warning")


def letters_are_used(c: Checker) -> Iterator[Problem]:
    """Terrain that has effects but stands in no hex is perhaps a forgotten letter."""
    used = {t for terrains in c.scenario.map.terrain.values() for t in terrains}
    for terrain in c.scenario.tables.terrain:
        if terrain not in used:
            message = f"no hex is {terrain}, which tables.yaml has effects for"
            yield c.say("map.yaml", ["legend"], message, "warning")


def areas_are_whole(c: Checker) -> Iterator[Problem]:
    """Areas belong to sides of the game, and bivouacs (areas of a set-up) keep apart from one another."""
    ground = c.scenario.map
    sides = {s.id for s in c.scenario.game.sides}
    chosen = {a for p in c.scenario.setup.at_start for a in p.areas}
    owner: dict[Hex, str] = {}
    for i, area in enumerate(ground.areas):
        if area.side is not None and area.side not in sides:
            yield c.say("map.yaml", ["areas", i], f"{area.side!r} is none of the sides {_list(sides)}")
        twice = sorted(h for h, n in Tally(area.hexes).items() if n > 1)
        if twice:
            yield c.say("map.yaml", ["areas", i], f"{', '.join(twice)}: named twice in {area.id}", "warning")
        if area.id in chosen:
            shared: dict[str, list[Hex]] = {}
            for hex_ in area.hexes:
                if owner.setdefault(hex_, area.id) != area.id:
                    shared.setdefault(owner[hex_], []).append(hex_)
            for other, hexes in shared.items():
                message = f"{', '.join(hexes)}: in {other} and in {area.id}; bivouacs do not overlap"
                yield c.say("map.yaml", ["areas", i], message, "warning")


def rules_find_their_ground(c: Checker) -> Iterator[Problem]:
    """Places, areas, hexes, hexside kinds and ways that the rules of game.yaml speak of are on the map."""
    ground, tables = c.scenario.map, c.scenario.tables
    known: dict[str, tuple[str, Iterable[str]]] = {
        "place": ("place {} in map.yaml", ground.place),
        "area": ("area {} in map.yaml", ground.area),
        "cleared_area": ("area {} in map.yaml", ground.area),
        "hexsides": ("kind of hexside {} in tables.yaml", tables.hexsides),
        "beyond": ("kind of hexside {} in tables.yaml", tables.hexsides),
        "west_of": ("kind of hexside {} in tables.yaml", tables.hexsides),
        "ways": ("kind of way {} in tables.yaml", tables.ways),
        "way": ("kind of way {} in tables.yaml", tables.ways),
    }
    for where, key, value in _leaves(c.scenario.game.rules.model_dump(), ["rules"]):
        # The other names in the rules of combat are told by `checks_combat`.
        if key in known and (where[1] != "combat" or key == "area"):
            what, names = known[key]
            for word in (value,) if isinstance(value, str) else value:
                if word not in names:
                    yield c.say("game.yaml", where, f"there is no {what.format(repr(word))}")
        if key == "hexes":
            for hex_ in value:
                if hex_ not in ground.grid:
                    yield c.say("game.yaml", where, f"{hex_} is off the map")


def _leaves(value: object, where: Where) -> Iterator[tuple[Where, str, tuple[str, ...] | str]]:
    """Every word or list of words in nested data, with the way to it and its key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) or (
                isinstance(inner, tuple) and inner and all(isinstance(x, str) for x in inner)
            ):
                yield [*where, key], str(key), inner
            else:
                yield from _leaves(inner, [*where, key])
    elif isinstance(value, tuple | list):
        for i, inner in enumerate(value):
            yield from _leaves(inner, [*where, i])


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


MAP_RULES: tuple[Callable[[Checker], Iterator[Problem]], ...] = (
    hexsides_touch,
    rivers_run_on,
    bridges_cross_water,
    ways_run_on,
    ids_are_unique,
    towns_and_names_agree,
    letters_are_used,
    areas_are_whole,
    rules_find_their_ground,
)
