"""Every datum says where it comes from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexforge.scenarios import load, names
from hexforge.scenarios.changes import doubt, survey, totals


@pytest.mark.parametrize("name", names())
def test_every_hex_and_counter_is_surveyed(name: str) -> None:
    scenario = load(name)
    data = survey(scenario)
    counts = totals(data)
    assert sum(counts["hex"].values()) == len(scenario.map.grid.hexes)
    assert sum(counts["strength"].values()) == len(scenario.counters)
    assert counts["reduced"]["printed"] == 0, "no rulebook prints a reduced face"
    assert all(d.value for d in data)


def test_a_range_that_nobody_could_read_is_not_called_printed() -> None:
    scenario = load("hurtgen")
    printed = {d.id: d.value for d in survey(scenario) if d.kind == "range" and d.provenance == "printed"}
    # H counter list: only the ranges 14, 14, 18, 12 and 4 are legible.
    assert sorted(printed.values(), key=int) == ["4", "12", "14", "14", "18"]


def test_the_share_that_stays_doubtful_falls_with_what_is_printed() -> None:
    game = load("hurtgen")
    found = doubt(game)
    grid = game.map.grid
    assert found.steps == sum(len(grid.neighbours[h]) for h in grid)
    assert 0 < found.doubtful_counters < found.counters == len(game.counters)
    sure = replace(
        game,
        map=replace(
            game.map,
            provenance=dict.fromkeys(grid, "printed"),
            hexside_runs=tuple(r.model_copy(update={"provenance": "printed"}) for r in game.map.hexside_runs),
            ways=tuple(w.model_copy(update={"provenance": "printed"}) for w in game.map.ways),
        ),
    )
    assert doubt(sure).doubtful_steps == 0 < found.doubtful_steps
