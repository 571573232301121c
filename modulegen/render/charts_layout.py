"""Setting of charts: paragraphs and tables measured with the shipped fonts and placed on a page, in pixels.

Tables of charts: cells with text or a drawing, columns as wide as what they hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from . import templates
from .raster import SANS, SERIF, text_width

if TYPE_CHECKING:
    from markupsafe import Markup


Anchor = Literal["start", "middle", "end"]
BODY = 16.0
"""Type size of tables."""
LEADING = 1.22
CAP = 0.345
"""Half the height of a capital, in type sizes: what lifts a line to the middle of its box."""


@dataclass(frozen=True)
class FilledRect:
    """A filled box."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str = ""
    radius: float = 0


@dataclass(frozen=True)
class Stroke:
    """A path."""

    d: str
    stroke: str
    width: float = 1


@dataclass(frozen=True)
class TextLine:
    """A line of text at its baseline."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    weight: int = 500
    anchor: Anchor = "start"
    family: str = SANS
    style: str = "normal"


@dataclass(frozen=True)
class Inset:
    """SVG made elsewhere."""

    x: float
    y: float
    markup: Markup
    scale: float = 1


@dataclass
class Canvas:
    """What has been placed so far."""

    rects: list[FilledRect] = field(default_factory=list)
    lines: list[Stroke] = field(default_factory=list)
    drawings: list[Inset] = field(default_factory=list)
    texts: list[TextLine] = field(default_factory=list)


class Block(Protocol):
    """Something with a size that can be placed."""

    @property
    def width(self) -> float:
        """Least width in pixels."""

    def height(self, width: float) -> float:
        """Height in pixels when it is given a width."""

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        """Place it with its upper left corner at x, y."""


def colours() -> Mapping[str, Any]:
    """The palette of charts."""
    return templates.palette("charts")


def wrap(text: str, width: float, size: float = BODY, weight: int = 500) -> tuple[str, ...]:
    """The text in lines no wider than `width`; a word wider than that stands in a line of its own.

    No word is left alone in the last line while the line above can spare one.
    """
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size, weight=weight) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > 1 and " " not in lines[-1] and lines[-2].count(" ") > 1:
        above, _, word = lines[-2].rpartition(" ")
        if text_width(f"{word} {lines[-1]}", size, weight=weight) <= width:
            lines[-2:] = [above, f"{word} {lines[-1]}"]
    return tuple(lines)


@dataclass(frozen=True)
class Paragraph:
    """Running text under or between tables. A text may begin with a bold key (`DRB`) in a column of its own."""

    text: str
    key: str = ""
    size: float = 15.0
    key_width: float = 48.0
    least: float = 260.0
    soft: bool = False

    @property
    def width(self) -> float:
        """Least width."""
        return self.least

    def _lines(self, width: float) -> tuple[str, ...]:
        return wrap(self.text, width - (self.key_width if self.key else 0), self.size, 400)

    def height(self, width: float) -> float:
        """Height at a width."""
        return len(self._lines(width)) * self.size * LEADING + 2

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        """Place it."""
        c = colours()
        left = x + (self.key_width if self.key else 0)
        base = y + self.size * 0.95
        if self.key:
            canvas.texts.append(TextLine(x, base, self.key, self.size, c["accent"], 700))
        for i, line in enumerate(self._lines(width)):
            canvas.texts.append(
                TextLine(
                    left, base + i * self.size * LEADING, line, self.size, c["soft" if self.soft else "ink"], 400
                )
            )


@dataclass(frozen=True)
class Heading:
    """A heading inside a chart."""

    text: str
    size: float = 20.0

    @property
    def width(self) -> float:
        """Least width."""
        return text_width(self.text, self.size, SERIF, 700)

    def height(self, width: float) -> float:
        """Height at any width."""
        return self.size * 1.35

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        """Place it."""
        canvas.texts.append(TextLine(x, y + self.size, self.text, self.size, colours()["frame"], 700, family=SERIF))


@dataclass(frozen=True)
class Stack:
    """Blocks one under the other, each as wide as the stack."""

    blocks: Sequence[Block]
    gap: float = 10.0

    @property
    def width(self) -> float:
        """The widest block's."""
        return max((b.width for b in self.blocks), default=0)

    def height(self, width: float) -> float:
        """Height at a width."""
        return sum(b.height(width) for b in self.blocks) + self.gap * max(0, len(self.blocks) - 1)

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        """Place them."""
        for block in self.blocks:
            block.draw(canvas, x, y, width)
            y += block.height(width) + self.gap


@dataclass(frozen=True)
class SideBySide:
    """Blocks side by side; spare width is shared in proportion to what they need, or all are as wide if `even`."""

    blocks: Sequence[Block]
    gap: float = 22.0
    even: bool = False

    def _need(self) -> list[float]:
        need = [b.width for b in self.blocks]
        return [max(need)] * len(need) if self.even else need

    def _widths(self, width: float) -> list[float]:
        need = self._need()
        spare = width - sum(need) - self.gap * (len(need) - 1)
        return [n + spare * n / sum(need) if spare > 0 else n for n in need]

    @property
    def width(self) -> float:
        """Least width."""
        return sum(self._need()) + self.gap * max(0, len(self.blocks) - 1)

    def height(self, width: float) -> float:
        """Height at a width."""
        return max((b.height(w) for b, w in zip(self.blocks, self._widths(width), strict=True)), default=0)

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        """Place them."""
        for block, wide in zip(self.blocks, self._widths(width), strict=True):
            block.draw(canvas, x, y, wide)
            x += wide + self.gap


MARGIN = 26.0
_TITLE = 32.0


def page(title: str, subtitle: str, body: Block, scale: float = 1) -> tuple[str, int, int]:
    """A chart as SVG with its size in pixels: title, a rule, the body. `subtitle` names the game."""
    c = colours()
    heading = text_width(title, _TITLE, SERIF, 700) + text_width(subtitle, 17, SERIF, 500, "italic") + 30
    inner = max(body.width, heading)
    top = MARGIN + _TITLE + 18
    width, height = inner + 2 * MARGIN, top + body.height(inner) + MARGIN
    canvas = Canvas()
    canvas.texts.append(TextLine(MARGIN, MARGIN + _TITLE * 0.78, title, _TITLE, c["frame"], 700, family=SERIF))
    canvas.texts.append(
        TextLine(width - MARGIN, MARGIN + _TITLE * 0.78, subtitle, 17, c["accent"], 500, "end", SERIF, "italic")
    )
    rule = MARGIN + _TITLE + 4
    canvas.lines.append(Stroke(f"M{MARGIN} {rule}H{templates.number(width - MARGIN)}", c["accent"], 2))
    body.draw(canvas, MARGIN, top, inner)
    pixels = (round(width * scale), round(height * scale))
    svg = templates.render(
        "charts/chart.svg.j2",
        c=c,
        width=width,
        height=height,
        pixels=pixels,
        rects=canvas.rects,
        lines=canvas.lines,
        drawings=canvas.drawings,
        texts=canvas.texts,
    )
    return svg, *pixels


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
