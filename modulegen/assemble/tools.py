"""Toolbar of the module: turn tracker, dice, air points, charts, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modulegen.plan.markers import icon
from modulegen.vassal import traits as t
from modulegen.vassal.buildfile import Element, make
from modulegen.vassal.sequence import encode_safe

if TYPE_CHECKING:
    from modulegen.plan import Plan

HOTKEY_NEXT_TURN = t.Key(84, 520)
HOTKEY_2D6 = t.function(6)
HOTKEY_1D6 = t.function(7)
HOTKEY_CHARTS = t.function(2)
AIR = "AirPoints"
TURN, SIDE_PHASE, SIDE, PHASE = "Turn", "SidePhase", "TurnSide", "TurnPhase"


def air_maximum(plan: Plan) -> int:
    """The most air points that any turn brings; 0 for a game without."""
    return max([0, *[row.points for row in plan.scenario.tables.air]])


def global_properties(plan: Plan) -> Element:
    """Properties of the whole game: the air points."""
    most = air_maximum(plan)
    if not most:
        return make("GlobalProperties")
    words = plan.words
    tip = words("button.air_tip")

    def button(image: str, text: str, change: t.Change) -> Element:
        return make(
            "ChangePropertyButton",
            icon=icon(image),
            text=text,
            tooltip=tip,
            reportFormat=words("report.air"),
            propChanger=change,
        )

    return make(
        "GlobalProperties",
        make(
            "GlobalProperty",
            button("air", words("button.air_set"), t.Change("R", words("button.air_prompt"))),
            button("air_up", "", t.Change("I", "1")),
            button("air_down", "", t.Change("I", "-1")),
            name=AIR,
            initialValue=first_air(plan),
            description=tip,
            isNumeric=True,
            min=0,
            max=max(most, 99),
        ),
    )


def first_air(plan: Plan) -> int:
    """The air points of the first turn, 0 where a die decides."""
    first = plan.scenario.game.turns.first
    return next((r.points for r in plan.scenario.tables.air if r.turns and r.turns[0] <= first <= r.turns[1]), 0)


def turn_tracker(plan: Plan) -> Element:
    """Turn with its date, then side and phase in the order of the sequence of play."""
    words, game = plan.words, plan.scenario.game
    steps = [f"{words.side(p.side)}: {words.phase(p.phase)}" for p in game.sequence]
    label = "value"
    for turn in range(game.turns.last, game.turns.first - 1, -1):
        shown = words("turn.label", turn=turn) + f" · {words.turn_date(plan.scenario, turn)}"
        quoted = shown.replace("\\", "").replace('"', "'")
        label = f'value == {turn} ? "{quoted}" : ({label})'
    return make(
        "TurnTracker",
        make(
            "CounterTurnLevel",
            make("ListTurnLevel", name=SIDE_PHASE, property=SIDE_PHASE, list=encode_safe(steps, ",")),
            name=words("turn.level"),
            property=TURN,
            start=game.turns.first,
            turnFormat="{" + label + "}",
            loop=True,
            loopLimit=game.turns.last,
        ),
        name=words("turn.name"),
        buttonText=words("turn.name"),
        nexthotkey=HOTKEY_NEXT_TURN,
        prevhotkey=t.Key(84, 585),
        turnFormat="$level1$ · $level2$",
        reportFormat=words("report.turn"),
        tooltip=words("button.turn_next"),
        lengthStyle="Maximum",
        length=-1,
    )


def dice(plan: Plan) -> list[Element]:
    """Two dice and one, each die reported by itself, none added."""
    words = plan.words
    return [
        make(
            "DiceButton",
            name=words(f"button.dice{n}"),
            text=words(f"button.dice{n}"),
            icon=icon(f"dice_{n}"),
            tooltip=words(f"button.dice{n}_tip"),
            hotkey=key,
            nDice=n,
            nSides=6,
            reportTotal=False,
            reportFormat=words("report.dice"),
        )
        for n, key in ((2, HOTKEY_2D6), (1, HOTKEY_1D6))
    ]


def charts(plan: Plan) -> list[Element]:
    """The window of all tables, a tab for each language, the module's own first."""
    if not plan.charts:
        return []
    words = plan.words
    languages = sorted({c.language for c in plan.charts}, key=lambda code: (code != words.language, code))
    tabs = [
        make(
            "TabWidget",
            *[make("Chart", chartName=c.title, fileName=c.image) for c in plan.charts if c.language == code],
            entryName=_LANGUAGE_NAMES.get(code, code),
        )
        for code in languages
    ]
    return [
        make(
            "ChartWindow",
            make("TabWidget", *tabs, entryName=words("window.charts")),
            name=words("window.charts"),
            text=words("window.charts"),
            tooltip=words("window.charts_tip"),
            icon=icon("charts"),
            hotkey=HOTKEY_CHARTS,
        )
    ]


_LANGUAGE_NAMES = {"pt": "Português", "en": "English"}


def inventory(plan: Plan) -> Element:
    """The list of all counters by side and place."""
    words = plan.words
    return make(
        "Inventory",
        name=words("window.inventory"),
        tooltip=words("window.inventory_tip"),
        icon=icon("inventory"),
        include='{UnitId != ""}',
        groupBy="Side,CurrentMap,LocationName",
    )
