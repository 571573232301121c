"""Games as data: the scenario files and the typed, immutable model that reads them.

`load("hurtgen")` or `load(Path("my-game"))` returns a `Scenario`; unreadable or contradictory files raise
`ScenarioError`, which carries every `Problem` found, each with file and line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexforge.scenarios.problems import Problem, ScenarioError

if TYPE_CHECKING:
    from hexforge.scenarios.changes import DataChange, baseline, impact
    from hexforge.scenarios.folders import find, names
    from hexforge.scenarios.hexgrid import HexGrid
    from hexforge.scenarios.loader import load
    from hexforge.scenarios.model import Counter, GameMap, Scenario
    from hexforge.scenarios.touches import touches_counter, touches_hex

__all__ = [
    "Counter",
    "DataChange",
    "GameMap",
    "HexGrid",
    "Problem",
    "Scenario",
    "ScenarioError",
    "baseline",
    "find",
    "impact",
    "load",
    "names",
    "touches_counter",
    "touches_hex",
]

_HOMES = {
    "Counter": "model",
    "GameMap": "model",
    "Scenario": "model",
    "HexGrid": "hexgrid",
    "DataChange": "changes",
    "baseline": "changes",
    "impact": "changes",
    "touches_counter": "touches",
    "touches_hex": "touches",
    "find": "folders",
    "load": "loader",
    "names": "folders",
}


def __getattr__(name: str) -> Any:
    # The schema library costs more to import than a `--help` may take, so it comes with first use.
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"hexforge.scenarios.{_HOMES[name]}"), name)
    raise AttributeError(name)
