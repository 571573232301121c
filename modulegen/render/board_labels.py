"""Where names and hex numbers stand: candidates around each place, each with a cost, and the cheapest taken."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, floor, hypot
from typing import Any

from ...scenarios.model import Scenario
from ...scenarios.schema.map import Place
from ...scenarios.text.hexgrid import Hex, Point
from .board_layout import board_palette
from .board_shapes import HexField
from .raster import SANS, text_width

LINE = 0.98
"""Distance of the lines of a name, in font sizes."""
ASCENT, DESCENT = 0.74, 0.2
"""Height over and depth under the base line that a name takes, in font sizes."""
COLLISION = 1000.0
COUNTER = 76.0
"""The edge of a counter in drawing units."""
NUMBER_SPOTS = (
    (0, -38.5, 0),
    (-15, -38.5, 4),
    (15, -38.5, 4),
    (-19.5, -38, 6),
    (19.5, -38, 6),
    (-23, -36, 9),
    (23, -36, 9),
)
"""Where a hex number may stand from the centre of its hex, and what that costs."""
POINTY_SPOTS = ((0, -39, 0), (-9, -35, 4), (9, -35, 4), (-26, -22, 7), (26, -22, 7), (0, 48, 9))
"""The same in hexes with pointy tops, which are narrow above and wide at the sides."""


@dataclass(frozen=True)
class LabelBox:
    """A rectangle by its left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: LabelBox) -> float:
        """Area shared with another box."""
        w = min(self.right, other.right) - max(self.left, other.left)
        h = min(self.bottom, other.bottom) - max(self.top, other.top)
        return w * h if w > 0 and h > 0 else 0.0

    def grown(self, by: float) -> LabelBox:
        """The box with a margin around it."""
        return LabelBox(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True)
class Label:
    """A name as it stands: its lines, the middle of the first base line, size, kind and extent."""

    lines: tuple[str, ...]
    at: Point
    size: float
    kind: str
    box: LabelBox
    hex: Hex = ""


class Crowd:
    """How crowded the map is, as a cost for each cell that a name would cover."""

    CELL = 5.0

    def __init__(self, size: Point) -> None:
        self.columns = ceil(size[0] / self.CELL) + 1
        self.rows = ceil(size[1] / self.CELL) + 1
        self.cells = [0.0] * (self.columns * self.rows)
        self.size = size

    def add(self, points: Iterable[Point], cost: float, radius: float = 3.0) -> None:
        """Make cells near points cost at least so much."""
        cells, columns, rows, cell = self.cells, self.columns, self.rows, self.CELL
        for x, y in points:
            for i in range(max(0, floor((x - radius) / cell)), min(columns, floor((x + radius) / cell) + 1)):
                for j in range(max(0, floor((y - radius) / cell)), min(rows, floor((y + radius) / cell) + 1)):
                    k = j * columns + i
                    cells[k] = max(cells[k], cost)

    def add_box(self, box: LabelBox, cost: float) -> None:
        """Make the cells under a box dearer."""
        for k in self._under(box):
            self.cells[k] += cost

    def _under(self, box: LabelBox) -> Iterator[int]:
        i0, i1 = max(0, floor(box.left / self.CELL)), min(self.columns, floor(box.right / self.CELL) + 1)
        j0, j1 = max(0, floor(box.top / self.CELL)), min(self.rows, floor(box.bottom / self.CELL) + 1)
        for j in range(j0, j1):
            yield from range(j * self.columns + i0, j * self.columns + i1)

    def cost(self, box: LabelBox) -> float:
        """Sum over the cells under a box; leaving the map costs as much as a collision."""
        if box.left < 0 or box.top < 0 or box.right > self.size[0] or box.bottom > self.size[1]:
            return COLLISION
        cells, columns, cell = self.cells, self.columns, self.CELL
        i0, i1 = floor(box.left / cell), floor(box.right / cell) + 1
        return sum(
            sum(cells[j * columns + i0 : j * columns + i1])
            for j in range(floor(box.top / cell), floor(box.bottom / cell) + 1)
        )


STRUCK = 4.0
"""From this cost on a number stands on a line, wherever it may stand."""


