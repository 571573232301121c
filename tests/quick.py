"""Runs the tests that a change touches, as many as a minute has room for, and some cases of the catalogue.

    python tests/quick.py [REV]

What has changed since REV (default: the last commit but one) is asked of git. Tests come in the order of how many
imports lie between them and what has changed; a file that is no Python is imported by who names it. How long each
file of tests takes is known from its last run (`tests/conftest.py`).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SECONDS: Final = ROOT / ".pytest_cache" / "v" / "hexforge" / "seconds"
BUDGET: Final = 40.0
"""Seconds that two processes have for the tests, a third of a minute each."""
UNKNOWN: Final = 3.0
"""What a file is taken to need of which nobody knows."""
CASES: Final = "150"
LEFT_OUT: Final = "not witness and not browser"
_NAMED: Final = re.compile(r"\b(?:hexforge|tests|benchmarks)(?:\.\w+)+")
_FROM: Final = re.compile(r"^\s*from\s+(\.*)([\w.]*)\s+import\s+(\([^)]*\)|.*)$", re.MULTILINE)
_WORD: Final = re.compile(r"\w+")


def changed(since: str) -> set[Path]:
    """Files that git finds changed or new."""
    told = ""
    for command in (["diff", "--name-only", "--relative", since], ["ls-files", "--others", "--exclude-standard"]):
        told += subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {(ROOT / name).resolve() for name in told.splitlines()}


def sources() -> dict[Path, str]:
    """All Python of the project, each file once, whatever links lead to it."""
    told = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    paths = {(ROOT / name).resolve() for name in told.splitlines()}
    return {path: path.read_text("utf-8") for path in sorted(paths) if path.is_file()}


def imports(path: Path, text: str) -> Iterator[Path]:
    """The files that a module imports, whenever it does, and those that it names in a text."""
    package = path.relative_to(ROOT).parent.parts
    for dots, module, names in _FROM.findall(text):
        above = list(package[: len(package) - len(dots) + 1]) if dots else []
        home = [*above, *filter(None, module.split("."))]
        yield from _files(home)
        yield from (found for one in _WORD.findall(names) for found in _files([*home, one]))
    yield from (found for one in _NAMED.findall(text) for found in _files(one.split(".")))
    if path.name.startswith("test_"):
        # What a folder's tests are lent by its `conftest.py`, and by those above it.
        homes = (home for home in path.parents if home.is_relative_to(ROOT))
        yield from (conf for home in homes if (conf := home / "conftest.py").is_file())


def _files(name: list[str]) -> Iterator[Path]:
    place = ROOT.joinpath(*name)
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            yield path.resolve()


def distances(changes: Iterable[Path], texts: Mapping[Path, str]) -> dict[Path, int]:
    """How many imports lie between each module and what has changed."""
    importers: defaultdict[Path, set[Path]] = defaultdict(set)
    for path, text in texts.items():
        for other in imports(path, text):
            importers[other].add(path)
    found: dict[Path, int] = {}
    for path in changes:
        if path in texts:
            found[path] = 0
        else:
            found.update((other, 1) for other, text in texts.items() if path.name in text)
    near = sorted(found, key=lambda path: found[path])
    while near:
        path = near.pop(0)
        for other in sorted(importers[path] - found.keys()):
            found[other] = found[path] + 1
            near.append(other)
    return found


def touched(since: str) -> list[Path]:
    """The files of tests that there is time for, nearest to the change first."""
    far = distances(changed(since), sources())
    needed = json.loads(SECONDS.read_text("utf-8")) if SECONDS.is_file() else {}
    tests = sorted((path for path in far if path.name.startswith("test_")), key=lambda path: far[path])
    chosen, left = [], BUDGET
    for path in tests:
        left -= needed.get(path.relative_to(ROOT).as_posix(), UNKNOWN)
        if left < 0:
            break
        chosen.append(path)
    print(f"{len(chosen)} of {len(tests)} files of tests that the change since {since} touches")
    return chosen


def main(since: str = "HEAD~1") -> int:
    """Run them; pytest's status."""
    chosen = {*touched(since), ROOT / "tests" / "cases" / "test_catalogue.py"}
    words = ["-n", "2", "--dist", "loadfile", "-m", LEFT_OUT, *(str(path) for path in sorted(chosen))]
    env = {**os.environ, "HEXFORGE_CASES": CASES}
    return subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
