"""How long the referee takes: a complete game, part of one, a small sheet as a process, one unit's reach.

CPU time is measured, for the machine may have other things to do.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from benchmarks.games import game
from hexforge.scenarios.loader import load
from hexforge.validator.judging.replay import replay
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.journey import reach
from hexforge.validator.rules.opening import open_game
from hexforge.validator.rules.phases import open_phase

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 2.0
MEGABYTES = 150


def first_turns(text: str, share: float) -> str:
    """The first part of a game, cut before a turn."""
    parts = text.split("\nturn ")
    return "\nturn ".join(parts[: 1 + int(share * (len(parts) - 1))])


def seconds(text: str) -> float:
    """CPU time of reading and judging a sheet, nothing being known beforehand; the best of three."""
    best = float("inf")
    for _ in range(3):
        scenario = load("bastogne")
        start = time.process_time()
        assert replay(scenario, read_sheet(text)).verdict == "legal"
        best = min(best, time.process_time() - start)
    return best


def test_a_complete_game(benchmark: Any) -> None:
    text = game()
    scenario = load("bastogne")
    judged = benchmark.pedantic(lambda: replay(scenario, read_sheet(text)), rounds=3, warmup_rounds=0)
    assert judged.verdict == "legal"
    benchmark.extra_info.update(moves=len(judged.moves), combats=len(judged.combats), cpu=round(seconds(text), 3))
    assert len(judged.moves) > 1500 and len(judged.combats) > 300
    assert benchmark.extra_info["cpu"] < SECONDS


def test_the_cost_is_linear_in_the_length(benchmark: Any) -> None:
    text = game()
    half = first_turns(text, 0.5)
    benchmark.pedantic(seconds, args=(half,), rounds=1)
    lines = text.count("\n") / half.count("\n")
    ratio = seconds(text) / seconds(half)
    benchmark.extra_info.update(lines=round(lines, 2), time=round(ratio, 2))
    assert ratio < 1.6 * lines


# A process begins with the memory of the one that starts it, so a small one stands between.
STARTER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


LIBRARIES = "import click, pydantic, yaml, rich.console, jinja2"
"""What a check is held against: what it imports besides itself."""


def run(path: Path) -> tuple[float, float]:
    """CPU seconds and megabytes of a check as a process of its own."""
    return started("-m", "hexforge.validator", "check", str(path), "--format", "json")


def started(*words: str) -> tuple[float, float]:
    """CPU seconds and megabytes of a Python of its own."""
    starter = [sys.executable, "-S", "-c", STARTER, sys.executable, *words]
    told = subprocess.run(starter, stdout=subprocess.PIPE, cwd=ROOT, check=True, text=True).stdout.split()
    return float(told[0]), float(told[1])


def test_a_complete_game_as_a_process(benchmark: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.sheet"
    path.write_text(game(), encoding="utf-8")
    runs = [benchmark.pedantic(run, args=(path,), rounds=1), run(path), run(path)]
    cpu, memory = min(r[0] for r in runs), max(r[1] for r in runs)
    benchmark.extra_info.update(cpu=round(cpu, 2), megabytes=round(memory))
    assert cpu < SECONDS and memory < MEGABYTES


def test_a_small_sheet_as_a_process(benchmark: Any) -> None:
    path = ROOT / "scenarios" / "hurtgen" / "examples" / "turn2-well.sheet"
    run(path)  # the first one may compile the program
    benchmark.pedantic(run, args=(path,), rounds=5)
    cpu = min(run(path)[0] for _ in range(5))
    libraries = min(started("-c", LIBRARIES)[0] for _ in range(5))
    benchmark.extra_info.update(cpu=round(cpu, 3), imports=round(cpu / libraries, 2))


@pytest.mark.parametrize(("unit", "points"), [("ge-2-1", "road"), ("us-109-1", "foot")])
def test_the_reach_of_a_unit(benchmark: Any, unit: str, points: str) -> None:
    scenario = load("bastogne")
    sheet = read_sheet(first_turns(game(), 0.02))
    ctx, position, _ = open_game(scenario, sheet, {})
    position = open_phase(ctx, position, st.TurnStart(0, 20, ctx.units[unit].side, "movement")).position
    found = benchmark(reach, ctx, position, unit)
    benchmark.extra_info.update(way=points, hexes=len(found))
    assert found


def test_nothing_is_kept_of_a_game_that_is_over() -> None:
    """Positions share what they have in common, and are let go."""
    import gc

    scenario, text = load("bastogne"), game()
    replay(scenario, read_sheet(text))
    gc.collect()
    before = psutil.Process().memory_info().rss
    for _ in range(3):
        replay(scenario, read_sheet(text))
    gc.collect()
    assert psutil.Process().memory_info().rss - before < 30_000_000
