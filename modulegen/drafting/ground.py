"""The hexes of a board of others': which there are, what they are called here and there, and where they lie.

The boxes of a module for units that left the board alive: zones on the map of the dead that are called so.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.console import Problem, ScenarioError
from ...scenarios.schema.map import Grid
from ...scenarios.schema.map import Numbering as Names
from ...scenarios.text.hexgrid import MAX_SIZE
from ...scenarios.text.words import BadValueError, Words, languages, message
from ..vassal.grids import HexGrid, Numbering, Point, Zone, ZonedGrid
from ..vassal.module import Board, Map, Module
from .pieces import plain

if TYPE_CHECKING:
    from ...scenarios.model import Scenario


MARGIN: Final = 0.05
"""How far beyond the edge a hex's centre may lie, in hexes, and the hex still be one of the board."""
_BOARDS: Final = 100
_HIGHEST: Final = 100
"""The highest number from which map.yaml lets columns or rows begin."""
_ALONE: Final = "$gridLocation$"
Raw = tuple[int, int]
"""A hex as VASSAL counts: its line (a column, or a row where tops are pointed), and its place in it."""


@dataclass(frozen=True)
class FieldDraft:
    """The field of hexes. `grid` is the module's, `field` what map.yaml says; `ids` and `printed` are by `Raw`."""

    map: Map
    board: Board
    grid: HexGrid
    field: Mapping[str, Any]
    ids: dict[Raw, str]
    printed: dict[Raw, str]

    @property
    def as_printed(self) -> bool:
        """Whether hexes are called here as the module calls them."""
        return all(self.printed[raw] in ("", id_) for raw, id_ in self.ids.items())

    def centre(self, raw: Raw) -> tuple[float, float]:
        """Where a hex's centre is, in pixels of the board."""
        return _centre(self.grid, raw)

    def anchors(self) -> dict[str, tuple[float, float]]:
        """Some hexes far apart, by which a picture is laid under the grid."""
        down, up = sorted(self.ids, key=sum), sorted(self.ids, key=lambda raw: raw[0] - raw[1])
        found = (down[0], down[-1], up[0], up[-1])
        return {self.ids[raw]: self.centre(raw) for raw in dict.fromkeys(found)}

    def overhang(self) -> tuple[int, int, int, int]:
        """Pixels by which hexes of the rectangle may stand out of the picture: left, top, right, bottom."""
        width, height = self.board.size or (0, 0)
        centres = [self.centre(raw) for raw in self.ids]
        xs, ys, step = [x for x, _ in centres], [y for _, y in centres], self.grid.dy
        edges = (step - min(xs), step - min(ys), max(xs) + step - width, max(ys) + step - height)
        left, top, right, bottom = (max(0, math.ceil(edge)) for edge in edges)
        return left, top, right, bottom


def _centre(grid: HexGrid, raw: Raw) -> tuple[float, float]:
    line, place = raw
    along = grid.x0 + line * grid.dx
    across = grid.y0 + place * grid.dy + (grid.dy / 2 if line % 2 else 0)
    return (across, along) if grid.sideways else (along, across)


def hex_grid(board: Board) -> HexGrid | None:
    """The grid of hexes of a board: its own, that behind its zones, or that of its largest zone."""
    grid = board.grid
    if isinstance(grid, HexGrid):
        return grid
    if not isinstance(grid, ZonedGrid):
        return None
    if isinstance(grid.background, HexGrid):
        return grid.background
    zones = [z for z in grid.zones if isinstance(z.grid, HexGrid)]
    largest = max(zones, key=_extent, default=None)
    return largest.grid if largest and isinstance(largest.grid, HexGrid) else None


def other_fields(ground: FieldDraft) -> list[str]:
    """The zones of its board that have hexes of their own, which are none of the field."""
    grid = ground.board.grid
    if not isinstance(grid, ZonedGrid) or grid.background is ground.grid:
        return []
    return [z.name for z in grid.zones if isinstance(z.grid, HexGrid) and z.grid is not ground.grid]


def _extent(zone: Zone) -> int:
    xs, ys = [x for x, _ in zone.polygon], [y for _, y in zone.polygon]
    return (max(xs) - min(xs)) * (max(ys) - min(ys)) if xs else 0


