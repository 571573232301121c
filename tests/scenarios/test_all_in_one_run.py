"""What is wrong in one place does not hide what is wrong in another: an author is told of all of it at once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main
from hexforge.modulegen.starter import LIKE
from hexforge.scenarios.loader import load
from tests import starters
from tests.scenarios.slips import told_of

GAME = Path(__file__).parents[1] / "games" / "tolliver"
ELSEWHERE = (("game.yaml", "exempt: leader", "exempt: leadr"), ("victory.yaml", "points: {gray", "points: {gary"))
WRONG = {
    "a cell": ("counters.csv", "X,,6,6,5,,3,4", "X,,8x,6,5,,3,4"),
    "a heading": ("counters.csv", "branch,name", "brnch,name"),
    "a number": ("game.yaml", "limit: 10", "limit: 1o"),
    "a key": ("game.yaml", "stacking: {limit", "stackng: {limit"),
    "a kind": ("game.yaml", "kind: barred}, table: both", "kind: bared}, table: both"),
    "a result": ("tables.yaml", "BL: {attacker: {steps: 1}", "BL: {attacker: {steps: x}"),
    "a letter": ("map.yaml", "  .w...t...h..", "  .w...t...x.."),
    "a file": ("setup.yaml", "totals: {", "\ttotals: {"),
}


def _planted(folder: Path, *slips: tuple[str, str, str]) -> dict[tuple[str, int], str]:
    """What is told of the game with some slips in it, by file and line."""
    shutil.copytree(GAME, folder)
    found = told_of(folder, slips)
    return {(Path(problem.file).name, problem.line): str(problem.message) for problem in found}


def _places(*slips: tuple[str, str, str]) -> set[tuple[str, int]]:
    texts = {file: (GAME / file).read_text("utf-8") for file, *_ in slips}
    return {(file, texts[file][: texts[file].index(old)].count("\n") + 1) for file, old, _ in slips}


@pytest.mark.parametrize("case", WRONG)
def test_it_is_told_with_what_is_wrong_elsewhere(tmp_path: Path, case: str) -> None:
    """Each in its line, and nothing that would be sound but for the first."""
    slips = (*ELSEWHERE, WRONG[case])
    found = _planted(tmp_path / "mine", *slips)
    assert found.keys() == _places(*slips), found


def test_a_list_keeps_its_numbers_when_an_item_is_cut_out(tmp_path: Path) -> None:
    slips = (
        ("game.yaml", "kind: barred}, table: both", "kind: bared}, table: both"),
        ("game.yaml", "hexsides: run}", "hexsides: rnu}"),
    )
    found = _planted(tmp_path / "mine", *slips)
    assert found.keys() == _places(*slips)
    assert any("'rnu'" in said for said in found.values())


def test_one_of_two_kinds_is_told_in_one_line(tmp_path: Path) -> None:
    found = _planted(tmp_path / "mine", WRONG["a result"])
    assert list(found.values()) == ["expected a whole number or expected 'all' or 'half'; found 'x'"]


def test_a_palette_that_is_none_is_told_beside_errors(tmp_path: Path) -> None:
    _planted(tmp_path / "mine", *ELSEWHERE, ("game.yaml", "counter: german", "counter: germna"))
    done = CliRunner().invoke(main, ["check", str(tmp_path / "mine")])
    assert [said in done.output for said in ("'leadr'", "'gary'", "'germna'", "mine: 3 errors")] == [True] * 3 + [
        False
    ]
    assert "3 errors, 0 warnings" in done.output


def test_one_error_is_counted_as_one(tmp_path: Path) -> None:
    _planted(tmp_path / "mine", ELSEWHERE[0])
    done = CliRunner().invoke(main, ["check", str(tmp_path / "mine")])
    assert "1 error, 0 warnings" in done.output
    done = CliRunner(env={"HEXFORGE_LANG": "pt"}).invoke(main, ["check", str(tmp_path / "mine")])
    assert "1 erro, " in done.output


def test_a_kind_of_way_that_no_line_has_is_told(tmp_path: Path) -> None:
    found = _planted(tmp_path / "mine", ("tables.yaml", "  pike: {costs", "  rail: {costs: {}}\n  pike: {costs"))
    assert found["tables.yaml", 50] == "no line of the map is rail (`ways` of map.yaml)"


def test_a_letter_without_ground_is_told_once(tmp_path: Path) -> None:
    slip = ("map.yaml", '"w": wood, ', "")
    _planted(tmp_path / "mine", slip)
    done = CliRunner().invoke(main, ["check", str(tmp_path / "mine")])
    assert "hex 0501 has the letter 'w'; expected one of . t h; so too in lines 5, 6, 7" in done.output
    assert done.output.count("the letter 'w'") == 1


def test_units_in_ground_that_is_barred_to_how_they_move_are_told(tmp_path: Path) -> None:
    slip = ("tables.yaml", "wheels: 1}, named: true", "wheels: 1}, barred: foot, named: true")
    found = _planted(tmp_path / "mine", slip)
    assert "b-2 starts in 0606, but town is barred to infantry" in {*found.values()}


def test_words_that_a_game_lacks_are_missing_in_its_own_file(tmp_path: Path) -> None:
    """Whatever its family has words for in that section."""
    starters.write(tmp_path / "mine", "en", LIKE["somnium"])
    text = tmp_path / "mine" / "text.en.yaml"
    text.write_text(text.read_text("utf-8").replace("sides: {north: North, south: South}\n", ""), "utf-8")
    (told,) = load(tmp_path / "mine").warnings
    assert (told.file, "write `sides: {north: …}`" in str(told.message)) == (str(text), True)
