"""A game is data alone: an invented one that shares nothing with ours is checked, built, drawn and judged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.render.board_layout import board_palette, style_of
from hexforge.scenarios import commands, loader
from hexforge.scenarios.model import Scenario
from hexforge.validator.app.cli import main as validator
from hexforge.validator.judging.check import judge
from hexforge.validator.notation import games
from hexforge.validator.reading.sheet import read_sheet
from tests import yamls
from tests.cases.catalogue import Case, cases

HOME = Path(__file__).parent / "saltway"
CASES = tuple(cases([HOME / "cases.yaml"]))
SHEET = next(case.sheet for case in CASES if case.id == "SAL-4.5-a")


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    """The game is known by its name while these tests run."""
    games.learn(HOME)


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return loader.load(HOME)


def run(command: Any, *arguments: object, status: int = 0) -> Result:
    done = CliRunner().invoke(command, [str(a) for a in arguments])
    assert done.exit_code == status, done.output
    return done


def test_not_a_line_of_code_and_no_family(scenario: Scenario) -> None:
    assert {p.suffix for p in HOME.iterdir()} <= {".yaml", ".csv", ".md"}
    assert scenario.game.family is None
    assert scenario.warnings == ()


def test_it_shares_no_name_with_the_family(scenario: Scenario) -> None:
    family = yamls.read(commands.HOME / "somnium" / "family.yaml")
    ours: Mapping[str, set[str]] = {
        "sides": {side["id"] for side in family["sides"]},
        "types": set(family["unit_types"]),
        "movement": set(family["movement_classes"].split()),
    }
    theirs = {
        "sides": {side.id for side in scenario.game.sides},
        "types": set(scenario.game.unit_types),
        "movement": set(scenario.game.movement_classes),
    }
    for name in commands.names():
        tables = loader.load(name).tables
        assert not set(tables.terrain) & set(scenario.tables.terrain)
        assert not set(tables.hexsides) & set(scenario.tables.hexsides)
        assert not set(tables.ways) & set(scenario.tables.ways)
    assert all(not ours[key] & theirs[key] for key in ours)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_findings_cite_its_rules_in_both_languages(case: Case) -> None:
    answer = judge(read_sheet(case.sheet))
    for finding in answer.findings:
        assert finding.rule.startswith("S ") or (finding.code, finding.severity) == ("continuation", "info")
        assert answer.words("en").say(finding.message) != answer.words("pt").say(finding.message)
        assert finding.rests_on == ()


def test_every_number_of_a_case_is_of_the_files(tmp_path: Path) -> None:
    copy = tmp_path / "saltway"
    shutil.copytree(HOME, copy)
    tables = copy / "tables.yaml"
    text = tables.read_text("utf-8")
    tables.write_text(text.replace("hills: {costs: {walk: 2", "hills: {costs: {walk: 4"), "utf-8")
    sheet = copy / "a.sheet"
    sheet.write_text(CASES[0].sheet, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "_FOLDERS", {})
        answer = json.loads(run(validator, "check", "--format", "json", sheet, status=1).output)
    assert answer["moves"][0]["cost"] == 5


def test_module_is_built_verified_and_previewed(tmp_path: Path) -> None:
    run(modulegen, "check", HOME)
    run(modulegen, "build", HOME, "--out", tmp_path / "dist")
    run(modulegen, "verify", tmp_path / "dist" / "Saltway.vmod")
    run(modulegen, "preview", HOME, "--out", tmp_path / "preview")
    assert (tmp_path / "preview" / "board-en.png").stat().st_size > 20_000


def test_board_draws_its_ground_in_styles_of_its_own(scenario: Scenario) -> None:
    other = board_palette()["terrains"]["other"]
    drawn = [style_of(scenario.map, "terrain", terrain) for terrain in scenario.tables.terrain]
    assert other not in drawn
    assert len({json.dumps(style) for style in drawn}) == len(drawn)
    assert style_of(scenario.map, "ways", "track") == board_palette()["ways"]["road"]


def test_a_sheet_beside_its_game_needs_no_option(tmp_path: Path) -> None:
    shutil.copytree(HOME, tmp_path / "mine")
    inside, outside = tmp_path / "mine" / "examples" / "a.sheet", tmp_path / "a.sheet"
    inside.parent.mkdir()
    for path in (inside, outside):
        path.write_text(SHEET, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "_FOLDERS", {})
        run(validator, "check", inside)
        assert "one of the games" in run(validator, "check", "--lang", "en", outside, status=3).output
        run(validator, "check", "--game", tmp_path / "mine", outside)


def test_questions_are_answered(tmp_path: Path) -> None:
    sheet = tmp_path / "a.sheet"
    sheet.write_text(SHEET[: SHEET.index("combat 0505")], "utf-8")
    answer = json.loads(run(validator, "odds", sheet, "0505", "--with", "c1 c2 c3", "--format", "json").output)
    assert (answer["attack"], answer["defence"], answer["column"]) == (9, 4, "2-1")
    duties = json.loads(run(validator, "duties", sheet, "--format", "json").output)
    assert {d["unit"] for d in duties["must_attack"]} == {"c1", "c2", "c3"}
    picture = tmp_path / "reach.svg"
    reach = run(validator, "reach", sheet, "l1", "--format", "json", "--picture", picture).output
    assert json.loads(reach)["reach"]["0506"]["cost"] == 2
    assert "<svg" in picture.read_text("utf-8")


def test_reports_speak_its_words(tmp_path: Path) -> None:
    sheet = tmp_path / "a.sheet"
    sheet.write_text(SHEET, "utf-8")
    assert "Crown   9 = " in run(validator, "check", "--lang", "en", sheet).output
    page = run(validator, "check", "--lang", "en", "--format", "html", sheet).output
    assert "orchard" in page
    assert "Crown" in page


def test_kinds_that_the_game_has_not_are_told_with_line_and_column() -> None:
    sheet = read_sheet("sheet 1\ngame saltway\nmap blank steppe 11x9\nwal 0304/0305\nturn 1 crown combat\n")
    found = [(f.line, f.code) for f in judge(sheet).findings]
    assert found == [(4, "syntax")]
    assert "wall" in str(judge(sheet).findings[0].message)
