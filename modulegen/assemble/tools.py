"""Toolbar of the module: dice, charts, inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make
from hexforge.scenarios.words import catalogue

if TYPE_CHECKING:
    from hexforge.modulegen.assemble.windows import Windowed
    from hexforge.modulegen.plan import Plan

HOTKEY_1D6 = t.function(7)
HOTKEY_CHARTS = t.function(2)


def dice(plan: Windowed) -> list[Element]:
    """One die; two are thrown by the button of combats (`combat`)."""
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
        for n, key in ((1, HOTKEY_1D6),)
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
            entryName=catalogue("module", code).get("language", code),
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


def inventory(plan: Plan) -> Element:
    """The list of all counters by side and place."""
    words = plan.words
    return make(
        "Inventory",
        name=words("window.inventory"),
        tooltip=words("window.inventory_tip"),
        icon=icon("inventory"),
        include='{UnitId != ""}',
        groupBy="SideName,CurrentMap,LocationName",
    )
