"""What a map maker would want to be told: contradictions that no schema sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from scenarios.model import Scenario
from scenarios.problems import Problem

Locate = Callable[[str, Iterable[str | int]], tuple[Path, int]]


def check(scenario: Scenario, locate: Locate) -> list[Problem]:
    """All contradictions of a scenario, errors and warnings, in the order of its files."""
    found: list[Problem] = []
    for rule in RULES:
        found += rule(scenario, locate)
    return found


def _steps(where: Iterable[str | int]) -> str:
    return ".".join(map(str, where))


def _problem(locate: Locate, file: str, where: list[str | int], message: str) -> Problem:
    path, line = locate(file, where)
    return Problem(str(path), line, _steps(where), message)


def hexsides_touch(scenario: Scenario, locate: Locate) -> Iterator[Problem]:
    """A hexside lies between two hexes of the map that touch."""
    grid = scenario.map.grid
    for i, run in enumerate(scenario.map.hexside_runs):
        for a, b in run.sides:
            if not grid.adjacent(a, b):
                yield _problem(locate, "map.yaml", ["hexsides", i], f"{a}/{b}: these hexes do not touch")
    for i, bridge in enumerate(scenario.map.bridge_list):
        if not grid.adjacent(*bridge.side):
            yield _problem(locate, "map.yaml", ["bridges", i], f"{'/'.join(bridge.side)}: these hexes do not touch")


def ways_do_not_jump(scenario: Scenario, locate: Locate) -> Iterator[Problem]:
    """Each hex of a way touches the one before."""
    for i, way in enumerate(scenario.map.ways):
        for a, b in scenario.map.grid.gaps(way.hexes):
            yield _problem(locate, "map.yaml", ["ways", i], f"the {way.kind} jumps from {a} to {b}")


RULES: tuple[Callable[[Scenario, Locate], Iterator[Problem]], ...] = (hexsides_touch, ways_do_not_jump)
