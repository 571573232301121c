"""The combat that is being declared: what VASSAL remembers of it, how it works it out, what it tells in the chat.

A combat is a few global properties. Counters that fight are marked (`counters`), points and shifts are asked for by
buttons. When the dice are asked for, the counters add themselves to the properties, group by group; expressions
go on from there step by step (`figures`, `odds`); and the lines of a turn sheet are written into the chat (`told`),
all in one step of the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import air
from hexforge.modulegen.assemble.combat import chores, deeds, drops, filters, tasks
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat.calls import called
from hexforge.modulegen.assemble.combat.desk import CombatDesk
from hexforge.modulegen.assemble.combat.rolls import airstrike, assault, bombard, guns, overrun, preview
from hexforge.modulegen.assemble.expressions import keys, quoted
from hexforge.modulegen.assemble.strokes import KEY_PHASE
from hexforge.modulegen.plan.chores import loss_dice, overruns
from hexforge.modulegen.plan.combats import works_out
from hexforge.modulegen.plan.markers import has_air, icon, may_strike
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan
    from hexforge.scenarios.schema.tables import ResultTable


@dataclass(frozen=True)
class CombatParts:
    """The parts of a module that combats need."""

    properties: tuple[Element, ...]
    buttons: tuple[Element, ...]
    air: tuple[tuple[t.Key, t.PropertyChange], ...]
    """What else changes the count of air points."""


def combat(plan: Plan) -> CombatParts:
    """All that a game's module needs for combats."""
    desk = CombatDesk()
    buttons = [*deeds.hearing(plan, desk, list(_aiming(desk)), filters.watched(plan, desk)), *_buttons(plan, desk)]
    desk.changes[n.TASK] = [*desk.changes.get(n.TASK, ()), *tasks.changes(plan)]
    buttons += [*tasks.highlight(plan, desk), *tasks.dice(plan), *chores.dice(plan), *tasks.buttons(plan)]
    for name in (n.FOUGHT, n.FIRED):
        desk.changes.setdefault(name, []).append((KEY_PHASE, t.PropertyChange("P", "")))
    buttons += filters.menu(plan, desk)
    air_changes = tuple(desk.changes.pop(air.AIR, ()))
    return CombatParts(tuple(_properties(plan, desk)), (*desk.hidden, *buttons), air_changes)


# ------------------------------------------------------------------------------------------- properties


_NUMBERS = {n.POINTS: (0, 99), n.OFFBOARD: (0, 999), n.SHIFT: (-9, 9)}
_TEXTS = frozenset(
    (
        n.TARGET,
        n.RECORD,
        n.BLANK,
        n.ATTACKERS,
        n.GUNS,
        n.GUARDS,
        n.DEFENDERS,
        n.STAGE,
        n.REASON,
        n.FOUGHT,
        n.FIRED,
        n.HEARD,
        n.GOAL,
        n.WHO,
        n.TASK,
        tasks.BEYOND,
        chores.MARK,
    )
)


def _properties(plan: Plan, desk: CombatDesk) -> Iterator[Element]:
    """Every property that is counted with, with the keys that change it."""
    for name in (n.TARGET, n.RECORD, n.BLANK, n.ZERO):
        desk.changes.setdefault(name, [])
    yield make("GlobalProperty", name=n.TALLY, initialValue=n.STROKE * _greatest(plan))
    if known := drops.boxes(plan):
        yield make("GlobalProperty", name=n.BOXES, initialValue=known)
    for name, several in desk.changes.items():
        lowest, highest = _NUMBERS.get(name, (0, 0))
        yield make(
            "GlobalProperty",
            *[make("ChangePropertyButton", hotkey=key, propChanger=change) for key, change in several],
            name=name,
            initialValue="" if name in _TEXTS else "0",
            isNumeric=name in _NUMBERS,
            min=lowest,
            max=highest or 100,
        )


def _greatest(plan: Plan) -> int:
    """The greatest number that a counter can bring to a combat."""
    strengths = (max(c.attack, c.defence) for c in plan.scenario.counters.values())
    hurt = (n for row in plan.scenario.tables.vulnerability.values() for n in row.values())
    return max([0, *strengths, *hurt])


# ---------------------------------------------------------------------------------------------- buttons


def _aiming(desk: CombatDesk) -> Iterator[t.Key]:
    """What follows when a hex is named as the target: its counters are marked, those of another one no longer."""
    yield desk.set(n.TARGET, f'"h" + {called("LocationName")} + ":" + {called("Side")}')
    yield from desk.mark(f"Role == {n.DEFEND} && !{n.IN_TARGET}", 0)
    yield from desk.mark(f"Role != {n.DEFEND} && {n.IN_TARGET}", n.DEFEND)


