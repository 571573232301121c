"""Inside the witness's own process: the engine's codecs and grids, asked directly."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

from .jvm import java
from .session import Session, commands_of, properties_of, traits_of


def encode(sequences: list[list[str]], delimiter: str) -> list[str | None]:
    """The engine's sequence encoding of each list of texts."""
    kind = java("VASSAL.tools.SequenceEncoder")
    answers: list[str | None] = []
    for texts in sequences:
        encoder = kind(java("java.lang.Character")(delimiter).charValue())
        for text in texts:
            encoder.append(java("java.lang.String")(text))
        value = encoder.getValue()
        answers.append(None if value is None else str(value))
    return answers


def decode(texts: list[str], delimiter: str) -> list[list[str]]:
    """The tokens that the engine finds in each text."""
    kind = java("VASSAL.tools.SequenceEncoder$Decoder")
    answers = []
    for text in texts:
        decoder = kind(text, java("java.lang.Character")(delimiter).charValue())
        tokens = []
        while decoder.hasMoreTokens():
            tokens.append(str(decoder.nextToken()))
        answers.append(tokens)
    return answers


def obfuscate(payload: str, key: int | None) -> str:
    """The engine's obfuscation of base64 bytes, as base64; `key` 0–255, or the engine's own choice."""
    raw = b64decode(payload)
    sink = java("java.io.ByteArrayOutputStream")()
    kind = java("VASSAL.tools.io.ObfuscatingOutputStream")
    stream = (
        kind(sink)
        if key is None
        else kind(sink, java("java.lang.Byte")(key - 256 if key > 127 else key).byteValue())
    )
    stream.write(_bytes(raw), 0, len(raw))
    stream.close()
    return b64encode(bytes(b & 0xFF for b in sink.toByteArray())).decode()


def deobfuscate(payload: str) -> str:
    """What the engine reads from base64 bytes of either kind, obfuscated or plain, as base64."""
    source = java("java.io.ByteArrayInputStream")(_bytes(b64decode(payload)))
    stream = java("VASSAL.tools.io.DeobfuscatingInputStream")(source)
    return b64encode(bytes(b & 0xFF for b in stream.readAllBytes())).decode()


def _bytes(raw: bytes) -> Any:
    import jpype

    return jpype.JArray(jpype.JByte)([b - 256 if b > 127 else b for b in raw])


def locations(session: Session, map_name: str | None, points: list[list[int]]) -> list[dict[str, Any]]:
    """For each pixel of a map: the location's name, and where a piece dropped there would snap to."""
    where = session.find_map(map_name)
    answers = []
    for x, y in points:
        point = java("java.awt.Point")(x, y)
        snapped = where.snapTo(java("java.awt.Point")(x, y))
        answers.append(
            {
                "name": str(where.locationName(point)),
                "snap": [int(snapped.x), int(snapped.y)],
                "snap_name": str(where.locationName(snapped)),
            }
        )
    return answers


def points(session: Session, map_name: str | None, names: list[str]) -> list[list[int] | None]:
    """The pixel of a map that its grids give for each location's name; None for a name that they do not know."""
    where = session.find_map(map_name)
    return [_point(where, name) for name in names]


def _point(where: Any, name: str) -> list[int] | None:
    for board in where.getBoards():
        if board.getGrid() is None:
            continue
        try:
            found = board.globalCoordinates(board.getGrid().getLocation(name))
        except java("VASSAL.build.module.map.boardPicker.board.MapGrid$BadCoords"):
            continue
        if str(where.locationName(found)) == name:
            return [int(found.x), int(found.y)]
    return None


def piece(session: Session, definition: str, state: str | None) -> dict[str, Any]:
    """What the engine makes of a piece's type, and of its state if there is one; and how it writes both itself."""
    made = session.module.createPiece(definition)
    if state is not None:
        made.setState(state)
    return {
        "traits": [str(one.getClass().getName()) for one in traits_of(made)],
        "type": str(made.getType()),
        "state": str(made.getState()),
        "name": str(made.getName()),
        "properties": properties_of(made),
        "commands": commands_of(made),
    }


def grid_names(attributes: dict[str, Any], points: list[list[int]]) -> list[dict[str, Any]]:
    """Names and snaps of points by a grid built from attributes alone, without a module; see `_grid`."""
    grid = _grid(attributes)
    answers = []
    for x, y in points:
        snapped = grid.snapTo(java("java.awt.Point")(x, y))
        name = grid.locationName(java("java.awt.Point")(x, y))
        answers.append({"name": str(name), "snap": [int(snapped.x), int(snapped.y)]})
    return answers


def grid_ranges(attributes: dict[str, Any], pairs: list[list[int]]) -> list[int]:
    """The distance between the two pixels of each `[x1, y1, x2, y2]` by a grid built from attributes alone."""
    grid, point = _grid(attributes), java("java.awt.Point")
    return [int(grid.range(point(x1, y1), point(x2, y2))) for x1, y1, x2, y2 in pairs]


def _grid(attributes: dict[str, Any]) -> Any:
    """A grid on a board of its own.

    `attributes`: `class` (HexGrid, SquareGrid), the grid's own attributes as in the build file, `numbering` with
    those of its numbering, and the board's `width` and `height` in pixels.
    """
    package = "VASSAL.build.module.map.boardPicker.board"
    rest = dict(attributes)
    kind, numbering = rest.pop("class"), rest.pop("numbering")
    board = java("VASSAL.build.module.map.boardPicker.Board")()
    for side in ("width", "height"):
        board.setAttribute(side, str(rest.pop(side)))
    grid = java(f"{package}.{kind}")()
    for name, value in rest.items():
        grid.setAttribute(name, str(value))
    grid.addTo(board)
    names = java(f"{package}.mapgrid.{kind}Numbering")()
    for name, value in numbering.items():
        names.setAttribute(name, str(value))
    names.addTo(grid)
    grid.setGridNumbering(names)
    return grid
