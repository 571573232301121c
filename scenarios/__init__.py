"""Games as data: the scenario files and the typed, immutable model that reads them.

`load("hurtgen")` or `load(Path("my-game"))` returns a `Scenario`; unreadable or contradictory files raise
`ScenarioError`, which carries every `Problem` found, each with file and line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .console import Problem, ScenarioError

if TYPE_CHECKING:
    from .changes import DataChange, baseline, impact, touches_counter, touches_hex
    from .commands import find, names
    from .loader import load
    from .model import GameMap, Scenario
    from .schema.setup import CounterRow as Counter
    from .text.hexgrid import HexGrid
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
    "HexGrid": "text.hexgrid",
    "DataChange": "changes",
    "baseline": "changes",
    "impact": "changes",
    "touches_counter": "changes",
    "touches_hex": "changes",
    "find": "commands",
    "load": "loader",
    "names": "commands",
}


def __getattr__(name: str) -> Any:
    # The schema library costs more to import than a `--help` may take, so it comes with first use.
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"hexforge.scenarios.{_HOMES[name]}"), name)
    raise AttributeError(name)
