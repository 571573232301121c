"""Where the pictures are that a game's folder, or the owner of a printed copy, brings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = "looks"
"""The folder of a game's own symbols, palettes, faces of counters, and board."""


@dataclass(frozen=True)
class OwnLooks:
    """`folder` has symbols and palettes, `counters` faces of counters, `board` is the picture of the whole board.

    None of these need be there; `board` is None where map.yaml names no scan.
    """

    folder: Path
    counters: Path
    board: Path | None = None

    @classmethod
    def of(cls, game: Path, scan: str = "") -> OwnLooks:
        """Those in a game's folder, with the picture that its map names."""
        folder = game / FOLDER
        return cls(folder, folder / "counters", folder / scan if scan else None)
