"""Everything a module holds, to look at and to print: pictures, PDFs at print-and-play size, and one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hexforge.modulegen.render import sheets, sheets_pdf, supplies, templates
from hexforge.modulegen.render.board import board_layout, board_svg
from hexforge.modulegen.render.charts import chart, charts
from hexforge.modulegen.render.counters import SIZE, counter_png, faces
from hexforge.modulegen.render.markers import marker_name, marker_png
from hexforge.modulegen.render.raster import pack, rasterise
from hexforge.modulegen.render.texts import words
from hexforge.scenarios.files import staged
from hexforge.scenarios.libraries import require
from hexforge.scenarios.markers import markers

if TYPE_CHECKING:
    from hexforge.scenarios.extended import AnyGame, Extension
    from hexforge.scenarios.model import Counter, Scenario

_SCALE = 2.0
"""Counters are drawn twice as large as the page first shows them, for zooming in."""
_CHART_SCALE = 1.5


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
    millimetres = sheets.COUNTER_MM / SIZE
    layout = board_layout(scenario)
    whole = sheets_pdf.PrintPage(board, layout.width * millimetres, layout.height * millimetres)
    prints: list[_Print] = []
    for name, data in (
        ("counters", sheets_pdf.pdf([_a4(p) for p in sheets.counter_pages(scenario, language)], title)),
        ("charts", sheets_pdf.pdf([_a4(p) for p in sheets.chart_pages(scenario, language)], title)),
        ("board", sheets_pdf.tiled_pdf(whole, title)),
        ("poster", sheets_pdf.pdf([whole], title)),
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
        sections=[(s, text[f"preview.{s}"]) for s in ("map", "counters", "markers", "charts", "print")],
        board=f"board-{language}.png",
        groups=groups,
        any_assumed=any(p.assumed for g in groups for p in g.pieces),
        markers=shown,
        charts=drawn,
        prints=prints,
    )


def _a4(page: sheets.PrintedPage) -> sheets_pdf.PrintPage:
    return sheets_pdf.PrintPage(page.svg, *sheets.PAPER)


def _tracks(extension: Extension, folder: Path, language: str, page: dict[str, object]) -> Iterator[Path]:
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
    millimetres = sheets.COUNTER_MM / SIZE
    whole = sheets_pdf.PrintPage(drawing, sheet.width * millimetres, sheet.height * millimetres)
    prints = []
    for name, told, pages in (
        ("counters", text["preview.print_counters"], [_a4(p) for p in sheets.counter_pages(extension, language)]),
        ("tracks", heading, [whole]),
    ):
        file = f"{extension.name}-{name}-{language}.pdf"
        yield _write(folder / file, sheets_pdf.pdf(pages, title))
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
    )


def preview(scenario: AnyGame, folder: Path, languages: str | Sequence[str]) -> Iterator[Path]:
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


def _drawn(scenario: AnyGame, folder: Path, languages: Sequence[str]) -> Iterator[Path]:
    from hexforge.scenarios.model import Scenario

    if isinstance(scenario, Scenario):
        yield from _counters(scenario, folder)
    pages: list[dict[str, object]] = []
    for language in languages:
        page: dict[str, object] = {}
        if isinstance(scenario, Scenario):
            yield from _language(scenario, folder, language, page)
        else:
            yield from _tracks(scenario, folder, language, page)
        pages.append(page)
    html = templates.render("preview/index.html.j2", pages=pages)
    yield _write(folder / "index.html", html.encode())
