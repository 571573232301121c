"""`validator page` and `validator watch`: one game on a page, and pages that follow the files of a folder."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexforge.scenarios.commands import (
    EXIT_ERROR,
    Unusable,
    argument,
    command,
    complain,
    explained,
    language_option,
    option,
    said,
    tell,
    words,
    write_out,
)
from hexforge.scenarios.words import SOURCE, HexforgeError, message
from hexforge.validator.cli_common import form_of, log_options, own_games, progress_shown, rulings

if TYPE_CHECKING:
    from hexforge.validator.watching import Watcher


@command("validator.commands.page")
@argument("files", nargs=-1, required=True, metavar="GAME...")
@option("--output", "-o", metavar="PATH")
@option("--now", is_flag=True)
@log_options
@own_games
@rulings
@language_option
def page(
    *, files: tuple[str, ...], output: str | None, now: bool, options: dict[str, str], lang: str | None,
    module: str | None, reveal: str | None, salvage: bool,
) -> None:  # fmt: skip
    """Write the page of one game."""
    from hexforge.validator.judging import Judging
    from hexforge.validator.replay.game import game_page
    from hexforge.validator.report.plain import folders_of
    from hexforge.validator.watching import PAGE

    form_of(output, {PAGE: "html", ".htm": "html"}, "html")
    with progress_shown() as progress:
        judging = Judging(
            files, options, module=module, reveal=reveal, salvage=salvage, lang=lang or SOURCE, progress=progress
        )
        works = list(judging.works())
        if judging.failures:
            raise Unusable(explained(judging.failures[0][1]))
        if len(works) != 1:
            raise Unusable(message("validator.page.one", count=len(works)))
        written = game_page(works[0].answer(), words(), now=now, folders=folders_of(files))
    target = output or f"{Path(files[0]).stem or 'game'}{PAGE}"
    write_out(written, target)
    if output is None:
        tell(message("validator.page.written", path=target))


@command("validator.commands.watch")
@argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@option("--output", "-o", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@option("--once", is_flag=True)
@log_options
@own_games
@rulings
@language_option
def watch(
    *, folder: str, output: str | None, once: bool, options: dict[str, str], lang: str | None, module: str | None,
    reveal: str | None, salvage: bool,
) -> None:  # fmt: skip
    """Write pages anew as a folder's games are edited."""
    from hexforge.validator.watching import PAUSE, Watcher

    watcher = Watcher(
        folder, output, words(), options, module=module, reveal=reveal, salvage=salvage, lang=lang or SOURCE
    )
    if not once:
        tell(message("validator.page.watching", folder=folder))
    try:
        while True:
            whole = _tell(watcher)
            if once:
                sys.exit(0 if whole else EXIT_ERROR)
            time.sleep(PAUSE)
    except KeyboardInterrupt:
        return


def _tell(watcher: Watcher) -> bool:
    """Tell what was written, and why something was not; whether all was."""
    from hexforge.validator.report import wording

    whole = True
    try:
        for path, found in watcher.look():
            if isinstance(found, Exception):
                whole = False
                complain(said(explained(found)))
            else:
                verdict = wording.verdict(found, found.words(words().language))
                tell(message("validator.page.looked", path=str(path), verdict=verdict))
    except HexforgeError as error:
        # A folder may be empty for a while.
        whole = False
        complain(said(explained(error)))
    return whole
