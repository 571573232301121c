"""Boxes beside the map: reinforcements by turn, units still to be placed, losses, units off the map.

A box holds a field of square cells, each large enough for one counter. All lengths are whole pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, sqrt
from typing import TYPE_CHECKING

from ..render import templates
from ..render.raster import SANS, SERIF, text_width
from .battlefield import fixed, formations
from .markers import Picture

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.schema.setup import Placement, Reinforcement
    from ..render.templates import ModuleWords


GAP = 8
MARGIN = 24
HEAD = 46
"""Height of a box's heading."""
BANNER = 44
"""Height of the line that names a side."""
WIDTHS = (1240, 1860)
"""Width that a sheet of boxes aims at: with few units, and with more than MANY."""
MANY = 60


@dataclass(frozen=True)
class Box:
    """A box with its heading; `name` is what VASSAL reports as location.

    `stacks` are the ids of the units in each cell, in the order of cells, the lowest unit first.
    """

    name: str
    title: str
    subtitle: str
    side: str
    stacks: tuple[tuple[str, ...], ...]
    columns: int = 1
    rows: int = 1
    x: int = 0
    y: int = 0
    cell: int = 80

    @property
    def units(self) -> tuple[str, ...]:
        """All units, cell by cell."""
        return tuple(unit for stack in self.stacks for unit in stack)

    @property
    def width(self) -> int:
        """Outer width in pixels."""
        return self.columns * self.cell + 2 * GAP

    @property
    def height(self) -> int:
        """Outer height in pixels."""
        return HEAD + self.rows * self.cell + GAP

    def centre(self, index: int) -> tuple[int, int]:
        """The pixel at the centre of a cell, counted along the rows from 0."""
        row, column = divmod(index, self.columns)
        half = self.cell // 2
        return self.x + GAP + column * self.cell + half, self.y + HEAD + row * self.cell + half

    def contains(self, x: int, y: int) -> bool:
        """Whether a pixel lies in it."""
        return self.x < x < self.x + self.width and self.y < y < self.y + self.height

    @property
    def corners(self) -> tuple[tuple[int, int], ...]:
        """The outline, clockwise from the upper left."""
        right, bottom = self.x + self.width, self.y + self.height
        return ((self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom))


@dataclass(frozen=True)
class Banner:
    """The line above the boxes of one side."""

    text: str
    side: str
    y: int


