"""An invented game whose choices are made otherwise, so that each mechanic is judged by itself."""

from __future__ import annotations

import copy
import itertools
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.notation import games
from hexforge.validator.reading.sheet import read_sheet
from tests import yamls

HOME = Path(__file__).parent.parent / "games" / "saltway"
Judge = Callable[..., Answer]
CHOSEN = ("zones", "stacking", "supply", "replacements")
"""Groups of choices that are given whole."""


@cache
def _read(name: str) -> Any:
    return yamls.read(HOME / name)


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
        whole = copy.deepcopy(_read("game.yaml"))
        _lay(whole["rules"], rules)
        whole |= game or {}
        whole["sequence"] = sequence or whole["sequence"]
        own = {p["phase"]: p["phase"] for p in whole["sequence"] if p["phase"] not in ("movement", "combat")}
        said = {**(texts or {}), **({"phases": own} if own else {})}
        if said:
            path = folder / "text.en.yaml"
            path.write_text(f"{path.read_text('utf-8')}\n{yamls.written(said)}", "utf-8")
        yamls.write(folder / "game.yaml", whole)
        if tables:
            results = copy.deepcopy(_read("tables.yaml"))
            _lay(results, tables)
            yamls.write(folder / "tables.yaml", results)
        if victory:
            yamls.write(folder / "victory.yaml", victory)
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
