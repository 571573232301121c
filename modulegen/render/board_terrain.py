"""The ground of a board: covers that run together over hexes, trees, hachures, contours, houses, runways.

Small marks all over a cover: waves, dunes, stones, mines, furrows. A cover names one as its `texture`.

Hexes that are fortifications as a whole: a ring of ramparts with bastions, just within the hexsides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import cos, hypot, pi, sin
from types import MappingProxyType
from typing import Final

from ...scenarios.model import GameMap
from ...scenarios.text.hexgrid import Hex, Point
from .board_layout import Style, board_palette, style_of
from .board_shapes import (
    Coast,
    Curve,
    HexField,
    blobs,
    chunks,
    closed_curve,
    group,
    heading,
    mix,
    n1,
    outlines,
    pen,
    polygon,
    right_of,
    sampled,
    seeded,
    shift,
    turned,
    unit,
    xy,
)

_REACH: Final = 40.0
"""How far from a hex's centre marks stand, in drawing units: the hexsides stay free."""
_MARKS: Final = 12
"""Marks drawn by one path."""


def _wave(at: Point, _: float) -> str:
    x, y = at
    return f"M{n1(x - 8)} {n1(y)}q4-4.4 8 0q4 4.4 8 0"


def _crescent(at: Point, _: float) -> str:
    """A dune: its crest, and the lee below it."""
    x, y = at
    return f"M{n1(x - 10)} {n1(y + 2)}q8-9.5 20-1M{n1(x - 4)} {n1(y + 2.4)}q6-4.4 11-1.6"


def _cross(at: Point, _: float) -> str:
    x, y = at
    return f"M{n1(x - 3.6)} {n1(y - 3.6)}l7.2 7.2m0-7.2l-7.2 7.2"


def _dot(at: Point, _: float) -> str:
    return f"M{xy(at)}h0"


def _ring(at: Point, chance: float) -> str:
    r = 2.4 + 1.8 * chance
    d, q = n1(2 * r), n1(r)
    return f"M{n1(at[0] - r)} {n1(at[1])}a{q} {q} 0 1 1 {d} 0a{q} {q} 0 1 1-{d} 0z"


def _furrows(at: Point, chance: float) -> str:
    """A ploughed strip, turned as its neighbours are not."""
    rows = [((-10.0, y), (10.0, y)) for y in (-6.0, -2.0, 2.0, 6.0)]
    ends = [turned(row, chance * pi, at) for row in rows]
    return "".join(f"M{xy(a)}L{xy(b)}" for a, b in ends)


MARKS: Final[Mapping[str, Callable[[Point, float], str]]] = MappingProxyType(
    {
        "waves": _wave,
        "crescents": _crescent,
        "crosses": _cross,
        "dots": _dot,
        "rings": _ring,
        "furrows": _furrows,
    }
)
"""The textures that are made of marks: the path of one, at a point, with a chance of 0 to 1 for what differs."""


def draw_marks(
    ground: HexField, hexes: Collection[Hex], style: Style, covered: Callable[[Point], bool]
) -> list[str]:
    """The marks of a cover on its hexes, none where `covered` says that something else stands."""
    draw = MARKS[style["texture"]]
    paths = []
    for hex_ in sorted(hexes):
        chance = seeded(style["texture"], hex_)
        for spot in _spread(ground.center(hex_), int(style["marks"]), hex_):
            shape = draw(spot, chance.random())
            if not covered(spot):
                paths.append(shape)
    return group(chunks(paths, _MARKS), pen(style["ink"], float(style["stroke"])))


def _spread(center: Point, count: int, hex_: Hex) -> list[Point]:
    """Points over a hex on a slightly shaken spiral, so that no two marks touch."""
    chance = seeded("marks", hex_)
    turn = chance.random() * 2 * pi
    points = []
    for k in range(count):
        r = _REACH * ((k + 0.5) / count) ** 0.5 + chance.uniform(-2, 2)
        angle = turn + k * 2.39996
        points.append((center[0] + r * cos(angle), center[1] + r * sin(angle)))
    return points


