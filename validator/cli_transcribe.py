"""`validator transcribe`: logs as readable records or turn sheets, and sheets as logs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import click

from hexforge.scenarios.commands import (
    Unusable,
    argument,
    command,
    complain,
    language_option,
    option,
    tell,
    words,
    write_out,
)
from hexforge.scenarios.words import SOURCE, Language, message
from hexforge.validator.cli_common import log_options, own_games, progress_shown

if TYPE_CHECKING:
    from hexforge.validator.transcribe.chain import Chain

_FILE: Final = click.Path(exists=True, dir_okay=False)


@command("validator.commands.transcribe")
@argument("files", nargs=-1, required=True, metavar="LOG...", type=_FILE)
@log_options
@option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@option("--record", is_flag=True)
@option("--to", "target", metavar="LOG", type=click.Path(dir_okay=False))
@option("--output", "-o", metavar="PATH")
@own_games
@language_option
def transcribe(
    *, files: tuple[str, ...], module: str | None, reveal: str | None, salvage: bool, form: str, record: bool,
    target: str | None, output: str | None, lang: str | None,
) -> None:  # fmt: skip
    """Logs as text, or a sheet as a log."""
    from hexforge.validator.transcribe.carried import logs_of, sheet_as_log
    from hexforge.validator.transcribe.chain import read_chain

    if target is not None:
        if len(files) != 1:
            raise Unusable(message("validator.transcribe.one-sheet"))
        tell(sheet_as_log(files[0], target, module=module))
        return
    with progress_shown() as progress:
        chain = read_chain(logs_of(files), module=module, reveal=reveal, salvage=salvage, progress=progress)
    # The canonical words are English; --lang asks for others.
    write_out(_rendered(chain, form, lang or SOURCE, plain=record), output)


def _rendered(chain: Chain, form: str, sheet_language: Language, *, plain: bool) -> str:
    from hexforge.scenarios.console import safe_json
    from hexforge.validator.transcribe.record import note_data, record_data, record_lines
    from hexforge.validator.transcribe.sheet import transcript

    sheet = None if plain else transcript(chain, sheet_language)
    if form == "json":
        data = record_data(chain)
        data["sheet"] = sheet.text if sheet else None
        data["lines"] = [{"log": o.log, "step": o.step} for o in sheet.origins] if sheet else None
        if sheet:
            data["findings"] = [{"line": sheet.line_of(n.origin), **note_data(n)} for n in sheet.noted]
        return safe_json(json.dumps(data, ensure_ascii=False, indent=1))
    if sheet is None:
        return "\n".join(line for line, _ in record_lines(chain, words().language)) + "\n"
    for note in sheet.noted:
        origin = note.origin
        complain(message("validator.transcribe.noted", log=origin.log, step=origin.step, what=note.message))
    return sheet.text
