"""Second stage: decide everything that the module will hold, before anything is drawn or written.

What modules will hold of a game's own markers and tracks, decided before anything is drawn or written.

An extension has nothing else; in the module of a whole game they lie beside the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..render import templates
from ..render.board_layout import PANEL, board_palette
from ..render.board_panel import title_plate
from ..render.counters import SIZE, counter_svg, faces
from ..render.markers import ICON_SIZE, TrackBox, TrackSheet, face_name, face_svg, icon_svg, sheet_of, sheet_svg
from ..render.preview import COUNTER, HEIGHT, WIDTH, size, title_svg
from ..render.templates import ModuleWords
from . import boxes
from . import markers as plan_markers
from .battlefield import Barriers, Membership, barriers, memberships, records, suggested
from .boxes import BoxBoard
from .markers import BoardPlan, ChartPlan, MarkerPlan, Picture, UnitPlan, icon

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.schema.markers import Marker
    from ...scenarios.schema.setup import CounterRow as Counter
    from ...scenarios.text.hexgrid import Hex


PLAN_TITLE_IMAGE = "title.png"
SHEET_ICONS = ("picture", "text", "zoom", "zoom_in", "zoom_out")
"""Icons of the sheet's window."""
SHARED_ICONS = (*SHEET_ICONS, "charts", "markers", "tracks")
"""Icons that the extension needs."""
OWN_ICONS = (*SHEET_ICONS, "dice_1", "inventory", "markers", "notes", "sides", "turn")
"""Icons that the module which stands alone needs."""


@dataclass(frozen=True)
class PiecePlan:
    """A slot of the palette: one marker, or all of a kind of which nobody has said how many there are.

    `images` are those of its faces; `spot` is where it lies at the start: a box of the sheet and a cell of it.
    """

    id: str
    kind: str
    marker: Marker
    number: str
    name: str
    slot: int
    images: tuple[str, ...]
    face_names: tuple[str, ...]
    spot: tuple[TrackBox, int] | None = None

    @property
    def endless(self) -> bool:
        """Whether it may be taken from the palette as often as the box holds one."""
        return self.marker.count is None and not self.number


@dataclass(frozen=True)
class ExtensionPlan:
    """All that the two modules will hold. `size` is the edge of a marker in pixels."""

    extension: Scenario
    words: ModuleWords
    scale: float
    size: int
    sheet: TrackSheet
    pieces: tuple[PiecePlan, ...]

    def own_pictures(self) -> Iterator[Picture]:
        """The faces of the markers, and the sheet if there are tracks. Raises RenderError."""
        game, text = self.extension, self.words.text
        for name, (piece, i) in self.face_images.items():
            face = piece.marker.faces[i]
            svg = face_svg(game, piece.marker, face, text, number=piece.number, scale=self.scale)
            yield Picture(name, svg, self.size**2, colours=0)
        if self.sheet.boxes:
            pixels = self.sheet.width * self.sheet.height
            yield Picture(self.sheet.image, sheet_svg(game, self.sheet), pixels, colours=0)

    @property
    def image_count(self) -> int:
        """How many images `pictures` gives."""
        return len(list(self.face_images)) + len({*SHARED_ICONS, *OWN_ICONS}) + 2

    @cached_property
    def face_images(self) -> dict[str, tuple[PiecePlan, int]]:
        """Image of each face -> a piece that has it, and which face of it that is."""
        return {name: (piece, i) for piece in self.pieces for i, name in enumerate(piece.images)}

    def pictures(self) -> Iterator[Picture]:
        """All images. Raises RenderError for what cannot be drawn."""
        yield from self.own_pictures()
        for name in dict.fromkeys((*SHARED_ICONS, *OWN_ICONS)):
            yield Picture(icon(name), icon_svg(name), ICON_SIZE**2, colours=0)
        yield plan_title_picture(self)


def plan_title_picture(plan: ExtensionPlan) -> Picture:
    """What VASSAL shows as "About": the title over two of the markers."""
    from markupsafe import Markup

    shown = list(plan.extension.game.markers.values())[:2]
    faces = [face_svg(plan.extension, marker, marker.faces[0], plan.words.text, scale=COUNTER) for marker in shown]
    svg = templates.render(
        "boxes/title.svg.j2",
        width=WIDTH,
        size=size(),
        height=HEIGHT,
        look=board_palette(),
        scale=1,
        left=0,
        top=0,
        shapes=[],
        plate=Markup("".join(title_plate(plan.words.text))),
        plate_left=(WIDTH - PANEL) / 2,
        plate_top=34,
        counters=[Markup(face) for face in faces],
        counter=round(72 * COUNTER),
    )
    return Picture(PLAN_TITLE_IMAGE, svg, size()[0] * size()[1])


