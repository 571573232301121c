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

from ...plan.battlefield import loss_dice, overruns, works_out
from ...plan.markers import has_air, icon, may_strike
from ...vassal import traits
from ...vassal.buildfile import Element, make
from .. import air
from ..expressions import KEY_PHASE, keys, quoted
from . import counters, reports, steps, tasks
from .rolls import airstrike, assault, bombard, guns, overrun, preview
from .steps import CombatDesk
from .tasks import called

if TYPE_CHECKING:
    from ....scenarios.schema.tables import ResultTable
    from ...plan import Plan


@dataclass(frozen=True)
class CombatParts:
    """The parts of a module that combats need."""

    properties: tuple[Element, ...]
    buttons: tuple[Element, ...]
    air: tuple[tuple[traits.Key, traits.PropertyChange], ...]
    """What else changes the count of air points."""


def combat(plan: Plan) -> CombatParts:
    """All that a game's module needs for combats."""
    desk = CombatDesk()
    buttons = [
        *reports.hearing(plan, desk, list(_aiming(desk)), counters.watched(plan, desk)),
        *_buttons(plan, desk),
    ]
    desk.changes[steps.TASK] = [*desk.changes.get(steps.TASK, ()), *tasks.changes(plan)]
    buttons += [
        *tasks.highlight(plan, desk),
        *tasks.dice(plan),
        *tasks.chore_dice(plan),
        *tasks.buttons(plan),
    ]
    for name in (steps.FOUGHT, steps.FIRED):
        desk.changes.setdefault(name, []).append((KEY_PHASE, traits.PropertyChange("P", "")))
    buttons += counters.menu(plan, desk)
    air_changes = tuple(desk.changes.pop(air.AIR, ()))
    return CombatParts(tuple(_properties(plan, desk)), (*desk.hidden, *buttons), air_changes)


# ------------------------------------------------------------------------------------------- properties


_NUMBERS = {steps.POINTS: (0, 99), steps.OFFBOARD: (0, 999), steps.SHIFT: (-9, 9)}
_TEXTS = frozenset(
    (
        steps.TARGET,
        steps.RECORD,
        steps.BLANK,
        steps.ATTACKERS,
        steps.GUNS,
        steps.GUARDS,
        steps.DEFENDERS,
        steps.STAGE,
        steps.REASON,
        steps.FOUGHT,
        steps.FIRED,
        steps.HEARD,
        steps.GOAL,
        steps.WHO,
        steps.TASK,
        tasks.BEYOND,
        tasks.MARK,
    )
)


def _properties(plan: Plan, desk: CombatDesk) -> Iterator[Element]:
    """Every property that is counted with, with the keys that change it."""
    for name in (steps.TARGET, steps.RECORD, steps.BLANK, steps.ZERO):
        desk.changes.setdefault(name, [])
    yield make("GlobalProperty", name=steps.TALLY, initialValue=steps.STROKE * _greatest(plan))
    if known := reports.boxes(plan):
        yield make("GlobalProperty", name=steps.BOXES, initialValue=known)
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


def _aiming(desk: CombatDesk) -> Iterator[traits.Key]:
    """What follows when a hex is named as the target: its counters are marked, those of another one no longer."""
    yield desk.set(steps.TARGET, f'"h" + {called("LocationName")} + ":" + {called("Side")}')
    yield from desk.mark(f"Role == {steps.DEFEND} && !{steps.IN_TARGET}", 0)
    yield from desk.mark(f"Role != {steps.DEFEND} && {steps.IN_TARGET}", steps.DEFEND)


