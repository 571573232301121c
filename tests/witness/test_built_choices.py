"""Choices of games of one's own that no game here makes, in VASSAL's own engine: its sums are the referee's."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from hexforge.modulegen.assemble.combat import counters, reports, steps, tasks
from hexforge.validator.judging.check import check_logs
from hexforge.validator.notation import games

from . import Engine
from .test_built_combats import press
from .test_built_modules import ROOT, build, playable

pytestmark = pytest.mark.witness
CHANGES = {
    "game.yaml": [
        ("name: hurtgen\n", "name: narrow\n"),
        ("stacking: {limit: 3,", "stacking: {limit: 6, counted: steps,"),
    ],
    "tables.yaml": [("crt:\n", "crt:\n  columns_most: 1\n")],
}
"""Nothing moves the column by more than one, and hexes take six steps, however many units these are."""


@pytest.fixture
def narrow(tmp_path: Path) -> Path:
    """A game of those choices."""
    return changed(tmp_path / "narrow", ROOT / "scenarios" / "hurtgen", CHANGES)


def changed(folder: Path, home: Path, changes_of: Mapping[str, list[tuple[str, str]]]) -> Path:
    """A game like another, with its files changed, and known by its name."""
    shutil.copytree(home, folder)
    for file, changes in changes_of.items():
        text = (folder / file).read_text("utf-8")
        for old, new in changes:
            assert text.count(old) == 1
            text = text.replace(old, new)
        (folder / file).write_text(text, "utf-8")
    games.learn(folder)
    return folder


def test_columns_are_limited_and_stacks_weighed_as_the_referee_does(
    witness_ready: None, narrow: Path, modules: Path, tmp_path: Path
) -> None:
    log = tmp_path / "narrow.vlog"
    with Engine() as engine:
        engine.open(build(str(narrow), "en", modules), described=False)
        engine.ask("show")
        engine.setup(playable(engine.module)[0])
        engine.player("Ana", engine.module["sides"][0])
        # Three battalions of two steps are six; whoever has one step more than the hex takes is shown.
        engine.move("ge-984-1", "0905")
        for unit in ("us-109-1", "us-109-2", "us-109-3"):
            engine.move(unit, "0806")
            engine.move(unit, "0805")
        assert shown(engine, "0805") == set()
        engine.move("us-110-1", "0805")
        assert shown(engine, "0805") == {"us-109-1", "us-109-2", "us-109-3", "us-110-1"}
        press(engine, reports.KEY_REDUCE, "us-109-1", "us-109-2")
        assert shown(engine, "0805") == set()
        engine.turn()
        engine.start_log(log)
        press(engine, counters.KEY_TARGET, "ge-984-1")
        press(engine, counters.KEY_ATTACK, "us-109-1", "us-109-2", "us-109-3", "us-110-1")
        press(engine, steps.HOTKEY_ROLL)
        engine.end_log()
        assert engine.problems == []
    answer = check_logs([log], lang="en")
    (fought,) = answer.as_json()["combats"]
    causes, columns = zip(*[(shift["cause"], shift["columns"]) for shift in fought["shifts"]], strict=True)
    assert "over_limit" in causes and sum(columns) == -1
    told = {f.code for f in answer.findings if f.severity != "info"}
    assert told.isdisjoint({"attack-sum", "defence-sum", "odds", "shifts", "column", "result", "stacking"}), told


ALONE = {
    "game.yaml": [
        ("name: sallow\n", "name: trench\n"),
        ("  - {side: red, phase: movement, marks: reserve}\n", ""),
        ("  - {side: blue, phase: movement, marks: reserve}\n", ""),
        ("    - {mark: reserve, take: {unmoved: true, clear: true}, ", "    # "),
    ],
    "text.en.yaml": [(" reserve: in reserve,", "")],
}
"""Units take one mark alone, so that nobody is asked which."""


def test_who_takes_a_mark_is_told_in_the_log(witness_ready: None, modules: Path, tmp_path: Path) -> None:
    folder, log = changed(tmp_path / "trench", ROOT / "tests" / "games" / "sallow", ALONE), tmp_path / "trench.vlog"
    with Engine() as engine:
        engine.open(build(str(folder), "en", modules), described=False)
        engine.ask("show")
        engine.setup(playable(engine.module)[0])
        engine.player("Ana", engine.module["sides"][0])
        engine.turn()
        engine.start_log(log)
        press(engine, tasks.TASKS["mark"], "rd-1")
        engine.end_log()
        assert engine.problems == []
    answer = check_logs([log], lang="en")
    assert "mark rd-1 as dug-in" in [line.strip() for line in answer.lines]
    assert {f.severity for f in answer.findings} <= {"info", "warning"}


def shown(engine: Engine, hex_: str) -> set[str]:
    """Who is marked in a hex for standing in too high a stack."""
    engine.ask("button", name="More in a hex than may stand there, or twice on the map")
    here = [one["properties"] for one in engine.position()["pieces"] if one["location"] == hex_]
    return {str(own["UnitId"]) for own in here if own.get("Role") == str(steps.SHOWN)}
