"""Roads, trails and railways through the hexes, and the bridges that carry them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...scenarios.model import GameMap, Scenario
from ...scenarios.schema.map import Bridge
from ...scenarios.text.hexgrid import Hex, Point, Side, side
from .board_layout import Style, board_palette, style_of, water_style
from .board_shapes import (
    Curve,
    HexField,
    LinkStep,
    Network,
    along,
    chunks,
    group,
    heading,
    mix,
    n1,
    pen,
    polygon,
    right_of,
    seeded,
    shift,
    through_corner,
    turned,
    unit,
    xy,
)
from .board_water import PALE, wet_sides

Joints = dict[Hex, set[Hex]]
"""For each hex with ways, the neighbours that they lead to."""


@dataclass(frozen=True)
class DrawnWay:
    """A road, trail or railway as drawn, and where it crosses hexsides."""

    kind: str
    style: Style
    curve: Curve
    crossings: dict[Side, Point]


def ways(ground: HexField, scenario: Scenario) -> list[DrawnWay]:
    """All ways in the palette's order, so that roads lie over trails."""
    order = list(board_palette()["ways"])
    game_map = scenario.map

    def rank(kind: str) -> tuple[int, str]:
        look = game_map.look("ways", kind)
        return (order.index(look) if look in order else len(order), kind)

    kinds = sorted({w.kind for w in game_map.ways}, key=rank)
    joints = _joints(game_map, [k for k in kinds if not style_of(game_map, "ways", k).get("apart")])
    out = []
    for kind in kinds:
        out += _lines(ground, game_map, kind, joints)
    return out


def _joints(game_map: GameMap, kinds: Sequence[str]) -> Joints:
    """The neighbours that a hex is joined to by ways that share their junctions."""
    joined: dict[Hex, set[Hex]] = {}
    for way in game_map.ways:
        if way.kind in kinds:
            for a, b in pairwise(way.hexes):
                joined.setdefault(a, set()).add(b)
                joined.setdefault(b, set()).add(a)
    return joined


def _lines(ground: HexField, game_map: GameMap, kind: str, joints: Joints) -> list[DrawnWay]:
    style = style_of(game_map, "ways", kind)
    apart = float(style.get("apart", 0))
    hides = set(style.get("hidden_by", ()))
    better = {
        s for s, kinds in game_map.links.items() if hides & {game_map.look("ways", k) for k in kinds - {kind}}
    }
    links: list[tuple[Hex, Hex]] = []
    consecutive: set[tuple[Hex, Hex, Hex]] = set()
    for way in game_map.ways:
        if way.kind == kind:
            for a, b in pairwise(way.hexes):
                if side(a, b) not in links and side(a, b) not in better:
                    links.append(side(a, b))
            for a, b, c in zip(way.hexes, way.hexes[1:], way.hexes[2:], strict=False):
                consecutive |= {(a, b, c), (c, b, a)}

    def cost(node: Hex, i: int, j: int) -> float | None:
        a = links[i][0] if links[i][1] == node else links[i][1]
        b = links[j][0] if links[j][1] == node else links[j][1]
        turn = _turn(ground.grid.compass, ground.grid.directions[node, a], ground.grid.directions[node, b])
        if turn < 2 and len(net_at.get(node, ())) > 2:
            return None
        return (3 - turn) * 2 + ((a, node, b) not in consecutive) * 3

    net_at: dict[Hex, list[Hex]] = {}
    for a, b in links:
        net_at.setdefault(a, []).append(b)
        net_at.setdefault(b, []).append(a)
    net = Network(links, cost)
    if apart:
        joints = {h: set(v) for h, v in net_at.items()}
    shared = game_map.links
    out = []
    for steps in net.chains():
        lanes = [apart if apart and len(shared[side(s.start, s.end)]) > 1 else 0.0 for s in steps]
        out.append(_line(ground, game_map, kind, steps, ring=net.is_ring(steps), joints=joints, lanes=lanes))
    return out


def _turn(compass: Sequence[str], d1: str, d2: str) -> int:
    """How straight two sides of a hex lie to each other: 3 opposite, 1 next to each other."""
    apart = abs(compass.index(d1) - compass.index(d2))
    return min(apart, 6 - apart)


def _crossing(ground: HexField, step: LinkStep[Hex], lane: float) -> Point:
    p, q = ground.ends(step.start, step.end)
    mid = mix(p, q, 0.5)
    travel = unit(ground.center(step.start), ground.center(step.end))
    wander = seeded("way", *side(step.start, step.end)).uniform(-6, 6)
    first_to_last = 1 if step.start < step.end else -1
    return shift(mid, right_of(travel), lane + wander * first_to_last)