TREES = 5
"""Trees drawn by one path; a path costs its number of figures and all that it spans."""
THIN = 5
"""Of so many trees a plain drawing has one."""
CELL = 90.0
_RELIEFS = ("hachures", "contours")
_DRAWN_ELSEWHERE = ("none", "blocks", "runway")
"""Textures that are no part of the ground: nothing, or what `draw_towns` draws."""
HAMLETS = {"village": 20.0, "crossroads": 12.0}
"""Radius of the houses of places that are no towns."""
_TOWN = 35.0
"""Radius of the houses of a town whose cover does not say another (`reach`)."""
EASTWARD = (0.97, 0.24)


def covers_of(game_map: GameMap) -> dict[str, set[Hex]]:
    """The hexes under each cover, covers in the palette's order."""
    known = board_palette()["covers"]
    found: dict[str, set[Hex]] = {name: set() for name in known}
    for hex_, terrains in game_map.terrain.items():
        for terrain in terrains:
            for cover in style_of(game_map, "terrain", terrain).get("covers", ()):
                if cover not in known:
                    known.missing(cover)
                found[cover].add(hex_)
    return found


def draw_ground(
    ground: HexField, game_map: GameMap, avoid: Sequence[tuple[Point, float]] = (), *, plain: bool = False
) -> list[str]:
    """All covers with their textures (unless `plain`) but without houses and trees, as SVG elements.

    `avoid` are points with a radius where no hachure may begin: the hex numbers.
    """
    out = []
    blocked = _Near(avoid)
    under = covers_of(game_map)
    for name, own in under.items():
        if not own:
            continue
        style = board_palette()["covers"][name]
        hexes = own | _beside(ground, own, under) if style.get("spreads") else own
        over = {h for other in style.get("under", ()) for h in under[other]} - hexes
        shapes = [
            closed_curve(n) for n in outlines(ground, hexes, Coast(name, style["inset"], style["wander"], over))
        ]
        fill = f'fill="{style["fill"]}" fill-opacity="{style.get("opacity", 1)}"'
        if plain:
            out += _filled(shapes, f'{fill} stroke="{style["edge"]}" stroke-width="1.6"')
            continue
        out += _filled(shapes, fill)
        out += group((d for c in shapes for d in c.parts()), pen(style["edge"], 1.6))
        if style["texture"] in _RELIEFS:
            out += _relief(ground, hexes, (name, style), shapes, blocked)
        elif style["texture"] in MARKS:
            out += draw_marks(ground, own, style, blocked.covers)
        elif style["texture"] not in _DRAWN_ELSEWHERE:
            style.unknown("texture", (*_RELIEFS, *MARKS, *_DRAWN_ELSEWHERE))
    shaded = [
        h
        for h, terrains in game_map.terrain.items()
        if any(style_of(game_map, "terrain", t).get("shade") for t in terrains)
    ]
    if shaded:
        shapes = [closed_curve(nodes) for nodes in outlines(ground, shaded, Coast("shade", 3, 7))]
        out += _filled(shapes, 'fill="#4a4420" fill-opacity="0.26"')
    return out


def _beside(ground: HexField, hexes: Collection[Hex], under: Mapping[str, Collection[Hex]]) -> set[Hex]:
    """The hexes of other covers next to some: what spreads lies under those too, and no gap shows between."""
    covered = set().union(*under.values())
    return {n for h in hexes for n in ground.grid.neighbours[h] if n in covered}


def _filled(shapes: Sequence[Curve], attributes: str) -> list[str]:
    return group(
        ("".join(c.path() + "z" for c in blob) for blob in blobs(shapes)), f'{attributes} fill-rule="evenodd"'
    )