def extension_plan(extension: Scenario, language: str, scale: float = 1.0) -> ExtensionPlan:
    """Decide what the modules of an extension hold."""
    words = ModuleWords.of(extension, language)
    size = round(SIZE * scale)
    name = words("tracks.map", title=words.title(extension))
    image = f"{prefix_of(extension)}-tracks.png"
    sheet = sheet_of(extension, words.text, size + round(12 * scale), name=name, image=image)
    pieces = tuple(_placed(extension, sheet, list(_pieces(extension, words))))
    return ExtensionPlan(extension, words, scale, size, sheet, pieces)


def prefix_of(game: Scenario) -> str:
    """What the names of images begin with, so that they are those of no other module."""
    return str(getattr(game.game.module, "id", "own"))


def _pieces(extension: Scenario, words: ModuleWords) -> Iterator[PiecePlan]:
    game, slot, prefix = extension.game, 0, prefix_of(extension)
    for kind, marker in game.markers.items():
        names = tuple(face_name(words.text, face.id) for face in marker.faces)
        for id_ in game.copies(kind):
            number = id_.removeprefix(kind).removeprefix("-")
            ending = f"-{number}" if number else ""
            shown = names[-1] if marker.hidden else names[0]
            yield PiecePlan(
                id=id_,
                kind=kind,
                marker=marker,
                number=number,
                name=f"{shown} {number}".rstrip(),
                slot=slot,
                images=tuple(f"{prefix}-{face.id}{ending}.png" for face in marker.faces),
                face_names=names,
            )
            slot += 1


def _placed(extension: Scenario, sheet: TrackSheet, pieces: list[PiecePlan]) -> Iterator[PiecePlan]:
    """The pieces with the cells that they begin in; one of which nobody knows how many there are begins in none."""
    taken: dict[tuple[str, str], int] = {}
    for piece in pieces:
        start = piece.marker.start
        if start is None or start.track is None or piece.endless:
            yield piece
            continue
        track = extension.game.tracks[start.track]
        box = start.box or track.first_room or track.boxes[0]
        cell = taken.get((start.track, box), 0)
        taken[start.track, box] = cell + 1
        yield replace(piece, spot=(sheet.box(start.track, box), cell % track.room))


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
        marks = 1 + len(plan_markers.COMBAT_IMAGES)
        own = len(self.supplies.face_images) + bool(self.supplies.sheet.boxes)
        return faces + own + len(plan_markers.icons_of(self.scenario)) + len(self.charts) + marks + 4

    def pictures(self) -> Iterator[Picture]:
        """All images, one after the other as their SVG is written, the board last: it takes the longest to write.

        Raises ScenarioError for a text that one lacks, RenderError for what cannot be drawn.
        """
        scenario, language = self.scenario, self.words.language
        for unit in self.units.values():
            for face, name in zip(faces(unit.counter), unit.images, strict=True):
                svg = counter_svg(unit.counter, scenario, face, scale=self.scale)
                yield Picture(name, svg, self.size**2, colours=0)
        yield from plan_markers.marker_pictures(scenario, self.markers, language, self.scale, self.size)
        yield from self.supplies.own_pictures()
        yield from plan_markers.icon_pictures(scenario, self.scale)
        yield from plan_markers.chart_pictures(scenario, self.charts, self.scale)
        yield boxes.picture(self.reserves, scenario)
        yield boxes.picture(self.losses, scenario)
        yield title_picture(scenario, language)
        yield plan_markers.picture(scenario, language, self.scale, self.ground)

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
    width, height = size()
    return Picture(TITLE_IMAGE, title_svg(scenario, language), width * height)


def face_image(counter: Counter, face: str) -> str:
    """The name of the image of a counter's face."""
    return f"{counter.id}.png" if face == "full" else f"{counter.id}-{face}.png"


def plan(scenario: Scenario, language: str, scale: float = 1.0) -> Plan:
    """Decide what a module of this game holds."""
    words = ModuleWords.of(scenario, language)
    size = round(SIZE * scale)
    units = {
        c.id: UnitPlan(c, number, tuple(face_image(c, face) for face in faces(c)))
        for number, c in enumerate(scenario.counters.values(), 1)
    }
    marker_plans = plan_markers.markers(scenario, words, len(units) + 1)
    cell = size + 12
    waiting = tuple(m.id for m in marker_plans if m.id.startswith(("air_", "weather")))
    return Plan(
        scenario=scenario,
        words=words,
        scale=scale,
        size=size,
        ground=plan_markers.ground(scenario, words, scale),
        reserves=boxes.reserves(scenario, words, cell, waiting),
        losses=boxes.losses(scenario, words, cell),
        units=units,
        markers=marker_plans,
        charts=plan_markers.charts(scenario, language),
        supplies=extension_plan(scenario, language, scale),
    )