def joint(ground: HexField, hex_: Hex, joined: Collection[Hex] = ()) -> Point:
    """Where the ways of a hex meet: about its middle, drawn towards the side on which its ways lie."""
    chance = seeded("joint", hex_)
    x, y = ground.center(hex_)
    if joined:
        around = [ground.center(h) for h in sorted(joined)]
        pull = 0.17 / len(around)
        x += sum(p[0] - x for p in around) * pull
        y += sum(p[1] - y for p in around) * pull
    return x + chance.uniform(-4, 4), y + chance.uniform(-3, 5)


def _line(
    ground: HexField,
    game_map: GameMap,
    kind: str,
    steps: Sequence[LinkStep[Hex]],
    *,
    ring: bool,
    joints: Joints,
    lanes: Sequence[float],
) -> DrawnWay:
    across = [_crossing(ground, s, lane) for s, lane in zip(steps, lanes, strict=True)]
    pieces: list[tuple[Point, Point, Point, Point]] = []
    if not ring:
        pieces += _end(ground, game_map, steps[0].start, across[0], joints=joints, lane=lanes[0])
    following = list(zip(steps[1:], across[1:], lanes[1:], strict=True))
    if ring:
        following.append((steps[0], across[0], lanes[0]))
    for (here, a, lane), (_, b, lane_b) in zip(zip(steps, across, lanes, strict=True), following, strict=False):
        pieces += _through(ground, here.end, a, b, joints=joints, lane=(lane + lane_b) / 2)
    if not ring:
        tail = _end(ground, game_map, steps[-1].end, across[-1], joints=joints, lane=-lanes[-1])
        pieces += [(d, c, b, a) for a, b, c, d in reversed(tail)]
    style = style_of(game_map, "ways", kind)
    return DrawnWay(
        kind, style, Curve(pieces), {side(s.start, s.end): p for s, p in zip(steps, across, strict=True)}
    )


def _through(
    ground: HexField, hex_: Hex, a: Point, b: Point, *, joints: Joints, lane: float
) -> list[tuple[Point, Point, Point, Point]]:
    """A way through a hex: over the joint where others meet it, else in one bend."""
    center = ground.center(hex_)
    travel = unit(a, b)
    if len(joints.get(hex_, ())) > 2:
        node = shift(joint(ground, hex_, joints[hex_]), right_of(travel), lane)
        reach = 12.0
        return [
            (a, mix(a, shift(center, right_of(travel), lane), 0.5), shift(node, travel, -reach), node),
            (node, shift(node, travel, reach), mix(b, shift(center, right_of(travel), lane), 0.5), b),
        ]
    bent = shift(joint(ground, hex_), right_of(travel), lane)
    return [through_corner(a, bent, b, 0.62)]


def _end(
    ground: HexField, game_map: GameMap, hex_: Hex, across: Point, *, joints: Joints, lane: float
) -> list[tuple[Point, Point, Point, Point]]:
    """The first piece of a way that begins in a hex: at its joint, or at the map's edge when it leaves the map."""
    center = ground.center(hex_)
    inward = unit(across, center)
    outward = _exit(ground, hex_, across)
    place = game_map.place_at.get(hex_)
    if outward is not None and len(joints.get(hex_, ())) == 1 and (place is None or place.kind != "town"):
        away = shift(outward, right_of(unit(outward, across)), lane)
        return [through_corner(away, joint(ground, hex_), across, 0.62)]
    joined = joints.get(hex_, set())
    node = joint(ground, hex_, joined if len(joined) > 2 else ())
    if lane:
        node = shift(node, right_of(inward), -lane * 0.6)
    back = mix(across, center, 0.55)
    return [(node, mix(node, back, 0.4), back, across)]


def _exit(ground: HexField, hex_: Hex, across: Point) -> Point | None:
    """The middle of the outer hexside most opposite to where a way comes from; None in mid-land."""
    center = ground.center(hex_)
    came = unit(across, center)
    best: tuple[float, Point] | None = None
    for direction in ground.grid.compass:
        if ground.grid.step(hex_, direction) is None:
            point = ground.edge_point(hex_, direction)
            d = unit(center, point)
            # Roads leave squarely over the frame rather than along it.
            square = 0.6 if direction in ("n", "s", "e", "w") else 0.0
            straight = came[0] * d[0] + came[1] * d[1] + square
            if best is None or straight > best[0] + 1e-6:
                best = (straight, point)
    return best[1] if best and best[0] > -0.1 else None


