"""The key to the counters: how to read one, the symbols of types, the marks of size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.render.charts_grid import Cell, CellGrid
from hexforge.modulegen.render.charts_layout import (
    Anchor,
    Block,
    Canvas,
    Heading,
    Inset,
    SideBySide,
    Stack,
    Stroke,
    TextLine,
    colours,
    wrap,
)
from hexforge.modulegen.render.counters import SIZE, Face, counter_svg, faces, lettering, symbol
from hexforge.modulegen.render.texts import spoken

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter, Scenario, Text


@dataclass(frozen=True)
class Anatomy:
    """A large counter with lines to the names of its parts, and its back."""

    scenario: Scenario
    text: Text
    counter: Counter
    zoom: float = 2.6

    @property
    def width(self) -> float:
        return 780

    def height(self, width: float) -> float:
        return SIZE * self.zoom + 60

    def _face(self, canvas: Canvas, face: Face, x: float, y: float) -> None:
        from markupsafe import Markup

        svg = counter_svg(self.counter, self.scenario, face)
        canvas.drawings.append(Inset(x, y, Markup(svg), self.zoom))

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        edge = SIZE * self.zoom
        left, top = x + 170, y + 26
        self._face(canvas, "full", left, top)
        c = colours()
        letters = lettering(self.counter, self.scenario)
        figures = letters.figures
        begin = 50 - figures.width / 2
        third = figures.width / 3

        def call(key: str, at: tuple[float, float], to: tuple[float, float], anchor: Anchor) -> None:
            px, py = left + at[0] * edge / 100, top + at[1] * edge / 100
            tx, ty = left + to[0] * edge / 100, top + to[1] * edge / 100
            canvas.lines.append(Stroke(f"M{px:.1f} {py:.1f}L{tx:.1f} {ty:.1f}", c["accent"], 1.4))
            shift = {"start": 5, "end": -5, "middle": 0}[anchor]
            drop = 5.5 if anchor != "middle" else (17 if to[1] > 50 else -6)
            words = self.text[f"charts.symbols.{key}"]
            canvas.texts.append(TextLine(tx + shift, ty + drop, words, 16, c["ink"], 500, anchor))

        if letters.left.text:
            call("regiment" if self.counter.regiment else "unit", (5, 38), (-6, 38), "end")
        if letters.right.text:
            call("division" if self.counter.division else "corps", (95, 44), (106, 44), "start")
        call("size", (50, 4), (50, -4), "middle")
        call("type", (24, 52), (-6, 60), "end")
        if letters.range.text:
            call("range", (90, 11), (106, 11), "start")
        if letters.morale.text:
            call("morale", (10, 11), (-6, 11), "end")
        one = self.scenario.game.figures != "attack-defence-move"
        call("strength" if one else "attack", (begin + third * 0.25, 93), (-6, 102), "end")
        if not one:
            call("defence", (50, 94), (50, 104), "middle")
        if self.scenario.game.figures != "strength":
            call("move", (begin + third * 2.75, 93), (106, 98), "start")
        if "reduced" in faces(self.counter):
            self._face(canvas, "reduced", x + width - edge, top)
            for i, line in enumerate(wrap(self.text["charts.symbols.reduced"], edge + 10, 16)):
                at = x + width - edge / 2
                canvas.texts.append(TextLine(at, top + edge + 20 + i * 18, line, 16, c["ink"], 500, "middle"))


def _eloquence(counter: Counter, scenario: Scenario) -> tuple[bool, bool, bool, bool, int]:
    """How well a counter serves to explain all that may stand on one."""
    letters = lettering(counter, scenario)
    both = bool(letters.left.text and letters.right.text)
    # Figures that nobody knows yet, or of those who never fight, explain nothing.
    fights = "?" not in letters.figures.text and bool(counter.attack or counter.defence)
    return fights, counter.range is not None, both, bool(counter.regiment and counter.division), len(faces(counter))


def symbols(scenario: Scenario, text: Text) -> Block:
    """How to read a counter, the symbols of the types that the game has, and the marks of size."""
    from markupsafe import Markup

    units = list(scenario.counters.values())
    used = [k for k in scenario.game.unit_types if k in {u.type for u in units}]
    drawn: dict[tuple[str, str], str] = {}
    for kind in used:
        drawn.setdefault((scenario.game.unit_types[kind].symbol, text.get(f"unit_types.{kind}", kind)), kind)
    kinds = list(drawn.values())  # types that look and are called alike stand there once
    paper = Markup('<rect x="1" y="1" width="58" height="38" fill="#fff"/>')

    def rows_of(part: Sequence[str]) -> list[list[Cell]]:
        return [
            [
                Cell(
                    drawing=paper + Markup(symbol(scenario.game.unit_types[k].symbol)),
                    drawing_size=(48, 37),
                    drawing_scale=0.8,
                ),
                Cell(text.get(f"unit_types.{k}", spoken(k)), "name", "start"),
            ]
            for k in part
        ]

    half = -(-len(kinds) // 2)
    tables = [CellGrid(rows_of(part), least=[70, 240]) for part in (kinds[:half], kinds[half:]) if part]
    sizes = [s for s in text.section("sizes") if s in {u.size for u in units}]
    row = [cell for s in sizes for cell in (Cell(s, "name", size=20), Cell(text[f"sizes.{s}"], "plain", "start"))]
    sample = max(units, key=lambda unit: _eloquence(unit, scenario))
    marks: list[Block] = [Heading(text["charts.symbols.sizes"]), CellGrid([row])] if row else []
    return Stack(
        [
            Heading(text["charts.symbols.anatomy"]),
            Anatomy(scenario, text, sample),
            Heading(text["charts.symbols.types"]),
            SideBySide(tables, gap=14),
            *marks,
        ]
    )
