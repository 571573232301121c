"""Tolliver's Run, an invented game, with some of its choices changed: dice of tens and ones, modifiers of fire."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.render.charts import chart
from hexforge.modulegen.render.ground_words import effect_words, sign
from hexforge.modulegen.render.templates import words
from hexforge.scenarios.loader import load
from hexforge.validator.app.cli import main as validator
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.notation import games
from hexforge.validator.reading.sheet import read_sheet

HOME = Path(__file__).parent / "tolliver"
LED = """position
  g-1 0405
  g-gen 0405
  b-1 0505
turn 1 gray combat
combat 0505
  attack g-1 g-gen
  declare 6:5 odds +1..2 column +1..2
  roll {roll}
  result {result}
"""
FIRE = """position
  g-art1 0608
  b-1 0606
turn 1 gray combat
bombard 0606 by g-art1
  declare value 3 column 1-3
  roll {roll}
  result {result}
"""
TENS = """  rows:
    "11-22": [AL, AL, AL, AD, AD, AR, BL]
    "23-36": [AL, AL, AD, AR, AR, AR, DR]
    "41-66": [AR, N, DR, DR, DD, DD, DL]
"""

Changed = Callable[[str, str, str], Path]
Played = Callable[[Path, str], Answer]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """A copy of the game, one of its files changed by a pattern."""

    def work(file: str, pattern: str, by: str) -> Path:
        folder = tmp_path / "tolliver"
        if not folder.exists():
            shutil.copytree(HOME, folder)
        text, count = re.subn(pattern, by, (folder / file).read_text("utf-8"), flags=re.DOTALL)
        assert count
        (folder / file).write_text(text, "utf-8")
        return folder

    return work


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    """Judges lines by a copy of the game."""

    def work(folder: Path, lines: str) -> Answer:
        monkeypatch.setattr(games, "_FOLDERS", dict(games._FOLDERS))
        games.learn(folder)
        return judge(read_sheet(f"sheet 1\ngame tolliver\npartial\n{lines}"))

    return work


def codes(answer: Answer) -> list[str]:
    return [f.code for f in answer.findings if f.severity == "illegal"]


def test_what_the_preset_lends_and_nobody_uses_is_no_slip() -> None:
    assert load(HOME).warnings == ()


def test_modifiers_go_through_what_tens_and_ones_can_show(changed: Changed, played: Played) -> None:
    changed(
        "tables.yaml",
        "dice: 2d6\n  column_by: {kind: difference}",
        "dice: 2d6 tens\n  column_by: {kind: difference}",
    )
    folder = changed("tables.yaml", '  rows:\n    "2":.*?(?=results:)', TENS)
    checked = CliRunner().invoke(modulegen, ["check", str(folder)])
    assert checked.exit_code == 0, checked.output
    # with the leader 22 becomes 23, and 36 is followed by 41
    assert codes(played(folder, LED.format(roll="2 1", result="AD"))) == []
    assert codes(played(folder, LED.format(roll="2 2", result="AR"))) == []
    assert codes(played(folder, LED.format(roll="2 2", result="AD"))) == ["result"]
    assert codes(played(folder, LED.format(roll="3 6", result="DR"))) == []
    assert codes(played(folder, LED.format(roll="1 6", result="AD"))) == []
    assert codes(played(folder, LED.format(roll="6 6", result="DR"))) == []


def test_odds_tell_what_is_added_to_the_dice(tmp_path: Path) -> None:
    sheet = tmp_path / "plan.sheet"
    sheet.write_text("sheet 1\ngame tolliver\nposition\n  g-1 0405\n  g-gen 0405\n  b-1 0505\nturn 1 gray combat\n")
    asked = ["odds", "--game", str(HOME), str(sheet), "0505", "--with", "g-1", "g-gen"]
    done = CliRunner().invoke(validator, asked, env={"HEXFORGE_LANG": "en"})
    assert "column +1..2, on the dice the leader +1 (T 4.4)" in done.output
    # 5 is 6 with him, and nothing happens; 6 and 7 are 7 and 8
    assert "N    4/36" in done.output
    assert "DR  11/36" in done.output


def test_fire_has_its_own_modifiers_of_the_die(changed: Changed, played: Played) -> None:
    wet = r"what: {kind: die, die: -1}, table: bombardment, section"
    folder = changed("game.yaml", r"what: {kind: columns, columns: -1}, table: bombardment, section", wet)
    # 11 is 10 among houses: BD, as 10 would be; 10 is 9, and nothing
    assert codes(played(folder, FIRE.format(roll="6 5", result="BD"))) == []
    assert codes(played(folder, FIRE.format(roll="5 5", result="N"))) == []
    assert codes(played(folder, FIRE.format(roll="5 5", result="BD"))) == ["result"]
    attack = (
        "position\n  g-1 0607\n  b-1 0606\nturn 1 gray combat\ncombat 0606\n  attack g-1\n  roll 5 4\n  result {}\n"
    )
    answer = played(folder, attack.format("BL"))
    assert codes(answer) == []
    assert [record.die for record in answer.combats] == [()]


def test_marks_are_read_as_the_texts_call_them(played: Played) -> None:
    lines = "position\n  g-1 0607\n  {} g-1 {}\n  b-1 0606\nturn 1 gray rally\nrally g-1 roll {}\n"
    assert codes(played(HOME, lines.format("status", "disordered", "3 4"))) == []
    assert codes(played(HOME, lines.format("situação", "desordenada", "3 4"))) == []
    nobody = played(HOME, lines.format("status", "passed-noville", "3 4"))
    assert codes(nobody) == ["special"]


@pytest.mark.parametrize(("demand", "told"), [("steps: 1", True), ("mark: disordered", False)])
def test_of_who_fires_a_result_takes_a_mark_alone(changed: Changed, demand: str, told: bool) -> None:
    folder = changed("tables.yaml", r"BD: \{defender", f"BD: {{attacker: {{{demand}}}, defender")
    done = CliRunner().invoke(modulegen, ["check", str(folder)])
    assert ("'BD' stands on the table of bombardments alone" in done.output) == told


def test_charts_tell_fire_from_combat_and_speak_of_no_aircraft() -> None:
    scenario = load(HOME)
    text = words(scenario, "en")
    assert effect_words(scenario, text, "terrain", "town") == ["← 2 columns", "Fire: ← 1 column"]
    assert sign(scenario, "terrain", "town", 0) == "−2"
    turn = " ".join(re.findall(r">([^<]+)</text>", chart(scenario, "sequence", "en").svg))
    assert re.findall(r"\w+ · \w+ phase(?: \d Cavalry)?", turn)[:3] == [
        "Gray · Movement phase", "Blue · Movement phase 1 Cavalry", "Gray · Combat phase",
    ]  # fmt: skip
    fire = " ".join(re.findall(r">([^<]+)</text>", chart(scenario, "bombardment", "en").svg))
    assert "points × index of the target" in fire
    assert "air" not in fire.lower()
