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


def markers(scenario: Scenario, words: Words, first_gpid: int) -> tuple[MarkerPlan, ...]:
    """The markers of a game, with slot numbers from `first_gpid` on."""
    return ()


def charts(scenario: Scenario, scale: float) -> tuple[tuple[ChartPlan, ...], list[Picture]]:
    """All tables of a game in all its languages, and their pictures. Raises ScenarioError for a text that lacks."""
    from modulegen.render import charts as render
    from scenarios.problems import Problem, ScenarioError

    plans: list[ChartPlan] = []
    pictures: list[Picture] = []
    for language in scenario.texts:
        for id_ in render.charts(scenario):
            try:
                drawn = render.chart(scenario, id_, language, scale)
            except KeyError as error:
                file = scenario.folder / f"text.{language}.yaml"
                raise ScenarioError(
                    [Problem(str(file), 0, str(error.args[0]), f"is missing; the chart {id_!r} needs it")]
                ) from error
            image = f"chart-{id_}-{language}.png"
            plans.append(ChartPlan(drawn.title, language, image))
            pictures.append(Picture(image, drawn.svg, drawn.width * drawn.height, colours=64))
    return tuple(plans), pictures
