"""Second stage: decide everything that the module will hold, before anything is drawn or written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hexforge.modulegen.plan import boxes, ground, markers
from hexforge.modulegen.plan.battlefield import Barriers, Membership, barriers, memberships, records
from hexforge.modulegen.plan.boxes import BoxBoard
from hexforge.modulegen.plan.deployment import suggested
from hexforge.modulegen.plan.ground import BoardPlan
from hexforge.modulegen.plan.pictures import Picture
from hexforge.modulegen.plan.values import ChartPlan, MarkerPlan, UnitPlan

if TYPE_CHECKING:
    from hexforge.modulegen.extension.plan import ExtensionPlan
    from hexforge.modulegen.words import ModuleWords
    from hexforge.scenarios.hexgrid import Hex
    from hexforge.scenarios.model import Counter, Scenario

__all__ = ["BoxBoard", "ChartPlan", "MarkerPlan", "Picture", "Plan", "UnitPlan", "plan"]


TITLE_IMAGE = "title.png"


@dataclass(frozen=True)
class Plan:
    """All that the module will hold. `size` is the edge of a counter in pixels."""

    scenario: Scenario
    words: ModuleWords
    scale: float
    size: int
    ground: BoardPlan
    reserves: BoxBoard
    losses: BoxBoard
    units: Mapping[str, UnitPlan]
    markers: tuple[MarkerPlan, ...]
    charts: tuple[ChartPlan, ...]
    supplies: ExtensionPlan
    """The markers and tracks that the game itself names."""

    @property
    def image_count(self) -> int:
        """How many images `pictures` gives."""
        faces = sum(len(u.images) for u in self.units.values()) + sum(len(m.images) for m in self.markers)
        # Besides: the marks of the moved and of those in combat, two sheets, the title picture, the board.
        marks = 1 + len(markers.COMBAT_IMAGES)
        own = len(self.supplies.face_images) + bool(self.supplies.sheet.boxes)
        return faces + own + len(markers.icons_of(self.scenario)) + len(self.charts) + marks + 4

    def pictures(self) -> Iterator[Picture]:
        """All images, one after the other as their SVG is written, the board last: it takes the longest to write.

        Raises ScenarioError for a text that one lacks, RenderError for what cannot be drawn.
        """
        from hexforge.modulegen.render.counters import counter_svg, faces

        scenario, language = self.scenario, self.words.language
        for unit in self.units.values():
            for face, name in zip(faces(unit.counter), unit.images, strict=True):
                svg = counter_svg(unit.counter, scenario, face, scale=self.scale)
                yield Picture(name, svg, self.size**2, colours=0)
        yield from markers.marker_pictures(scenario, self.markers, language, self.scale, self.size)
        yield from self.supplies.own_pictures()
        yield from markers.icon_pictures(scenario, self.scale)
        yield from markers.chart_pictures(scenario, self.charts, self.scale)
        yield boxes.picture(self.reserves, scenario)
        yield boxes.picture(self.losses, scenario)
        yield title_picture(scenario, language)
        yield ground.picture(scenario, language, self.scale, self.ground)

    @cached_property
    def memberships(self) -> Mapping[str, Membership]:
        """What every unit counts for in unity of command, by its id."""
        return memberships(self.scenario)

    @cached_property
    def barriers(self) -> Barriers:
        """Where units may not go, not even in retreat."""
        return barriers(self.scenario)

    @cached_property
    def records(self) -> Mapping[str, str]:
        """What the ground does for each side that defends, by its id (`battlefield.records`)."""
        return {s.id: records(self.scenario, self.barriers, s.id) for s in self.scenario.game.sides[:2]}

    @cached_property
    def suggested(self) -> Mapping[str, Hex]:
        """Where units that have a choice may well begin."""
        return suggested(self.scenario)

    @property
    def first_own_gpid(self) -> int:
        """The number of the first slot of the markers that the game itself names."""
        return 1 + max([0, *[u.gpid for u in self.units.values()], *[m.gpid for m in self.markers]])

    @property
    def next_gpid(self) -> int:
        """A number above those of all slots."""
        return self.first_own_gpid + len(self.supplies.pieces)


def title_picture(scenario: Scenario, language: str) -> Picture:
    """What VASSAL shows as "About", and beside the first questions to a player."""
    from hexforge.modulegen.render.title import size, title_svg

    width, height = size()
    return Picture(TITLE_IMAGE, title_svg(scenario, language), width * height)


def face_image(counter: Counter, face: str) -> str:
    """The name of the image of a counter's face."""
    return f"{counter.id}.png" if face == "full" else f"{counter.id}-{face}.png"


def plan(scenario: Scenario, language: str, scale: float = 1.0) -> Plan:
    """Decide what a module of this game holds."""
    from hexforge.modulegen.extension import plan as supplies
    from hexforge.modulegen.render.counters import SIZE, faces
    from hexforge.modulegen.words import ModuleWords

    words = ModuleWords.of(scenario, language)
    size = round(SIZE * scale)
    units = {
        c.id: UnitPlan(c, number, tuple(face_image(c, face) for face in faces(c)))
        for number, c in enumerate(scenario.counters.values(), 1)
    }
    marker_plans = markers.markers(scenario, words, len(units) + 1)
    cell = size + 12
    waiting = tuple(m.id for m in marker_plans if m.id.startswith(("air_", "weather")))
    return Plan(
        scenario=scenario,
        words=words,
        scale=scale,
        size=size,
        ground=ground.ground(scenario, words, scale),
        reserves=boxes.reserves(scenario, words, cell, waiting),
        losses=boxes.losses(scenario, words, cell),
        units=units,
        markers=marker_plans,
        charts=markers.charts(scenario, language),
        supplies=supplies.plan(scenario, language, scale),
    )
