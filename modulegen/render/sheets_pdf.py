"""Pages to PDF. Typst sets the SVG as it is, with type and lines that stay sharp at any size of print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from hexforge.modulegen.render.raster import SANS, RenderError, font_folder
from hexforge.scenarios.words import message

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
