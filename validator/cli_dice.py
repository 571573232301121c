"""`validator dice`: whether the dice of logs and sheets fell as dice do."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

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
    words,
    write_out,
)
from hexforge.scenarios.libraries import require
from hexforge.scenarios.words import message
from hexforge.validator.cli_common import form_of, own_games, progress_shown, question_options, rulings

if TYPE_CHECKING:
    from hexforge.validator.dice.survey import Survey

_FORMS: Final = {".json": "json", ".html": "html", ".htm": "html", ".xlsx": "xlsx"}


@command("validator.commands.dice")
@argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True))
@question_options
@own_games
@rulings
@option("--level", metavar="P", type=click.FloatRange(0.000001, 0.5), default=0.01, show_default=True)
@option("--format", "form", type=click.Choice(["text", "json", "html", "xlsx"]))
@option("--output", "-o", metavar="PATH")
@language_option
def dice(
    *, files: tuple[str, ...], module: str | None, salvage: bool, options: dict[str, str], level: float,
    form: str | None, output: str | None, lang: str | None,
) -> None:  # fmt: skip
    """Look at the dice of games."""
    from hexforge.validator.dice.gathered import thrown_in
    from hexforge.validator.dice.survey import survey

    wanted = form or form_of(output, _FORMS, "text")
    if wanted == "xlsx":
        require("xlsx")
        if output is None:
            raise Unusable(message("validator.workbook-needs-file"))
    label = words()("validator.jobs.games")
    with progress_shown() as progress:
        told = (lambda done, count: progress(label, done, count)) if progress is not None else None
        found = thrown_in(files, options, told, module=module, salvage=salvage)
    failures = [said(explained(error)) for _, error in found.failures]
    seen = replace(survey(found.throws, found.attacks, level=level), sides=found.sides)
    if not (seen.empty and failures):
        write_out(_written(seen, wanted, failures), output)
    for failure in failures:
        complain(failure)
    sys.exit(EXIT_ERROR if failures or found.closed else EXIT_NO if seen.stands_out else 0)


def _written(seen: Survey, form: str, failures: list[str]) -> str | bytes:
    from hexforge.validator.dice import told

    match form:
        case "json":
            import json

            from hexforge.scenarios.console import safe_json

            return safe_json(json.dumps(seen.as_json(), ensure_ascii=False, indent=1))
        case "html":
            return told.page(seen, words(), failures)
        case "xlsx":
            import io

            file = io.BytesIO()
            told.write_workbook(file, seen, words())
            return file.getvalue()
    return "".join(f"{line}\n" for line in told.lines(seen, words()))
