"""A folder of games: seconds, and the most memory that whoever writes the report holds, whatever its form.

The sheets are a complete game's first turns, each cut at another place. `HEXFORGE_BENCH_SHEETS` says how many.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks.games import game
from benchmarks.test_referee import STARTER
from hexforge.validator.report.pages import FORMS

COUNT = int(os.environ.get("HEXFORGE_BENCH_SHEETS", "1000"))
MEGABYTES = 150


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("folder")
    parts = game().split("\nturn ")
    for number in range(COUNT):
        text = "\nturn ".join(parts[: 4 + number % 5])
        (home / f"{number:04}.sheet").write_text(text + "\n", encoding="utf-8")
    return home


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("form", FORMS)
def test_a_folder(benchmark: Any, folder: Path, tmp_path: Path, form: str, jobs: int) -> None:
    words = ("check", folder, "--format", form, "--jobs", str(jobs), "-o", tmp_path / "report")
    command = [sys.executable, "-S", "-c", STARTER, sys.executable, "-m", "hexforge.validator", *map(str, words)]
    run = partial(subprocess.run, command, stdout=subprocess.PIPE, check=True, text=True)
    told = benchmark.pedantic(run, rounds=1).stdout.split()
    benchmark.extra_info.update(sheets=COUNT, cpu=round(float(told[0]), 1), megabytes=round(float(told[1])))
    assert float(told[1]) < MEGABYTES
