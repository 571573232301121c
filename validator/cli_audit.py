"""`validator audit`: a round of games, judged and written as a site."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from hexforge.scenarios.commands import (
    EXIT_ERROR,
    EXIT_NO,
    argument,
    command,
    language_option,
    option,
    tell,
    words,
)
from hexforge.scenarios.words import message
from hexforge.validator.cli_check import EXIT_UNREAD
from hexforge.validator.cli_common import own_games, question_options, rulings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexforge.validator.audit.run import Heard
    from hexforge.validator.audit.totals import Totals


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
    from hexforge.validator.audit.run import AuditPlan
    from hexforge.validator.audit.run import audit as audited

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
