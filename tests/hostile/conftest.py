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
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Drawn images, kept for all these tests, never the user's own."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def command(images: Path) -> Command:
    """`command("modulegen", "build", …)`: a process, its output as text. `env` adds to the environment."""

    def run(
        module: str, *words: str | Path, env: dict[str, str] | None = None, **more: object
    ) -> subprocess.CompletedProcess[str]:
        given = {**os.environ, "XDG_CACHE_HOME": str(images), "HEXFORGE_LANG": "en", **(env or {})}
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
