"""What a map maker would be told of map.yaml: lines that break off, ways that jump, towns without a name.

What is wrong with the waters of map.yaml: rivers that break off, bridges over dry land, roads without one.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Collection, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

from ..console import Problem
from ..scan import ScanError, fit
from ..text.hexgrid import Hex, Side, flood, side
from ..text.words import message
from . import Checker

_Corner = tuple[int, int]
"""A corner of a hex in thousandths, so that the three hexes that share it agree on it."""


def rivers_run_on(c: Checker) -> Iterator[Problem]:
    """A river is one piece, rises once at most on the map, and flows off its edge or into other water."""
    ground = c.map
    rivers: dict[tuple[str, str], list[int]] = {}
    for i, run in enumerate(ground.hexside_runs):
        if run.kind in c.waters:
            rivers.setdefault((run.kind, run.name or f"#{i}"), []).append(i)
    corners: dict[_Corner, set[tuple[str, str]]] = {}
    beside: dict[_Corner, Hex] = {}
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
                    beside[here] = a
    for river, line in lines.items():
        name = message("scenario.map.nameless-line", kind=river[0]) if river[1].startswith("#") else river[1]
        warning = partial(c.warning, "map.yaml", ["hexsides", rivers[river][0]], name=name)
        pieces = _pieces(line)
        if pieces > 1:
            yield warning("map.river-broken", pieces=pieces)
        met = [_around(c, p, beside[p]) for p, n in line.items() if len(n) == 1 and len(corners[p]) == 1]
        # Fewer than three hexes meet at the edge of the map.
        loose = [hexes for hexes in met if len(hexes) == 3]
        if len(loose) > 1:
            ends_at = tuple(sorted(map("-".join, loose)))
            yield warning("map.river-ends", count=len(loose), ends=ends_at)


def _corner(point: tuple[float, float]) -> _Corner:
    return round(point[0] * 1000), round(point[1] * 1000)


def _around(c: Checker, corner: _Corner, hex_: Hex) -> list[Hex]:
    """The hexes that meet in a corner of a hex."""
    grid = c.map.grid
    return sorted(h for h in (hex_, *grid.neighbours[hex_]) if corner in map(_corner, grid.corners(h)))


def _pieces(line: dict[_Corner, list[_Corner]]) -> int:
    left, pieces = set(line), 0
    while left:
        pieces += 1
        left -= {corner for corner, _ in flood([next(iter(left))], line.__getitem__)}
    return pieces


def bridges_cross_water(c: Checker) -> Iterator[Problem]:
    """A bridge stands where there is something to cross, and once."""
    seen: set[Side] = set()
    for i, bridge in enumerate(c.map.bridge_list):
        warning = partial(c.warning, "map.yaml", ["bridges", i], at="/".join(bridge.side))
        if not c.waters & c.map.hexsides.get(bridge.side, frozenset()):
            yield warning("map.bridge-dry")
        if bridge.side in seen:
            yield warning("map.bridge-twice")
        seen.add(bridge.side)


def ways_have_bridges(c: Checker) -> Iterator[Problem]:
    """A way along which somebody moves leads over water by a bridge, unless its kind says what becomes of it there.

    Where bridges are built in the course of play, those that lie broken as it begins are not on the map.
    """
    ground, ways = c.map, c.tables.ways
    if c.rules.movement.bridging is not None:
        return
    bridged = {bridge.side for bridge in ground.bridge_list}
    for way in ground.ways:
        if way.kind in ways and ways[way.kind].bridges:
            bridged.update(side(a, b) for a, b in pairwise(way.hexes))
    for i, way in enumerate(ground.ways):
        effect = ways.get(way.kind)
        if effect is None or not effect.costs or effect.bridges is not None:
            continue
        for a, b in pairwise(way.hexes):
            waters = sorted(c.waters & ground.hexsides.get(side(a, b), frozenset()))
            if waters and side(a, b) not in bridged:
                yield c.warning(
                    "map.yaml", ["ways", i], "map.way-unbridged", kind=way.kind, a=a, b=b, water=waters[0]
                )


def hexsides_touch(c: Checker) -> Iterator[Problem]:
    """A hexside lies between two hexes of the map that touch, and no line runs along it twice."""
    grid = c.map.grid
    seen: dict[tuple[str, Side], int] = {}
    for i, run in enumerate(c.map.hexside_runs):
        for a, b in run.sides:
            at = f"{a}/{b}"
            first = seen.get((run.kind, (a, b)))
            seen.setdefault((run.kind, (a, b)), i)
            if not grid.adjacent(a, b):
                yield _apart(c, ["hexsides", i], (a, b))
            elif first is not None:
                yield c.warning(
                    "map.yaml", ["hexsides", i], "map.line-twice", at=at, kind=run.kind, first=first + 1
                )
    for i, bridge in enumerate(c.map.bridge_list):
        if not grid.adjacent(*bridge.side):
            yield _apart(c, ["bridges", i], bridge.side)


def _apart(c: Checker, at: list[str | int], pair: Side) -> Problem:
    near = c.map.grid.neighbours.get(pair[0], ())
    return c.error("map.yaml", at, "map.apart", at="/".join(pair), hex=pair[0], near=near)


def ways_run_on(c: Checker) -> Iterator[Problem]:
    """A way neither jumps nor turns back, is laid once, and ends at the edge, in a place or on another way."""
    ground = c.map
    laid: dict[tuple[str, Side], int] = {}
    through = Tally(h for way in ground.ways for h in set(way.hexes))
    for i, way in enumerate(ground.ways):
        error = partial(c.error, "map.yaml", ["ways", i], kind=way.kind)
        warning = partial(c.warning, "map.yaml", ["ways", i], kind=way.kind)
        for a, b in ground.grid.gaps(way.hexes):
            yield error("map.way-jumps", a=a, b=b)
        for a, b, back in zip(way.hexes, way.hexes[1:], way.hexes[2:], strict=False):
            if a == back:
                yield warning("map.way-turns-back", hex=b)
        for a, b in pairwise(way.hexes):
            first = laid.setdefault((way.kind, side(a, b)), i)
            if first != i:
                yield warning("map.way-twice", a=a, b=b, first=first + 1)
        for end in (way.hexes[0], way.hexes[-1]):
            alone = through[end] == 1 and way.hexes.count(end) == 1
            if alone and end not in c.rim and end not in ground.place_at:
                yield warning("map.way-ends", hex=end)


def ids_are_unique(c: Checker) -> Iterator[Problem]:
    """No two places and no two areas share an id."""
    for key, named in (("places", c.map.places), ("areas", c.map.areas)):
        ids = [it.id for it in named]
        for i, id_ in enumerate(ids):
            if id_ in ids[:i]:
                yield c.error("map.yaml", [key, i], "map.id-twice", id=id_)


def towns_and_names_agree(c: Checker) -> Iterator[Problem]:
    """Terrain that tables.yaml calls `named` bears the name of a place, and towns stand on such terrain."""
    ground = c.map
    named = {t for t, effect in c.tables.terrain.items() if effect.named}
    for hex_, terrains in sorted(ground.terrain.items()):
        town = named & set(terrains)
        if town and hex_ not in ground.place_at:
            yield c.error("map.yaml", ["places"], "map.nameless", hex=hex_, terrain=min(town))
    for i, place in enumerate(ground.places):
        warning = partial(c.warning, "map.yaml", ["places", i], place=place.name)
        for hex_ in place.hexes if place.kind == "town" and named else ():
            terrains = ground.terrain.get(hex_, ())
            if not named & set(terrains):
                yield warning("map.no-town", hex=hex_, terrain=terrains)
        for hex_ in place.hexes[1:]:
            if not any(ground.grid.adjacent(hex_, other) for other in place.hexes):
                yield warning("map.place-torn", hex=hex_)


def letters_are_used(c: Checker) -> Iterator[Problem]:
    """Terrain that has effects but stands in no hex is perhaps a forgotten letter; so with lines."""
    used = {t for terrains in c.map.terrain.values() for t in terrains}
    for terrain in c.tables.terrain:
        if terrain not in used:
            yield c.warning("map.yaml", ["legend"], "map.unused-terrain", terrain=terrain)
    scenario = c.scenario
    lines: tuple[tuple[str, Collection[str], set[str]], ...] = (
        ("ways", scenario.tables.ways, {way.kind for way in scenario.map.ways}),
        ("hexsides", scenario.tables.hexsides, {run.kind for run in scenario.map.hexside_runs}),
    )
    for key, kinds, drawn in lines:
        for kind in kinds:
            told = c.warning("tables.yaml", [key, kind], "map.unused-line", kind=kind, key=key)
            if kind not in drawn and Path(told.file).parent == scenario.folder:
                yield told


def areas_are_whole(c: Checker) -> Iterator[Problem]:
    """Areas name their hexes once, and bivouacs (areas of a set-up) keep apart from one another."""
    chosen = {a for p in c.setup.at_start for a in p.areas}
    owner: dict[Hex, str] = {}
    for i, area in enumerate(c.map.areas):
        warning = partial(c.warning, "map.yaml", ["areas", i], area=area.id)
        if twice := sorted(h for h, n in Tally(area.hexes).items() if n > 1):
            yield warning("map.area-twice", hexes=tuple(twice))
        if area.id in chosen:
            shared: dict[str, list[Hex]] = {}
            for hex_ in area.hexes:
                if owner.setdefault(hex_, area.id) != area.id:
                    shared.setdefault(owner[hex_], []).append(hex_)
            for other, hexes in shared.items():
                yield warning("map.areas-overlap", hexes=tuple(hexes), other=other)


def scans_fit(c: Checker) -> Iterator[Problem]:
    """The centres of a scan are those of one grid of hexes."""
    scan = c.map.scan
    if scan is None:
        return
    at = ("scan", "centres")
    if len(scan.centres) < 2:
        yield c.error("map.yaml", at, "scan.too-few", count=len(scan.centres))
        return
    try:
        doubt = fit(c.map.grid, scan.centres).doubt
    except ScanError as error:
        yield c.tell("map.yaml", [*at, error.hex] if error.hex else at, error.message)
        return
    if doubt is not None:
        yield c.tell("map.yaml", at, doubt, "warning")
