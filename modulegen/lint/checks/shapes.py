"""Rules about what lies on boards: zones that take nothing in, grids of no size, what stands beside its board.

Sources: `VASSAL.build.module.map.boardPicker.board.mapgrid.PolygonEditor` (which leaves out what it cannot read),
`Zone.contains`, `HexGrid` and `SquareGrid` (which divide by the size of a cell), `SetupStack`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hexforge.modulegen.lint.context import Examination
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.parts import MAPS, ElementPart
from hexforge.modulegen.vassal.sequence import decode

_WHOLE = re.compile(r"\s*[+-]?\d{1,7}\s*")
_GRIDS: Final = ("HexGrid", "SquareGrid")
_LAID: Final = ("DrawPile", "SetupStack")
_MOST_POINTS: Final = 10_000


def zones(context: Examination) -> Iterator[LintFinding]:
    """Zones in which no point of their board lies."""
    for part in context.module.all("Zone"):
        points, unread = _points(part.get("path"))
        board = part.above("Board")
        size = _size(context, board) if board is not None else None
        if not _has_area(points):
            yield context.at("map-shape", part, "unread" if unread else "says", name=part.get("name"))
        elif size is not None and _lies_beside(points, size):
            yield context.at("map-shape", part, "beside", name=part.get("name"))


def _points(path: str) -> tuple[list[tuple[int, int]], bool]:
    """The points that VASSAL reads, and whether there are others."""
    found, unread = [], False
    for text in decode(path, ";")[:_MOST_POINTS] if path else ():
        pair = decode(text, ",")
        if len(pair) >= 2 and all(_WHOLE.fullmatch(n) for n in pair[:2]):
            found.append((int(pair[0]), int(pair[1])))
        else:
            unread = True
    return found, unread


def _has_area(points: list[tuple[int, int]]) -> bool:
    """Whether the points are not all on one line."""
    first, others = points[0] if points else (0, 0), points[1:]
    second = next((p for p in others if p != first), None)
    if second is None:
        return False
    dx, dy = second[0] - first[0], second[1] - first[1]
    return any(dx * (p[1] - first[1]) != dy * (p[0] - first[0]) for p in others)


def _lies_beside(points: list[tuple[int, int]], size: tuple[int, int]) -> bool:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(xs) < 0 or max(ys) < 0 or min(xs) > size[0] or min(ys) > size[1]


def _stands_beside(point: list[str], size: tuple[int, int]) -> bool:
    return all(_WHOLE.fullmatch(n) for n in point) and _lies_beside([(int(point[0]), int(point[1]))], size)


def _size(context: Examination, board: ElementPart) -> tuple[int, int] | None:
    """The size of a board in its own pixels: that of its picture, or the one that it is given."""
    if board.get("image"):
        return context.picture_size(board.get("image"))
    given = [board.get("width"), board.get("height")]
    return (int(given[0]), int(given[1])) if all(n and _WHOLE.fullmatch(n) for n in given) else None


def grids(context: Examination) -> Iterator[LintFinding]:
    """Grids whose cells have no size, and regions that lie beside their board."""
    for part in context.module.all(*_GRIDS):
        if any(_is_nought(part.attributes.get(name, "")) for name in ("dx", "dy")):
            yield context.at("map-shape", part, "no-size")
    for part in context.module.all("Region"):
        board = part.above("Board")
        size = _size(context, board) if board is not None else None
        point = [part.get("originx"), part.get("originy")]
        if size and _stands_beside(point, size):
            yield context.at("map-shape", part, "region", name=part.get("name"))


def _is_nought(text: str) -> bool:
    try:
        return bool(text[:32].strip()) and float(text[:32]) == 0
    except ValueError:
        return False


def laid(context: Examination) -> Iterator[LintFinding]:
    """Decks and stacks of a set-up that stand beside the board on which they are to lie."""
    for part in context.module.all(*_LAID):
        map_, name = part.above(*MAPS), part.get("owningBoard")
        if map_ is None or not name or part.get("useGridLocation") == "true":
            continue
        board = next((p for p in map_.walk() if p.kind == "Board" and p.get("name") == name), None)
        size = _size(context, board) if board is not None else None
        point = [part.get("x"), part.get("y")]
        # VASSAL gives these points in pixels of the board as it is shown, larger or smaller than its picture.
        plain = board is not None and board.get("magnification") in ("", "1", "1.0")
        if size and plain and _stands_beside(point, size):
            yield context.at("beside-board", part, name=part.get("name"), board=name)


CHECKS: Final = (zones, grids, laid)
