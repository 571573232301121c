"""The turn record as a chart: date, weather, air points, who comes and who goes.

Victory as a chart: objectives and other points, a column for each side, and how the game is won.

The sequence of play as a chart: phases of a turn, who acts in each and how far, and what is done in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from ...scenarios.schema.base import in_turns
from .charts_layout import (
    BODY,
    Block,
    Canvas,
    Cell,
    CellGrid,
    FilledRect,
    Paragraph,
    SideBySide,
    Stack,
    TextLine,
    colours,
    zebra,
)
from .condition_words import (
    Whose,
    area_name,
    formation_name,
    listed,
    mark_name,
    phase_words,
    place_name,
    row_of,
    side_name,
    turns_words,
    weather_words,
)
from .counters import side_colours
from .rule_words import bound_words, phase_steps, supply_words
from .templates import ModuleWords, halves_words, short

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...scenarios.model import Scenario, Text
    from ...scenarios.schema.base import Selector
    from ...scenarios.schema.game import PhaseSpec
    from ...scenarios.schema.setup import ExitScore, Level, Reinforcement, SuddenEnd, VictoryFile


def _edges(text: Text, names: Iterable[str]) -> str:
    named = text["charts.turns.or"].join(text.get(f"edges.{e}", e) for e in names)
    return text["charts.turns.by"].format(edges=named)


def _arrivals(scenario: Scenario, text: Text, turn: int) -> Iterator[str]:
    for r in scenario.setup.reinforcements:
        if r.turn == turn:
            yield _arrival(scenario, text, r)
    for w in scenario.setup.withdrawals:
        if w.turn == turn:
            leave = text["charts.turns.leave"].format(units=listed(scenario, text, w.units))
            back = "" if w.returns_turn is None else ", " + text["charts.turns.back"].format(turn=w.returns_turn)
            yield f"{leave}{back}."
    for a in scenario.game.rules.allegiance:
        if a.turn == turn:
            side = side_name(text, a.to)
            yield text["charts.turns.sworn"].format(side=side, units=whom(scenario, text, a, a.side or "")) + "."


def _arrival(scenario: Scenario, text: Text, r: Reinforcement) -> str:
    said = text.section("charts.turns")
    side = scenario.counters[r.units[0]].side
    parts = [said["enter"].format(side=side_name(text, side), units=listed(scenario, text, r.units))]
    if r.reduced:
        parts.append(said["reduced_1" if r.reduced == 1 else "reduced"].format(n=r.reduced))
    if r.edges:
        parts.append(_edges(text, r.edges))
    spots = [*r.hexes, *(place_name(scenario, text, p) for p in r.places)]
    spots += [area_name(scenario, text, a) for a in r.areas]
    if spots:
        parts.append(said["at"].format(hexes=", ".join(spots)))
    if r.near:
        near = said["near" if r.near.hexes > 1 else "beside"]
        parts.append(near.format(units=whom(scenario, text, r.near, side), n=r.near.hexes))
    if r.held:
        parts.append(said["held"])
    if r.group and len(r.edges) > 1:
        parts.append(said["together"])
    if r.optional:
        parts.append(said["optional"])
    if r.die is not None:
        shows = ", ".join(f"{name}: {count}" for name, count in r.die.shows.items())
        parts.append(said["die"].format(dice=r.die.dice, shows=shows))
    if r.until is not None and r.until > r.turn:
        parts.append(said["until"].format(turn=r.until))
    if r.phases:
        parts.append(said["only"].format(phases=row_of([text.get(f"phases.{p}", p) for p in r.phases])))
    return ", ".join(parts) + "."


def whom(scenario: Scenario, text: Text, who: Selector, side: str) -> str:
    """Of whom of a side a rule speaks: kinds, formations, counters, or else all of it."""
    if len(who.divisions) > 0 and not (who.types or who.units or who.marks):
        ids = [c.id for c in scenario.counters.values() if scenario.fits(who, c.id)]
        named = row_of([Whose(divisions=[d]).words(scenario, text) for d in who.divisions])
        # A number alone says little; the units that have it are known by name.
        return named if named != row_of(who.divisions) or not ids else listed(scenario, text, ids)
    return (
        Whose(None, who.types, who.divisions, who.units, who.marks).words(scenario, text)
        or text["charts.turns.own"]
    )


def _weather(scenario: Scenario, text: Text, turn: int) -> str:
    """The weather of a turn, or what the dice may make of it; areas with one of their own in lines of theirs."""
    rule = scenario.game.weather_die
    if rule is None:
        there = scenario.weather_by_area(turn)
        own = [f"{area_name(scenario, text, area)}: {short(text, 'weather', w)}" for area, w in there]
        return "\n".join([short(text, "weather", w) if (w := scenario.weather(turn)) else "—", *own])
    row = rule.row(turn)
    lines = [_thrown(text, row.shows)]
    lines += [f"{area_name(scenario, text, area)}: {_thrown(text, shows)}" for area, shows in row.areas.items()]
    return "\n".join(lines)


def _thrown(text: Text, shows: Mapping[str, str]) -> str:
    if len(shows) == 1:
        return short(text, "weather", next(iter(shows.values())))
    return ", ".join(f"{shown} {short(text, 'weather', weather)}" for shown, weather in shows.items())


def turns(scenario: Scenario, text: Text) -> Block:
    """A row a turn: date, weather, air points, who comes and who goes."""
    game = scenario.game
    by_turn = [r for r in scenario.tables.air if r.turns]
    keys = ["turn", "date", *(["weather"] if game.weathers else []), *(["air"] if by_turn else []), "arrivals"]
    heads = {key: text[f"charts.turns.{key}"] for key in keys}
    if game.weather_die is not None and game.weather_die.thrown:
        heads["weather"] += f" ({game.weather_die.dice})"
    rows = [[Cell(head, "heading", "start" if k == "arrivals" else "middle") for k, head in heads.items()]]
    dictionary = ModuleWords.of(scenario, text.language)
    for turn in range(game.turns.first, game.turns.last + 1):
        cells = [Cell(str(turn), "label", size=20), Cell(dictionary.turn_date(scenario, turn), "name")]
        if game.weathers:
            cells.append(Cell(_weather(scenario, text, turn)))
        if by_turn:
            points = next((r.points for r in by_turn if r.turns and in_turns(r.turns, turn)), 0)
            cells.append(Cell(str(points) if points else "—", "strong" if points else "plain"))
        arrivals = "\n".join(_arrivals(scenario, text, turn))
        cells.append(Cell(arrivals or "", "plain", "start", wide=True, size=15))
        rows.append([zebra(c, turn % 2 == 1) for c in cells])
    least = [58, 120, *([70] if game.weathers else []), *([52] if by_turn else []), 620]
    return CellGrid(rows, least=least, row_height=34)


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
    if e.phases:
        label += f" ({phase_words(text, e.phases)})"
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


_STEPS = 6
"""At most so many steps of a phase are looked for in the texts."""
_ACROSS = 4
"""So many runs of phases stand side by side, or fewer."""


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
        canvas.rects.append(FilledRect(x, y, width, 34, self.fill, colours()["frame"], 4))
        canvas.rects.append(FilledRect(x + 5, y + 5, 24, 24, self.ink, "", 12))
        canvas.texts.append(TextLine(x + 17, y + 23, str(self.number), 17, self.fill, 700, "middle"))
        canvas.texts.append(TextLine(x + 40, y + 23.5, self.text, 18, self.ink, 700))


def sequence(scenario: Scenario, text: Text) -> Block:
    """Phases of a turn in order, a column for each player's run of phases."""
    runs: list[list[Block]] = []
    before, played = "", scenario.game.sequence
    for number, spec in enumerate(played, 1):
        if spec.side != before:
            runs.append([])
            before = spec.side
        fill, ink = side_colours(scenario, spec.side)
        name = text.get(f"phases.{spec.name}", spec.name)
        alike = [n for n, p in enumerate(played, 1) if (p.side, p.name) == (spec.side, spec.name)]
        phase = name if spec.id else text["charts.sequence.phase"].format(phase=name)
        phase = f"{phase} {alike.index(number) + 1}" if len(alike) > 1 else phase
        runs[-1].append(_Banner(number, f"{side_name(text, spec.side)} · {phase}", fill, ink))
        own = [text.get(f"phase_steps.{spec.name}_{i}") for i in range(1, _STEPS + 1)]
        # A game that tells its steps in its own words has no need of ours.
        steps = own if any(own) else phase_steps(scenario, text, number - 1)
        told = [Paragraph(s, key="•", key_width=16, least=340) for s in steps if s]
        limits = _limits(scenario, spec, text)
        who = [Paragraph(limits, soft=True, least=340)] if limits else []
        runs[-1].append(Stack([*who, *told], gap=3))
    # Columns of equal shape, so that the same phases stand level; more than a page takes go on below.
    tiers = -(-len(runs) // _ACROSS)
    across = -(-len(runs) // tiers)
    rows = [row for at in range(0, len(runs), across) for row in _level(runs[at : at + across])]
    return Stack(
        [
            *rows,
            *_first(scenario, text),
            *_charts_sequence_weather(scenario, text),
            *(Paragraph(said) for said in supply_words(scenario, text)),
            Stack([Paragraph(said) for said in bound_words(scenario, text)], gap=5),
            Paragraph(text["charts.sequence.end"], soft=True),
        ],
        gap=16,
    )


def _level(runs: Sequence[Sequence[Block]]) -> Iterator[Block]:
    """Runs of phases side by side, phase by phase; each is two blocks, of which a run may have fewer."""
    for i in range(0, max(map(len, runs)), 2):
        yield SideBySide([Stack(run[i : i + 2] or [Paragraph("", least=340)], gap=8) for run in runs], even=True)


def _first(scenario: Scenario, text: Text) -> Iterator[Block]:
    """Who goes first, where dice say it."""
    rule = scenario.game.order_die
    if rule is not None:
        rows = "; ".join(f"{shown} {side_name(text, side)}" for shown, side in rule.shows.items())
        yield Paragraph(text["charts.sequence.first"].format(dice=rule.dice, rows=rows))


def _charts_sequence_weather(scenario: Scenario, text: Text) -> Iterator[Block]:
    """What the dice make of the weather, by turns, on the map and in areas with a weather of their own."""
    rule = scenario.game.weather_die
    for row in rule.rows if rule else ():
        told = "; ".join(
            (f"{area_name(scenario, text, area)}: " if area else "")
            + ", ".join(f"{shown} {weather_words(text, [weather])}" for shown, weather in shows.items())
            for area, shows in (("", row.shows), *row.areas.items())
        )
        when = turns_words(text, row.turns) if row.turns else ""
        key = "weather" if when or len(rule.rows if rule else ()) == 1 else "weather_else"
        if not row.areas and len(row.shows) == 1:
            # One alone needs no dice.
            key, told = f"{key}_fixed", weather_words(text, list(row.shows.values()))
        said = {"dice": rule.dice if rule else "", "turns": f" ({when})" if when else "", "rows": told}
        yield Paragraph(text[f"charts.sequence.{key}"].format(**said))


def _limits(scenario: Scenario, spec: PhaseSpec, text: Text) -> str:
    """Who alone acts in a phase, how far, when it is: by that two phases of a name are told apart."""
    said = text.section("charts.sequence")
    sides = Whose(types=spec.who, divisions=spec.divisions, marks=spec.marks).words(scenario, text)
    barred = row_of([mark_name(text, mark) for mark in spec.barred_marks])
    ways = row_of([text.get(f"ways.{way}", way) for way in spec.ways])
    rules = scenario.game.rules.movement
    parts = (
        said["only"].format(who=sides) if sides else "",
        said["but"].format(who=barred) if barred else "",
        *(said[one] for one in (spec.contact, spec.before) if one != "any"),
        _allowance(spec, text),
        *_zones(spec, text),
        said["along"].format(ways=ways) if ways else "",
        said["no_marches"] if rules.marches and not spec.marches else "",
        "" if spec.entry else said["no_entry"],
        turns_words(text, spec.turns) if spec.turns else "",
        said["in_weather"].format(weather=weather_words(text, spec.weather)) if spec.weather else "",
    )
    return "; ".join(filter(None, parts))


def _allowance(spec: PhaseSpec, text: Text) -> str:
    """How far units move in a phase, where it is not their own allowance."""
    far = spec.allowance
    if far.kind == "whole":
        return ""
    told = asdict(far)
    one = {"points": "point", "hexes": "hex"} if told.get(far.kind) == 1 else {}
    key = "part" if told.get("divide") and told.get("times", 1) > 1 else one.get(far.kind, far.kind)
    rounding = text[f"charts.sequence.{told['rounding']}"] if "rounding" in told else ""
    return text[f"charts.sequence.by_{key}"].format(**{**told, "rounding": rounding})


def _zones(spec: PhaseSpec, text: Text) -> Iterator[str]:
    """What enemy zones do in a phase, where it is something else than in others."""
    for key in ("enter", "leave", "between") if spec.zones else ():
        rule = getattr(spec.zones, key)
        if rule is not None:
            said = text[f"charts.sequence.zone_{key}_{rule.kind}"]
            yield said.format(n=halves_words(getattr(rule, "points", 0)))
