"""What a command costs as a process of its own: time, processor time and memory, its children included."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import psutil

PAUSE = 0.02
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock and of processor, and the most memory that all its processes held together, in MB.

    Pages that processes share count once.
    """

    wall: float
    processor: float
    memory: float


def modulegen(cache: Path, *words: str | Path) -> None:
    """Runs the command as a user does: a process of its own."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-m", "hexforge.modulegen", *map(str, words)]
    subprocess.run(command, env=environment, check=True, capture_output=True)


def cost(cache: Path, *words: str | Path) -> Cost:
    """Runs the command once and watches it."""
    before = os.times()
    start = time.perf_counter()
    done = Event()
    held: list[float] = []
    watcher = Thread(target=_watch, args=(done, held))
    watcher.start()
    try:
        modulegen(cache, *words)
    finally:
        wall = time.perf_counter() - start
        done.set()
        watcher.join()
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(round(wall, 2), round(processor, 2), round(max(held, default=0.0), 1))


def _watch(done: Event, held: list[float]) -> None:
    me = psutil.Process()
    while not done.wait(PAUSE):
        total = 0
        for process in me.children(recursive=True):
            try:
                info = process.memory_full_info()
            except psutil.Error:
                continue
            total += getattr(info, "pss", info.rss)
        held.append(total / 1e6)
