"""`validator check`, `format` and `reply`: judging sheets, rewriting them, answering mails.

`validator format`: sheets in the canonical form of the notation.

`validator reply`: the answer to a mail, with the verdict on what it holds.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from ...scenarios.commands import (
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
    tell,
    wants_colour,
    whenever,
    write_out,
)
from ...scenarios.console import said, words
from ...scenarios.text.words import SOURCE, HexforgeError, message
from ..notation.records import begins_as_log, is_log, is_mail
from .cli_common import colour, form_of, log_options, own_games, progress_shown, question_options, rulings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..judging.canonical import Formatted
    from ..judging.check import Manner
    from ..notation.records import Progress
    from ..report.pages import FormName
    from ..rules.findings import Finding
    from .batch import Form, Judging


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
@option("--answer", metavar="TEXT", default="")
@option("--ask", "asking", is_flag=True)
@colour
@language_option
def check(
    *, files: tuple[str, ...], form: FormName | None, output: str | None, options: dict[str, str], strict: bool,
    jobs: int | None, watching: bool, quiet: bool, answer: str, asking: bool, color: bool | None, lang: str | None,
    module: str | None, reveal: str | None, salvage: bool,
) -> None:  # fmt: skip
    """Judge sheets and logs."""
    name = form or form_of(output, _FORMS, "text")
    if name == "xlsx" and output is None:
        raise Unusable(message("validator.workbook-needs-file"))
    how: Manner = {"module": module, "reveal": reveal, "salvage": salvage, "lang": lang or SOURCE, "strict": strict}
    plain = not wants_colour(color) or output is not None
    how["answer"] = _asked(files, options, how, answer) if asking else answer

    def judge() -> int:
        return _judge(files, options, how, _Wanted(name, quiet, not plain, jobs, output))

    if not watching:
        sys.exit(judge())
    if "-" in files:
        misused("validator.watch-input")
    from .batch import PAUSE, stamped

    whenever(lambda: stamped(files, output or ""), lambda: sys.exit(judge()), PAUSE)


def _asked(files: Sequence[str], options: dict[str, str], how: Manner, answer: str) -> str:
    """What somebody at the terminal answers to the open lines of a turn, besides what is answered already."""
    from .batch import check_all

    if len(files) > 1:
        raise Unusable(message("validator.ask-one"))
    w = words()
    said = [answer] if answer else []
    known: Manner = {**how, "answer": answer}
    answers = check_all(files, options, **known).answers
    for found in (f for one in answers for f in one.findings if f.asked):
        tell(f"\n{found.asked}  {answers[0].quote(found.line)}", err=True)
        tell(f"   {w.say(found.message)}", err=True)
        for letter, (line, left) in zip("abc", found.proposed, strict=False):
            tell(f"   {letter}) {line}" + (f"   {w('report.without', words=left)}" if left else ""), err=True)
        given = click.prompt(w("validator.ask-line"), default="", show_default=False, err=True).strip()
        if given:
            said.append(f"{found.asked} {given}" if given.lower() in {*"abc-"} else f"{found.asked}: {given}")
    return "\n".join(said)


class _Wanted(NamedTuple):
    """How the answers are written, in how many processes, and where to."""

    name: FormName
    quiet: bool
    color: bool
    jobs: int | None
    output: str | None


def _judge(files: Sequence[str], options: dict[str, str], how: Manner, asked: _Wanted) -> int:
    """Judge files and write the answers; gives the exit status."""
    from .batch import Form, Judging

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
    from ...scenarios.console import folders_of

    if not many:
        return folders_of(files)
    far = [folder for folder in folders_of(files) if Path(folder).is_absolute()]
    common = Path(os.path.commonpath(far)) if far else Path()
    return (str(common),) if common.name else tuple(far)


class _Found:
    """The parts of a report as they come, and what is to be known of all answers in the end."""

    def __init__(self, judging: Judging, form: Form, jobs: int | None, progress: Progress | None) -> None:
        from ..report.pages import Rest

        self.judging, self.form, self.jobs, self.progress = judging, form, jobs, progress
        self.failures = [(source, said(explained(error))) for source, error in judging.failures]
        self.skipped: list[tuple[str, str]] = []
        self.rest = Rest(self.failures, self.skipped, judging.many)
        self.count = 0
        self.illegal = self.unread = False

    def __iter__(self) -> Iterator[Any]:
        from .batch import parts_in_order

        label = words()("validator.jobs.games")
        for number, found in enumerate(parts_in_order(self.judging, self.form, self.jobs), 1):
            if self.progress is not None and self.judging.many:
                self.progress(label, number, self.judging.count)
            if found.error is not None:
                self.failures.append((found.source, said(explained(found.error))))
                continue
            self.failures += ((source, said(explained(error))) for source, error in found.failures)
            self.count += len(found.part)
            self.illegal = self.illegal or found.illegal
            self.unread = self.unread or found.unread
            yield from found.part
        self.skipped[:] = [(source, said(what)) for source, what in self.judging.skipped]


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
    from ..judging.replayed import refusals
    from ..judging.situation import format_sheet, format_typed
    from ..judging.worlds.unread import syntax_finding
    from ..reading.decoding import UnreadableSheet, decode, read_raw
    from .discover import gather

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


@command("validator.commands.reply")
@argument("mail", metavar="MAIL", type=click.Path(exists=True, dir_okay=False))
@option("--from", "sender", metavar="ADDRESS", default="")
@option("--answer", metavar="TEXT", default="")
@option("--output", "-o", metavar="PATH")
@question_options
@own_games
@rulings
@language_option
def reply(
    *, mail: str, sender: str, answer: str, output: str | None, module: str | None, salvage: bool,
    options: dict[str, str], lang: str | None,
) -> None:  # fmt: skip
    """Write the answer to a mail."""
    from .reply import reply_to

    found = reply_to(mail, options, sender=sender, language=lang, module=module, salvage=salvage, answer=answer)
    write_out(bytes(found.mail), output)
    judged = found.judged
    if judged.failures or judged.closed:
        sys.exit(EXIT_ERROR)
    sys.exit(EXIT_NO if judged.illegal else EXIT_UNREAD if judged.unread else 0)
