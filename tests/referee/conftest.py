"""An invented game whose choices are made otherwise, so that each mechanic is judged by itself."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from hexforge.validator import games
from hexforge.validator.check import judge
from hexforge.validator.readers.sheet import read_sheet
from hexforge.validator.report.answer import Answer

HOME = Path(__file__).parent.parent / "games" / "saltway"
Judge = Callable[..., Answer]
CHOSEN = ("zones", "stacking", "supply", "replacements")
"""Groups of choices that are given whole."""


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Judge]:
    """Judges lines of a sheet on an open map by the invented game with some of its rules otherwise."""
    before = dict(games._FOLDERS)
    count = itertools.count()

    def work(
        lines: str,
        *,
        ground: str = "",
        sequence: Any = None,
        tables: Any = None,
        game: Any = None,
        victory: Any = None,
        texts: Any = None,
        **rules: Any,
    ) -> Answer:
        folder = tmp_path / str(next(count)) / "saltway"
        shutil.copytree(HOME, folder)
        whole = yaml.safe_load((HOME / "game.yaml").read_text("utf-8"))
        _lay(whole["rules"], rules)
        whole |= game or {}
        whole["sequence"] = sequence or whole["sequence"]
        own = {p["phase"]: p["phase"] for p in whole["sequence"] if p["phase"] not in ("movement", "combat")}
        said = {**(texts or {}), **({"phases": own} if own else {})}
        if said:
            path = folder / "text.en.yaml"
            path.write_text(f"{path.read_text('utf-8')}\n{yaml.safe_dump(said)}", "utf-8")
        (folder / "game.yaml").write_text(yaml.safe_dump(whole), "utf-8")
        if tables:
            results = yaml.safe_load((HOME / "tables.yaml").read_text("utf-8"))
            _lay(results, tables)
            (folder / "tables.yaml").write_text(yaml.safe_dump(results), "utf-8")
        if victory:
            (folder / "victory.yaml").write_text(yaml.safe_dump(victory), "utf-8")
        games.learn(folder)
        answer = judge(read_sheet(f"sheet 1\ngame saltway\nmap blank steppe 11x9\n{ground}\n{lines}"))
        assert not answer.counts["unread"], answer.findings
        return answer

    yield work
    games._FOLDERS.clear()
    games._FOLDERS.update(before)


def _lay(over: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        if name not in CHOSEN and isinstance(value, dict) and isinstance(over.get(name), dict):
            _lay(over[name], value)
        else:
            over[name] = value
