"""Inside the witness's own process: the engine's codecs and grids, asked directly."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

from .jvm import java
from .session import Session


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


def ranges(session: Session, map_name: str | None, pairs: list[list[int]]) -> list[int]:
    """The grid's own distance between the two pixels of each `[x1, y1, x2, y2]`."""
    where = session.find_map(map_name)
    answers = []
    for x1, y1, x2, y2 in pairs:
        start, end = java("java.awt.Point")(x1, y1), java("java.awt.Point")(x2, y2)
        board = where.findBoard(start)
        answers.append(int(board.getGrid().range(board.localCoordinates(start), board.localCoordinates(end))))
    return answers


def grid_names(attributes: dict[str, Any], points: list[list[int]]) -> list[dict[str, Any]]:
    """Names and snaps of points by a grid built from attributes alone, without a module.

    `attributes`: `class` (HexGrid, SquareGrid), the grid's own attributes, and `numbering` with those of the
    numbering; the board is `width` × `height` pixels.
    """
    package = "VASSAL.build.module.map.boardPicker.board"
    rest = dict(attributes)
    kind, numbering = rest.pop("class", "HexGrid"), rest.pop("numbering", {})
    width, height = int(rest.pop("width")), int(rest.pop("height"))
    board = java("VASSAL.build.module.map.boardPicker.Board")()
    board.setAttribute("width", str(width))
    board.setAttribute("height", str(height))
    grid = java(f"{package}.{kind}")()
    for name, value in rest.items():
        grid.setAttribute(name, str(value))
    grid.addTo(board)
    names = java(f"{package}.mapgrid.{kind}Numbering")()
    for name, value in numbering.items():
        names.setAttribute(name, str(value))
    names.addTo(grid)
    grid.setGridNumbering(names)
    answers = []
    for x, y in points:
        snapped = grid.snapTo(java("java.awt.Point")(x, y))
        name = grid.locationName(java("java.awt.Point")(x, y))
        answers.append({"name": str(name), "snap": [int(snapped.x), int(snapped.y)]})
    return answers
