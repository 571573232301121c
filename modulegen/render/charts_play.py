"""Charts of play: sequence of the turn, turn record with arrivals, victory points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.render.charts_grid import Cell, CellGrid, zebra
from hexforge.modulegen.render.charts_layout import (
    BODY,
    Block,
    Canvas,
    Paragraph,
    SideBySide,
    Stack,
    TextLine,
    colours,
)
from hexforge.modulegen.render.counters import colours as counter_colours
from hexforge.modulegen.render.ground_words import kind_name
from hexforge.modulegen.render.texts import short

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.phases import PhaseSpec
    from hexforge.scenarios.schema.rules_who import Selector
    from hexforge.scenarios.schema.victory import SuddenEnd, VictoryFile

_STEPS = 6
"""At most so many steps of a phase are looked for in the texts."""


def _side_name(text: Text, side: str) -> str:
    return text.get(f"sides.{side}.name") or text.get(f"sides.{side}", side.capitalize())


def _side_colours(scenario: Scenario, side: str) -> tuple[str, str]:
    palette = counter_colours(next(iter(scenario.side(side).branches.values())).counter)
    return palette["face"], palette["ink"]


@dataclass(frozen=True)
class _Banner:
    """A bar in a side's colour with a number and a heading."""

    number: int
    text: str
    fill: str
    ink: str

    @property
    def width(self) -> float:
        return 320

    def height(self, width: float) -> float:
        return 34

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        from hexforge.modulegen.render.charts_layout import FilledRect

        canvas.rects.append(FilledRect(x, y, width, 34, self.fill, colours()["frame"], 4))
        canvas.rects.append(FilledRect(x + 5, y + 5, 24, 24, self.ink, "", 12))
        canvas.texts.append(TextLine(x + 17, y + 23, str(self.number), 17, self.fill, 700, "middle"))
        canvas.texts.append(TextLine(x + 40, y + 23.5, self.text, 18, self.ink, 700))


def sequence(scenario: Scenario, text: Text) -> Block:
    """Phases of a turn in order, a column for each player's run of phases."""
    runs: list[list[Block]] = []
    before = ""
    for number, spec in enumerate(scenario.game.sequence, 1):
        if spec.side != before:
            runs.append([])
            before = spec.side
        fill, ink = _side_colours(scenario, spec.side)
        phase = text["charts.sequence.phase"].format(phase=text.get(f"phases.{spec.phase}", spec.phase))
        runs[-1].append(_Banner(number, f"{_side_name(text, spec.side)} · {phase}", fill, ink))
        steps = (text.get(f"phase_steps.{spec.phase}_{i}") for i in range(1, _STEPS + 1))
        told = [Paragraph(s, key="•", key_width=16, least=340) for s in steps if s]
        who = [Paragraph(limits, soft=True, least=340)] if (limits := _limits(spec, text)) else []
        runs[-1].append(Stack([*who, *told], gap=3))
    # Columns of equal shape, so that the same phases stand level.
    rows = [
        SideBySide([Stack(r[i : i + 2] or [Paragraph("", least=340)], gap=8) for r in runs])
        for i in range(0, max(map(len, runs)), 2)
    ]
    return Stack(
        [
            *rows,
            *_first(scenario, text),
            *_weather(scenario, text),
            Paragraph(text["charts.sequence.end"], soft=True),
        ],
        gap=16,
    )


def _first(scenario: Scenario, text: Text) -> Iterator[Block]:
    """Who goes first, where dice say it."""
    rule = scenario.game.order_die
    if rule is not None:
        rows = "; ".join(f"{shown} {_side_name(text, side)}" for shown, side in rule.shows.items())
        yield Paragraph(text["charts.sequence.first"].format(dice=rule.dice, rows=rows))


def _weather(scenario: Scenario, text: Text) -> Iterator[Block]:
    """What the dice make of the weather, by turns, on the map and in areas with a weather of their own."""
    rule = scenario.game.weather_die
    if rule is None:
        return
    names = {a.id: text.get(f"areas.{a.id}") or a.name or a.id for a in scenario.map.areas}
    for row in rule.rows:
        spans = [("", row.shows), *((f"{names.get(area, area)}: ", shows) for area, shows in row.areas.items())]
        read = [(place, [f"{n} {text.get(f'weather.{w}', w)}" for n, w in of.items()]) for place, of in spans]
        told = "; ".join(place + ", ".join(shown) for place, shown in read)
        when = text["charts.sequence.turns"].format(first=row.turns[0], last=row.turns[1]) if row.turns else ""
        key = "weather" if when or len(rule.rows) == 1 else "weather_else"
        if when and not row.areas and len(row.shows) == 1:
            key, told = "weather_fixed", text.get(f"weather.{next(iter(row.shows.values()))}", told)
        said = {"dice": rule.dice, "turns": f" ({when})" if when else "", "rows": told}
        yield Paragraph(text[f"charts.sequence.{key}"].format(**said))


