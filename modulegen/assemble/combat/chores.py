"""What else a turn asks of players, each told as a line of a sheet.

Weather by dice, units that rally or are tested, overruns, attrition, dice for losses, the strength that a unit
turns out to have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat.desk import CombatDesk
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan.chores import RoleName, attrition_dice, loss_dice, morale_dice, rallies, taken
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make
from hexforge.scenarios.schema.dice import Dice

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan

HOTKEY_WEATHER, HOTKEY_OVERRUN, HOTKEY_ORDER = t.alt("Y"), t.alt("O"), t.alt("I")
HOTKEYS_LOSS: dict[RoleName, t.Key] = {"attacker": t.alt("J"), "defender": t.alt("K")}
TIPS: dict[RoleName, str] = {"attacker": "lossroll_attacker", "defender": "lossroll_defender"}
WEATHER, RALLY, ATTRITION, MORALE = "WeatherDice", "RallyDice", "AttritionDice", "MoraleDice"
ORDER = "OrderDice"
LOSSES: dict[RoleName, str] = {"attacker": "AttackerLossDice", "defender": "DefenderLossDice"}
_KEY_WEATHER, _KEY_RALLY = t.named(WEATHER), t.named(RALLY)
STRENGTH, MARK = "WorkStrength", "WorkMark"


def dice(plan: Plan) -> Iterator[Element]:
    """The dice of weather, rallies, attrition, tests and losses, which have no buttons of their own."""
    thrown = plan.scenario.game.weather_die
    if thrown is not None:
        yield _die(plan, WEATHER, _KEY_WEATHER, thrown.dice)
    rally = rallies(plan.scenario)
    if rally is not None and rally.dice:
        yield _die(plan, RALLY, _KEY_RALLY, rally.dice)
    order = plan.scenario.game.order_die
    if order is not None:
        yield _die(plan, ORDER, t.named(ORDER), order.dice)
    for name, worn in ((ATTRITION, attrition_dice(plan.scenario)), (MORALE, morale_dice(plan.scenario))):
        if worn:
            yield _die(plan, name, t.named(name), worn)
    for part, text in loss_dice(plan.scenario).items():
        yield _die(plan, LOSSES[part], t.named(LOSSES[part]), text)


def _die(plan: Plan, name: str, key: t.Key, text: str) -> Element:
    thrown = Dice.of(text)
    told = plan.words("report.dice").replace("$name$", str(thrown))
    return make(
        "DiceButton", name=name, icon="", hotkey=key, nDice=thrown.count, nSides=thrown.faces, reportFormat=told
    )


def weather(plan: Plan, desk: CombatDesk) -> tuple[t.Key, ...]:
    """What the button of the weather presses."""
    return (_KEY_WEATHER, _faces(desk, WEATHER), desk.tell(plan.words("tell.weather")))


def order(plan: Plan, desk: CombatDesk) -> tuple[t.Key, ...]:
    """What the button of who goes first presses."""
    return (t.named(ORDER), _faces(desk, ORDER), desk.tell(plan.words("tell.initiative")))


def rally(plan: Plan, desk: CombatDesk, said: str) -> tuple[t.Key, ...]:
    """What follows when a unit is to rally; `said` is the line about it."""
    rule = rallies(plan.scenario)
    thrown = (_KEY_RALLY, _faces(desk, RALLY)) if rule is not None and rule.dice else ()
    return (*thrown, desk.tell(f"{{{said}}}"))


def throw(desk: CombatDesk, name: str, said: str) -> tuple[t.Key, ...]:
    """What follows when dice are thrown for a unit, as for attrition; `said` is the line about it."""
    return (t.named(name), _faces(desk, name), desk.tell(f"{{{said}}}"))


def turn_up(plan: Plan, desk: CombatDesk, said: str) -> tuple[t.Key, ...]:
    """What follows when an untried unit is turned up: its strength is asked for, and told."""
    return (desk.ask(STRENGTH, plan.words("combat.strength_prompt")), desk.tell(f"{{{said}}}"))


def mark(plan: Plan, desk: CombatDesk, said: str) -> tuple[t.Key, ...]:
    """What follows when a unit takes a mark: of several the player chooses one; of none nothing is told."""
    marks = taken(plan.scenario)
    first = desk.set(MARK, quoted(marks[0] if len(marks) == 1 else ""))
    chosen = (desk.choose(MARK, plan.words("combat.mark_prompt"), marks),) if len(marks) > 1 else ()
    return (first, *chosen, desk.tell_if(f"!{MARK}.isEmpty()", f"{{{said}}}"))


def losses(plan: Plan, desk: CombatDesk, part: RoleName) -> tuple[t.Key, ...]:
    """What the button of a part's losses presses."""
    return (
        t.named(LOSSES[part]),
        _faces(desk, LOSSES[part]),
        desk.tell(plan.words(f"tell.lossroll_{part}")),
    )


def _faces(desk: CombatDesk, name: str) -> t.Key:
    return desk.set(n.FACES, f'{name}_result.replace(",", " ")')
