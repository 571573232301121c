"""`validator lsp`: turn sheets in text editors."""

from __future__ import annotations

import click

from hexforge.scenarios.commands import command, language_option, option
from hexforge.scenarios.libraries import require
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
    require("editor")
    from hexforge.validator.editor.server import server

    server().start_io()
