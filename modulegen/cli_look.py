"""Commands that show what is in a module or what a game looks like: `preview`, `inspect`, `diff`, `verify`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from hexforge.scenarios.commands import (
    EXIT_NO,
    LanguageChoice,
    argument,
    command,
    json_option,
    option,
    print_json,
    said,
    shortened,
    tell,
    words,
)
from hexforge.scenarios.words import message

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("modulegen.commands.diff")
@argument("before", metavar="A")
@argument("after", metavar="B")
@json_option
def diff(before: str, after: str, as_json: bool) -> None:
    """Say what differs between two modules or two games."""
    from hexforge.modulegen.diff import compare, section_name

    found = compare(before, after)
    if as_json:
        print_json({section: [c.json() for c in changes] for section, changes in found.items()})
    else:
        for section, changes in found.items():
            tell(f"{said(section_name(section))} ({len(changes)})", bold=True)
            for change in changes:
                tell(f"  {change.line(words())}")
        if not found:
            tell(message("modulegen.diff.none"))
    if found:
        sys.exit(EXIT_NO)


@command("modulegen.commands.inspect")
@argument("file", metavar="FILE", type=_FILE)
@option("--module", metavar="FILE", type=_FILE)
@option("--salvage", is_flag=True)
@option("--reveal", metavar="SIDE")
@json_option
def inspect(*, file: Path, module: Path | None, salvage: bool, reveal: str | None, as_json: bool) -> None:
    """Show what is in a module, saved game or log."""
    from hexforge.modulegen.vassal.inspect import as_json as json_of
    from hexforge.modulegen.vassal.inspect import as_text
    from hexforge.scenarios.console import safe_json

    if as_json:
        click.echo(safe_json(json_of(file, module=module, salvage=salvage, reveal=reveal)))
    else:
        tell(as_text(file, module=module, salvage=salvage, reveal=reveal, language=words().language))


@command("modulegen.commands.preview")
@argument("game", metavar="NAME|DIR")
@option("--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@option("--lang", type=LanguageChoice())
def preview(game: str, out: Path | None, lang: str | None) -> None:
    """Draw board, counter sheets and charts."""
    from hexforge.modulegen.build import choose_language
    from hexforge.modulegen.render.preview import preview as draw
    from hexforge.scenarios.extension import load_any

    scenario = load_any(game)
    folder = out or Path("dist") / f"{scenario.name}-preview"
    first = choose_language(scenario, lang)
    try:
        written = list(draw(scenario, folder, [first, *[code for code in scenario.texts if code != first]]))
    except OSError as error:
        # Writing to an open file that fails does not tell which.
        raise OSError(error.errno, error.strerror, error.filename or str(folder)) from error
    tell(message("modulegen.preview.done", page=str(written[-1]), others=len(written) - 1))


@command("modulegen.commands.verify")
@argument("module", metavar="MODULE", type=_FILE)
@json_option
def verify(module: Path, as_json: bool) -> None:
    """Check that nothing in a module is missing or unused."""
    from hexforge.modulegen.verify import problems_of

    problems = [said(problem) for problem in problems_of(module)]
    if as_json:
        print_json({"module": str(module), "problems": problems})
    else:
        for problem in shortened(problems):
            tell(problem)
        if not problems:
            tell(message("modulegen.verify.sound", module=str(module)))
    if problems:
        sys.exit(EXIT_NO)
