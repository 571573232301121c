"""Commands as a user runs them: in this process, where nothing needs one of its own, and as processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.validator.app.cli import main as validator

Done = subprocess.CompletedProcess[str]
Command = Callable[..., Done]
PROGRAMS = {"modulegen": modulegen, "validator": validator}


def here(
    program: str,
    *words: str | Path,
    env: Mapping[str, str] | None = None,
    text: str | None = None,
    cwd: Path | None = None,
) -> Done:
    """A command in this process, in English unless `env` says otherwise; what it fails of without a word is raised.

    A process costs half a second before it does anything.
    """
    runner = CliRunner(env={"HEXFORGE_LANG": "en", **(env or {})})
    with chdir(cwd or Path.cwd()):
        done = runner.invoke(
            PROGRAMS[program], [str(word) for word in words], input=text, catch_exceptions=False, prog_name=program
        )
    return Done([program, *map(str, words)], done.exit_code, done.stdout, done.stderr)


def process(
    program: str, *words: str | Path, env: Mapping[str, str] | None = None, text: str | None = None, **more: object
) -> Done:
    """A command as a process, for what only a process has: streams, limits, signals, an encoding, a beginning."""
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-m", f"hexforge.{program}", *map(str, words)],
        check=False,
        env={**os.environ, "HEXFORGE_LANG": "en", **(env or {})},
        **{"input": text, "capture_output": True, "text": True, "encoding": "utf-8", "timeout": 120, **more},
    )
