"""Markers, toolbar icons, charts and the board of a plan, and the values that plans are made of.

What a plan is made of.

A picture that the module needs: what is to be drawn, before it is drawn.

The main board as the compiler needs it: its picture, and where VASSAL's grid must lie over it.

What a hex is called that the mouse rests on: place and terrain, as texts that an expression can search.

VASSAL knows the number of a hex and nothing else of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...scenarios.console import Problem, ScenarioError
from ...scenarios.model import markers as needed
from ...scenarios.text.hexgrid import Hex, HexGrid, What
from ...scenarios.text.words import message
from ..render import charts as render
from ..render.board import board_svg
from ..render.board_layout import board_layout
from ..render.charts import chart
from ..render.markers import ICON_SIZE, icon_svg, marker_name, marker_svg
from ..render.raster import font_files
from ..render.templates import words
from .battlefield import anybody_enters, fixed, icons, letters, works_out

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.schema.setup import CounterRow as Counter
    from ..render.board_layout import Rect
    from ..render.templates import ModuleWords


@dataclass(frozen=True)
class UnitPlan:
    """A counter in the module: its slot's number and the images of its faces, full strength first."""

    counter: Counter
    gpid: int
    images: tuple[str, ...]


@dataclass(frozen=True)
class MarkerPlan:
    """A marker of the palette: its faces by id, in the order in which it is turned, and what each is called."""

    id: str
    name: str
    gpid: int
    faces: tuple[str, ...]
    face_names: tuple[str, ...]

    @property
    def images(self) -> tuple[str, ...]:
        """The images of its faces."""
        return tuple(f"marker-{face}.png" for face in self.faces)


@dataclass(frozen=True)
class ChartPlan:
    """A chart in one language."""

    id: str
    title: str
    language: str

    @property
    def image(self) -> str:
        """Its image."""
        return f"chart-{self.id}-{self.language}.png"


@dataclass(frozen=True)
class Picture:
    """One image of the module: its name in `images/`, its SVG, and to how many colours it is reduced (0: none).

    Reducing makes a board a quarter as large; what is small or flat is not worth the time.
    `weight` is roughly the pixels to be drawn; the heavy ones are begun first.
    """

    name: str
    svg: str
    weight: int = 6000
    colours: int = 256

    @property
    def key(self) -> str:
        """A digest of everything that the pixels depend on."""
        text = f"{drawn_by()}\n{self.colours}\n{self.svg}"
        return hashlib.sha256(text.encode()).hexdigest()


@cache
def drawn_by() -> str:
    """The versions of what turns an SVG into a PNG, the shipped fonts included."""
    from importlib.metadata import version

    fonts = hashlib.sha256()
    for path in font_files():
        fonts.update(Path(path).read_bytes())
    return f"resvg {version('resvg')} pillow {version('pillow')} fonts {fonts.hexdigest()}"


MOVED_IMAGE = "moved.png"
MOVED_SIZE = 20
"""Pixels of a mark on a counter, at scale 1."""
_INSIDE = 0.2
"""How much of a mark lies on its counter: no more than the margin that every face leaves empty."""
TRACKED, TRACK_SHARE = ("turn", "air_x1", "air_x10"), 0.54
"""The markers that stand on tracks, and how much smaller than counters they are, beside the number of a box."""
COMBAT_MARKS = ("attack", "support", "guard", "target", "shown", "retreat", "due", "leaves", "rail")
COMBAT_IMAGES = tuple(f"{mark}.png" for mark in COMBAT_MARKS)
"""The marks of counters that fight, in the order of the property `Role` from 1 on."""
ICONS: tuple[str, ...] = (
    "air",
    "air_die",
    "air_down",
    "air_up",
    "airstrike",
    "arrive",
    "bombard",
    "charts",
    "clear",
    "counters",
    "depart",
    "dice_1",
    "dice_2",
    "guns",
    "hide",
    "inventory",
    "los",
    "losses",
    "markers",
    "notes",
    "offboard",
    "overrun",
    "overview",
    "picture",
    "preview",
    "reinforcements",
    "setup",
    "shift",
    "show",
    "sides",
    "text",
    "tracks",
    "turn",
    "undo",
    "unmoved",
    "weather",
    "zoom",
    "zoom_in",
    "zoom_out",
)


def beside(size: int, scale: float) -> int:
    """Pixels from the middle of a counter of `size` pixels to that of a mark at its right or left.

    There a hex is widest, and no neighbour's counter lies: a mark covers neither figures nor names, of a stack each
    shows its own, and hexes are numbered at their tops.
    """
    return size // 2 + round(MOVED_SIZE * scale * (0.5 - _INSIDE))


def icon(name: str) -> str:
    """The image of a toolbar icon. Raises ValueError for one that is not among ICONS."""
    if name not in ICONS:
        raise ValueError(f"{name!r} is none of the toolbar's icons")
    return f"icon-{name}.png"


