"""Everything a module holds, to look at and to print: pictures, PDFs at print-and-play size, and one HTML page.

The title picture: the game's name on its own map in small, with a counter of each side.

VASSAL shows it as "About" and, paled, beside the pages that ask for side and set-up as a game begins.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from ...scenarios.console import require
from ...scenarios.model import Scenario, markers
from ...scenarios.schema.map import Looks
from ...scenarios.schema.tables import HexsideEffect
from ...scenarios.text.files import staged
from ..vassal.archive import Archive
from ..vassal.encoding import FormatError
from ..vassal.grids import HexGrid, RegionGrid, SquareGrid, ZonedGrid
from ..vassal.module import Board, read_module
from . import markers as supplies
from . import print_sheets, templates
from .board import board_svg
from .board_layout import PANEL, board_layout, board_palette, style_of, water_style, wet_kinds
from .board_panel import swatch, title_plate
from .charts import chart, charts
from .counters import SIZE, counter_png, counter_sample, counter_svg, faces, picture, pictures, symbol, symbols
from .markers import marker_name, marker_png
from .owner_pictures import marker_faces
from .raster import pack, rasterise
from .templates import words

if TYPE_CHECKING:
    from ...scenarios.model import GameMap, Scenario, Text
    from ...scenarios.schema.setup import CounterRow as Counter
    from ...scenarios.text.hexgrid import HexGrid as Hexes
    from ...scenarios.text.hexgrid import Point
    from ..vassal.grids import Grid


_SCALE = 2.0
"""Counters are drawn twice as large as the page first shows them, for zooming in."""
_CHART_SCALE = 1.5
_ON_BOARD = ("terrain", "hexsides", "ways")


@dataclass(frozen=True)
class _Piece:
    title: str
    label: str
    images: tuple[str, ...]
    assumed: bool = False


@dataclass(frozen=True)
class _Group:
    title: str
    pieces: list[_Piece]


@dataclass(frozen=True)
class _Chart:
    title: str
    image: str
    width: int
    height: int


@dataclass(frozen=True)
class _Print:
    title: str
    file: str


def _write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _counters(scenario: Scenario, folder: Path) -> Iterator[Path]:
    for counter in scenario.counters.values():
        for face in faces(counter):
            yield _write(folder / _image(counter, face), counter_png(counter, scenario, face, _SCALE))


def _image(counter: Counter, face: str) -> str:
    return f"counters/{counter.id}{'' if face == 'full' else '-' + face}.png"


def _groups(scenario: Scenario, language: str) -> list[_Group]:
    text = words(scenario, language)
    found = []
    for side in scenario.game.sides:
        pieces = [
            _Piece(
                f"{c.name(language)} · {c.id}",
                c.id.partition("-")[2],
                tuple(_image(c, f) for f in faces(c)),
                c.source_strength != "printed",
            )
            for c in scenario.counters.values()
            if c.side == side.id
        ]
        title = text.get(f"units_of.{side.id}") or text.get(f"sides.{side.id}.name") or text.get(f"sides.{side.id}")
        found.append(_Group(title or side.id.capitalize(), pieces))
    return found


def _language(scenario: Scenario, folder: Path, language: str, page: dict[str, object]) -> Iterator[Path]:
    """Write what is drawn in one language, and gather in `page` what the HTML page says of it."""
    text = words(scenario, language)
    title = text.get("title.name") or scenario.game.module.name
    board = board_svg(scenario, language)
    yield _write(folder / f"board-{language}.png", pack(rasterise(board)))
    shown: list[_Piece] = []
    for marker in markers(scenario):
        images = tuple(f"markers/{face}-{language}.png" for face in marker.faces)
        for face, image in zip(marker.faces, images, strict=True):
            yield _write(folder / image, marker_png(scenario, face, language, _SCALE))
        name = " / ".join(dict.fromkeys(marker_name(scenario, face, language) for face in marker.faces))
        shown.append(_Piece(name, name, images))
    drawn: list[_Chart] = []
    for id_ in charts(scenario):
        c = chart(scenario, id_, language)
        image = f"charts/{id_}-{language}.png"
        large = chart(scenario, id_, language, _CHART_SCALE)
        yield _write(folder / image, pack(rasterise(large.svg), colours=128))
        drawn.append(_Chart(c.title, image, c.width, c.height))
    millimetres = print_sheets.COUNTER_MM / SIZE
    layout = board_layout(scenario)
    whole = print_sheets.PrintPage(board, layout.width * millimetres, layout.height * millimetres)
    prints: list[_Print] = []
    for name, data in (
        ("counters", print_sheets.pdf([_a4(p) for p in print_sheets.counter_pages(scenario, language)], title)),
        ("charts", print_sheets.pdf([_a4(p) for p in print_sheets.chart_pages(scenario, language)], title)),
        ("board", print_sheets.tiled_pdf(whole, title)),
        ("poster", print_sheets.pdf([whole], title)),
    ):
        file = f"{scenario.name}-{name}-{language}.pdf"
        yield _write(folder / file, data)
        prints.append(_Print(text[f"preview.print_{name}"], file))
    groups = _groups(scenario, language)
    page.update(
        language=language,
        title=title,
        subtitle=" · ".join(filter(None, (text.get("title.subtitle"), text.get("title.period")))),
        words=text.section("preview"),
        sections=[(s, text[f"preview.{s}"]) for s in ("map", "counters", "markers", "charts", "print", "looks")],
        board=f"board-{language}.png",
        groups=groups,
        any_assumed=any(p.assumed for g in groups for p in g.pieces),
        markers=shown,
        charts=drawn,
        prints=prints,
        looks=_styles(scenario, text),
    )


def _a4(page: print_sheets.PrintedPage) -> print_sheets.PrintPage:
    return print_sheets.PrintPage(page.svg, *print_sheets.PAPER)


@templates.in_own_looks
def _samples(scenario: Scenario) -> dict[str, dict[str, str]]:
    """What there is to draw with: by kind, and by the name that files give it, a picture of each."""
    look, counter_palettes = board_palette(), templates.palette("counters")
    # The board draws kinds of hexside that the tables have, and ground beside that which they have first.
    looks = Looks(terrain={next(iter(scenario.tables.terrain)): "open"})
    tables = replace(scenario.tables, hexsides={name: HexsideEffect() for name in look["hexsides"]})
    ground = replace(scenario, map=replace(scenario.map, looks=looks), tables=tables)
    drawings = {
        "symbol": {name: symbol(name) for name in symbols()},
        "counter": {name: counter_sample(name) for name, entry in counter_palettes.items() if "reduced" in entry},
        "picture": {name: picture(name) for name in pictures() if name not in marker_faces()},
    }
    for kind, table in zip(_ON_BOARD, ("terrains", "hexsides", "ways"), strict=True):
        drawings[kind] = {name: "".join(swatch(ground, kind, name)) for name in look[table] if name != "other"}
    return {kind: {name: _framed(kind, each) for name, each in found.items()} for kind, found in drawings.items()}


def _framed(kind: str, drawing: str) -> str:
    """A drawing as a square picture: symbols and pictures are 60 wide, swatches of the board a little more."""
    left, top, side = (0, -18, 66) if kind in _ON_BOARD else (-4, -10, 68)
    box = f'viewBox="{left} {top} {side} {side}" width="{2 * SIZE}" height="{2 * SIZE}"'
    paper = (
        "" if kind in _ON_BOARD else f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="#f6efdc"/>'
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} color="#221d15">{paper}{drawing}</svg>'


def _looks(scenario: Scenario, folder: Path) -> Iterator[Path]:
    for kind, found in _samples(scenario).items():
        yield from (_write(folder / f"looks/{kind}-{name}.svg", each.encode()) for name, each in found.items())


def _styles(scenario: Scenario, text: Text) -> list[_Group]:
    """What there is to draw with, as the page shows it."""
    return [
        _Group(text[f"preview.looks_{kind}"], [_Piece(n, n, (f"looks/{kind}-{n}.svg",)) for n in found])
        for kind, found in _samples(scenario).items()
    ]


def _tracks(extension: Scenario, folder: Path, language: str, page: dict[str, object]) -> Iterator[Path]:
    """Write what is drawn of an extension in one language, and gather in `page` what the HTML page says of it."""
    text = words(extension, language)
    title = text.get("title.name") or extension.game.module.name
    heading = text["module.tracks.heading"]
    sheet = supplies.sheet_of(extension, text, SIZE + 12, name=title, image="")
    drawing = supplies.sheet_svg(extension, sheet)
    yield _write(folder / f"tracks-{language}.png", pack(rasterise(drawing)))
    shown: list[_Piece] = []
    for marker in extension.game.markers.values():
        images = tuple(f"markers/{face.id}-{language}.png" for face in marker.faces)
        for face, image in zip(marker.faces, images, strict=True):
            yield _write(folder / image, rasterise(supplies.face_svg(extension, marker, face, text, scale=_SCALE)))
        name = " / ".join(dict.fromkeys(supplies.face_name(text, face.id) for face in marker.faces))
        shown.append(_Piece(name, name, images))
    millimetres = print_sheets.COUNTER_MM / SIZE
    whole = print_sheets.PrintPage(drawing, sheet.width * millimetres, sheet.height * millimetres)
    prints = []
    for name, told, pages in (
        (
            "counters",
            text["preview.print_counters"],
            [_a4(p) for p in print_sheets.counter_pages(extension, language)],
        ),
        ("tracks", heading, [whole]),
    ):
        file = f"{extension.name}-{name}-{language}.pdf"
        yield _write(folder / file, print_sheets.pdf(pages, title))
        prints.append(_Print(told, file))
    page.update(
        language=language,
        title=title,
        subtitle=sheet.subtitle,
        words={**text.section("preview"), "map": heading},
        sections=[("map", heading), *((s, text[f"preview.{s}"]) for s in ("markers", "print"))],
        board=f"tracks-{language}.png",
        groups=[],
        any_assumed=False,
        markers=shown,
        charts=[],
        prints=prints,
        looks=[],
    )


def preview(scenario: Scenario, folder: Path, languages: str | Sequence[str]) -> Iterator[Path]:
    """Write the preview of a game into `folder`, all of it or nothing, and yield its files, the HTML page last.

    The page opens with the first of the languages and can change to the others. Raises KeyError for a language or a
    text that the game has not, MissingLibrary, RenderError for what cannot be drawn, OSError where the folder
    cannot be written.
    """
    require("print")
    wanted = [languages] if isinstance(languages, str) else list(languages)
    with staged(folder) as stage:
        written = [path.relative_to(stage) for path in _drawn(scenario, stage, wanted)]
    yield from (folder / path for path in written)


def _drawn(scenario: Scenario, folder: Path, languages: Sequence[str]) -> Iterator[Path]:
    if scenario.has_map:
        yield from _counters(scenario, folder)
        yield from _looks(scenario, folder)
    pages: list[dict[str, object]] = []
    for language in languages:
        page: dict[str, object] = {}
        if scenario.has_map:
            yield from _language(scenario, folder, language, page)
        else:
            yield from _tracks(scenario, folder, language, page)
        pages.append(page)
    html = templates.render("preview/index.html.j2", pages=pages)
    yield _write(folder / "index.html", html.encode())


WIDTH, HEIGHT = 500, 500
"""Units that the picture is laid out in."""
SHOWN = 0.6
"""Pixels for each: VASSAL's wizard stands beside it in a window that is 400 wider and as high, and the picture is
the largest thing that a module holds in memory before its board is seen, twice, for the wizard has it paled."""
COUNTER = 1.5
"""How much larger than on the board its counters are."""
_Lines = Iterable[tuple["Point", "Point"]]


@dataclass(frozen=True)
class _Shape:
    """A path in units of the map, its fill (`none` for a line), and the line around or along it."""

    d: str
    fill: str
    stroke: str = "none"
    width: float = 0
    opacity: float = 1


def size() -> tuple[int, int]:
    """Width and height of the picture in pixels."""
    return round(WIDTH * SHOWN), round(HEIGHT * SHOWN)


@templates.in_own_looks
def title_svg(scenario: Scenario, language: str) -> str:
    """The picture as SVG, `size()` pixels. Raises RenderError."""
    from markupsafe import Markup

    game_map = scenario.map
    wide, high = game_map.grid.size
    scale = max(WIDTH / wide, HEIGHT / high)
    return templates.render(
        "boxes/title.svg.j2",
        width=WIDTH,
        height=HEIGHT,
        size=size(),
        look=board_palette(),
        scale=scale,
        left=(WIDTH - wide * scale) / 2,
        top=(HEIGHT - high * scale) / 2,
        shapes=[*_covers(game_map), *_grid(game_map.grid), *_water(scenario), *_ways(game_map)],
        plate=Markup("".join(title_plate(words(scenario, language)))),
        plate_left=(WIDTH - PANEL) / 2,
        plate_top=34,
        counters=[Markup(_counter(scenario, c)) for c in _chosen(scenario)],
        counter=round(72 * COUNTER),
    )


def _chosen(scenario: Scenario) -> list[Counter]:
    """The strongest of each side that is not a gun, for two sides at most."""
    found = []
    for spec in scenario.game.sides[:2]:
        own = [c for c in scenario.counters.values() if c.side == spec.id]
        own.sort(key=lambda c: (c.range is not None, -(c.attack + c.defence)))
        found += own[:1]
    return found


def _counter(scenario: Scenario, counter: Counter) -> str:
    return counter_svg(counter, scenario, scale=COUNTER)


def _xy(point: Point) -> str:
    return f"{point[0]:.2f} {point[1]:.2f}"


def _hexes(grid: Hexes, hexes: Iterable[str]) -> str:
    return "".join("M" + "L".join(_xy(p) for p in grid.corners(h)) + "Z" for h in hexes)


def _covers(game_map: GameMap) -> Iterator[_Shape]:
    """The ground, hex by hex, in the board's colours."""
    look, hexes, dark = board_palette(), dict[str, list[str]](), []
    for hex_, terrains in game_map.terrain.items():
        for terrain in terrains:
            style = style_of(game_map, "terrain", terrain)
            for cover in style.get("covers", ()):
                hexes.setdefault(cover, []).append(hex_)
            if style.get("shade"):
                dark.append(hex_)
    yield _Shape(_hexes(game_map.grid, game_map.grid), look["paper"])
    for cover, style in look["covers"].items():
        if cover in hexes:
            d = _hexes(game_map.grid, hexes[cover])
            yield _Shape(d, style["fill"], style["fill"], 0.05)
    if dark:
        yield _Shape(_hexes(game_map.grid, dark), look["trees"]["fir"]["dark"], opacity=0.28)


