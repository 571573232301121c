"""What the commands cost in an earlier tree and in this one: `python benchmarks/compare.py REVISION-OR-FOLDER`.

The benchmarks are this tree's, `test_commands.py`, for both. Words after the first go to pytest, as `-k help`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tree_of(revision: str, folder: Path) -> Path:
    """The tree of a revision, written out below the folder; a folder is taken as it is."""
    if Path(revision).is_dir():
        return Path(revision).resolve()
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder


def measure(tree: Path, name: str, storage: Path, words: list[str]) -> None:
    saved = [f"--benchmark-storage={storage}", f"--benchmark-save={name}", "--benchmark-only", "--benchmark-quiet"]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", ROOT / "benchmarks" / "test_commands.py", *saved, *words],
        cwd=ROOT,
        env={**os.environ, "HEXFORGE_BENCH_TREE": str(tree)},
        check=True,
    )


def main(revision: str, *words: str) -> None:
    with tempfile.TemporaryDirectory(prefix="hexforge-bench-") as folder:
        tree, storage = Path(folder, "tree"), Path(folder, "saved")
        tree.mkdir()
        measure(tree_of(revision, tree), "before", storage, list(words))
        measure(ROOT, "now", storage, list(words))
        columns = ("--columns=min,median,max,rounds", "--group-by=name", "--sort=name", "--name=normal")
        reader = [sys.executable, "-m", "pytest_benchmark", f"--storage={storage}", "compare", *columns]
        subprocess.run(reader, check=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
