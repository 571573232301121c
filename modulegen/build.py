"""A module from a scenario, in five stages: load, plan, draw, assemble, archive.

An extension built: the `.vmod` that stands alone, and beside it the `.vmdx` that loads with any module.

A build without its pixels: whatever a build would stop at is found, for `check` to say so beforehand.

Rules for single data cannot keep up with all that a build does with them. It is gone through instead, up to the
drawing of the pictures, in each language that the game has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..scenarios.commands import EXTENSION as COMMANDS_EXTENSION
from ..scenarios.commands import find, kind_of
from ..scenarios.compiled import load_extension
from ..scenarios.console import Problem, ScenarioError
from ..scenarios.loader import load, place_of
from ..scenarios.model import Scenario
from ..scenarios.text.files import cache_folder
from ..scenarios.text.words import HexforgeError, Message, languages, message
from . import archive, build_key, extension_module, extension_pieces
from .archive import EXTENSION, BuildError, check_module, claim, place
from .assemble import help_page, module
from .assemble.help_page import FILE as HELP_FILE
from .assemble.module import FILE as SETUP_FILE
from .assemble.module import VASSAL_VERSION
from .build_key import Options, owned
from .draw import Cache, DrawingPool
from .module_marks import FORMAT, MAKER
from .plan import OWN_ICONS, PLAN_TITLE_IMAGE, SHARED_ICONS, ExtensionPlan, extension_plan, plan
from .plan.markers import icon
from .render.board_layout import board_palette
from .render.counters import pictures, symbols, unmatched
from .render.raster import well_formed
from .render.templates import in_own_looks, palette
from .vassal import buildfile
from .vassal.archive import ArchiveEntry, Metadata, write_metadata, zip_bytes

if TYPE_CHECKING:
    from ..scenarios.model import Scenario
    from ..scenarios.schema.base import RefKind
    from .plan import Plan
    from .vassal.buildfile import Element


def build_extension(game: str | Path, options: Options, folder: Path | None, report: Report) -> BuildResult:
    """Build both modules of an extension; `folder` is where drawn images are kept. Raises as `build.build` does."""
    report("load", 0, 1)
    before = build_key.inputs(game, options)
    extension = load_extension(game)
    language = choose_language(extension, options.language)
    path = claim(extension, options.out, options.taken)
    beside = claim(extension, path.with_suffix(EXTENSION), options.taken)
    report("plan", 0, 1)
    planned = extension_plan(extension, language, options.scale)
    cache = Cache(folder)
    report("draw", 0, planned.image_count)
    with DrawingPool(cache, options.jobs) as drawing:
        drawing.submit(planned.pictures())
        pictures = drawing.collect()
    report("assemble", 0, 1)
    alone, added, version = packed(planned, pictures)
    for data in (alone, added):
        check_module(data)
    report("archive", 0, 1)
    place(path.parent, {path: alone, beside: added})
    if folder:
        build_key.remember(before, path, alone, version, folder, beside=(beside, added))
    cache.trim()
    size = len(alone) + len(added)
    return BuildResult(path, version, size, True, len(pictures), extension.warnings, beside=beside)


def packed(plan: ExtensionPlan, pictures: Mapping[str, bytes]) -> tuple[bytes, bytes, str]:
    """The bytes of the `.vmod`, those of the `.vmdx`, and the version of both; `pictures` by name."""
    help_, save = extension_module.page(plan), extension_pieces.save(plan)
    draft = {
        HELP_FILE: help_,
        "savedGame": save,
        "buildFile.xml": buildfile.write(extension_module.module(plan, "")),
        "extension.xml": buildfile.write(extension_module.extension(plan, "")),
        **{f"images/{name}": png for name, png in pictures.items()},
    }
    version = archive.version_of(plan.extension.game.module.version, draft)
    return _module(plan, version, help_, save, pictures), _extension(plan, version, help_, pictures), version


def _module(plan: ExtensionPlan, version: str, help_: bytes, save: bytes, pictures: Mapping[str, bytes]) -> bytes:
    root = extension_module.module(plan, version)
    moduledata = write_metadata(_metadata(plan, version))
    saved = Metadata(version=version, vassal_version=VASSAL_VERSION, date_saved=0, extra1="", extra2="")
    entries = (("savedGame", save), ("savedata", write_metadata(saved)), ("moduledata", moduledata))
    setup = zip_bytes(ArchiveEntry(*entry) for entry in entries)
    contents = {HELP_FILE: help_, SETUP_FILE: setup}
    contents |= {f"images/{name}": pictures[name] for name in _images(plan, OWN_ICONS, PLAN_TITLE_IMAGE)}
    return _pack(("moduledata", moduledata), root, contents)


def _extension(plan: ExtensionPlan, version: str, help_: bytes, pictures: Mapping[str, bytes]) -> bytes:
    data = write_metadata(replace(_metadata(plan, version), universal=True))
    contents = {extension_module.help_file(plan): help_}
    contents |= {f"images/{name}": pictures[name] for name in _images(plan, SHARED_ICONS)}
    return _pack(("extensiondata", data), extension_module.extension(plan, version), contents)


def _images(plan: ExtensionPlan, icons: tuple[str, ...], *others: str) -> list[str]:
    return [*plan.face_images, plan.sheet.image, *map(icon, icons), *others]


def _pack(metadata: tuple[str, bytes], root: Element, contents: Mapping[str, bytes]) -> bytes:
    return archive.pack([metadata, ("buildFile.xml", buildfile.write(root)), *sorted(contents.items())])


def _metadata(plan: ExtensionPlan, version: str) -> Metadata:
    return Metadata(
        name=plan.extension.game.module.name,
        version=version,
        vassal_version=VASSAL_VERSION,
        description=extension_module.description(plan),
        date_saved=0,
        extra1=f"{MAKER} {FORMAT} {plan.extension.name} {plan.extension.digest}",
        extra2="",
    )


STAGES = ("load", "plan", "draw", "assemble", "archive")
Report = Callable[[str, int, int], None]
"""Told the stage, how much of it is done, and how much there is."""


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
    known = build_key.up_to_date(game, options, folder) if folder else None
    if known is not None and options.taken.setdefault(known.path, known.folder) == known.folder:
        return BuildResult(known.path, known.version, known.size, fresh=False, beside=known.beside)
    if kind_of(find(game)) == COMMANDS_EXTENSION:
        return build_extension(game, options, folder, report)
    return _build(game, options, folder, report)


def _build(game: str | Path, options: Options, folder: Path | None, report: Report) -> BuildResult:
    report("load", 0, 1)
    before = build_key.inputs(game, options)
    scenario = owned(load(game), options)
    language = choose_language(scenario, options.language)
    path = claim(scenario, options.out, options.taken)
    report("plan", 0, 1)
    planned = plan(scenario, language, options.scale)
    data, version = compile_plan(planned, Cache(folder), options.jobs, report)
    check_module(data)
    place(path.parent, {path: data})
    if folder:
        build_key.remember(before, path, data, version, folder)
        Cache(folder).trim()
    warnings = (*scenario.warnings, *unmatched(scenario))
    return BuildResult(path, version, len(data), True, planned.image_count, warnings)


def compile_plan(
    planned: Plan, cache: Cache, jobs: int | None = None, report: Report = silent
) -> tuple[bytes, str]:
    """The last three stages: the bytes of the module, and its version."""
    done, total = 0, planned.image_count
    report("draw", 0, total)

    def progress(more: int) -> None:
        nonlocal done
        done += more
        report("draw", done, total)

    with DrawingPool(cache, jobs) as drawing:
        drawing.submit(planned.pictures())
        # The workers draw while this process writes.
        saves = module.saves(planned)
        root = module.module(planned, "")
        contents = {help_page.FILE: help_page.page(planned)}
        contents |= {f"images/{name}": png for name, png in drawing.collect(progress).items()}
    return assembled(planned, root, saves, contents, report)


def assembled(
    planned: Plan, root: Element, saves: Mapping[str, bytes], contents: dict[str, bytes], report: Report = silent
) -> tuple[bytes, str]:
    """The last two stages, for a build file, set-ups and the other contents by name."""
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


def choose_language(scenario: Scenario, language: str | None) -> str:
    """The language asked for, or the game's first. Raises BuildError for one that neither game nor program has."""
    known = dict.fromkeys((*scenario.game.languages, *languages()))
    if language is not None and language not in known:
        have = tuple(known)
        raise BuildError(message("modulegen.build.no-texts", game=scenario.name, language=language, have=have))
    return language or scenario.game.languages[0]


