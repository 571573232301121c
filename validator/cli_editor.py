"""`validator lsp`: turn sheets in text editors."""

from __future__ import annotations

import click

from hexforge.scenarios.commands import Unusable, command, language_option, option
from hexforge.scenarios.words import message
from hexforge.validator.cli_common import own_games, rulings_file


@command("validator.commands.lsp")
@option("--grammar", is_flag=True)
@own_games
@rulings_file
@language_option
def lsp(*, grammar: bool, lang: str | None) -> None:
    """Serve text editors."""
    if grammar:
        from hexforge.validator.editor.grammar import written

        click.echo(written(), nl=False)
        return
    try:
        from hexforge.validator.editor.server import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Unusable(message("validator.editor.no-library")) from None
    server().start_io()
