"""What `make test` says of coverage: the files that tests pass through least, and whether it is enough.

    python tests/covered.py MEASURED.json FLOOR

FLOOR is the least share of lines and branches together, in per cent; below it the status is 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

WORST = 40


def main(measured: str, floor: str) -> int:
    """Print the files that miss most, and the share of all; 1 if it is below the floor."""
    found = json.loads(Path(measured).read_text(encoding="utf-8"))
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
