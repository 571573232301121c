"""Sheets on which the referee of 0.1.0 and the rulebook disagreed: each can be read whole and is judged.

What the rulebook demands stands at the head of each sheet and, with what was said of it, in `faults/README.md`; the
rulings are R121 to R130.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexforge.validator.check import judge
from hexforge.validator.readers.sheet import read_sheet

HOME = Path(__file__).parent / "faults"
SHEETS = sorted(HOME.glob("*.sheet"))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_is_read_whole(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "\n# Rulebook:" in text
    sheet = read_sheet(text)
    assert not sheet.problems
    assert judge(sheet).as_json()["verdict"] in ("legal", "illegal", "doubtful")


def test_the_table_names_each_sheet() -> None:
    table = (HOME / "README.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| F")]
    named = {name for row in rows for name in re.findall(r"F\w+", row)}
    assert named == {path.stem.partition("-")[0] for path in SHEETS}
