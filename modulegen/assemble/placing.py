"""Help with a set-up that leaves a choice: units go where the module suggests, one by one or all, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan, UnitPlan

CHOICE, SETTING_UP = "Choice", "SettingUp"
"""1 until the tracker is set on for the first time: nobody shall sweep a game off the map, or place units later."""
KEY_PLACE, KEY_RESET = t.ctrl("P"), t.named("SetupReset")


def prototype(plan: Plan) -> tuple[t.Trait, ...]:
    """What sends a unit that has a choice to the hex that is suggested for it, and back to where it waits."""
    waiting, main = plan.reserves.name, plan.words("map.main")
    return (
        t.RestrictCommands(
            "Not waiting", "Hide", f"{{{SETTING_UP} != 1 || CurrentMap != {quoted(waiting)}}}", (KEY_PLACE,)
        ),
        t.ReportState((KEY_PLACE,), plan.words("report.sent")),
        t.SendToLocation(
            menu=plan.words("menu.place"),
            key=KEY_PLACE,
            map_name=main,
            board=main,
            x="$SetupX$",
            y="$SetupY$",
            destination="L",
        ),
        t.SendToLocation(key=KEY_RESET, map_name=waiting, board=waiting, x="$WaitX$", y="$WaitY$", destination="L"),
    )


def shared(plan: Plan, unit: UnitPlan) -> tuple[str, ...]:
    """The prototype of units that have a choice."""
    return (CHOICE,) if unit.counter.id in plan.suggested else ()


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """Where a unit that has a choice is sent, and where it waits."""
    hex_ = plan.suggested.get(unit.counter.id)
    if hex_ is None:
        return {}
    (there_x, there_y), (_, (x, y)) = plan.ground.centre(hex_), plan.reserves.place[unit.counter.id]
    return {"SetupX": there_x, "SetupY": there_y, "WaitX": x, "WaitY": y}


def properties(plan: Plan, phase_begins: t.Key) -> list[Element]:
    """Whether the players still set up, which the key that a phase begins with ends."""
    if not plan.suggested:
        return []
    ended = make("ChangePropertyButton", hotkey=phase_begins, propChanger=t.PropertyChange("P", "0"))
    return [make("GlobalProperty", ended, name=SETTING_UP, initialValue="1")]


def buttons(plan: Plan) -> list[Element]:
    """All who wait for the players' choice to their hexes, and everybody back."""
    if not plan.suggested:
        return []
    waiting = f"{SETTING_UP} == 1 && CurrentMap == {quoted(plan.reserves.name)}"
    return [
        _button(plan, "place", "setup", KEY_PLACE, waiting),
        _button(plan, "reset", "undo", KEY_RESET, f"{SETTING_UP} == 1"),
    ]


def _button(plan: Plan, name: str, image: str, key: t.Key, who: str) -> Element:
    words = plan.words
    told, over = quoted(words(f"report.{name}")), quoted(words("report.no_setup"))
    return make(
        "GlobalKeyCommand",
        name=words(f"button.{name}_tip"),
        tooltip=words(f"button.{name}_tip"),
        icon=icon(image),
        hotkey=key,
        filter=f"{{{who}}}",
        reportSingle=True,
        reportFormat=f"{{{SETTING_UP} == 1 ? {told} : {over}}}",
    )
