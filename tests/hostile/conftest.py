"""A small game to spoil, and commands run as processes, as a user runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexforge.modulegen import starter

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A fresh starter game."""
    folder = tmp_path / "river-war"
    starter.write(folder)
    return folder


@pytest.fixture(scope="session")
def command() -> Command:
    """`command("modulegen", "build", …)`: a process, its output as text. `env` adds to the environment."""

    def run(
        module: str, *words: str | Path, env: dict[str, str] | None = None, **more: object
    ) -> subprocess.CompletedProcess[str]:
        given = {**os.environ, "HEXFORGE_LANG": "en", **(env or {})}
        return subprocess.run(  # type: ignore[call-overload,no-any-return]
            [sys.executable, "-m", f"hexforge.{module}", *map(str, words)],
            check=False,
            **{
                "capture_output": True,
                "text": True,
                "encoding": "utf-8",
                "env": given,
                "timeout": 120,
                **more,
            },
        )

    return run
