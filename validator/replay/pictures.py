"""Pictures of a replay's page: one of the board, one with every face of every counter, both small."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.replay import Replay as Played
from hexforge.validator.replay.looks import MAX_FACES, Album

if TYPE_CHECKING:
    from PIL.Image import Image

    from hexforge.scenarios.model import GameMap, Scenario
    from hexforge.scenarios.words import Words
    from hexforge.validator.replay.model import Replay
    from hexforge.validator.transcribe.chain import Chain

Rect = tuple[int, int, int, int]
"""Left, top, width and height, in pixels."""

BOARD_PIXELS: Final = 6_600_000
"""Pixels of a board's picture at most: with them the largest game's page stays below three megabytes."""
_UNIT: Final = 100
_FINEST: Final = 1.25
"""Pixels for a hundredth of a hex, on a small map."""
_QUALITY: Final = 72
_SHEET_WIDTH: Final = 1360


@dataclass(frozen=True, slots=True)
class Pictures:
    """Data URIs, "" for what there is none of. `faces` says where each face lies in `sheet`, of `size` pixels.

    `natural`: a pixel of a face is a unit of the board; else a face is as large as the board's counters.
    """

    board: str = ""
    sheet: str = ""
    size: tuple[int, int] = (0, 0)
    faces: Mapping[str, Rect] = field(default_factory=dict)
    natural: bool = False

    def as_json(self) -> dict[str, object]:
        """Where the faces lie, for the page's script; the pictures themselves stand in the page once."""
        return {"size": self.size, "faces": self.faces, "natural": self.natural, "board": bool(self.board)}


class Studio:
    """Draws with the module's own brushes, and keeps what it has drawn: games share boards and counters."""

    def __init__(self) -> None:
        self._boards: list[tuple[GameMap, str, str]] = []
        self._counters: dict[tuple[str, str], Image] = {}
        self._sheets: list[tuple[str, tuple[str, ...], tuple[str, tuple[int, int], dict[str, Rect]]]] = []

    def pictures(self, scenario: Scenario, played: GameMap, words: Words, faces: Iterable[str]) -> Pictures:
        """The board of a map that was played on, and counters: `faces` are an id and a face, a blank between."""
        return Pictures(self._board(scenario, played, words), *self._sheet(scenario, tuple(faces)))

    def _sheet(self, scenario: Scenario, names: tuple[str, ...]) -> tuple[str, tuple[int, int], dict[str, Rect]]:
        """The faces in one picture: most games of a folder show the same."""
        for digest, known, sheet in self._sheets:
            if (digest, known) == (scenario.digest, names):
                return sheet
        drawn = {name: face for name in names if (face := self._face(scenario, name)) is not None}
        sheet = sheet_of(drawn)
        self._sheets = [(scenario.digest, names, sheet), *self._sheets[:7]]
        return sheet

    def _face(self, scenario: Scenario, name: str) -> Image | None:
        from hexforge.modulegen.render.counters import counter_png, faces
        from hexforge.modulegen.render.raster import open_image

        id_, _, wanted = name.partition(" ")
        key = scenario.digest, name
        if key not in self._counters:
            counter = scenario.counters[id_]
            for face in faces(counter):
                picture = open_image(counter_png(counter, scenario, face))
                self._counters[scenario.digest, f"{id_} {face}"] = picture
        return self._counters.get((scenario.digest, f"{id_} {wanted}"))

    def _board(self, scenario: Scenario, played: GameMap, words: Words) -> str:
        # By what it holds: each sheet is played on a map of its own.
        for known, language, picture in self._boards:
            if known == played and language == words.language:
                return picture
        picture = _board(scenario, played, words)
        self._boards = [(played, words.language, picture), *self._boards[:7]]
        return picture


def _board(scenario: Scenario, played: GameMap, words: Words) -> str:
    from hexforge.modulegen.render.raster import open_image, rasterise
    from hexforge.validator.report.board import ground

    width, height = (side * _UNIT for side in played.grid.size)
    zoom = min(_FINEST, sqrt(BOARD_PIXELS / (width * height)))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * zoom:.0f}" height="{height * zoom:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" font-family="Fira Sans Condensed">'
        f"{ground(played, scenario, words, detail=zoom * _UNIT)}</svg>"
    )
    return webp(open_image(rasterise(svg)))


def module_pictures(chain: Chain, replay: Replay, name: str | None) -> Pictures:
    """What the file of a module has of a replay's board, a map of that name, and of the pieces on it."""
    if chain.archive is None:
        return Pictures()
    album = Album(chain.archive)
    try:
        looks = dict.fromkeys(look for piece in replay.pieces for look in piece.faces if look)
        drawn = {look: face for look in list(looks)[:MAX_FACES] if (face := album.look(look)) is not None}
        sheet, size, places = sheet_of(drawn)
        return Pictures(_module_board(chain, replay, name, album), sheet, size, places, natural=True)
    finally:
        album.close()


def _module_board(chain: Chain, replay: Replay, name: str | None, album: Album) -> str:
    """The boards of a map beside each other, as the last log has them."""
    from PIL import Image

    window = chain.module.map(name) if chain.module is not None else None
    if window is None or not chain.logs:
        return ""
    wide, high = replay.board.width, replay.board.height
    zoom = min(1.0, sqrt(BOARD_PIXELS / (wide * high)))
    whole = Image.new("RGB", (max(1, round(wide * zoom)), max(1, round(high * zoom))), "#8d9088")
    found = False
    for board, (x, y), size, turned in Played(chain.logs[-1].game, chain.module).placed(window):
        picture = album.image(board.image) if board.image and size else None
        if picture is None or size is None:
            continue
        found = True
        shown = picture.rotate(180) if turned else picture
        small = shown.convert("RGB").resize((max(1, round(size[0] * zoom)), max(1, round(size[1] * zoom))))
        whole.paste(small, (round(x * zoom), round(y * zoom)))
    return webp(whole) if found else ""


def webp(image: Image) -> str:
    """A picture as data, with losses that nobody sees on a map."""
    out = io.BytesIO()
    image.convert("RGB").save(out, "WEBP", quality=_QUALITY, method=4)
    return _data("webp", out.getvalue())


def sheet_of(drawn: Mapping[str, Image]) -> tuple[str, tuple[int, int], dict[str, Rect]]:
    """Pictures beside each other in one, row below row: it as data, its size, and where each lies."""
    from PIL import Image

    places: dict[str, Rect] = {}
    x = y = row = 0
    for name, picture in sorted(drawn.items(), key=lambda item: (-item[1].height, item[0])):
        if x and x + picture.width > _SHEET_WIDTH:
            x, y, row = 0, y + row, 0
        places[name] = (x, y, picture.width, picture.height)
        x, row = x + picture.width, max(row, picture.height)
    if not places:
        return "", (0, 0), {}
    size = max(left + width for left, _, width, _ in places.values()), y + row
    sheet = Image.new("RGBA", size)
    for name, (left, top, _, _) in places.items():
        sheet.paste(drawn[name], (left, top))
    out = io.BytesIO()
    # Flat drawings: 256 colours are as good as all, and an eighth of the length.
    sheet.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return _data("png", out.getvalue()), size, places


def _data(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{b64encode(data).decode()}"