def _limits(spec: PhaseSpec, text: Text) -> str:
    """Who alone acts in a phase, how far, when it is: by that two phases of a name are told apart."""
    names = [kind_name(text, id_) for id_ in spec.who]
    names += [text.get(f"formations.{spec.side}.{d}") or text.get(f"formations.{d}") or d for d in spec.divisions]
    who = _row_of(names)
    ways = _row_of([text.get(f"ways.{way}", way) for way in spec.ways])
    where = [text[f"charts.sequence.{one}"] for one in (spec.contact, spec.before) if one != "any"]
    allowance = _allowance(spec, text)
    turns = text["charts.sequence.turns"].format(first=spec.turns[0], last=spec.turns[1]) if spec.turns else ""
    weather = _row_of([text.get(f"weather.{w}", w) for w in spec.weather])
    return "; ".join(filter(None, (who, *where, allowance, ways, turns, weather)))


def _allowance(spec: PhaseSpec, text: Text) -> str:
    """How far units move in a phase, where it is not their own allowance."""
    far = spec.allowance
    if far.kind == "whole":
        return ""
    told = far.model_dump()
    key = "part" if told.get("divide") and told.get("times", 1) > 1 else far.kind
    rounding = text[f"charts.sequence.{told['rounding']}"] if "rounding" in told else ""
    return text[f"charts.sequence.by_{key}"].format(**{**told, "rounding": rounding})


def _listed(scenario: Scenario, text: Text, ids: Sequence[str]) -> str:
    """Few units by name, many by formation with their number."""
    units = [scenario.counters[i] for i in ids]
    names = [u.name(text.language) for u in units]
    if len(units) <= 3:
        return _row_of(names)
    grouped: dict[str, list[str]] = {}
    for unit, name in zip(units, names, strict=True):
        number = unit.division or unit.corps
        known = text.get(f"formations.{unit.side}.{number}") or text.get(f"formations.{number}")
        grouped.setdefault(known or number or name, []).append(name)
    return _row_of([f"{g} ({len(of)})" if len(of) > 1 else of[0] for g, of in grouped.items()])