_UNFORESEEN = (KeyError, ValueError, IndexError, LookupError, TypeError, AttributeError, ArithmeticError)
"""What a build may run into on data that nobody thought of, such as braces in a text."""


def obstacles(scenario: Scenario) -> list[Problem]:
    """Everything, as far as it can be told at once, that keeps a game's module from being built."""
    return undrawable(scenario) or list(dict.fromkeys(_runs(scenario)))


def undrawable(scenario: Scenario) -> list[Problem]:
    """What of a game cannot be drawn, for want of a symbol, palette or picture; whatever else is wrong."""
    return list(dict.fromkeys(_looks(scenario)))


def _looks(scenario: Scenario) -> Iterator[Problem]:
    """Symbols, pictures, palettes and styles that there are not, each where it is named."""
    known = drawn(scenario)
    for name in scenario.references:
        if name.kind in known and name.id not in known[name.kind]:
            path, line = place_of(scenario, name.file, name.where)
            what = message(f"modulegen.check.no-{name.kind}", name=name.id, known=tuple(known[name.kind]))
            yield Problem(str(path), line, ".".join(map(str, name.where)), what)
    board = scenario.looks.board
    if board is not None and not board.is_file():
        path, line = place_of(scenario, "map.yaml", ["scan", "image"])
        there = tuple(sorted(p.name for p in board.parent.glob("*.*"))[:20])
        yield Problem(
            str(path), line, "scan.image", message("modulegen.check.no-scan", name=board.name, known=there)
        )


