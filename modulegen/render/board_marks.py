"""What is written and outlined on the map: areas, names along rivers, edges, and the words for places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from markupsafe import escape

from ...scenarios.model import Scenario, Text
from ...scenarios.text.hexgrid import EDGES, Hex, Point
from .board_labels import Crowd, LabelBox
from .board_layout import BoardLayout, Style, board_palette, side_colour, style_of
from .board_shapes import Coast, HexField, closed_curve, length, n1, offset, outlines, right_of, smooth_curve, unit
from .board_water import River
from .raster import SERIF, text_width


def draw_areas(ground: HexField, scenario: Scenario) -> list[str]:
    """Outlines of the areas that the board shows, in the colour of the side they belong to."""
    sides = tuple(s.id for s in scenario.game.sides)
    out = []
    for i, area in enumerate(a for a in scenario.map.areas if a.drawn):
        style = style_of(scenario.map, "areas", area.kind)
        colour = side_colour(sides, area.side)
        inset = 6.0 + 4 * (i % 2)
        loops = outlines(
            ground, [h for h in area.hexes if h in ground.grid], Coast(area.id, inset, 0, soft_edge=True)
        )
        path = "".join(closed_curve(loop).path() + "z" for loop in loops)
        width = float(style["width"])
        if style["style"] == "dashes":
            out.append(
                f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="15 8" '
                f'stroke-linejoin="round"/>'
            )
        else:
            out.append(
                f'<path d="{path}" fill="{colour}" fill-opacity="0.07" stroke="{colour}" stroke-opacity="0.5" '
                f'stroke-width="{width}" stroke-linejoin="round" fill-rule="evenodd"/>'
            )
    return out


def area_names(ground: HexField, scenario: Scenario, words: dict[str, str], crowd: Crowd) -> list[str]:
    """The name of each area, widely set, in the clearest spot of it; the spot is then taken.

    None of an area that is the same ground as a place: that has its name there, and two would be of one thing.
    """
    sides = tuple(s.id for s in scenario.game.sides)
    named = {frozenset(place.hexes) for place in scenario.map.places if place.name}
    halo = board_palette()["halo"]
    out = []
    for area in scenario.map.areas:
        text = words.get(area.id, area.name)
        hexes = [h for h in area.hexes if h in ground.grid]
        if not (area.drawn and text and hexes) or frozenset(area.hexes) in named:
            continue
        size = 27.0
        width = text_width(text, size, SERIF, 500, "italic") + 2.5 * len(text)
        mx = sum(ground.center(h)[0] for h in hexes) / len(hexes)
        my = sum(ground.center(h)[1] for h in hexes) / len(hexes)
        best: tuple[float, Point, LabelBox] | None = None
        for h in hexes:
            for dy in (-6, 12, 30, 46):
                x, y = ground.center(h)[0], ground.center(h)[1] + dy
                box = LabelBox(x - width / 2, y - 19, x + width / 2, y + 7)
                cost = crowd.cost(box) + 0.05 * (abs(x - mx) + abs(y - my))
                if best is None or cost < best[0]:
                    best = (cost, (x, y), box)
        if best is not None:
            (x, y), box = best[1], best[2]
            crowd.add_box(box, 60.0)
            out.append(
                f'<text x="{n1(x)}" y="{n1(y)}" font-family="Alegreya" font-style="italic" font-weight="500" '
                f'font-size="{size:g}" letter-spacing="2.5" text-anchor="middle" '
                f'fill="{side_colour(sides, area.side)}" stroke="{halo["colour"]}" stroke-width="4" '
                f'stroke-opacity="0.8" paint-order="stroke" stroke-linejoin="round">{escape(text)}</text>'
            )
    return out


def river_names(water: Sequence[River], crowd: Crowd, names: dict[str, str]) -> list[str]:
    """The name of each river along its course, once for every fifteen hexsides or so, where there is most room."""
    look = board_palette()["names_of_water"]
    size = float(look["size"])
    out = []
    for number, (name, points, sides) in enumerate(_stretches(water)):
        text = names.get(name, name)
        if not text or sides < 4:
            continue
        width = text_width(text, size, SERIF, 500, "italic") + 1.5 * len(text)
        wanted = max(1, round(sides / 17))
        for k in range(wanted):
            part = points[k * len(points) // wanted : (k + 1) * len(points) // wanted + 1]
            found = _stretch(part, width, size, crowd)
            if found is None:
                continue
            lane = found
            id_ = f"river-{number}-{k}"
            crowd.add(lane, 8.0, size / 2)
            out.append(
                f'<path id="{id_}" d="{smooth_curve(lane).path()}" fill="none"/>'
                f'<text font-family="Alegreya" font-style="italic" font-weight="500" font-size="{size:g}" '
                f'letter-spacing="1.5" fill="{look["colour"]}" stroke="{board_palette()["halo"]["colour"]}" '
                f'stroke-width="3" stroke-opacity="0.7" paint-order="stroke" text-anchor="middle">'
                f'<textPath href="#{id_}" startOffset="50%">{escape(text)}</textPath></text>'
            )
    return out


def _stretches(water: Sequence[River]) -> Iterator[tuple[str, list[Point], int]]:
    """Stretches of water with one name: name, course, number of hexsides."""
    for river in water:
        points = river.curve.points(6)
        at = 0
        for name, sides in groupby(river.names):
            count = len(list(sides))
            yield name, points[6 * at : 6 * (at + count + 1) + 1], count
            at += count


def _stretch(points: Sequence[Point], width: float, size: float, crowd: Crowd) -> list[Point] | None:
    """The straightest and emptiest lane beside a line that is long enough for a name; left to right."""
    best: tuple[float, list[Point]] | None = None
    for start in range(0, len(points), 3):
        run = 0.0
        end = start
        while end + 1 < len(points) and run < width * 1.18:
            run += length(points[end : end + 2])
            end += 1
        if run < width * 1.1:
            break
        part = list(points[start : end + 1])
        if part[0][0] > part[-1][0]:
            part.reverse()
        soft = _softened(part)
        chord = length([soft[0], soft[-1]])
        bend = length(soft) / max(chord, 1.0) - 1
        steep = abs(soft[-1][1] - soft[0][1]) / max(chord, 1.0)
        for side in (-1, 1):
            # The base line lies a little over the bank above, or a letter's height under the bank below.
            clear = 9.5 + max(0.0, *(_aside(p, soft) * side for p in part[2:-2:2]))
            lane = offset(soft, -clear if side < 0 else clear + size * 0.62)
            middle = offset(soft, side * (clear + size * 0.3))
            crowding = sum(crowd.cost(LabelBox(x - 7, y - 7, x + 7, y + 7)) for x, y in middle[::2])
            cost = bend * 260 + steep * 14 + crowding * 1.1 + (side > 0) * 2
            if best is None or cost < best[0]:
                best = (cost, lane)
    return best[1] if best else None


def _aside(p: Point, line: Sequence[Point]) -> float:
    """How far a point lies to the right of a line, negative to its left."""
    i = min(range(len(line)), key=lambda k: (line[k][0] - p[0]) ** 2 + (line[k][1] - p[1]) ** 2)
    d = right_of(unit(line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]))
    return (p[0] - line[i][0]) * d[0] + (p[1] - line[i][1]) * d[1]


def _softened(points: Sequence[Point], times: int = 10) -> list[Point]:
    """The line with its bends taken out, ends kept."""
    line = list(points)
    for _ in range(times):
        line = [
            line[0],
            *(
                ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
                for a, b, c in zip(line, line[1:], line[2:], strict=False)
            ),
            line[-1],
        ]
    return line[::3] if len(line) > 8 else line


def draw_edges(scenario: Scenario, text: Text, layout: BoardLayout) -> list[str]:
    """The names of the edges in the margin, with a bracket over the hexes where an edge is not a whole side."""
    look = board_palette()
    u = layout.units
    field = layout.field.scaled(1 / u)
    ground = HexField(layout.grid)
    out = []
    for name in EDGES:
        for hexes in _straight(ground, scenario, name):
            points = [(field.x + ground.center(h)[0], field.y + ground.center(h)[1]) for h in hexes]
            xs, ys = [p[0] for p in points], [p[1] for p in points]
            flat = max(xs) - min(xs) > max(ys) - min(ys)
            words = text.get(f"edges.{name}", name).upper()
            if flat:
                up = sum(ys) / len(ys) < field.y + field.height / 2
                y = field.y - 23 if up else field.y + field.height + 23
                a, b = (min(xs) - 45, y), (max(xs) + 45, y)
            else:
                west = sum(xs) / len(xs) < field.x + field.width / 2
                x = field.x - 23 if west else field.x + field.width + 21
                a, b = (x, min(ys) - 45), (x, max(ys) + 45)
            out += _edge(a, b, words, look)
    return out


def _edge(a: Point, b: Point, words: str, look: Style) -> list[str]:
    ink = look["frame"]
    wide = text_width(words, 17, SERIF, 700) + 4.0 * len(words)
    mid = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    d = unit(a, b)
    gap = wide / 2 + 14
    line = (
        f"M{n1(a[0])} {n1(a[1])}L{n1(mid[0] - d[0] * gap)} {n1(mid[1] - d[1] * gap)}"
        f"M{n1(mid[0] + d[0] * gap)} {n1(mid[1] + d[1] * gap)}L{n1(b[0])} {n1(b[1])}"
    )
    turn = f' transform="rotate(-90 {n1(mid[0])} {n1(mid[1])})"' if d[0] < 0.5 else ""
    ticks = "".join(
        f"M{n1(p[0] - d[1] * 6)} {n1(p[1] - d[0] * 6)}L{n1(p[0] + d[1] * 6)} {n1(p[1] + d[0] * 6)}" for p in (a, b)
    )
    return [
        f'<path d="{line}{ticks}" fill="none" stroke="{ink}" stroke-width="1.4"/>',
        f'<text x="{n1(mid[0])}" y="{n1(mid[1] + 6)}" font-family="Alegreya" font-weight="700" font-size="17" '
        f'letter-spacing="4" text-anchor="middle" fill="{ink}"{turn}>{escape(words)}</text>',
    ]


def _straight(ground: HexField, scenario: Scenario, name: str) -> list[list[Hex]]:
    """The hexes of an edge as straight runs along one side of the map, longest first; short scraps left out."""
    grid = ground.grid
    hexes = scenario.map.edges[name]
    runs = []
    for side in EDGES:
        along = [h for h in grid.edge(side) if h in hexes]
        run: list[Hex] = []
        for h in along:
            if run and not grid.adjacent(run[-1], h):
                runs.append(run)
                run = []
            run.append(h)
        runs.append(run)
    runs.sort(key=len, reverse=True)
    taken: set[Hex] = set()
    out = []
    for run in runs:
        if len(run) >= 4 and len(set(run) - taken) >= 3:
            out.append(run)
            taken |= set(run)
    return out