def number_places(
    ground: HexField, crowd: Crowd, lines: Crowd, size: float
) -> tuple[dict[Hex, Point], frozenset[Hex]]:
    """The middle of the base line of every hex number: at the top of the hex, moved aside by what passes there.

    Beside them the hexes whose number something crosses all the same. `lines` are passed by numbers alone: a name
    may cross a fortified line, for it is large and has a rim.
    """
    width = text_width("0000", size, SANS, 400)
    found = {}
    struck = set()
    for hex_ in ground.grid.hexes:
        x, y = ground.center(hex_)
        best, over = (float("inf"), (0.0, 0.0)), 0.0
        for dx, dy, price in _number_spots(ground):
            if price >= best[0]:
                continue
            at = (x + dx, y + dy)
            box = _extent(at, width, size, 1).grown(1)
            under = crowd.cost(box) + lines.cost(box)
            if price + under < best[0] - 1e-9:
                best, over = (price + under, at), under
        found[hex_] = best[1]
        if over > STRUCK:
            struck.add(hex_)
    for at in found.values():
        crowd.add_box(_extent(at, width, size, 1), 6.0)
    return found, frozenset(struck)


def _number_spots(ground: HexField) -> tuple[tuple[float, float, float], ...]:
    return POINTY_SPOTS if ground.grid.pointy else NUMBER_SPOTS


def _extent(at: Point, width: float, size: float, lines: int) -> LabelBox:
    return LabelBox(
        at[0] - width / 2,
        at[1] - size * ASCENT,
        at[0] + width / 2,
        at[1] + size * (DESCENT + LINE * (lines - 1)),
    )


def usual_number_places(ground: HexField) -> dict[Hex, Point]:
    """As `number_places`, but always the first choice, whatever passes there."""
    dx, dy, _ = _number_spots(ground)[0]
    return {h: (x + dx, y + dy) for h in ground.grid.hexes for x, y in [ground.center(h)]}


def names_below(ground: HexField, scenario: Scenario, words: dict[str, str]) -> list[Label]:
    """As `place_names`, but each right below its place and the counters there, whatever else stands there."""
    sizes = {kind: float(style["size"]) for kind, style in board_palette()["labels"].items()}
    spots = [(place, (x, y + 40)) for place in scenario.map.places for x, y in [ground.center(place.hexes[0])]]
    return [
        Label((text,), at, sizes[p.kind], p.kind, _extent(at, 0, sizes[p.kind], 1), p.hexes[0])
        for p, at in spots
        if (text := words.get(p.id, p.name))
    ]


@dataclass
class _Wanted:
    """A name that needs a place, with its candidates from the dearest wish down."""

    candidates: list[tuple[float, Label]]
    costs: list[float] = field(default_factory=list)
    chosen: int = 0

    @cached_property
    def reach(self) -> LabelBox:
        """All that any candidate covers."""
        boxes = [label.box for _, label in self.candidates]
        return LabelBox(
            min(b.left for b in boxes),
            min(b.top for b in boxes),
            max(b.right for b in boxes),
            max(b.bottom for b in boxes),
        )


def place_names(ground: HexField, scenario: Scenario, words: dict[str, str], crowd: Crowd) -> list[Label]:
    """Names of all places, none over another. `words` has the name of a place by its id, where it differs.

    Larger ones choose first; then each chooses again, given the others, until nothing gets better.
    """
    order = {"town": 0, "height": 1, "crossroads": 2, "village": 3, "label": 4}
    wanted = []
    for place in sorted(scenario.map.places, key=lambda p: (order[p.kind], p.id)):
        text = words.get(place.id, place.name)
        if text:
            around = {n for h in place.hexes for m in ground.grid.neighbours[h] for n in ground.grid.neighbours[m]}
            near = [ground.center(h) for h in sorted(around - set(place.hexes)) if h in scenario.map.place_at]
            wish = _Wanted(list(_candidates(ground, place, text, near)))
            wish.costs = [price + crowd.cost(label.box) for price, label in wish.candidates]
            wanted.append(wish)
    for _ in range(4):
        moved = False
        for wish in wanted:
            reach = wish.reach
            others = [
                box for w in wanted if w is not wish and (box := w.candidates[w.chosen][1].box).overlap(reach) > 0
            ]
            costs = [
                cost + sum(COLLISION + 10 * box.overlap(label.box) for box in others if box.overlap(label.box) > 0)
                for cost, (_, label) in zip(wish.costs, wish.candidates, strict=True)
            ]
            best = min(range(len(costs)), key=costs.__getitem__)
            moved |= best != wish.chosen
            wish.chosen = best
        if not moved:
            break
    return [w.candidates[w.chosen][1] for w in wanted]


