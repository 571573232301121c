"""Rows of cells as lines for a terminal, lined up by rich."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Final

from hexforge.scenarios.console import safe

_UNBOUNDED: Final = 100_000


def lined_up(
    rows: Iterable[Sequence[object]], *, right: Sequence[int] = (), indent: int = 0, fit: bool = False
) -> list[str]:
    """The lines of a table without rules; `right` are the columns of numbers, `indent` blanks begin each line.

    A row is a line, however long it is; with `fit` the last column is wrapped within itself where a terminal reads.
    """
    cells = [[safe(str(cell)) for cell in row] for row in rows]
    if not cells:
        return []
    # Loading rich takes 30 ms, which only a command that has a table to print is to pay.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    last = len(cells[0]) - 1
    for column in range(last + 1):
        table.add_column(justify="right" if column in right else "left", no_wrap=column < last, overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    width = shutil.get_terminal_size().columns - indent if fit and sys.stdout.isatty() else _UNBOUNDED
    out = StringIO()
    Console(file=out, width=width, color_system=None, force_jupyter=False).print(table)
    return [f"{'':{indent}}{line.rstrip()}" for line in out.getvalue().splitlines()]
