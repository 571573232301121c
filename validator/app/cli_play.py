"""`validator play`: a game on a table in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from ...scenarios.commands import argument, command, language_option, option
from ...scenarios.console import require, words
from ...scenarios.local_server import Address, address_options
from .cli_common import own_games, question_options, rulings


@command("validator.commands.play")
@argument("files", nargs=-1, required=True, metavar="GAME...")
@address_options
@option("--save", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@question_options
@own_games
@rulings
@language_option
def play(
    *, files: tuple[str, ...], address: Address, browse: bool, save: Path | None, module: str | None, salvage: bool,
    options: dict[str, str], lang: str | None,
) -> None:  # fmt: skip
    """Show the table until Ctrl+C."""
    require("serve")
    from ...scenarios.local_server import PageGuard, run
    from ..play.session import opened
    from ..play.site import BODY, Site
    from ..play.table import Table

    language = words().language
    session = opened(files, options, module=module, salvage=salvage, language=language)
    guard = PageGuard(words(), body=BODY, names=[address.host])
    site = Site(Table(session, language), guard, save=save and save.resolve(), module=module)
    run(site.app(), address, browse=browse, secret=guard.secret)