def _candidates(
    ground: HexField, place: Place, text: str, others: Collection[Point]
) -> Iterator[tuple[float, Label]]:
    style: dict[str, Any] = board_palette()["labels"][place.kind]
    size, weight = float(style["size"]), int(style["weight"])
    for lines, price in _breaks(text):
        width = max(text_width(line, size, SANS, weight) for line in lines)
        tall = size * LINE * (len(lines) - 1)
        for hex_ in place.hexes:
            x, y = ground.center(hex_)
            near = 12.0 if place.kind == "town" else 0.0
            for k, (dx, dy) in enumerate(_spots(width, tall, near)):
                box = _extent((x + dx, y + dy), width, size, len(lines))
                cost = price + _distance(box, (x, y), near) + k * 0.05 + _doubt(box, (x, y), others)
                cost += _hidden(box, (x, y))
                yield cost, Label(lines, (x + dx, y + dy), size, place.kind, box, hex_)


def _distance(box: LabelBox, center: Point, near: float) -> float:
    """What it costs to stand away from the place, beside it or over it rather than below."""
    x, y = center
    gap = hypot(max(box.left - x, x - box.right, 0), max(box.top - y, y - box.bottom, 0))
    askew = abs((box.left + box.right) / 2 - x) * 0.06
    over = 3.0 if box.bottom < y else 0.0
    return max(0.0, gap - near) * 0.35 + askew + over


def _hidden(box: LabelBox, center: Point) -> float:
    """What it costs to lie under the counters that will stand in the place's hex."""
    x, y = center
    counters = LabelBox(x - COUNTER / 2, y - COUNTER / 2, x + COUNTER / 2, y + COUNTER / 2)
    return 0.06 * counters.overlap(box)


def _doubt(box: LabelBox, center: Point, others: Collection[Point]) -> float:
    """What it costs to stand nearer to another place than to one's own."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    mine = hypot(x - center[0], y - center[1])
    return sum(12.0 for p in others if hypot(x - p[0], y - p[1]) < max(mine, 30.0))


def _breaks(text: str) -> Iterator[tuple[tuple[str, ...], float]]:
    """The name in one line, and in two where it is long and has a place to break."""
    yield (text,), 0.0
    if len(text) > 9:
        for i, letter in enumerate(text):
            if letter in "- " and 3 <= i <= len(text) - 4:
                yield (text[: i + 1].rstrip(" "), text[i + 1 :]), 9.0


def _spots(width: float, tall: float, near: float) -> Iterator[Point]:
    """Middles of base lines around a place: below, above, right, left, then farther and between."""
    for dy in (near + 24, near + 31, near + 17, near + 10):
        for dx in (0, 10, -10, 20, -20):
            yield dx, dy
    for dy in (-18 - near, -24 - near, -12 - near):
        for dx in (0, 12, -12, 24, -24):
            yield dx, dy - tall
    side = width / 2 + near + 12
    for dy in (5, 14, -4, 22, -12):
        yield side, dy - tall / 2
        yield -side, dy - tall / 2
    for far in (42 + near, 50 + near):
        for dx in (0, 25, -25, 40, -40):
            yield dx, far
            yield dx, -far - tall


def draw_labels(labels: Sequence[Label]) -> list[str]:
    """Names with a halo of paper, so that what runs below stays readable beside them."""
    from markupsafe import escape

    halo = board_palette()["halo"]
    out = []
    for label in labels:
        style = board_palette()["labels"][label.kind]
        for i, line in enumerate(label.lines):
            out.append(
                f'<text x="{label.at[0]:.1f}" y="{label.at[1] + i * label.size * LINE:.1f}" '
                f'font-size="{label.size:g}" font-weight="{style["weight"]}" fill="{style["colour"]}" '
                f'stroke="{halo["colour"]}" stroke-width="{halo["width"]}" stroke-linejoin="round" '
                f'stroke-opacity="0.85" paint-order="stroke" text-anchor="middle">{escape(line)}</text>'
            )
    return out
