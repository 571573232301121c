"""Change a module in every way mutmut knows, and name the changes that no test notices.

Usage: python tests/mutate.py validator/rules/duties.py [...]

Works on a copy of the tree outside the project in which the links of `hexforge/` are folders, for a module is
changed under the name by which it is imported. Survivors are judged in `docs/mutants.md`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("art", "modulegen", "scenarios", "validator")
SLOW = ("combat_selfplay", "movement_fuzz", "movement_properties", "whole_games")
TESTS = [
    "tests/cases/test_catalogue.py",
    *sorted(
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests" / "referee").glob("test_*.py")
        if path.stem.removeprefix("test_") not in SLOW
    ),
]
"""The tests that have to notice: those of the referee but for its longest, and the catalogue of cases."""
LEFT_OUT = shutil.ignore_patterns("__pycache__", "witness")


def lay_out(tree: Path, modules: list[str]) -> None:
    """The tree as mutmut wants it, with what is to be changed and what to run in its settings."""
    (tree / "hexforge").mkdir(parents=True)
    for name in ("__init__.py", "py.typed"):
        shutil.copy(ROOT / "hexforge" / name, tree / "hexforge")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tree / "hexforge" / name, ignore=LEFT_OUT)
    for name in ("tests", "docs"):
        shutil.copytree(ROOT / name, tree / name, ignore=LEFT_OUT)
    settings = {
        "source_paths": ["hexforge/"],
        "only_mutate": [f"hexforge/{m}" for m in modules],
        "also_copy": ["tests", "docs"],
        "pytest_add_cli_args_test_selection": TESTS,
    }
    told = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    (tree / "pyproject.toml").write_text(
        (ROOT / "pyproject.toml").read_text("utf-8") + f"\n[tool.mutmut]\n{told}", "utf-8"
    )


def main(modules: list[str]) -> int:
    """Prints each survivor as a difference; the number of them as exit status, at most 1."""
    for module in modules:
        if not (ROOT / module).is_file():
            raise SystemExit(f"{module}: no such file below {ROOT}")
    with tempfile.TemporaryDirectory(prefix="hexforge-mutants-") as folder:
        tree = Path(folder, "tree")
        lay_out(tree, modules)
        mutmut = (sys.executable, "-m", "mutmut")
        subprocess.run([*mutmut, "run"], cwd=tree, check=True)
        told = subprocess.run([*mutmut, "results"], cwd=tree, check=True, stdout=subprocess.PIPE, text=True).stdout
        survivors = [
            line.strip().partition(":")[0] for line in told.splitlines() if "killed" not in line and ":" in line
        ]
        for name in survivors:
            subprocess.run([*mutmut, "show", name], cwd=tree, check=True)
    print(f"{len(survivors)} survive in {', '.join(modules)}")
    return 1 if survivors else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    sys.exit(main(sys.argv[1:]))
