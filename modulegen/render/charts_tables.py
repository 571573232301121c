"""The tables of a game as charts: combat results, bombardment, vulnerability, air power."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.render.charts_grid import Cell, CellGrid, zebra
from hexforge.modulegen.render.charts_layout import BODY, Block, Heading, Paragraph, SideBySide, Stack, colours
from hexforge.modulegen.render.counters import symbol
from hexforge.modulegen.render.ground_words import limit_words, most_words, other_words
from hexforge.modulegen.render.result_words import told
from hexforge.modulegen.render.texts import column_head, spoken
from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.schema.columns import ByOdds, lower_bound, upper_bound

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.tables import ResultTable


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
        if rule.table != "crt" and not isinstance(rule.what, m.Barred | m.Stays | m.Morale):
            ground |= any(isinstance(one, m.InTerrain) and one.of == "defenders" for one in rule.when)
            crossed |= any(isinstance(one, m.AcrossHexside) for one in rule.when)
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


def _thrown(table: ResultTable, text: Text) -> str:
    """What heads the rows: the dice, or the die."""
    return text["charts.crt.dice" if table.thrown.count > 1 else "charts.crt.die"]
