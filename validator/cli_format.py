"""`validator format`: sheets in the canonical form of the notation."""

from __future__ import annotations

import sys
from pathlib import Path

from hexforge.scenarios.commands import (
    EXIT_ERROR,
    EXIT_NO,
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
from hexforge.scenarios.words import HexforgeError, message
from hexforge.validator.cli_check import EXIT_UNREAD
from hexforge.validator.cli_common import own_games


@command("validator.commands.format")
@argument("files", nargs=-1, required=True, metavar="SHEET...")
@option("--in-place", "-i", "in_place", is_flag=True)
@option("--check", "checking", is_flag=True)
@option("--output", "-o", metavar="PATH")
@own_games
@language_option
def format_(
    *, files: tuple[str, ...], in_place: bool, checking: bool, output: str | None, lang: str | None
) -> None:  # fmt: skip
    """Write sheets in their canonical form."""
    if len(files) > 1 and not (in_place or checking):
        raise Unusable(message("validator.format.one-sheet"))
    if in_place and (output or checking or "-" in files):
        raise Unusable(message("validator.format.in-place"))
    statuses = {_formatted(path, lang, in_place=in_place, checking=checking, output=output) for path in files}
    sys.exit(next((status for status in (EXIT_ERROR, EXIT_NO, EXIT_UNREAD) if status in statuses), 0))


def _formatted(path: str, lang: str | None, *, in_place: bool, checking: bool, output: str | None) -> int:
    """Format one sheet; the exit status that it deserves."""
    from hexforge.validator.format import format_sheet
    from hexforge.validator.readers.sheet import decode, read_raw
    from hexforge.validator.unread import syntax_finding

    try:
        text = decode(read_raw(path), path)
    except HexforgeError as error:
        complain(said(explained(error)))
        return EXIT_ERROR
    found = format_sheet(text, path, lang)
    changed = found.text.splitlines() != text.removeprefix("\ufeff").splitlines()
    for problem in found.unread:
        where = words()(
            "validator.at", file=f"{path}:{problem.line}", what=words().say(syntax_finding(problem).message)
        )
        tell(where, err=True)
    if checking:
        if changed:
            tell(words()("validator.format.otherwise", file=path))
    elif not in_place:
        write_out(found.text, output)
    elif changed:
        write_out(found.text, str(Path(path)))
    return EXIT_NO if checking and changed else EXIT_UNREAD if found.unread else 0
