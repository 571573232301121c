"""`validator reply`: the answer to a mail, with the verdict on what it holds."""

from __future__ import annotations

import sys

import click

from hexforge.scenarios.commands import EXIT_ERROR, EXIT_NO, argument, command, language_option, option, write_out
from hexforge.validator.cli_check import EXIT_UNREAD
from hexforge.validator.cli_common import own_games, question_options, rulings


@command("validator.commands.reply")
@argument("mail", metavar="MAIL", type=click.Path(exists=True, dir_okay=False))
@option("--from", "sender", metavar="ADDRESS", default="")
@option("--output", "-o", metavar="PATH")
@question_options
@own_games
@rulings
@language_option
def reply(
    *, mail: str, sender: str, output: str | None, module: str | None, salvage: bool, options: dict[str, str],
    lang: str | None,
) -> None:  # fmt: skip
    """Write the answer to a mail."""
    from hexforge.validator.reply import reply_to

    found = reply_to(mail, options, sender=sender, language=lang, module=module, salvage=salvage)
    write_out(bytes(found.mail), output)
    judged = found.judged
    if judged.failures or judged.closed:
        sys.exit(EXIT_ERROR)
    sys.exit(EXIT_NO if judged.illegal else EXIT_UNREAD if judged.unread else 0)
