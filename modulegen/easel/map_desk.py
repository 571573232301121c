"""The page on which a map is painted: what it shows of a game, and what it does when asked."""

from __future__ import annotations

import hashlib
import io
import re
import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexforge.modulegen.easel.ground import LISTS, Sheet, painted, sheet_of
from hexforge.modulegen.easel.site import Asked, Deed, Picture, told, vocabulary
from hexforge.modulegen.render.own import image, stamp
from hexforge.scenarios import files
from hexforge.scenarios.loader import load, map_of
from hexforge.scenarios.looks import FOLDER
from hexforge.scenarios.scan import ScanError, fit
from hexforge.scenarios.words import Words, message
from hexforge.scenarios.yamlfile import read_bytes

if TYPE_CHECKING:
    from PIL import Image

    from hexforge.scenarios.hexgrid import HexGrid, Point
    from hexforge.scenarios.model import GameMap, Scenario
    from hexforge.scenarios.schema.map import MapFile

MAP: Final = "map.yaml"
_MOST_SHOWN: Final = 12_000_000
"""Pixels of a scan, and of a drawn board, that a browser is given."""
_DETAIL: Final = 90.0
_FARTHEST: Final = 1e6
"""Pixels; no picture is larger, and what is no number at all is not below it either."""
_KEPT: Final = 8
_NAME: Final = re.compile(r"[^\w .-]|^\W+")