def _grid(grid: Hexes) -> Iterator[_Shape]:
    line = board_palette()["grid"]
    # Four corners are enough: the neighbours draw the other sides.
    d = "".join("M" + "L".join(_xy(p) for p in (*grid.corners(h)[3:], grid.corners(h)[0])) for h in grid)
    yield _Shape(d, "none", line["colour"], 0.025, 0.35)


def _water(scenario: Scenario) -> Iterator[_Shape]:
    game_map = scenario.map
    wet = wet_kinds(scenario)
    lines: dict[str, list[tuple[Point, Point]]] = {}
    for (a, b), kinds in game_map.hexsides.items():
        for kind in kinds & wet:
            lines.setdefault(kind, []).append(game_map.grid.side_ends(a, b))
    for kind in sorted(lines):
        style = water_style(game_map, kind)
        yield _Shape(_smooth(lines[kind]), "none", style["casing"], style["width"] / 100 + 0.07)
        yield _Shape(_smooth(lines[kind]), "none", style["fill"], style["width"] / 100)


def _ways(game_map: GameMap) -> Iterator[_Shape]:
    lines: dict[str, list[tuple[Point, Point]]] = {}
    for (a, b), kinds in game_map.links.items():
        for kind in kinds:
            lines.setdefault(kind, []).append((game_map.grid.center(a), game_map.grid.center(b)))
    table: Mapping[str, object] = board_palette()["ways"]
    drawn = [
        (list(table).index(game_map.look("ways", k)) if game_map.look("ways", k) in table else 0, k) for k in lines
    ]
    for _, kind in sorted(drawn):
        style = style_of(game_map, "ways", kind)
        if style["style"] == "cased":
            yield _Shape(_smooth(lines[kind]), "none", style["casing"], style["casing_width"] / 70)
            yield _Shape(_smooth(lines[kind]), "none", style["fill"], style["width"] / 70)
        elif style["style"] == "rail":
            yield _Shape(_smooth(lines[kind]), "none", style["fill"], style["width"] / 60)


