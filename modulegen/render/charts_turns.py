"""The turn record as a chart: date, weather, air points, who comes and who goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hexforge.modulegen.render.charts_grid import Cell, CellGrid, zebra
from hexforge.modulegen.render.charts_layout import Block
from hexforge.modulegen.render.texts import short
from hexforge.modulegen.render.who_words import Whose, area_name, listed, place_name, row_of, side_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.rules_who import Selector
    from hexforge.scenarios.schema.setup import Reinforcement


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
    if r.group and len(r.edges) > 1:
        parts.append(said["together"])
    if r.optional:
        parts.append(said["optional"])
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
    from hexforge.modulegen.words import ModuleWords

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
            points = next((r.points for r in by_turn if r.turns and r.turns[0] <= turn <= r.turns[1]), 0)
            cells.append(Cell(str(points) if points else "—", "strong" if points else "plain"))
        arrivals = "\n".join(_arrivals(scenario, text, turn))
        cells.append(Cell(arrivals or "", "plain", "start", wide=True, size=15))
        rows.append([zebra(c, turn % 2 == 1) for c in cells])
    least = [58, 120, *([70] if game.weathers else []), *([52] if by_turn else []), 620]
    return CellGrid(rows, least=least, row_height=34)
