"""Air points: the property that counts them, the buttons that change it, the markers that show it on its track."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...scenarios.schema.base import in_turns, spans_of
from ..plan.markers import air_by_die, has_air, icon
from ..vassal import traits
from ..vassal.buildfile import Element, make
from .expressions import counted, keys, spans

if TYPE_CHECKING:
    from ..plan import Plan
    from ..plan.markers import MarkerPlan


AIR, DIE, MARKER = "AirPoints", "AirDie", "Air"
TURN = "Turn"
KEY_SET, KEY_MORE, KEY_LESS = traits.named("AirSet"), traits.named("AirMore"), traits.named("AirLess")
KEY_TURN, KEY_ROLL, KEY_BY_DIE = traits.named("AirOfTurn"), traits.named("AirRoll"), traits.named("AirByDie")
KEY_SHOW = traits.named("AirShow")
_TO_BOX, _TO_WAIT = traits.named("AirToBox"), traits.named("AirToWait")
MOST = 99

Traits = tuple[traits.Trait, ...]


def first_air(plan: Plan) -> int:
    """The air points of the first turn, 0 where a die decides."""
    first = plan.scenario.game.turns.first
    return next((r.points for r in plan.scenario.tables.air if r.turns and in_turns(r.turns, first)), 0)


def of_turn(plan: Plan) -> str:
    """An expression for the points that a turn begins with: what was left goes, a die brings its own later."""
    return spans(
        TURN, [(s, str(r.points)) for r in plan.scenario.tables.air if r.turns for s in spans_of(r.turns)], "0"
    )


def _by_die(plan: Plan) -> str:
    return spans(f"{DIE}_result", [(r.die, str(r.points)) for r in plan.scenario.tables.air if r.die], "0")


def air_property(plan: Plan, spent: Sequence[tuple[traits.Key, traits.PropertyChange]] = ()) -> list[Element]:
    """The property, with what changes it when one of the keys is pressed; nothing for a game without air power.

    `spent`: what else changes it.
    """
    if not has_air(plan.scenario):
        return []
    words = plan.words
    changes = [
        (KEY_SET, traits.PropertyChange("R", words("button.air_prompt"))),
        (KEY_MORE, traits.PropertyChange("I", "1")),
        (KEY_LESS, traits.PropertyChange("I", "-1")),
        (KEY_TURN, traits.PropertyChange("P", "{" + of_turn(plan) + "}")),
    ]
    if air_by_die(plan.scenario):
        changes.append((KEY_BY_DIE, traits.PropertyChange("P", "{" + _by_die(plan) + "}")))
    return [
        make(
            "GlobalProperty",
            *[
                make("ChangePropertyButton", hotkey=key, reportFormat=words("report.air"), propChanger=change)
                for key, change in (*changes, *spent)
            ],
            name=AIR,
            initialValue=first_air(plan),
            description=words("button.air_tip"),
            isNumeric=True,
            min=0,
            max=max([MOST, *[row.points for row in plan.scenario.tables.air]]),
        )
    ]


def air_buttons(plan: Plan) -> list[Element]:
    """The buttons of the toolbar. Each changes the points and then has the markers follow, as one step of a log."""
    if not has_air(plan.scenario):
        return []
    words = plan.words
    shown: list[tuple[str, str, str, tuple[traits.Key, ...]]] = [
        ("air", words("button.air_set"), "air_set_tip", (KEY_SET,)),
        ("air_up", "", "air_up", (KEY_MORE,)),
        ("air_down", "", "air_down", (KEY_LESS,)),
    ]
    parts = []
    if air_by_die(plan.scenario):
        shown.append(("air_die", "", "air_die", (*counted(KEY_ROLL), KEY_BY_DIE)))
        parts.append(
            make(
                "DiceButton",
                name=DIE,
                icon="",
                hotkey=KEY_ROLL,
                nDice=1,
                nSides=6,
                reportFormat=words("report.dice").replace("$name$", words("button.air_die")),
            )
        )
    parts.append(
        make(
            "GlobalKeyCommand",
            name=KEY_SHOW.name,
            buttonHotkey=KEY_SHOW,
            hotkey=KEY_SHOW,
            filter='{MarkerId == "air_x1" || MarkerId == "air_x10"}',
        )
    )
    parts += [
        make(
            "DoActionButton",
            name=words(f"button.{tip}"),
            text=text,
            tooltip=words(f"button.{tip}"),
            icon=icon(image),
            doHotkey=True,
            hotkeys=keys(*pressed, KEY_SHOW),
        )
        for image, text, tip, pressed in shown
    ]
    return parts


def shown(plan: Plan) -> bool:
    """Whether the board has a track for air points, and markers that wait to be put there."""
    return "air" in plan.ground.tracks and "air_x1" in plan.reserves.place


def prototype(plan: Plan) -> Traits:
    """What sends an air marker to the box of its digit, or beside the map while there is none to show."""
    main, reserves = plan.words("map.main"), plan.reserves.name
    return (
        traits.TriggerAction(name="To the box", key=KEY_SHOW, condition="{AirBox > 0}", actions=(_TO_BOX,)),
        traits.TriggerAction(name="To wait", key=KEY_SHOW, condition="{AirBox == 0}", actions=(_TO_WAIT,)),
        traits.SendToLocation(
            key=_TO_BOX,
            map_name=main,
            board=main,
            destination="R",
            region=plan.words("track.air_box", n="$AirBox$"),
        ),
        traits.SendToLocation(
            key=_TO_WAIT, map_name=reserves, board=reserves, x="$WaitX$", y="$WaitY$", destination="L"
        ),
    )


def marker_traits(plan: Plan, marker: MarkerPlan) -> Traits:
    """The digit that an air marker shows, and where it waits; nothing for other markers."""
    if marker.id not in ("air_x1", "air_x10") or not shown(plan):
        return ()
    most, (x, y) = max(plan.ground.tracks["air"].boxes), plan.reserves.place[marker.id][1]
    tens = any(m.id == "air_x10" for m in plan.markers)
    digit = {
        "air_x1": f"{AIR} > {most} ? {f'{AIR} % 10' if tens else most} : {AIR}",
        "air_x10": f"{AIR} > {most} ? {AIR} / 10 : 0",
    }[marker.id]
    return (
        traits.UsePrototype(MARKER),
        traits.CalculatedProperty("AirBox", "{" + digit + "}"),
        traits.Marker.of(WaitX=x, WaitY=y),
    )
