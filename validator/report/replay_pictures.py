"""Pictures of a replay's page: one of the board, one with every face of every counter, both small.

How a piece of any module looks: which of its pictures lie over each other, as a text that names them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...scenarios.console import safe
from ...scenarios.text.files import cache_folder
from .article import ground, lettering

if TYPE_CHECKING:
    from PIL.Image import Image

    from ...modulegen.draw import Cache
    from ...modulegen.vassal.traits import Piece
    from ...scenarios.model import GameMap, Scenario
    from ...scenarios.text.words import Words
    from ..logs.chain import Chain
    from .replay_model import Board, Replay


_NEXT: Final = "\x1e"
_PART: Final = "\x1f"
"""Between pictures, and between a picture and where it lies: signs that no name of a file has."""
MAX_SIDE: Final = 600
"""Pixels of a piece's picture, either way; what is larger is shown smaller."""
MAX_LAYERS: Final = 12
MAX_FACES: Final = 1_500
"""Looks of pieces that a page has pictures of."""
MAX_PIXELS: Final = 60_000_000
_MOST_BYTES: Final = 32 << 20


def looks_of(piece: Piece, *, masked: bool = False) -> str:
    """The pictures of a piece from bottom to top, each with how far from its middle it lies; "" without any."""
    return _NEXT.join(_PART.join(map(str, layer)) for layer in _layers(piece, masked))


def _layers(piece: Piece, masked: bool) -> Iterator[tuple[str, int, int]]:
    from ...modulegen.vassal.traits import BasicPiece, Layer, Obscurable

    for trait, state in reversed(list(zip(piece.traits, piece.states, strict=True))):
        if masked:
            if isinstance(trait, Obscurable) and trait.image:
                yield trait.image, 0, 0
        elif isinstance(trait, BasicPiece) and trait.image:
            yield trait.image, 0, 0
        elif isinstance(trait, Layer):
            level = trait.level(state)
            image = trait.images[level - 1] if 0 < level <= len(trait.images) else ""
            if image:
                yield image, trait.x, trait.y


class Album:
    """The pictures in a module's file. What is no picture, or too large to be one, is as good as absent."""

    def __init__(self, path: Path) -> None:
        from ...modulegen.vassal.archive import Archive

        self._archive = Archive(path)
        self._known: dict[str, Image | None] = {}

    def close(self) -> None:
        """Let go of the file."""
        self._archive.close()

    def look(self, look: str) -> Image | None:
        """A piece as it looks, its pictures laid over each other."""
        from PIL import Image

        layers = [layer.split(_PART) for layer in look.split(_NEXT) if layer][:MAX_LAYERS]
        found = [(picture, _near(x), _near(y)) for name, x, y in layers if (picture := self.image(name))]
        if not found:
            return None
        half_wide = max(picture.width / 2 + abs(x) for picture, x, _ in found)
        half_high = max(picture.height / 2 + abs(y) for picture, _, y in found)
        whole = Image.new("RGBA", (max(1, round(half_wide * 2)), max(1, round(half_high * 2))))
        for picture, x, y in found:
            corner = round(half_wide + x - picture.width / 2), round(half_high + y - picture.height / 2)
            whole.alpha_composite(picture, (max(0, corner[0]), max(0, corner[1])))
        if max(whole.size) > MAX_SIDE:
            whole.thumbnail((MAX_SIDE, MAX_SIDE))
        return whole

    def image(self, name: str) -> Image | None:
        """A picture by its name in the module, with or without its ending."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Image | None:
        from PIL import Image, UnidentifiedImageError

        from ...modulegen.vassal.encoding import FormatError

        entries = [f"images/{name}{ending}" for ending in ("", ".gif", ".png", ".jpg")]
        entry = next((e for e in entries if e in self._archive), None)
        if entry is None:
            return None
        try:
            with Image.open(io.BytesIO(self._archive.read(entry, _MOST_BYTES))) as picture:
                if picture.width * picture.height > MAX_PIXELS:
                    return None
                return picture.convert("RGBA")
        except (
            UnidentifiedImageError,
            OSError,
            ValueError,
            SyntaxError,
            FormatError,
            Image.DecompressionBombError,
        ):
            return None


def _near(text: str) -> int:
    """How far from the middle a picture lies, within what a piece may measure."""
    return max(-MAX_SIDE, min(MAX_SIDE, int(text)))


Rect = tuple[int, int, int, int]
"""Left, top, width and height, in pixels."""

BOARD_PIXELS: Final = 6_600_000
"""Pixels of a board's picture at most: with them the largest game's page stays below three megabytes."""
_UNIT: Final = 100
_FINEST: Final = 1.25
"""Pixels for a hundredth of a hex, on a small map."""
_QUALITY: Final = 72
_SHEET_WIDTH: Final = 1360
_MOST_FILES: Final = 5_000


@dataclass(frozen=True, slots=True)
class LetteredPicture:
    """A picture of words, and where on the board it lies: left, top, width and height in units of the board."""

    picture: str
    place: tuple[float, float, float, float]


Ground = tuple[str, Mapping[str, LetteredPicture]]
"""A board without the words that differ between languages, and those by language."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """Data URIs (links, once they are `apart`), "" for what there is none of. `faces` says where each face lies in
    `sheet`, of `size` pixels.

    `boards` are those of the replay, in its order. `names` are what of the first is in words and differs between
    languages, by language. `natural`: a pixel of a face is a unit of the board; else a face is as large as the
    board's counters.
    """

    boards: tuple[str, ...] = ("",)
    sheet: str = ""
    size: tuple[int, int] = (0, 0)
    faces: Mapping[str, Rect] = field(default_factory=dict)
    natural: bool = False
    names: Mapping[str, LetteredPicture] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Where the faces lie, for the page's script; the pictures themselves stand in the page once."""
        return {"size": self.size, "faces": self.faces, "natural": self.natural}


