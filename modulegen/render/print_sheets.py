"""Print-and-play: counters front and back and charts on A4 pages, as SVG with lengths in millimetres.

Backs are mirrored, so that a page printed on both sides along its long edge brings each back behind its front.

Pages to PDF. Typst sets the SVG as it is, with type and lines that stay sharp at any size of print.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from ...scenarios.model import Scenario, markers
from ...scenarios.text.words import message
from . import templates
from .charts import Chart, chart, charts
from .counters import counter_svg, faces
from .markers import face_svg, marker_svg
from .raster import SANS, SERIF, RenderError, font_folder
from .templates import words

if TYPE_CHECKING:
    from ...scenarios.model import Scenario, Text


PAPER = (210.0, 297.0)
"""A4, upright, in millimetres."""
COUNTER_MM = 16
"""Edge of a printed counter: 5/8 of an inch, near enough."""
COLUMNS, ROWS = 11, 15
_LEFT = (PAPER[0] - COLUMNS * COUNTER_MM) / 2
_TOP = 26.0
_CHART_MARGIN, _CHART_GAP = 10.0, 5.0
CHART_MM = 0.19
"""Millimetres a pixel of a chart: its text comes out at nine points."""
_COPIES = 4


@dataclass(frozen=True)
class PrintedPage:
    """A page as SVG. `kind` is `front`, `back` or `charts`."""

    svg: str
    kind: str
    number: int


@dataclass(frozen=True)
class _Place:
    x: float
    y: float
    face: str


@dataclass(frozen=True)
class _ChartPlace:
    x: float
    y: float
    width: float
    height: float
    chart: Chart


def _inner(svg: str) -> str:
    from markupsafe import Markup

    return Markup(re.sub(r"^.*?<svg[^>]*>|</svg>\s*$", "", svg, flags=re.DOTALL))


def pieces(scenario: Scenario, language: str) -> list[tuple[str, str]]:
    """Front and back of everything that is cut out, as inner SVG on a field of 100 x 100; a back may be empty.

    Counters stand by side in the order of the file, then the markers, those of which several are needed repeated.
    """
    found = _counters(scenario, language) if scenario.has_map else []
    return [*found, *_named_markers(scenario, language)]


def _named_markers(scenario: Scenario, language: str) -> Iterator[tuple[str, str]]:
    """The markers that a game names; of those that nobody counted, some."""
    game, text = scenario.game, words(scenario, language)
    for id_, marker in game.markers.items():
        for copy in game.copies(id_):
            number = copy.removeprefix(id_).removeprefix("-")
            drawn = [_inner(face_svg(scenario, marker, face, text, number=number)) for face in marker.faces]
            pair = (drawn[0], drawn[1] if len(drawn) > 1 else "")
            yield from [pair] * (1 if number else game.count(id_) or _COPIES)


def _counters(scenario: Scenario, language: str) -> list[tuple[str, str]]:
    """Counters and markers of a whole game."""
    found: list[tuple[str, str]] = []
    for side in scenario.game.sides:
        for counter in scenario.counters.values():
            if counter.side == side.id:
                drawn = [_inner(counter_svg(counter, scenario, face)) for face in faces(counter)]
                found.append((drawn[0], drawn[1] if len(drawn) > 1 else ""))
    objectives = sum(len(o.place) for o in scenario.victory.objectives)
    for marker in markers(scenario):
        drawn = [_inner(marker_svg(scenario, face, language)) for face in marker.faces]
        single = marker.id in ("turn", "weather") or marker.id.startswith("air_")
        copies = 1 if single else objectives if marker.id == "control" else _COPIES
        found += [(drawn[0], drawn[1] if len(drawn) > 1 else "")] * copies
    return found


def _cut_marks(rows: int) -> tuple[str, str]:
    """Marks at the rim of the block of counters, and small crosses inside it."""
    right, bottom = _LEFT + COLUMNS * COUNTER_MM, _TOP + rows * COUNTER_MM
    n = templates.number
    rim: list[str] = []
    crosses: list[str] = []
    for c in range(COLUMNS + 1):
        x = n(_LEFT + c * COUNTER_MM)
        rim.append(f"M{x} {n(_TOP - 6)}V{n(_TOP - 1.5)}M{x} {n(bottom + 1.5)}V{n(bottom + 6)}")
        crosses += [
            f"M{n(_LEFT + c * COUNTER_MM - 0.9)} {n(_TOP + r * COUNTER_MM)}h1.8m-.9 -.9v1.8"
            for r in range(rows + 1)
        ]
    for r in range(rows + 1):
        y = n(_TOP + r * COUNTER_MM)
        rim.append(f"M{n(_LEFT - 6)} {y}H{n(_LEFT - 1.5)}M{n(right + 1.5)} {y}H{n(right + 6)}")
    return "".join(rim), "".join(crosses)


def counter_pages(scenario: Scenario, language: str) -> list[PrintedPage]:
    """Counters and markers, front and back by turns. Raises KeyError for a language or text that is missing."""
    text = words(scenario, language)
    cut_out = pieces(scenario, language)
    a_page = COLUMNS * ROWS
    sheets = [cut_out[i : i + a_page] for i in range(0, len(cut_out), a_page)]
    pages: list[PrintedPage] = []
    for number, sheet in enumerate(sheets, 1):
        rows = -(-len(sheet) // COLUMNS)
        marks, crosses = _cut_marks(rows)
        for kind in ("front", "back"):
            places = []
            for i, sides in enumerate(sheet):
                row, column = divmod(i, COLUMNS)
                if kind == "back":
                    column = COLUMNS - 1 - column
                face = sides[kind == "back"]
                if face:
                    places.append(_Place(_LEFT + column * COUNTER_MM, _TOP + row * COUNTER_MM, face))
            svg = templates.render(
                "sheets/counters.svg.j2",
                paper=PAPER,
                left=_LEFT,
                right=PAPER[0] - _LEFT,
                title=_title(scenario, text),
                heading=f"{text['sheets.counters']} {number} · {text['sheets.' + kind]}",
                marks=marks,
                crosses=crosses,
                places=places,
                size=COUNTER_MM,
                footer=text["sheets.cut"].format(mm=COUNTER_MM),
                number=text["sheets.page"].format(n=len(pages) + 1, total=2 * len(sheets)),
                sans=SANS,
                serif=SERIF,
            )
            pages.append(PrintedPage(svg, kind, len(pages) + 1))
    return pages


def _title(scenario: Scenario, text: Text) -> str:
    return text.get("title.name") or scenario.game.module.name


@dataclass
class _Shelf:
    """Charts side by side; the first one is the highest."""

    y: float
    height: float
    used: float
    places: list[_ChartPlace]


def _shelves(drawn: Sequence[Chart]) -> list[list[_ChartPlace]]:
    """Charts on as few pages as first fit finds, the highest first; within a page one under or beside another."""
    room = (PAPER[0] - 2 * _CHART_MARGIN, PAPER[1] - 2 * _CHART_MARGIN)
    pages: list[list[_Shelf]] = []
    for c in sorted(drawn, key=lambda c: -c.height):
        mm = min(CHART_MM, room[0] / c.width, room[1] / c.height)
        width, height = c.width * mm, c.height * mm
        shelf = next((s for page in pages for s in page if s.used + _CHART_GAP + width <= room[0]), None)
        if shelf is None:
            fits = (p for p in pages if p[-1].y + p[-1].height + _CHART_GAP + height <= room[1])
            page = next(fits, None)
            if page is None:
                page = []
                pages.append(page)
            top = page[-1].y + page[-1].height + _CHART_GAP if page else 0.0
            shelf = _Shelf(top, height, -_CHART_GAP, [])
            page.append(shelf)
        x = _CHART_MARGIN + shelf.used + _CHART_GAP
        shelf.places.append(_ChartPlace(x, _CHART_MARGIN + shelf.y, width, height, c))
        shelf.used += _CHART_GAP + width
    return [[place for shelf in page for place in shelf.places] for page in pages]


def chart_pages(scenario: Scenario, language: str) -> list[PrintedPage]:
    """All charts of the game. Raises KeyError for a language or text that is missing."""
    text = words(scenario, language)
    pages = _shelves([chart(scenario, c, language) for c in charts(scenario)])
    return [
        PrintedPage(
            templates.render(
                "sheets/charts.svg.j2",
                paper=PAPER,
                places=places,
                title=_title(scenario, text),
                number=text["sheets.page"].format(n=number, total=len(pages)),
                sans=SANS,
            ),
            "charts",
            number,
        )
        for number, places in enumerate(pages, 1)
    ]


A4 = (210.0, 297.0)
_RIM, _FOOT = 7.0, 13.0
"""Millimetres of a tile's page left free at three sides and at its foot."""
_OVERLAP = 6.0