def _smooth(lines: _Lines) -> str:
    """Lines that meet end to end as one that bends: from middle to middle, by way of the point where two meet."""
    meeting: dict[str, list[Point]] = {}
    at: dict[str, Point] = {}
    for a, b in lines:
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for end in (a, b):
            meeting.setdefault(_xy(end), []).append(middle)
            at[_xy(end)] = end
    parts = []
    for key, middles in meeting.items():
        if len(middles) == 2:
            parts.append(f"M{_xy(middles[0])}Q{key} {_xy(middles[1])}")
        else:
            parts += [f"M{_xy(middle)}L{key}" for middle in middles]
    return "".join(parts)


_MOST_SIDE: Final = 4000
_MOST_CELLS: Final = 60_000
_MOST_BOARD: Final = 80_000_000
_LINE, _NAME, _HALO = (200, 0, 120, 255), (120, 0, 80, 255), (255, 255, 255, 255)


class LaidGrid(NamedTuple):
    """A board with its grid upon it: the file, how many cells have a name or are drawn, and one of the names."""

    map: str
    board: str
    path: Path
    cells: int
    sample: str


def lay_grids(module: Path, folder: Path) -> Iterator[LaidGrid]:
    """Draw each board of any module with the grid that VASSAL counts by, and the names of its places.

    A board that is too large to be unpacked, or whose picture is not there, is drawn as a plain area.
    """
    used: Tally[str] = Tally()
    with Archive(module) as archive:
        for map_ in read_module(module).maps:
            for board in map_.boards:
                if board.grid is None or board.size is None or 0 in board.size:
                    continue
                canvas, scale = _canvas(archive, board)
                cells, sample = _lay(ImageDraw.Draw(canvas, "RGBA"), board.grid, board.size, scale)
                name = re.sub(r"[^\w.-]+", "-", f"{map_.name or map_.id}-{board.name}").strip("-.")[:80] or "board"
                # Names that differ in signs alone.
                used[name.lower()] += 1
                again = used[name.lower()]
                target = folder / (f"{name}.png" if again == 1 else f"{name}-{again}.png")
                data = io.BytesIO()
                canvas.convert("RGB").save(data, "PNG")
                yield LaidGrid(map_.name, board.name, _write(target, data.getvalue()), cells, sample)


