"""Tables of the terminal: lined up, whole, harmless."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from hexforge.scenarios.console import lined_up

WAY = " ".join(f"{n:04}" for n in range(300))


def test_columns_stand_below_each_other_and_numbers_on_the_right() -> None:
    rows = [("0907", "0.5", "1007 0907"), ("08", "10", "1007")]
    assert lined_up(rows, right=[1], indent=2) == ["  0907  0.5  1007 0907", "  08     10  1007"]
    assert lined_up([]) == []


def test_what_is_piped_is_never_cut() -> None:
    assert lined_up([("0907", WAY)], fit=True) == [f"0907  {WAY}"]


def test_on_a_terminal_the_last_column_is_wrapped_within_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((40, 24)))
    first, *rest = lined_up([("0907", WAY)], indent=2, fit=True)
    assert first.startswith("  0907  0000 0001") and all(line.startswith(" " * 8) for line in rest)
    assert max(map(len, (first, *rest))) <= 40 and " ".join(" ".join((first, *rest)).split()) == f"0907 {WAY}"


def test_a_strangers_text_is_text() -> None:
    assert lined_up([("[red]a[/]", "\x1b[2J:smile:")]) == ["[red]a[/]  �[2J:smile:"]
