"""The terrain key of games with many movement classes: names keep their room."""

from __future__ import annotations

from hexforge.modulegen.render.board_key import COLUMNS, NAME_GAP, NARROWEST, _column, _step


def test_columns_draw_together_before_names_shrink() -> None:
    widest = 60.0
    assert _step(3, widest) == COLUMNS["step"]
    step = _step(4, widest)
    assert NARROWEST <= step < COLUMNS["step"]
    assert _column(0, 4, step) - NAME_GAP - COLUMNS["name"] >= widest
