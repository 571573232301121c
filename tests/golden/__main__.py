"""The commands of the golden net."""

from __future__ import annotations

import sys
import time

import click

from . import net
from .subjects import SUBJECTS

_subjects = click.argument("subjects", nargs=-1, type=click.Choice(list(SUBJECTS)))


@click.group(invoke_without_command=True)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Compares what the product answers with what is kept; keeps it with `accept`."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(compare)


@main.command()
@_subjects
@click.option("--whole", is_flag=True, help="Shorten nothing.")
def compare(subjects: tuple[str, ...] = (), whole: bool = False) -> None:
    """Shows what differs, of all subjects or of some."""
    now = _answered(subjects)
    found = net.differences(now)
    for line in net.shown(found, whole=whole):
        click.echo(line)
    if found:
        sys.exit(f"{len(found)} answers differ; if they are meant to: make golden-accept WHY='the reason'")


@main.command()
@_subjects
@click.option("--why", required=True, help="The reason, for changes.md.")
def accept(subjects: tuple[str, ...], why: str) -> None:
    """Keeps what is answered now, and notes why it changed."""
    if not why.strip():
        raise click.UsageError("A change is accepted with its reason alone: WHY='the reason'.")
    now = _answered(subjects)
    if failed := net.failed(now):
        sys.exit("These failed by themselves, and are not kept: " + ", ".join(failed[:20]))
    click.echo(f"{len(net.accept(now, why.strip()))} answers kept anew")


def _answered(subjects: tuple[str, ...]) -> dict[str, net.Answers]:
    begun = time.monotonic()
    now = net.answered(net.asked_of(dict.fromkeys(subjects or SUBJECTS)))
    click.echo(f"{sum(map(len, now.values()))} answers in {time.monotonic() - begun:.0f} s", err=True)
    return now


if __name__ == "__main__":
    main(prog_name="python -m tests.golden")