@dataclass(frozen=True)
class BoxBoard:
    """A board of boxes. `place` gives, for each unit that has a place there, the box and the pixel."""

    name: str
    title: str
    image: str
    width: int
    height: int
    boxes: tuple[Box, ...]
    banners: tuple[Banner, ...]
    leaving: tuple[str, ...] = ()
    """Who is known to leave the map alive: each has a cell to itself, if there are as many."""

    @cached_property
    def place(self) -> dict[str, tuple[Box, tuple[int, int]]]:
        """unit id -> (box, centre of its cell)."""
        cells = [(box, i, stack) for box in self.boxes for i, stack in enumerate(box.stacks)]
        return {unit: (box, box.centre(i)) for box, i, stack in cells for unit in stack}

    def left(self, unit: str) -> tuple[int, int]:
        """The pixel at which a unit lies that left the map. There are fewer cells than units."""
        return self._left[unit]

    @cached_property
    def _left(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for dead, gone in zip(self.boxes[::2], self.boxes[1::2], strict=True):
            order = sorted(dead.units, key=lambda unit: unit not in self.leaving)
            found |= {unit: gone.centre(i % (gone.columns * gone.rows)) for i, unit in enumerate(order)}
        return found


def reserves(scenario: Scenario, words: ModuleWords, cell: int, markers: tuple[str, ...] = ()) -> BoxBoard:
    """The sheet of units that are not on the map at the start: free choices first, then arrivals by turn.

    A last box holds the markers that wait there.
    """
    boxes: list[Box] = []
    for placement in scenario.setup.at_start:
        if not fixed(placement):
            title, subtitle = _choice(scenario, words, placement)
            boxes.append(_box(scenario, title, subtitle, formations(scenario, placement.units), cell))
    for arrival in sorted(scenario.setup.reinforcements, key=lambda r: r.turn):
        title, subtitle = _arrival(scenario, words, arrival)
        boxes.append(_box(scenario, title, subtitle, _each(arrival.units), cell))
    if markers:
        name = words("palette.markers")
        boxes.append(_shaped(Box(name, name, "", "", _each(markers), cell=cell), len(markers) + 1, 7))
    return _lay_out(
        scenario,
        words,
        boxes,
        name=words("map.reserves"),
        title=words("box.reserves_title"),
        image="reserves.png",
    )


def losses(scenario: Scenario, words: ModuleWords, cell: int) -> BoxBoard:
    """The sheet of the dead and of those who left, one box of each for a side, with a cell for every counter."""
    boxes = []
    for spec in scenario.game.sides:
        units = tuple(c.id for c in scenario.counters.values() if c.side == spec.id)
        side = words.side(spec.id)
        for key, room in (("eliminated", units), ("left", ())):
            name = words(f"box.{key}", side=side)
            box = Box(name, name, "", spec.id, _each(room), cell=cell)
            boxes.append(_shaped(box, len(units) if room else max(8, len(units) // 4), 14))
    sheet = _lay_out(
        scenario,
        words,
        boxes,
        name=words("map.losses"),
        title=words("box.losses_title"),
        image="losses.png",
    )
    return replace(sheet, leaving=tuple(u for leaving in scenario.setup.withdrawals for u in leaving.units))


def _choice(scenario: Scenario, words: ModuleWords, placement: Placement) -> tuple[str, str]:
    if placement.areas:
        area = words("box.or").join(words.area(scenario, a) for a in placement.areas)
        return words("box.area", area=area), words("box.ready")
    if placement.hexes:
        return words("box.choice", hexes=" ".join(placement.hexes)), words("box.ready")
    return words("box.free"), words("box.ready")


def _arrival(scenario: Scenario, words: ModuleWords, arrival: Reinforcement) -> tuple[str, str]:
    title = words("box.turn", turn=arrival.turn) + f" · {words.turn_date(scenario, arrival.turn)}"
    ways = []
    if arrival.edges:
        ways.append(words("box.from", edges=words("box.or").join(words.edge(e) for e in arrival.edges)))
    if arrival.hexes:
        ways.append(words("box.hexes", hexes=" ".join(arrival.hexes)))
    if arrival.optional:
        ways.append(words("box.optional", turn=arrival.turn))
    return title, " · ".join(ways)


def _each(units: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Every unit in a cell of its own."""
    return tuple((unit,) for unit in units)


def _box(scenario: Scenario, title: str, subtitle: str, stacks: Sequence[tuple[str, ...]], cell: int) -> Box:
    side = scenario.counters[stacks[0][0]].side
    name = f"{title} ({subtitle})" if subtitle else title
    return _shaped(Box(name, title, subtitle, side, tuple(stacks), cell=cell), len(stacks), 10)


def _shaped(box: Box, count: int, most: int) -> Box:
    text = max(text_width(box.title, 19, weight=700), text_width(box.subtitle, 15)) + 2 * GAP
    columns = max(2, min(most, max(ceil(sqrt(count * 1.5)), ceil(text / box.cell))))
    return replace(box, columns=columns, rows=max(1, ceil(count / columns)))


def _lay_out(
    scenario: Scenario, words: ModuleWords, boxes: Sequence[Box], *, name: str, title: str, image: str
) -> BoxBoard:
    """Boxes in rows from left to right, a banner above those of each side; names made unique."""
    placed: list[Box] = []
    banners: list[Banner] = []
    taken: dict[str, int] = {}
    aim = WIDTHS[sum(len(b.units) for b in boxes) > MANY]
    width = max([aim, *[b.width + 2 * MARGIN for b in boxes]])
    y = MARGIN + BANNER
    for side in (*[s.id for s in scenario.game.sides], ""):
        own = [b for b in boxes if b.side == side]
        if not own:
            continue
        if side:
            banners.append(Banner(words.side(side), side, y))
            y += BANNER
        x, tallest = MARGIN, 0
        for box in own:
            if x > MARGIN and x + box.width > width - MARGIN:
                x, y, tallest = MARGIN, y + tallest + GAP * 2, 0
            taken[box.name] = taken.get(box.name, 0) + 1
            number = f" {taken[box.name]}" if taken[box.name] > 1 else ""
            placed.append(replace(box, name=box.name + number, x=x, y=y))
            x, tallest = x + box.width + GAP * 2, max(tallest, box.height)
        y += tallest + MARGIN
    return BoxBoard(name, title, image, width, y, tuple(placed), tuple(banners))


def picture(sheet: BoxBoard, scenario: Scenario) -> Picture:
    """The sheet's board."""
    colours = templates.game_palette(scenario, "counters")
    faces = {s.id: colours[next(iter(s.branches.values())).counter] for s in scenario.game.sides}
    faces[""] = {"face": "#d9cfb8", "edge": "#8a7c5f", "ink": "#2b2418"}
    svg = templates.render(
        "boxes/sheet.svg.j2",
        sheet=sheet,
        margin=MARGIN,
        gap=GAP,
        head=HEAD,
        banner=BANNER,
        faces=faces,
        sans=SANS,
        serif=SERIF,
    )
    return Picture(sheet.image, svg, sheet.width * sheet.height, colours=0)
