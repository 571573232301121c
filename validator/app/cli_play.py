"""`validator play` and `turns`: a game on a table in the browser, and whom games wait for."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...scenarios.commands import (
    EXIT_ERROR,
    argument,
    command,
    complain,
    explained,
    language_option,
    option,
    tell,
    write_out,
)
from ...scenarios.console import require, safe_json, said, words
from ...scenarios.local_server import Address, address_options
from .cli_common import own_games, question_options, rulings

if TYPE_CHECKING:
    from ..judging.replayed import Replayed
    from ..notation.base import Statement


@command("validator.commands.play")
@argument("files", nargs=-1, required=True, metavar="GAME...")
@address_options
@option("--save", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@option("--seal", "secret", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@question_options
@own_games
@rulings
@language_option
def play(
    *, files: tuple[str, ...], address: Address, browse: bool, save: Path | None, secret: Path | None,
    module: str | None, salvage: bool, options: dict[str, str], lang: str | None,
) -> None:  # fmt: skip
    """Show the table until Ctrl+C."""
    require("serve")
    from ...scenarios.local_server import PageGuard, run
    from ..play.session import open_session
    from ..play.site import BODY, Site
    from ..play.table import Table
    from .cli_seal import Secret

    def opens(found: Replayed) -> Statement:
        assert secret is not None
        return Secret.read(secret).open(found.opened)[0]

    language = words().language
    session = open_session(files, options, module=module, salvage=salvage, language=language)
    guard = PageGuard(words(), body=BODY, names=[address.host])
    if secret is not None:
        Secret.read(secret)
    if save is not None:
        session.save(save)
    site = Site(
        Table(session, language, opens=opens if secret else None),
        guard,
        save=save and save.resolve(),
        module=module,
    )
    run(site.app(), address, browse=browse, secret=guard.secret)


@command("validator.commands.turns")
@argument("paths", nargs=-1, required=True, metavar="PATH...")
@option("--days", metavar="N", type=click.IntRange(1, 366))
@option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@option("--output", "-o", metavar="PATH")
@own_games
@rulings
@language_option
def turns(
    *, paths: tuple[str, ...], days: int | None, form: str, output: str | None, options: dict[str, str],
    lang: str | None,
) -> None:  # fmt: skip
    """List whom each game waits for."""
    from datetime import UTC, datetime

    from .turns import sentence, waiting

    found, judging, rest = waiting(paths, options, days=days)
    now = datetime.now(UTC)
    for source, error in judging.failures:
        complain(said(explained(error)) or source)
    for _, why in (*judging.skipped, *rest):
        tell(why, err=True)
    if form == "json":
        rows = [one.as_json(now) for one in found]
        write_out(safe_json(json.dumps({"games": rows}, ensure_ascii=False, indent=1)), output)
    else:
        lines = [sentence(one, words(), now) for one in found]
        if lines or not judging.failures:
            write_out("\n".join(lines) or words()("turns.none"), output)
    sys.exit(EXIT_ERROR if judging.failures else 0)
