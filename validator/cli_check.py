"""`validator check`: judge sheets, and answer in text, JSON, HTML, JUnit or a spreadsheet."""

from __future__ import annotations

import sys
from pathlib import Path
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
    wants_colour,
    words,
    write_out,
)
from hexforge.scenarios.words import SOURCE, message
from hexforge.validator.cli_common import colour, log_options, own_games, progress_shown, rulings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexforge.validator.judging import Judging
    from hexforge.validator.report.answer import Answer

EXIT_UNREAD: Final = 3
"""Nothing illegal in what could be read; not all of it could."""
_FORMS: Final = {".json": "json", ".html": "html", ".htm": "html", ".xml": "junit", ".xlsx": "xlsx"}


@command("validator.commands.check")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@option("--format", "form", type=click.Choice(["text", "json", "html", "junit", "xlsx"]))
@option("--output", "-o", metavar="PATH")
@log_options
@own_games
@rulings
@option("--strict", is_flag=True)
@option("--quiet", "-q", is_flag=True)
@colour
@language_option
def check(
    *, files: tuple[str, ...], form: str | None, output: str | None, options: dict[str, str], strict: bool,
    quiet: bool, color: bool | None, lang: str | None, module: str | None, reveal: str | None, salvage: bool,
) -> None:  # fmt: skip
    """Judge sheets and logs."""
    from hexforge.validator.judging import Judging

    form = form or _FORMS.get(Path(output or "").suffix.lower(), "text")
    if form == "xlsx" and output is None:
        raise Unusable(message("validator.workbook-needs-file"))
    with progress_shown() as progress:
        judging = Judging(
            files, options, strict=strict, module=module, reveal=reveal, salvage=salvage, lang=lang or SOURCE,
            progress=progress,
        )  # fmt: skip
        found = _Found(judging)
        answer = _rendered(found, form, quiet, wants_colour(color) and output is None)
    # One file of rulings that cannot be used keeps every game from being judged.
    for why in dict.fromkeys(why for _, why in found.failures):
        complain(why)
    if form in ("json", "junit") and found.count:
        for _, what in found.skipped:
            complain(what)
    if found.count or judging.many or found.skipped:
        write_out(answer, output)
    sys.exit(EXIT_ERROR if found.failures else EXIT_NO if found.illegal else EXIT_UNREAD if found.unread else 0)


class _Found:
    """The answers as they come, and what is to be known of all of them in the end."""

    def __init__(self, judging: Judging) -> None:
        self.judging = judging
        self.skipped = [(source, said(what)) for source, what in judging.skipped]
        self.failures: list[tuple[str, str]] = []
        self.count = 0
        self.illegal = self.unread = False

    def __iter__(self) -> Iterator[Answer]:
        for answer in self.judging.answers():
            self.count += 1
            self.illegal = self.illegal or answer.verdict == "illegal"
            self.unread = self.unread or bool(answer.counts["unread"])
            yield answer
            del answer
        self.failures += [(source, said(explained(error))) for source, error in self.judging.failures]


def _rendered(found: _Found, form: str, quiet: bool, color: bool) -> str | bytes:
    spoken, failures, skipped = words(), found.failures, found.skipped
    match form:
        case "xlsx":
            from hexforge.validator.report.workbook import write_workbook

            return write_workbook(list(found), failures, spoken, skipped=skipped)
        case "json":
            from hexforge.validator.report.as_json import write_json

            return write_json(found, failures, skipped, many=found.judging.many, language=spoken.language)
        case "junit":
            from hexforge.validator.report.junit import write_junit

            return write_junit(list(found), failures, spoken, skipped=skipped)
        case "html":
            from hexforge.validator.report.html import write_html

            return write_html(list(found), failures, spoken, skipped=[what for _, what in skipped])
    from hexforge.validator.report.text import write_text

    return write_text(found, spoken, quiet=quiet, color=color, skipped=[what for _, what in skipped])