_PLAIN = SANS.removesuffix(" Condensed")


@dataclass(frozen=True)
class PrintPage:
    """A drawing and its size on paper in millimetres."""

    svg: str
    width: float
    height: float


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "").replace('"', "'") + '"'


def _for_print(svg: str) -> str:
    # Typst files the condensed faces under their family's plain name, as a stretch of it.
    stretched = svg.replace(f'"{SANS}"', f'"{SANS}, {_PLAIN}"')
    return stretched.replace("<svg ", '<svg font-stretch="condensed" ', 1)


def _compile(source: str, drawings: Sequence[str], title: str) -> bytes:
    import tempfile

    import typst

    with tempfile.TemporaryDirectory(prefix="hexforge-") as folder:
        root = Path(folder)
        for i, svg in enumerate(drawings):
            (root / f"{i}.svg").write_text(_for_print(svg), "utf-8")
        main = root / "main.typ"
        main.write_text(f"#set document(title: {_quoted(title)}, date: none)\n{source}", "utf-8")
        try:
            pdf = typst.compile(main, root=root, font_paths=[font_folder()], ignore_system_fonts=True)
        except RuntimeError as error:
            raise RenderError.about("PDF", message("drawing.not-made", why=str(error))) from error
    if not isinstance(pdf, bytes):
        raise RenderError.about("PDF", message("drawing.not-one-file"))
    return pdf


