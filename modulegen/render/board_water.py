"""Rivers and the other lines that run along hexsides: dams, walls, fortified lines, frontiers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...scenarios.model import GameMap, Scenario
from ...scenarios.text.hexgrid import Hex, Point, Side
from .board_layout import Style, style_of, water_style, wet_kinds
from .board_shapes import (
    Curve,
    HexField,
    LinkStep,
    Network,
    Vertex,
    along,
    chunks,
    group,
    heading,
    mix,
    offset,
    pen,
    polygon,
    right_of,
    seeded,
    shift,
    smooth_curve,
    straight,
    through_corner,
    turned,
    unit,
    vertex,
    xy,
)

PALE = "#f3ead2"
HEAD = 6
"""A river rises over so many hexsides before it has its full width."""


@dataclass(frozen=True)
class River:
    """A line of water: its course, its hexsides in order with the name on each, and whether an end is a source."""

    curve: Curve
    sides: tuple[Side, ...]
    style: Style
    names: tuple[str, ...]
    rises: tuple[bool, bool]


class _Sides:
    """The hexsides of some kinds as links between corners."""

    def __init__(self, ground: HexField, game_map: GameMap, kinds: Iterable[str]) -> None:
        wanted = set(kinds)
        self.ground = ground
        self.side: list[Side] = []
        self.kind: list[str] = []
        self.name: list[str] = []
        seen: set[Side] = set()
        for run in game_map.hexside_runs:
            if run.kind in wanted:
                for side in run.sides:
                    if side not in seen:
                        seen.add(side)
                        self.side.append(side)
                        self.kind.append(run.kind)
                        self.name.append(run.name)
        self.corner: dict[Vertex, Point] = {}
        links = []
        for a, b in self.side:
            p, q = ground.ends(a, b)
            self.corner[vertex(p)] = p
            self.corner[vertex(q)] = q
            links.append((vertex(p), vertex(q)))
        self.net = Network(links, self._cost)

    def _cost(self, node: Vertex, a: int, b: int) -> float:
        return (self.name[a] != self.name[b]) + 2.0 * (self.kind[a] != self.kind[b])

    def middle(self, link: int, wander: float) -> Point:
        """The middle of a hexside, moved a little across it."""
        p, q = self.ground.ends(*self.side[link])
        return shift(
            mix(p, q, 0.5), right_of(unit(p, q)), seeded("bank", *self.side[link]).uniform(-wander, wander)
        )


def rivers(ground: HexField, scenario: Scenario, wander: float = 3.0) -> list[River]:
    """Every line of water of the map, tributaries ending on the stream they join."""
    sides = _Sides(ground, scenario.map, wet_kinds(scenario))
    middles = [sides.middle(i, wander) for i in range(len(sides.side))]
    out = []
    for line in sides.net.chains():
        first, last = line[0], line[-1]
        pieces = []
        ring = sides.net.is_ring(line)
        if not ring:
            start = _mouth(sides, middles, first.start, first.link)
            pieces.append(
                (
                    start,
                    mix(start, middles[first.link], 1 / 3),
                    mix(start, middles[first.link], 2 / 3),
                    middles[first.link],
                )
            )
        following = [*line[1:], line[0]] if ring else line[1:]
        for here, there in zip(line, following, strict=False):
            pieces.append(through_corner(middles[here.link], sides.corner[here.end], middles[there.link]))
        if not ring:
            end = _mouth(sides, middles, last.end, last.link)
            a = middles[last.link]
            pieces.append((a, mix(a, end, 1 / 3), mix(a, end, 2 / 3), end))
        out.append(
            River(
                Curve(pieces),
                tuple(sides.side[s.link] for s in line),
                water_style(scenario.map, sides.kind[first.link]),
                tuple(sides.name[s.link] for s in line),
                (_rises(ground, sides, first.start, ring), _rises(ground, sides, last.end, ring)),
            )
        )
    return out


def wet_sides(scenario: Scenario) -> frozenset[Side]:
    """The hexsides with water."""
    wet = wet_kinds(scenario)
    return frozenset(side for side, kinds in scenario.map.hexsides.items() if kinds & wet)


def _mouth(sides: _Sides, middles: Sequence[Point], node: Vertex, link: int) -> Point:
    """Where a line ends: on the stream that passes the corner, else at the corner itself."""
    corner = sides.corner[node]
    for other in sides.net.at[node]:
        partner = sides.net.follows.get((node, other))
        if other != link and partner is not None:
            a, b = middles[other], middles[partner]
            return mix(mix(a, b, 0.5), corner, 0.5)
    return corner


def _rises(ground: HexField, sides: _Sides, node: Vertex, ring: bool) -> bool:
    """Whether a line's end lies in mid-land: three hexes of the map meet there and no other water does."""
    if ring or len(sides.net.at[node]) > 1:
        return False
    side = sides.side[sides.net.at[node][0]]
    around: set[Hex] = set()
    for h in side:
        for n in (h, *ground.grid.neighbours[h]):
            if any(vertex(c) == node for c in ground.corners(n)):
                around.add(n)
    return len(around) == 3


