"""What VASSAL's engine needs to open our modules, as they were and as they are.

    python -m benchmarks.opening REVISION-OR-FOLDER

Each module is built from its own tree, opened by the witness, and begun at its first set-up. Seconds are those
of the processor, the least and the median of several openings. Megabytes, the median: those taken from Java's
heap on the way, which measure the work where what else the machine does disturbs the seconds, and those that
live there once it is swept.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.compare import ROOT, tree_of
from tests.witness import Engine

GAMES = ("hurtgen", "metz", "bastogne")
TIMES = int(os.environ.get("HEXFORGE_BENCH_TIMES", "5"))
RUN = "from hexforge.modulegen.cli import main; main()"

Cost = tuple[float, float, float]
"""Seconds of processor, megabytes taken, megabytes that live."""


def build(tree: Path, game: str, out: Path) -> Path:
    """The module of a game, as a tree builds it."""
    command = [sys.executable, "-c", RUN, "build", game, "--lang", "en", "--no-cache", "--out", str(out)]
    subprocess.run(command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, check=True, capture_output=True)
    (module,) = out.rglob("*.vmod")
    return module


def opened(module: Path) -> dict[str, Cost]:
    """What one engine needs up to the open module, and from there to the set-up that stands."""
    with Engine(fresh=True) as engine:
        before = engine.ask("used")
        engine.open(module, described=False)
        there = engine.ask("used")
        # Which set-ups there are is told by `describe`, which costs more than what is measured.
        engine.ask("first_setup")
        begun = engine.ask("used")
    return {
        "opened": _cost(before, there),
        "set up": _cost(there, begun),
    }


def _cost(before: dict[str, float], after: dict[str, float]) -> Cost:
    return after["processor"] - before["processor"], after["taken"] - before["taken"], after["heap"]


def main(revision: str) -> None:
    with tempfile.TemporaryDirectory(prefix="hexforge-bench-") as folder:
        (Path(folder) / "tree").mkdir()
        trees = {"before": tree_of(revision, Path(folder) / "tree"), "now": ROOT}
        for game in GAMES:
            built = {name: build(tree, game, Path(folder) / name / game) for name, tree in trees.items()}
            taken: dict[str, list[dict[str, Cost]]] = {name: [] for name in built}
            for _ in range(TIMES):
                for name, module in built.items():
                    taken[name].append(opened(module))
            for what in ("opened", "set up"):
                for name, runs in taken.items():
                    seconds, took, lives = zip(*(r[what] for r in runs), strict=True)
                    told = f"{min(seconds):5.2f} s (median {median(seconds):5.2f})"
                    heap = f"{median(took):6.1f} MB taken, {median(lives):6.1f} MB live"
                    print(f"{game:9} {what:7} {name:7} {told} {heap}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
