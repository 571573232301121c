"""What units do on one key besides fighting: enter where they are due, clear a way, build a bridge, go by rail.

And who is due, or has to leave: marked as the turn begins, and brought or taken off by one button.

Only units that may do it have the entry in their menu. It names the task; the unit calls out, and the module does
the rest (see `deeds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.expressions import keys, quoted
from hexforge.modulegen.assemble.strokes import KEY_DUE, KEY_LEAVE
from hexforge.modulegen.plan import battlefield
from hexforge.modulegen.plan.arrivals import entries
from hexforge.modulegen.plan.chores import attrition_dice, morale_dice, rallies, taken, wears
from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make

if TYPE_CHECKING:
    from hexforge.modulegen.assemble.combat.desk import CombatDesk
    from hexforge.modulegen.plan import Plan, UnitPlan
    from hexforge.scenarios.model import Counter
    from hexforge.scenarios.schema.rules_untried import Untried

KEY_ENTER, KEY_CLEAR, KEY_BUILD, KEY_RAIL = t.ctrl("N"), t.ctrl("H"), t.ctrl("J"), t.ctrl("I")
KEY_RALLY = t.ctrl("Y")
TASKS = {"enter": KEY_ENTER, "clear": KEY_CLEAR, "build": KEY_BUILD, "rail": KEY_RAIL, "rally": KEY_RALLY}
KEYS = tuple(TASKS.values())
TASKS |= {
    "attrition": t.ctrl_shift("Y"),
    "wear": t.ctrl_shift("W"),
    "reveal": t.ctrl_shift("V"),
    "morale": t.ctrl_shift("T"),
    "mark": t.ctrl_shift("E"),
}
_SOME = ("rally", "attrition", "wear", "reveal", "morale", "mark")
"""Those that hang on choices of the game."""
HOTKEY_ARRIVE, HOTKEY_DEPART = t.alt("N"), t.alt("L")
DUE, LEAVES, RETURNS, ENTRIES = "Due", "Leaves", "Returns", "Entries"
"""The turns in which a unit comes, leaves and returns, and the hexes that it may enter by."""
DIE, BEYOND = "WorkDie", "WorkBeyond"
KEY_DIE = t.named("WorkDie")

Traits = tuple[t.Trait, ...]


def prototype(task: str) -> str:
    """The name of the prototype of units that may do a task."""
    return task.capitalize()


def prototypes(plan: Plan) -> Iterator[tuple[str, Traits]]:
    """The entries of the menu, each for the units that it is for."""
    words = plan.words
    main, waits = quoted(words("map.main")), quoted(plan.reserves.name)
    early = f"!{DUE}.isEmpty() && Integer.parseInt({DUE}) > Turn && CurrentMap == {waits}"
    placed = f'CurrentMap == {main} && !{ENTRIES}.contains(">" + LocationName.trim() + ">")'
    away = f"CurrentMap != {main} && CurrentMap != {waits} && Role != {n.DUE}"
    hidden = {"enter": f"{early} || {placed} || {away}"}
    for task, key in TASKS.items():
        if not any(may(plan, task, unit) for unit in plan.units.values()):
            continue
        hide = hidden.get(task, f"CurrentMap != {main}")
        menu = t.GlobalHotKey(menu=entry(plan, task), key=key, hotkey=_named(task))
        yield prototype(task), (t.RestrictCommands(prototype(task), "Hide", f"{{{hide}}}", (key,)), menu)


def entry(plan: Plan, task: str) -> str:
    """What the menu calls a task; where marks are taken, with what the game calls these."""
    marks = " / ".join(map(plan.words.mark, taken(plan.scenario)))
    return plan.words(f"menu.{task}", marks=marks)


def shared(plan: Plan, unit: UnitPlan) -> tuple[str, ...]:
    """The prototypes of what a unit may do."""
    return tuple(prototype(task) for task in TASKS if may(plan, task, unit))


def may(plan: Plan, task: str, unit: UnitPlan) -> bool:
    """Whether a unit may do a task."""
    c, rules = unit.counter, plan.scenario.game.rules.movement
    if task == "enter":
        return bool(markers(plan, unit)[ENTRIES])
    if task == "rally":
        return rallies(plan.scenario) is not None
    if task == "mark":
        return bool(taken(plan.scenario))
    if task == "attrition":
        return attrition_dice(plan.scenario) is not None
    if task == "morale":
        return bool(c.morale) and morale_dice(plan.scenario) is not None
    if task == "wear":
        return wears(plan.scenario)
    if task == "reveal":
        return any(_untried(c, rule) for rule in plan.scenario.game.rules.untried)
    if task == "rail":
        return rules.railway is not None
    rule = rules.clearing if task == "clear" else rules.bridging
    return rule is not None and c.side == rule.side and battlefield.of_types(plan.scenario, c, rule.types)


def _untried(counter: Counter, rule: Untried) -> bool:
    """Whether a rule of untried units may speak of a counter; whether it does hangs on more than its type."""
    return rule.side in (None, counter.side) and (not rule.units or counter.id in rule.units)


def watched(plan: Plan) -> tuple[t.Key, ...]:
    """The keys of tasks that a counter calls out at."""
    return (*KEYS, *(TASKS[task] for task in _SOME[1:] if task in available(plan)))


def available(plan: Plan) -> Iterator[str]:
    """The tasks that a game has."""
    return (task for task in TASKS if any(may(plan, task, unit) for unit in plan.units.values()))


def _named(task: str) -> t.Key:
    return t.named(f"Task.{task}")


# ------------------------------------------------------------------------------------------- who and where


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """When a unit comes and goes; the hexes by which it may enter, in a ring: `>0102>0205>0102>`."""
    setup, id_ = plan.scenario.setup, unit.counter.id
    arrivals = [a for a in setup.reinforcements if id_ in a.units]
    leaves = [w for w in setup.withdrawals if id_ in w.units]
    hexes = entries(plan.scenario, id_)
    ring = "".join(f">{h}" for h in [*hexes, *hexes[:1]])
    found: dict[str, object] = {DUE: arrivals[0].turn if arrivals else "", ENTRIES: f"{ring}>" if ring else ""}
    if leaves:
        found[LEAVES] = "".join(f" {w.turn}" for w in leaves) + " "
        found[RETURNS] = "".join(f" {w.returns_turn}" for w in leaves if w.returns_turn) + " "
    return found


def starts_due(plan: Plan, unit: UnitPlan) -> bool:
    """Whether a unit is due in the first turn, and marked as such from the start."""
    return markers(plan, unit)[DUE] == plan.scenario.game.turns.first


def highlight(plan: Plan, desk: CombatDesk) -> Iterator[Element]:
    """Whoever is due, and whoever has to leave, is marked as the turn begins."""
    waits, losses = quoted(plan.reserves.name), quoted(plan.losses.name)
    main = quoted(plan.words("map.main"))
    due = f"!{DUE}.isEmpty() && CurrentMap == {waits} && Integer.parseInt({DUE}) <= Turn"
    back = f'{RETURNS}.contains(" " + Turn + " ") && CurrentMap == {losses}'
    leaves = f'{LEAVES}.contains(" " + Turn + " ") && CurrentMap == {main}'
    steps = [*desk.mark(f"Role == {n.DUE} || Role == {n.LEAVES}", 0), *desk.mark(due, n.DUE)]
    if any(w.returns_turn for w in plan.scenario.setup.withdrawals):
        steps += desk.mark(back, n.DUE)
    if plan.scenario.setup.withdrawals:
        steps += desk.mark(leaves, n.LEAVES)
    yield make("DoActionButton", name=KEY_DUE.name, hotkey=KEY_DUE, doHotkey=True, hotkeys=keys(*steps))


def buttons(plan: Plan) -> Iterator[Element]:
    """All of the side at play who are due to the hexes where they enter, and all who have to leave off the map."""
    words, main = plan.words, quoted(plan.words("map.main"))
    found = []
    if plan.scenario.setup.reinforcements and "enter" in available(plan):
        ours = "SidePhase.startsWith(SideName)"
        found.append(("arrive", HOTKEY_ARRIVE, KEY_ENTER, f"Role == {n.DUE} && CurrentMap != {main} && {ours}"))
    if plan.scenario.setup.withdrawals:
        found.append(("depart", HOTKEY_DEPART, KEY_LEAVE, f"Role == {n.LEAVES} && CurrentMap == {main}"))
    for name, hotkey, key, who in found:
        told = words(f"button.{name}_tip")
        yield make(
            "GlobalKeyCommand",
            name=told,
            tooltip=told,
            icon=icon(name),
            buttonHotkey=hotkey,
            hotkey=key,
            filter=f"{{{who}}}",
        )


# ------------------------------------------------------------------------------------------------ doing


def changes(plan: Plan) -> list[tuple[t.Key, t.PropertyChange]]:
    """The keys that name the task at hand."""
    some = set(_SOME) - set(available(plan))
    there = [task for task in TASKS if task not in some]
    return [(_named(task), t.PropertyChange("P", task)) for task in there]


def dice(plan: Plan) -> Iterator[Element]:
    """The die of a task, which has no button."""
    if "clear" in available(plan):
        told = plan.words("report.dice").replace("$name$", plan.words("button.dice1"))
        yield make("DiceButton", name=DIE, icon="", hotkey=KEY_DIE, nDice=1, nSides=6, reportFormat=told)


def beyond(plan: Plan) -> str:
    """The hex that a player wrote. VASSAL takes what is written for a number, and drops the noughts before it."""
    hex_, answer = next(iter(plan.scenario.map.grid)), f"{BEYOND}.trim()"
    if not hex_.isdigit():
        return answer
    short = f"{answer}.length() > 0 && {answer}.length() < {len(hex_)}"
    noughts = quoted("0" * len(hex_))
    return f"({short} ? {noughts}.substring({answer}.length()) + {answer} : {answer})"


def next_entry(entries: str, here: str) -> str:
    """The hex that comes after the one where a unit stands, in the ring of those by which it may enter."""
    after = f'"".concat({entries}).split(">" + {here} + ">")[1].split(">")[0]'
    first = f'"".concat({entries}).split(">")[1]'
    return f'"".concat({entries}).contains(">" + {here} + ">") ? "h" + {after} : "h" + {first}'
