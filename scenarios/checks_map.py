"""What a map maker would be told of map.yaml: lines that break off, ways that jump, towns without a name."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from hexforge.scenarios.checker import Checker, Where
from hexforge.scenarios.checks_water import bridges_cross_water, rivers_run_on
from hexforge.scenarios.hexgrid import Hex, Side, side
from hexforge.scenarios.language import said
from hexforge.scenarios.problems import Problem


def hexsides_touch(c: Checker) -> Iterator[Problem]:
    """A hexside lies between two hexes of the map that touch, and no line runs along it twice."""
    grid = c.scenario.map.grid
    seen: dict[tuple[str, Side], int] = {}
    for i, run in enumerate(c.scenario.map.hexside_runs):
        for a, b in run.sides:
            if not grid.adjacent(a, b):
                yield c.say(
                    "map.yaml",
                    ["hexsides", i],
                    f"{a}/{b}: these hexes do not touch",
                    f"{a}/{b}: estes hexágonos não se tocam",
                )
            elif (run.kind, (a, b)) in seen:
                first = seen[run.kind, (a, b)] + 1
                yield c.say(
                    "map.yaml",
                    ["hexsides", i],
                    f"{a}/{b} is {run.kind} twice; it stands in hexsides {first} too",
                    f"{a}/{b} é {run.kind} duas vezes; está também em hexsides {first}",
                    "warning",
                )
            seen.setdefault((run.kind, (a, b)), i)
    for i, bridge in enumerate(c.scenario.map.bridge_list):
        if not grid.adjacent(*bridge.side):
            at = "/".join(bridge.side)
            yield c.say(
                "map.yaml",
                ["bridges", i],
                f"{at}: these hexes do not touch",
                f"{at}: estes hexágonos não se tocam",
            )


def ways_run_on(c: Checker) -> Iterator[Problem]:
    """A way neither jumps nor turns back, is laid once, and ends at the edge, in a place or on another way."""
    ground = c.scenario.map
    laid: dict[tuple[str, Side], int] = {}
    hexes: Tally[Hex] = Tally()
    for i, way in enumerate(ground.ways):
        hexes.update(set(way.hexes))
        for a, b in ground.grid.gaps(way.hexes):
            yield c.say(
                "map.yaml",
                ["ways", i],
                f"the {way.kind} jumps from {a} to {b}",
                f"a via {way.kind} salta de {a} para {b}",
            )
        for a, b, back in zip(way.hexes, way.hexes[1:], way.hexes[2:], strict=False):
            if a == back:
                yield c.say(
                    "map.yaml",
                    ["ways", i],
                    f"the {way.kind} turns back in {b}",
                    f"a via {way.kind} volta atrás em {b}",
                    "warning",
                )
        for a, b in pairwise(way.hexes):
            first = laid.setdefault((way.kind, side(a, b)), i)
            if first != i:
                yield c.say(
                    "map.yaml",
                    ["ways", i],
                    f"the {way.kind} from {a} to {b} is laid already, in ways {first + 1}",
                    f"a via {way.kind} de {a} a {b} já existe, em ways {first + 1}",
                    "warning",
                )
    edge = {h for name in ("north", "south", "east", "west") for h in ground.grid.edge(name)}
    for i, way in enumerate(ground.ways):
        for end in (way.hexes[0], way.hexes[-1]):
            if end in edge or end in ground.place_at or hexes[end] > 1 or way.hexes.count(end) > 1:
                continue
            yield c.say(
                "map.yaml",
                ["ways", i],
                f"the {way.kind} ends in {end}, where there is neither a place nor another way",
                f"a via {way.kind} acaba em {end}, onde não há lugar nem outra via",
                "warning",
            )


def ids_are_unique(c: Checker) -> Iterator[Problem]:
    """No two places and no two areas share an id."""
    for key, ids in (
        ("places", [p.id for p in c.scenario.map.places]),
        ("areas", [a.id for a in c.scenario.map.areas]),
    ):
        for i, id_ in enumerate(ids):
            if id_ in ids[:i]:
                yield c.say("map.yaml", [key, i], f"the id {id_!r} stands twice", f"o id {id_!r} está duas vezes")


def towns_and_names_agree(c: Checker) -> Iterator[Problem]:
    """Terrain that tables.yaml calls `named` bears the name of a place, and towns stand on such terrain."""
    ground = c.scenario.map
    named = {t for t, effect in c.scenario.tables.terrain.items() if effect.named}
    for hex_, terrains in sorted(ground.terrain.items()):
        town = named & set(terrains)
        if town and hex_ not in ground.place_at:
            yield c.say(
                "map.yaml",
                ["places"],
                f"{hex_} is {min(town)} but no place names it",
                f"{hex_} é {min(town)}, mas nenhum lugar (places) lhe dá nome",
            )
    for i, place in enumerate(ground.places):
        if place.kind == "town" and named:
            for hex_ in place.hexes:
                terrain = ground.terrain.get(hex_, ())
                if not named & set(terrain):
                    ground_there = ", ".join(terrain)
                    yield c.say(
                        "map.yaml",
                        ["places", i],
                        f"the town {place.name} lies in {hex_}, which is {ground_there}",
                        f"a cidade {place.name} fica em {hex_}, que é {ground_there}",
                        "warning",
                    )
        for hex_ in place.hexes[1:]:
            if not any(ground.grid.adjacent(hex_, other) for other in place.hexes):
                yield c.say(
                    "map.yaml",
                    ["places", i],
                    f"{hex_} touches no other hex of {place.name}",
                    f"{hex_} não toca nenhum outro hexágono de {place.name}",
                    "warning",
                )


def letters_are_used(c: Checker) -> Iterator[Problem]:
    """Terrain that has effects but stands in no hex is perhaps a forgotten letter."""
    used = {t for terrains in c.scenario.map.terrain.values() for t in terrains}
    for terrain in c.scenario.tables.terrain:
        if terrain not in used:
            yield c.say(
                "map.yaml",
                ["legend"],
                f"no hex is {terrain}, which tables.yaml has effects for",
                f"nenhum hexágono é {terrain}, para o qual tables.yaml tem efeitos",
                "warning",
            )


def areas_are_whole(c: Checker) -> Iterator[Problem]:
    """Areas belong to sides of the game, and bivouacs (areas of a set-up) keep apart from one another."""
    ground = c.scenario.map
    sides = {s.id for s in c.scenario.game.sides}
    chosen = {a for p in c.scenario.setup.at_start for a in p.areas}
    owner: dict[Hex, str] = {}
    for i, area in enumerate(ground.areas):
        if area.side is not None and area.side not in sides:
            known = ", ".join(sorted(sides))
            yield c.say(
                "map.yaml",
                ["areas", i],
                f"{area.side!r} is none of the sides {known}",
                f"{area.side!r} não é nenhum dos lados {known}",
            )
        twice = sorted(h for h, n in Tally(area.hexes).items() if n > 1)
        if twice:
            named = ", ".join(twice)
            yield c.say(
                "map.yaml",
                ["areas", i],
                f"{named}: named twice in {area.id}",
                f"{named}: aparece duas vezes em {area.id}",
                "warning",
            )
        if area.id in chosen:
            shared: dict[str, list[Hex]] = {}
            for hex_ in area.hexes:
                if owner.setdefault(hex_, area.id) != area.id:
                    shared.setdefault(owner[hex_], []).append(hex_)
            for other, hexes in shared.items():
                both = ", ".join(hexes)
                yield c.say(
                    "map.yaml",
                    ["areas", i],
                    f"{both}: in {other} and in {area.id}; bivouacs do not overlap",
                    f"{both}: em {other} e em {area.id}; bivaques não se sobrepõem",
                    "warning",
                )


def rules_find_their_ground(c: Checker) -> Iterator[Problem]:
    """Places, areas, hexes, hexside kinds and ways that the rules of game.yaml speak of are on the map."""
    ground, tables = c.scenario.map, c.scenario.tables
    area = said("area {} in map.yaml", "área {} em map.yaml"), ground.area
    line = (
        said("kind of hexside {} in tables.yaml", "tipo de lado de hexágono {} em tables.yaml"),
        tables.hexsides,
    )
    way = said("kind of way {} in tables.yaml", "tipo de via {} em tables.yaml"), tables.ways
    known: dict[str, tuple[str, Iterable[str]]] = {
        "place": (said("place {} in map.yaml", "lugar {} em map.yaml"), ground.place),
        "area": area,
        "cleared_area": area,
        "hexsides": line,
        "beyond": line,
        "west_of": line,
        "ways": way,
        "way": way,
    }
    for where, key, value in _leaves(c.scenario.game.rules.model_dump(), ["rules"]):
        # The other names in the rules of combat are told by `checks_combat`.
        if key in known and (where[1] != "combat" or key == "area"):
            what, names = known[key]
            for word in (value,) if isinstance(value, str) else value:
                if word not in names:
                    missing = what.format(repr(word))
                    yield c.say("game.yaml", where, f"there is no {missing}", f"não há {missing}")
        if key == "hexes":
            for hex_ in value:
                if hex_ not in ground.grid:
                    yield c.say("game.yaml", where, f"{hex_} is off the map", f"{hex_} está fora do mapa")


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
