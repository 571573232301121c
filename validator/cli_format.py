"""`validator format`: sheets in the canonical form of the notation."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

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
from hexforge.validator.transcribe.kind import begins_as_log, is_log, is_mail

if TYPE_CHECKING:
    from hexforge.validator.format import Formatted
    from hexforge.validator.referee.findings import Finding


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
    try:
        text, found, unread = _read(path, lang)
    except HexforgeError as error:
        complain(said(explained(error)))
        return EXIT_ERROR
    if in_place and is_mail(path):
        raise Unusable(message("validator.format.in-place"))
    changed = found.text.splitlines() != text.removeprefix("\ufeff").splitlines()
    for finding in unread:
        tell(words()("validator.at", file=f"{path}:{finding.line}", what=words().say(finding.message)), err=True)
    if checking:
        if changed:
            tell(words()("validator.format.otherwise", file=path))
    elif not in_place:
        write_out(found.text, output)
    elif changed:
        write_out(found.text, str(Path(path)))
    return EXIT_NO if checking and changed else EXIT_UNREAD if unread else 0


def _read(path: str, lang: str | None) -> tuple[str, Formatted, list[Finding]]:
    """The text of a file, the sheet in it as it is written, and what was not read. Raises HexforgeError."""
    from hexforge.validator.format import format_sheet, format_typed
    from hexforge.validator.gather import gather
    from hexforge.validator.readers.raw import UnreadableSheet, decode, read_raw
    from hexforge.validator.taken import refusals
    from hexforge.validator.unread import syntax_finding

    if not (is_mail(path) or Path(path).suffix.lower() == ".txt"):
        data = read_raw(path)
        if is_log(path) or begins_as_log(data):
            # A log may lie there undisguised, and what a sheet does not understand is written out as it stands.
            raise UnreadableSheet(path, "no-text")
        text = decode(data, path)
        written = format_sheet(text, path, lang)
        return text, written, [syntax_finding(problem) for problem in written.unread]
    found = gather([path])
    for _, error in found.failures:
        raise error
    if not found.typed:
        raise UnreadableSheet(path, "mail-empty")
    if len(found.typed) > 1:
        raise Unusable(message("validator.format.one-sheet"))
    sheet = found.typed[0].opened().sheet()
    text = "\n".join(sheet.lines)
    written = format_typed(sheet, lang)
    # Where no line says which game it is, the sheet has one more than the text.
    places = sheet.intake.places
    unread = [*map(syntax_finding, written.unread), *refusals(sheet)]
    return text, written, [replace(f, line=places[f.line][1]) if f.line in places else f for f in unread]