class MapDesk:
    """A game's map while it is painted. `scan` is a picture to paint from that the game does not have yet.

    Raises ScenarioError for a game that cannot be read.
    """

    page: Final = "map.html.j2"

    def __init__(self, game: str | Path, scan: Path | None = None) -> None:
        self.scenario: Scenario = load(game, strict=False)
        self.path = self.scenario.folder / MAP
        self.given = scan
        self._kept: dict[str, tuple[bytes, MapFile]] = {}
        self._one = threading.Lock()

    @property
    def deeds(self) -> dict[str, Deed]:
        """What the page may ask for."""
        return {
            "data": self.data,
            "shape": self.shape,
            "draw": self.draw,
            "scan": self.scan,
            "fit": self.fit,
            "under": self.under,
            "check": self.check,
            "save": self.save,
        }

    # --------------------------------------------------------------------------------------------- what is shown

    def data(self, _: Mapping[str, Any], words: Words) -> Any:
        """All that the page begins with; the file is read anew."""
        data = read_bytes(self.path)
        file, ground = map_of(self.scenario.folder, data)
        picture = self._picture(file)
        return {
            "game": self.scenario.name,
            "file": str(self.path),
            "base": self._keep(data, file),
            "seen": _digest(data),
            "sheet": sheet_of(file),
            "shape": _shape(ground.grid),
            "kinds": _kinds(self.scenario, ground),
            "items": {key: {"was": None, **known} for key, known in LISTS.items()},
            "words": vocabulary(),
            "names": {code: _names(self.scenario, code) for code in self.scenario.texts},
            "sides": [side.id for side in self.scenario.game.sides],
            "scan": {"name": picture_name(picture), "given": self.given is not None} if picture else None,
        }

    def _keep(self, data: bytes, file: MapFile) -> str:
        base = _digest(data)
        self._kept[base] = (data, file)
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return base

    def shape(self, asked: Mapping[str, Any], words: Words) -> Any:
        """The hexes of a grid of another size."""
        data = self._text(asked)
        return _shape(map_of(self.scenario.folder, data)[1].grid)

    def draw(self, asked: Mapping[str, Any], words: Words) -> Picture:
        """The board's field as the module would show it; `quick`: the plain one of small pictures."""
        from hexforge.modulegen.render.board import field_svg
        from hexforge.modulegen.render.board_shapes import UNIT
        from hexforge.modulegen.render.raster import pack, rasterise
        from hexforge.modulegen.render.texts import words as texts

        _, ground = map_of(self.scenario.folder, self._text(asked))
        drawn = replace(self.scenario, map=replace(ground, scan=None))
        language = words.language if words.language in self.scenario.texts else self.scenario.game.languages[0]
        width, height = (v * UNIT for v in ground.grid.size)
        zoom = min(_DETAIL / UNIT, (_MOST_SHOWN / (width * height)) ** 0.5)
        parts = field_svg(drawn, texts(drawn, language), plain=bool(asked.get("quick")))
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{round(width * zoom)}" '
            f'height="{round(height * zoom)}" viewBox="0 0 {width:.4f} {height:.4f}" '
            f'font-family="Fira Sans Condensed">{"".join(parts)}</svg>'
        )
        return Picture(pack(rasterise(svg)), "image/png")

    # ------------------------------------------------------------------------------------------------- the scan

    def _picture(self, file: MapFile) -> Path | None:
        """The picture to paint from: the given one, or that of map.yaml, if it lies in the game's folder."""
        if self.given is not None or file.scan is None:
            return self.given
        home = self.scenario.folder / FOLDER
        path = home / file.scan.image
        return path if path.is_file() and path.resolve().is_relative_to(home.resolve()) else None

    def _scanned(self, asked: Mapping[str, Any]) -> Path:
        path = self._picture(self._base(asked)[1])
        if path is None:
            raise Asked(message("easel.no-scan"), 404)
        return path

    def scan(self, asked: Mapping[str, Any], words: Words) -> Picture:
        """The picture as it is, made smaller where it is larger than a browser likes."""
        picture = _opened(path := self._scanned(asked), stamp(path))
        share = shrink(picture.width, picture.height)
        return _jpeg(picture.reduce(share) if share > 1 else picture)

    def fit(self, asked: Mapping[str, Any], words: Words) -> Any:
        """Where all hexes' centres lie in the picture as `scan` gives it, and what speaks against it."""
        picture = _opened(path := self._scanned(asked), stamp(path))
        share = shrink(picture.width, picture.height)
        size = {"share": share, "width": picture.width, "height": picture.height}
        grid, centres = self._centred(asked)
        if len(centres) < 2:
            return {**size, "centres": {}, "said": ""}
        try:
            found = fit(grid, centres)
        except ScanError as error:
            return {**size, "centres": {}, "said": words.say(error.message), "hex": error.hex}
        said = words.say(found.doubt) if found.doubt else ""
        return {**size, "centres": {h: found.pixel(grid.center(h)) for h in grid.hexes}, "said": said}

    def under(self, asked: Mapping[str, Any], words: Words) -> Picture:
        """The picture turned, stretched and straightened to our hexes, with a little of it around them."""
        from hexforge.modulegen.render.scan import levelled

        grid, centres = self._centred(asked)
        if len(centres) < 2:
            raise Asked(message("scenario.scan.too-few", count=len(centres)))
        width, height = grid.size
        detail = min(_DETAIL, (_MOST_SHOWN / (width * height)) ** 0.5)
        return _jpeg(levelled(self._scanned(asked), grid, centres, detail))

    def _centred(self, asked: Mapping[str, Any]) -> tuple[HexGrid, dict[str, Point]]:
        grid = map_of(self.scenario.folder, self._text({**asked, "sheet": {**asked["sheet"], "scan": None}}))[
            1
        ].grid
        try:
            given = {str(h): (float(x), float(y)) for h, (x, y) in dict(asked["centres"]).items()}
        except (KeyError, TypeError, ValueError) as error:
            raise Asked(message("easel.no-sheet")) from error
        if not all(abs(v) <= _FARTHEST for point in given.values() for v in point):
            raise Asked(message("easel.no-sheet"))
        return grid, {hex_: point for hex_, point in given.items() if hex_ in grid}

    # -------------------------------------------------------------------------------------------- what is saved

    def _base(self, asked: Mapping[str, Any]) -> tuple[bytes, MapFile]:
        found = self._kept.get(str(asked.get("base")))
        if found is None:
            raise Asked(message("easel.old-page"), 409)
        return found

    def _text(self, asked: Mapping[str, Any]) -> bytes:
        """map.yaml as the page has painted it."""
        data, file = self._base(asked)
        sheet = asked.get("sheet")
        if not isinstance(sheet, dict):
            raise Asked(message("easel.no-sheet"))
        mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        return mark + painted(data.decode("utf-8-sig"), sheet_of(file), sheet).encode()

    def check(self, asked: Mapping[str, Any], words: Words) -> Any:
        """What the loader says of the game with the map as it is painted."""
        found = load(self.scenario.folder, strict=False, instead={MAP: self._text(asked)})
        return {"problems": told(found.warnings, words)}

    def save(self, asked: Mapping[str, Any], words: Words) -> Any:
        """Write map.yaml, once the loader takes it. Raises ScenarioError with all that is wrong, Asked, OSError."""
        with self._one:
            if _digest(read_bytes(self.path)) != asked.get("seen"):
                raise Asked(message("easel.changed", file=str(self.path)), 409)
            text = self._text(asked)
            found = load(self.scenario.folder, instead={MAP: text})
            self._bring_picture(asked["sheet"])
            files.put(self.path, text)
            self.scenario = found
        return {"seen": _digest(text), "problems": told(found.warnings, words)}

    def _bring_picture(self, sheet: Sheet) -> None:
        """A picture that becomes the game's board comes into its folder, where the map looks for it."""
        if self.given is None or not sheet["scan"]:
            return
        target = self.scenario.folder / FOLDER / sheet["scan"]["image"]
        if target.is_file() and target.samefile(self.given):
            return
        if target.exists():
            raise Asked(message("easel.taken", file=str(target)), 409)
        target.parent.mkdir(exist_ok=True)
        files.put(target, self.given.read_bytes())