def _canvas(archive: Archive, board: Board) -> tuple[Image.Image, float]:
    width, height = board.size or (1, 1)
    scale = min(1.0, _MOST_SIDE / max(width, height))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    entry = f"images/{board.image}"
    if board.image and entry in archive and width * height <= _MOST_BOARD:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Image.DecompressionBombWarning)
                with Image.open(io.BytesIO(archive.read(entry))) as picture:
                    picture.draft("RGB", size)
                    return picture.convert("RGB").resize(size), scale
        except (OSError, ValueError, SyntaxError, FormatError, Image.DecompressionBombError):
            pass
    return Image.new("RGB", size, _HALO[:3]), scale


def _lay(draw: ImageDraw.ImageDraw, grid: Grid, size: tuple[int, int], scale: float) -> tuple[int, str]:
    zones = grid.zones if isinstance(grid, ZonedGrid) else ()
    grids = [g for g in (grid.background if isinstance(grid, ZonedGrid) else grid, *(z.grid for z in zones)) if g]
    cells, sample = 0, ""
    for one in grids:
        for centre, corners in islice(_cells(one, size), _MOST_CELLS - cells):
            if isinstance(grid, ZonedGrid) and not _rules(grid, one, centre):
                continue
            if corners:
                draw.polygon([(x * scale, y * scale) for x, y in corners], outline=_LINE)
            else:
                at = centre[0] * scale, centre[1] * scale
                draw.ellipse((at[0] - 3, at[1] - 3, at[0] + 3, at[1] + 3), fill=_LINE)
            name = grid.location_name((round(centre[0]), round(centre[1])), size) or ""
            cells, sample = cells + 1, sample or name
            if name:
                tall = max(8.0, min(24.0, _height(corners) * scale / 5))
                font = ImageFont.load_default(tall)
                at = centre[0] * scale, centre[1] * scale
                draw.text(at, name[:40], _NAME, font, "mm", stroke_width=1, stroke_fill=_HALO)
    for zone in zones:
        if len(zone.polygon) > 1:
            edge = [(x * scale, y * scale) for x, y in (*zone.polygon, zone.polygon[0])]
            draw.line(edge, _LINE, 3)
            draw.text(
                edge[0], zone.name[:40], _LINE, ImageFont.load_default(16.0), stroke_width=1, stroke_fill=_HALO
            )
    return cells, sample


