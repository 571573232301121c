"""What `make full` says of coverage: the files that tests pass through least, and whether it is enough.

    python tests/covered.py MEASURED.json FLOOR

FLOOR is the least share of lines and branches together, in per cent; below it the status is 1. Files
that no test has so much as imported count as well.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from slipcover import Slipcover, branch, merge_coverage
from slipcover.config import read_config

ROOT = Path(__file__).resolve().parent.parent
WORST = 40


def with_unseen(found: dict[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured, and of each file of the program that was not, that all of it was missed."""
    homes = [ROOT / folder for folder in settings["source"]]
    program = {path.resolve() for home in homes for path in home.rglob("*.py")}
    seen = {(ROOT / name).resolve() for name in found["files"]}
    rest = Slipcover(branch=True, exclude_also=settings["exclude-also"])
    for path in sorted(program - seen):
        if any(path.is_relative_to(home) for home in homes):
            code = compile(branch.preinstrument(ast.parse(path.read_bytes())), str(path), "exec")
            rest.code_lines[str(path)] = set(Slipcover.lines_from_code(code))
            rest.code_branches[str(path)] = set(Slipcover.branches_from_code(code))
    whole: dict[str, Any] = merge_coverage(found, rest.get_coverage())
    return whole


def main(measured: str, floor: str) -> int:
    """Print the files that miss most, and the share of all; 1 if it is below the floor."""
    found = with_unseen(
        json.loads(Path(measured).read_text(encoding="utf-8")), read_config(ROOT / "pyproject.toml")
    )
    missed = {
        name: (len(file["missing_lines"]), len(file["missing_branches"]), file["summary"]["percent_covered"])
        for name, file in found["files"].items()
    }
    table = Table("file", "lines missed", "branches missed", "covered %", title=f"the {WORST} files that miss most")
    for name, (lines, branches, share) in sorted(missed.items(), key=lambda one: -sum(one[1][:2]))[:WORST]:
        table.add_row(name, str(lines), str(branches), f"{share:.1f}")
    share = found["summary"]["percent_covered"]
    console = Console(width=110)
    console.print(table)
    console.print(f"covered: {share:.2f} % of lines and branches (floor: {floor} %)")
    return int(share < float(floor))


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
