"""The command `lint`: what is wrong with modules, whoever made them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hexforge.scenarios.commands import (
    EXIT_NO,
    argument,
    command,
    json_option,
    misused,
    option,
    print_json,
    tell,
    words,
)

if TYPE_CHECKING:
    from hexforge.modulegen.lint.config import Config

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_LEVELS: Final = ("error", "warning", "note")


@command("modulegen.commands.lint")
@argument("modules", metavar="MODULE...", nargs=-1, type=_FILE)
@option("--base", metavar="FILE", type=_FILE)
@option("--config", metavar="FILE", type=_FILE)
@option("--ignore", metavar="RULE", multiple=True)
@option("--only", metavar="RULE", multiple=True)
@option("--fail-on", metavar="LEVEL", type=click.Choice([*_LEVELS, "never"]), default="warning")
@option("--all", "everything", is_flag=True)
@option("--sarif", is_flag=True)
@json_option
def lint(
    *,
    modules: tuple[Path, ...],
    base: Path | None,
    config: Path | None,
    ignore: tuple[str, ...],
    only: tuple[str, ...],
    fail_on: str,
    everything: bool,
    sarif: bool,
    as_json: bool,
) -> None:
    """Judge any module or extension."""
    from hexforge.modulegen.lint import report as written
    from hexforge.modulegen.lint.examine import base_beside, examine

    if not modules:
        misused("lint.usage.no-module")
    reports = [
        examine(path, base=base or base_beside(path), config=_settings(path, config, ignore, only))
        for path in modules
    ]
    if sarif:
        from importlib.metadata import version

        print_json(written.as_sarif(reports, words(), version("hexforge")))
    elif as_json:
        told = [written.as_json(report, words()) for report in reports]
        print_json(told[0] if len(told) == 1 else told)
    else:
        for report in reports:
            if len(reports) > 1:
                tell(report.path, bold=True)
            for line in written.as_text(report, words(), everything=everything):
                tell(line)
    least = next((level for level in _LEVELS if level == fail_on), None)
    if any(report.worse_than(least) for report in reports):
        sys.exit(EXIT_NO)


def _settings(module: Path, config: Path | None, ignore: tuple[str, ...], only: tuple[str, ...]) -> Config:
    """The file of settings, and what the command adds to it."""
    from hexforge.modulegen.lint.config import Config, find_config, read_config
    from hexforge.modulegen.lint.finding import RULES

    for name in (*ignore, *only):
        if name not in RULES:
            misused("lint.usage.no-rule", rule=name, known=tuple(RULES))
    path = config or find_config(module)
    found = read_config(path) if path is not None else Config()
    silent = {*ignore, *(set(RULES) - set(only) if only else ())}
    return found.model_copy(update={"rules": {**found.rules, **dict.fromkeys(silent, "off")}})