def icons_of(scenario: Scenario) -> list[str]:
    """The icons that the toolbars of a game need."""
    absent = set() if has_air(scenario) else {"air", "air_down", "air_up"}
    absent |= set() if air_by_die(scenario) else {"air_die"}
    absent |= set() if scenario.tables.bombardment is not None else {"bombard"}
    absent |= set() if may_strike(scenario) else {"airstrike"}
    absent |= set() if scenario.game.rules.combat.artillery.offboard else {"offboard"}
    absent |= set() if any(not fixed(p) for p in scenario.setup.at_start) else {"setup", "undo"}
    absent |= set() if scenario.game.tracks else {"tracks"}
    absent |= set() if scenario.setup.reinforcements and anybody_enters(scenario) else {"arrive"}
    absent |= set() if scenario.setup.withdrawals else {"depart"}
    absent |= {"weather", "overrun"} - icons(scenario)
    absent |= set() if works_out(scenario) else {"preview", "guns"}
    absent |= set() if any(c.range is not None for c in scenario.counters.values()) else {"guns"}
    return [name for name in ICONS if name not in absent]


def may_strike(scenario: Scenario) -> bool:
    """Whether aircraft may attack alone: there are some, and a table for what they do."""
    rules = scenario.game.rules.combat
    return has_air(scenario) and rules.air is not None and scenario.tables.bombardment is not None


def has_air(scenario: Scenario) -> bool:
    """Whether the game counts air points."""
    return any(row.points for row in scenario.tables.air)


def air_by_die(scenario: Scenario) -> bool:
    """Whether a die decides how many air points a turn brings."""
    return has_air(scenario) and any(row.die is not None for row in scenario.tables.air)


def icon_pictures(scenario: Scenario, scale: float) -> Iterator[Picture]:
    """The icons of the toolbars, which do not grow with the board, and the mark of a counter that has moved."""
    for name in icons_of(scenario):
        yield Picture(icon(name), icon_svg(name), ICON_SIZE**2, colours=0)
    size = round(MOVED_SIZE * scale)
    yield Picture(MOVED_IMAGE, icon_svg("moved_mark", size=size), size**2, colours=0)
    for mark, image in zip(COMBAT_MARKS, COMBAT_IMAGES, strict=True):
        yield Picture(image, icon_svg(f"mark_{mark}", size=size), size**2, colours=0)


def markers(scenario: Scenario, words: ModuleWords, first_gpid: int) -> tuple[MarkerPlan, ...]:
    """The markers of a game, with slot numbers from `first_gpid` on."""
    return tuple(
        MarkerPlan(
            id=marker.id,
            name=marker_name(scenario, marker.faces[0], words.language),
            gpid=number,
            faces=marker.faces,
            face_names=tuple(marker_name(scenario, face, words.language) for face in marker.faces),
        )
        for number, marker in enumerate(needed(scenario), first_gpid)
    )


def marker_pictures(
    scenario: Scenario, plans: tuple[MarkerPlan, ...], language: str, scale: float, size: int
) -> Iterator[Picture]:
    """Every face of the markers."""
    for plan in plans:
        own = scale * (TRACK_SHARE if plan.id in TRACKED else 1)
        for face, image in zip(plan.faces, plan.images, strict=True):
            yield Picture(image, marker_svg(scenario, face, language, scale=own), size**2, colours=0)


def charts(scenario: Scenario, language: str) -> tuple[ChartPlan, ...]:
    """All tables of a game in its own languages and the module's."""
    texts = {code: words(scenario, code) for code in dict.fromkeys((*scenario.texts, language))}
    return tuple(
        ChartPlan(id_, text.get(f"charts.{id_}.tab") or text.get(f"charts.{id_}.title", id_), code)
        for code, text in texts.items()
        for id_ in render.charts(scenario)
    )


def chart_pictures(scenario: Scenario, plans: tuple[ChartPlan, ...], scale: float) -> Iterator[Picture]:
    """Every chart. Raises ScenarioError for a text that one lacks."""
    for plan in plans:
        try:
            drawn = chart(scenario, plan.id, plan.language, scale)
        except KeyError as error:
            file = scenario.folder / f"text.{plan.language}.yaml"
            what = message("modulegen.draw.no-text", chart=plan.id)
            raise ScenarioError([Problem(str(file), 0, str(error.args[0]), what)]) from error
        yield Picture(plan.image, drawn.svg, drawn.width * drawn.height, colours=0)


IMAGE = "board.png"


@dataclass(frozen=True)
class BoardTrack:
    """A track printed on the board: its outline, and by number the name of each box and where a marker stands."""

    name: str
    corners: tuple[tuple[int, int], ...]
    boxes: Mapping[int, tuple[str, tuple[int, int]]]


