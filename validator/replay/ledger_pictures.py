"""Pictures of a page of accounts: the sheet of tracks with the hexes below it, and the markers."""

from __future__ import annotations

from html import escape
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.render.raster import SANS, open_image, rasterise
from hexforge.modulegen.render.supplies import face_svg, sheet_svg
from hexforge.modulegen.words import ModuleWords
from hexforge.validator.replay.ledger import HEX, SheetGround
from hexforge.validator.replay.pictures import Pictures, drawn, sheet_of, webp
from hexforge.validator.report.plain import safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

    from hexforge.scenarios.extended import Extension
    from hexforge.validator.replay.model import Replay

_MOST_MARKERS: Final = 400


def ledger_pictures(game: Extension, replay: Replay, setting: SheetGround) -> Pictures:
    """What the page of a replay shows: the board of its setting, and every face of its markers."""
    inside = f"{sheet_svg(game, setting.sheet)}{''.join(_hexes(setting))}"
    board = webp(drawn(inside, (setting.width, setting.height), 1.0))
    return Pictures((board,), *sheet_of(dict(_faces(game, replay))))


def _hexes(setting: SheetGround) -> Iterator[str]:
    """The hexes as they are called, on paper of the sheet's colour."""
    from hexforge.modulegen.render.board_style import board_palette

    look, below = board_palette(), setting.sheet.height
    yield f'<rect y="{below}" width="{setting.width}" height="{setting.height - below}" fill="{look["page"]}"/>'
    radius = HEX * 0.56
    for name, x, y in setting.hexes:
        corners = " ".join(
            f"{x + radius * cos(i * pi / 3):.1f},{y + radius * sin(i * pi / 3):.1f}" for i in range(6)
        )
        yield f'<polygon points="{corners}" fill="{look["paper"]}" stroke="{look["frame"]}" stroke-width="1.5"/>'
        yield (
            f'<text x="{x:.1f}" y="{y - 41:.1f}" font-family="{SANS}" font-size="16" font-weight="600" '
            f'text-anchor="middle" fill="{look["ink"]}">{escape(safe(name))}</text>'
        )


def _faces(game: Extension, replay: Replay) -> Iterator[tuple[str, Image]]:
    by_face = {face.id: (marker, face) for marker in game.game.markers.values() for face in marker.faces}
    text = ModuleWords.of(game, replay.languages[0]).text
    for piece in replay.pieces[:_MOST_MARKERS]:
        for name in piece.faces:
            id_, _, face = name.partition(" ")
            marker, found = by_face[face]
            ending = id_.rpartition("-")[2]
            number = ending if marker.numbered and ending.isdecimal() else ""
            yield name, open_image(rasterise(face_svg(game, marker, found, text, number=number)))
