"""`validator chain`: whether logs, or sheets, follow from one another without a gap."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from hexforge.scenarios.commands import (
    EXIT_NO,
    argument,
    command,
    language_option,
    misused,
    option,
    wants_colour,
    words,
    write_out,
)
from hexforge.validator.cli_common import colour, own_games, progress_shown, question_options, rulings

if TYPE_CHECKING:
    from hexforge.scenarios.words import Words
    from hexforge.validator.integrity.course import Course, CoursePart, Flaw


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
        import json

        from hexforge.scenarios.console import safe_json

        write_out(safe_json(json.dumps(found.as_json(spoken), ensure_ascii=False, indent=1)), output)
    else:
        coloured = wants_colour(color) and output is None
        write_out("".join(f"{line}\n" for line in lines(found, spoken, color=coloured)), output)
    sys.exit(0 if found.sound else EXIT_NO)


def _course(files: Sequence[str], module: str | None, options: dict[str, str], *, salvage: bool) -> Course:
    from hexforge.validator.integrity.course import course_of_logs, course_of_sheets
    from hexforge.validator.transcribe.carried import logs_of
    from hexforge.validator.transcribe.chain import read_chain
    from hexforge.validator.transcribe.kind import is_log, is_mail

    logs = [file for file in files if is_mail(file) or is_log(file)]
    if logs and len(logs) < len(files):
        misused("chain.logs-or-sheets")
    if not logs:
        return course_of_sheets(files, options)
    with progress_shown() as progress:
        return course_of_logs(read_chain(logs_of(files), module=module, salvage=salvage, progress=progress))


def lines(found: Course, w: Words, *, color: bool = False) -> Iterator[str]:
    """The course as text: each file with what it says of itself and what is wrong with it; at last the verdict."""
    from hexforge.scenarios.console import safe

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
    from hexforge.scenarios.tables import lined_up

    rows = [(w(f"chain.about.{key}"), w.value(value)) for key, value in part.about.items() if value not in ("", ())]
    yield from lined_up(rows)


def _flaw(flaw: Flaw, w: Words, *, color: bool) -> str:
    from hexforge.scenarios.console import safe
    from hexforge.validator.report.text import STYLES

    kind = w(f"report.severity.{flaw.severity}")
    where = f":{flaw.place}" if flaw.place else ""
    return f"{click.style(kind, **STYLES[flaw.severity]) if color else kind}{where}  {safe(w.say(flaw.message))}"
