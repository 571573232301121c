"""The game that every test of the desks begins with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import starters


@pytest.fixture
def game(tmp_path: Path) -> Path:
    starters.write(tmp_path / "my-game")
    return tmp_path / "my-game"
