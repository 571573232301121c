"""By what a log of a module of ours is known: the marks that the compiler left in the module's metadata.

`extra1` reads `hexforge 1 NAME HASH`, `extra2` is JSON with the names of maps and sides and the hex grid in pixels;
VASSAL copies both into every save and log.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.grids import HexGrid, Numbering

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.metadata import Metadata

_GAME: Final = re.compile(r"hexforge 1 ([a-z0-9_-]{1,64}) ([0-9a-f]{64})")
_LETTER: Final = re.compile("[A-Z]?")
MAX_MODULES: Final = 50
_MAX_LAYOUT: Final = 20_000
_MAX_PIXEL: Final = 1_000_000
_MOST_OFF: Final = 1000

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Marks:
    """What a module says of itself.

    `digest`: SHA-256 of the scenario's data that it was built from. `main`, `reserves`, `losses`: its maps' names.
    `sides`: from the name that players see to the scenario's id. `left`: side -> pixels of the box of those that
    left the map, on the map `losses`.
    """

    game: str
    digest: str
    language: str
    main: str
    reserves: str
    losses: str
    grid: HexGrid
    sides: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, Box] = field(default_factory=dict)

    def hex_at(self, x: int, y: int) -> str:
        """The number of the hex that a pixel of the main map lies in, as VASSAL would call it."""
        return self.grid.location_name((x, y), (0, 0)) or ""

    def point_of(self, hex_: str) -> tuple[int, int]:
        """The pixel to which VASSAL snaps a piece in a hex."""
        point = self.grid.point_of(hex_, (0, 0))
        assert point is not None, hex_
        return int(point[0]), int(point[1])


def read_marks(metadata: Metadata | None) -> Marks | None:
    """The marks in a module's metadata; None for other people's modules, and for marks that make no sense."""
    if metadata is None:
        return None
    game = _GAME.fullmatch((metadata.extra1 or "").strip())
    text = (metadata.extra2 or "").strip()
    if game is None or len(text) > _MAX_LAYOUT:
        return None
    try:
        return _marks(game[1], game[2], json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def modules_in(folder: Path) -> Iterator[tuple[Path, Metadata]]:
    """The modules of a folder, some dozens at most, with what they say of themselves."""
    from hexforge.modulegen.vassal.archive import Archive
    from hexforge.modulegen.vassal.metadata import MAX_METADATA, read_metadata

    for path in sorted(p for p in folder.glob("*.vmod") if p.is_file())[:MAX_MODULES]:
        try:
            with Archive(path) as archive:
                yield path, read_metadata(archive.read("moduledata", MAX_METADATA))
        except (FormatError, OSError, KeyError):
            continue


def number(value: Any) -> float:
    """A pixel as a mark gives it. Raises ValueError, TypeError for what can be none."""
    found = float(value)
    if not math.isfinite(found) or abs(found) > _MAX_PIXEL:
        raise ValueError(found)
    return found


def _numbered(found: dict[str, Any]) -> dict[str, Any]:
    """What a module says of its hexes' names. Raises ValueError, KeyError for what is no such thing."""
    if not found:
        return {}
    kinds, numbers = (found["hType"], found["vType"], found["first"]), {}
    if not set(kinds[:2]) <= {"A", "N"} or kinds[2] not in ("H", "V"):
        raise ValueError("no numbering")
    for key in ("hOff", "vOff", "hLeading", "vLeading"):
        value = number(found[key])
        if not -_MOST_OFF <= value <= _MOST_OFF:
            raise ValueError("no numbering")
        numbers[f"{key[0]}_{key[1:].lower()}"] = int(value)
    descend = {f"{key}_descend": found[f"{key}Descend"] is True for key in "hv"}
    return {"first": kinds[2], "h_type": kinds[0], "v_type": kinds[1], **numbers, **descend}


def _marks(game: str, digest: str, found: dict[str, Any]) -> Marks:
    x0, y0, dx, dy, stagger = map(number, found["hex"])
    if dx < 1 or dy < 1:
        raise ValueError("no hexes")
    letter = found.get("letter", "")
    if not _LETTER.fullmatch(letter):
        raise ValueError("no letter")
    numbering = Numbering(
        stagger=bool(stagger), location_format=f"{letter}$gridLocation$", **_numbered(found.get("numbering", {}))
    )
    grid = HexGrid(dx, dy, int(x0), int(y0), sideways=found.get("sideways") == 1, numbering=numbering)
    left: dict[str, Box] = {}
    for side, corners in found["left"].items():
        x1, y1, x2, y2 = map(number, corners)
        left[str(side)] = (x1, y1, x2, y2)
    language, main, reserves, losses = (found[key] for key in ("language", "main", "reserves", "losses"))
    if not all(isinstance(name, str) and name for name in (language, main, reserves, losses)):
        raise ValueError("no names")
    sides = {str(name): str(side) for name, side in found["sides"].items()}
    return Marks(game, digest, language, main, reserves, losses, grid, sides, left)