def _row_of(names: Sequence[str]) -> str:
    """Names after each other; with semicolons where a name has a comma itself."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


def _edges(text: Text, names: Iterable[str]) -> str:
    named = text["charts.turns.or"].join(text.get(f"edges.{e}", e) for e in names)
    return text["charts.turns.by"].format(edges=named)


def _arrivals(scenario: Scenario, text: Text, turn: int) -> list[str]:
    found: list[str] = []
    for r in scenario.setup.reinforcements:
        if r.turn == turn:
            units = _listed(scenario, text, r.units)
            side = _side_name(text, scenario.counters[r.units[0]].side)
            parts = [text["charts.turns.enter"].format(side=side, units=units)]
            if r.edges:
                parts.append(_edges(text, r.edges))
            if r.hexes:
                parts.append(text["charts.turns.at"].format(hexes=", ".join(r.hexes)))
            if r.near:
                near = text["charts.turns.near" if r.near.hexes > 1 else "charts.turns.beside"]
                parts.append(near.format(units=_near(scenario, text, r.near), n=r.near.hexes))
            if r.optional:
                parts.append(text["charts.turns.optional"])
            found.append(", ".join(parts) + ".")
    for w in scenario.setup.withdrawals:
        if w.turn == turn:
            leave = text["charts.turns.leave"].format(units=_listed(scenario, text, w.units))
            back = "" if w.returns_turn is None else ", " + text["charts.turns.back"].format(turn=w.returns_turn)
            found.append(f"{leave}{back}.")
    for a in scenario.game.rules.allegiance:
        if a.turn == turn:
            side = _side_name(text, a.to)
            found.append(text["charts.turns.sworn"].format(side=side, units=_near(scenario, text, a)) + ".")
    return found


def _near(scenario: Scenario, text: Text, who: Selector) -> str:
    """Of whom a rule speaks: kinds, formations, counters, or else all of a side."""
    counters = _listed(scenario, text, who.units) if who.units else ""
    formations = [text.get(f"formations.{d}") or d for d in who.divisions]
    names = [*(kind_name(text, id_) for id_ in who.types), *formations, *([counters] if counters else [])]
    return _row_of(names) or text["charts.turns.own"]


def turns(scenario: Scenario, text: Text) -> Block:
    """A row a turn: date, weather, air points, who comes and who goes."""
    from hexforge.modulegen.words import ModuleWords

    game = scenario.game
    by_turn = [r for r in scenario.tables.air if r.turns]
    keys = ["turn", "date", *(["weather"] if game.weather else []), *(["air"] if by_turn else []), "arrivals"]
    areas = {a.id: text.get(f"areas.{a.id}") or a.name or a.id for a in scenario.map.areas}
    rows = [[Cell(text[f"charts.turns.{k}"], "heading", "start" if k == "arrivals" else "middle") for k in keys]]
    dictionary = ModuleWords.of(scenario, text.language)
    for turn in range(game.turns.first, game.turns.last + 1):
        cells = [Cell(str(turn), "label", size=20), Cell(dictionary.turn_date(scenario, turn), "name")]
        if game.weather:
            weather = scenario.weather(turn)
            there = scenario.weather_by_area(turn)
            own = [f"{areas.get(area, area)}: {short(text, 'weather', w)}" for area, w in there]
            cells.append(Cell("\n".join([short(text, "weather", weather), *own])))
        if by_turn:
            points = next((r.points for r in by_turn if r.turns and r.turns[0] <= turn <= r.turns[1]), 0)
            cells.append(Cell(str(points) if points else "—", "strong" if points else "plain"))
        arrivals = "\n".join(_arrivals(scenario, text, turn))
        cells.append(Cell(arrivals or "", "plain", "start", wide=True, size=15))
        rows.append([zebra(c, turn % 2 == 1) for c in cells])
    least = [58, 120, *([70] if game.weather else []), *([52] if by_turn else []), 620]
    return CellGrid(rows, least=least, row_height=34)


def _place(scenario: Scenario, text: Text, id_: str) -> str:
    place = scenario.map.place.get(id_)
    return text.get(f"places.{id_}") or (place.name if place else id_)


def _destroyed(v: VictoryFile, text: Text) -> str:
    """What the points for destruction are given for."""
    if v.destroyed_every == 1:
        one = {"units": "destroyed", "steps": "destroyed_step", "factors": "destroyed_factor"}[v.destroyed_counted]
        return text[f"charts.victory.{one}"]
    return text[f"charts.victory.destroyed_{v.destroyed_counted}"].format(n=v.destroyed_every)


def _sudden(scenario: Scenario, text: Text, end: SuddenEnd) -> str:
    """How a side wins before the last turn is over: every condition that must hold."""
    said = text.section("charts.victory")
    places = _row_of([_place(scenario, text, place) for place in end.place])
    how = [said["sudden_place"].format(places=places)] if places else []
    how += [
        said[f"sudden_{key}"].format(n=getattr(end, key))
        for key in ("points", "lead")
        if getattr(end, key) is not None
    ]
    how += [said["sudden_none_left"]] if end.none_left else []
    how += [said["sudden_turns"].format(first=end.turns[0], last=end.turns[1])] if end.turns else []
    return said["sudden"].format(side=_side_name(text, end.side), how=", ".join(how))


def victory(scenario: Scenario, text: Text) -> Block:
    """Objectives and other points, a column for each side."""
    v = scenario.victory
    sides = [s.id for s in scenario.game.sides]
    heads = [Cell(_side_name(text, s), "label", fill=_side_colours(scenario, s)[0]) for s in sides]
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
        add(" + ".join(_place(scenario, text, p) for p in o.place) + turn, dict(o.points))
    add(_destroyed(v, text), dict(v.destroyed), bold=False)
    for e in v.exits:
        division = (
            text.get(f"formations.{e.side}.{e.division}")
            or text.get(f"formations.{e.division}")
            or e.division
            or text.get(f"units_of.{e.side}", e.side)
        )
        edge = text.get(f"edges.{e.edge}", e.edge)
        kind = "exit" if e.counted == "units" else f"exit_{e.counted}"
        label = text[f"charts.victory.{kind}"].format(division=division, edge=edge, turn=e.last_turn)
        if e.hexes:
            label += f", {text['charts.victory.exit_hexes'].format(hexes=', '.join(e.hexes))}"
        if e.after_place:
            label += f", {text['charts.victory.after'].format(place=_place(scenario, text, e.after_place))}"
        add(label, {e.side: e.points}, bold=False)
    add(text["charts.victory.no_exit"], dict(v.no_exit_bonus), bold=False)
    names = {a.id: a.name for a in scenario.map.areas}
    for side, areas in v.beyond_area.items():
        for area, points in areas.items():
            named = text.get(f"areas.{area}") or names.get(area) or area
            add(text["charts.victory.beyond"].format(area=named), {side: points}, bold=False)
    notes: list[Block] = []
    if v.final_losses:
        losers = ", ".join(_side_name(text, s) for s in v.final_losses)
        told = text["charts.victory.final_losses"].format(sides=losers, n=v.final_loss_every)
        notes.append(Paragraph(told, soft=True))
    notes += [Paragraph(_sudden(scenario, text, end), soft=True) for end in v.sudden]
    for level in v.levels:
        name = text.get(f"levels.{level.name}", level.name.replace("_", " "))
        reach = text[f"charts.victory.by_{level.by}"].format(n=f"{level.least:g}")
        side = _side_name(text, level.measured) if level.measured else ""
        # A name that has the side's in it needs it no second time.
        who = f" ({side})" if side and side.lower() not in name.lower() else ""
        notes.append(Paragraph(f"{name}{who}: {reach}" if level.least else f"{name}{who}", soft=True))
    if not v.levels:
        notes.append(Paragraph(text["charts.victory.winner"], soft=True))
    return Stack([CellGrid(rows, least=[360, 120, 120], row_height=28), Stack(notes, gap=2)])