def apart(pictures: Pictures) -> tuple[Pictures, dict[str, bytes]]:
    """The pictures as links, and the files that these lead to, called by what they hold: pages may share them."""
    files: dict[str, bytes] = {}

    def link(uri: str) -> str:
        head, _, text = uri.partition(";base64,")
        if not text:
            return uri
        data = b64decode(text)
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.{head.rpartition('/')[2]}"
        files[name] = data
        return name

    names = {language: replace(found, picture=link(found.picture)) for language, found in pictures.names.items()}
    boards = tuple(map(link, pictures.boards))
    return replace(pictures, boards=boards, sheet=link(pictures.sheet), names=names), files


class Studio:
    """Draws with the module's own brushes, and keeps what it has drawn: games share boards and counters."""

    def __init__(self) -> None:
        self._boards: list[tuple[GameMap, tuple[str, ...], Ground]] = []
        self._counters: dict[tuple[str, str], Image] = {}
        self._sheets: list[tuple[str, tuple[str, ...], tuple[str, tuple[int, int], dict[str, Rect]]]] = []

    def pictures(
        self, scenario: Scenario, played: GameMap, words: Sequence[Words], faces: Iterable[str]
    ) -> Pictures:
        """The board of a map that was played on, and counters: `faces` are an id and a face, a blank between.

        The board's words are in all languages of `words`.
        """
        board, names = self._board(scenario, played, words)
        return Pictures((board,), *self._sheet(scenario, tuple(faces), _cache(scenario, played)), names=names)

    def _sheet(
        self, scenario: Scenario, names: tuple[str, ...], cache: Cache
    ) -> tuple[str, tuple[int, int], dict[str, Rect]]:
        """The faces in one picture: most games of a folder show the same."""
        for digest, known, sheet in self._sheets:
            if (digest, known) == (scenario.digest, names):
                return sheet

        def made() -> bytes:
            drawn = {name: face for name in names if (face := self._face(scenario, name)) is not None}
            return json.dumps(sheet_of(drawn)).encode()

        # No verdict rests on a game's own symbols, so its digest leaves them out.
        key = f"counters {scenario.digest} {_files_of(scenario)} {names}"
        picture, (width, height), places = json.loads(_once(cache, key, made))
        sheet = picture, (width, height), {name: tuple(place) for name, place in places.items()}
        self._sheets = [(scenario.digest, names, sheet), *self._sheets[:7]]
        return sheet

    def _face(self, scenario: Scenario, name: str) -> Image | None:
        from ...modulegen.render.counters import counter_png, faces
        from ...modulegen.render.raster import open_image

        id_, _, wanted = name.partition(" ")
        key = scenario.digest, name
        if key not in self._counters:
            counter = scenario.counters[id_]
            for face in faces(counter):
                picture = open_image(counter_png(counter, scenario, face))
                self._counters[scenario.digest, f"{id_} {face}"] = picture
        return self._counters.get((scenario.digest, f"{id_} {wanted}"))

    def _board(self, scenario: Scenario, played: GameMap, words: Sequence[Words]) -> Ground:
        # By what it holds: each sheet is played on a map of its own. Which language is first makes no difference.
        spoken = tuple(sorted(w.language for w in words))
        for known, languages, drawn in self._boards:
            if known == played and languages == spoken:
                return drawn
        drawn = _board(scenario, played, sorted(words, key=lambda w: w.language))
        self._boards = [(played, spoken, drawn), *self._boards[:7]]
        return drawn


def _board(scenario: Scenario, played: GameMap, words: Sequence[Words]) -> Ground:
    width, height = (side * _UNIT for side in played.grid.size)
    zoom = min(_FINEST, sqrt(BOARD_PIXELS / (width * height)))
    said = {w.language: lettering(played, scenario, w) for w in words} if len(words) > 1 else {}
    every = frozenset.intersection(*map(frozenset, said.values())) if said else frozenset[str]()
    own = {language: [part for part in parts if part not in every] for language, parts in said.items()}
    left_out = frozenset(part for parts in own.values() for part in parts)
    below = ground(played, scenario, words[0], detail=zoom * _UNIT, without=left_out)
    size, cache = (width, height), _cache(scenario, played)
    board = _once(cache, f"board {size} {zoom} {below}", lambda: _packed(drawn(below, size, zoom).convert("RGB")))
    names = {code: _letters("".join(parts), size, zoom, cache) for code, parts in own.items() if parts}
    return _data("webp", board), names


