"""Tables of charts: cells with text or a drawing, columns as wide as what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexforge.modulegen.render.charts_layout import (
    BODY,
    CAP,
    LEADING,
    Anchor,
    Canvas,
    FilledRect,
    Inset,
    TextLine,
    colours,
    wrap,
)
from hexforge.modulegen.render.raster import text_width

if TYPE_CHECKING:
    from markupsafe import Markup

PAD = 8.0
"""Room at the sides of a cell."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table: lines of text, or a drawing, or both side by side.

    `span` columns wide. `fill` replaces that of its role. `wide` wraps the text to the column's width.
    """

    text: str = ""
    role: str = "plain"
    anchor: Anchor = "middle"
    span: int = 1
    fill: str = ""
    size: float = BODY
    drawing: Markup | None = None
    drawing_size: tuple[float, float] = (0, 0)
    drawing_scale: float = 1
    wide: bool = False

    @property
    def weight(self) -> int:
        """Weight of its type."""
        return int(colours()["roles"][self.role]["weight"])

    def lines(self, width: float) -> tuple[str, ...]:
        """Its text in lines."""
        given = self.text.split("\n")
        if not self.wide:
            return tuple(given)
        room = width - 2 * PAD - self._beside
        return tuple(line for part in given for line in wrap(part, room, self.size, self.weight))

    @property
    def _beside(self) -> float:
        return self.drawing_size[0] + PAD if self.drawing is not None else 0

    @property
    def natural(self) -> float:
        """Width that it needs."""
        parts = self.text.split() if self.wide else self.text.split("\n")
        widest = max((text_width(p, self.size, weight=self.weight) for p in parts), default=0)
        return widest + 2 * PAD + self._beside - (PAD if self.drawing is not None and not self.text else 0)

    def height(self, width: float) -> float:
        """Height that it needs."""
        text = len(self.lines(width)) * self.size * LEADING if self.text else 0
        return max(text, self.drawing_size[1]) + PAD

    def draw(self, canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
        """Place it in its box."""
        role = colours()["roles"][self.role]
        canvas.rects.append(FilledRect(x, y, width, height, self.fill or role["fill"], colours()["rule"]))
        left = x + PAD
        if self.drawing is not None:
            at = left if self.text else x + (width - self.drawing_size[0]) / 2
            canvas.drawings.append(
                Inset(at, y + (height - self.drawing_size[1]) / 2, self.drawing, self.drawing_scale)
            )
            left += self._beside
        lines = self.lines(width) if self.text else ()
        step = self.size * LEADING
        base = y + height / 2 - (len(lines) - 1) * step / 2 + self.size * CAP
        at = {"start": left, "middle": (left + x + width - PAD) / 2, "end": x + width - PAD}[self.anchor]
        for i, line in enumerate(lines):
            canvas.texts.append(
                TextLine(at, base + i * step, line, self.size, role["ink"], self.weight, self.anchor)
            )


@dataclass(frozen=True)
class CellGrid:
    """Rows of cells. `least` are smallest widths of the columns; the last column takes what room is left over."""

    rows: Sequence[Sequence[Cell]]
    least: Sequence[float] = ()
    row_height: float = 0
    even: bool = False
    """Whether all columns after the first are equally wide."""

    def columns(self, width: float = 0) -> list[float]:
        """Widths of the columns; stretched to `width` where that is more than they need."""
        count = max(sum(c.span for c in row) for row in self.rows)
        widths = [*self.least, *[0.0] * count][:count]
        for spanning in (False, True):
            for row in self.rows:
                at = 0
                for cell in row:
                    if (cell.span > 1) == spanning:
                        lacks = cell.natural - sum(widths[at : at + cell.span])
                        if lacks > 0:
                            for i in range(at, at + cell.span):
                                widths[i] += lacks / cell.span
                    at += cell.span
        if self.even and count > 1:
            widths[1:] = [max(widths[1:])] * (count - 1)
        spare = width - sum(widths)
        if spare > 0:
            if self.even:
                widths[1:] = [w + spare / (count - 1) for w in widths[1:]]
            else:
                widths[-1] += spare
        return widths

    @property
    def width(self) -> float:
        """Least width."""
        return sum(self.columns())

    def _heights(self, widths: Sequence[float]) -> list[float]:
        heights = []
        for row in self.rows:
            at, height = 0, self.row_height
            for cell in row:
                height = max(height, cell.height(sum(widths[at : at + cell.span])))
                at += cell.span
            heights.append(height)
        return heights

    def height(self, width: float) -> float:
        """Height at a width."""
        return sum(self._heights(self.columns(width)))

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        """Place it."""
        widths = self.columns(width)
        top = y
        for row, height in zip(self.rows, self._heights(widths), strict=True):
            at, left = 0, x
            for cell in row:
                wide = sum(widths[at : at + cell.span])
                cell.draw(canvas, left, top, wide, height)
                at, left = at + cell.span, left + wide
            top += height
        canvas.rects.append(FilledRect(x, y, sum(widths), top - y, "none", colours()["frame"]))


def zebra(cell: Cell, odd: bool) -> Cell:
    """The cell in the darker stripe of a striped table."""
    return (
        replace(
            cell, role={"plain": "zebra", "name": "name_zebra", "faint": "faint_zebra"}.get(cell.role, cell.role)
        )
        if odd
        else cell
    )
