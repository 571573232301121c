"""An extension built: the `.vmod` that stands alone, and beside it the `.vmdx` that loads with any module."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexforge.modulegen import archive, stamp
from hexforge.modulegen.assemble.help_page import FILE as HELP_FILE
from hexforge.modulegen.assemble.module import VASSAL_VERSION
from hexforge.modulegen.assemble.setup import FILE as SETUP_FILE
from hexforge.modulegen.extension import help_page, modules, start
from hexforge.modulegen.extension.plan import OWN_ICONS, SHARED_ICONS, TITLE_IMAGE, ExtensionPlan
from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.plan.marks import FORMAT, MAKER
from hexforge.modulegen.vassal import buildfile
from hexforge.modulegen.vassal.archive import ArchiveEntry, zip_bytes
from hexforge.modulegen.vassal.metadata import Metadata, write_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hexforge.modulegen.build import BuildResult, Options, Report
    from hexforge.modulegen.vassal.buildfile import Element


def build(game: str | Path, options: Options, folder: Path | None, report: Report) -> BuildResult:
    """Build both modules of an extension; `folder` is where drawn images are kept. Raises as `build.build` does."""
    from hexforge.modulegen.build import BuildResult, choose_language
    from hexforge.modulegen.draw import Cache, DrawingPool
    from hexforge.modulegen.extension.plan import plan
    from hexforge.modulegen.place import EXTENSION, claim, place
    from hexforge.modulegen.verify import check_module
    from hexforge.scenarios.extension import load_extension

    report("load", 0, 1)
    before = stamp.inputs(game, options)
    extension = load_extension(game)
    language = choose_language(extension, options.language)
    path = claim(extension, options.out, options.taken)
    beside = claim(extension, path.with_suffix(EXTENSION), options.taken)
    report("plan", 0, 1)
    planned = plan(extension, language, options.scale)
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
        stamp.remember(before, path, alone, version, folder, beside=(beside, added))
    cache.trim()
    size = len(alone) + len(added)
    return BuildResult(path, version, size, True, len(pictures), extension.warnings, beside=beside)


def packed(plan: ExtensionPlan, pictures: Mapping[str, bytes]) -> tuple[bytes, bytes, str]:
    """The bytes of the `.vmod`, those of the `.vmdx`, and the version of both; `pictures` by name."""
    help_, save = help_page.page(plan), start.save(plan)
    draft = {
        HELP_FILE: help_,
        "savedGame": save,
        "buildFile.xml": buildfile.write(modules.module(plan, "")),
        "extension.xml": buildfile.write(modules.extension(plan, "")),
        **{f"images/{name}": png for name, png in pictures.items()},
    }
    version = archive.version_of(plan.extension.game.module.version, draft)
    return _module(plan, version, help_, save, pictures), _extension(plan, version, help_, pictures), version


def _module(plan: ExtensionPlan, version: str, help_: bytes, save: bytes, pictures: Mapping[str, bytes]) -> bytes:
    root = modules.module(plan, version)
    moduledata = write_metadata(_metadata(plan, version))
    saved = Metadata(version=version, vassal_version=VASSAL_VERSION, date_saved=0, extra1="", extra2="")
    entries = (("savedGame", save), ("savedata", write_metadata(saved)), ("moduledata", moduledata))
    setup = zip_bytes(ArchiveEntry(*entry) for entry in entries)
    contents = {HELP_FILE: help_, SETUP_FILE: setup}
    contents |= {f"images/{name}": pictures[name] for name in _images(plan, OWN_ICONS, TITLE_IMAGE)}
    return _pack(("moduledata", moduledata), root, contents)


def _extension(plan: ExtensionPlan, version: str, help_: bytes, pictures: Mapping[str, bytes]) -> bytes:
    data = write_metadata(replace(_metadata(plan, version), universal=True))
    contents = {modules.help_file(plan): help_}
    contents |= {f"images/{name}": pictures[name] for name in _images(plan, SHARED_ICONS)}
    return _pack(("extensiondata", data), modules.extension(plan, version), contents)


def _images(plan: ExtensionPlan, icons: tuple[str, ...], *others: str) -> list[str]:
    return [*plan.face_images, plan.sheet.image, *map(icon, icons), *others]


def _pack(metadata: tuple[str, bytes], root: Element, contents: Mapping[str, bytes]) -> bytes:
    return archive.pack([metadata, ("buildFile.xml", buildfile.write(root)), *sorted(contents.items())])


def _metadata(plan: ExtensionPlan, version: str) -> Metadata:
    return Metadata(
        name=plan.extension.game.module.name,
        version=version,
        vassal_version=VASSAL_VERSION,
        description=modules.description(plan),
        date_saved=0,
        extra1=f"{MAKER} {FORMAT} {plan.extension.name} {plan.extension.digest}",
        extra2="",
    )