def _cache(scenario: Scenario, played: GameMap) -> Cache:
    """Where drawings are kept: of a game's own map, and never of one that somebody's sheet describes."""
    from ...modulegen.draw import Cache

    own = played == scenario.map and not os.environ.get("HEXFORGE_NO_CACHE")
    with suppress(RuntimeError):
        return Cache(cache_folder() if own else None)
    return Cache(None)


def _files_of(scenario: Scenario) -> list[tuple[str, int, int]]:
    """The files of a game's folder as they are now, so many at most: name, size and time of the last change."""
    every = sorted(islice(scenario.folder.rglob("*"), _MOST_FILES))
    found = ((path.name, path.stat()) for path in every if path.is_file())
    return [(name, stat.st_size, stat.st_mtime_ns) for name, stat in found]


def _once(cache: Cache, what: str, make: Callable[[], bytes]) -> bytes:
    """What is made of a drawing; as it was kept, if the same was made before, by this process or by another."""
    from ...modulegen.plan.markers import drawn_by

    key = hashlib.sha256(f"{drawn_by()}\n{_QUALITY}\n{what}".encode("utf-8", "replace")).hexdigest()
    found = cache.get(key)
    if found is None:
        found = make()
        cache.put(key, found)
        cache.trim()
    return found


def drawn(inside: str, size: tuple[float, float], zoom: float) -> Image:
    """What stands inside an SVG of a size, `zoom` pixels for a unit."""
    from ...modulegen.render.raster import open_image, rasterise

    width, height = size
    return open_image(
        rasterise(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * zoom:.0f}" height="{height * zoom:.0f}" '
            f'viewBox="0 0 {width:.1f} {height:.1f}" font-family="Fira Sans Condensed">{inside}</svg>'
        )
    )


def _letters(inside: str, size: tuple[float, float], zoom: float, cache: Cache) -> LetteredPicture:
    data = _once(cache, f"letters {size} {zoom} {inside}", lambda: _lettered(safe(inside), size, zoom))
    place, _, picture = data.partition(b"\n")
    left, top, width, height = map(float, place.split())
    return LetteredPicture(_data("webp", picture), (left, top, width, height))


def _lettered(inside: str, size: tuple[float, float], zoom: float) -> bytes:
    """Where words lie on a board, in a line of text, and a picture of them."""
    whole = drawn(inside, size, zoom)
    box = whole.getbbox() or (0, 0, 1, 1)
    left, top, right, bottom = (round(side / zoom, 1) for side in box)
    place = f"{left} {top} {right - left} {bottom - top}\n"
    return place.encode() + _packed(whole.crop(box))


def module_pictures(chain: Chain, replay: Replay) -> Pictures:
    """What the file of a module has of a replay's boards, maps of their names, and of the pieces on them."""
    if chain.archive is None:
        return Pictures(("",) * len(replay.boards))
    album = Album(chain.archive)
    try:
        looks = dict.fromkeys(look for piece in replay.pieces for look in piece.faces if look)
        faces = {look: face for look in list(looks)[:MAX_FACES] if (face := album.look(look)) is not None}
        sheet, size, places = sheet_of(faces)
        pixels = BOARD_PIXELS // len(replay.boards)
        boards = tuple(_module_board(chain, one, album, pixels) for one in replay.boards)
        return Pictures(boards, sheet, size, places, natural=True)
    finally:
        album.close()


def _module_board(chain: Chain, shown: Board, album: Album, pixels: int) -> str:
    """The boards of a map beside each other, as the last log has them, in so many pixels at most."""
    from PIL import Image

    from ...modulegen.vassal.replay import LogReplay as Played

    window = chain.module.map(shown.name) if chain.module is not None else None
    if window is None or not chain.logs:
        return ""
    wide, high = shown.width, shown.height
    zoom = min(1.0, sqrt(pixels / (wide * high)))
    whole = Image.new("RGB", (max(1, round(wide * zoom)), max(1, round(high * zoom))), "#8d9088")
    found = False
    for laid, (x, y), size, turned in Played(chain.logs[-1].game, chain.module).placed(window):
        picture = album.image(laid.image) if laid.image and size else None
        if picture is None or size is None:
            continue
        found = True
        upright = picture.rotate(180) if turned else picture
        small = upright.convert("RGB").resize((max(1, round(size[0] * zoom)), max(1, round(size[1] * zoom))))
        whole.paste(small, (round(x * zoom), round(y * zoom)))
    return webp(whole) if found else ""


def webp(image: Image) -> str:
    """A picture as data, with losses that nobody sees on a map."""
    return _data("webp", _packed(image.convert("RGB")))


def _packed(image: Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", quality=_QUALITY, method=4)
    return out.getvalue()


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
