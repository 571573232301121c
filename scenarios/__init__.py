"""Games as data: the scenario files and the typed, immutable model that reads them.

`load("hurtgen")` or `load(Path("my-game"))` returns a `Scenario`; unreadable or contradictory files raise
`ScenarioError`, which carries every `Problem` found, each with file and line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scenarios.problems import Problem, ScenarioError

if TYPE_CHECKING:
    from scenarios.hexgrid import HexGrid
    from scenarios.loader import find, load, names
    from scenarios.model import Counter, GameMap, Scenario

__all__ = ["Counter", "GameMap", "HexGrid", "Problem", "Scenario", "ScenarioError", "find", "load", "names"]

_HOMES = {
    "Counter": "model",
    "GameMap": "model",
    "Scenario": "model",
    "HexGrid": "hexgrid",
    "find": "loader",
    "load": "loader",
    "names": "loader",
}


def __getattr__(name: str) -> Any:
    # The schema library costs more to import than a `--help` may take, so it comes with first use.
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"scenarios.{_HOMES[name]}"), name)
    raise AttributeError(name)
