"""Whether a module must be built again, and the pictures that a game's owner adds to it.

After a build, a stamp in the cache records digests of every file that went in (scenario, program, art), the
options, and the module that came out. A module is up to date when all of these are as recorded, the module's own
bytes included.

A game with the pictures that the owner of a printed copy has: his scan of the map, his counters.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..scenarios.commands import HOME, find
from ..scenarios.console import Problem, ScenarioError
from ..scenarios.scan import FOLDER, ScanError, fit
from ..scenarios.schema.map import Scan
from ..scenarios.text.files import put as put_file
from ..scenarios.text.words import message
from .archive import BuildError

if TYPE_CHECKING:
    from ..scenarios.model import Scenario
    from ..scenarios.text.hexgrid import Hex, Point


@dataclass(frozen=True)
class Options:
    """How a module is built. `jobs` None: as many processes as there are processors.

    `board_image` is a picture of the printed map, `centres` where hexes lie in it (`0101=120,96 2214=…`; empty: as
    map.yaml says), `counter_images` a folder of counters' faces: what the owner of a copy has.

    `taken`: where the modules built with these very options were put, and the folder of the game of each.
    """

    out: Path = Path("dist")
    language: str | None = None
    scale: float = 1.0
    jobs: int | None = None
    cache: bool = True
    board_image: Path | None = None
    centres: str = ""
    counter_images: Path | None = None
    taken: dict[Path, Path] = field(default_factory=dict, compare=False, repr=False)


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


_CENTRE: Final = re.compile(r"([^=\s]{1,12})=(-?\d{1,6}(?:\.\d{1,3})?),(-?\d{1,6}(?:\.\d{1,3})?)")


def owned(scenario: Scenario, options: Options) -> Scenario:
    """The game with the pictures that the options name. Raises BuildError, ScenarioError for such as do not fit."""
    looks = scenario.looks
    if options.counter_images is not None:
        if not options.counter_images.is_dir():
            raise BuildError(message("modulegen.build.no-folder", path=str(options.counter_images)))
        looks = replace(looks, counters=options.counter_images)
    if options.board_image is None:
        if options.centres:
            raise BuildError(message("modulegen.build.no-board"))
        return scenario if looks == scenario.looks else replace(scenario, own_looks=looks)
    if not options.board_image.is_file():
        raise BuildError(message("modulegen.build.no-picture", path=str(options.board_image)))
    scan, warnings = _scan(scenario, options)
    looks = replace(looks, board=options.board_image)
    ground = replace(scenario.map, scan=scan)
    return replace(scenario, own_looks=looks, map=ground, warnings=(*scenario.warnings, *warnings))


def _scan(scenario: Scenario, options: Options) -> tuple[Scan, list[Problem]]:
    own = scenario.map.scan
    centres = _centres(scenario, options.centres) if options.centres else dict(own.centres) if own else {}
    file = str(options.board_image)
    if len(centres) < 2:
        raise ScenarioError([Problem(file, 0, "--centres", message("scenario.scan.too-few", count=len(centres)))])
    try:
        doubt = fit(scenario.map.grid, centres).doubt
    except ScanError as error:
        raise ScenarioError([Problem(file, 0, "--centres", error.message)]) from error
    over = (own.grid, own.numbers) if own else (False, False)
    scan = Scan.model_construct(image="board.png", centres=centres, grid=over[0], numbers=over[1])
    return scan, [Problem(file, 0, "--centres", doubt, "warning")] if doubt else []


def _centres(scenario: Scenario, told: str) -> dict[Hex, Point]:
    found: dict[Hex, Point] = {}
    grid = scenario.map.grid
    for word in told.replace(";", " ").split():
        match = _CENTRE.fullmatch(word)
        if match is None:
            raise BuildError(message("modulegen.build.bad-centre", given=word[:60]))
        hex_ = match[1]
        if hex_ not in grid:
            ends = grid.hexes[0], grid.hexes[-1]
            raise BuildError(message("modulegen.build.no-hex", hex=hex_, first=ends[0], last=ends[1]))
        found[hex_] = (float(match[2]), float(match[3]))
    return found
