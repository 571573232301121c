"""What `make test` says of coverage: the files that tests pass through least, and whether it is enough.

    python tests/covered.py MEASURED.json FLOOR

FLOOR is the least share of lines and branches together, in per cent; below it the status is 1. Of a file that no
test imported nothing was measured: it counts as missed with every line that is not blank.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

WORST = 40
MEASURED = ("hexforge", "modulegen", "scenarios", "validator")
"""Folders of whose files each has to be tested; the links in the first are names of the others."""


def main(measured: str, floor: str, root: Path = Path()) -> int:
    """Print the files that miss most, and the share of all; 1 if it is below the floor.

    `root`: the tree that was measured, to which the names of files in the report are relative.
    """
    found = json.loads(Path(measured).read_text(encoding="utf-8"))
    root = root.resolve()
    missed = {
        _name(root / name, root): (
            len(file["missing_lines"]),
            len(file["missing_branches"]),
            file["summary"]["percent_covered"],
        )
        for name, file in found["files"].items()
    }
    files = {_name(path, root): path for folder in MEASURED for path in (root / folder).rglob("*.py")}
    unseen = {name: _lines(path) for name, path in files.items() if name not in missed}
    missed |= {name: (lines, 0, 0.0) for name, lines in unseen.items()}
    table = Table("file", "lines missed", "branches missed", "covered %", title=f"the {WORST} files that miss most")
    for name, (lines, branches, share) in sorted(missed.items(), key=lambda one: -sum(one[1][:2]))[:WORST]:
        table.add_row(name, str(lines), str(branches), f"{share:.1f}")
    sums = found["summary"]
    covered = sums["covered_lines"] + sums["covered_branches"]
    share = 100 * covered / (covered + sums["missing_lines"] + sums["missing_branches"] + sum(unseen.values()))
    console = Console(width=110)
    console.print(table)
    console.print(f"covered: {share:.2f} % of lines and branches (floor: {floor} %)")
    return int(share < float(floor))


def _name(path: Path, root: Path) -> str:
    return path.resolve().relative_to(root).as_posix()


def _lines(path: Path) -> int:
    return sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
