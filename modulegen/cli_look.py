"""Commands for what is there: `preview`, `inspect`, `verify`, `diff`, `lint`, `refresh`, `import`, `bind`, `map`.

The command `map`: a page on which a game's map is painted, or its counters are edited.

The command `lint`: what is wrong with modules, whoever made them.

The commands `import`, a draft of a scenario from any module, and `bind`, what ties one to a scenario.
"""

from __future__ import annotations

import errno
import os
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ..scenarios.commands import (
    EXIT_NO,
    LanguageChoice,
    argument,
    command,
    json_option,
    language_option,
    misused,
    option,
    print_json,
    progress_bar,
    tell,
)
from ..scenarios.console import require, said, shortened, words
from ..scenarios.local_server import address_options
from ..scenarios.text.words import message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..scenarios.local_server import Address
    from ..scenarios.text.words import Message
    from .lint.finding import Config
    from .refresh import PieceChange, Refreshed


_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("modulegen.commands.diff")
@argument("before", metavar="A")
@argument("after", metavar="B")
@json_option
def diff(before: str, after: str, as_json: bool) -> None:
    """Say what differs between two modules or two games."""
    from .diff import compare, section_name

    found = compare(before, after)
    if as_json:
        print_json({section: [c.json() for c in changes] for section, changes in found.items()})
    else:
        for section, changes in found.items():
            tell(f"{said(section_name(section))} ({len(changes)})", bold=True)
            for change in changes:
                tell(f"  {change.line(words())}")
        if not found:
            tell(message("modulegen.diff.none"))
    if found:
        sys.exit(EXIT_NO)


@command("modulegen.commands.inspect")
@argument("file", metavar="FILE", type=_FILE)
@option("--module", metavar="FILE", type=_FILE)
@option("--salvage", is_flag=True)
@option("--reveal", metavar="SIDE")
@json_option
def inspect(*, file: Path, module: Path | None, salvage: bool, reveal: str | None, as_json: bool) -> None:
    """Show what is in a module, saved game or log."""
    from ..scenarios.console import safe_json
    from .vassal.inspect import as_json as json_of
    from .vassal.inspect import as_text

    if as_json:
        click.echo(safe_json(json_of(file, module=module, salvage=salvage, reveal=reveal)))
    else:
        tell(as_text(file, module=module, salvage=salvage, reveal=reveal, language=words().language))


