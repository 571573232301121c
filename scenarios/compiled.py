"""Games as they were read and checked, kept in the user's cache: whoever asks again need not read them again.

An entry is found by all that it depends on: the bytes of the game's and its family's files, this program's own
files, Python, and the library of the schemas. So none is ever stale; one that is damaged, or in a folder that
others may write to, is as good as none. `HEXFORGE_NO_CACHE=1` keeps and reads none.

Extensions: markers and tracks of a game whose map and order of battle are not known here, read and checked.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .commands import _MAX_BYTES, EXTENSION, family_named, find, key_of, kind_of
from .console import Problem, ScenarioError, open_file, unknown
from .model import GameMap, Scenario
from .schema.base import RefKind
from .schema.extension import ExtensionFile, LedgerFile
from .schema.game import GameFile, Turns
from .schema.rules import Rules
from .schema.setup import SetupFile, VictoryFile
from .schema.tables import TablesFile
from .text.files import cache_folder, put
from .text.hexgrid import EDGES, HexGrid, map_letter
from .text.words import Param

if TYPE_CHECKING:
    from .checks import Checker, Locate


if TYPE_CHECKING:
    pass

FILE = "game.yaml"
LEDGER = "ledger.yaml"


_NOTHING: Final = {
    "turns": Turns.model_construct(first=0, last=0),
    "sequence": (),
    "unit_types": {},
    "movement_classes": (),
    "classes": {},
    "rules": Rules.model_construct(stacking=None),
}
"""What a game has not whose map and order of battle are unknown."""


def load_any(name_or_folder: str | Path, *, strict: bool = True) -> Scenario:
    """Read a game or an extension, whichever is there. Raises as `load` does."""
    from .loader import load as loader_load

    folder = find(name_or_folder)
    read = load_extension if kind_of(folder) == EXTENSION else loader_load
    return read(folder, strict=strict)


def load_extension(name_or_folder: str | Path, *, strict: bool = True) -> Scenario:
    """Read and check an extension. Raises ScenarioError as `load` does."""
    from .loader import notation_of, texts_of, validated
    from .sources import Sources

    folder = find(name_or_folder)
    sources = Sources(folder)
    problems: list[Problem] = []
    game = validated(sources, FILE, ExtensionFile, problems)
    has_ledger = (folder / LEDGER).is_file()
    ledger = validated(sources, LEDGER, LedgerFile, problems) if has_ledger else None
    texts = texts_of(game, sources, problems) if game else {}
    notation = notation_of(sources, problems)
    if game is None or any(p.severity == "error" for p in problems):
        raise ScenarioError(problems)
    said = {key: value for key, value in vars(game).items() if key in GameFile.model_fields}
    extension = Scenario(
        game.name,
        folder,
        GameFile.model_construct(**{**_NOTHING, **said}),
        GameMap.blank(HexGrid(1, 1), ""),
        {},
        TablesFile.model_construct(results={}, terrain={}, hexsides={}, ways={}, crt=None),
        SetupFile.model_construct(at_start=()),
        VictoryFile.model_construct(section="", objectives=(), destroyed={}),
        texts,
        sources.hash.hexdigest(),
        files={FILE: game, **({LEDGER: ledger} if ledger else {})},
        notation=notation,
        extension=game,
        ledger=ledger,
    )
    found = [*problems, *check(extension, sources.locate)]
    if strict and any(p.severity == "error" for p in found):
        raise ScenarioError(found)
    object.__setattr__(extension, "warnings", tuple(found))
    return extension


class _Hexes(Collection[str]):
    """All hexes of maps of which nothing but the letters is known."""

    def __init__(self, letters: tuple[str, ...]) -> None:
        self._letters = letters

    def __contains__(self, hex_: object) -> bool:
        return isinstance(hex_, str) and map_letter(hex_) in self._letters

    def __iter__(self) -> Iterator[str]:
        return iter(self._letters)

    def __len__(self) -> int:
        return len(self._letters)


def check(extension: Scenario, locate: Locate) -> list[Problem]:
    """All contradictions of an extension, errors and warnings."""
    from .checks import Checker
    from .checks.tables import options_can_be_judged, what_lies_beside_the_map_fits

    c = Checker(extension, locate)
    rules = (_unknown_names, what_lies_beside_the_map_fits, options_can_be_judged, _words)
    return list(dict.fromkeys(problem for rule in rules for problem in rule(c)))


def _known(extension: Scenario) -> dict[RefKind, Collection[Any]]:
    game = extension.game
    return {
        "day-part": extension.days.parts if extension.days else (),
        "day-phase": [phase.id for phase in extension.day_phases],
        "edge": EDGES,
        "hex": _Hexes(tuple(extension.letters) or ("",)),
        "marker": game.markers,
        "option": game.options,
        "piece": extension.ledger.pieces if extension.ledger else (),
        "side": [side.id for side in game.sides],
        "switch": [name for name, option in game.options.items() if set(option.choices) == {"yes", "no"}],
        "track": game.tracks,
    }


def _unknown_names(c: Checker) -> Iterator[Problem]:
    known = _known(c.scenario)
    for r in c.scenario.references:
        if r.id not in known.get(r.kind, (r.id,)):
            there: tuple[Param, ...] = tuple(known[r.kind])
            said = unknown("lettered-hex" if r.kind == "hex" else r.kind, r.id, there, known=there)
            yield c.tell(r.file, list(r.where), said)


def _words(c: Checker) -> Iterator[Problem]:
    """Every marker, track and side has a name in each of the game's languages, and one says what the others do."""
    game = c.scenario.game
    needed = [f"markers.{face.id}" for marker in game.markers.values() for face in marker.faces]
    needed += [f"tracks.{id_}" for id_ in game.tracks] + [f"sides.{side.id}" for side in game.sides]
    texts = {language: c.scenario.texts[language] for language in game.languages}
    every = {key for text in texts.values() for key in text.values}
    for language, text in texts.items():
        nameless = [key for key in dict.fromkeys(needed) if key not in text.values]
        for key in nameless:
            yield c.error(f"text.{language}.yaml", [], "extension.nameless", key=key)
        for key in sorted(every - {*text.values, *nameless}):
            yield c.warning(f"text.{language}.yaml", [], "game.untranslated", key=key)