def _rules(zoned: ZonedGrid, grid: Grid, centre: tuple[float, float]) -> bool:
    """Whether a grid is the one that counts at a point: that of the zone there, or that of the board."""
    zone = zoned.zone_at((round(centre[0]), round(centre[1])))
    here = zoned.background if zone is None or zone.use_parent_grid else zone.grid
    return here is grid


def _height(corners: Sequence[tuple[float, float]]) -> float:
    return max((y for _, y in corners), default=80.0) - min((y for _, y in corners), default=0.0)


def _cells(grid: Grid, size: tuple[int, int]) -> Iterator[tuple[tuple[float, float], list[tuple[float, float]]]]:
    """The middle and the corners of each cell on a board; of regions their points alone."""
    if isinstance(grid, RegionGrid):
        yield from (((float(x), float(y)), []) for _, (x, y) in grid.regions)
        return
    if not isinstance(grid, HexGrid | SquareGrid):
        return
    sideways = isinstance(grid, HexGrid) and grid.sideways
    width, height = size[::-1] if sideways else size
    for column in range(math.floor(-grid.x0 / grid.dx), math.ceil((width - grid.x0) / grid.dx) + 1):
        half = grid.dy / 2 if isinstance(grid, HexGrid) and column % 2 else 0.0
        for row in range(math.floor((-grid.y0 - half) / grid.dy), math.ceil((height - grid.y0) / grid.dy) + 1):
            x, y = grid.x0 + column * grid.dx, grid.y0 + row * grid.dy + half
            if 0 <= x < width and 0 <= y < height:
                dx, dy = grid.dx / 3, grid.dy / 2
                shape = [(-2 * dx, 0), (-dx, -dy), (dx, -dy), (2 * dx, 0), (dx, dy), (-dx, dy)]
                if isinstance(grid, SquareGrid):
                    dx = grid.dx / 2
                    shape = [(-dx, -dy), (dx, -dy), (dx, dy), (-dx, dy)]
                corners = [(x + a, y + b) for a, b in shape]
                yield ((y, x), [(b, a) for a, b in corners]) if sideways else ((x, y), corners)
