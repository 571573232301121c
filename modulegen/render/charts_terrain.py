"""The terrain effects chart: what ground, lines and ways cost and do, and to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, cast

from . import templates
from .board_layout import key_rows, style_of
from .charts_layout import BODY, Block, Cell, CellGrid, Paragraph, Stack, zebra
from .condition_words import Whose, area_name, lowered, place_name, row_of, side_name, turns_words, weather_words
from .ground_words import CLOSED, SHUT, WHOLE, GroundCosts, effect_words
from .raster import text_width
from .templates import halves_words, short, spoken

if TYPE_CHECKING:
    from markupsafe import Markup

    from ...scenarios.model import Scenario, Text
    from ...scenarios.schema.rules_movement import RailUse, Surcharge


_Kind = Literal["terrain", "hexsides", "ways"]
_ORDER = ("terrain", "hexsides", "fortified", "ways")
_COMBAT_ROOM = 330.0
"""How wide what ground does to combat may grow before it goes on in another line."""
_LINE = 4.2
"""Width of a line in a sample, of a river's without its banks."""


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
    # Waters are told apart by their width, as on the board.
    wide = _LINE * (look["width"] / board["hexsides"]["river"]["width"] if look["style"] == "water" else 1)
    return Markup(
        f'<path d="{d}" fill="none" stroke="{escape(under)}" stroke-width="{templates.number(wide + 2.3)}"/>'
        f'<path d="{d}" fill="none" stroke="{escape(look["fill"])}" stroke-width="{templates.number(wide)}"{dash}/>'
    )


def terrain(scenario: Scenario, text: Text) -> Block:
    """What terrain, hexsides and ways cost and do, with who may not enter."""
    chart = _TerrainChart(scenario, text)
    chart.add_all()
    lines = [Paragraph(note, key="*" * i, key_width=34) for i, note in enumerate(chart.notes.texts, 1)]
    lines += [Paragraph(told, soft=True) for told in chart.explained()]
    return Stack([CellGrid(chart.rows, least=chart.widths()), Stack(lines, gap=3)])


