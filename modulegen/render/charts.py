"""Charts of a game: every table, the sequence of play, points, turns and the key to the counters, in any language.

`charts(scenario)` names them, `chart_svg` draws one. Sizes are pixels at scale 1.

The key to the counters: how to read one, the symbols of types, the marks of size.

The tables of a game as charts: combat results, bombardment, vulnerability, air power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...scenarios.schema import modifiers
from ...scenarios.schema.base import spans_of
from ...scenarios.schema.results import ByOdds, lower_bound, upper_bound
from . import charts_terrain, charts_turns
from .charts_layout import (
    BODY,
    Anchor,
    Block,
    Canvas,
    Cell,
    CellGrid,
    Heading,
    Inset,
    Paragraph,
    SideBySide,
    Stack,
    Stroke,
    TextLine,
    colours,
    page,
    wrap,
    zebra,
)
from .condition_words import result_in_words, row_of
from .counters import SIZE, Face, counter_svg, faces, lettering, symbol
from .ground_words import limit_words, most_words, other_words
from .templates import column_head, in_own_looks, spoken, words

if TYPE_CHECKING:
    from ...scenarios.model import Scenario, Text
    from ...scenarios.schema.setup import CounterRow as Counter
    from ...scenarios.schema.tables import ResultTable


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


def _key_of(code: str) -> str:
    return code.partition(" ")[0]


def _legend(scenario: Scenario, table: ResultTable, text: Text, columns: int, key_width: float = 48) -> Block:
    """What each code of a table means: as the game's texts say it, else as its data does."""
    codes = {c for cells in table.rows.values() for cell in cells for c in cell.split()}
    alphabet = scenario.tables.results
    known = [c for c in dict.fromkeys((*text.section("results"), *alphabet)) if c in codes & alphabet.keys()]
    notes = [
        Paragraph(text.get(f"results.{c}") or result_in_words(alphabet[c], text), key=c, key_width=key_width)
        for c in known
    ]
    length = max(1, -(-len(notes) // columns))
    return SideBySide([Stack(notes[i : i + length], gap=3) for i in range(0, len(notes), length)])


def _results(table: ResultTable, corner: str, over: str, *, row_height: float, least: float) -> CellGrid:
    tints = colours()["results"]
    rows: list[list[Cell]] = [
        [Cell("", "heading"), Cell(over, "heading", span=len(table.columns))],
        [
            Cell(corner, "subheading"),
            *[Cell(column_head(c), "subheading", size=BODY + 1) for c in table.columns],
        ],
    ]
    for dice, cells in table.rows.items():
        row = [Cell(dice.replace(",", " · "), "label", size=BODY + 1)]
        for cell in cells:
            fill = tints.get(_key_of(cell), tints["other"])
            row.append(Cell(cell.replace(" ", "\n"), "name", fill=fill))
        rows.append(row)
    return CellGrid(rows, least=[76, *[least] * len(table.columns)], row_height=row_height, even=True)


def crt(scenario: Scenario, text: Text) -> Block:
    """Combat results, with what each result means."""
    table, shifts = scenario.tables.crt, text.get("charts.crt.shifts")
    heading = "odds" if isinstance(table.column_by, ByOdds) else "difference"
    return Stack(
        [
            _results(table, _thrown(table, text), text[f"charts.crt.{heading}"], row_height=44, least=58),
            *([Paragraph(shifts, soft=True)] if shifts else []),
            *[Paragraph(said, soft=True) for said in (() if shifts else _rounded(table, text))],
            *[Paragraph(said, soft=True) for said in _beyond(table, text)],
            Heading(text["charts.crt.results"]),
            _legend(scenario, table, text, 2),
            # A game that tells its shifts in its own words has no need of the list.
            *([] if shifts else _others(scenario, text)),
            *([] if shifts else [Paragraph(said, soft=True) for said in limit_words(scenario, text)]),
        ]
    )


def _beyond(table: ResultTable, text: Text) -> Iterator[str]:
    """What becomes of totals beyond the first and the last column, where they do not simply stand on it."""
    first, last = table.columns[0], table.columns[-1]
    ends: dict[str, int | str | None] = {"below": first, "above": last}
    if not isinstance(table.column_by, ByOdds):
        least = None if first.startswith(("≤", "<=")) else lower_bound(first)
        ends = {"below": least, "above": upper_bound(last)}
    for key, end in ends.items():
        code = getattr(table.column_by, key, "end")
        # Nothing lies beyond a column that has no end.
        if code != "end" and end is not None:
            kind = "refused" if code == "refused" else "without"
            yield text[f"charts.crt.{key}_{kind}"].format(column=column_head(end), code=code)


def _rounded(table: ResultTable, text: Text) -> Iterator[str]:
    """Who gains by odds that lie between two columns."""
    by = table.column_by
    if isinstance(by, ByOdds):
        yield text[f"charts.crt.rounding_{by.rounding}"]
        if by.inverse not in (None, by.rounding):
            yield text[f"charts.crt.inverse_{by.inverse}"]


def _others(scenario: Scenario, text: Text) -> list[Block]:
    """The modifiers that hang on no ground and on no line, which no other chart has a row for."""
    said = list(dict.fromkeys(other_words(scenario, text)))
    if not said:
        return []
    half = -(-len(said) // 2)
    columns = [Stack([Paragraph(line) for line in said[i : i + half]], gap=3) for i in range(0, len(said), half)]
    return [Heading(text["charts.crt.modifiers"]), SideBySide(columns)]


def bombardment(scenario: Scenario, text: Text) -> Block:
    """Bombardment results. Raises KeyError in a game that has no such table."""
    table = scenario.tables.bombardment
    if table is None:
        raise KeyError("bombardment")
    return Stack(
        [
            _results(table, _thrown(table, text), text["charts.bombardment.value"], row_height=34, least=88),
            *(Paragraph(said, soft=True) for said in (_how(scenario, text), *most_words(table, text))),
            _legend(scenario, table, text, 1),
        ]
    )


def _how(scenario: Scenario, text: Text) -> str:
    """How the value is found, in words of what the game has."""
    if scenario.tables.air:
        return text["charts.bombardment.how"]
    said, lines, ground = [text["charts.bombardment.how_guns"]], scenario.tables.hexsides, False
    crossed = False
    for rule in scenario.modifiers.rules:
        if rule.table != "crt" and not isinstance(rule.what, modifiers.Barred | modifiers.Stays | modifiers.Morale):
            ground |= any(isinstance(one, modifiers.InTerrain) and one.of == "defenders" for one in rule.when)
            crossed |= any(isinstance(one, modifiers.AcrossHexside) for one in rule.when)
    said += [text["charts.bombardment.ground"]] if ground else []
    said += [text["charts.bombardment.lines"]] if lines and not crossed else []
    return " ".join(said)


def _symbol_cell(scenario: Scenario, kind: str) -> Cell:
    from markupsafe import Markup

    paper = Markup('<rect x="1" y="1" width="58" height="38" fill="#fff"/>')
    markup = paper + Markup(symbol(scenario.game.unit_types[kind].symbol))
    return Cell(role="plain", drawing=markup, drawing_size=(36, 26), drawing_scale=0.58)


def _means(by: str, several: int, text: Text) -> str:
    """What a column of vulnerability is called: by those who fire where nobody flies."""
    told = text[f"charts.vulnerability.{by}"]
    return text.get("classes.guns", told) if several == 1 and by == "artillery" else told


def vulnerability(scenario: Scenario, text: Text) -> Block:
    """Vulnerability of the types of unit that the game has, alike ones together."""
    table = scenario.tables.vulnerability
    means = [by for by in ("air", "artillery") if by in table]
    used = {c.type for c in scenario.counters.values()}
    kinds = [t for t in scenario.game.unit_types if t in used]
    indices = {t: tuple(table[by].get(t) for by in means) for t in kinds}
    order = list(dict.fromkeys(indices.values()))
    rows = [
        [
            Cell(text["charts.vulnerability.types"], "heading", span=2),
            *[Cell(_means(by, len(means), text), "heading") for by in means],
        ]
    ]
    for group, index in enumerate(order):
        for kind in kinds:
            if indices[kind] == index:
                cells = [
                    _symbol_cell(scenario, kind),
                    Cell(text.get(f"unit_types.{kind}", spoken(kind)), "name", "start"),
                    *[Cell("—" if i is None else str(i), "name", size=BODY + 2) for i in index],
                ]
                rows.append([zebra(c, group % 2 == 1) for c in cells])
    return CellGrid(rows, least=[58, 230, *[110] * len(means)])


def air(scenario: Scenario, text: Text) -> Block:
    """Air points by turn or by die, with the limits of an attack by air."""
    table = scenario.tables.air
    by_die = any(r.die for r in table)
    rows = [
        [
            Cell(text["charts.air.die" if by_die else "charts.air.turns"], "heading"),
            Cell(text["charts.air.points"], "heading"),
        ]
    ]
    for i, row in enumerate(table):
        parts = spans_of(row.die or row.turns or (0, 0))
        span = row_of([str(first) if first == last else f"{first}–{last}" for first, last in parts])
        strong = "strong" if row.points else "plain"
        rows.append([zebra(Cell(c, strong, size=BODY + 2), i % 2 == 1) for c in (span, str(row.points))])
    limits = getattr(scenario.game.rules.combat, "air", None)
    notes: list[Block] = []
    if limits is not None:
        notes.append(Paragraph(text["charts.air.limits"].format(least=limits.least, most=limits.most), soft=True))
    notes.append(Paragraph(text["charts.air.lost"], soft=True))
    return Stack([CellGrid(rows, least=[150, 150], even=True), Stack(notes, gap=2)])


def _thrown(table: ResultTable, text: Text) -> str:
    """What heads the rows: the dice, or the die."""
    return text["charts.crt.dice" if table.thrown.count > 1 else "charts.crt.die"]


_CHARTS: dict[str, Callable[[Scenario, Text], Block]] = {
    "crt": crt,
    "terrain": charts_terrain.terrain,
    "bombardment": bombardment,
    "vulnerability": vulnerability,
    "air": air,
    "sequence": charts_turns.sequence,
    "turns": charts_turns.turns,
    "victory": charts_turns.victory,
    "symbols": symbols,
}


@dataclass(frozen=True)
class Chart:
    """A chart drawn as SVG: its size in pixels and its title in its language."""

    id: str
    title: str
    svg: str
    width: int
    height: int


def charts(scenario: Scenario) -> tuple[str, ...]:
    """The charts that a game has, in the order in which players want them."""
    tables = scenario.tables
    has = {"air": tables.air, "bombardment": tables.bombardment, "vulnerability": tables.vulnerability}
    return tuple(c for c in _CHARTS if has.get(c, True))


@in_own_looks
def chart(scenario: Scenario, id_: str, language: str, scale: float = 1) -> Chart:
    """One chart in one language. Raises KeyError for a chart or language that the game lacks, or a missing text."""
    text = words(scenario, language)
    title = text[f"charts.{id_}.title"]
    game = text.get("title.name") or scenario.game.module.name
    svg, width, height = page(title, game, _CHARTS[id_](scenario, text), scale)
    return Chart(id_, title, svg, width, height)
