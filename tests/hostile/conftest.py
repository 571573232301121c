"""A small game to spoil."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen import starter


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A fresh starter game."""
    folder = tmp_path / "river-war"
    starter.write(folder)
    return folder
