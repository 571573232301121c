"""Games as they were read and checked, kept in the user's cache: whoever asks again need not read them again.

An entry is found by all that it depends on: the bytes of the game's and its family's files, this program's own
files, Python, and the library of the schemas. So none is ever stale; one that is damaged, or in a folder that
others may write to, is as good as none. `HEXFORGE_NO_CACHE=1` keeps and reads none.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from hexforge.scenarios.extended import AnyGame, Extension
from hexforge.scenarios.folders import family_folder, find
from hexforge.scenarios.kept import cache_folder
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.system import open_file

MAX_ENTRIES: Final = 24
_MAX_BYTES: Final = 16_000_000
_SEAL: Final = 32
_OURS: Final = "hexforge.scenarios."
_OTHERS: Final = {
    ("datetime", "date"),
    ("fractions", "Fraction"),
    ("pathlib", "PosixPath"),
    ("pathlib", "WindowsPath"),
}
"""What games are made of besides our own classes."""
_FAMILY: Final = re.compile(rb"(?m)^family:[ \t]*[\"']?(\w+)")
_PROTOCOL: Final = 5


def load(name_or_folder: str | Path) -> AnyGame:
    """As `extension.load_any`, from the cache if the same files were read before."""
    folder = find(name_or_folder)
    entry = _entry(folder)
    found = _read(entry) if entry is not None else None
    if found is None:
        from hexforge.scenarios.extension import load_any

        found = load_any(folder)
        family = found.game.family if isinstance(found, Scenario) else ""
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


def key_of(folder: Path) -> str:
    """What tells apart all that a game depends on. Messages name the folder as it was given. Raises OSError."""
    seal = hashlib.sha256(f"{_program()}\n{folder}\n{folder.resolve()}\n".encode())
    name = family_named(folder)
    family = family_folder(folder, name) if name else None
    for layer in filter(None, (folder, family)):
        for path in sorted((*layer.glob("*.yaml"), *layer.glob("*.csv"))):
            with open_file(path) as file:
                data = file.read(_MAX_BYTES + 1)
            seal.update(f"{layer} {path.name} {len(data)}\n".encode() + data)
    return seal.hexdigest()


def family_named(folder: Path) -> str:
    """The family that a game names as people do; "" without one. Raises OSError."""
    with open_file(folder / "game.yaml") as file:
        found = _FAMILY.search(file.read(_MAX_BYTES))
    return found[1].decode(errors="replace") if found else ""


@cache
def _program() -> str:
    """This program and what it runs on: not its version alone, but its files, for the sake of who edits them."""
    home = Path(__file__).parent
    own = [(str(path), (at := path.stat()).st_size, at.st_mtime_ns) for path in sorted(_sources(home))]
    return f"{sys.version} {own}"


def _sources(home: Path) -> Iterator[Path]:
    yield from home.glob("*.py")
    yield from (home / "schema").glob("*.py")
    # The library's version, without importing it.
    library = find_spec("pydantic")
    yield from (Path(place, "version.py") for place in (library and library.submodule_search_locations) or ())


class _Reader(pickle.Unpickler):
    """Makes nothing but what games are made of, whatever stands in an entry."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _OTHERS or module.startswith(_OURS):
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module}.{name}")


def _read(entry: Path) -> AnyGame | None:
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
    return found if isinstance(found, Scenario | Extension) else None


def _write(entry: Path, game: AnyGame) -> None:
    from hexforge.scenarios.files import put

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
