"""A small game to spoil."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import starters


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A fresh starter game."""
    folder = tmp_path / "river-war"
    starters.write(folder)
    return folder
