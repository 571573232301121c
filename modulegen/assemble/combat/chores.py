"""What else a turn asks of players: weather by dice, units that rally, overruns; each told as a line of a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat.desk import CombatDesk
from hexforge.modulegen.plan.chores import rallies
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make
from hexforge.scenarios.schema.dice import Dice

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan

HOTKEY_WEATHER, HOTKEY_OVERRUN = t.alt("Y"), t.alt("O")
WEATHER, RALLY = "WeatherDice", "RallyDice"
_KEY_WEATHER, _KEY_RALLY = t.named(WEATHER), t.named(RALLY)


def dice(plan: Plan) -> Iterator[Element]:
    """The dice of weather and of rallies, which have no buttons of their own."""
    thrown = plan.scenario.game.weather_die
    if thrown is not None:
        yield _die(plan, WEATHER, _KEY_WEATHER, thrown.dice)
    rally = rallies(plan.scenario)
    if rally is not None and rally.dice:
        yield _die(plan, RALLY, _KEY_RALLY, rally.dice)


def _die(plan: Plan, name: str, key: t.Key, text: str) -> Element:
    thrown = Dice.of(text)
    told = plan.words("report.dice").replace("$name$", str(thrown))
    return make(
        "DiceButton", name=name, icon="", hotkey=key, nDice=thrown.count, nSides=thrown.faces, reportFormat=told
    )


def weather(plan: Plan, desk: CombatDesk) -> tuple[t.Key, ...]:
    """What the button of the weather presses."""
    return (_KEY_WEATHER, _faces(desk, WEATHER), desk.tell(plan.words("tell.weather")))


def rally(plan: Plan, desk: CombatDesk, said: str) -> tuple[t.Key, ...]:
    """What follows when a unit is to rally; `said` is the line about it."""
    rule = rallies(plan.scenario)
    thrown = (_KEY_RALLY, _faces(desk, RALLY)) if rule is not None and rule.dice else ()
    return (*thrown, desk.tell(f"{{{said}}}"))


def _faces(desk: CombatDesk, name: str) -> t.Key:
    return desk.set(n.FACES, f'{name}_result.replace(",", " ")')
