"""Modules of anybody's looked at: pictures that changed under their names, boards with their grids."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from hexforge.modulegen.vassal.module import read_module
from tests.commands import here
from tests.lint.small import edit, packed, picture

BOARD = "VASSAL.build.module.map.boardPicker."
NUMBERS = f'<{BOARD}board.mapgrid.HexGridNumbering hOff="1" vOff="1" sep="."/>'
HEXES = f'<{BOARD}board.HexGrid dx="50" dy="60" x0="0" y0="30"SIDE>{NUMBERS}</{BOARD}board.HexGrid>'


def dotted(*dots: tuple[int, int], optimize: bool = False) -> bytes:
    out, image = io.BytesIO(), Image.new("RGB", (20, 20), "white")
    for dot in dots:
        image.putpixel(dot, (0, 0, 0))
    image.save(out, "PNG", optimize=optimize, compress_level=9 if optimize else 0)
    return out.getvalue()


def test_a_picture_that_changed_under_its_name_is_told_with_how_much_of_it(tmp_path: Path) -> None:
    old, new = tmp_path / "old.vmod", tmp_path / "new.vmod"
    before = {"a.png": dotted((1, 1)), "b.png": dotted((1, 1)), "c.png": dotted()}
    after = {
        "a.png": dotted((1, 1), optimize=True),
        "b.png": dotted(*((x, 3) for x in range(20))),
        "c.png": picture(9, 9),
    }
    for path, pictures in ((old, before), (new, after)):
        path.write_bytes(packed(lambda f, p=pictures: f.update({f"images/{n}": d for n, d in p.items()})))  # type: ignore[misc]
    told = here("modulegen", "diff", old, new)
    assert told.returncode == 1
    assert "images/b.png: 20 × 20 pixels -> 20 × 20 pixels, 5 % of them otherwise" in told.stdout
    assert "images/c.png: 20 × 20 pixels -> 9 × 9 pixels" in told.stdout
    files, _, pictures_ = told.stdout.partition("pictures (2)")
    assert "a.png" in files
    assert "a.png" not in pictures_


@pytest.mark.parametrize("side", ["", ' sideways="true"'])
def test_the_grid_lies_over_the_board_where_vassal_counts(tmp_path: Path, side: str) -> None:
    module = tmp_path / "x.vmod"
    grid = edit(
        f'(<{BOARD}Board name="Board" image="board.png")/>', rf"\1>{HEXES.replace('SIDE', side)}</{BOARD}Board>"
    )
    module.write_bytes(packed(grid, lambda f: f.update({"images/board.png": picture(400, 300)})))
    done = here("modulegen", "preview", module, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "out" / "Field-Board.png") as drawn:
        assert drawn.size == (400, 300)
        pink = {(x, y) for x in range(400) for y in range(300) if drawn.getpixel((x, y)) == (200, 0, 120)}
    board = read_module(module).maps[0].boards[0]
    # No line runs through the middle of a hex, and one runs along the edge between two.
    assert board.grid is not None
    assert board.grid.location_name((100, 150), (400, 300)) is not None
    centre, edge = ((100, 150), (100, 120)) if not side else ((150, 100), (120, 100))
    assert board.grid.point_of(str(board.grid.location_name(centre, (400, 300))), (400, 300)) == centre
    assert centre not in pink
    assert any((edge[0] + d, edge[1] + e) in pink for d in (-1, 0, 1) for e in (-1, 0, 1))
    again = here("modulegen", "preview", module, "--out", tmp_path / "out")
    assert again.stdout == done.stdout
    module.write_bytes(packed())
    assert here("modulegen", "preview", module, "--out", tmp_path / "none").returncode == 1