def _buttons(plan: Plan, desk: CombatDesk) -> Iterator[Element]:
    words, tables = plan.words, plan.scenario.tables
    clear = _clear(plan, desk)
    yield from _dice(plan, tables.crt)
    yield _button(plan, "dice2", n.HOTKEY_ROLL, assault(plan, desk, clear), "dice_2", text=plain_dice(plan))
    if works_out(plan.scenario):
        yield _button(plan, "preview", n.HOTKEY_PREVIEW, preview(plan, desk), "preview")
    if overruns(plan.scenario) is not None:
        yield _button(plan, "overrun", chores.HOTKEY_OVERRUN, overrun(plan, desk, clear), "overrun")
    if plan.scenario.game.weather_die is not None:
        yield _button(plan, "weather", chores.HOTKEY_WEATHER, chores.weather(plan, desk), "weather")
    if plan.scenario.game.order_die is not None:
        yield _button(plan, "initiative", chores.HOTKEY_ORDER, chores.order(plan, desk), "dice_1")
    for part in loss_dice(plan.scenario):
        pressed = chores.losses(plan, desk, part)
        yield _button(plan, chores.TIPS[part], chores.HOTKEYS_LOSS[part], pressed, "losses")
    if tables.bombardment is not None:
        yield _button(plan, "bombard", n.HOTKEY_BOMBARD, bombard(plan, desk, clear), "bombard")
        if may_strike(plan.scenario):
            yield _button(plan, "airstrike", n.HOTKEY_AIRSTRIKE, airstrike(plan, desk, clear), "airstrike")
    if has_guns(plan):
        yield _button(plan, "guns", n.HOTKEY_GUNS, guns(plan, desk), "guns")
    if flies(plan):
        more = [desk.set(n.POINTS, f"{n.POINTS} < {air.AIR} ? {n.POINTS} + 1 : 0")]
        yield _button(plan, "combat_air", n.HOTKEY_AIR, more, "air", text=f"${n.POINTS}$")
    if plan.scenario.game.rules.combat.artillery.offboard:
        ask = [desk.ask(n.OFFBOARD, words("combat.offboard_prompt"))]
        yield _button(plan, "offboard", n.HOTKEY_OFFBOARD, ask, "offboard", text=f"${n.OFFBOARD}$")
    ask = [desk.ask(n.SHIFT, words("combat.shift_prompt")), desk.ask(n.REASON, words("combat.reason_prompt"))]
    yield _button(plan, "shift", n.HOTKEY_SHIFT, ask, "shift", text=f"${n.SHIFT}$")
    yield _button(plan, "clear_combat", n.HOTKEY_CLEAR, [clear], "clear")


def plain_dice(plan: Plan) -> str:
    """What the dice of combats are called, which are thrown as well where no combat is declared."""
    thrown = plan.scenario.tables.crt.thrown
    two = (thrown.count, thrown.faces) == (2, 6)
    return plan.words("button.dice2") if two else f"{thrown.count}d{thrown.faces}"


def has_guns(plan: Plan) -> bool:
    """Whether the game has guns that support combats from afar, and works combats out."""
    return works_out(plan.scenario) and any(u.counter.range is not None for u in plan.units.values())


def flies(plan: Plan) -> bool:
    """Whether air points can be spent in a combat."""
    return has_air(plan.scenario) and plan.scenario.game.rules.combat.air is not None


def _button(
    plan: Plan, tip: str, hotkey: t.Key, pressed: Iterable[t.Key], image: str, *, text: str = ""
) -> Element:
    told = plan.words(f"button.{tip}_tip", **({"dice": plain_dice(plan)} if tip == "dice2" else {}))
    return make(
        "DoActionButton",
        name=told,
        text=text,
        tooltip=told,
        icon=icon(image),
        hotkey=hotkey,
        doHotkey=True,
        hotkeys=keys(*pressed),
    )


def _dice(plan: Plan, table: ResultTable) -> Iterator[Element]:
    """The dice of combats, and the plain ones that are thrown while no combat is declared; neither has a button."""
    count, faces, told, name = table.thrown.count, table.thrown.faces, plan.words("report.dice"), plain_dice(plan)
    for die, hotkey, report in ((name, n.KEY_PLAIN, told), (n.DICE, n.KEY_THROW, told.replace("$name$", name))):
        yield make("DiceButton", name=die, icon="", hotkey=hotkey, nDice=count, nSides=faces, reportFormat=report)


def _clear(plan: Plan, desk: CombatDesk) -> t.Key:
    """The key that forgets the combat."""
    texts, numbers = [n.TARGET, n.REASON], [n.SHIFT]
    numbers += [n.POINTS] if flies(plan) else []
    numbers += [n.OFFBOARD] if plan.scenario.game.rules.combat.artillery.offboard else []
    forget = [desk.set(name, quoted("")) for name in texts] + [desk.set(name, "0") for name in numbers]
    return desk.act([*forget, *desk.mark(f"Role > 0 && Role <= {n.DEFEND}", 0)])
