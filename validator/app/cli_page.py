"""`validator page`, `serve` and `lsp`: a game on a page, a page server, a language server.

`validator serve`: a page on which games are dropped, and seen.

`validator lsp`: turn sheets in text editors.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ...scenarios.commands import (
    EXIT_ERROR,
    Unusable,
    argument,
    command,
    complain,
    explained,
    language_option,
    option,
    tell,
    write_out,
)
from ...scenarios.console import require, said, words
from ...scenarios.local_server import Address, address_options
from ...scenarios.text.words import SOURCE, HexforgeError, message
from .cli_common import form_of, log_options, own_games, progress_shown, question_options, rulings, rulings_file

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from ...scenarios.local_server import PageGuard
    from .batch import Watcher
    from .serve_site import PageDesk


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
    from ...scenarios.console import folders_of
    from ..judging.check import Answers
    from ..report.html import game_page
    from .batch import PAGE, Judging

    form_of(output, {PAGE: "html", ".htm": "html"}, "html")
    with progress_shown() as progress:
        judging = Judging(
            files, options, module=module, reveal=reveal, salvage=salvage, lang=lang or SOURCE, progress=progress
        )
        works = list(judging.works())
        if judging.failures:
            raise Unusable(explained(judging.failures[0][1]))
        found = works[0].answers() if len(works) == 1 else Answers(())
        if found.failures:
            raise Unusable(explained(found.failures[0][1]))
        count = len(found.answers) or len(works)
        if count != 1:
            raise Unusable(message("validator.page.one", count=count))
        written = game_page(found.answers[0], words(), now=now, folders=folders_of(files))
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
    from .batch import PAUSE, Watcher

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
    from ..report import wording

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


_QUEUE: Final = 4
"""How many times the limit of one request it may take until its turn has come and it is judged."""


@command("validator.commands.serve")
@address_options
@option("--keep", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@option("--limit", metavar="SECONDS", type=click.FloatRange(1, 3600), default=60.0, show_default=True)
@question_options
@own_games
@rulings
@language_option
def serve(
    *, address: Address, browse: bool, keep: Path | None, limit: float, module: str | None, salvage: bool,
    options: dict[str, str], lang: str | None,
) -> None:  # fmt: skip
    """Show the page until Ctrl+C."""
    require("serve", "xlsx")
    from tempfile import TemporaryDirectory

    from ...scenarios.local_server import run
    from .discover import GivenToAll
    from .serve_judge import ProcessLimits
    from .serve_site import PageDesk

    with TemporaryDirectory(prefix="hexforge-") as home:
        desk = PageDesk(
            words(), ProcessLimits(home, limit), GivenToAll.here().anywhere(), options,
            module and str(Path(module).resolve()), salvage, keep and keep.resolve(),
        )  # fmt: skip
        app, guard = _guarded(desk, address)
        run(app, address, browse=browse, secret=guard.secret)


def _guarded(desk: PageDesk, address: Address) -> tuple[ASGIApp, PageGuard]:
    from ...scenarios.local_server import PageGuard
    from .serve_site import BODY, site

    work = desk.bounds.seconds * _QUEUE + 10
    guard = PageGuard(desk.words, body=BODY, work=work, names=[address.host])
    return site(desk, guard), guard


@command("validator.commands.lsp")
@option("--grammar", is_flag=True)
@option("--words", "glossary", is_flag=True)
@own_games
@rulings_file
@language_option
def lsp(*, grammar: bool, glossary: bool, lang: str | None) -> None:
    """Serve text editors."""
    if glossary:
        from .glossary import page as listed

        click.echo(listed(words().language), nl=False)
        return
    if grammar:
        from .language_server import written

        click.echo(written(), nl=False)
        return
    require("editor")
    from .language_server import server

    server().start_io()
