"""Sheets on which the referee of 0.1.0 and the rulebook disagreed, and what is to be said of each.

What the rulebook demands stands at the head of each sheet and, with what was said of it, in `faults/README.md`.
What the rulings R121 to R130 make of it, with verdict, section, line and figures, is in `faults.yaml`, whose cases
are judged with all others; beside each fault stands what is lawful.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .catalogue import HOME as CASES
from .catalogue import cases

HOME = Path(__file__).parent / "faults"
SHEETS = sorted(HOME.glob("*.sheet"))
JUDGED = tuple(cases([CASES / "faults.yaml"]))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_is_a_case(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "\n# Rulebook:" in text
    assert text.strip() in {case.sheet.strip() for case in JUDGED}


@pytest.mark.parametrize("fault", sorted({path.stem[:3] for path in SHEETS}))
def test_what_is_wrong_stands_beside_what_is_lawful(fault: str) -> None:
    mine = [case for case in JUDGED if case.id.split("-")[1] == fault]
    assert {case.expect["verdict"] == "legal" for case in mine} == {True, False}
    assert all(case.expect.get("findings") for case in mine if case.expect["verdict"] != "legal")


def test_the_table_names_each_sheet() -> None:
    table = (HOME / "README.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| F")]
    named = {name for row in rows for name in re.findall(r"F\w+", row)}
    assert named == {path.stem.partition("-")[0] for path in SHEETS}
