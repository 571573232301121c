"""What is cited is written down: a ruling (R24) in `docs/rulings.md`, a section (B 4.1.2) in `docs/coverage.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULINGS = (ROOT / "docs" / "rulings.md").read_text("utf-8")
COVERAGE = (ROOT / "docs" / "coverage.md").read_text("utf-8")
FOLDERS = ("art", "benchmarks", "docs", "hexforge", "modulegen", "scenarios", "tests", "validator")
TEXT = {".py", ".md", ".yaml", ".csv", ".sheet", ".txt", ".toml", ".j2", ".mail", ".eml"}
RULING = re.compile(r"\bR([1-9]\d{0,2})\b(?:(?: to |–| a )R([1-9]\d{0,2})\b)?")
SECTION = re.compile(r"\b[BMH](?:,? (?:and )?[BMH])* (\d+\.\d+(?:\.\d+)?)")


def texts() -> Iterator[tuple[str, str]]:
    """Every text of the project by its path."""
    paths = [*ROOT.glob("*.md"), *(p for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*")))]
    for path in paths:
        if path.suffix in TEXT and path.is_file() and path != Path(__file__).resolve():
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8", errors="replace")


def numbers(text: str) -> Iterator[int]:
    """The rulings that a text cites, a span being all between its ends."""
    for first, last in RULING.findall(text):
        yield from range(int(first), int(last or first) + 1)


def headed() -> set[int]:
    """The rulings that have an entry: those in bold before the dash of its title."""
    return {n for head in re.findall(r"^\*\*(R[^–]*) – ", RULINGS, re.MULTILINE) for n in numbers(head)}


def unwritten(text: str) -> set[int]:
    return set(numbers(text)) - headed()


def test_each_ruling_that_is_cited_has_an_entry() -> None:
    cited = dict(texts())
    assert len(cited) > 200
    assert {name: sorted(found) for name, text in cited.items() if (found := unwritten(text))} == {}


@pytest.mark.parametrize("text", ["R998", "see R24, R999", "R144 to R146"])
def test_a_ruling_without_an_entry_is_found(text: str) -> None:
    assert unwritten(text)


def test_no_number_stands_for_two_rulings() -> None:
    heads = [n for head in re.findall(r"^\*\*(R[^–]*) – ", RULINGS, re.MULTILINE) for n in numbers(head)]
    # R78 speaks of the edges of M twice: who comes by them, and who is driven over them.
    assert sorted({n for n in heads if heads.count(n) > 1}) == [78]
    assert headed() == set(range(1, max(heads) + 1))


def test_each_section_that_is_cited_is_told_where_it_is_judged() -> None:
    rows = [line.split("|")[1] for line in COVERAGE.splitlines() if line.startswith("| ")]
    told = {number for row in rows for number in re.findall(r"\d+(?:\.\d+)+", row)}
    # A part of a section that is told whole is told, and so is a section all of whose parts are.
    told |= {number.rpartition(".")[0] for number in told}
    for name, text in texts():
        strange = {s for s in SECTION.findall(text) if s not in told and s.rpartition(".")[0] not in told}
        assert not strange, f"{name} cites sections {sorted(strange)} that no row of coverage.md tells"
