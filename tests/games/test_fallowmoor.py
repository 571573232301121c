"""A game of another kind by data alone: zones that hold, guns alone at odds, exchanges, demoralisation."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.validator.app.cli import main as validator
from hexforge.validator.notation import games
from tests.cases.catalogue import cases

HOME = Path(__file__).parent / "fallowmoor"
CASES = {case.id: case for case in cases([HOME / "cases.yaml"])}


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    """The game is known by its name while these tests run."""
    games.learn(HOME)


def before_the_dice(tmp_path: Path, case: str, *asked: str) -> dict[str, object]:
    text = CASES[case].sheet
    cut = min(text.index(word) for word in ("\ncombat", "\nbombard") if word in text)
    sheet = tmp_path / "a.sheet"
    sheet.write_text(text[:cut] + "\n", "utf-8")
    done = CliRunner().invoke(validator, ["odds", str(sheet), *asked, "--format", "json"])
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.output))


def test_odds_are_asked_of_one_die(tmp_path: Path) -> None:
    answer = before_the_dice(tmp_path, "FAL-4.4-a", "0505", "--with", "a1 ah")
    outcomes = {str(o["result"]): o["of_6"] for o in answer["outcomes"]}  # type: ignore[attr-defined]
    assert (answer["column"], outcomes) == ("3-1", {"D2": 2, "DR": 2, "EX": 2})


def test_odds_that_need_no_dice_have_one_outcome(tmp_path: Path) -> None:
    answer = before_the_dice(tmp_path, "FAL-4.2-f", "0505", "--with", "a1 a2 a3")
    assert [o["probability"] for o in answer["outcomes"]] == [1.0]  # type: ignore[attr-defined]


def test_odds_that_are_refused_are_objected_to(tmp_path: Path) -> None:
    answer = before_the_dice(tmp_path, "FAL-4.2-e", "0505", "--with", "z")
    assert "odds" in {o["code"] for o in answer["objections"]}  # type: ignore[attr-defined]


def test_module_is_built_and_throws_one_die(tmp_path: Path) -> None:
    for arguments in (["build", HOME, "--out", tmp_path], ["verify", tmp_path / "Fallowmoor.vmod"]):
        done = CliRunner().invoke(modulegen, [str(a) for a in arguments])
        assert done.exit_code == 0, done.output
    with ZipFile(tmp_path / "Fallowmoor.vmod") as module:
        text = module.read("buildFile.xml").decode()
    assert 'name="CombatDice"' in text
    dice = text[text.index('name="CombatDice"') - 600 : text.index('name="CombatDice"') + 600]
    assert 'nDice="1"' in dice
    assert "declare $" not in text, "modifiers that the module cannot work out leave its sums unsaid"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("tables.yaml", '"6": [AE', '"7": [AE', "never show 7"),
        ("tables.yaml", '"6": [AE', '"6": [AE AE', "the same result twice"),
        ("tables.yaml", "above: DE", "above: DX", "'DX' is no result"),
        ("tables.yaml", "[AR, AR, DR", "[AR, XX, DR", "'XX' is no result"),
        ("game.yaml", "hexsides: brook", "hexsides: brok", "brok"),
        ("game.yaml", "types: [foot, horse]", "types: [foot, hors]", "hors"),
        ("game.yaml", "by: 1/2", "by: half", "is not a factor"),
        ("game.yaml", "name: brook", "name: village", "two modifiers are called 'village'"),
        ("game.yaml", "{kind: columns, columns: 1}", "{kind: colums, columns: 1}", "colums"),
    ],
)
def test_a_mistake_is_told(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    folder = tmp_path / "fallowmoor"
    shutil.copytree(HOME, folder)
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    done = CliRunner().invoke(modulegen, ["check", str(folder)])
    assert done.exit_code in (1, 2)
    assert said in done.output and file in done.output
