"""Weather that dice decide: thrown once a turn, in its phase, and in force until it is thrown again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexforge.scenarios.schema.dice import Dice, numbers
from hexforge.scenarios.schema.game import WeatherDie
from hexforge.scenarios.words import Term
from hexforge.validator.readers.statements import WeatherRoll
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.state import Phase, Position


def turned(ctx: Context, position: Position, turn: int) -> Position:
    """The weather as a turn begins: that of the turn before, but in turns whose weather needs no dice."""
    rule = ctx.scenario.game.weather_die
    if rule is None:
        return position
    first, *others = dict.fromkeys(rule.row(turn).shows.values())
    return replace(position, weather=position.weather if others and position.weather else first)


def opening(ctx: Context, position: Position, phase: Phase) -> str:
    """The weather in which a sheet begins with a phase; "" where the dice for it may still fall in that phase."""
    rule = ctx.scenario.game.weather_die
    if rule is not None and _now(rule, phase) and not position.ledger.weathered:
        return ""
    return position.weather or ctx.scenario.weather(phase.turn)


def judge_weather(ctx: Context, position: Position, statement: WeatherRoll) -> Outcome:
    """`weather 4`: the dice that give the turn's weather."""
    line, rule, phase = statement.line, ctx.scenario.game.weather_die, position.phase
    if rule is None or phase is None:
        return Outcome(position, (ctx.found(line, "weather-no-die"),))
    section = rule.section
    found = []
    if not Dice.of(rule.dice).shows(statement.faces):
        return Outcome(position, (ctx.found(line, "weather-dice", section=section, dice=rule.dice),))
    if position.ledger.weathered:
        found.append(ctx.found(line, "weather-twice", section=section))
    elif not _now(rule, phase) or (rule.phase is None and position.ledger.acted):
        found.append(ctx.found(line, "weather-late", section=section))
    roll = Dice.of(rule.dice).value(statement.faces)
    given = next((w for name, w in rule.row(phase.turn).shows.items() if roll in numbers(name)), position.weather)
    told = ctx.found(line, "weather-given", section=section, severity="info", weather=Term("weather", given))
    return Outcome(replace(position, weather=given).noted(weathered=True), (*found, told))


def missing(ctx: Context, position: Position, phase: Phase) -> Iterator[Finding]:
    """A finding at the end of the phase in which the weather was to be thrown, and was not."""
    rule = ctx.scenario.game.weather_die
    if rule is None or position.ledger.weathered or not _now(rule, phase):
        return
    if len(set(rule.row(phase.turn).shows.values())) > 1:
        yield ctx.found(phase.line, "weather-missing", section=rule.section, turn=phase.turn)


def _now(rule: WeatherDie, phase: Phase) -> bool:
    return phase.kind == rule.phase if rule.phase else 0 in phase.places