def draw_rivers(water: Sequence[River]) -> list[str]:
    """Casings first, then the water itself, wider streams on top; ends in mid-land taper."""
    casings: list[str] = []
    fills: list[str] = []
    for river in sorted(water, key=lambda r: float(r.style["width"])):
        style = river.style
        full = float(style["width"]) * min(1.0, 0.72 + 0.02 * len(river.sides))
        for curve, share in _tapered(river):
            parts = curve.parts()
            casings += group(parts, pen(style["casing"], full * share + 2.6))
            fills += group(parts, pen(style["fill"], full * share))
    return casings + fills


def _tapered(river: River) -> list[tuple[Curve, float]]:
    pieces = river.curve.pieces
    count = len(pieces)
    at_start, at_end = river.rises
    shares = [
        min(
            1.0,
            0.3 + 0.7 * k / HEAD if at_start else 1.0,
            0.3 + 0.7 * (count - 1 - k) / HEAD if at_end else 1.0,
        )
        for k in range(count)
    ]
    out: list[tuple[Curve, float]] = []
    for piece, share in zip(pieces, shares, strict=True):
        if out and out[-1][1] == share:
            out[-1][0].pieces.append(piece)
        else:
            out.append((Curve([piece]), share))
    return out


def draw_lines(ground: HexField, scenario: Scenario) -> list[str]:
    """Everything else that runs along hexsides, one style of the palette a kind."""
    out: list[str] = []
    wet = wet_kinds(scenario)
    for kind in scenario.tables.hexsides:
        if kind in wet:
            continue
        style = style_of(scenario.map, "hexsides", kind)
        sides = _Sides(ground, scenario.map, [kind])
        for line in sides.net.chains():
            out += _line(ground, scenario, sides, line, style)
    return out


def _line(
    ground: HexField, scenario: Scenario, sides: _Sides, line: Sequence[LinkStep[Vertex]], style: Style
) -> list[str]:
    points = [sides.corner[line[0].start], *(sides.corner[s.end] for s in line)]
    fill, width = style["fill"], float(style["width"])
    match style["style"]:
        case "dam":
            return _dam(points, fill, width)
        case "border":
            middles = [points[0], *(mix(a, b, 0.5) for a, b in pairwise(points)), points[-1]]
            return _border(middles, fill, width)
        case "wall" | "teeth":
            wet = wet_sides(scenario)
            away = 8.0 if any(sides.side[s.link] in wet for s in line) else 0.0
            sense = 1 if _far_side(ground, sides, line) else -1
            lane = offset(_dense(points), away * sense)
            return (_wall if style["style"] == "wall" else _teeth)(lane, fill, width, sense)
    return group([straight(points).path()], pen(fill, width))


def _far_side(ground: HexField, sides: _Sides, line: Sequence[LinkStep[Vertex]]) -> bool:
    """Whether the hexes of higher number lie to the right of a line."""
    votes = 0.0
    for step in line:
        a, b = sides.side[step.link]
        p, q = sides.corner[step.start], sides.corner[step.end]
        r = right_of(unit(p, q))
        ca, cb = ground.center(a), ground.center(b)
        votes += (cb[0] - ca[0]) * r[0] + (cb[1] - ca[1]) * r[1]
    return votes > 0


def _dense(points: Sequence[Point]) -> list[Point]:
    """The line with its corners cut, so that it can be moved sideways without loops."""
    out = [points[0]]
    for a, b in pairwise(points):
        out += [mix(a, b, 0.3), mix(a, b, 0.7)]
    return [*out, points[-1]]


def _dam(points: Sequence[Point], fill: str, width: float) -> list[str]:
    line = [straight(points).path()]
    ticks = "".join(f"M{xy(p)}L{xy(shift(p, right_of(d), width * 1.1))}" for p, d in along(points, 7.2, 3.6))
    return [*group(line, pen(PALE, width + 4)), *group(line, pen(fill, width)), *group([ticks], pen(fill, 2.2))]


def _border(points: Sequence[Point], fill: str, width: float) -> list[str]:
    """A pale band with dashes and dots on it."""
    curve = smooth_curve(points)
    marks = [
        f"M{xy(p)}L{xy(shift(p, d, 11 if i % 2 == 0 else 0.1))}"
        for i, (p, d) in enumerate(along(curve.points(5), 10.5, 3))
    ]
    return [
        *group([curve.path()], pen(fill, width * 2.6) + ' stroke-opacity="0.2"'),
        *group(chunks(marks, 8), pen(fill, width)),
    ]


def _wall(points: Sequence[Point], fill: str, width: float, sense: int) -> list[str]:
    merlons = [
        polygon(turned([(-3, 0), (3, 0), (3, sense * width * 1.5), (-3, sense * width * 1.5)], heading(d), p))
        for p, d in along(points, 12, 6)
    ]
    return [*group(smooth_curve(points).parts(), pen(fill, width)), *group(chunks(merlons, 8), f'fill="{fill}"')]


def _teeth(points: Sequence[Point], fill: str, width: float, sense: int) -> list[str]:
    """A row of concrete teeth, their points towards the enemy, before a line."""
    teeth = [
        polygon(turned([(-4.6, sense * 3.5), (4.6, sense * 3.5), (0, -sense * 5.5)], heading(d), p))
        for p, d in along(points, 10.5, 5)
    ]
    return [
        *group(chunks(teeth, 8), f'fill="{fill}" stroke="{PALE}" stroke-width="1.4" paint-order="stroke"'),
        *group(smooth_curve(offset(points, sense * 5.2)).parts(), pen(fill, width / 2)),
    ]
