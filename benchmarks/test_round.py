"""A generated round as a site: games a minute with one process and with two, memory, and whether all was found.

Of a thousand files a tenth holds a mistake, one in twenty is damaged, one in twenty is a mail.
`HEXFORGE_BENCH_GAMES` says how many there are. Long games count as several: 2,000 actions are five games.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks.test_referee import STARTER
from hexforge.validator.app.discover import processors
from tests.generator.round import Planted, judged_wrongly, write_round

COUNT = int(os.environ.get("HEXFORGE_BENCH_GAMES", "1000"))
LEAST = 100
"""Games a minute with two processes."""
GAIN = 1.8
"""How much sooner two processes are done than one."""
ENOUGH = 500
"""Games from which on the speed says something: each process draws the boards anew, once."""
GROWTH = 25
"""Megabytes that ten times as many games may take more: what is drawn for a kind of mistake, and not given back."""
seconds: dict[int, float] = {}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Planted]]:
    home = tmp_path_factory.mktemp("round") / "round"
    return home, write_round(home, COUNT, jobs=processors())


def audited(home: Path, site: Path, jobs: int) -> tuple[float, float]:
    """Seconds, and the megabytes that the command held at most."""
    words = ("audit", home, "-o", site, "--jobs", str(jobs), "--tournament", home.with_suffix(".yaml"))
    home.with_suffix(".yaml").write_text("tournament: Benchmark\n", "utf-8")
    # Damaged files make the exit status of the command.
    starter = STARTER.replace(", check=True", "")
    command = [sys.executable, "-S", "-c", starter, sys.executable, "-m", "hexforge.validator", *map(str, words)]
    begun = time.monotonic()
    told = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    return time.monotonic() - begun, float(told[-1])


def size_of(site: Path) -> float:
    """How many games a site holds, long ones counted as several."""
    records = json.loads((site / "results.json").read_text("utf-8"))
    return float(sum(max(1.0, record.get("actions", 0) / 400) for record in records))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_round(benchmark: Any, planted: tuple[Path, list[Planted]], tmp_path: Path, jobs: int) -> None:
    home, files = planted
    site = tmp_path / "site"
    seconds[jobs], megabytes = benchmark.pedantic(partial(audited, home, site, jobs), rounds=1)
    minute = 60 * size_of(site) / seconds[jobs]
    benchmark.extra_info.update(games=COUNT, a_minute=round(minute), megabytes=round(megabytes))
    assert judged_wrongly(files, json.loads((site / "results.json").read_text("utf-8"))) == []
    if jobs > 1 and COUNT >= ENOUGH:
        assert minute >= LEAST
        assert seconds[1] / seconds[jobs] >= GAIN


def test_memory_does_not_grow_with_the_games(benchmark: Any, tmp_path: Path) -> None:
    held = []
    for count in (COUNT // 10, COUNT):
        home = tmp_path / f"round-{count}"
        write_round(home, count, seeds=1, long=False)
        held.append(audited(home, tmp_path / f"site-{count}", 1)[1])
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info.update(megabytes=[round(found) for found in held])
    assert held[1] - held[0] < GROWTH
