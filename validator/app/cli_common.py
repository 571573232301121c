"""Options that several of the validator's commands have, and progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ...scenarios.commands import Unusable, option
from ...scenarios.console import said
from ...scenarios.text.words import message

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from ..notation.records import Progress


F = TypeVar("F", bound=Callable[..., Any])
Name = TypeVar("Name", bound=str)


def _settings(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`name=value` arguments as a mapping."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, setting = value.partition("=")
        if not (name and equals and setting):
            raise click.BadParameter(said(message("validator.not-a-setting", value=value)), ctx=ctx, param=param)
        found[name.strip().lower()] = setting.strip().lower()
    return found


def _learn(ctx: click.Context, param: click.Parameter, folders: tuple[str, ...]) -> None:
    if folders:
        from ..notation import games

        for folder in folders:
            games.learn(folder)


def _rule(ctx: click.Context, param: click.Parameter, file: str | None) -> None:
    from ..reading import tournament

    tournament.use(file)


_FILE: Final = click.Path(exists=True, dir_okay=False)
_SALVAGE: Final = option("--salvage", is_flag=True)
_MODULE: Final = option("--module", metavar="FILE", type=_FILE)
_SETTINGS: Final = option("--option", "options", multiple=True, metavar="NAME=VALUE", callback=_settings)
_TOURNAMENT: Final = option("--tournament", metavar="FILE", type=_FILE, expose_value=False, callback=_rule)
rulings_file = _TOURNAMENT
"""The option `--tournament FILE` alone."""
own_games = option("--game", "own_games", multiple=True, metavar="DIR", expose_value=False, callback=_learn)
"""The option `--game DIR`: a game that does not come with the program."""
colour = option("--color/--no-color", "color", default=None)
"""Without it, colour only for a terminal, and never with NO_COLOR set."""


def rulings(command: F) -> F:
    """The options that a tournament sets rulings with: `--option name=value`, `--tournament FILE`."""
    return _SETTINGS(_TOURNAMENT(command))


def question_options(command: F) -> F:
    """The options of commands that read logs only for the position at their end."""
    return _SALVAGE(_MODULE(command))


def log_options(command: F) -> F:
    """The options of commands that read logs."""
    return _SALVAGE(option("--reveal", metavar="SIDE")(_MODULE(command)))


@contextmanager
def progress_shown(wanted: Callable[[], bool] = lambda: True) -> Iterator[Progress | None]:
    """Progress on standard error, where that is a terminal and any is told of while it is `wanted`."""
    if not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        bar = cache(lambda: stack.enter_context(_bar()))
        tasks: dict[str, Any] = {}

        def told(name: str, done: int, total: int) -> None:
            if not wanted():
                return
            if name not in tasks:
                tasks[name] = bar().add_task(name.replace("[", r"\["), total=total)
            bar().update(tasks[name], completed=done, total=total)

        yield told


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Bar(*columns, console=Console(stderr=True), transient=True)


def form_of(output: str | None, forms: Mapping[str, Name], text: Name) -> Name:
    """The form that the ending of a file asks for; `text` for none, and for `.txt`.

    Raises Unusable for an ending of which there is no form: text in it would be no file of that kind.
    """
    ending = Path(output or "").suffix.lower()
    if ending in ("", ".txt") or output is None:
        return text
    if ending not in forms:
        known = " ".join([".txt", *forms])
        raise Unusable(message("validator.no-form", ending=ending, file=output, known=known))
    return forms[ending]
