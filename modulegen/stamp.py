"""Whether a module must be built again, decided in milliseconds and never by trust.

After a build, a stamp in the cache records digests of every file that went in (scenario, program, art), the
options, and the module that came out. A module is up to date when all of these are as recorded, the module's own
bytes included.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.folders import HOME, find
from hexforge.scenarios.looks import FOLDER
from hexforge.scenarios.problems import ScenarioError

if TYPE_CHECKING:
    from hexforge.modulegen.build import Options

FORMAT = 1
_MOST_PICTURES = 20_000


@dataclass(frozen=True)
class KnownModule:
    """A module that is up to date. `beside` is the `.vmdx` of an extension; `size` is then that of both."""

    path: Path
    folder: Path
    version: str
    size: int
    beside: Path | None = None


def _digest_files(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError:
            data = b"?"
        digest.update(f"{path.name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


def _data_files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.suffix in (".yaml", ".csv") and p.is_file())


def _pictures(folder: Path) -> list[Path]:
    """The files of a game's own looks, or of an owner's counters, as many as a build looks at."""
    return sorted(p for p, _ in zip(sorted(folder.rglob("*")), range(_MOST_PICTURES), strict=False) if p.is_file())


def _scenario_digest(folder: Path, options: Options) -> str:
    """All data files of the game and of every family it could inherit from, and all pictures of its own."""
    paths = [*_data_files(folder), *_pictures(folder / FOLDER)]
    paths += _pictures(options.counter_images) if options.counter_images else []
    paths += [options.board_image] if options.board_image else []
    for home in {folder.parent, HOME.resolve()}:
        for family in sorted(home.glob("*/family.yaml")):
            paths += _data_files(family.parent)
    return _digest_files(paths)


def _program_digest() -> str:
    """The program's own files and words by name, size and time, the interpreter and the libraries that draw."""
    lines = [sys.version]
    root = Path(__file__).parent.parent
    own = os.environ.get("HEXFORGE_WORDS")
    homes = [root / package for package in ("modulegen", "scenarios", "art")] + ([Path(own)] if own else [])
    for home in homes:
        for folder, below, files in os.walk(home):
            below[:] = sorted(d for d in below if d != "__pycache__")
            for name in sorted(files):
                stat = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 (thrice as fast, on every start)
                lines.append(f"{folder}/{name} {stat.st_size} {stat.st_mtime_ns}")
    from importlib.metadata import PackageNotFoundError, version

    for library in ("resvg", "pillow", "jinja2", "pydantic", "lxml"):
        try:
            lines.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            lines.append(library)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def inputs(game: str | Path, options: Options) -> dict[str, Any]:
    """Everything that decides what a build gives, and where it is put. Raises ScenarioError for no game."""
    folder = find(game).resolve()
    return {
        "format": FORMAT,
        "folder": str(folder),
        "out": str(options.out.resolve()),
        "scenario": _scenario_digest(folder, options),
        "program": _program_digest(),
        "language": options.language,
        "scale": options.scale,
        "own": [str(options.board_image), options.centres, str(options.counter_images)],
    }


def _place(found: dict[str, Any], cache: Path) -> Path:
    words = json.dumps([found[k] for k in ("folder", "out", "language", "scale", "own")])
    return cache / "stamps" / (hashlib.sha256(words.encode()).hexdigest() + ".json")


def remember(
    found: dict[str, Any],
    path: Path,
    data: bytes,
    version: str,
    cache: Path,
    *,
    beside: tuple[Path, bytes] | None = None,
) -> None:
    """Record a finished build. Failing to is no failure: the next build is a full one then.

    `beside` is what an extension has besides its module.
    """
    from hexforge.scenarios.files import put as put_file

    place = _place(found, cache)
    record = {
        **found,
        "module": str(path.resolve()),
        "sha256": hashlib.sha256(data).hexdigest(),
        "version": version,
        **({"beside": [str(beside[0].resolve()), hashlib.sha256(beside[1]).hexdigest()]} if beside else {}),
    }
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        put_file(place, json.dumps(record).encode())
    except OSError:
        return


def up_to_date(game: str | Path, options: Options, cache: Path) -> KnownModule | None:
    """The module in place, if a build would give the very same; None when in any doubt."""
    try:
        found = inputs(game, options)
        record = json.loads(_place(found, cache).read_bytes())
        if not isinstance(record, dict) or any(record.get(k) != v for k, v in found.items()):
            return None
        built = [(record["module"], record["sha256"]), *([record["beside"]] if "beside" in record else [])]
        size = 0
        for name, digest in built:
            data = Path(name).read_bytes()
            size += len(data)
            if hashlib.sha256(data).hexdigest() != digest:
                return None
        path, *others = (Path(name) for name, _ in built)
        return KnownModule(path, Path(found["folder"]), str(record["version"]), size, next(iter(others), None))
    except (ScenarioError, OSError, ValueError, KeyError, TypeError):
        return None


def watched(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of every file whose change means another build: the game's and the families'."""
    paths = [*_data_files(folder), *_pictures(folder / FOLDER)] if folder.is_dir() else []
    for home in {folder.parent, HOME.resolve()}:
        for family in sorted(home.glob("*/family.yaml")):
            paths += _data_files(family.parent)
    found = []
    for path in paths:
        try:
            stat = path.stat()
        except OSError:
            continue
        found.append((str(path), stat.st_size, stat.st_mtime_ns))
    return tuple(found)
