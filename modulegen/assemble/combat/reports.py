"""What is done to counters, told in the chat as lines of a turn sheet: losses, retreats, advances, entries, exits.

A drag or an entry of the menu does it and says it in one step of a log. The map is what a reader of logs goes by;
the line says what was meant. The counter calls out (see `calls`), and the module works out what became of it.

What the map tells of a drag, and where it is silent because the counter says more of it than that.

VASSAL writes a line for all that is dragged together, before any of it hears that it was dropped. After a combat a
unit says that it retreats or advances, and out of its box beside the map that it enters (see `deeds`); one line is
enough. The map knows no counter but by name: what holds of a drag hangs on where it led from and to, and on the
combats of the phase. Markers say nothing of themselves, so that they tell what the map is silent about.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...vassal import traits
from ...vassal.buildfile import Element, make
from ..expressions import KEY_DROPPED, KEY_LEAVE, KEY_MOVED, counted, expression, keys, quoted
from . import steps as n
from . import tasks
from .tasks import called, line, said, split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...plan import Plan
    from .steps import CombatDesk


_BAR = "|"
_OWN = {"pieceName": "PieceName", "previousLocation": "OldLocationName", "location": "LocationName"}
"""What a counter calls what a map tells of a drag."""


def within(plan: Plan) -> str:
    """The report of a drag from one place of the map to another."""
    if _are_numbers(plan):
        return plan.words("report.moves")
    silent = _told_by_units('"".concat("." + previousLocation)', '"".concat("." + location)')
    return f"{{{silent} ? {quoted('')} : {_line(plan, 'moves')}}}"


def onto(plan: Plan) -> str:
    """The report of a drag onto the map, out of a window beside it."""
    if _are_numbers(plan):
        return plan.words("report.comes")
    told = f"previousMap == {quoted(plan.losses.name)}"
    if box := of_arrivals(plan, "previousLocation"):
        told += f" || previousMap == {quoted(plan.reserves.name)} && {box}"
    return f"{{{told} ? {quoted('')} : {_line(plan, 'comes')}}}"


def of_markers(plan: Plan) -> tuple[traits.ReportState, ...]:
    """What a marker tells that is dropped, where the map is silent."""
    if _are_numbers(plan):
        return ()
    before, here = "OldLocationName.trim()", "LocationName.trim()"
    moves, comes = (expression(_with_own_names(plan.words(f"report.{key}"))) for key in ("moves", "comes"))
    box = of_arrivals(plan, before)
    waited = f" || OldMap == {quoted(plan.reserves.name)} && {box}" if box else ""
    moved = f"OldMap == {quoted(plan.words('map.main'))} && {_told_by_units(before, here)} ? {moves}"
    came = f"OldMap == {quoted(plan.losses.name)}{waited} ? {comes}"
    return (traits.ReportState((KEY_DROPPED,), f"{{{moved} : {came} : {quoted('')}}}"),)


def of_arrivals(plan: Plan, place: str) -> str:
    """Whether a place beside the map is a box of units that are due; nothing where there is none."""
    return f'{n.BOXES}.contains("{_BAR}" + {place} + "{_BAR}")' if boxes(plan) else ""


def boxes(plan: Plan) -> str:
    """The boxes of units that are due, which the module keeps once for all who ask; empty where there are none."""
    due = {u for arrival in plan.scenario.setup.reinforcements for u in arrival.units}
    found = [box.name for box in plan.reserves.boxes if not due.isdisjoint(box.units)]
    return _BAR.join(["", *found, ""]) if found else ""


def _told_by_units(before: str, here: str) -> str:
    """Whether a unit that was dragged says itself what it does, for there was a combat in this phase.

    Boxes of tracks have a blank in their names, and hexes have none.
    """
    hexes = f'!{before}.contains(" ") && !{here}.contains(" ")'
    return f"!{n.FOUGHT}.isEmpty() && {n.TARGET}.isEmpty() && {hexes} && !{here}.equals({before})"


def _are_numbers(plan: Plan) -> bool:
    """Whether VASSAL takes the names of hexes for numbers with fractions, which an expression would spoil."""
    name = str(next(iter(plan.scenario.map.grid)))
    return not name.isdigit() and not set(name) - set("+-.0123456789")


def _line(plan: Plan, key: str) -> str:
    """A report as an expression. VASSAL before 3.7 knows what it tells of a drag as values alone, not as texts, and
    drops the noughts before a number. Nor does it join a number to a text that is empty."""
    hex_ = str(next(iter(plan.scenario.map.grid)))
    noughts, digits = "0" * len(hex_), "[0-9]" * len(hex_)
    whole = f'.replaceAll("^0*({digits})$", "$1").replaceAll("^{noughts}", "")' if hex_.isdigit() else ""
    parts = plan.words(f"report.{key}").split("$")
    told = {
        name: f'"".concat("{noughts}" + {name}){whole}' if whole else name
        for name in ("location", "previousLocation")
    }
    found = (quoted(part) if i % 2 == 0 else told.get(part, part) for i, part in enumerate(parts) if part or i % 2)
    return " + ".join(found)


def _with_own_names(text: str) -> str:
    for name, own in _OWN.items():
        text = text.replace(f"${name}$", f"${own}$")
    return text


KEY_REDUCE, KEY_RECOVER = traits.ctrl("R"), traits.ctrl_shift("R")
KEY_ELIMINATE, KEY_BACK = traits.ctrl("E"), traits.ctrl_shift("B")
KEY_ADVANCE, KEY_RETREAT = traits.ctrl("V"), traits.ctrl("B")
_KEY_CALL, _KEY_HEAR, KEY_GO = traits.named("Call"), traits.named("Hear"), traits.named("Go")
SOLO = "BothSides"
"""The preference of whoever plays both sides alone."""
_NEAR = 1.25
"""Hexes between the centres of two that touch, with room for pixels."""

Traits = tuple[traits.Trait, ...]


# --------------------------------------------------------------------------------------------- counters


def steps(plan: Plan, *, several: bool, back: bool) -> Traits:
    """The report of a step lost or, where any comes `back`, recovered.

    With `several` steps the face does not say which of the two.
    """
    lose, recover = (expression(plan.words(f"tell.{key}")) for key in ("lose", "recover"))
    if not back:
        return (traits.ReportState((KEY_REDUCE,), f"{{{lose}}}"),)
    if several:
        return (
            traits.ReportState((KEY_REDUCE,), f"{{{lose}}}"),
            traits.ReportState((KEY_RECOVER,), f"{{{recover}}}"),
        )
    return (traits.ReportState((KEY_REDUCE, KEY_RECOVER), f"{{Step_Level == 2 ? {lose} : {recover}}}"),)


def calls(aim: traits.Key, asked: Sequence[traits.Key], *, weighs: bool) -> Traits:
    """What has a counter call out, and what sends it where the module says. `aim` marks it as a
    target, `asked` are the keys of tasks, `weighs` is whether it has a weight of its own in a stack.
    """
    return (
        traits.TriggerAction(
            key=KEY_DROPPED, watch=(KEY_ADVANCE, KEY_ELIMINATE, KEY_LEAVE, aim, *asked), actions=(_KEY_CALL,)
        ),
        traits.SetGlobalProperty(
            n.RECORD,
            # VASSAL takes its time for each command of such a trait as it loads.
            commands=(
                _counted(),
                traits.PropertyCommand("", _KEY_CALL, traits.PropertyChange("P", said(weighs=weighs))),
            ),
        ),
        traits.GlobalHotKey(key=_KEY_CALL, hotkey=_KEY_HEAR),
    )


def _counted() -> traits.PropertyCommand:
    """The counter adds to the record of a combat what it is asked for."""
    strokes = f"{n.TALLY}.substring(0, GetProperty({n.VALUE_OF}))"
    return traits.PropertyCommand(
        "",
        n.KEY_SAY,
        traits.PropertyChange("P", f"{{{n.RECORD} + {n.SAY} + GetProperty({n.TEXT_OF}) + {strokes}}}"),
    )


def sent(plan: Plan) -> traits.Trait:
    """What sends a counter to the hex that the module has set."""
    main = plan.words("map.main")
    return traits.SendToLocation(
        key=KEY_GO, map_name=main, board=main, destination="G", grid_location=f"{{{n.GOAL}.substring(1)}}"
    )


# ----------------------------------------------------------------------------------------------- module


def hearing(
    plan: Plan, desk: CombatDesk, aimed: Sequence[traits.Key], after: Sequence[traits.Key]
) -> Iterator[Element]:
    """What follows when a counter has called out.

    `aimed`: the steps for one that was marked as the target; `after`: what is looked at in the end.
    """
    itself = f"UnitId == {n.WHO}"
    who = desk.set(n.WHO, called("UnitId"))
    arrived = desk.set(n.GOAL, quoted(""))
    back = [desk.set(n.GOAL, f'"h" + {called("OldLocationName")}'), who, _tell_refused(plan, desk)]
    on = [desk.set(n.GOAL, _attacked()), who, *desk.mark(itself, 0)]
    go, unmark = desk.order(itself, KEY_GO), desk.order(f"{itself} && Moved == true", KEY_MOVED)
    arrival = desk.act([go, arrived], while_=f"!{n.GOAL}.isEmpty()")
    idle = desk.set(n.TASK, quoted(""))
    # Who works where he stands is not warned of his place once more.
    done = (idle, desk.set(n.RECORD, f"{n.RECORD} + {quoted(n.WARNED)}"))
    main = quoted(plan.words("map.main"))
    there = f"Role == {n.DUE} && CurrentMap == {main} || Role == {n.LEAVES} && CurrentMap != {main}"
    # A counter that is sent somewhere calls out again, so all that it said has to be read before.
    stages = {
        "told": [desk.tell_if(_is_told(plan), f"{{{_told(plan)}}}"), _over(desk), *desk.mark(there, 0)],
        "aimed": [*aimed, _over(desk)],
        "refused": [*back, _over(desk), go, arrived, unmark],
        "advance": [*on, _over(desk), go, arrived],
        "enter": [who, *tasks.chosen(plan, desk), _over(desk), arrival, idle],
    }
    has = list(tasks.available(plan))
    if "rail" in has:
        stages["rail"] = [who, _over(desk), *desk.mark(itself, n.RAIL), idle]
        stages["railed"] = [desk.tell(f"{{{line(plan, 'rail')}}}"), who, _over(desk), *desk.mark(itself, 0)]
    if "clear" in has:
        stages["clear"] = [*counted(tasks.KEY_DIE), desk.tell(f"{{{line(plan, 'clear')}}}"), _over(desk), *done]
    if "rally" in has:
        stages["rally"] = [*tasks.rally(plan, desk), _over(desk), *done]
    if "attrition" in has:
        stages["attrition"] = [
            *tasks.throw(desk, tasks.ATTRITION, line(plan, "attrition")),
            _over(desk),
            *done,
        ]
    if "morale" in has:
        stages["morale"] = [
            *tasks.throw(desk, tasks.MORALE, line(plan, "morale")),
            _over(desk),
            *done,
        ]
    if "wear" in has:
        stages["wear"] = [desk.tell(f"{{{line(plan, 'wear')}}}"), _over(desk), *done]
    if "mark" in has:
        stages["mark"] = [*tasks.mark(plan, desk, line(plan, "mark")), _over(desk), *done]
    if "reveal" in has:
        stages["reveal"] = [*tasks.turn_up(plan, desk, line(plan, "reveal")), _over(desk), *done]
    if "build" in has:
        # Who gives no answer shall not build where somebody did before.
        asked = [
            desk.set(tasks.BEYOND, quoted("")),
            desk.ask(tasks.BEYOND, plan.words("combat.beyond_prompt")),
        ]
        stages["build"] = [*asked, desk.tell(f"{{{line(plan, 'build')}}}"), _over(desk), *done]
    pressed = [desk.set(n.HEARD, _kind(plan))]
    pressed += [desk.act(steps, while_=f"{n.HEARD} == {quoted(stage)}") for stage, steps in stages.items()]
    heard = keys(*pressed, *after)
    yield make("DoActionButton", name=_KEY_HEAR.name, hotkey=_KEY_HEAR, doHotkey=True, hotkeys=heard)


def _over(desk: CombatDesk) -> traits.Key:
    return desk.set(n.HEARD, quoted(""))


def _tell_refused(plan: Plan, desk: CombatDesk) -> traits.Key:
    return desk.tell(f"{{{line(plan, 'refused')}}}")


def _kind(plan: Plan) -> str:
    """What has to be done about a call: nothing for most."""
    main, role = quoted(plan.words("map.main")), called("Role")
    here = f"{called('CurrentMap')}.equals({main})"
    due, losses = f"{called(tasks.DUE)}.isEmpty()", quoted(plan.losses.name)
    target = f'{n.TARGET}.equals("h" + {called("LocationName")} + ":" + {called("Side")})'
    box = of_arrivals(plan, called("OldLocationName"))
    # Who is not due and yet waits in a box of those who are: the map is silent about it.
    strange = f" && !{box}" if box else ""
    cases = (
        (f"{role}.equals({quoted(str(n.ADVANCE))})", "advance"),
        (f"{here} && {role}.equals({quoted(str(n.DEFEND))}) && !{target}", "aimed"),
        (f"!{here}", "told"),
        (f"!{called('OldMap')}.equals({main}) && !{called('OldMap')}.equals({losses}) && {due}{strange}", ""),
        (f"!{called('OldMap')}.equals({main})", "told"),
        (f"{called('LocationName')}.equals({called('OldLocationName')})", ""),
        (f"{role}.equals({quoted(str(n.RAIL))})", "railed"),
        (f"!{n.FOUGHT}.isEmpty() || {role}.equals({quoted(str(n.RETREAT))})", "told"),
        (_refused(plan), "refused"),
    )
    known = " : ".join(f"{when} ? {quoted(kind)}" for when, kind in cases)
    entered = f'{n.TASK}.equals("enter") && {_sent()}'
    return f"{entered} ? {quoted('told')} : !{n.TASK}.isEmpty() ? {n.TASK} : {known} : {quoted('')}"


def _sent() -> str:
    """Whether the counter is where the module has just sent it."""
    return f'{n.GOAL}.equals("h" + {called("LocationName")}) && {n.WHO}.equals({called("UnitId")})'


def _attackers() -> str:
    """Whether the counter has attacked in this phase."""
    return f'{n.FOUGHT}.contains(" " + {called("UnitId")} + " ")'


def _attacked() -> str:
    """The hex that the counter attacked last; where it is, if it attacked none."""
    after = split(n.FOUGHT, f'" " + {called("UnitId")} + " "')
    return f'{_attackers()} ? "h" + {after}[1].split(">")[1].split(";")[0] : "h" + {called("LocationName")}'


def _told(plan: Plan) -> str:
    """What a counter did that was taken off, brought back, or dropped on the map."""
    losses, reserves = quoted(plan.losses.name), quoted(plan.reserves.name)
    left = " || ".join(
        f"{called('CurrentZone')}.equals({quoted(b.name)})" for b in plan.losses.boxes if not b.units
    )
    lost, old_map = f"{called('CurrentMap')}.equals({losses})", called("OldMap")
    retreats = f"{called('Role')}.equals({quoted(str(n.RETREAT))}) || !{_attackers()}"
    to, from_ = (f'{n.FOUGHT}.contains(">" + {called(x)} + ";")' for x in ("LocationName", "OldLocationName"))
    retreat = f"{_near(plan)} ? {line(plan, 'retreat')} : {line(plan, 'retreat_far')}"
    cases = (
        (f"!{n.TASK}.isEmpty()", line(plan, "enter")),
        (f"{lost} && ({left})", line(plan, "exit")),
        (lost, line(plan, "eliminate")),
        (f"{old_map}.equals({losses})", line(plan, "back")),
        (f"{old_map}.equals({reserves}) && !{called(tasks.DUE)}.isEmpty()", line(plan, "enter")),
        (f"{old_map}.equals({reserves})", line(plan, "comes")),
        (f"!({retreats}) && {to}", line(plan, "advance")),
        (f"!({retreats}) && {from_}", line(plan, "advance_on")),
    )
    return " : ".join(f"{when} ? {told}" for when, told in cases) + f" : {retreat}"


def _is_told(plan: Plan) -> str:
    """Whether there is anything to tell: not of who comes out of any other window."""
    known = (plan.words("map.main"), plan.losses.name, plan.reserves.name)
    from_ = " || ".join(f"{called('OldMap')}.equals({quoted(name)})" for name in known)
    return f"(!{n.TASK}.isEmpty() || {called('CurrentMap')}.equals({quoted(plan.losses.name)}) || {from_})"


def _near(plan: Plan) -> str:
    """Whether a counter went to a hex next to where it was."""
    across, down = (
        f"(Integer.parseInt({called(f'Current{axis}')}) - Integer.parseInt({called(f'Old{axis}')}))"
        for axis in "XY"
    )
    return f"{across} * {across} + {down} * {down} < {round((_NEAR * plan.ground.dy) ** 2)}"


def fought(*, attackers: bool) -> str:
    """The combats of this phase as a text with one more: who attacked, and the hex; the latest first."""
    who = n.ATTACKERS if attackers else quoted("")
    return f'{who} + " >" + {n.TARGET_HEX} + ";" + {n.FOUGHT}'


# ------------------------------------------------------------------------------------------------ guard


def _refused(plan: Plan) -> str:
    """Whether a counter was dragged by another side's player in a phase of movement.

    VASSAL's own restriction would also keep that player from counting it in a combat, and from carrying out what a
    combat did to it. A counter that is being sent back is not refused once more.
    """
    words, game = plan.words, plan.scenario.game
    phases = words.movements(game.sequence)
    moving = " || ".join(f"SidePhase.equals({quoted(phase)})" for phase in phases)
    foreign = " || ".join(
        f"PlayerSide.equals({quoted(words.side(a.id))}) && {called('Side')}.equals({quoted(b.id)})"
        for a in game.sides
        for b in game.sides
        if a != b
    )
    return f"{SOLO} != true && {n.TARGET}.isEmpty() && !({_sent()}) && ({foreign}) && ({moving})"


def preference(plan: Plan) -> Element:
    """The switch for who plays both sides."""
    words = plan.words
    return make(
        "BooleanPreference", name=SOLO, tab=words.title(plan.scenario), desc=words("button.solo"), default=False
    )