def find_ground(module: Module, held: Collection[Raw] = ()) -> FieldDraft | None:
    """The board with the most hexes, that of a map which all players see before any other; None without hexes.

    `held`: hexes in which pieces stand, which it has even where their numbers are below the grid's first.
    """
    return next(iter(grounds_of(module, held)), None)


def grounds_of(module: Module, held: Collection[Raw] = ()) -> list[FieldDraft]:
    """All boards with hexes, those of maps which all players see and with the most hexes first; `held` as above."""
    boards = [
        (map_.private_to is None, math.prod(board.size), map_, board, grid)
        for map_ in module.maps
        for board in map_.boards
        if (grid := hex_grid(board)) is not None and board.size and all(board.size)
    ]
    # Where there are more boards than any game has, the largest are looked at.
    largest = sorted(boards, key=lambda one: one[:2], reverse=True)[:_BOARDS]
    grounds = [(shown, _ground(map_, board, grid, held)) for shown, _, map_, board, grid in largest]
    found = [(shown, len(ground.ids), ground) for shown, ground in grounds if ground.ids]
    return [ground for *_, ground in sorted(found, key=lambda one: one[:2], reverse=True)]


def need_ground(module: Module, path: str, held: Collection[Raw] = ()) -> FieldDraft:
    """The board with the most hexes; raises `ScenarioError` for a module without one that can be measured."""
    found = find_ground(module, held)
    if found is not None:
        return found
    what = message("modulegen.import.no-hexes")
    if (board := unmeasured(module)) is not None:
        what = message("modulegen.import.no-size", name=board[0], image=board[1])
    raise ScenarioError([Problem(path, 0, "", what)])


def unmeasured(module: Module) -> tuple[str, str] | None:
    """A board with hexes whose picture is not there or cannot be measured, and that picture; None without one."""
    boards = (board for map_ in module.maps for board in map_.boards)
    return next(
        ((b.name, b.image) for b in boards if hex_grid(b) is not None and not (b.size and all(b.size))), None
    )


def _ground(map_: Map, board: Board, grid: HexGrid, held: Collection[Raw]) -> FieldDraft:
    raws = _raws(grid, board.size or (0, 0))
    printed = {raw: _name(board, grid, raw) for raw in raws}
    # A frame about the map holds hexes too, which nobody ever printed, and zones beside it have names of their own.
    known = [(0, 0), *(raw for raw in held if raw in printed)]
    line, place = (min(numbers) for numbers in zip(*known, strict=True))
    within = [raw for raw in raws if raw[0] >= line and raw[1] >= place]
    own = [raw for raw in within if printed[raw] and printed[raw] == _own_name(board, grid, raw)]
    numbers = _numbers(grid, board, within)
    counted = [raw for raw in within if min(numbers.get(raw, (0,))) >= 0]
    # Numbers below nought are of a frame; where pieces stand in it, it is none.
    fields = [within, raws, own, *([counted] if set(counted) >= set(held) else [])]
    plain: FieldDraft | None = None
    for bare, usual in ((False, True), (False, False), (True, False)):
        names = _bare(grid, board, printed) if bare else printed
        for some, shifted in product(filter(None, fields), (0, 1)):
            cells, low = _cells(grid, some, shifted)
            size = {"columns": max(c for c, _ in cells.values()), "rows": max(r for _, r in cells.values())}
            base = FieldDraft(map_, board, grid, size, {}, {raw: names[raw] for raw in cells})
            plain = plain or _called(base, cells, low, {})
            for said in ({},) if usual else _namings(base) if all(base.printed.values()) else ():
                called = _called(base, cells, low, said)
                if called is not None and called.as_printed and all(base.printed.values()):
                    return replace(called, printed={raw: printed[raw] for raw in cells})
    return plain or FieldDraft(map_, board, grid, {}, {}, {})


def _bare(grid: HexGrid, board: Board, printed: Mapping[Raw, str]) -> dict[Raw, str]:
    """The names without what parts their two numbers, which have two digits each: what can be said of them here."""
    n = grid.numbering
    if n is None or n.oblique:
        return dict(printed)
    leading = (n.h_leading, n.v_leading) if "A" in (n.h_type, n.v_type) else (1, 1)
    plain = replace(n, sep="", h_leading=leading[0], v_leading=leading[1], location_format=_ALONE)
    other = replace(grid, numbering=plain)
    return {
        raw: _own_name(board, other, raw) if name == _own_name(board, grid, raw) else name
        for raw, name in printed.items()
    }


