"""`validator chain`, `dice`, `join`, `transcribe` and `audit`: commands on logs and rounds of games.

`validator dice`: whether the dice of logs and sheets fell as dice do.

`validator transcribe`: logs as readable records or turn sheets, and sheets as logs.

`validator audit`: a round of games, judged and written as a site.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

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
    write_out,
)
from ...scenarios.console import require, said, words
from ...scenarios.text.words import SOURCE, Language, message
from .cli_check import EXIT_UNREAD
from .cli_common import colour, form_of, log_options, own_games, progress_shown, question_options, rulings

if TYPE_CHECKING:
    from ...scenarios.text.words import Words
    from ..judging.chain import Course, CoursePart, Flaw
    from ..logs.chain import Chain
    from ..notation.records import Attached
    from ..report.dice import Survey
    from .audit_run import Heard
    from .audit_standings import Totals


@command("validator.commands.chain")
@argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True))
@question_options
@own_games
@rulings
@option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@option("--output", "-o", metavar="PATH")
@colour
@language_option
def chain(
    *, files: tuple[str, ...], module: str | None, salvage: bool, options: dict[str, str], form: str,
    output: str | None, color: bool | None, lang: str | None,
) -> None:  # fmt: skip
    """Say whether files are one unbroken game."""
    found = _course(files, module, options, salvage=salvage)
    spoken = words()
    if form == "json":
        from ...scenarios.console import safe_json

        write_out(safe_json(json.dumps(found.as_json(spoken), ensure_ascii=False, indent=1)), output)
    else:
        coloured = wants_colour(color) and output is None
        write_out("".join(f"{line}\n" for line in lines(found, spoken, color=coloured)), output)
    sys.exit(0 if found.sound else EXIT_NO)


def _course(files: Sequence[str], module: str | None, options: dict[str, str], *, salvage: bool) -> Course:
    from ..judging.chain import course_of_logs, course_of_sheets
    from ..logs.chain import read_chain
    from ..notation.records import is_mail
    from .discover import gather

    found = gather(files)
    if found.games and found.sheets:
        misused("chain.logs-or-sheets")
    if not found.games and not any(map(is_mail, files)):
        return course_of_sheets(found.sheets or files, options)
    logs = _logs(files)
    with progress_shown() as progress:
        return course_of_logs(read_chain(logs, module=module, salvage=salvage, progress=progress, reorder=False))


def lines(found: Course, w: Words, *, color: bool = False) -> Iterator[str]:
    """The course as text: each file with what it says of itself and what is wrong with it; at last the verdict."""
    from ...scenarios.console import safe

    last = {part.name: number for number, part in enumerate(found.parts)}
    for number, part in enumerate(found.parts):
        yield click.style(safe(part.name), bold=True) if color else safe(part.name)
        yield from (f"  {line}" for line in _about(part, w))
        yield from (
            f"  {_flaw(flaw, w, color=color)}"
            for flaw in found.flaws
            if last[part.name] == number and flaw.file == part.name
        )
    if found.order:
        yield ""
        yield safe(w("chain.order", files=found.order))
    yield ""
    yield w("chain.sound" if found.sound else "chain.broken", count=len(found.parts))


def _about(part: CoursePart, w: Words) -> Iterator[str]:
    from ...scenarios.console import lined_up

    rows = [(w(f"chain.about.{key}"), w.value(value)) for key, value in part.about.items() if value not in ("", ())]
    yield from lined_up(rows)


def _flaw(flaw: Flaw, w: Words, *, color: bool) -> str:
    from ...scenarios.console import safe
    from ..report.text import STYLES

    kind = w(f"report.severity.{flaw.severity}")
    where = f":{flaw.place}" if flaw.place else ""
    return f"{click.style(kind, **STYLES[flaw.severity]) if color else kind}{where}  {safe(w.say(flaw.message))}"


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
    from ..report.dice import survey
    from .audit_record import thrown_in

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
    from ..report import dice_report

    match form:
        case "json":
            from ...scenarios.console import safe_json

            return safe_json(json.dumps(seen.as_json(), ensure_ascii=False, indent=1))
        case "html":
            return dice_report.page(seen, words(), failures)
        case "xlsx":
            file = io.BytesIO()
            dice_report.write_workbook(file, seen, words())
            return file.getvalue()
    return "".join(f"{line}\n" for line in dice_report.lines(seen, words()))


_FILE: Final = click.Path(exists=True)


@command("validator.commands.join")
@argument("files", nargs=-1, required=True, metavar="LOG...", type=_FILE)
@option("--output", "-o", metavar="PATH", required=True)
@option("--chat/--no-chat", default=True)
@question_options
@language_option
def join(
    *, files: tuple[str, ...], output: str, chat: bool, module: str | None, salvage: bool, lang: str | None
) -> None:  # fmt: skip
    """Write logs of a game as one."""
    from ..logs.chain import read_chain
    from ..logs.join import joined

    logs = _logs(files)
    with progress_shown() as progress:
        chain = read_chain(logs, module=module, salvage=salvage, progress=progress)
    found = joined(chain, chat=chat)
    write_out(found.data, output)
    for note in chain.noted:
        complain(note.message)
    counts = {"steps": found.steps, "undone": found.undone, "silent": found.silent}
    tell(message("validator.join.done", log=output, count=len(chain.logs), **counts))


def _logs(files: Sequence[str]) -> Sequence[str | Path | Attached]:
    """The logs that were named: files, and what mails, archives and folders hold."""
    from ..judging.carried import logs_of
    from ..notation.records import SUFFIXES

    if all(Path(file).suffix.lower() in SUFFIXES for file in files):
        return files
    from .discover import gather

    found = gather(files)
    for _, error in found.failures:
        raise error
    return [log for game in found.games for log in game] or logs_of(files)


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
    from ..judging.carried import sheet_as_log
    from ..logs.chain import read_chain

    if target is not None:
        if len(files) != 1:
            raise Unusable(message("validator.transcribe.one-sheet"))
        tell(sheet_as_log(files[0], target, module=module))
        return
    logs = _logs(files)
    with progress_shown() as progress:
        chain = read_chain(logs, module=module, reveal=reveal, salvage=salvage, progress=progress)
    # The canonical words are English; --lang asks for others.
    write_out(_rendered(chain, form, lang or SOURCE, plain=record), output)


def _rendered(chain: Chain, form: str, sheet_language: Language, *, plain: bool) -> str:
    from ...scenarios.console import safe_json
    from ..judging.transcription import transcript
    from ..logs.record import note_data, record_data, record_lines

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


@command("validator.commands.audit")
@argument("files", nargs=-1, required=True, metavar="DIR|FILE...", type=click.Path(exists=True))
@option("--output", "-o", metavar="SITE", required=True, type=click.Path(file_okay=False))
@question_options
@own_games
@rulings
@option("--jobs", metavar="N", type=click.IntRange(1, 64))
@option("--cluster", metavar="ADDRESS")
@option("--again", is_flag=True)
@option("--replays/--no-replays", default=True)
@language_option
def audit(
    *, files: tuple[str, ...], output: str, module: str | None, salvage: bool, options: dict[str, str],
    jobs: int | None, cluster: str | None, again: bool, replays: bool, lang: str | None,
) -> None:  # fmt: skip
    """Judge a round, and write it as a site."""
    from .audit_run import AuditPlan
    from .audit_run import audit as audited

    plan = AuditPlan(files, output, options, module, salvage, jobs, cluster, again, replays, words().language)
    with _left() as heard:
        found = audited(plan, heard)
    totals = found.totals
    tell(message("audit.done", count=totals.count, known=found.known, site=output))
    for verdict in ("legal", "doubtful", "unread", "illegal", "unreadable", "norules"):
        if count := totals.verdicts[verdict]:
            tell(message("audit.verdicts", verdict=message(f"audit.card.{verdict}"), count=count))
    sys.exit(EXIT_ERROR if found.closed else _status(totals))


def _status(totals: Totals) -> int:
    if totals.verdicts["unreadable"]:
        return EXIT_ERROR
    return EXIT_NO if totals.verdicts["illegal"] else EXIT_UNREAD if totals.verdicts["unread"] else 0


@contextmanager
def _left() -> Iterator[Heard | None]:
    """How many games are done, and how much time is left, on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("/"),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words()("validator.jobs.games"), total=None)
        yield lambda done, count: bar.update(task, completed=done, total=count)
