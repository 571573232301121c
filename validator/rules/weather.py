"""Weather that dice decide: thrown once a turn, in its phase, and in force until it is thrown again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ...scenarios.schema.game import Sky, WeatherDie
from ...scenarios.schema.results import Dice
from ...scenarios.text.words import Term
from ..notation.statements import WeatherRoll
from .context import Context, Outcome
from .findings import Finding
from .position import Phase, Position


def turned(ctx: Context, position: Position, turn: int) -> Position:
    """The weather as a turn begins: that of the turn before, but in turns whose weather needs no dice."""
    rule = ctx.scenario.game.weather_die
    if rule is None:
        return position
    first, *others = _outcomes(rule, turn)
    return position if others and position.weather else _under(position, first)


def _under(position: Position, *skies: Sky) -> Position:
    """A position in the first of some weathers; if there are more, each of them may be the right one."""
    guesses = skies if len(skies) > 1 else ()
    return replace(position, weather=skies[0].weather, skies=skies[0].areas, guesses=guesses, marked_in={})


def supposed(position: Position, sky: Sky) -> Position:
    """The position in another of the weathers that it may be, with the marks that units have in it."""
    changed = {
        unit: {"marks": (position.units[unit].marks | more) - fewer}
        for unit, (more, fewer) in position.marked_in.get(sky, {}).items()
    }
    return replace(position.set_each(changed), weather=sky.weather, skies=sky.areas)


def taken_up(ctx: Context, position: Position, phase: Phase, *, over: bool = False) -> Position:
    """The weather where a sheet begins with a phase, or when it is `over`: that of the turn, or what it may be."""
    rule = ctx.scenario.game.weather_die
    if any(contradicted(ctx, position, phase, over=over)):
        return turned(ctx, position, phase.turn)
    if rule is None or (_now(ctx, rule, phase) and not over and not position.ledger.weathered):
        return position
    now, thrown = _outcomes(rule, phase.turn), _thrown_at(ctx, rule)
    known = (over and thrown in phase.places) or position.ledger.weathered or min(phase.places, default=0) > thrown
    rows = range(ctx.scenario.game.turns.first, ctx.scenario.game.turns.last + 1)
    may_be = now if known or len(now) == 1 else tuple(dict.fromkeys(s for t in rows for s in _outcomes(rule, t)))
    fitting = [sky for sky in may_be if sky.agrees(position.sky)]
    return _under(position, *(fitting or [position.sky] if position.weather else may_be))


def contradicted(ctx: Context, position: Position, phase: Phase, *, over: bool = False) -> Iterator[Finding]:
    """A warning where a position tells another weather than a turn has that needs no dice, and has it by now."""
    rule = ctx.scenario.game.weather_die
    if rule is None or not position.weather:
        return
    first, *others = _outcomes(rule, phase.turn)
    by_now = min(phase.places, default=0) > _thrown_at(ctx, rule) or (
        over and _thrown_at(ctx, rule) in phase.places
    )
    if by_now and not others and not first.agrees(position.sky):
        now, told = (Term("weather", weather) for weather in (first.weather, position.weather))
        line = phase.line or 1
        yield ctx.found(
            line,
            "weather-fixed",
            section=rule.section,
            severity="warning",
            turn=phase.turn,
            weather=now,
            declared=told,
        )


def opening(ctx: Context, position: Position, phase: Phase) -> str:
    """The weather in which a sheet begins with a phase; "" where its dice are not told, or may still fall."""
    rule = ctx.scenario.game.weather_die
    if rule is None:
        return ctx.scenario.weather(phase.turn)
    first, *others = _outcomes(rule, phase.turn)
    if not others:
        return first.weather
    return "" if _now(ctx, rule, phase) and not position.ledger.weathered else position.weather


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
    elif not _now(ctx, rule, phase) or (rule.phase is None and position.ledger.acted):
        found.append(ctx.found(line, "weather-late", section=section))
    roll = Dice.of(rule.dice).value(statement.faces)
    given = rule.skies(phase.turn).get(roll, position.sky)
    said = partial(ctx.found, line, section=section, severity="info")
    told = said("weather-given", weather=Term("weather", given.weather))
    there = (said("weather-there", weather=Term("weather", w), area=ctx.area(area)) for area, w in given.areas)
    return Outcome(_under(position, given).noted(weathered=True), (*found, told, *there))


def missing(ctx: Context, position: Position, phase: Phase) -> Iterator[Finding]:
    """A finding at the end of the phase in which the weather was to be thrown, and was not."""
    rule = ctx.scenario.game.weather_die
    if rule is None or position.ledger.weathered or not _now(ctx, rule, phase):
        return
    if len(_outcomes(rule, phase.turn)) > 1:
        yield ctx.found(phase.line, "weather-missing", section=rule.section, turn=phase.turn)


def _outcomes(rule: WeatherDie, turn: int) -> tuple[Sky, ...]:
    return tuple(dict.fromkeys(rule.skies(turn).values()))


def _thrown_at(ctx: Context, rule: WeatherDie) -> int:
    return next((i for i, spec in enumerate(ctx.scenario.game.sequence) if rule.phase in spec.names), 0)


def _now(ctx: Context, rule: WeatherDie, phase: Phase) -> bool:
    return rule.phase in ctx.names(phase) if rule.phase else 0 in phase.places
