"""`validator serve`: a page on which games are dropped, and seen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hexforge.scenarios.commands import command, language_option, option, words
from hexforge.scenarios.libraries import require
from hexforge.scenarios.loopback.run import Address, address_options
from hexforge.validator.cli_common import own_games, question_options, rulings

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from hexforge.scenarios.loopback.guard import PageGuard
    from hexforge.validator.serve.app import PageDesk

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

    from hexforge.scenarios.loopback.run import run
    from hexforge.validator.jobs import GivenToAll
    from hexforge.validator.serve.app import PageDesk
    from hexforge.validator.serve.judge import ProcessLimits

    with TemporaryDirectory(prefix="hexforge-") as home:
        desk = PageDesk(
            words(), ProcessLimits(home, limit), GivenToAll.here().anywhere(), options,
            module and str(Path(module).resolve()), salvage, keep and keep.resolve(),
        )  # fmt: skip
        app, guard = _guarded(desk, address)
        run(app, address, browse=browse, secret=guard.secret)


def _guarded(desk: PageDesk, address: Address) -> tuple[ASGIApp, PageGuard]:
    from hexforge.scenarios.loopback.guard import PageGuard
    from hexforge.validator.serve.app import BODY, site

    work = desk.bounds.seconds * _QUEUE + 10
    guard = PageGuard(desk.words, body=BODY, work=work, names=[address.host])
    return site(desk, guard), guard
