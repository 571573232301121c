"""The page that says where each section is judged names code, cases and tests that exist, and every section."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from .catalogue import FILES, cases

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| ")
]
ROWS = [row for row in ROWS if row[0] != "Section"]
CASE = re.compile(r"\b(?:BAS|MET|HUR)-[0-9A-Za-z.]+-[a-z]+[0-9]?\b")


@cache
def ids() -> frozenset[str]:
    """The ids of all cases."""
    return frozenset(case.id for case in cases())


def names(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] + row[1][:12])
def test_a_row_names_what_exists(row: list[str]) -> None:
    _, _, code, cited, tests = row
    for name in names(code):
        parts = name.split(".")
        for n in range(len(parts), 0, -1):
            try:
                found: object = import_module(".".join(("hexforge.validator", *parts[:n])))
            except ModuleNotFoundError:
                continue
            for attribute in parts[n:]:
                found = getattr(found, attribute)
            break
        else:
            pytest.fail(f"no module {name}")
    assert set(CASE.findall(cited)) <= ids()
    assert [t for t in names(tests) if not (ROOT / "tests" / "referee" / t).is_file()] == []


def test_cases_in_the_text_exist() -> None:
    assert set(CASE.findall(PAGE)) <= ids()


def test_every_section_that_a_case_cites_has_a_row() -> None:
    told = " ".join(row[0] for row in ROWS)
    sections = {"10.1": ("10.1.1", "10.1.2"), "11.1": ("11.1.1", "11.1.2"), "10.2": ("10.2.1", "10.2.2")}
    sections["11.2"] = ("11.2.1", "11.2.2")
    inner = {part: whole for whole, parts in sections.items() for part in parts}
    inner |= {"10.1.4": "10.1.3", "11.1.4": "11.1.3", "5.1": "5.1.1"}
    cited = {
        rule.split()[1]
        for path in FILES
        for item in yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)["cases"]
        for rule in item["rules"]
    }
    assert sorted(s for s in cited if inner.get(s, s) not in told) == []
