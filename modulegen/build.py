"""A module from a scenario, in five stages: load, plan, draw, assemble, archive."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hexforge.modulegen import stamp
from hexforge.modulegen.draw import Cache, DrawingPool
from hexforge.modulegen.place import BuildError, claim, place
from hexforge.scenarios.folders import EXTENSION, find, kind_of
from hexforge.scenarios.kept import cache_folder
from hexforge.scenarios.words import languages, message

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan
    from hexforge.modulegen.vassal.buildfile import Element
    from hexforge.scenarios.extended import AnyGame
    from hexforge.scenarios.problems import Problem

__all__ = [
    "STAGES",
    "BuildError",
    "BuildResult",
    "Options",
    "Report",
    "build",
    "choose_language",
    "compile_plan",
    "silent",
]

STAGES = ("load", "plan", "draw", "assemble", "archive")
Report = Callable[[str, int, int], None]
"""Told the stage, how much of it is done, and how much there is."""


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


@dataclass(frozen=True)
class BuildResult:
    """What a build gave. `fresh` is False where the module stood there already, unchanged."""

    path: Path
    version: str
    size: int
    fresh: bool
    images: int = 0
    warnings: tuple[Problem, ...] = ()
    beside: Path | None = None
    """The `.vmdx` of an extension; `path` is then the module that stands alone, and `size` that of both."""


def silent(stage: str, done: int, total: int) -> None:
    """Reports nothing."""


def build(game: str | Path, options: Options | None = None, report: Report = silent) -> BuildResult:
    """Build a game's module, unless the one in place was made from these very files by this very program.

    Raises ScenarioError for files that cannot be used, BuildError for options that do not fit the game, or a place
    that is another's, OSError where the module cannot be written; what stood in its place before still stands then.
    """
    options = options or Options()
    folder = cache_folder() if options.cache else None
    known = stamp.up_to_date(game, options, folder) if folder else None
    if known is not None and options.taken.setdefault(known.path, known.folder) == known.folder:
        return BuildResult(known.path, known.version, known.size, fresh=False, beside=known.beside)
    if kind_of(find(game)) == EXTENSION:
        from hexforge.modulegen.extension import build as extension

        return extension.build(game, options, folder, report)
    return _build(game, options, folder, report)


def _build(game: str | Path, options: Options, folder: Path | None, report: Report) -> BuildResult:
    from hexforge.modulegen.owner import owned
    from hexforge.modulegen.plan import plan
    from hexforge.modulegen.render.own_counters import unmatched
    from hexforge.modulegen.verify import check_module
    from hexforge.scenarios.loader import load

    report("load", 0, 1)
    before = stamp.inputs(game, options)
    scenario = owned(load(game), options)
    language = choose_language(scenario, options.language)
    path = claim(scenario, options.out, options.taken)
    report("plan", 0, 1)
    planned = plan(scenario, language, options.scale)
    data, version = compile_plan(planned, Cache(folder), options.jobs, report)
    check_module(data)
    place(path.parent, {path: data})
    if folder:
        stamp.remember(before, path, data, version, folder)
        Cache(folder).trim()
    warnings = (*scenario.warnings, *unmatched(scenario))
    return BuildResult(path, version, len(data), True, planned.image_count, warnings)


def compile_plan(
    planned: Plan, cache: Cache, jobs: int | None = None, report: Report = silent
) -> tuple[bytes, str]:
    """The last three stages: the bytes of the module, and its version."""
    from hexforge.modulegen.assemble import help_page, module, setup

    done, total = 0, planned.image_count
    report("draw", 0, total)

    def progress(more: int) -> None:
        nonlocal done
        done += more
        report("draw", done, total)

    with DrawingPool(cache, jobs) as drawing:
        drawing.submit(planned.pictures())
        # The workers draw while this process writes.
        saves = setup.saves(planned)
        root = module.module(planned, "")
        contents = {help_page.FILE: help_page.page(planned)}
        contents |= {f"images/{name}": png for name, png in drawing.collect(progress).items()}
    return assembled(planned, root, saves, contents, report)


def assembled(
    planned: Plan, root: Element, saves: Mapping[str, bytes], contents: dict[str, bytes], report: Report = silent
) -> tuple[bytes, str]:
    """The last two stages, for a build file, set-ups and the other contents by name."""
    from hexforge.modulegen import archive
    from hexforge.modulegen.vassal import buildfile
    from hexforge.modulegen.vassal.archive import ArchiveEntry, zip_bytes

    report("assemble", 0, 1)
    draft = {**contents, **saves, "buildFile.xml": buildfile.write(root)}
    version = archive.version_of(planned.scenario.game.module.version, draft)
    root = replace(root, attributes={**root.attributes, "version": version})
    moduledata, savedata = archive.metadata(planned, version, root.get("description"))
    for file, save in saves.items():
        saved = (
            ArchiveEntry("savedGame", save),
            ArchiveEntry("savedata", savedata),
            ArchiveEntry("moduledata", moduledata),
        )
        contents[file] = zip_bytes(saved)
    report("archive", 0, 1)
    entries = [("moduledata", moduledata), ("buildFile.xml", buildfile.write(root)), *sorted(contents.items())]
    return archive.pack(entries), version


def choose_language(scenario: AnyGame, language: str | None) -> str:
    """The language asked for, or the game's first. Raises BuildError for one that neither game nor program has."""
    known = dict.fromkeys((*scenario.game.languages, *languages()))
    if language is not None and language not in known:
        have = tuple(known)
        raise BuildError(message("modulegen.build.no-texts", game=scenario.name, language=language, have=have))
    return language or scenario.game.languages[0]