def drawn(scenario: Scenario) -> dict[RefKind, Collection[str]]:
    """What there is of each kind of thing that is drawn, the game's own included."""

    @in_own_looks
    def known(_: Scenario) -> dict[RefKind, Collection[str]]:
        return _drawn(board_palette(), palette("counters"), symbols(), pictures())

    return known(scenario)


def _drawn(
    styles: Mapping[str, Any], palettes: Mapping[str, Any], symbols: Collection[str], pictures: Collection[str]
) -> dict[RefKind, Collection[str]]:
    return {
        "symbol": symbols,
        "picture": pictures,
        "palette": [name for name, entry in palettes.items() if "reduced" in entry],
        "terrain-style": list(styles["terrains"]),
        "hexside-style": list(styles["hexsides"]),
        "way-style": list(styles["ways"]),
        "area-style": list(styles["areas"]),
    }


def _runs(scenario: Scenario) -> Iterator[Problem]:
    for language in scenario.game.languages:
        try:
            _run(scenario, language)
        except ScenarioError as error:
            yield from error.problems
        except HexforgeError as error:
            yield from (_game_problem(scenario, what) for what in getattr(error, "problems", (error.message,)))
        except _UNFORESEEN as error:
            why = f"{type(error).__name__}: {error}"
            yield _game_problem(scenario, message("modulegen.check.not-built", language=language, why=why[:200]))


def _game_problem(scenario: Scenario, what: Message) -> Problem:
    return Problem(str(scenario.folder), 0, "", what)


def _run(scenario: Scenario, language: str) -> None:
    """All of a build but the pixels. Raises what a build raises."""
    if scenario.has_map:
        _run_game(scenario, language)
    else:
        _run_extension(scenario, language)


def _run_extension(extension: Scenario, language: str) -> None:
    planned = extension_plan(extension, language)
    pictures = {}
    for picture in planned.pictures():
        well_formed(picture.svg)
        pictures[picture.name] = b""
    for data in packed(planned, pictures)[:2]:
        check_module(data)


def _run_game(scenario: Scenario, language: str) -> None:
    planned = plan(scenario, language)
    contents = {help_page.FILE: help_page.page(planned)}
    for picture in planned.pictures():
        well_formed(picture.svg)
        contents[f"images/{picture.name}"] = b""
    data, _ = assembled(planned, module.module(planned, ""), module.saves(planned), contents)
    check_module(data)
