"""Fonts that are not what they should be: noticed, never passed over in another face."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexforge.modulegen.render import raster

NAME = "FiraSansCondensed-Medium.ttf"


@pytest.fixture
def fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "fonts"
    shutil.copytree(raster.font_folder(), folder)
    monkeypatch.setattr(raster, "font_folder", lambda: folder)
    raster.font_files.cache_clear()
    yield folder
    raster.font_files.cache_clear()


def complaint() -> str:
    with pytest.raises(raster.RenderError) as caught:
        raster.font_files()
    return str(caught.value)


def test_the_shipped_fonts_are_whole(fonts: Path) -> None:
    assert len(raster.font_files()) == 5


@pytest.mark.parametrize("size", [0, 3, 4, 11, 3000, 100_000, -1])
def test_a_font_cut_off_anywhere_is_noticed(fonts: Path, size: int) -> None:
    data = (fonts / NAME).read_bytes()
    (fonts / NAME).write_bytes(data[:size])
    assert NAME in complaint()


def test_a_missing_font_and_one_that_is_a_folder(fonts: Path) -> None:
    (fonts / NAME).unlink()
    assert f"{NAME}: is missing" in complaint()
    (fonts / NAME).mkdir()
    assert f"{NAME}: cannot be read" in complaint()
