"""Figures of the rules are the files': another figure there is another verdict, without a line of code."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hexforge.modulegen.render.charts import charts
from hexforge.modulegen.render.counters import labels
from hexforge.modulegen.render.templates import words
from hexforge.scenarios import Scenario, ScenarioError, load
from hexforge.scenarios.commands import HOME
from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.reading.sheet import read_sheet

Changed = Callable[..., Scenario]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """A game of the family with lines of its files, or of its family's, replaced."""
    for part in ("bastogne", "hurtgen", "somnium"):
        shutil.copytree(HOME / part, tmp_path / part, ignore=shutil.ignore_patterns("examples"))

    def change(game: str, *edits: tuple[str, str, str]) -> Scenario:
        for file, old, new in edits:
            path = tmp_path / file
            text = path.read_text("utf-8")
            assert old in text
            path.write_text(text.replace(old, new), "utf-8")
        return load(tmp_path / game)

    return change


def judged(scenario: Scenario, body: str) -> Judgement:
    head = f"sheet 1\ngame {scenario.name}\npartial\nmap blank open 20x20\n"
    return replay(scenario, read_sheet(head + body))


@pytest.mark.parametrize(("divide", "defence"), [(2, 5), (3, 3), (9, 1)])
def test_weakened_guns_are_divided_by_the_files_figure(changed: Changed, divide: int, defence: int) -> None:
    game = changed("bastogne", ("bastogne/game.yaml", "by: 1/2", f"by: 1/{divide}"))
    found = judged(
        game,
        "unit a1 american infantry 6-6-6\nunit g1 german artillery 4-9-5 range 6\nposition\n  a1 1010\n  g1 1011\n"
        "turn 26 american combat\ncombat 1011\n  attack a1\n",
    )
    assert found.combats[0].defence == defence


@pytest.mark.parametrize(("share", "defence"), [(2, 5), (4, 3)])
def test_an_unknown_back_is_the_front_by_the_files_figure(changed: Changed, share: int, defence: int) -> None:
    game = changed("bastogne", ("somnium/family.yaml", "unknown_back: 2", f"unknown_back: {share}"))
    found = judged(
        game,
        "unit a1 american infantry 6-6-6\nunit g1 german infantry 4-9-5\nposition\n  a1 1010\n  g1 1011 reduced\n"
        "turn 25 american combat\ncombat 1011\n  attack a1\n",
    )
    assert found.combats[0].defence == defence


def test_the_share_of_the_losses_is_the_files(changed: Changed) -> None:
    game = changed("bastogne", ("somnium/victory.yaml", "final_loss_every: 3", "final_loss_every: 2"))
    assert game.victory.final_loss_every == 2
    assert "one of every {n}" in words(game, "en")["charts.victory.final_losses"]
    assert "victory" in charts(game)


def test_a_share_that_nobody_says_is_missed(changed: Changed) -> None:
    with pytest.raises(ScenarioError) as caught:
        changed("bastogne", ("somnium/victory.yaml", "final_loss_every: 3", "{}"))
    assert "needs `final_loss_every`" in str(caught.value)


def test_words_of_an_id_that_repeat_its_type_are_the_files(changed: Changed) -> None:
    assert labels(load("hurtgen").counters["ge-116pz-eng"], load("hurtgen")) == ("", "116")
    game = changed("hurtgen", ("somnium/family.yaml", ", ids: eng}", "}"))
    assert labels(game.counters["ge-116pz-eng"], game)[0] == "Eng"


@pytest.mark.parametrize(("mark", "scores"), [("seen-noville", True), ("passed-noville", False)])
def test_a_place_passed_is_known_by_the_games_own_mark(changed: Changed, mark: str, scores: bool) -> None:
    game = changed("bastogne", ("bastogne/game.yaml", "mark: passed-noville", "mark: seen-noville"))
    found = judged(
        game,
        f"name 0515 Noville\nunit g1 german armor 4-4-9 division 2-pz\nposition\n  g1 0501\n  status g1 {mark}\n"
        "turn 20 german movement\nexit g1: 0501 to north\n",
    )
    told = [str(f.message) for f in found.findings if "without having passed" in str(f.message)]
    assert told == ([] if scores else ["g1 leaves without having passed Noville: no points"])
    assert (found.score["german"] > 0) is scores


def test_a_place_that_nobody_can_have_passed_is_told(changed: Changed) -> None:
    with pytest.raises(ScenarioError) as caught:
        changed("bastogne", ("bastogne/game.yaml", "place: noville, mark", "place: wiltz, mark"))
    assert "marks who has passed 'noville'" in str(caught.value)