def pdf(sheets: Sequence[PrintPage], title: str) -> bytes:
    """A PDF with a page for each sheet, each of the sheet's own size; the same sheets give the same bytes."""
    pages = [
        f"#page(width: {s.width}mm, height: {s.height}mm, margin: 0mm)"
        f'[#image("{i}.svg", width: 100%, height: 100%)]'
        for i, s in enumerate(sheets)
    ]
    return _compile("\n".join(pages), [s.svg for s in sheets], title)


@dataclass(frozen=True)
class _Tiles:
    """A way to cut a drawing: the page, the room on it, pages across and down, and how far each moves on."""

    page: tuple[float, float]
    room: tuple[float, float]
    count: tuple[int, int]
    step: tuple[float, float]

    @classmethod
    def of(cls, sheet: PrintPage, page: tuple[float, float]) -> _Tiles:
        room = (page[0] - 2 * _RIM, page[1] - _RIM - _FOOT)
        sizes = [size - _OVERLAP for size in (sheet.width, sheet.height)]
        count = [max(1, ceil(size / (r - _OVERLAP))) for size, r in zip(sizes, room, strict=True)]
        # Pages of equal shares, so that none holds a mere strip.
        step = [size / n if n > 1 else 0.0 for size, n in zip(sizes, count, strict=True)]
        return cls(page, room, (count[0], count[1]), (step[0], step[1]))


def tiled_pdf(sheet: PrintPage, title: str) -> bytes:
    """One large drawing cut into A4 pages, upright or lying, whichever are fewer; they overlap by 6 mm."""
    tiles = min((_Tiles.of(sheet, A4), _Tiles.of(sheet, (A4[1], A4[0]))), key=lambda t: t.count[0] * t.count[1])
    (width, height), (across, down) = tiles.page, tiles.step
    pages = []
    for row in range(tiles.count[1]):
        for column in range(tiles.count[0]):
            wide = min(tiles.room[0], sheet.width, across + _OVERLAP if across else sheet.width)
            high = min(tiles.room[1], sheet.height, down + _OVERLAP if down else sheet.height)
            label = _quoted(f"{title}  {chr(65 + row % 26)}{column + 1}")
            pages.append(
                f"#page(width: {width}mm, height: {height}mm, margin: 0mm)["
                f"#place(dx: {_RIM}mm, dy: {_RIM}mm, box(width: {wide:.2f}mm, height: {high:.2f}mm, clip: true, "
                f"place(dx: {-column * across:.2f}mm, dy: {-row * down:.2f}mm, board)))"
                f"#place(dx: {_RIM}mm, dy: {height - 8}mm, "
                f'text(font: "{_PLAIN}", stretch: 75%, size: 8pt, {label}))]'
            )
    board = f'#let board = image("0.svg", width: {sheet.width:.2f}mm, height: {sheet.height:.2f}mm)\n'
    return _compile(board + "\n".join(pages), [sheet.svg], title)