MAX_ENTRIES: Final = 24


_SEAL: Final = 32
_OURS: Final = "hexforge.scenarios."
_OTHERS: Final = {
    ("datetime", "date"),
    ("fractions", "Fraction"),
    ("pathlib", "PosixPath"),
    ("pathlib", "WindowsPath"),
}
"""What games are made of besides our own classes."""


_PROTOCOL: Final = 5


def load(name_or_folder: str | Path) -> Scenario:
    """As `extension.load_any`, from the cache if the same files were read before."""
    folder = find(name_or_folder)
    entry = _entry(folder)
    found = _read(entry) if entry is not None else None
    if found is None:
        found = load_any(folder)
        family = found.game.family
        # A family that is named in another way than people do is not seen here, and its changes would not be.
        if entry is not None and (family or "") == family_named(folder):
            with suppress(OSError, pickle.PicklingError, RecursionError):
                _write(entry, found)
    return found


def keep(name_or_folder: str | Path) -> None:
    """Have a game in the cache. Raises as `load` for one that is not there yet."""
    entry = _entry(find(name_or_folder))
    if entry is not None and not entry.exists():
        load(name_or_folder)


def _entry(folder: Path) -> Path | None:
    """Where a game is kept; None where it cannot be."""
    if os.environ.get("HEXFORGE_NO_CACHE"):
        return None
    try:
        home = cache_folder() / "games"
        return home / f"{key_of(folder)}.pickle"
    except (OSError, RuntimeError, ValueError):
        return None


class _Reader(pickle.Unpickler):
    """Makes nothing but what games are made of, whatever stands in an entry."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _OTHERS or module.startswith(_OURS):
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module}.{name}")


def _read(entry: Path) -> Scenario | None:
    """The game of an entry; None if there is none that can be trusted and read."""
    try:
        if not _private(entry.parent):
            return None
        with open_file(entry, whole=True) as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES or data[:_SEAL] != _sealed(entry, data[_SEAL:]):
            return None
        found = _Reader(io.BytesIO(data[_SEAL:])).load()
    except Exception:  # whatever is wrong with an entry, the files of the game are there
        return None
    return found if isinstance(found, Scenario) else None


def _write(entry: Path, game: Scenario) -> None:
    home = entry.parent
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _private(home):
        return
    slim = copy(game)
    # A third of an entry, which checks work out and nobody who reads one asks for.
    vars(slim).pop("references", None)
    data = pickle.dumps(slim, _PROTOCOL)
    if len(data) + _SEAL <= _MAX_BYTES:
        put(entry, _sealed(entry, data) + data)
        _forget(home)


def _sealed(entry: Path, data: bytes) -> bytes:
    """What stands before a game, so that a damaged one, or one under another name, is noticed."""
    return hashlib.sha256(entry.name.encode() + data).digest()


def _private(home: Path) -> bool:
    """Whether nobody else can have put anything into a folder."""
    found = home.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    return not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def _forget(home: Path) -> None:
    """Remove the entries that were written first, beyond those that are kept."""
    entries = sorted(home.glob("*.pickle"), key=lambda path: path.stat().st_mtime_ns)
    for path in entries[:-MAX_ENTRIES]:
        path.unlink(missing_ok=True)
