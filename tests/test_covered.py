"""What says whether the tests pass through enough of the code, before what was measured and what was not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .covered import main


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one file of four lines, of which three were passed, under the name of a link to its folder."""
    (tmp_path / "hexforge").mkdir()
    (tmp_path / "validator").mkdir()
    (tmp_path / "hexforge" / "validator").symlink_to(Path("..", "validator"), target_is_directory=True)
    (tmp_path / "validator" / "seen.py").write_text("a = 1\nb = 2\nc = 3\nd = 4\n", "utf-8")
    file = {
        "executed_lines": [1, 2, 3],
        "missing_lines": [4],
        "executed_branches": [],
        "missing_branches": [],
        "summary": {"percent_covered": 75.0},
    }
    sums = {"covered_lines": 3, "missing_lines": 1, "covered_branches": 0, "missing_branches": 0}
    report = {"files": {"hexforge/validator/seen.py": file}, "summary": {**sums, "percent_covered": 75.0}}
    (tmp_path / "measured.json").write_text(json.dumps(report), "utf-8")
    return tmp_path


def test_a_file_that_is_seen_by_another_name_counts_once(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(str(tree / "measured.json"), "75", tree) == 0
    said = capsys.readouterr().out
    assert "covered: 75.00 %" in said
    assert said.count("seen.py") == 1


def test_a_file_that_no_test_imports_counts_as_missed(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "validator" / "new.py").write_text("def new() -> int:\n\n    return 1\n", "utf-8")
    assert main(str(tree / "measured.json"), "75", tree) == 1
    said = capsys.readouterr().out
    assert "covered: 50.00 %" in said
    assert "validator/new.py" in said
