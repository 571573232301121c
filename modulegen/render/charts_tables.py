"""The tables of a game as charts: combat results, terrain, bombardment, vulnerability, air power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from hexforge.modulegen.render import templates
from hexforge.modulegen.render.board_style import style_of
from hexforge.modulegen.render.charts_grid import Cell, CellGrid, zebra
from hexforge.modulegen.render.charts_layout import BODY, Block, Heading, Paragraph, SideBySide, Stack, colours
from hexforge.modulegen.render.counters import symbol
from hexforge.modulegen.render.ground_words import effect_words, limit_words, other_words
from hexforge.modulegen.render.result_words import told
from hexforge.modulegen.render.texts import short, spoken
from hexforge.scenarios.schema.columns import ByOdds

if TYPE_CHECKING:
    from markupsafe import Markup

    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.tables import HexsideEffect, ResultTable


def _key_of(code: str) -> str:
    return code.partition(" ")[0]


def _legend(scenario: Scenario, table: ResultTable, text: Text, columns: int, key_width: float = 48) -> Block:
    """What each code of a table means: as the game's texts say it, else as its data does."""
    codes = {c for cells in table.rows.values() for cell in cells for c in cell.split()}
    alphabet = scenario.tables.results
    known = [c for c in dict.fromkeys((*text.section("results"), *alphabet)) if c in codes & alphabet.keys()]
    notes = [
        Paragraph(text.get(f"results.{c}") or told(alphabet[c], text), key=c, key_width=key_width) for c in known
    ]
    length = max(1, -(-len(notes) // columns))
    return SideBySide([Stack(notes[i : i + length], gap=3) for i in range(0, len(notes), length)])


def _results(table: ResultTable, corner: str, over: str, *, row_height: float, least: float) -> CellGrid:
    tints = colours()["results"]
    rows: list[list[Cell]] = [
        [Cell("", "heading"), Cell(over, "heading", span=len(table.columns))],
        [
            Cell(corner, "subheading"),
            *[Cell(c.replace("-", "–"), "subheading", size=BODY + 1) for c in table.columns],
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
    for key, column in (("below", table.columns[0]), ("above", table.columns[-1])):
        code = getattr(table.column_by, key, "end")
        if code != "end":
            kind = "refused" if code == "refused" else "without"
            yield text[f"charts.crt.{key}_{kind}"].format(column=column.replace("-", "–"), code=code)


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
            Paragraph(_how(scenario, text), soft=True),
            _legend(scenario, table, text, 1),
        ]
    )


def _how(scenario: Scenario, text: Text) -> str:
    """How the value is found, in words of what the game has."""
    if scenario.tables.air:
        return text["charts.bombardment.how"]
    lines = text["charts.bombardment.lines"] if scenario.tables.hexsides else ""
    return f"{text['charts.bombardment.how_guns']} {lines}".strip()


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
        first, last = row.die or row.turns or (0, 0)
        span = str(first) if first == last else f"{first}–{last}"
        strong = "strong" if row.points else "plain"
        rows.append([zebra(Cell(c, strong, size=BODY + 2), i % 2 == 1) for c in (span, str(row.points))])
    limits = getattr(scenario.game.rules.combat, "air", None)
    notes: list[Block] = []
    if limits is not None:
        notes.append(Paragraph(text["charts.air.limits"].format(least=limits.least, most=limits.most), soft=True))
    notes.append(Paragraph(text["charts.air.lost"], soft=True))
    return Stack([CellGrid(rows, least=[150, 150], even=True), Stack(notes, gap=2)])


def cost_words(halves: int) -> str:
    """Movement points as printed, from halves: 1 is ½, 3 is 1½."""
    whole, half = divmod(halves, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


class _Notes:
    """Footnotes, each marked once however often it is needed."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def mark(self, text: str) -> str:
        if text not in self.texts:
            self.texts.append(text)
        return "*" * (self.texts.index(text) + 1)


def _kinds(scenario: Scenario, barred: Sequence[str]) -> list[str]:
    """The unit types that a list of types, classes and movement classes names; other names stay."""
    game, found = scenario.game, list[str]()
    for name in barred:
        moving = [type_ for type_, spec in game.unit_types.items() if name in (type_, spec.movement)]
        found += game.classes.get(name) or moving or [name]
    return list(dict.fromkeys(found))


def _barred_words(scenario: Scenario, text: Text, barred: Sequence[str]) -> str:
    kinds = _kinds(scenario, barred)
    present = {c.type for c in scenario.counters.values()}
    named = [
        text.get(f"unit_types.{k}", spoken(k)).lower()
        for k in kinds
        if k in present or k not in scenario.game.unit_types
    ]
    return ", ".join(dict.fromkeys(named)) or ", ".join(text.get(f"classes.{b}", b) for b in barred)


def _swatch(scenario: Scenario, kind: Literal["terrain", "hexsides", "ways"], id_: str) -> Markup:
    """A sample in the board's own colours: a hex of a terrain, a stretch of a line or way."""
    from markupsafe import Markup, escape

    board = templates.palette("board")
    wet = kind == "hexsides" and id_ in scenario.tables.hexsides and scenario.tables.hexsides[id_].water
    look = style_of(scenario.map, kind, id_, "river" if wet else "other")
    if kind == "terrain":
        fills = [board["covers"][c] for c in look.get("covers", ()) if c in board["covers"]]
        d = "M9 1H27L35 14 27 27H9L1 14Z"
        parts = [f'<path d="{d}" fill="{escape(board["paper"])}" stroke="#6f6350"/>']
        parts += [f'<path d="{d}" fill="{escape(f["fill"])}" stroke="#6f6350"/>' for f in fills[-1:]]
        if len(fills) > 1:
            parts.append(f'<path d="M1 14 9 1H18V27H9Z" fill="{escape(fills[0]["fill"])}"/>')
        if "trees" in look:
            dots = ((21, 8), (27, 14), (20, 19), (14, 12))
            parts += [f'<circle cx="{x}" cy="{y}" r="2.6" fill="#46663f"/>' for x, y in dots]
        return Markup("".join(parts))
    under = look.get("casing", look["fill"])
    dash = ' stroke-dasharray="5 3"' if look["style"] in ("dashed", "rail", "border", "teeth") else ""
    d = "M1 19 10 9 26 19 35 9" if kind == "hexsides" else "M1 20C12 20 22 8 35 8"
    return Markup(
        f'<path d="{d}" fill="none" stroke="{escape(under)}" stroke-width="6.5"/>'
        f'<path d="{d}" fill="none" stroke="{escape(look["fill"])}" stroke-width="4.2"{dash}/>'
    )


def _costly_weathers(scenario: Scenario) -> list[str]:
    """The kinds of weather of the game, if any cost hangs on them."""
    tables = scenario.tables
    costs = [terrain.costs for terrain in tables.terrain.values()]
    costs += [line.costs for line in tables.hexsides.values()]
    costs += [way.costs for way in tables.ways.values()]
    told = any("" not in cost for by_class in costs for cost in by_class.values())
    return list(scenario.game.weathers) if told else []


def _cost_cells(scenario: Scenario, costs: Mapping[str, Mapping[str, int]], mark: Mapping[str, str]) -> list[Cell]:
    weathers = _costly_weathers(scenario)
    cells: list[Cell] = []
    for movement in scenario.game.movement_classes:
        cost = costs.get(movement)
        note = mark.get(movement, "")
        if cost is None:
            cells.append(Cell("—" + note, "plain", span=max(1, len(weathers))))
        elif "" in cost or not weathers:
            value = cost.get("", next(iter(cost.values())))
            cells.append(Cell(cost_words(value) + note, "name", span=max(1, len(weathers)), size=BODY + 2))
        else:
            cells += [
                Cell((cost_words(cost[w]) if w in cost else "—") + note, "name", size=BODY + 2) for w in weathers
            ]
    return cells


def terrain(scenario: Scenario, text: Text) -> Block:
    """What terrain, hexsides and ways cost and do, with who may not enter."""
    chart = _TerrainChart(scenario, text)
    chart.add_all()
    lines = [Paragraph(note, key="*" * i, key_width=34) for i, note in enumerate(chart.notes.texts, 1)]
    lines += [Paragraph(told, soft=True) for told in _explained(scenario, text)]
    column = 130.0 if chart.across == 1 else 124.0 / chart.across
    least = [54, 190, *[column] * (chart.across * len(scenario.game.movement_classes)), 150]
    return Stack([CellGrid(chart.rows, least=least), Stack(lines, gap=3)])


class _TerrainChart:
    """The rows of the terrain effects chart as they grow, and the notes that they ask for."""

    def __init__(self, scenario: Scenario, text: Text) -> None:
        self.scenario, self.text = scenario, text
        self.notes = _Notes()
        self.weathers = _costly_weathers(scenario)
        self.across = max(1, len(self.weathers))
        self.rows = self._headings()

    @property
    def _has_bridges(self) -> bool:
        """Whether the map or the rules have any."""
        scenario = self.scenario
        ways = any(way.bridges for way in scenario.tables.ways.values())
        return ways or bool(scenario.map.bridge_list) or scenario.game.rules.movement.bridging is not None

    def _headings(self) -> list[list[Cell]]:
        text, classes = self.text, self.scenario.game.movement_classes
        head = [
            Cell(text["charts.terrain.terrain"], "heading", span=2),
            Cell(text["charts.terrain.movement"], "heading", span=self.across * len(classes)),
            Cell(text["charts.terrain.combat"], "heading"),
        ]
        second = [Cell("", "subheading", span=2)]
        second += [Cell(text.get(f"movement_classes.{m}", m), "subheading", span=self.across) for m in classes]
        rows = [head, [*second, Cell("", "subheading")]]
        if self.weathers:
            names = [Cell(short(text, "weather", w), "subheading", size=14) for w in self.weathers]
            rows.append([Cell("", "subheading", span=2), *names * len(classes), Cell("", "subheading")])
        return rows

    def _combat(self, columns: int, additive: bool = False, on: tuple[str, str] = ("", "")) -> Cell:
        text, told = self.text, effect_words(self.scenario, self.text, *on)
        if told:
            cell = self._combat(columns, additive) if columns else None
            return Cell("; ".join((*([cell.text] if cell else []), *told)), "name")
        if not columns:
            return Cell(text["charts.terrain.none"], "faint")
        n = abs(columns)
        words = text[f"charts.terrain.columns_{1 if n == 1 else 2}"].format(n=n)
        arrow = "←" if columns < 0 else "→"
        extra = self.notes.mark(text["charts.terrain.additive"].capitalize() + ".") if additive else ""
        return Cell(f"{arrow} {'+' if additive else ''}{words}{extra}", "name")

    def _mark(self, barred: Sequence[str], key: str) -> dict[str, str]:
        if not barred:
            return {}
        units, game = _barred_words(self.scenario, self.text, barred), self.scenario.game
        note = self.notes.mark(self.text[f"charts.terrain.{key}"].format(units=units))
        return {game.unit_types[k].movement: note for k in _kinds(self.scenario, barred) if k in game.unit_types}

    def _add(
        self, kind: Literal["terrain", "hexsides", "ways"], name: str, label: str, costs: list[Cell], effect: Cell
    ) -> None:
        first = Cell(role="plain", drawing=_swatch(self.scenario, kind, name), drawing_size=(36, 28))
        cells = [first, Cell(label, "name", "start"), *costs, effect]
        self.rows.append([zebra(c, len(self.rows) % 2 == 0) for c in cells])

    def add_all(self) -> None:
        """A row for each kind of terrain, hexside and way."""
        scenario, text, tables = self.scenario, self.text, self.scenario.tables
        for name, t in tables.terrain.items():
            costs = _cost_cells(scenario, t.costs, self._mark(t.barred, "barred"))
            effect = self._combat(t.combat, on=("terrain", name))
            self._add("terrain", name, text.get(f"terrain.{name}", spoken(name)), costs, effect)
        seen: list[HexsideEffect] = []
        for name, h in tables.hexsides.items():
            # Rivers that differ in name only need one row.
            if h.water and h in seen:
                continue
            seen.append(h)
            key = "water" if h.water and self._has_bridges else "barred"
            costs = _cost_cells(scenario, h.costs, self._mark(h.barred, key))
            effect = self._combat(h.combat, h.additive, ("hexsides", name))
            self._add("hexsides", name, text.get(f"hexsides.{name}", spoken(name)), costs, effect)
        if (f := tables.fortified) is not None:
            costs = _cost_cells(scenario, f.costs, self._mark(f.barred, "barred"))
            effect = self._combat(f.combat, f.additive)
            self._add("hexsides", "fortification", text.get("fortified", spoken("fortified")), costs, effect)
        clearing = getattr(scenario.game.rules.movement, "clearing", None)
        for name, w in tables.ways.items():
            marks = self._mark(w.barred, "barred")
            if clearing is not None and clearing.way == name:
                marks |= self._mark(clearing.barred, "way_barred")
            costs = _cost_cells(scenario, w.costs, marks)
            self._add("ways", name, text.get(f"ways.{name}", spoken(name)), costs, self._combat(0))


def _thrown(table: ResultTable, text: Text) -> str:
    """What heads the rows: the dice, or the die."""
    return text["charts.crt.dice" if table.thrown.count > 1 else "charts.crt.die"]


def _explained(scenario: Scenario, text: Text) -> Iterator[str]:
    """What stands below the terrain effects chart."""
    tables = scenario.tables
    if scenario.game.weather and _costly_weathers(scenario):
        spans = [
            text[f"charts.terrain.{'turn' if a == b else 'turns'}"].format(
                weather=text.get(f"weather.{w}", w), first=a, last=b
            )
            for w, (a, b) in scenario.game.weather.items()
        ]
        yield text["charts.terrain.weather"].format(list="; ".join(spans))
    if any(h.costs for h in tables.hexsides.values()):
        yield text["charts.terrain.crossing"]
    bridging = [text.get(f"ways.{n}", n).lower() for n, w in tables.ways.items() if w.bridges]
    if bridging:
        yield text["charts.terrain.bridges"].format(ways=", ".join(bridging))
    shifts = [effect.combat for effect in tables.terrain.values()]
    shifts += [effect.combat for effect in (*tables.hexsides.values(), tables.fortified) if effect is not None]
    if any(shifts):
        wet = [n for n, effect in tables.hexsides.items() if effect.water and effect.combat and not effect.additive]
        names = ", ".join(dict.fromkeys(text.get(f"hexsides.{n}", spoken(n)).lower() for n in wet))
        yield text["charts.terrain.left"].format(lines=names) if wet else text["charts.terrain.left_dry"]
