"""What the commands share: how errors are said, and the exit codes.

0 all is well; 1 the answer is "no" (problems found, files differ); 2 the question could not be asked (no such game,
broken files, nowhere to write). 130: stopped from the keyboard or by the system.
"""

from __future__ import annotations

import functools
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TypeVar

import click

from hexforge.scenarios.click_words import teach
from hexforge.scenarios.language import default_language, reason, said
from hexforge.scenarios.words import Words

if TYPE_CHECKING:
    from hexforge.scenarios.problems import Problem

P = ParamSpec("P")
R = TypeVar("R")
EXIT_NO, EXIT_ERROR = 1, 2
EXIT_STOPPED = 130
PATIENCE = 3.0
"""Seconds that an orderly end may take."""
MOST_PROBLEMS = 200

# Click puts some of its words in when a command is declared, not when they are said.
teach()
GAME = said("NAME|DIR", "NOME|PASTA")
FILE = said("FILE", "ARQUIVO")
DIRECTORY = said("DIR", "PASTA")
JSON_HELP = said("As JSON.", "Em JSON.")
LANGUAGE_HELP = said(
    "Language of the module.  [default: the game's first]", "Língua do módulo.  [padrão: a primeira do jogo]"
)


class Commands(click.Group):
    """The group of commands, with standard output and error made ready."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        from hexforge.scenarios.console import speaking

        with speaking("modulegen"):
            return super().main(*args, **kwargs)


def fail(message: str) -> NoReturn:
    """Say what went wrong, on standard error, and end with exit code 2."""
    click.secho("modulegen: ", fg="red", nl=False, err=True)
    from hexforge.scenarios.console import safe

    click.echo(safe(message), err=True)
    sys.exit(EXIT_ERROR)


def guarded(command: Callable[P, R]) -> Callable[P, R]:
    """A command whose expected failures end in one clear message and exit code 2, never in a traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        from hexforge.scenarios.problems import ScenarioError

        try:
            return command(*args, **kwargs)
        except KeyboardInterrupt:
            _say_stopped()
            sys.exit(EXIT_STOPPED)
        except ScenarioError as error:
            fail("\n".join(problem_lines(error.problems)))
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            fail(f"{where}{reason(error)}")
        except Exception as error:
            if isinstance(error, _expected()):
                fail(str(error))
            raise

    return run


_stopped = threading.Lock()


def _say_stopped() -> None:
    # Two may come to say it: the command when it ends in order, and the timer that ends it when it does not.
    if _stopped.acquire(blocking=False):
        click.echo(said("modulegen: stopped", "modulegen: interrompido"), err=True)


def _stop_at_once() -> NoReturn:
    _say_stopped()
    os._exit(EXIT_STOPPED)


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Take the system's request to end (SIGTERM) as Ctrl+C, so that drawing processes and half files go too."""

    def stop(*_: object) -> NoReturn:
        # A worker that ends at the wrong moment can leave the pool waiting for ever.
        patience = threading.Timer(PATIENCE, _stop_at_once)
        patience.daemon = True
        patience.start()
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _expected() -> tuple[type[Exception], ...]:
    from hexforge.modulegen.build import BuildError
    from hexforge.modulegen.vassal.buildfile import BuildFileError
    from hexforge.modulegen.vassal.errors import FormatError
    from hexforge.modulegen.verify import ModuleError

    return BuildError, BuildFileError, FormatError, ModuleError


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Problems as lines of text, a last one saying how many more there are."""
    words = Words(default_language())
    return shortened([p.text(words) for p in problems])


def shortened(lines: list[str]) -> list[str]:
    """No more lines than somebody reads, and a last one that says how many there are besides."""
    more = len(lines) - MOST_PROBLEMS
    return lines if more <= 0 else [*lines[:MOST_PROBLEMS], said(f"… and {more} more", f"… e mais {more}")]


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem for scripts."""
    words = Words(default_language())
    return {
        "file": problem.file,
        "line": problem.line,
        "where": words.value(problem.where),
        "message": words.value(problem.message),
        "severity": problem.severity,
    }


def print_json(value: Mapping[str, Any] | list[Any]) -> None:
    """JSON for scripts, on standard output."""
    from hexforge.scenarios.console import safe_json

    click.echo(safe_json(json.dumps(value, ensure_ascii=False, indent=2)))
