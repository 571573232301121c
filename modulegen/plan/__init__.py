"""Second stage: decide everything that the module will hold, before anything is drawn or written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modulegen.plan import boxes, ground
from modulegen.plan.boxes import Sheet
from modulegen.plan.ground import Ground
from modulegen.plan.pictures import Picture

if TYPE_CHECKING:
    from modulegen.words import Words
    from scenarios.model import Counter, Scenario

__all__ = ["ChartPlan", "MarkerPlan", "Picture", "Plan", "Sheet", "UnitPlan", "plan"]


@dataclass(frozen=True)
class UnitPlan:
    """A counter in the module: its slot's number and the images of its faces, full strength first."""

    counter: Counter
    gpid: int
    images: tuple[str, ...]


@dataclass(frozen=True)
class MarkerPlan:
    """A marker of the palette. Several images are faces to turn."""

    id: str
    name: str
    gpid: int
    images: tuple[str, ...]


@dataclass(frozen=True)
class ChartPlan:
    """A chart in one language."""

    title: str
    language: str
    image: str


@dataclass(frozen=True)
class Plan:
    """All that the module will hold. `size` is the edge of a counter in pixels."""

    scenario: Scenario
    words: Words
    scale: float
    size: int
    ground: Ground
    reserves: Sheet
    losses: Sheet
    units: Mapping[str, UnitPlan]
    markers: tuple[MarkerPlan, ...]
    charts: tuple[ChartPlan, ...]
    pictures: tuple[Picture, ...]

    @property
    def next_gpid(self) -> int:
        """A number above those of all slots."""
        return 1 + max([0, *[u.gpid for u in self.units.values()], *[m.gpid for m in self.markers]])


def plan(scenario: Scenario, language: str, scale: float = 1.0) -> Plan:
    """Decide what a module of this game holds. Raises KeyError for a language that the game has not."""
    from modulegen.plan.markers import charts, markers, moved
    from modulegen.render.counters import SIZE, counter_svg, faces
    from modulegen.words import Words

    words = Words.of(scenario, language)
    size = round(SIZE * scale)
    pictures: list[Picture] = []
    units: dict[str, UnitPlan] = {}
    for number, counter in enumerate(scenario.counters.values(), 1):
        images = []
        for face in faces(counter):
            name = f"{counter.id}{'' if face == 'full' else '-' + face}.png"
            pictures.append(Picture(name, counter_svg(counter, scenario, face, scale=scale), size * size))
            images.append(name)
        units[counter.id] = UnitPlan(counter, number, tuple(images))
    marker_plans, marker_pictures = markers(scenario, words, scale, len(units) + 1)
    chart_plans, chart_pictures = charts(scenario, scale)
    cell = size + 12
    field = ground.ground(scenario, scale)
    reserves, losses = boxes.reserves(scenario, words, cell), boxes.losses(scenario, words, cell)
    pictures += [*marker_pictures, *chart_pictures, moved(scale)]
    pictures += [boxes.picture(reserves, scenario), boxes.picture(losses, scenario)]
    pictures.append(ground.picture(scenario, language, scale, field))
    names = [p.name for p in pictures]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise ValueError(f"two pictures would have the name {', '.join(sorted(twice))}")
    return Plan(
        scenario=scenario,
        words=words,
        scale=scale,
        size=size,
        ground=field,
        reserves=reserves,
        losses=losses,
        units=units,
        markers=marker_plans,
        charts=chart_plans,
        pictures=tuple(pictures),
    )