def _numbers(grid: HexGrid, board: Board, raws: Iterable[Raw]) -> dict[Raw, tuple[int, ...]]:
    """The numbers of which hexes' names are made, the column's first, letters counted from 0."""
    n = grid.numbering
    if n is None:
        return {}
    plain = replace(n, first="H", sep=",", h_type="N", v_type="N", location_format=_ALONE)
    other = replace(grid, numbering=plain)
    return {raw: tuple(map(int, _own_name(board, other, raw).split(","))) for raw in raws}


def _cells(grid: HexGrid, raws: list[Raw], shifted: int) -> tuple[dict[Raw, tuple[int, int]], str]:
    """Column and row of each hex, from 1; and which lines lie half a hex further on.

    `shifted`: lines with odd numbers are counted one further on, as VASSAL's `stagger` does.
    """
    first_line, first_place = min(line for line, _ in raws), min(place for _, place in raws)
    cells = {}
    for line, place in raws:
        at = line - first_line + 1, place - first_place + 1 + shifted * (line % 2)
        if max(at) <= MAX_SIZE:
            cells[line, place] = (at[1], at[0]) if grid.sideways else at
    further = 1 - shifted
    return cells, "odd" if (further - first_line + 1) % 2 else "even"


def _called(
    base: FieldDraft, cells: Mapping[Raw, tuple[int, int]], low: str, said: Mapping[str, Any]
) -> FieldDraft | None:
    """The field with its hexes called so; None where that cannot be."""
    size = base.field
    tops = {"tops": "pointy"} if base.grid.sideways else {}
    names = {"numbering": dict(said)} if said else {}
    numbering = Names.model_construct(**{**_PLAIN, **said}) if said else None
    kinds: Any = {"low": low, "tops": "pointy" if base.grid.sideways else "flat"}
    try:
        field = Grid.model_construct(**size, **kinds, letter="", numbering=numbering).field
    except BadValueError:
        return None
    if said and any(field.at(*cells[raw]) != base.printed[raw] for raw in _some(cells)):
        return None
    ids = {raw: field.at(column, row) for raw, (column, row) in cells.items()}
    return replace(base, field={**size, **tops, "low": low, **names}, ids=ids)


