"""What `make full` says of coverage holds for all of the program, also for files that no test imports."""

from __future__ import annotations

from typing import Any

import pytest
from slipcover.config import read_config

from .covered import ROOT, with_unseen


@pytest.mark.full
def test_a_file_that_no_test_imports_is_missed_as_a_whole() -> None:
    summary = {"covered_lines": 3, "missing_lines": 1, "covered_branches": 0, "missing_branches": 0}
    seen = {"executed_lines": [1, 2, 3], "missing_lines": [5], "executed_branches": [], "missing_branches": []}
    found: dict[str, Any] = {
        "meta": {"software": "slipcover", "branch_coverage": True},
        # As it was imported: by the links in `hexforge/`.
        "files": {"hexforge/scenarios/model.py": {**seen, "summary": summary}},
    }
    whole = with_unseen(found, read_config(ROOT / "pyproject.toml"))["files"]
    assert [len(whole["hexforge/scenarios/model.py"][what]) for what in ("executed_lines", "missing_lines")] == [
        3,
        1,
    ]
    other = next(file for name, file in whole.items() if name.endswith("validator/rules/combat/retreat.py"))
    assert not other["executed_lines"] and len(other["missing_lines"]) > 50 and other["missing_branches"]
    assert len({(ROOT / name).resolve() for name in whole}) == len(whole) > 400, "each file once"
