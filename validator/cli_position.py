"""`validator position`: the end of a game as the beginning of its next sheet."""

from __future__ import annotations

from hexforge.scenarios.commands import argument, command, language_option, option, tell, words, write_out
from hexforge.scenarios.words import SOURCE
from hexforge.validator.cli_common import own_games, question_options, rulings


@command("validator.commands.position")
@argument("files", nargs=-1, required=True, metavar="GAME...")
@option("--sheet", "whole", is_flag=True)
@option("--output", "-o", metavar="PATH")
@question_options
@own_games
@rulings
@language_option
def position(
    *, files: tuple[str, ...], whole: bool, output: str | None, module: str | None, salvage: bool,
    options: dict[str, str], lang: str | None,
) -> None:  # fmt: skip
    """Write down how a game stands."""
    from hexforge.validator.ask import stands
    from hexforge.validator.continuing import left_unread, written

    found = stands(files, options, module=module, salvage=salvage, lang=words().language)
    for gap in left_unread(found):
        tell(words()("validator.position.unread", line=gap.line, file=gap.file), err=True)
    # The canonical words are English; --lang asks for others.
    write_out(written(found, files if whole else (), options, output, lang or SOURCE), output)
