"""Where games are found: below the current folder, else among those that come with the program.

Whoever has unpacked the project and edits `scenarios/hurtgen/map.yaml` there means that file, whether or not a copy
of the game is installed besides. When there are two, a warning says which is used.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Final

from hexforge.scenarios.problems import Problem, ScenarioError
from hexforge.scenarios.words import HexforgeWarning, message

HOME: Final = Path(__file__).parent
"""The folder of the program's own games."""
FILE: Final = "game.yaml"
"""What makes a folder that of a game."""
EXTENSION: Final = "extension"
"""What `kind` says in the game.yaml of an extension; whole games say nothing."""
_BINDINGS: Final = ("binding.yaml", "binding-*.yaml")
_MOST_BINDINGS: Final = 50
"""Bindings of one game that are looked at."""
_NAME: Final = re.compile(r"[\w-]{1,64}")
_KIND: Final = re.compile(rb"(?m)^kind:[ \t]*[\"']?([a-z]+)")
_HEAD: Final = 1 << 20


def names() -> list[str]:
    """The games that come with the program, extensions left out."""
    return [name for name in _all_names() if not kind_of(HOME / name)]


def extensions() -> list[str]:
    """The extensions that come with the program: markers and tracks for a game, without its map."""
    return [name for name in _all_names() if kind_of(HOME / name) == EXTENSION]


def _all_names() -> list[str]:
    return sorted(path.parent.name for path in HOME.glob("*/game.yaml"))


def kind_of(folder: Path) -> str:
    """What the game.yaml of a folder calls its kind; "" for a whole game, and where it cannot be read.

    It is looked for and not parsed, for lists of games ask this of each.
    """
    try:
        with (folder / "game.yaml").open("rb") as file:
            found = _KIND.search(file.read(_HEAD))
    except OSError:
        return ""
    return found[1].decode() if found else ""


def bindings(folder: Path) -> list[Path]:
    """The files of a game's folder that tie published modules to it, by their names; see `binding`."""
    return sorted({p for name in _BINDINGS for p in folder.glob(name) if p.is_file()})[:_MOST_BINDINGS]


def _is_game(folder: Path) -> bool:
    return (folder / "game.yaml").is_file()


def family_folder(folder: Path, family: str) -> Path | None:
    """The folder of the family that a game names: the one beside the game's, else the program's own."""
    homes = (folder.parent / family, HOME / family)
    return next((home for home in homes if (home / "family.yaml").is_file()), None)


def named(name: str) -> Path | None:
    """The game of a name: `NAME` or `scenarios/NAME` below the current folder, else the program's own.

    Warns with HexforgeWarning if the program's own is passed over for another.
    """
    if not _NAME.fullmatch(name):
        return None
    here = next((path for path in (Path(name), Path("scenarios", name)) if _is_game(path)), None)
    own = HOME / name if _is_game(HOME / name) else None
    if here is None or (own is not None and here.samefile(own)):
        return own
    if own is not None:
        said = message("scenario.file.other-copy", name=name, used=str(here), other=str(own))
        warnings.warn(HexforgeWarning(said), stacklevel=3)
    return here


def find(name_or_folder: str | Path) -> Path:
    """The folder of a game, given its name or a path. Raises ScenarioError listing the known names."""
    path = Path(name_or_folder)
    # Who has the game's own file at hand names that: the game is the folder around it.
    whole = path.parent if path.name == FILE and path.is_file() else path
    found = named(str(name_or_folder)) or whole
    if _is_game(found):
        return found
    unknown = message("scenario.file.no-game", known=tuple(_all_names()))
    raise ScenarioError([Problem(str(name_or_folder), 0, "", unknown)])
