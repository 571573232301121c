"""What modules cost: from nothing, with nothing changed, with one text changed, and the command line's own start.

Every measure is a whole process. `extra_info` holds what one such build took of processor and memory (all its
processes together) and the size of the module.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.measure import cost, modulegen

GAMES = ("hurtgen", "metz", "bastogne")


@pytest.mark.parametrize("game", GAMES)
def test_cold_build(benchmark: Any, game: str, tmp_path: Path) -> None:
    rounds = iter(range(100))

    def cold() -> None:
        folder = tmp_path / str(next(rounds))
        modulegen(folder / "cache", "build", game, "--out", folder)

    benchmark.pedantic(cold, rounds=3, warmup_rounds=1)
    took = cost(tmp_path / "watched", "build", game, "--out", tmp_path)
    (module,) = tmp_path.glob("*.vmod")
    benchmark.extra_info |= {
        "processor seconds": took.processor,
        "memory MB": took.memory,
        "module MB": round(module.stat().st_size / 1e6, 1),
    }


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
