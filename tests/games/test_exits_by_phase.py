"""Exits that are open in some phases alone, by the ids of these."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hexforge.modulegen.plan import plan
from hexforge.modulegen.render.charts_turns import _exit
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replay import replay
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario
from tests.scenarios.slips import told_of


@cache
def corrick(*phases: str) -> Scenario:
    """Corrick, where the tanks' second movement is called the pursuit, and the way out is open in some phases."""
    game = scenario("tests/games/corrick")
    sequence = [
        spec.model_copy(update={"id": "pursuit"} if i == 2 else {}) for i, spec in enumerate(game.game.sequence)
    ]
    exits = tuple(replace(rule, phases=phases) for rule in game.victory.exits)
    return replace(
        game, game=replace(game.game, sequence=tuple(sequence)), victory=replace(game.victory, exits=exits)
    )


@pytest.mark.parametrize(
    ("phases", "opened", "found"),
    [
        ((), "movement", []),
        (("pursuit",), "movement", ["exit-phase"]),
        (("pursuit",), "pursuit", []),
        (("movement",), "pursuit", []),
        (("combat", "movement"), "movement", []),
    ],
)
def test_a_counter_leaves_the_map_in_the_phases_of_its_exit(
    phases: tuple[str, ...], opened: str, found: list[str]
) -> None:
    after = "position after turn 1 red combat\n" if opened == "pursuit" else "position\n"
    sheet = (
        f"sheet 1\ngame corrick\npartial\n{after}  r-t1 1203\n  r-dep 1203\nturn 1 red {opened}\nexit r-t1: 1203\n"
    )
    findings = replay(corrick(*phases), read_sheet(sheet)).findings
    assert [f.message.key.removeprefix("findings.") for f in findings if f.severity == "illegal"] == found


def test_charts_name_the_phases_of_an_exit() -> None:
    made = plan(corrick("pursuit"), "en")
    assert _exit(made.scenario, made.words.text, made.scenario.victory.exits[0]).endswith("(Pursuit)")


TWO = """  - {side: red, edge: east, hexes: 1203 1204, last_turn: 8, points: 1, phases: movement, section: "8"}
  - {side: red, edge: east, hexes: 1204, last_turn: 8, points: 2, phases: combat, section: "8"}
"""


@pytest.mark.parametrize(("lines", "told"), [(TWO, 1), (TWO.replace("hexes: 1204", "hexes: 1205"), 0)])
def test_exits_that_would_both_count_are_refused(tmp_path: Path, lines: str, told: int) -> None:
    folder = tmp_path / "corrick"
    shutil.copytree("tests/games/corrick", folder)
    text = (folder / "victory.yaml").read_text("utf-8")
    old = next(line for line in text.splitlines(keepends=True) if "counted: factors" in line)
    (folder / "victory.yaml").write_text(text.replace(old, lines), "utf-8")
    assert len([one for one in told_of(folder, []) if "would count in both" in str(one)]) == told