def _buttons(plan: Plan, desk: CombatDesk) -> Iterator[Element]:
    words, tables = plan.words, plan.scenario.tables
    clear = _clear(plan, desk)
    yield from _dice(plan, tables.crt)
    yield _button(plan, "dice2", steps.HOTKEY_ROLL, assault(plan, desk, clear), "dice_2", text=plain_dice(plan))
    if works_out(plan.scenario):
        yield _button(plan, "preview", steps.HOTKEY_PREVIEW, preview(plan, desk), "preview")
    if overruns(plan.scenario) is not None:
        yield _button(plan, "overrun", tasks.HOTKEY_OVERRUN, overrun(plan, desk, clear), "overrun")
    if plan.scenario.game.weather_die is not None:
        yield _button(plan, "weather", tasks.HOTKEY_WEATHER, tasks.weather(plan, desk), "weather")
    if plan.scenario.game.order_die is not None:
        yield _button(plan, "initiative", tasks.HOTKEY_ORDER, tasks.order(plan, desk), "dice_1")
    for part in loss_dice(plan.scenario):
        pressed = tasks.losses(plan, desk, part)
        yield _button(plan, tasks.TIPS[part], tasks.HOTKEYS_LOSS[part], pressed, "losses")
    if tables.bombardment is not None:
        yield _button(plan, "bombard", steps.HOTKEY_BOMBARD, bombard(plan, desk, clear), "bombard")
        if may_strike(plan.scenario):
            yield _button(plan, "airstrike", steps.HOTKEY_AIRSTRIKE, airstrike(plan, desk, clear), "airstrike")
    if has_guns(plan):
        yield _button(plan, "guns", steps.HOTKEY_GUNS, guns(plan, desk), "guns")
    if flies(plan):
        more = [desk.set(steps.POINTS, f"{steps.POINTS} < {air.AIR} ? {steps.POINTS} + 1 : 0")]
        yield _button(plan, "combat_air", steps.HOTKEY_AIR, more, "air", text=f"${steps.POINTS}$")
    if plan.scenario.game.rules.combat.artillery.offboard:
        ask = [desk.ask(steps.OFFBOARD, words("combat.offboard_prompt"))]
        yield _button(plan, "offboard", steps.HOTKEY_OFFBOARD, ask, "offboard", text=f"${steps.OFFBOARD}$")
    ask = [
        desk.ask(steps.SHIFT, words("combat.shift_prompt")),
        desk.ask(steps.REASON, words("combat.reason_prompt")),
    ]
    yield _button(plan, "shift", steps.HOTKEY_SHIFT, ask, "shift", text=f"${steps.SHIFT}$")
    yield _button(plan, "clear_combat", steps.HOTKEY_CLEAR, [clear], "clear")


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
    plan: Plan, tip: str, hotkey: traits.Key, pressed: Iterable[traits.Key], image: str, *, text: str = ""
) -> Element:
    told = plan.words(f"button.{tip}_tip", **({"dice": plain_dice(plan)} if tip == "dice2" else {}))
    return make(
        "DoActionButton",
        name=plain_dice(plan) if tip == "dice2" else told,
        text=text,
        tooltip=told,
        icon=icon(image),
        hotkey=hotkey,
        doHotkey=True,
        hotkeys=keys(*pressed),
    )


def _dice(plan: Plan, table: ResultTable) -> Iterator[Element]:
    """The dice of combats, and the plain ones that are thrown while no combat is declared; neither has a button."""
    count, faces = table.thrown.count, table.thrown.faces
    told = plan.words("report.dice").replace("$name$", plain_dice(plan))
    for die, hotkey in (("PlainDice", steps.KEY_PLAIN), (steps.DICE, steps.KEY_THROW)):
        yield make("DiceButton", name=die, icon="", hotkey=hotkey, nDice=count, nSides=faces, reportFormat=told)


def _clear(plan: Plan, desk: CombatDesk) -> traits.Key:
    """The key that forgets the combat."""
    texts, numbers = [steps.TARGET, steps.REASON], [steps.SHIFT]
    numbers += [steps.POINTS] if flies(plan) else []
    numbers += [steps.OFFBOARD] if plan.scenario.game.rules.combat.artillery.offboard else []
    forget = [desk.set(name, quoted("")) for name in texts] + [desk.set(name, "0") for name in numbers]
    return desk.act([*forget, *desk.mark(f"Role > 0 && Role <= {steps.DEFEND}", 0)])
