"""The games that sheets and logs may name: those that come with the program, and those of the user's folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...scenarios.commands import HOME, extensions, find, named
from ...scenarios.commands import names as built_in
from ...scenarios.compiled import keep as keep_at
from ...scenarios.compiled import load as compiled_load
from ...scenarios.console import Problem, ScenarioError
from ...scenarios.model import Scenario
from ...scenarios.text.words import message
from .kinds import is_misspelt, without_digraphs
from .vocabulary import vocabulary_of
from .words import fold

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from .words import Vocabulary


_WORD: Final = re.compile(r"[\w-]+")
_LONGEST: Final = 500
"""Of a longer line only so much is looked through for names."""


_FOLDERS: Final[dict[str, Path]] = {}
_UPWARDS: Final = 3
"""How many folders above a sheet may be its game's: `my-game/examples/turn2.sheet` is in the second."""


def learn(folder: str | Path) -> str:
    """Make the game in a folder known by its name, which it gives, also in place of one of the program's.

    Raises ScenarioError for a folder that holds no game.
    """
    home = find(folder)
    name = _name(home)
    if not name:
        raise ScenarioError([Problem(str(home / "game.yaml"), 0, "name", message("scenario.schema.missing"))])
    _FOLDERS[name] = home
    return name


def learned() -> tuple[Path, ...]:
    """The folders of the games that were learned."""
    return tuple(_FOLDERS.values())


def names() -> list[str]:
    """The games that are known by name alone."""
    return sorted({*built_in(), *_FOLDERS})


def all_names(source: str = "") -> list[str]:
    """As `names`, with the extensions that sheets may name: those of which only some rules are known.

    With the game in whose folder the sheet or mail `source` lies, if it lies in one.
    """
    return sorted({*names(), *extensions(), *around(source)})


def called(texts: Iterable[str], source: str = "") -> set[str]:
    """The games that texts of a file name, wherever in them: `We play Metz`. `my-game` may be typed `My Game`."""
    known = {name: name for name in all_names(source)}
    known |= {name.replace("-", " "): name for name in known}
    longest = max(name.count(" ") for name in known) + 1
    found: set[str] = set()
    for text in texts:
        words = [fold(part) for part in _WORD.findall(text[:_LONGEST])]
        runs = (" ".join(words[i : i + n]) for n in range(1, longest + 1) for i in range(len(words)))
        found.update(known[run] for each in runs for run in (each, without_digraphs(each)) if run in known)
    return found


def meant(name: str, source: str = "") -> str:
    """The game that a name is of, misspelt as it may be by a letter; "" for what is nobody's name, or several'."""
    known = all_names(source)
    for typed in (name, without_digraphs(name)):
        if typed in known:
            return typed
    near = [other for other in known if is_misspelt(name, other)]
    return near[0] if len(near) == 1 else ""


def game(name: str, source: str = "") -> Scenario | None:
    """The game or extension of a name.

    One that was learned, else the one around the sheet `source`, else as commands find it; None for a name that
    nobody knows. Raises ScenarioError if its files are broken.
    """
    home = _home(name, source)
    return _load(home) if home is not None else None


def at(folder: Path) -> Scenario:
    """The game in a folder. Raises ScenarioError if its files are broken."""
    return _load(folder.resolve())


def keep(name: str) -> None:
    """Have the game of a name in the cache. Raises as `game`."""
    home = _home(name, "")
    if home is not None:
        keep_at(home)


def scenario(name: str, source: str = "") -> Scenario | None:
    """As `game`, of whole games. Raises ScenarioError for an extension too."""
    found = game(name, source)
    if found is None or found.has_map:
        return found

    # Loading an extension as a whole game says what is wrong with that.
    from ...scenarios.loader import load

    return load(found.folder)


def vocabulary(name: str, source: str = "") -> Vocabulary | None:
    """The words of the game of a name, as `scenario` finds it; None also for one whose files are broken."""
    home = _home(name, source)
    try:
        return _vocabulary(home, os.environ.get("HEXFORGE_WORDS", "")) if home is not None else None
    except ScenarioError:
        return None  # whoever asks for the game itself is told


def known(name: str, source: str = "") -> Scenario | None:
    """As `scenario`; None also for a game whose files are broken."""
    try:
        return scenario(name, source)
    except ScenarioError:
        return None  # whoever judges by it is told


def _home(name: str, source: str) -> Path | None:
    home = _FOLDERS.get(name) or _near(name, source) or _game_folder(name)
    return home.resolve() if home is not None else None


def _game_folder(name: str) -> Path | None:
    return named(name)  # its warning names the line above, wherever it is asked from, and so is shown once


def _near(name: str, source: str) -> Path | None:
    """The folder above a sheet that is the game of this name."""
    folder = _folder_around(source)
    return folder if folder is not None and name in around(source) else None


def around(source: str) -> tuple[str, ...]:
    """The name of the game in whose folder a sheet, a mail or a text lies; none where it lies in no game's."""
    folder = _folder_around(source)
    if folder is None:
        return ()
    # Of the program's own a folder's name says which it is, without reading it.
    name = folder.name if folder.parent.samefile(HOME) else _name(folder)
    return (name,) if name else ()


def _folder_around(source: str) -> Path | None:
    """The nearest folder above a file that holds a game."""
    path = Path(source)
    try:
        lies = bool(source) and source != "-" and path.is_file()
    except (OSError, ValueError):
        lies = False  # a name that came with the data, and is none of a file
    for folder in list(path.resolve().parents)[:_UPWARDS] if lies else ():
        if (folder / "game.yaml").is_file():
            return folder
    return None


@cache
def _load(home: Path) -> Scenario:
    return compiled_load(home)


@cache
def _vocabulary(home: Path, _words: str) -> Vocabulary:
    return vocabulary_of(_load(home))


def _name(folder: Path) -> str:
    """What a folder's game.yaml calls the game; "" where it cannot be read, which loading it will say."""
    path = folder / "game.yaml"
    try:
        from ...scenarios import yamlfile

        value = yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path).get("name")
    except (ScenarioError, OSError):
        return ""
    return value if isinstance(value, str) else ""
