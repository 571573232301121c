"""What the commands cost, as processes of their own; `make bench-compare REV=…` holds an earlier tree against this.

Only what any version understands is used here: words of the command lines, sheets, logs. Times are seconds of
processor, since the machine may have other things to do.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.games import game

HERE = Path(__file__).resolve().parent.parent
TREE = Path(os.environ.get("HEXFORGE_BENCH_TREE", HERE))
"""The tree that is measured. What it is given to read is this tree's, so that two trees read the same."""
PACKAGE = "hexforge." if (TREE / "hexforge").is_dir() else ""
"""What its commands are in. Before 0.2.0 they stood alone."""
PLAYED = HERE / "tests" / "data" / "engine" / "b1.vlog"
SHEET = HERE / "scenarios" / "hurtgen" / "examples" / "turn2-well.sheet"


def spent() -> float:
    """Seconds of processor that the processes which have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(cache: Path, program: str, *words: str | Path) -> Callable[[], None]:
    """Runs a command of the tree; findings in what is judged are no failure."""
    # What Python compiles is kept, as on a player's machine: the first run, which is not counted, compiles it.
    own = {"PYTHONPATH": str(TREE), "XDG_CACHE_HOME": str(cache), "HEXFORGE_LANG": "en"}
    environment = {**os.environ, **own, "PYTHONDONTWRITEBYTECODE": ""}
    line = [sys.executable, "-m", PACKAGE + program, *map(str, words)]

    def run() -> None:
        done = subprocess.run(line, env=environment, cwd=TREE, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr.decode()

    return run


@pytest.mark.benchmark(timer=spent)
@pytest.mark.parametrize("program", ["validator", "modulegen"])
def test_help(benchmark: Any, tmp_path: Path, program: str) -> None:
    benchmark.pedantic(command(tmp_path, program, "--help"), rounds=20, warmup_rounds=2)


@pytest.mark.benchmark(timer=spent)
def test_check_of_a_turn(benchmark: Any, tmp_path: Path) -> None:
    benchmark.pedantic(command(tmp_path, "validator", "check", SHEET), rounds=10, warmup_rounds=1)


LARGEST_PAGE = 3_000_000
"""Bytes: what a mail may carry without anybody minding."""


@pytest.mark.benchmark(timer=spent)
@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_check_of_a_whole_game(benchmark: Any, tmp_path: Path, form: str) -> None:
    sheet = tmp_path / "game.sheet"
    sheet.write_text(game(), encoding="utf-8")
    words = ("check", sheet, "-o", tmp_path / f"game.{form}", "--format", form)
    benchmark.pedantic(command(tmp_path, "validator", *words), rounds=3, warmup_rounds=1)
    benchmark.extra_info["bytes"] = size = (tmp_path / f"game.{form}").stat().st_size
    assert form != "html" or size < LARGEST_PAGE


@pytest.mark.benchmark(timer=spent)
@pytest.mark.parametrize("task", ["transcribe", "check"])
def test_log(benchmark: Any, tmp_path: Path, task: str) -> None:
    benchmark.pedantic(command(tmp_path, "validator", task, PLAYED), rounds=5, warmup_rounds=1)


@pytest.mark.benchmark(timer=spent)
def test_build(benchmark: Any, tmp_path: Path) -> None:
    words = ("build", "hurtgen", "--no-cache", "--out", tmp_path)
    benchmark.pedantic(command(tmp_path, "modulegen", *words), rounds=3, warmup_rounds=1)


@pytest.mark.benchmark(timer=spent)
def test_check_of_a_scenario(benchmark: Any, tmp_path: Path) -> None:
    benchmark.pedantic(command(tmp_path, "modulegen", "check", "bastogne"), rounds=3, warmup_rounds=1)
