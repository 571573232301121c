"""An invented game whose choices are made otherwise, so that each mechanic is judged by itself."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Mapping
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


@pytest.fixture(scope="session")
def changed_games(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The folder of the invented game with some of its rules otherwise: the same folder for the same changes.

    To read a game takes longer than to judge a few lines by it, and it is read once for all tests that ask for it.
    """
    homes: dict[str, Path] = {}

    def changed(**changes: Any) -> Path:
        key = repr(changes)
        if key not in homes:
            homes[key] = _changed(tmp_path_factory.mktemp("changed") / "saltway", **changes)
        return homes[key]

    return changed


def _changed(folder: Path, *, rules: Any, sequence: Any, tables: Any, game: Any, victory: Any, texts: Any) -> Path:
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
    return folder


@pytest.fixture
def judged(changed_games: Callable[..., Path]) -> Judge:
    """Judges lines of a sheet on an open map by the invented game with some of its rules otherwise."""

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
        games.learn(
            changed_games(rules=rules, sequence=sequence, tables=tables, game=game, victory=victory, texts=texts)
        )
        answer = judge(read_sheet(f"sheet 1\ngame saltway\nmap blank steppe 11x9\n{ground}\n{lines}"))
        assert not answer.counts["unread"], answer.findings
        return answer

    return work


def _lay(over: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        if name not in CHOSEN and isinstance(value, dict) and isinstance(over.get(name), dict):
            _lay(over[name], value)
        else:
            over[name] = value
