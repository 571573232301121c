"""What units do on one key besides fighting: enter where they are due, clear a way, build a bridge, go by rail.

And who is due, or has to leave: marked as the turn begins, and brought or taken off by one button.

Only units that may do it have the entry in their menu. It names the task; the unit calls out, and the module does
the rest (see `deeds`).

Who is due enters by a key: in the first of his hexes that has room for him, or nowhere, and is told so.

Whoever stands in a hex knows how high his stack is and what the hex takes, so that he is asked, hex by hex.

What else a turn asks of players, each told as a line of a sheet.

Weather by dice, units that rally or are tested, overruns, attrition, dice for losses, the strength that a unit
turns out to have.

What a counter calls out to the module, and how the module reads it.

Counters load slowly for each trait and each letter in it, so a counter only calls out what became of it, and the
module, once for all of them, works out what that was (see `deeds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....scenarios.schema.results import Dice
from ...plan import battlefield
from ...plan.battlefield import RoleName, attrition_dice, entries, loss_dice, morale_dice, rallies, taken, wears
from ...plan.markers import icon
from ...vassal import traits
from ...vassal.buildfile import Element, make
from ..expressions import KEY_DUE, KEY_LEAVE, counted, keys, quoted
from . import odds
from . import steps as n
from .figures import NEXT
from .steps import CombatDesk

if TYPE_CHECKING:
    from ....scenarios.schema.rules import Untried
    from ....scenarios.schema.setup import CounterRow as Counter
    from ...plan import Plan
    from ...plan.markers import UnitPlan


KEY_ENTER, KEY_CLEAR, KEY_BUILD, KEY_RAIL = traits.ctrl("N"), traits.ctrl("H"), traits.ctrl("J"), traits.ctrl("I")
KEY_RALLY = traits.ctrl("Y")
TASKS = {"enter": KEY_ENTER, "clear": KEY_CLEAR, "build": KEY_BUILD, "rail": KEY_RAIL, "rally": KEY_RALLY}
KEYS = tuple(TASKS.values())
TASKS |= {
    "attrition": traits.ctrl_shift("Y"),
    "wear": traits.ctrl_shift("W"),
    "reveal": traits.ctrl_shift("V"),
    "morale": traits.ctrl_shift("T"),
    "mark": traits.ctrl_shift("E"),
}
_SOME = ("rally", "attrition", "wear", "reveal", "morale", "mark")
"""Those that hang on choices of the game."""
HOTKEY_ARRIVE, HOTKEY_DEPART = traits.alt("N"), traits.alt("L")
DUE, LEAVES, RETURNS, ENTRIES = "Due", "Leaves", "Returns", "Entries"
"""The turns in which a unit comes, leaves and returns, and the hexes that it may enter by."""
DIE, BEYOND = "WorkDie", "WorkBeyond"
KEY_DIE = traits.named("WorkDie")

Traits = tuple[traits.Trait, ...]


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
        menu = traits.GlobalHotKey(menu=entry(plan, task), key=key, hotkey=_task_key(task))
        yield prototype(task), (traits.RestrictCommands(prototype(task), "Hide", f"{{{hide}}}", (key,)), menu)


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
        return bool(rallies(plan.scenario))
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


def watched(plan: Plan) -> tuple[traits.Key, ...]:
    """The keys of tasks that a counter calls out at."""
    return (*KEYS, *(TASKS[task] for task in _SOME[1:] if task in available(plan)))


def available(plan: Plan) -> Iterator[str]:
    """The tasks that a game has."""
    return (task for task in TASKS if any(may(plan, task, unit) for unit in plan.units.values()))


def _task_key(task: str) -> traits.Key:
    return traits.named(f"Task.{task}")


# ------------------------------------------------------------------------------------------- who and where


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """When a unit comes and goes; the hexes by which it may enter, in a ring: `>0102>0205>0102>`."""
    setup, id_ = plan.scenario.setup, unit.counter.id
    arrivals = [a for a in setup.reinforcements if id_ in a.units]
    leaves = [w for w in setup.withdrawals if id_ in w.units]
    hexes = entries(plan.scenario, id_)
    ring = "".join(f">{h}" for h in [*hexes, *hexes[:1]])
    # Who comes by dice is not marked as due, nor brought on with the others.
    due = next((a.turn for a in arrivals if a.die is None), "")
    found: dict[str, object] = {DUE: due, ENTRIES: f"{ring}>" if ring else ""}
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


def changes(plan: Plan) -> list[tuple[traits.Key, traits.PropertyChange]]:
    """The keys that name the task at hand."""
    some = set(_SOME) - set(available(plan))
    there = [task for task in TASKS if task not in some]
    return [(_task_key(task), traits.PropertyChange("P", task)) for task in there]


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


_GAP = "~"
CALLED = (
    *(n.WEIGHT, "UnitId", "Side", "Role", "CurrentMap", "CurrentZone", "LocationName", "OldMap", "OldLocationName"),
    *("CurrentX", "CurrentY", "OldX", "OldY", DUE, ENTRIES, "PieceName"),
)
"""What a counter calls out. Its name comes last: it is never empty, and may hold anything."""


def said(*, weighs: bool) -> str:
    """What a counter calls out; `weighs` is whether it has a weight of its own in a stack."""
    own = {} if weighs else {n.WEIGHT: "1"}
    return _GAP.join(own.get(name, f"${name}$") for name in CALLED)


def called(name: str) -> str:
    """One of the texts that a counter called out."""
    return f"{split(n.RECORD, quoted(_GAP))}[{CALLED.index(name)}]"


def split(property_: str, by: str) -> str:
    """A property cut into pieces; VASSAL knows that method of texts, but not of properties."""
    return f'"".concat({property_}).split({by})'


def line(plan: Plan, key: str) -> str:
    """A line of the sheet about the counter that has called out."""
    parts = plan.words(f"tell.{key}").split("$")
    own = {BEYOND: beyond(plan)}
    texts = (called(part) if part in CALLED else own.get(part, f"{part}.trim()") for part in parts[1::2])
    return " + ".join(next(texts) if i % 2 else quoted(part) for i, part in enumerate(parts) if part)


_FULL = "@full"
"""What stands in the record behind a counter's call if the hex that it is to go to is full."""


