"""`validator check`: judge sheets, and answer in text, JSON, HTML, JUnit or a spreadsheet."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
    misused,
    option,
    said,
    wants_colour,
    whenever,
    words,
    write_out,
)
from hexforge.scenarios.words import SOURCE, message
from hexforge.validator.cli_common import colour, form_of, log_options, own_games, progress_shown, rulings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexforge.validator.judging import Judging
    from hexforge.validator.report.forms import Form, FormName
    from hexforge.validator.transcribe.chain import Progress
    from hexforge.validator.transcribe.judged import Manner

EXIT_UNREAD: Final = 3
"""Nothing illegal in what could be read; not all of it could."""
_FORMS: Final[dict[str, FormName]] = {
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".xml": "junit",
    ".xlsx": "xlsx",
    ".sarif": "sarif",
    ".md": "md",
}


@command("validator.commands.check")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@option("--format", "form", type=click.Choice(["text", "json", "html", "junit", "xlsx", "sarif", "md"]))
@option("--output", "-o", metavar="PATH")
@log_options
@own_games
@rulings
@option("--strict", is_flag=True)
@option("--jobs", metavar="N", type=click.IntRange(1, 64))
@option("--watch", "watching", is_flag=True)
@option("--quiet", "-q", is_flag=True)
@colour
@language_option
def check(
    *, files: tuple[str, ...], form: FormName | None, output: str | None, options: dict[str, str], strict: bool,
    jobs: int | None, watching: bool, quiet: bool, color: bool | None, lang: str | None, module: str | None,
    reveal: str | None, salvage: bool,
) -> None:  # fmt: skip
    """Judge sheets and logs."""
    name = form or form_of(output, _FORMS, "text")
    if name == "xlsx" and output is None:
        raise Unusable(message("validator.workbook-needs-file"))
    how: Manner = {"module": module, "reveal": reveal, "salvage": salvage, "lang": lang or SOURCE, "strict": strict}
    plain = not wants_colour(color) or output is not None

    def judge() -> int:
        return _judge(files, options, how, _Wanted(name, quiet, not plain, jobs, output))

    if not watching:
        sys.exit(judge())
    if "-" in files:
        misused("validator.watch-input")
    from hexforge.validator.watching import PAUSE, stamped

    whenever(lambda: stamped(files, output or ""), lambda: sys.exit(judge()), PAUSE)


class _Wanted(NamedTuple):
    """How the answers are written, in how many processes, and where to."""

    name: FormName
    quiet: bool
    color: bool
    jobs: int | None
    output: str | None


def _judge(files: Sequence[str], options: dict[str, str], how: Manner, asked: _Wanted) -> int:
    """Judge files and write the answers; gives the exit status."""
    from hexforge.validator.judging import Judging
    from hexforge.validator.report.forms import Form

    name, output = asked.name, asked.output
    # Answers that come on the terminal one by one are progress enough.
    live = output is None and sys.stdout.isatty()
    judging: Judging | None = None
    with progress_shown(lambda: not (live and judging is not None and judging.many)) as progress:
        manner: Manner = {**how, "progress": progress}
        judging = Judging(files, options, **manner)
        wanted = Form(
            name, words().language, quiet=asked.quiet, color=asked.color, playable=not judging.many,
            width=shutil.get_terminal_size().columns if live else 0, folders=_folders(files, judging.many),
        )  # fmt: skip
        found = _Found(judging, wanted, asked.jobs, progress)
        pieces: Iterable[str | bytes] = wanted.report().whole(found, found.rest)
        if judging.many:
            write_out(pieces, output)
        else:
            pieces = list(pieces)
    if not judging.many and (found.count or found.rest.skipped):
        write_out(pieces, output)
    # One file of rulings that cannot be used keeps every game from being judged.
    for why in dict.fromkeys(why for _, why in found.failures):
        complain(why)
    if name in ("json", "junit") and found.count:
        for _, what in found.rest.skipped:
            complain(what)
    if found.failures or judging.closed:
        return EXIT_ERROR
    return EXIT_NO if found.illegal else EXIT_UNREAD if found.unread else 0


def _folders(files: Sequence[str], many: bool) -> tuple[str, ...]:
    """Folders of which a page is silent. Of several games it tells which is which, and not where on the disk."""
    from hexforge.validator.report.plain import folders_of

    if not many:
        return folders_of(files)
    far = [folder for folder in folders_of(files) if Path(folder).is_absolute()]
    common = Path(os.path.commonpath(far)) if far else Path()
    return (str(common),) if common.name else tuple(far)


class _Found:
    """The parts of a report as they come, and what is to be known of all answers in the end."""

    def __init__(self, judging: Judging, form: Form, jobs: int | None, progress: Progress | None) -> None:
        from hexforge.validator.report.forms import Rest

        self.judging, self.form, self.jobs, self.progress = judging, form, jobs, progress
        self.failures = [(source, said(explained(error))) for source, error in judging.failures]
        self.skipped: list[tuple[str, str]] = []
        self.rest = Rest(self.failures, self.skipped, judging.many)
        self.count = 0
        self.illegal = self.unread = False

    def __iter__(self) -> Iterator[Any]:
        from hexforge.validator.jobs import told

        label = words()("validator.jobs.games")
        for number, found in enumerate(told(self.judging, self.form, self.jobs), 1):
            if self.progress is not None and self.judging.many:
                self.progress(label, number, self.judging.count)
            if found.error is not None:
                self.failures.append((found.source, said(explained(found.error))))
                continue
            self.count += 1
            self.illegal = self.illegal or found.illegal
            self.unread = self.unread or found.unread
            yield found.part
        self.skipped[:] = [(source, said(what)) for source, what in self.judging.skipped]