@dataclass(frozen=True)
class BoardPlan:
    """Size in pixels, and where hexes lie: `x0 y0` the centre of the first, `dx` from line to line, `dy` in one."""

    grid: HexGrid
    width: int
    height: int
    x0: int
    y0: int
    dx: float
    dy: float
    tracks: Mapping[str, BoardTrack] = field(default_factory=dict)

    @property
    def stagger(self) -> bool:
        """Whether VASSAL must count the places of every second line one higher.

        Its grid always puts the second, fourth … column half a hex below the first. Where ours is half a hex above,
        the grid begins one row up in those columns, and `stagger` numbers that row like the first column's. So with
        rows, where tops are pointy.
        """
        return self.grid.low == "odd"

    def centre(self, hex_: Hex) -> tuple[int, int]:
        """The pixel to which VASSAL snaps a piece in a hex (`HexGrid.hexX`, `hexY`)."""
        line, place = self.grid.line_place(hex_)
        line, place = line - 1, place - 1
        odd = line % 2 == 1
        if odd and self.stagger:
            place -= 1
        x0, y0 = self.origin
        x, y = int(self.dx * line + x0), int(self.dy * place + y0 + (self.dy / 2 if odd else 0))
        return (y, x) if self.grid.pointy else (x, y)

    @property
    def origin(self) -> tuple[int, int]:
        """`x0 y0` as VASSAL's grid has them: with pointy tops it counts down first, and then across."""
        return (self.y0, self.x0) if self.grid.pointy else (self.x0, self.y0)

    def numbering(self, *, whole: bool = True) -> dict[str, Any]:
        """How VASSAL must name lines and places (`RegularGridNumbering`) for hexes to be called as the map does.

        What descends it counts from the end of the board (`HexGridNumbering.getMaxRows`, `getMaxColumns`), which is
        `whole`, or as long as nothing. What it says of columns is meant of rows where the grid lies sideways.
        """
        names, pointy = self.grid.naming, self.grid.pointy
        order: tuple[What, What] = ("rows", "columns") if pointy else ("columns", "rows")
        counts = (self.grid.lines, self.grid.places)
        ends = self._ends() if whole else (0, 0)
        found: dict[str, Any] = {"first": "H" if names.first == order[0] else "V"}
        for key, what, count, end in zip("hv", order, counts, ends, strict=True):
            down = what in names.descending
            lettered = names.kind(what) == "letters"
            start = names.start(what) - lettered
            found[f"{key}Type"] = "A" if lettered else "N"
            found[f"{key}Leading"] = names.digits - 1
            found[f"{key}Off"] = start + count - 1 - end if down else start
            # Whether lines descend stands, on a grid that lies sideways, with what is said of the other direction.
            found[f"{'hv'[(key == 'v') != pointy]}Descend"] = down
        return found

    def _ends(self) -> tuple[int, int]:
        rows, columns = floor(self.height / self.dx + 0.5), floor(self.width / self.dy + 0.5)
        return (rows, columns) if self.grid.pointy else (columns, rows)


def ground(scenario: Scenario, words: ModuleWords, scale: float) -> BoardPlan:
    """Where the hexes and tracks of the drawn board lie."""
    layout = board_layout(scenario, scale)
    tracks = {
        key: _track(words(f"track.{key}"), boxes, key, words)
        for key, boxes in (("turn", layout.turn_boxes), ("air", layout.air_boxes))
        if boxes
    }
    return BoardPlan(
        grid=scenario.map.grid,
        width=layout.width,
        height=layout.height,
        x0=layout.x0,
        y0=layout.y0,
        dx=layout.dx,
        dy=layout.dy,
        tracks=tracks,
    )


def _track(name: str, boxes: Mapping[int, Rect], key: str, words: ModuleWords) -> BoardTrack:
    left, top = min(b.x for b in boxes.values()), min(b.y for b in boxes.values())
    right, bottom = (max(b.x + b.width for b in boxes.values()), max(b.y + b.height for b in boxes.values()))
    x1, y1, x2, y2 = floor(left), floor(top), ceil(right), ceil(bottom)
    return BoardTrack(
        name,
        ((x1, y1), (x2, y1), (x2, y2), (x1, y2)),
        {n: (words(f"track.{key}_box", n=n), b.beside) for n, b in boxes.items()},
    )


def picture(scenario: Scenario, language: str, scale: float, field: BoardPlan) -> Picture:
    """The drawn board."""
    # A photograph of few colours is no longer one.
    colours = 0 if scenario.map.scan else 256
    return Picture(IMAGE, board_svg(scenario, language, scale), field.width * field.height, colours)


def gazetteer(scenario: Scenario, words: ModuleWords) -> tuple[str, str]:
    """`;0905=A;…` with a code for each hex, and `;A=Hürtgen: town;…` with what the codes stand for."""
    codes: dict[str, str] = {}
    hexes = [
        f";{hex_}={codes.setdefault(told, letters(len(codes)))}"
        for hex_ in scenario.map.grid
        if (told := _described(scenario, words, hex_))
    ]
    return "".join(hexes) + ";", "".join(f";{code}={told}" for told, code in codes.items()) + ";"


def _described(scenario: Scenario, words: ModuleWords, hex_: Hex) -> str:
    """A hex in words, without what expressions and the texts themselves are cut by."""
    ground = [words.terrain(terrain) for terrain in scenario.map.terrain[hex_]]
    ground += [words.fortified] if hex_ in scenario.map.fortified else []
    named = [words.place(place) for place in scenario.map.places if hex_ in place.hexes]
    told = ": ".join(filter(None, (", ".join(filter(None, named)), ", ".join(ground).lower())))
    return told.translate({ord(letter): None for letter in ';="\\{}$'})
