"""How long modules take: from nothing, with nothing changed, and the command line's own start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

GAMES = ("hurtgen", "metz", "bastogne")


def modulegen(cache: Path, *words: str | Path) -> None:
    """Runs the command as a user does: a process of its own."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    subprocess.run(
        [sys.executable, "-m", "modulegen", *map(str, words)], env=environment, check=True, capture_output=True
    )


@pytest.mark.parametrize("game", GAMES)
def test_cold_build(benchmark: Any, game: str, tmp_path: Path) -> None:
    rounds = iter(range(100))

    def cold() -> None:
        folder = tmp_path / str(next(rounds))
        modulegen(folder / "cache", "build", game, "--out", folder)

    benchmark.pedantic(cold, rounds=3, warmup_rounds=1)


@pytest.mark.parametrize("game", GAMES)
def test_build_with_nothing_changed(benchmark: Any, game: str, tmp_path: Path) -> None:
    modulegen(tmp_path, "build", game, "--out", tmp_path)
    benchmark.pedantic(lambda: modulegen(tmp_path, "build", game, "--out", tmp_path), rounds=5)


def test_build_with_one_text_changed(benchmark: Any, tmp_path: Path) -> None:
    game = tmp_path / "game"
    modulegen(tmp_path, "new", game)
    text = (game / "text.pt.yaml").read_text("utf-8")
    rounds = iter(range(100))
    modulegen(tmp_path, "build", game, "--out", tmp_path)

    def change() -> None:
        (game / "text.pt.yaml").write_text(text.replace("Norte", f"Norte {next(rounds)}"), "utf-8")
        modulegen(tmp_path, "build", game, "--out", tmp_path)

    benchmark.pedantic(change, rounds=5)


def test_help(benchmark: Any, tmp_path: Path) -> None:
    benchmark.pedantic(lambda: modulegen(tmp_path, "--help"), rounds=10, warmup_rounds=1)


def test_check(benchmark: Any, tmp_path: Path) -> None:
    benchmark.pedantic(lambda: modulegen(tmp_path, "check", "bastogne"), rounds=3, warmup_rounds=1)
