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

from pydantic import ValidationError

from ...scenarios import yamlfile
from ...scenarios.commands import find
from ...scenarios.console import Problem, ScenarioError, message_of
from ...scenarios.loader import sketch
from ...scenarios.model import GameMap
from ...scenarios.scan import FOLDER, ScanError, fit
from ...scenarios.schema.map import Grid, Looks, Scan
from ...scenarios.text import files
from ...scenarios.text.hexgrid import HexGrid
from ...scenarios.text.words import Words, message
from ..build import drawn
from ..render.board import field_svg
from ..render.board_layout import board_palette, style_of, water_style
from ..render.board_shapes import UNIT, HexField
from ..render.own_art import image, stamp
from ..render.owner_pictures import levelled
from ..render.raster import pack, rasterise
from ..render.templates import in_own_looks, spoken
from ..render.templates import words as texts
from .map_file import LISTS, LOOKS, Sheet, completed, painted, sheet_of, sound
from .merge import Choice, merged
from .site import Asked, Deed, PictureAnswer, shown_problems, vocabulary

if TYPE_CHECKING:
    from PIL import Image

    from ...scenarios.model import Scenario
    from ...scenarios.schema.base import RefKind
    from ...scenarios.text.hexgrid import Point


MAP: Final = "map.yaml"
EDGES: Final = ("north", "east", "south", "west")
_MOST_SHOWN: Final = 12_000_000
"""Pixels of a scan, and of a drawn board, that a browser is given."""
_DETAIL: Final = 90.0
_FARTHEST: Final = 1e6
"""Pixels; no picture is larger, and what is no number at all is not below it either."""
_KEPT: Final = 64
"""Files as pages have read them; a page that was opened before so many others must be loaded again."""
_MARK: Final = b"\xef\xbb\xbf"
_STYLES: Final[Mapping[str, RefKind]] = {
    "terrain": "terrain-style",
    "hexsides": "hexside-style",
    "ways": "way-style",
    "areas": "area-style",
}
_NAME: Final = re.compile(r"[^\w .-]|^\W+")


