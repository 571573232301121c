"""Presets: files of choices that games may be laid over, and say otherwise where they differ."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.results import ByDifference, ByOdds
from hexforge.validator.judging.replay import replay
from hexforge.validator.reading.sheet import read_sheet

GAME = Path(__file__).parents[1] / "games" / "fallowmoor"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game that takes its combats from the preset."""
    home = tmp_path / "fallowmoor"
    shutil.copytree(GAME, home)
    game, tables = home / "game.yaml", home / "tables.yaml"
    text = re.sub(r"(?ms)^    shape:.*?(?=^sources)", "", game.read_text("utf-8"))
    game.write_text(text.replace("name: fallowmoor\n", "name: fallowmoor\nfamily: classic\n"), "utf-8")
    tables.write_text(re.sub(r"(?ms)^crt:.*?(?=^terrain)", "", tables.read_text("utf-8")), "utf-8")
    words = home / "text.en.yaml"
    words.write_text(re.sub(r"(?ms)^modifiers:.*", "", words.read_text("utf-8")), "utf-8")
    return home


def judged(scenario: Scenario, *acts: str) -> list[str]:
    sheet = (
        "sheet 1\ngame fallowmoor\nmap blank heath 10x8\nunit a1 azure foot 5-5-4\nunit a2 azure foot 4-4-4\n"
        "unit g1 gules foot 4-4-4\nposition\n  a1 0504\n  a2 0404\n  g1 0505\nturn 1 azure combat\n"
    )
    found = replay(scenario, read_sheet(sheet + "\n".join(acts) + "\n"))
    return [f.code for f in found.findings if f.severity == "illegal"]


def test_a_game_may_take_its_combats_from_classic(folder: Path) -> None:
    scenario = load(folder)
    assert scenario.warnings == ()
    assert isinstance(scenario.tables.crt.column_by, ByOdds)
    assert judged(scenario) == [], "nobody has to attack"
    attack = ("combat 0505", "attack a1 a2", "declare 9:4 odds 2-1 column 2-1", "roll 3", "result DR")
    assert judged(scenario, *attack, "retreat g1: 0505 0506", "advance a1 a2: 0505") == []
    assert judged(scenario, *attack) == ["retreat"]


def test_a_choice_of_another_kind_replaces_all_of_the_presets(folder: Path) -> None:
    tables = folder / "tables.yaml"
    crt = 'crt:\n  column_by: {kind: difference}\n  columns: ["0", "1..3", "4+"]\n  rows:\n'
    crt += "".join(f'    "{roll}": [AR, DR, DE]\n' for roll in range(1, 7))
    tables.write_text(crt + tables.read_text("utf-8"), "utf-8")
    scenario = load(folder)
    assert isinstance(scenario.tables.crt.column_by, ByDifference)
    attack = ("combat 0505", "attack a1 a2", "declare 9:4 odds 4+ column 4+", "roll 3", "result DE", "eliminate g1")
    assert judged(scenario, *attack) == []
