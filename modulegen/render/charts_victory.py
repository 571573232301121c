"""Victory as a chart: objectives and other points, a column for each side, and how the game is won."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from hexforge.modulegen.render.charts_grid import Cell, CellGrid, zebra
from hexforge.modulegen.render.charts_layout import BODY, Block, Paragraph, Stack
from hexforge.modulegen.render.counters import side_colours
from hexforge.modulegen.render.who_words import (
    area_name,
    formation_name,
    place_name,
    row_of,
    side_name,
    turns_words,
)

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.victory import ExitScore, Level, SuddenEnd, VictoryFile

_STEM: Final = 4
"""Letters by which a name and an adjective made of it begin alike: Soviets, Soviet; Franks, Frankish."""


def _destroyed(v: VictoryFile, text: Text) -> str:
    """What the points for destruction are given for."""
    if v.destroyed_every == 1:
        one = {"units": "destroyed", "steps": "destroyed_step", "factors": "destroyed_factor"}[v.destroyed_counted]
        return text[f"charts.victory.{one}"]
    return text[f"charts.victory.destroyed_{v.destroyed_counted}"].format(n=v.destroyed_every)


def _sudden(scenario: Scenario, text: Text, end: SuddenEnd) -> str:
    """How a side wins before the last turn is over: every condition that must hold."""
    said = text.section("charts.victory")
    places = row_of([place_name(scenario, text, place) for place in end.place])
    how = [said["sudden_place"].format(places=places)] if places else []
    how += [
        said[f"sudden_{key}"].format(n=getattr(end, key))
        for key in ("points", "lead")
        if getattr(end, key) is not None
    ]
    how += [said["sudden_none_left"]] if end.none_left else []
    how += [said["sudden_at"]] if end.at == "turn" else []
    how += [said["sudden_in"].format(turns=turns_words(text, end.turns))] if end.turns else []
    return said["sudden"].format(side=side_name(text, end.side), how=", ".join(how))


def victory(scenario: Scenario, text: Text) -> Block:
    """Objectives and other points, a column for each side."""
    v = scenario.victory
    sides = [s.id for s in scenario.game.sides]
    heads = [Cell(side_name(text, s), "label", fill=side_colours(scenario, s)[0]) for s in sides]
    rows: list[list[Cell]] = [[Cell(text["charts.victory.objective"], "heading", "start"), *heads]]

    def add(label: str, points: dict[str, int], bold: bool = True) -> None:
        if not any(points.values()):
            return
        cells = [Cell(label, "name" if bold else "plain", "start", wide=True)]
        cells += [Cell(str(points[s]) if points.get(s) else "—", "name", size=BODY + 2) for s in sides]
        rows.append([zebra(c, len(rows) % 2 == 0) for c in cells])

    most = sorted(v.objectives, key=lambda o: -max(o.points.values(), default=0))
    for o in most:
        turn = f" ({text['charts.victory.each_turn']})" if o.each_turn else ""
        if o.at_turns:
            turn = f" ({text['charts.victory.at_turns'].format(turns=', '.join(map(str, o.at_turns)))})"
        add(" + ".join(place_name(scenario, text, p) for p in o.place) + turn, dict(o.points))
    add(_destroyed(v, text), dict(v.destroyed), bold=False)
    for e in v.exits:
        add(_exit(scenario, text, e), {e.side: e.points}, bold=False)
    add(text["charts.victory.no_exit"], dict(v.no_exit_bonus), bold=False)
    for side, areas in v.beyond_area.items():
        for area, points in areas.items():
            named = area_name(scenario, text, area)
            add(text["charts.victory.beyond"].format(area=named), {side: points}, bold=False)
    notes: list[Block] = []
    if v.final_losses:
        losers = ", ".join(side_name(text, s) for s in v.final_losses)
        told = text["charts.victory.final_losses"].format(sides=losers, n=v.final_loss_every)
        notes.append(Paragraph(told, soft=True))
    notes += [Paragraph(_sudden(scenario, text, end), soft=True) for end in v.sudden]
    notes += [Paragraph(said, soft=True) for said in _levels(v, text)]
    if not v.levels:
        notes.append(Paragraph(text["charts.victory.winner"], soft=True))
    return Stack([CellGrid(rows, least=[360, 120, 120], row_height=28), Stack(notes, gap=2)])


def _exit(scenario: Scenario, text: Text, e: ExitScore) -> str:
    """Whose units score by leaving, what of them counts, where and until when."""
    said = text.section("charts.victory")
    kind = "exit" if e.counted == "units" else f"exit_{e.counted}"
    edge = text.get(f"edges.{e.edge}", e.edge)
    if e.division:
        division = formation_name(scenario, text, e.division, e.side)
        label = said[kind].format(division=division, edge=edge, turn=e.last_turn)
    else:
        label = said[f"any_{kind}"].format(edge=edge, turn=e.last_turn)
    if e.hexes:
        label += f", {said['exit_hexes'].format(hexes=', '.join(e.hexes))}"
    if e.after_place:
        label += f", {said['after'].format(place=place_name(scenario, text, e.after_place))}"
    return label


def _levels(v: VictoryFile, text: Text) -> Iterator[str]:
    """How well a side has won, the best level first, each with what it takes."""
    for level in v.levels:
        name = text.get(f"levels.{level.name}") or level.name.replace("_", " ")
        yield f"{name[:1].upper()}{name[1:]}: {_reach(v, text, level, name)}"


def _reach(v: VictoryFile, text: Text, level: Level, name: str) -> str:
    """What a level takes; the side whose points are meant is told where the level's name does not tell it."""
    said = text.section("charts.victory")
    last = level is v.levels[-1]
    if level.by == "ratio" and level.least:
        reach = said["by_ratio"].format(n=f"{level.least:g}")
    elif level.least > 0:
        reach = said[f"by_{level.by}"].format(n=f"{level.least:g}")
    elif level.by == "lead" and level.measured and not (last and level.least == 0):
        reach = said["by_behind" if level.least else "by_equal"].format(n=f"{-level.least:g}")
    else:
        return said["otherwise"]
    side = side_name(text, level.measured) if level.measured else ""
    meant = level.of in (None, level.side) and _tells(name, side)
    return reach if meant or not side else f"{reach} ({side})"


def _tells(name: str, side: str) -> bool:
    """Whether a name has a side's in it, or an adjective that is made of it."""
    pairs = product(*(normalize("NFKD", words).casefold().split() for words in (name, side)))
    return any(a == b or (len(b) >= _STEM and a[:_STEM] == b[:_STEM]) for a, b in pairs)