def _relief(
    ground: HexField, hexes: Collection[Hex], cover: tuple[str, Style], shapes: Sequence[Curve], blocked: _Near
) -> list[str]:
    """Hachures, thick at the top of the slope and thin at its foot; with `contours`, lines of height inside."""
    name, style = cover
    out = []
    if style["texture"] == "contours":
        for k, inset in enumerate((style["inset"] + 15, style["inset"] + 27)):
            rings = outlines(ground, hexes, Coast(f"{name}{k}", inset, 4, soft_edge=True))
            out += _filled(
                [closed_curve(ring) for ring in rings],
                f'fill="#8a5c2a" fill-opacity="0.13" stroke="{style["ink"]}" stroke-opacity="0.75" '
                f'stroke-width="1.1"',
            )
    low, high = style["depth"]
    chance = seeded(name, "hachures")
    edge = _MapEdge(ground)
    ticks: list[str] = []
    for shape in shapes:
        since = 0.0
        before: Point | None = None
        for here, inward in sampled(shape, 8):
            if before is not None:
                since += hypot(here[0] - before[0], here[1] - before[1])
            before = here
            if since < style["spacing"] or edge.touches(here) or blocked.covers(shift(here, inward, 6)):
                continue
            since = chance.uniform(-1.5, 1.5)
            foot = shift(here, inward, 1.2)
            lean = turned([inward], chance.uniform(-0.15, 0.15), (0, 0))[0]
            top = shift(here, lean, chance.uniform(low, high))
            wide = shift((0.0, 0.0), right_of(inward), 1.25)
            ticks.append(
                polygon([foot, (top[0] + wide[0], top[1] + wide[1]), (top[0] - wide[0], top[1] - wide[1])])
            )
    ink = f'fill="{style["ink"]}" fill-opacity="0.85"'
    if style["texture"] == "hachures":
        out += group((_knolls(ground.center(h), h) for h in sorted(hexes)), ink)
    return out + group(chunks(ticks, 10), ink)


def _knolls(center: Point, hex_: Hex) -> str:
    """Broken ground within a hex: a few short rows of strokes that fan out downhill."""
    chance = seeded("knolls", hex_)
    turn = chance.uniform(0, 2 * pi)
    marks = []
    for k in range(3):
        angle = turn + k * 2 * pi / 3 + chance.uniform(-0.4, 0.4)
        r = chance.uniform(17, 30)
        at = (center[0] + r * cos(angle), center[1] + r * sin(angle))
        if at[1] < center[1] - 24:
            continue
        for i in (-2, -1, 0, 1, 2):
            lean = pi / 2 + i * 0.28
            top = (at[0] + i * 4.2, at[1] + abs(i) * 1.5)
            foot = shift(top, (cos(lean) * -1, sin(lean)), 6.5 - abs(i) * 0.8)
            marks.append(polygon([foot, (top[0] - 1, top[1]), (top[0] + 1, top[1])]))
    return "".join(marks)