class MapDesk:
    """A game's map while it is painted. `scan` is a picture to paint from that the game does not have yet.

    The game need not be whole: game.yaml and tables.yaml say what a map may hold, all else may be missing or wrong.
    Raises ScenarioError without these two, and for a map.yaml that is no YAML.
    Raises RenderError for a scan that is no picture.
    """

    page: Final = "map.html.j2"

    def __init__(self, game: str | Path, scan: Path | None = None) -> None:
        folder = find(game)
        self.scenario: Scenario = sketch(folder, GameMap(HexGrid(1, 1), {}))
        self.path = folder / MAP
        self.given = scan
        if scan is not None:
            _opened(scan, stamp(scan))
        self._kept: dict[str, bytes] = {}
        self._one = threading.Lock()
        self._sheet(self._disk())

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
            "stands": self.stands,
            "merge": self.merge,
            "save": self.save,
        }

    # --------------------------------------------------------------------------------------------- what is shown

    def data(self, _: Mapping[str, Any], words: Words) -> Any:
        """All that the page begins with; the file is read anew."""
        data = self._disk()
        said = sheet_of(self._decoded(data))
        sheet = completed(said, list(self.scenario.tables.terrain))
        picture = self._picture(sheet)
        return {
            "game": self.scenario.name,
            "file": str(self.path),
            "base": self._keep(data),
            "seen": _digest(data),
            "sheet": sheet,
            "whole": said == sheet,
            "problems": self._problems(data, sheet, words),
            "shape": _shape(_grid(sheet)),
            "kinds": _kinds(self.scenario, self._ground(sheet)),
            "items": {key: {"was": None, **known} for key, known in LISTS.items()},
            "words": vocabulary(),
            "names": {code: _names(self.scenario, code) for code in self.scenario.texts or (words.language,)},
            "sides": [side.id for side in self.scenario.game.sides],
            "scan": {"name": picture_name(picture), "given": self.given is not None} if picture else None,
        }

    def _disk(self) -> bytes:
        """The file as it is now; a game without one begins with an empty one."""
        return yamlfile.read_bytes(self.path) if self.path.exists() else b""

    def _decoded(self, data: bytes) -> str:
        return yamlfile.decode(data, self.path)

    def _sheet(self, data: bytes) -> Sheet:
        return completed(sheet_of(self._decoded(data)), list(self.scenario.tables.terrain))

    def _keep(self, data: bytes) -> str:
        base = _digest(data)
        self._kept[base] = data
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return base

    def _ground(self, sheet: Mapping[str, Any]) -> GameMap:
        """What can be drawn of a sheet; hexes that nobody has painted yet show the first terrain."""
        grid, parts = sound(sheet)
        tables = self.scenario.tables
        plain = tuple(list(tables.terrain)[:1])
        legend = {
            sign: tuple(t for t in str(terrains).split() if t in tables.terrain) or plain
            for sign, terrains in sheet["legend"].items()
        }
        terrain = {
            grid.at(c, r): legend.get(sign, plain)
            for r, row in enumerate(sheet["terrain"], 1)
            for c, sign in enumerate(row, 1)
            if c <= grid.columns and r <= grid.rows
        }
        styles = drawn(self.scenario)
        looks = {
            section: {
                id_: style for id_, style in sheet["looks"][section].items() if style in styles[_STYLES[section]]
            }
            for section in LOOKS
        }
        return GameMap(
            grid=grid,
            terrain={hex_: terrain.get(hex_, plain) for hex_ in grid},
            fortified=parts["fortified"],
            hexside_runs=tuple(run for run in parts["hexsides"] if run.kind in tables.hexsides),
            bridge_list=tuple(parts["bridges"]),
            ways=tuple(way for way in parts["ways"] if way.kind in tables.ways and not grid.gaps(way.hexes)),
            places=tuple(parts["places"]),
            areas=tuple(parts["areas"]),
            named_edges=parts["edges"],
            looks=Looks.model_validate(looks),
            compass=float(sheet["compass"]),
            scale=str(sheet["scale"]),
        )

    def shape(self, asked: Mapping[str, Any], words: Words) -> Any:
        """The hexes of another grid. Raises Asked saying what is wrong with it."""
        return _shape(_grid(_given(asked)))

    def draw(self, asked: Mapping[str, Any], words: Words) -> PictureAnswer:
        """The board's field as the module would show it; `quick`: the plain one of small pictures."""
        ground = self._ground(_given(asked))
        drawn = replace(self.scenario, map=ground)
        language = words.language if words.language in self.scenario.texts else self.scenario.game.languages[0]
        width, height = (v * UNIT for v in ground.grid.size)
        zoom = min(_DETAIL / UNIT, (_MOST_SHOWN / (width * height)) ** 0.5)
        parts = field_svg(drawn, texts(drawn, language), plain=bool(asked.get("quick")))
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{round(width * zoom)}" '
            f'height="{round(height * zoom)}" viewBox="0 0 {width:.4f} {height:.4f}" '
            f'font-family="Fira Sans Condensed">{"".join(parts)}</svg>'
        )
        return PictureAnswer(pack(rasterise(svg)), "image/png")

    # ------------------------------------------------------------------------------------------------- the scan

    def _picture(self, sheet: Mapping[str, Any]) -> Path | None:
        """The picture to paint from: the given one, or that of map.yaml, if it lies in the game's folder."""
        scan = sheet["scan"]
        if self.given is not None or scan is None or not isinstance(scan["image"], str):
            return self.given
        home = self.scenario.folder / FOLDER
        path = home / scan["image"]
        return path if path.is_file() and path.resolve().is_relative_to(home.resolve()) else None

    def _scanned(self, asked: Mapping[str, Any]) -> Path:
        path = self._picture(self._sheet(self._base(asked)))
        if path is None:
            raise Asked(message("easel.no-scan"), 404)
        return path

    def scan(self, asked: Mapping[str, Any], words: Words) -> PictureAnswer:
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

    def under(self, asked: Mapping[str, Any], words: Words) -> PictureAnswer:
        """The picture turned, stretched and straightened to our hexes, with a little of it around them."""
        grid, centres = self._centred(asked)
        if len(centres) < 2:
            raise Asked(message("scenario.scan.too-few", count=len(centres)))
        width, height = grid.size
        detail = min(_DETAIL, (_MOST_SHOWN / (width * height)) ** 0.5)
        return _jpeg(levelled(self._scanned(asked), grid, centres, detail))

    def _centred(self, asked: Mapping[str, Any]) -> tuple[HexGrid, dict[str, Point]]:
        grid = _grid(_given(asked))
        try:
            given = {str(h): (float(x), float(y)) for h, (x, y) in dict(asked["centres"]).items()}
        except (KeyError, TypeError, ValueError) as error:
            raise Asked(message("easel.no-sheet")) from error
        if not all(abs(v) <= _FARTHEST for point in given.values() for v in point):
            raise Asked(message("easel.no-sheet"))
        return grid, {hex_: point for hex_, point in given.items() if hex_ in grid}

    # -------------------------------------------------------------------------------------------- what is saved

    def _base(self, asked: Mapping[str, Any]) -> bytes:
        found = self._kept.get(str(asked.get("base")))
        if found is None:
            raise Asked(message("easel.old-page"), 409)
        return found

    def _text(self, asked: Mapping[str, Any]) -> bytes:
        """map.yaml as the page has painted it."""
        data = self._base(asked)
        text = painted(self._decoded(data), _given(asked)).encode()
        if len(text) > yamlfile.MAX_BYTES:
            raise Asked(message("scenario.file.too-large", limit=yamlfile.MAX_BYTES), 413)
        return (_MARK if data.startswith(_MARK) else b"") + text

    def _problems(self, data: bytes, sheet: Mapping[str, Any], words: Words) -> list[dict[str, Any]]:
        found = sketch(self.scenario.folder, self._ground(sheet), {MAP: data})
        return shown_problems(sorted(found.warnings, key=lambda it: it.severity), words)

    def check(self, asked: Mapping[str, Any], words: Words) -> Any:
        """What the loader says of the game with the map as it is painted."""
        return {"problems": self._problems(self._text(asked), _given(asked), words)}

    def stands(self, asked: Mapping[str, Any], words: Words) -> Any:
        """Whether the file is still the one that the page has seen."""
        return {"same": _digest(self._disk()) == asked.get("seen")}

    def merge(self, asked: Mapping[str, Any], words: Words) -> Any:
        """What the page painted since `saved`, brought together with the file as it is now; nothing is written.

        Where both changed the same otherwise and `choices` does not say which holds, these are listed instead.
        """
        data = self._disk()
        theirs = self._sheet(data)
        choices = asked.get("choices")
        choice = Choice(choices if isinstance(choices, dict) and asked.get("over") == _digest(data) else {})
        try:
            for key in ("saved", "sheet"):
                sound(asked[key])
            found = merged(asked["saved"], asked["sheet"], theirs, choice)
        except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
            raise Asked(message("easel.no-sheet")) from error
        clashes = [vars(it) for it in choice.clashes]
        grids = {"shape": _shape(_grid(found)), "kinds": _kinds(self.scenario, self._ground(found))}
        base = self._keep(data)
        return {"clashes": clashes, "sheet": found, "theirs": theirs, "base": base, "seen": base, **grids}

    def save(self, asked: Mapping[str, Any], words: Words) -> Any:
        """Write map.yaml, finished or not. Raises HexforgeError where it would not hold all of it, OSError."""
        with self._one:
            if _digest(self._disk()) != asked.get("seen"):
                raise Asked(message("easel.changed", file=str(self.path)), 409)
            text, sheet = self._text(asked), _given(asked)
            problems = self._problems(text, sheet, words)
            self._bring_picture(sheet)
            files.put(self.path, text)
        return {"seen": _digest(text), "problems": problems}

    def _bring_picture(self, sheet: Mapping[str, Any]) -> None:
        """A picture that becomes the game's board comes into its folder, where the map looks for it."""
        if self.given is None or not sheet["scan"]:
            return
        try:
            Scan.model_validate(sheet["scan"], context={"grid": _grid(sheet)})
        except ValidationError as error:
            raise ScenarioError([_wrong(item, "scan") for item in error.errors(include_url=False)]) from error
        target = self.scenario.folder / FOLDER / sheet["scan"]["image"]
        if not target.parent.resolve().is_relative_to(self.scenario.folder.resolve()):
            raise Asked(message("easel.outside", file=str(target.parent)), 403)
        if target.is_file() and target.samefile(self.given):
            return
        if target.exists():
            raise Asked(message("easel.taken", file=str(target)), 409)
        target.parent.mkdir(exist_ok=True)
        files.put(target, self.given.read_bytes())