@command("modulegen.commands.preview")
@argument("game", metavar="NAME|DIR|MODULE")
@option("--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@option("--lang", type=LanguageChoice())
def preview(game: str, out: Path | None, lang: str | None) -> None:
    """Draw board, counter sheets and charts; of a module its boards with their grids."""
    if Path(game).is_file() and zipfile.is_zipfile(game):
        _preview_module(Path(game), out)
        return
    from ..scenarios.compiled import load_any
    from .build import choose_language
    from .render.preview import preview as draw

    scenario = load_any(game)
    folder = out or Path("dist") / f"{scenario.name}-preview"
    first = choose_language(scenario, lang)
    try:
        written = list(draw(scenario, folder, [first, *[code for code in scenario.texts if code != first]]))
    except OSError as error:
        # Writing to an open file that fails does not tell which.
        raise OSError(error.errno, error.strerror, error.filename or str(folder)) from error
    tell(message("modulegen.preview.done", page=str(written[-1]), others=len(written) - 1))


_SOME: Final = 20
_NAMED: Final = 3


@command("modulegen.commands.refresh")
@argument("saves", metavar="SAVE...", nargs=-1, type=_FILE)
@option("--module", metavar="FILE", type=_FILE, required=True)
@option("--extension", "extensions", metavar="FILE", type=_FILE, multiple=True)
@option("--setups", is_flag=True)
@option("--dry-run", is_flag=True)
@option("--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@option("--in-place", is_flag=True)
@option("--any-module", is_flag=True)
@option("--all", "everything", is_flag=True)
@json_option
def refresh(
    *,
    saves: tuple[Path, ...],
    module: Path,
    extensions: tuple[Path, ...],
    setups: bool,
    dry_run: bool,
    out: Path | None,
    in_place: bool,
    any_module: bool,
    everything: bool,
    as_json: bool,
) -> None:
    """Bring saved games up to a newer version of their module."""
    from ..scenarios.commands import write_file
    from .refresh import read_catalogue, setups_in
    from .refresh import refresh as renew

    if not saves and not setups:
        misused("modulegen.refresh.no-save")
    if in_place and (out is not None or setups):
        misused("modulegen.refresh.two-places")
    catalogue = read_catalogue(module, extensions)
    work: list[tuple[Path | bytes, Path]] = [(path, path) for path in saves]
    if setups:
        work += [(data, module.parent / Path(name).name) for name, data in setups_in(module, catalogue)]
    targets = [path if in_place else _beside(path, out) for _, path in work]
    for target in targets:
        if not dry_run and not in_place and (target.exists() or targets.count(target) > 1):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    told, whole = [], True
    for (source, path), target in zip(work, targets, strict=True):
        found = renew(source, catalogue, any_module=any_module, name=str(path))
        whole = whole and found.is_whole
        if as_json:
            told.append({**found.json(words().say), "written": None if dry_run else str(target)})
        else:
            for line in _refreshed(found, _SOME if not everything else None):
                tell(line)
        if not dry_run:
            write_file(target, found.data)
        if not as_json:
            tell(
                message(
                    "modulegen.refresh.not-written" if dry_run else "modulegen.refresh.written", path=str(target)
                )
            )
    if as_json:
        print_json(told)
    if not whole:
        sys.exit(EXIT_NO)


def _beside(path: Path, out: Path | None) -> Path:
    """The name that a save has once it has been brought up; a log's beginning is a save."""
    return (out or path.parent) / f"{path.stem}-refreshed.vsav"


def _refreshed(found: Refreshed, most: int | None) -> Iterator[str]:
    """What becomes of a save, as lines: what changes, what would be lost, what stays as it was."""
    from .refresh import KEPT

    say, before = words().say, found.before
    old = words()("modulegen.refresh.version", name=before.name, version=before.version) if before else "?"
    new = words()("modulegen.refresh.version", name=found.module.name, version=found.module.version)
    yield words()("modulegen.refresh.from-to", path=found.source, before=old, after=new)
    counts = {"same": found.count("same"), "number": found.count("number"), "name": found.count("name")}
    yield "  " + words()("modulegen.refresh.sum", **counts, kept=found.count(*KEPT))
    if found.steps:
        yield "  " + words()("modulegen.refresh.steps", count=found.steps)
    lost = [(c, n, c.losses) for c, n in found.losing]
    changed = [(c, n, c.changes) for c, n in found.of("number", "name") if c.changes or c.how == "name"]
    for title, rows in (("lost", lost), ("changes", changed)):
        alike: dict[tuple[Message, ...], list[tuple[PieceChange, int]]] = {}
        for change, count, told in rows:
            alike.setdefault(told, []).append((change, count))
        lines = [
            (sum(n for _, n in same), f"{_pieces([c for c, _ in same])}: {'; '.join(map(say, told))}")
            for told, same in alike.items()
        ]
        yield from _listed(f"modulegen.refresh.{title}", lines, most)
    for how in KEPT:
        yield from _listed(f"modulegen.refresh.kept.{how}", [(n, _piece(c)) for c, n in found.of(how)], most)
    yield from _listed("modulegen.refresh.absent.title", [(0, say(one)) for one in found.absent], most)


def _pieces(alike: list[PieceChange]) -> str:
    """The first of the pieces to which the same happens."""
    shown = ", ".join(map(_piece, alike[:_NAMED]))
    return f"{shown}, …" if len(alike) > _NAMED else shown


def _piece(change: PieceChange) -> str:
    return words()("modulegen.refresh.piece", name=change.name, gpid=change.gpid or "-")


def _listed(title: str, lines: list[tuple[int, str]], most: int | None) -> Iterator[str]:
    if lines:
        yield "  " + words()(title)
    for count, text in lines[:most]:
        yield f"    {count} × {text}" if count else f"    {text}"
    if most is not None and len(lines) > most:
        yield "    " + words()("modulegen.refresh.more", count=len(lines) - most)


def _preview_module(module: Path, out: Path | None) -> None:
    from .render.preview import lay_grids

    laid = list(lay_grids(module, out or Path("dist") / f"{module.stem}-preview"))
    for one in laid:
        params = {"map": one.map, "board": one.board, "sample": one.sample or "-", "path": str(one.path)}
        tell(message("modulegen.preview.board", cells=one.cells, **params))
    if not laid:
        tell(message("modulegen.preview.no-grid", module=str(module)))
        sys.exit(EXIT_NO)


@command("modulegen.commands.verify")
@argument("module", metavar="MODULE", type=_FILE)
@json_option
def verify(module: Path, as_json: bool) -> None:
    """Check that nothing in a module is missing or unused."""
    from .archive import problems_of

    problems = [said(problem) for problem in problems_of(module)]
    if as_json:
        print_json({"module": str(module), "problems": problems})
    else:
        for problem in shortened(problems):
            tell(problem)
        if not problems:
            tell(message("modulegen.verify.sound", module=str(module)))
    if problems:
        sys.exit(EXIT_NO)


@command("modulegen.commands.map")
@argument("game", metavar="NAME|DIR")
@option("--scan", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@option("--counters", is_flag=True)
@address_options
@language_option
def map_(*, game: str, scan: Path | None, counters: bool, address: Address, browse: bool, lang: str | None) -> None:
    """Paint a game's map, or edit its counters, in the browser."""
    require("serve")
    from .map_editor.counter_page import TableDesk
    from .map_editor.map_page import MapDesk
    from .map_editor.site import show

    if scan and counters:
        misused("modulegen.usage.scan-counters")
    desk = TableDesk(game) if counters else MapDesk(game, scan)
    title = desk.scenario.game.module.name
    show(desk.page, title, desk.deeds, words(), address, browse=browse)


_MODULES: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_LEVELS: Final = ("error", "warning", "note")


@command("modulegen.commands.lint")
@argument("modules", metavar="MODULE...", nargs=-1, type=_MODULES)
@option("--base", metavar="FILE", type=_MODULES)
@option("--config", metavar="FILE", type=_MODULES)
@option("--ignore", metavar="RULE", multiple=True)
@option("--only", metavar="RULE", multiple=True)
@option("--fail-on", metavar="LEVEL", type=click.Choice([*_LEVELS, "never"]), default="warning")
@option("--all", "everything", is_flag=True)
@option("--sarif", is_flag=True)
@json_option
def lint(
    *,
    modules: tuple[Path, ...],
    base: Path | None,
    config: Path | None,
    ignore: tuple[str, ...],
    only: tuple[str, ...],
    fail_on: str,
    everything: bool,
    sarif: bool,
    as_json: bool,
) -> None:
    """Judge any module or extension."""
    from .lint import examine as written
    from .lint.examine import base_beside, examine

    if not modules:
        misused("lint.usage.no-module")
    reports = []
    for path in modules:
        settings = _settings(path, config, ignore, only)
        with progress_bar(path.name) as bar:
            reports.append(examine(path, base=base or base_beside(path), config=settings, progress=bar))
    if sarif:
        from importlib.metadata import version

        print_json(written.as_sarif(reports, words(), version("hexforge")))
    elif as_json:
        told = [written.as_json(report, words()) for report in reports]
        print_json(told[0] if len(told) == 1 else told)
    else:
        for report in reports:
            if len(reports) > 1:
                tell(report.path, bold=True)
            for line in written.as_text(report, words(), everything=everything):
                tell(line)
    least = next((level for level in _LEVELS if level == fail_on), None)
    if any(report.worse_than(least) for report in reports):
        sys.exit(EXIT_NO)


def _settings(module: Path, config: Path | None, ignore: tuple[str, ...], only: tuple[str, ...]) -> Config:
    """The file of settings, and what the command adds to it."""
    from .lint.finding import RULES, Config, find_config, read_config

    for name in (*ignore, *only):
        if name not in RULES:
            misused("lint.usage.no-rule", rule=name, known=tuple(RULES))
    path = config or find_config(module)
    found = read_config(path) if path is not None else Config()
    silent = {*ignore, *(set(RULES) - set(only) if only else ())}
    return found.model_copy(update={"rules": {**found.rules, **dict.fromkeys(silent, "off")}})


_MODULE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("modulegen.commands.import")
@argument("module", metavar="MODULE", type=_MODULE)
@argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@option("--setup", metavar="NAME|FILE")
def import_module(module: Path, folder: Path, setup: str | None) -> None:
    """Draft a game from a module."""
    from .drafting.write import draft_game, survey_summary

    found = draft_game(module, folder, words(), setup)
    tell(survey_summary(found))
    tell(message("modulegen.import.page.left"))
    for one in found.left:
        tell(words()("modulegen.import.item", text=words().say(one)))
    tell(message("modulegen.import.next", folder=str(folder), name=folder.name, page=str(folder / "DRAFT.md")))


@command("modulegen.commands.bind")
@argument("game", metavar="NAME|DIR")
@argument("module", metavar="MODULE", type=_MODULE)
@option("--out", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@option("--setup", metavar="NAME|FILE")
def bind(game: str, module: Path, out: Path | None, setup: str | None) -> None:
    """Propose what ties a module to a game."""
    import yaml

    from ..scenarios.commands import write_file
    from ..scenarios.loader import load
    from .drafting.bind import propose

    proposal, left = propose(load(game), module, setup)
    text = yaml.safe_dump(proposal, allow_unicode=True, sort_keys=False, width=110)
    if out is None:
        tell(text.rstrip("\n"))
    else:
        write_file(out, text.encode("utf-8"))
        tell(
            message(
                "modulegen.bind.done",
                path=str(out),
                units=sum(len(proposal.get(key, ())) for key in ("pieces", "slots", "ids")),
            )
        )
    for one in left:
        tell(words()("modulegen.bind.item", text=words().say(one)), err=out is None)
