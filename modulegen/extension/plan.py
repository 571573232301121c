"""What modules will hold of a game's own markers and tracks, decided before anything is drawn or written.

An extension has nothing else; in the module of a whole game they lie beside the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.plan.pictures import Picture
from hexforge.modulegen.render.supplies import TrackBox, TrackSheet, face_name, sheet_of

if TYPE_CHECKING:
    from hexforge.modulegen.words import ModuleWords
    from hexforge.scenarios.extended import AnyGame
    from hexforge.scenarios.schema.supplies import Marker

TITLE_IMAGE = "title.png"
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

    extension: AnyGame
    words: ModuleWords
    scale: float
    size: int
    sheet: TrackSheet
    pieces: tuple[PiecePlan, ...]

    def own_pictures(self) -> Iterator[Picture]:
        """The faces of the markers, and the sheet if there are tracks. Raises RenderError."""
        from hexforge.modulegen.render.supplies import face_svg, sheet_svg

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
        from hexforge.modulegen.render.markers import ICON_SIZE, icon_svg

        yield from self.own_pictures()
        for name in dict.fromkeys((*SHARED_ICONS, *OWN_ICONS)):
            yield Picture(icon(name), icon_svg(name), ICON_SIZE**2, colours=0)
        yield title_picture(self)


def title_picture(plan: ExtensionPlan) -> Picture:
    """What VASSAL shows as "About": the title over two of the markers."""
    from markupsafe import Markup

    from hexforge.modulegen.render import templates
    from hexforge.modulegen.render.board_layout import PANEL
    from hexforge.modulegen.render.board_panel import title_plate
    from hexforge.modulegen.render.board_style import board_palette
    from hexforge.modulegen.render.supplies import face_svg
    from hexforge.modulegen.render.title import COUNTER, HEIGHT, WIDTH, size

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
    return Picture(TITLE_IMAGE, svg, size()[0] * size()[1])


def plan(extension: AnyGame, language: str, scale: float = 1.0) -> ExtensionPlan:
    """Decide what the modules of an extension hold."""
    from hexforge.modulegen.render.counters import SIZE
    from hexforge.modulegen.words import ModuleWords

    words = ModuleWords.of(extension, language)
    size = round(SIZE * scale)
    name = words("tracks.map", title=words.title(extension))
    image = f"{prefix_of(extension)}-tracks.png"
    sheet = sheet_of(extension, words.text, size + round(12 * scale), name=name, image=image)
    pieces = tuple(_placed(extension, sheet, list(_pieces(extension, words))))
    return ExtensionPlan(extension, words, scale, size, sheet, pieces)


def prefix_of(game: AnyGame) -> str:
    """What the names of images begin with, so that they are those of no other module."""
    return str(getattr(game.game.module, "id", "own"))


def _pieces(extension: AnyGame, words: ModuleWords) -> Iterator[PiecePlan]:
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


def _placed(extension: AnyGame, sheet: TrackSheet, pieces: list[PiecePlan]) -> Iterator[PiecePlan]:
    """The pieces with the cells that they begin in; one of which nobody knows how many there are begins in none."""
    from dataclasses import replace

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