def draw_ways(lines: Sequence[DrawnWay]) -> list[str]:
    """All ways, those of one kind together: casings below, then the line itself."""
    out: list[str] = []
    for kind, style in {line.kind: line.style for line in lines}.items():
        curves = [line.curve for line in lines if line.kind == kind]
        parts = [d for curve in curves for d in curve.parts()]
        width, fill = float(style["width"]), style["fill"]
        if "casing" in style:
            out += group(parts, pen(style["casing"], style["casing_width"]))
        if style["style"] == "rail":
            out += group(parts, pen(PALE, width + 3.2))
            out += group(parts, pen(fill, width))
            ties = [
                f"M{xy(shift(p, right_of(d), 3.6))}L{xy(shift(p, right_of(d), -3.6))}"
                for curve in curves
                for p, d in along(curve.points(8), 11, 5)
            ]
            out += group(chunks(ties, 8), pen(fill, width * 0.75))
        elif style["style"] == "dashed":
            out += group(chunks([d for curve in curves for d in _dashes(curve)], 6), pen(fill, width, "butt"))
        else:
            out += group(parts, pen(fill, width))
    return out


def _dashes(curve: Curve, dash: float = 8.0, gap: float = 5.5) -> list[str]:
    """The dashes of a line, each a path of its own that follows the bend."""
    points = curve.points(10)
    out = []
    for (start, d1), (mid, d2) in zip(
        along(points, dash + gap, 2), along(points, dash + gap, 2 + dash / 2), strict=False
    ):
        end = shift(mid, d2, dash / 2)
        out.append(f"M{xy(start)}Q{xy(shift(start, d1, dash / 2))} {xy(end)}")
    return out


@dataclass(frozen=True)
class Span:
    """A bridge as drawn: its middle, the unit vector across the water, and the data if it stands by itself."""

    at: Point
    direction: Point
    half: float
    width: float
    bridge: Bridge | None


def spans(ground: HexField, scenario: Scenario, lines: Sequence[DrawnWay]) -> list[Span]:
    """Bridges where ways that imply them cross water, and those that stand by themselves."""
    wet = wet_sides(scenario)
    game_map = scenario.map
    own = game_map.bridges
    out = []
    carried: set[Side] = set()
    for line in lines:
        effect = scenario.tables.ways.get(line.kind)
        for s, point in line.crossings.items():
            if s in wet and (s in own or (effect is not None and effect.bridges)):
                carried.add(s)
                width = float(line.style.get("casing_width", line.style["width"] + 4))
                out.append(_span(ground, scenario, s, point, width))
    for s in own:
        if s not in carried:
            p, q = ground.ends(*s)
            out.append(_span(ground, scenario, s, mix(p, q, 0.5), 7.4))
    return out


def _span(ground: HexField, scenario: Scenario, s: Side, at: Point, width: float) -> Span:
    direction = unit(ground.center(s[0]), ground.center(s[1]))
    stream = max(
        (float(water_style(scenario.map, k).get("width", 8)) for k in scenario.map.hexsides.get(s, ())),
        default=8.0,
    )
    return Span(at, direction, stream / 2 + 4.5, width, scenario.map.bridges.get(s))


def draw_decks(bridges: Sequence[Span]) -> list[str]:
    """What lies under the ways: the decks."""
    look = board_palette()["bridge"]
    decks = [
        polygon(
            turned(
                [
                    (-b.half, -b.width / 2 - 1.5),
                    (b.half, -b.width / 2 - 1.5),
                    (b.half, b.width / 2 + 1.5),
                    (-b.half, b.width / 2 + 1.5),
                ],
                heading(b.direction),
                b.at,
            )
        )
        for b in bridges
    ]
    return group(decks, f'fill="{look["deck"]}"')


def draw_rails_of(bridges: Sequence[Span]) -> list[str]:
    """What stands over the ways: the parapets, splayed at their ends; a number where a bridge comes later."""
    look = board_palette()["bridge"]
    parts = []
    for b in bridges:
        for s in (-1, 1):
            y = s * (b.width / 2 + 1.6)
            line = turned(
                [(-b.half - 2.6, y + s * 3), (-b.half, y), (b.half, y), (b.half + 2.6, y + s * 3)],
                heading(b.direction),
                b.at,
            )
            parts.append("M" + "L".join(xy(p) for p in line))
    out = group(chunks(parts, 2), pen(look["ink"], 2))
    for b in bridges:
        if b.bridge is not None and b.bridge.from_turn is not None:
            x, y = shift(b.at, right_of(b.direction), 17)
            out.append(
                f'<circle cx="{n1(x)}" cy="{n1(y)}" r="9" fill="{PALE}" stroke="{look["ink"]}" stroke-width="1.6"/>'
            )
            out.append(
                f'<text x="{n1(x)}" y="{n1(y + 4.4)}" font-size="12.5" font-weight="700" text-anchor="middle" '
                f'fill="{look["ink"]}">{b.bridge.from_turn}</text>'
            )
    return out