def _given(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """The sheet that a page sends, if it is one."""
    sheet = asked.get("sheet")
    if not isinstance(sheet, dict):
        raise Asked(message("easel.no-sheet"))
    return sheet


def _grid(sheet: Mapping[str, Any]) -> HexGrid:
    try:
        return Grid.model_validate(sheet.get("grid")).field
    except ValidationError as error:
        raise ScenarioError([_wrong(item, "grid") for item in error.errors(include_url=False)]) from error


def _wrong(item: Any, key: str) -> Problem:
    where = [key, *map(str, item["loc"])]
    return Problem(MAP, 0, ".".join(where), message_of(item))


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


def _jpeg(picture: Image.Image) -> PictureAnswer:
    out = io.BytesIO()
    picture.convert("RGB").save(out, "JPEG", quality=88)
    return PictureAnswer(out.getvalue(), "image/jpeg")


def _shape(grid: HexGrid) -> Any:
    """All hexes with their centres, column and row, and neighbours clockwise, in drawing units."""
    field = HexField(grid)
    first = grid.hexes[0]
    x0, y0 = field.center(first)
    width, height = grid.size
    return {
        "width": width * UNIT,
        "height": height * UNIT,
        "corners": [[round(x - x0, 2), round(y - y0, 2)] for x, y in field.corners(first)],
        "compass": list(grid.compass),
        "edges": {name: list(grid.edge(name)) for name in EDGES},
        "hexes": {
            hex_: [*(round(v, 2) for v in field.center(hex_)), *grid.cell(hex_), list(grid.rings[hex_])]
            for hex_ in grid.hexes
        },
    }


def _kinds(scenario: Scenario, ground: GameMap) -> Any:
    """What may be painted, each with a colour of the board's."""
    styles = {section: sorted(drawn(scenario)[kind]) for section, kind in _STYLES.items()}

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
        return {
            "terrain": terrain,
            "hexsides": sides,
            "ways": ways,
            "water": water,
            "named": named,
            "styles": styles,
        }

    return coloured(scenario.looks)


def _names(scenario: Scenario, language: str) -> dict[str, dict[str, str]]:
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