def chosen(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """The steps that set the hex that the counter which has called out is to go to; none if all are full."""
    hexes = max((len(entries(plan.scenario, unit)) for unit in plan.units), default=1)
    full = f'{n.RECORD}.contains("{_FULL}")'
    near = f"{n.HEEDS} == 1 && {_beside(plan)}"
    asked = (
        *_entry_at(plan, desk),
        *desk.say(f'UnitId != "" && ({n.IN_GOAL} && ({_no_room(plan)}) || {near})', quoted(_FULL)),
    )
    forget = desk.set(n.RECORD, f'"".concat({n.RECORD}).split("{_FULL}")[0]')
    first = (desk.set(n.GOAL, _next(called("LocationName"))), desk.set(n.TRIED, "0"))
    yield desk.set(n.HEEDS, "1")
    yield from (*first, *asked)
    on = [forget, desk.set(n.GOAL, _next(f"{n.GOAL}.substring(1)")), desk.set(n.TRIED, f"{n.TRIED} + 1"), *asked]
    others = desk.act(on, while_=f"{full} && {n.TRIED} < {hexes - 1}")
    yield others
    # Where all hexes are next to the enemy, one of these.
    yield desk.act([desk.set(n.HEEDS, "0"), forget, *first, *asked, others], while_=f"{full} && {n.HEEDS} == 1")
    nowhere = [forget, desk.set(n.GOAL, quoted("")), desk.tell(f"{{{line(plan, 'no_room')}}}")]
    yield desk.act(nowhere, while_=full)


def _entry_at(plan: Plan, desk: CombatDesk) -> Iterator[traits.Key]:
    """The steps that find where the hex lies that a counter is to go to."""
    places = dict.fromkeys(h for unit in plan.units for h in entries(plan.scenario, unit))
    for name, axis in ((n.ENTRY_X, 0), (n.ENTRY_Y, 1)):
        text = quoted(";" + "".join(f"{hex_}={plan.ground.centre(hex_)[axis]};" for hex_ in places))
        yield desk.set(name, f'Integer.parseInt({text}.split(";" + {n.GOAL}.substring(1) + "=")[1].split(";")[0])')


def _beside(plan: Plan) -> str:
    """Whether a counter is an enemy of the one that has called out, next to the hex that it is to go to."""
    across, down = (f"(Current{axis} - {name})" for axis, name in (("X", n.ENTRY_X), ("Y", n.ENTRY_Y)))
    reach = round((NEXT * plan.ground.dy) ** 2)
    here = f"CurrentMap == {quoted(plan.words('map.main'))}"
    return f"{here} && !Side.equals({called('Side')}) && {across} * {across} + {down} * {down} < {reach}"


def _no_room(plan: Plan) -> str:
    """Whether a counter leaves no room in its hex for the one that has called out: it is the enemy's, or its stack
    is as high as it may be."""
    more = f"Integer.parseInt({called(n.WEIGHT)})" if plan.scenario.game.rules.stacking.weighs else "1"
    there = f"!UnitId.equals({n.WHO}) && {odds.crowded(plan, more)}"
    return f"!Side.equals({called('Side')}) || {there}"


def _next(here: str) -> str:
    return next_entry(called(ENTRIES), here)


HOTKEY_WEATHER, HOTKEY_OVERRUN, HOTKEY_ORDER = traits.alt("Y"), traits.alt("O"), traits.alt("I")
HOTKEYS_LOSS: dict[RoleName, traits.Key] = {"attacker": traits.alt("J"), "defender": traits.alt("K")}
TIPS: dict[RoleName, str] = {"attacker": "lossroll_attacker", "defender": "lossroll_defender"}
WEATHER, RALLY, ATTRITION, MORALE = "WeatherDice", "RallyDice", "AttritionDice", "MoraleDice"
ORDER = "OrderDice"
LOSSES: dict[RoleName, str] = {"attacker": "AttackerLossDice", "defender": "DefenderLossDice"}
_KEY_WEATHER = traits.named(WEATHER)
STRENGTH, MARK = "WorkStrength", "WorkMark"


def chore_dice(plan: Plan) -> Iterator[Element]:
    """The dice of weather, rallies, attrition, tests and losses, which have no buttons of their own."""
    thrown = plan.scenario.game.weather_die
    if thrown is not None:
        yield _die(plan, WEATHER, _KEY_WEATHER, thrown.dice)
    for text, name in _rally_dice(plan).items():
        yield _die(plan, name, traits.named(name), text)
    order = plan.scenario.game.order_die
    if order is not None:
        yield _die(plan, ORDER, traits.named(ORDER), order.dice)
    for name, worn in ((ATTRITION, attrition_dice(plan.scenario)), (MORALE, morale_dice(plan.scenario))):
        if worn:
            yield _die(plan, name, traits.named(name), worn)
    for part, text in loss_dice(plan.scenario).items():
        yield _die(plan, LOSSES[part], traits.named(LOSSES[part]), text)


def _die(plan: Plan, name: str, key: traits.Key, text: str) -> Element:
    thrown = Dice.of(text)
    told = plan.words("report.dice").replace("$name$", str(thrown))
    return make(
        "DiceButton", name=name, icon="", hotkey=key, nDice=thrown.count, nSides=thrown.faces, reportFormat=told
    )


def weather(plan: Plan, desk: CombatDesk) -> tuple[traits.Key, ...]:
    """What the button of the weather presses."""
    return (*counted(_KEY_WEATHER), _faces(desk, WEATHER), desk.tell(plan.words("tell.weather")))


def order(plan: Plan, desk: CombatDesk) -> tuple[traits.Key, ...]:
    """What the button of who goes first presses."""
    return (*counted(traits.named(ORDER)), _faces(desk, ORDER), desk.tell(plan.words("tell.initiative")))


def _rally_dice(plan: Plan) -> dict[str, str]:
    """The dice by which units rally -> the name of their button."""
    thrown = dict.fromkeys(text for text in rallies(plan.scenario).values() if text)
    return {text: f"{RALLY}{number or ''}" for number, text in enumerate(thrown)}


def rally(plan: Plan, desk: CombatDesk) -> tuple[traits.Key, ...]:
    """What follows when a unit is to rally: of several marks the player chooses one, which the line names."""
    rules, told = rallies(plan.scenario), {}
    several = len(rules) > 1
    for text in dict.fromkeys(rules.values()):
        name, lines = (
            _rally_dice(plan).get(text),
            ("rally", "rally_as") if text else ("rally_plain", "rally_plain_as"),
        )
        thrown = (*counted(traits.named(name)), _faces(desk, name)) if name else ()
        told[text] = (*thrown, desk.tell(f"{{{line(plan, lines[several])}}}"))
    if not several:
        return next(iter(told.values()))
    none, asked = desk.set(MARK, '""'), desk.choose(MARK, plan.words("combat.rally_prompt"), tuple(rules))
    each = (
        desk.act((*steps, none), while_=" || ".join(f"{MARK} == {quoted(m)}" for m in rules if rules[m] == text))
        for text, steps in told.items()
    )
    return (none, asked, *each)


def throw(desk: CombatDesk, name: str, said: str) -> tuple[traits.Key, ...]:
    """What follows when dice are thrown for a unit, as for attrition; `said` is the line about it."""
    return (*counted(traits.named(name)), _faces(desk, name), desk.tell(f"{{{said}}}"))


def turn_up(plan: Plan, desk: CombatDesk, said: str) -> tuple[traits.Key, ...]:
    """What follows when an untried unit is turned up: its strength is asked for, and told."""
    return (desk.ask(STRENGTH, plan.words("combat.strength_prompt")), desk.tell(f"{{{said}}}"))


def mark(plan: Plan, desk: CombatDesk, said: str) -> tuple[traits.Key, ...]:
    """What follows when a unit takes a mark: of several the player chooses one; of none nothing is told."""
    marks = taken(plan.scenario)
    first = desk.set(MARK, quoted(marks[0] if len(marks) == 1 else ""))
    chosen = (desk.choose(MARK, plan.words("combat.mark_prompt"), marks),) if len(marks) > 1 else ()
    return (first, *chosen, desk.tell_if(f"!{MARK}.isEmpty()", f"{{{said}}}"))


def losses(plan: Plan, desk: CombatDesk, part: RoleName) -> tuple[traits.Key, ...]:
    """What the button of a part's losses presses."""
    return (
        *counted(traits.named(LOSSES[part])),
        _faces(desk, LOSSES[part]),
        desk.tell(plan.words(f"tell.lossroll_{part}")),
    )


def _faces(desk: CombatDesk, name: str) -> traits.Key:
    return desk.set(n.FACES, f'{name}_result.replace(",", " ")')
