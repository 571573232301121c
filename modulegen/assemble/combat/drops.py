"""What the map tells of a drag, and where it is silent because the counter says more of it than that.

VASSAL writes a line for all that is dragged together, before any of it hears that it was dropped. After a combat a
unit says that it retreats or advances, and out of its box beside the map that it enters (see `deeds`); one line is
enough. The map knows no counter but by name: what holds of a drag hangs on where it led from and to, and on the
combats of the phase. Markers say nothing of themselves, so that they tell what the map is silent about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.expressions import expression, quoted
from hexforge.modulegen.assemble.strokes import KEY_DROPPED
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan

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


def of_markers(plan: Plan) -> tuple[t.ReportState, ...]:
    """What a marker tells that is dropped, where the map is silent."""
    if _are_numbers(plan):
        return ()
    before, here = "OldLocationName.trim()", "LocationName.trim()"
    moves, comes = (expression(_with_own_names(plan.words(f"report.{key}"))) for key in ("moves", "comes"))
    box = of_arrivals(plan, before)
    waited = f" || OldMap == {quoted(plan.reserves.name)} && {box}" if box else ""
    moved = f"OldMap == {quoted(plan.words('map.main'))} && {_told_by_units(before, here)} ? {moves}"
    came = f"OldMap == {quoted(plan.losses.name)}{waited} ? {comes}"
    return (t.ReportState((KEY_DROPPED,), f"{{{moved} : {came} : {quoted('')}}}"),)


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
