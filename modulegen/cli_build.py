"""The commands that build modules: `build` and `watch`. Heavy imports stand in the functions."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from ..scenarios.commands import (
    EXIT_STOPPED,
    F,
    LanguageChoice,
    answered,
    argument,
    command,
    json_option,
    misused,
    option,
    print_json,
    say_stopped,
    tell,
    whenever,
)
from ..scenarios.console import problem_json, problem_line, words
from ..scenarios.text.words import Words, message

if TYPE_CHECKING:
    from .build import BuildResult, Report
    from .build_key import Options


PATIENCE: Final = 3.0
"""Seconds that an orderly end may take."""


def _build_options(command: F) -> F:
    for decorate in (
        option("--no-cache", is_flag=True),
        option("--counter-images", metavar="DIR", type=click.Path(path_type=Path)),
        option("--centres", metavar="HEX=X,Y…", default=""),
        option("--board-image", metavar="FILE", type=click.Path(path_type=Path)),
        option("--jobs", metavar="N", type=click.IntRange(1, 64)),
        option("--scale", metavar="N", type=click.FloatRange(0.25, 4), default=1.0, show_default=True),
        option("--lang", type=LanguageChoice()),
        option(
            "--out", metavar="DIR|FILE", type=click.Path(path_type=Path), default=Path("dist"), show_default=True
        ),
    ):
        command = decorate(command)
    return command


@command("modulegen.commands.build")
@argument("games", nargs=-1, metavar="NAME|DIR...")
@_build_options
@option("--all", "all_games", is_flag=True)
@option("--watch", "watching", is_flag=True)
@option("--quiet", "-q", is_flag=True)
@json_option
def build(
    *,
    games: tuple[str, ...],
    out: Path,
    lang: str | None,
    scale: float,
    jobs: int | None,
    no_cache: bool,
    board_image: Path | None,
    centres: str,
    counter_images: Path | None,
    all_games: bool,
    watching: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Build the module of each game."""
    from .archive import EXTENSION, MODULE
    from .build_key import Options

    if all_games:
        from ..scenarios.commands import extensions, names

        games = (*names(), *extensions())
    if not games:
        misused("modulegen.usage.no-game")
    if out.suffix in (MODULE, EXTENSION) and len(games) > 1:
        misused("modulegen.usage.one-file")
    if (board_image or counter_images) and len(games) > 1:
        misused("modulegen.usage.one-owned")
    options = Options(out, lang, scale, jobs, not no_cache, board_image, centres, counter_images)
    if watching:
        if as_json:
            misused("modulegen.usage.watch-json")
        _again(games, options, 0.5, quiet)
        return
    results = [_build_one(game, options, quiet or as_json) for game in games]
    if as_json:
        print_json([_result_json(r) for r in results])


def _build_one(game: str, options: Options, quiet: bool) -> BuildResult:
    from .build import build as run

    start = time.monotonic()
    with _ended_in_order(), _progress(game, quiet) as report:
        result = run(game, options, report)
    if not quiet:
        for warning in result.warnings:
            tell(message("commands.warning", what=problem_line(warning)), fg="yellow", err=True)
        tell(
            message(
                "modulegen.build.done" if result.fresh else "modulegen.build.unchanged",
                path=str(result.path),
                version=result.version,
                images=result.images,
                size=round(result.size / 1e6, 1),
                seconds=round(time.monotonic() - start, 1),
            )
        )
        if result.beside is not None:
            tell(message("modulegen.build.beside", path=str(result.beside)))
    return result


def _result_json(result: BuildResult) -> dict[str, object]:
    return {
        **({"extension": str(result.beside)} if result.beside else {}),
        "path": str(result.path),
        "version": result.version,
        "size": result.size,
        "built": result.fresh,
        "warnings": [problem_json(p) for p in result.warnings],
    }


@contextmanager
def _progress(game: str, quiet: bool) -> Iterator[Report]:
    """A bar on standard error while images are drawn, if somebody is looking."""
    from .build import silent

    if quiet or not sys.stderr.isatty():
        yield silent
        return
    name, spoken = Path(game).name, words()
    with click.progressbar(length=1, label=name, file=sys.stderr, show_eta=False) as bar:

        def report(stage: str, done: int, total: int) -> None:
            bar.label = f"{name}: {spoken(f'modulegen.build.stages.{stage}')}"
            if stage == "draw":
                bar.length, bar.pos = max(total, 1), done
            bar.render_progress()

        yield report


def _stop_at_once(spoken: Words) -> NoReturn:
    say_stopped(spoken, "modulegen")
    os._exit(EXIT_STOPPED)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Take the system's request to end (SIGTERM) as Ctrl+C, so that drawing processes and half files go too."""

    def stop(*_: object) -> NoReturn:
        # A worker that ends at the wrong moment can leave the pool waiting for ever.
        patience = threading.Timer(PATIENCE, _stop_at_once, [words()])
        patience.daemon = True
        patience.start()
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@command("modulegen.commands.watch")
@argument("game", metavar="NAME|DIR")
@_build_options
@option("--interval", metavar="N", type=click.FloatRange(0.1, 60), default=0.5, show_default=True)
def watch(
    *,
    game: str,
    out: Path,
    lang: str | None,
    scale: float,
    jobs: int | None,
    no_cache: bool,
    board_image: Path | None,
    centres: str,
    counter_images: Path | None,
    interval: float,
) -> None:
    """Build a game again and again, until Ctrl+C."""
    from .build_key import Options

    options = Options(out, lang, scale, jobs, not no_cache, board_image, centres, counter_images)
    _again([game], options, interval, False)
    click.echo()


def _again(games: Sequence[str], options: Options, interval: float, quiet: bool) -> None:
    """Build games, and each again whenever its files change."""
    from ..scenarios.commands import find
    from .build_key import watched

    folders = {game: find(game) for game in games}
    seen: dict[str, object] = {}

    def changed() -> None:
        for game, folder in folders.items():
            now = watched(folder)
            if seen.get(game) != now:
                seen[game] = now
                _try(game, options, quiet)

    whenever(lambda: [watched(folder) for folder in folders.values()], changed, interval)


def _try(game: str, options: Options, quiet: bool) -> None:
    try:
        with answered():
            _build_one(game, options, quiet)
    except SystemExit as end:
        if end.code == EXIT_STOPPED:
            raise
        tell(message("modulegen.build.waiting"), dim=True, err=True)
