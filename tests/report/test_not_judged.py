"""Rules of a game that no data say stand in every answer, and nothing is called legal without them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from openpyxl import load_workbook

from hexforge.modulegen.assemble import help_page
from hexforge.modulegen.plan import plan
from hexforge.scenarios import load
from hexforge.validator.app.cli import main

SALTWAY = Path(__file__).parents[1] / "games" / "saltway"
RULES = """\
not_judged:
  - {id: oath, about: [movement], section: "9.1"}
  - {id: ransom, section: "9.2"}
"""
TEXTS = "not_judged: {oath: Riders keep their oath, ransom: Prisoners are ransomed}\n"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own") / "saltway"
    shutil.copytree(SALTWAY, folder)
    for name, more in (("game.yaml", RULES), ("text.en.yaml", TEXTS)):
        path = folder / name
        path.write_text(path.read_text("utf-8") + more, "utf-8")
    sheet = """sheet 1
game saltway
map blank steppe 11x9
unit c1 crown footmen 3-3-4
position
  c1 0505
turn 1 crown movement
move c1: 0505 0504 0503
"""
    (folder / "turn.sheet").write_text(sheet, "utf-8")
    return folder


def run(game: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ["check", str(game / "turn.sheet"), "--lang", "en", *args])


def test_the_verdict_and_the_list_say_so_in_text(game: Path) -> None:
    said = run(game, "--quiet").output
    assert "AS FAR AS IT IS JUDGED" in said
    assert "Not judged: S 9.1: Riders keep their oath (movement); S 9.2: Prisoners are ransomed\n" in said


def test_json_has_them_beside_the_verdict_and_with_what_hangs_on_them(game: Path) -> None:
    answer = json.loads(run(game, "--format", "json").output)
    assert [(rule["id"], rule["rule"], rule["about"]) for rule in answer["not_judged"]] == [
        ("oath", "S 9.1", ["movement"]),
        ("ransom", "S 9.2", ["set-up", "movement", "combat", "victory"]),
    ]
    assert [move["not_judged"] for move in answer["moves"]] == [["oath", "ransom"]]


def test_pages_and_workbooks_have_them(game: Path, tmp_path: Path) -> None:
    html = run(game, "--format", "html").output
    assert html.count("Prisoners are ransomed") == 1
    run(game, "--format", "xlsx", "--output", str(tmp_path / "a.xlsx"))
    (summary, *_) = load_workbook(tmp_path / "a.xlsx").worksheets
    heads, row = (tuple(cell.value for cell in line) for line in summary.iter_rows(max_row=2))
    assert "Prisoners are ransomed" in str(row[heads.index("not judged")])


def test_junit_has_them(game: Path) -> None:
    said = run(game, "--format", "junit").output
    assert '<property name="not_judged" value="S 9.1: Riders keep their oath (movement); S 9.2: Prisoners' in said


def test_questions_are_answered_with_them(game: Path) -> None:
    said = CliRunner().invoke(main, ["duties", str(game / "turn.sheet"), "--lang", "en"]).output
    assert said.endswith("Not judged: S 9.1: Riders keep their oath (movement); S 9.2: Prisoners are ransomed\n")


def test_the_help_window_of_the_module_lists_them(game: Path) -> None:
    page = help_page.page(plan(load(game), "en")).decode()
    assert "<li>S 9.2: Prisoners are ransomed</li>" in page
    assert "Prisoners" not in help_page.page(plan(load(SALTWAY), "en")).decode()


def test_one_without_words_is_an_error(game: Path, tmp_path: Path) -> None:
    shutil.copytree(game, tmp_path / "saltway")
    text = tmp_path / "saltway" / "text.en.yaml"
    text.write_text(text.read_text("utf-8").replace("ransom: ", "random: "), "utf-8")
    told = [(p.severity, str(p.message)) for p in load(tmp_path / "saltway", strict=False).warnings]
    assert ("error", "text.en.yaml does not say at 'not_judged.ransom' what this rule is") in told
    assert any("'not_judged.random' is the word for nothing" in said for _, said in told)
