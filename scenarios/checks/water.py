"""What is wrong with the waters of map.yaml: rivers that break off, bridges over dry land, roads without one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.hexgrid import Hex, Side, flood, side
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.words import message

_Corner = tuple[int, int]
"""A corner of a hex in thousandths, so that the three hexes that share it agree on it."""


def rivers_run_on(c: Checker) -> Iterator[Problem]:
    """A river is one piece, rises once at most on the map, and flows off its edge or into other water."""
    ground = c.scenario.map
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
    grid = c.scenario.map.grid
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
    for i, bridge in enumerate(c.scenario.map.bridge_list):
        warning = partial(c.warning, "map.yaml", ["bridges", i], at="/".join(bridge.side))
        if not c.waters & c.scenario.map.hexsides.get(bridge.side, frozenset()):
            yield warning("map.bridge-dry")
        if bridge.side in seen:
            yield warning("map.bridge-twice")
        seen.add(bridge.side)


def ways_have_bridges(c: Checker) -> Iterator[Problem]:
    """A way along which somebody moves leads over water by a bridge, unless its kind says what becomes of it there.

    Where bridges are built in the course of play, those that lie broken as it begins are not on the map.
    """
    ground, ways = c.scenario.map, c.scenario.tables.ways
    if c.scenario.game.rules.movement.bridging is not None:
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