class _TerrainChart:
    """The rows of the terrain effects chart as they grow, and the notes that they ask for."""

    def __init__(self, scenario: Scenario, text: Text) -> None:
        self.scenario, self.text = scenario, text
        self.notes = _Notes()
        self.costs = GroundCosts(scenario)
        self.signs: set[int | None] = set()
        self.rows = self._headings()

    @cached_property
    def kinds(self) -> list[tuple[str, str]]:
        """The kinds of ground, line and way that the map has, in the order of the chart."""
        return sorted(key_rows(self.scenario), key=lambda row: _ORDER.index(row[0]))

    @cached_property
    def across(self) -> Mapping[str, int]:
        """How many columns each movement class has: one, or one for each weather where that matters."""
        weathers = len(self.scenario.game.weathers)
        return {
            movement: weathers
            if any(len(self.costs.by_weather(movement, kind, id_)) > 1 for kind, id_ in self.kinds)
            else 1
            for movement in self.costs.classes
        }

    def widths(self) -> list[float]:
        """Least widths of the columns; the last takes no more than it needs, up to some room."""
        each = [130.0 if n == 1 else 124.0 / n for n in self.across.values() for _ in range(n)]
        said = (row[-1] for row in self.rows)
        needed = max(text_width(cell.text, cell.size, weight=cell.weight) for cell in said) + 18
        return [54, 190, *each, max(150.0, min(needed, _COMBAT_ROOM))]

    def _headings(self) -> list[list[Cell]]:
        text, across = self.text, self.across
        head = [
            Cell(text["charts.terrain.terrain"], "heading", span=2),
            Cell(text["charts.terrain.movement"], "heading", span=sum(across.values())),
            Cell(text["charts.terrain.combat"], "heading"),
        ]
        second = [Cell("", "subheading", span=2)]
        for movement, span in across.items():
            name = text.get(f"movement_classes.{movement}") or spoken(movement)
            if movement in self.costs.supplying:
                name = f"{name} ({text['charts.terrain.supply']})"
            second.append(Cell(name, "subheading", span=span))
        rows = [head, [*second, Cell("", "subheading")]]
        if max(across.values(), default=1) > 1:
            names = [Cell(short(text, "weather", w), "subheading", size=14) for w in self.scenario.game.weathers]
            third = [cell for n in across.values() for cell in (names if n > 1 else [Cell("", "subheading")])]
            rows.append([Cell("", "subheading", span=2), *third, Cell("", "subheading")])
        return rows

    def _combat(self, columns: int, additive: bool = False, on: tuple[str, str] = ("", "")) -> Cell:
        text, told = self.text, effect_words(self.scenario, self.text, *on)
        if told:
            cell = self._combat(columns, additive) if columns else None
            return Cell("; ".join((*([cell.text] if cell else []), *told)), "name", wide=True)
        if not columns:
            return Cell(text["charts.terrain.none"], "faint")
        n = abs(columns)
        words = text[f"charts.terrain.columns_{1 if n == 1 else 2}"].format(n=n)
        arrow = "←" if columns < 0 else "→"
        extra = self.notes.mark(text["charts.terrain.additive"].capitalize() + ".") if additive else ""
        return Cell(f"{arrow} {'+' if additive else ''}{words}{extra}", "name", wide=True)

    def _mark(self, barred: Sequence[str], key: str) -> dict[str, str]:
        """The note on units that are barred, by the movement class of each."""
        if not barred:
            return {}
        units, game = _barred_words(self.scenario, self.text, barred), self.scenario.game
        note = self.notes.mark(self.text[f"charts.terrain.{key}"].format(units=units))
        return {game.unit_types[k].movement: note for k in _kinds(self.scenario, barred) if k in game.unit_types}

    def _barred(self, kind: str, id_: str, barred: Sequence[str], key: str = "barred") -> dict[str, str]:
        """The note on units that are barred; none on those of classes to which the ground is closed as a whole."""
        shut = {movement for movement in self.costs.classes if self.costs.shut(movement, kind, id_)}
        types = self.scenario.game.unit_types
        kinds = [k for k in _kinds(self.scenario, barred) if k not in types or types[k].movement not in shut]
        return self._mark(barred if len(kinds) == len(_kinds(self.scenario, barred)) else kinds, key)

    def _dearer(self, kind: str, id_: str, marks: dict[str, str]) -> dict[str, str]:
        """The notes with those on surcharges that not all of a class pay, or not in every turn."""
        found = dict(marks)
        for rule, classes in self.costs.on_some(kind, id_):
            note = self.notes.mark(self._surcharged(rule))
            found |= {movement: found.get(movement, "") + note for movement in classes}
        return found

    def _surcharged(self, rule: Surcharge) -> str:
        text = self.text
        parts = [Whose.of(rule).words(self.scenario, text) or text["charts.terrain.everybody"]]
        parts += [turns_words(text, rule.turns)] if rule.turns else []
        parts += [weather_words(text, rule.weather)] if rule.weather else []
        key = "barred" if rule.barred else "all_of_it" if rule.whole else "dearer"
        return text[f"charts.terrain.{key}"].format(units="; ".join(parts), n=halves_words(rule.points))

    def _cost_cells(self, kind: str, id_: str, marks: Mapping[str, str]) -> list[Cell]:
        cells: list[Cell] = []
        for movement, span in self.across.items():
            told, note = self.costs.by_weather(movement, kind, id_), marks.get(movement, "")
            self.signs |= set(told.values())
            share = span if len(told) == 1 else 1
            for cost in told.values():
                role, more = ("plain", 0) if cost is None else ("name", 2)
                cells.append(Cell(self._cost(cost) + note, role, span=share, size=BODY + more))
        return cells

    def _cost(self, cost: int | None) -> str:
        if cost is None:
            return "—"
        if cost == CLOSED:
            return SHUT
        return self.text["charts.terrain.whole"] if cost == WHOLE else halves_words(cost)

    def _add(self, kind: str, name: str, label: str, costs: list[Cell], effect: Cell) -> None:
        look = ("hexsides", "fortification") if kind == "fortified" else (kind, name)
        first = Cell(
            role="plain", drawing=_swatch(self.scenario, cast("_Kind", look[0]), look[1]), drawing_size=(36, 28)
        )
        cells = [first, Cell(label, "name", "start"), *costs, effect]
        self.rows.append([zebra(c, len(self.rows) % 2 == 0) for c in cells])

    def add_all(self) -> None:
        """A row for each kind of terrain, hexside and way."""
        for kind, id_ in self.kinds:
            {"terrain": self._terrain, "ways": self._way}.get(kind, self._line)(kind, id_)

    def _terrain(self, kind: str, id_: str) -> None:
        effect = self.scenario.tables.terrain[id_]
        marks = self._dearer(kind, id_, self._barred(kind, id_, effect.barred))
        label = self.text.get(f"terrain.{id_}") or spoken(id_)
        costs = self._cost_cells(kind, id_, marks)
        self._add(kind, id_, label, costs, self._combat(effect.combat, on=(kind, id_)))

    def _line(self, kind: str, id_: str) -> None:
        tables = self.scenario.tables
        effect = tables.fortified if kind == "fortified" else tables.hexsides[id_]
        if effect is None:
            return
        key = "water" if effect.water and self._has_bridges else "barred"
        marks = self._dearer(kind, id_, self._barred(kind, id_, effect.barred, key))
        named = "fortified" if kind == "fortified" else f"hexsides.{id_}"
        costs = self._cost_cells(kind, id_, marks)
        combat = self._combat(effect.combat, effect.additive, (kind, id_))
        self._add(kind, id_, self.text.get(named) or spoken(id_), costs, combat)

    def _way(self, kind: str, id_: str) -> None:
        rules, way = self.scenario.game.rules.movement, self.scenario.tables.ways[id_]
        marks = self._barred(kind, id_, way.barred)
        if rules.clearing is not None and rules.clearing.way == id_:
            marks |= self._mark(rules.clearing.barred, "way_barred")
        label = self.text.get(f"ways.{id_}") or spoken(id_)
        if rules.railway is not None and rules.railway.way == id_:
            label += self.notes.mark(self._by_train())
        self._add(kind, id_, label, self._cost_cells(kind, id_, marks), self._combat(0))

    def _by_train(self) -> str:
        text, railway = self.text, self.scenario.game.rules.movement.railway
        assert railway is not None
        uses = "; ".join(filter(None, (self._carried(use) for use in railway.uses)))
        said = text["charts.terrain.train_own" if railway.own else "charts.terrain.train"].format(n=railway.hexes)
        return f"{said} ({uses})." if uses else f"{said}."

    def _carried(self, use: RailUse) -> str:
        """Who goes by rail, and how much of it a turn carries."""
        text = self.text
        whose = Whose(types=use.types, divisions=use.divisions, units=use.units, marks=use.marks)
        who = [side_name(text, use.side)] if use.side else []
        who += [told] if (told := whose.words(self.scenario, text)) else []
        who += [turns_words(text, use.turns)] if use.turns else []
        ends = [text["charts.supply.edge"].format(edge=text.get(f"edges.{e}", e)) for e in use.edges]
        ends += [place_name(self.scenario, text, place) for place in use.places]
        who += [text["charts.terrain.line_to"].format(ends=row_of(ends))] if ends else []
        number = f"{use.counted}_1" if use.most == 1 else use.counted
        many = text[f"charts.terrain.carried_{number}"].format(n=use.most) if use.most is not None else ""
        return ": ".join(filter(None, (", ".join(who), many)))

    @property
    def _has_bridges(self) -> bool:
        """Whether the map or the rules have any."""
        scenario = self.scenario
        ways = any(kind == "ways" and scenario.tables.ways[id_].bridges for kind, id_ in self.kinds)
        return ways or bool(scenario.map.bridge_list) or scenario.game.rules.movement.bridging is not None

    def explained(self) -> Iterator[str]:
        """What stands below the chart."""
        text, tables = self.text, self.scenario.tables
        roads = any(kind == "ways" and tables.ways[id_].costs for kind, id_ in self.kinds)
        if CLOSED in self.signs:
            yield text["charts.terrain.closed_roads" if roads else "charts.terrain.closed"].format(sign=SHUT)
        if WHOLE in self.signs:
            yield text["charts.terrain.whole_told"].format(sign=text["charts.terrain.whole"])
        if any(n > 1 for n in self.across.values()):
            yield from _by_turns(self.scenario, text)
        lines = [tables.hexsides[id_] for kind, id_ in self.kinds if kind == "hexsides"]
        if any(line.costs for line in lines):
            yield text["charts.terrain.crossing"]
        bridging = [
            lowered(text.get(f"ways.{id_}") or spoken(id_))
            for kind, id_ in self.kinds
            if kind == "ways" and tables.ways[id_].bridges
        ]
        if bridging and any(line.water for line in lines):
            yield text["charts.terrain.bridges"].format(ways=", ".join(bridging))
        yield from self._shifts()

    def _shifts(self) -> Iterator[str]:
        """How the columns of ground and lines count together."""
        text, tables = self.text, self.scenario.tables
        effects = {
            ("terrain", id_): tables.terrain[id_].combat for kind, id_ in self.kinds if kind == "terrain"
        } | {("hexsides", id_): tables.hexsides[id_].combat for kind, id_ in self.kinds if kind == "hexsides"}
        if not any(effects.values()) and not (tables.fortified and tables.fortified.combat):
            return
        wet = [n for n, effect in tables.hexsides.items() if effect.water and effect.combat and not effect.additive]
        on_map = {run.kind for run in self.scenario.map.hexside_runs}
        called = dict.fromkeys((text.get(f"hexsides.{n}") or spoken(n)).lower() for n in wet if n in on_map)
        names = ", ".join(called)
        yield text["charts.terrain.left"].format(lines=names) if names else text["charts.terrain.left_dry"]


def _by_turns(scenario: Scenario, text: Text) -> Iterator[str]:
    """Which turns have which weather, where the turn says it."""
    game = scenario.game

    def spans(of: Mapping[str, tuple[int, int]]) -> str:
        return "; ".join(
            text["charts.terrain.turns"].format(weather=weather_words(text, [w]), turns=turns_words(text, span))
            for w, span in of.items()
        )

    if game.weather:
        yield text["charts.terrain.weather"].format(list=spans(game.weather))
        for area, of in game.weather_areas.items():
            yield f"{area_name(scenario, text, area)}: {spans(of)}."