@lru_cache(maxsize=1)
def _opened(path: Path, _stamp: object) -> Image.Image:
    return image(path).convert("RGB")


def shrink(width: int, height: int) -> int:
    """By how much a picture is made smaller for the browser."""
    share = 1
    while width * height > _MOST_SHOWN * share * share:
        share += 1
    return share


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _jpeg(picture: Image.Image) -> Picture:
    out = io.BytesIO()
    picture.convert("RGB").save(out, "JPEG", quality=88)
    return Picture(out.getvalue(), "image/jpeg")


def _shape(grid: HexGrid) -> Any:
    """All hexes with their centres, column and row, and neighbours clockwise, in drawing units."""
    from hexforge.modulegen.render.board_shapes import UNIT, HexField

    field = HexField(grid)
    first = grid.hexes[0]
    x0, y0 = field.center(first)
    width, height = grid.size
    return {
        "width": width * UNIT,
        "height": height * UNIT,
        "corners": [[round(x - x0, 2), round(y - y0, 2)] for x, y in field.corners(first)],
        "compass": list(grid.compass),
        "hexes": {
            hex_: [*(round(v, 2) for v in field.center(hex_)), *grid.cell(hex_), list(grid.rings[hex_])]
            for hex_ in grid.hexes
        },
    }


def _kinds(scenario: Scenario, ground: GameMap) -> Any:
    """What may be painted, each with a colour of the board's."""
    from hexforge.modulegen.render.board_style import board_palette, style_of, water_style
    from hexforge.modulegen.render.templates import in_own_looks

    @in_own_looks
    def coloured(looks: object) -> Any:
        palette, tables = board_palette(), scenario.tables
        covers = palette["covers"]
        terrain = {}
        for id_ in tables.terrain:
            style = style_of(ground, "terrain", id_)
            cover = [covers[name]["fill"] for name in style.get("covers", ()) if name in covers]
            terrain[id_] = cover[-1] if cover else "#a9bb8c" if "trees" in style else palette["paper"]
        sides = {
            id_: (water_style(ground, id_) if effect.water else style_of(ground, "hexsides", id_))["fill"]
            for id_, effect in tables.hexsides.items()
        }
        ways = {}
        for id_ in tables.ways:
            style = style_of(ground, "ways", id_)
            ways[id_] = style["fill"] if style["style"] != "cased" else style.get("casing", style["fill"])
        water = [id_ for id_, effect in tables.hexsides.items() if effect.water]
        named = [id_ for id_, effect in tables.terrain.items() if effect.named]
        return {"terrain": terrain, "hexsides": sides, "ways": ways, "water": water, "named": named}

    return coloured(scenario.looks)


def _names(scenario: Scenario, language: str) -> dict[str, dict[str, str]]:
    from hexforge.modulegen.render.texts import spoken
    from hexforge.modulegen.render.texts import words as texts

    text = texts(scenario, language)
    return {
        **{
            section: {id_: text.get(f"{section}.{id_}") or spoken(id_) for id_ in getattr(scenario.tables, section)}
            for section in ("terrain", "hexsides", "ways")
        },
        "sides": {
            side.id: text.get(f"sides.{side.id}.name") or text.get(f"sides.{side.id}") or spoken(side.id)
            for side in scenario.game.sides
        },
    }


def picture_name(path: Path) -> str:
    """The name under which a picture lies in a game's folder."""
    return _NAME.sub("", path.name)[:100] or "map.png"
