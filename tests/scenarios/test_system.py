"""What is said of a file that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.scenarios.console import open_file, refused


@pytest.mark.parametrize(("asked", "near"), [("turn2-wel.sheet", "turn2-well.sheet"), ("other.vlog", "")])
def test_a_name_nearly_right_is_told(tmp_path: Path, asked: str, near: str) -> None:
    (tmp_path / "turn2-well.sheet").write_text("", "utf-8")
    with pytest.raises(FileNotFoundError) as caught:
        open_file(str(tmp_path / asked))
    told = str(refused(caught.value))
    assert repr(str(tmp_path / near)) in told if near else "is there" not in told


def test_a_folder_that_is_not_there_has_no_names(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        open_file(str(tmp_path / "none" / "turn2.sheet"))
    assert "is there" not in str(refused(caught.value))