class _MapEdge:
    """Whether a point lies on the edge of the map, where a slope has no foot."""

    def __init__(self, ground: HexField) -> None:
        self.points: set[tuple[int, int]] = set()
        for a, b in ground.rim:
            for k in range(9):
                x, y = mix(a, b, k / 8)
                self.points |= {(round(x / 6) + i, round(y / 6) + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}

    def touches(self, p: Point) -> bool:
        return (round(p[0] / 6), round(p[1] / 6)) in self.points


def draw_trees(
    ground: HexField, game_map: GameMap, avoid: Sequence[tuple[Point, float]], *, plain: bool = False
) -> list[str]:
    """Trees over wooded hexes, in rows from the top so that nearer ones stand before those behind.

    `avoid` are points with a radius where no tree may stand: ways, water, names. Plain woods have few.
    """
    blocked = _Near(avoid)
    stands: dict[str, list[Point]] = {}
    for hex_, terrains in game_map.terrain.items():
        for terrain in terrains:
            every = style_of(game_map, "terrain", terrain).get("trees", {})
            trees = {glyph: count // THIN for glyph, count in every.items()} if plain else every
            spots = _scatter(ground.center(hex_), sum(trees.values()), hex_) if trees else []
            for glyph, count in trees.items():
                # Chance takes every kind's share out of the spiral, so that kinds mingle.
                mine, spots = spots[:count], spots[count:]
                stands.setdefault(glyph, []).extend(p for p in mine if not blocked.covers(p))
    out = []
    for glyph, points in stands.items():
        style = board_palette()["trees"][glyph]
        # Near ones share a path, those higher up the map are drawn first.
        points.sort(key=lambda p: (p[1] // CELL, p[0] // CELL, p[1]))
        draw = _fir if glyph == "fir" else _leaf
        pairs = [draw(p, style["size"], seeded(glyph, n1(p[0]), n1(p[1])).uniform(0.8, 1.2)) for p in points]
        out += group(chunks([dark for dark, _ in pairs], TREES), f'fill="{style["dark"]}"')
        out += group(chunks([body for _, body in pairs], TREES), f'fill="{style["body"]}"')
    return out


def _scatter(center: Point, count: int, hex_: Hex) -> list[Point]:
    """Points spread over a hex on a shaken spiral: even, and never in rows."""
    chance = seeded("trees", hex_)
    turn = chance.random() * 2 * pi
    points = []
    for k in range(count):
        r = 47 * ((k + 0.6) / count) ** 0.5 + chance.uniform(-3, 3)
        angle = turn + k * 2.39996 + chance.uniform(-0.2, 0.2)
        points.append((center[0] + r * cos(angle), center[1] + r * sin(angle)))
    chance.shuffle(points)
    return points


def _leaf(at: Point, size: float, scale: float) -> tuple[str, str]:
    """A round crown: its dark lower right, and the lit body."""
    r = size * scale
    x, y = at
    return _disc(x + r * 0.2, y + r * 0.22, r), _disc(x - r * 0.1, y - r * 0.12, r * 0.82)


def _disc(x: float, y: float, r: float) -> str:
    d = n1(2 * r)
    q = n1(r)
    return f"M{n1(x - r)} {n1(y)}a{q} {q} 0 1 1 {d} 0a{q} {q} 0 1 1 -{d} 0z"


def _fir(at: Point, size: float, scale: float) -> tuple[str, str]:
    """A spruce: the whole in its dark, and the lit left half."""
    r = size * scale
    x, y = at
    top, foot, half = y - r * 1.35, y + r * 0.8, r * 0.72
    dark = f"M{n1(x)} {n1(top)}L{n1(x + half)} {n1(foot)}L{n1(x - half)} {n1(foot)}z"
    lit = f"M{n1(x)} {n1(top)}L{n1(x + half * 0.05)} {n1(foot - 1)}L{n1(x - half * 0.85)} {n1(foot - 1)}z"
    return dark, lit


class _Near:
    """Whether a point lies near any of many discs, by cells."""

    CELL = 40.0

    def __init__(self, discs: Iterable[tuple[Point, float]]) -> None:
        self.cells: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
        for (x, y), r in discs:
            for i in range(int((x - r) // self.CELL), int((x + r) // self.CELL) + 1):
                for j in range(int((y - r) // self.CELL), int((y + r) // self.CELL) + 1):
                    self.cells.setdefault((i, j), []).append((x, y, r * r))

    def covers(self, p: Point) -> bool:
        near = self.cells.get((int(p[0] // self.CELL), int(p[1] // self.CELL)), ())
        return any((p[0] - x) ** 2 + (p[1] - y) ** 2 < rr for x, y, rr in near)


def draw_towns(
    ground: HexField, game_map: GameMap, streets: Sequence[Point], directions: dict[Hex, Point]
) -> list[str]:
    """Houses of towns in blocks along their streets, hamlets of villages, runways.

    `streets` are points along the ways; `directions` the main street's direction in a hex.
    """
    near = _Near((p, 7.5) for p in streets)
    out: list[str] = []
    built: set[Hex] = set()
    ink = ""
    for name, hexes in covers_of(game_map).items():
        style = board_palette()["covers"][name]
        if style["texture"] == "blocks":
            built |= hexes
            ink, reach = style["ink"], float(style.get("reach", _TOWN))
            out += group(
                (
                    "".join(_blocks(ground.center(h), h, directions.get(h, EASTWARD), near, reach))
                    for h in sorted(hexes)
                ),
                f'fill="{ink}"',
            )
        elif style["texture"] == "runway":
            out += [part for h in sorted(hexes) for part in _runway(ground.center(h), style)]
    hamlets = [
        "".join(_blocks(ground.center(h), h, directions.get(h, EASTWARD), near, HAMLETS[place.kind]))
        for place in game_map.places
        if place.kind in HAMLETS
        for h in place.hexes
        if h not in built
    ]
    return out + group(filter(None, hamlets), f'fill="{ink}"')


def _blocks(center: Point, hex_: Hex, direction: Point, near: _Near, radius: float) -> list[str]:
    """Houses on a grid turned along the main street, none on a street, denser in the middle."""
    chance = seeded("houses", hex_)
    angle = heading(direction) + chance.uniform(-0.08, 0.08)
    step = 9.6
    reach = int(radius // step) + 1
    houses = []
    for i in range(-reach, reach + 1):
        for j in range(-reach, reach + 1):
            u, v = (i + 0.5) * step + chance.uniform(-1, 1), (j + 0.5) * step + chance.uniform(-1, 1)
            w, h = chance.uniform(5.2, 8.2), chance.uniform(4.6, 7)
            lonely = chance.random()
            at = turned([(u, v)], angle, center)[0]
            away = hypot(u, v) / radius
            if away > 1 or lonely < (away - 0.45) * 1.3 or near.covers(at) or at[1] < center[1] - 31:
                continue
            corners = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
            houses.append(polygon(turned(corners, angle + chance.uniform(-0.06, 0.06), at)))
    return houses


def _runway(center: Point, style: Style) -> list[str]:
    out = []
    for angle, long in ((0.5, 27), (-0.35, 21)):
        strip = polygon(turned([(-long, -3.6), (long, -3.6), (long, 3.6), (-long, 3.6)], angle, center))
        a, b = turned([(-long + 4, 0), (long - 4, 0)], angle, center)
        out.append(f'<path d="{strip}" fill="{style["ink"]}"/>')
        out.append(f'<path d="M{xy(a)}L{xy(b)}" stroke="{style["fill"]}" stroke-width="1" stroke-dasharray="5 4"/>')
    return out


def draw_fortress(ground: HexField, hexes: Collection[Hex]) -> list[str]:
    """A ring for each hex."""
    look = board_palette()["fortress"]
    out = []
    for hex_ in sorted(hexes):
        center = ground.center(hex_)
        ring = _board_fortress_ring(ground, hex_)
        trace: list[Point] = []
        for i, corner in enumerate(ring):
            before, after = ring[i - 1], ring[(i + 1) % 6]
            back, on = unit(corner, before), unit(corner, after)
            tip = mix(center, corner, 1.09)
            trace += [shift(corner, back, 12), shift(shift(corner, back, 9), right_of(on), -4), tip]
            trace += [shift(shift(corner, on, 9), right_of(back), 4), shift(corner, on, 12)]
        path = polygon(trace)
        out += [
            f'<path d="{path}" fill="none" stroke="{look["fill"]}" stroke-width="7" stroke-linejoin="round" '
            f'stroke-opacity="0.55"/>',
            f'<path d="{path}" fill="none" stroke="{look["ink"]}" stroke-width="2.6" stroke-linejoin="round"/>',
        ]
    return out


def _board_fortress_ring(ground: HexField, hex_: Hex) -> list[Point]:
    center = ground.center(hex_)
    return [mix(center, corner, 0.83) for corner in ground.corners(hex_)]


def ramparts(ground: HexField, hexes: Collection[Hex]) -> list[Point]:
    """Points along the rings, for what had better not stand on them."""
    rings = [_board_fortress_ring(ground, hex_) for hex_ in sorted(hexes)]
    return [mix(ring[i - 1], ring[i], k / 10) for ring in rings for i in range(6) for k in range(10)]