def _some(cells: Mapping[Raw, tuple[int, int]]) -> tuple[Raw, ...]:
    """A few hexes: thousands of ways to call them are tried, and nearly all are wrong for these."""
    known = list(cells)
    return known[0], known[len(known) // 2], known[-1]


_PLAIN: Final[dict[str, Any]] = {
    "columns": "digits",
    "rows": "digits",
    "first": "columns",
    "columns_from": 1,
    "rows_from": 1,
    "descending": (),
    "digits": None,
}


def _lowest(base: FieldDraft) -> tuple[int, int] | None:
    """The lowest number of a column and of a row that the module's own numbering gives, letters counted from 1."""
    n = base.grid.numbering
    if n is None:
        return None
    cells = _numbers(base.grid, base.board, base.printed).values()
    columns, rows = (min(numbers) for numbers in zip(*cells, strict=True))
    found = columns + (n.h_type == "A"), rows + (n.v_type == "A")
    return found if all(0 <= one <= _HIGHEST for one in found) else None


def _namings(base: FieldDraft) -> Iterator[dict[str, Any]]:
    """Ways to call hexes that a module's own numbering may be; those that its numbers tell first."""
    n = base.grid.numbering
    if n is None:
        return
    yield from _told_namings(base, n)
    kinds = ("digits", "letters")
    starts = sorted({0, 1, *(k for k in (n.h_off, n.v_off, n.h_off + 1, n.v_off + 1) if 0 <= k <= 100)})
    downs: tuple[tuple[str, ...], ...] = ((), ("rows",), ("columns",), ("columns", "rows"))
    for values in product(kinds, kinds, ("columns", "rows"), starts, starts, downs, (None, 1, 2, 3)):
        said = dict(zip(_PLAIN, values, strict=True))
        yield {key: value for key, value in said.items() if value != _PLAIN[key]}


def _told_namings(base: FieldDraft, n: Numbering) -> Iterator[dict[str, Any]]:
    lowest = _lowest(base)
    if lowest is None:
        return
    downs: tuple[tuple[str, ...], ...] = ((), ("rows",), ("columns",), ("columns", "rows"))
    own = [
        ("letters" if kind == "A" else "digits", start)
        for kind, start in zip((n.h_type, n.v_type), lowest, strict=True)
    ]
    for (across, down), first, descending, digits in product(
        (own, own[::-1]), ("columns", "rows"), downs, (None, 1, 2, 3)
    ):
        values = (across[0], down[0], first, across[1], down[1], descending, digits)
        said = dict(zip(_PLAIN, values, strict=True))
        yield {key: value for key, value in said.items() if value != _PLAIN[key]}


def _raws(grid: HexGrid, size: Point) -> list[Raw]:
    """The hexes whose centres lie on the board, or hardly beside it."""
    width, height = (size[1], size[0]) if grid.sideways else size
    found: list[Raw] = []
    for line in _span(grid.x0, grid.dx, width):
        half = grid.dy / 2 if line % 2 else 0
        found += [(line, place) for place in _span(grid.y0 + half, grid.dy, height)]
    return found


def _span(start: float, step: float, length: int) -> range:
    first = math.ceil((-start - MARGIN * step) / step)
    last = math.floor((length - start + MARGIN * step) / step)
    return range(first, min(last, first + MAX_SIZE) + 1)


def _name(board: Board, grid: HexGrid, raw: Raw) -> str:
    """What the module calls a hex, blank where it has no numbers."""
    x, y = _centre(grid, raw)
    return (board.grid or grid).location_name((round(x), round(y)), board.size or (0, 0)) or ""


def _own_name(board: Board, grid: HexGrid, raw: Raw) -> str:
    """What the grid of hexes by itself calls it, without zones upon it."""
    x, y = _centre(grid, raw)
    return grid.location_name((round(x), round(y)), board.size or (0, 0)) or ""


_CORNERS: Final = 3
Box = tuple[int, int, int, int]


def left_boxes(scenario: Scenario, module: Module, losses: str, sides: Mapping[str, str]) -> dict[str, list[int]]:
    """Side of the game -> left, top, right, bottom of its box in pixels of the map `losses`.

    A box that names no side is that of the one side that has none, or of all where it is the only one.
    `sides`: the module's names of sides -> the game's.
    """
    called = {side.id: {plain(side.id)} for side in scenario.game.sides}
    for text in scenario.texts.values():
        for side, names in called.items():
            names |= {plain(name) for key in ("sides", "adjectives") if (name := text.get(f"{key}.{side}"))}
    for name, side in sides.items():
        called[side].add(plain(name))
    found: dict[str, Box] = {}
    nobodys: list[Box] = []
    for name, box in _zones(module, losses):
        mine = [side for side, names in called.items() if any(one and _says(name, one) for one in names)]
        if len(mine) == 1:
            found.setdefault(mine[0], box)
        elif not mine:
            nobodys.append(box)
    rest = [side for side in called if side not in found]
    if len(nobodys) == 1 and (len(rest) == 1 or not found):
        found |= dict.fromkeys(rest, nobodys[0])
    return {side: list(box) for side, box in found.items()}


def _zones(module: Module, losses: str) -> Iterator[tuple[str, Box]]:
    """The zones of a map that are called as boxes of those that left, by their plain names."""
    words = {word for language in languages() for word in Words(language)("modulegen.bind.gone").split("|")}
    map_ = next((one for one in module.maps if one.name == losses), None)
    if map_ is None or len(map_.boards) != 1 or not isinstance(map_.boards[0].grid, ZonedGrid):
        return
    right, down = map_.edge
    for zone in map_.boards[0].grid.zones:
        name = plain(zone.name)
        if len(zone.polygon) >= _CORNERS and any(_says(name, plain(word)) for word in words):
            xs, ys = [x + right for x, _ in zone.polygon], [y + down for _, y in zone.polygon]
            yield name, (min(xs), min(ys), max(xs), max(ys))


def _says(name: str, words: str) -> bool:
    """Whether whole words stand in a plain name; the last may go on (`exit`, `exited`)."""
    return f"-{words}" in f"-{name}"
