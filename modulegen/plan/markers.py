"""Markers of the palette, and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modulegen.plan import ChartPlan, MarkerPlan
from modulegen.plan.pictures import Picture

if TYPE_CHECKING:
    from modulegen.words import Words
    from scenarios.model import Scenario

MOVED_IMAGE = "moved.png"


def moved(scale: float) -> Picture:
    """The mark of a counter that has moved."""
    from modulegen.render import templates

    return Picture(MOVED_IMAGE, templates.render("boxes/moved.svg.j2", pixels=round(20 * scale)), 400)


def markers(
    scenario: Scenario, words: Words, scale: float, first_gpid: int
) -> tuple[tuple[MarkerPlan, ...], list[Picture]]:
    """The markers of a game, with slot numbers from `first_gpid` on, and their pictures."""
    return (), []


def charts(scenario: Scenario, scale: float) -> tuple[tuple[ChartPlan, ...], list[Picture]]:
    """All tables of a game in all its languages, and their pictures."""
    return (), []
