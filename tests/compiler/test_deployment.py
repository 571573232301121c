"""The set-up that a module suggests where the rulebook leaves a choice, by the referee that judges players."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.api import check
from hexforge.modulegen.assemble import module
from hexforge.modulegen.plan import Plan, plan
from hexforge.modulegen.plan.battlefield import fixed, formations
from hexforge.modulegen.vassal.archive import Archive
from hexforge.scenarios import load
from hexforge.scenarios.commands import names

from .conftest import Built


@pytest.fixture(scope="module", params=names())
def planned(request: pytest.FixtureRequest) -> Plan:
    return plan(load(request.param), "en")


def test_the_suggested_set_up_is_legal(planned: Plan, tmp_path: Path) -> None:
    """As a sheet of its own, on which nothing is missing; what stands on the map is read back from the save."""
    centres = {planned.ground.centre(hex_): hex_ for hex_ in planned.scenario.map.grid}
    main = planned.words("map.main")
    placed = [
        (unit, centres[x, y])
        for (where, x, y), units in module.spots(planned, suggested=True)
        for unit in units
        if where == main and unit in planned.units
    ]
    assert {u for p in planned.scenario.setup.at_start for u in p.units} == {unit for unit, _ in placed}
    sheet = tmp_path / "suggested.sheet"
    lines = "".join(f"  {unit} {hex_}\n" for unit, hex_ in placed)
    sheet.write_text(f"sheet 1\ngame {planned.scenario.name}\nsetup\n{lines}", "utf-8")
    answer = check(sheet)
    assert (answer.verdict, list(answer.findings)) == ("legal", [])


def test_guns_stand_behind_and_formations_together(planned: Plan) -> None:
    scenario, grid = planned.scenario, planned.scenario.map.grid
    for placement in scenario.setup.at_start:
        if fixed(placement):
            continue
        stacks = formations(scenario, placement.units)
        assert [unit for stack in stacks for unit in stack] != []
        assert {unit for stack in stacks for unit in stack} == set(placement.units)
        for stack in stacks:
            members = [scenario.counters[unit] for unit in stack]
            assert len({(c.division or c.corps, c.range is None) for c in members}) == 1
            assert planned.reserves.place[stack[0]] == planned.reserves.place[stack[-1]], "they wait in one cell"
            hexes = [planned.suggested[unit] for unit in stack]
            assert max(grid.distance(hexes[0], hex_) for hex_ in hexes) <= 3


def test_only_a_game_with_a_choice_suggests(built: Built) -> None:
    with Archive(built.data) as archive:
        offered = [one.get("file") for one in built.root.all("PredefinedSetup")]
        assert all(file in archive.names for file in offered)
    assert (len(offered) == 2) == built.plan.scenario.setup.is_chosen
