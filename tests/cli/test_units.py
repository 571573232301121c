"""`validator units`: what a player needs to name a counter in a sheet."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from hexforge.scenarios.commands import names
from hexforge.scenarios.loader import load
from hexforge.validator.app.cli import main
from hexforge.validator.report.units import units_of


def run(*words: str) -> str:
    done = CliRunner().invoke(main, ["units", "--lang", "en", *words])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("game", names())
def test_every_counter_is_listed_once(game: str) -> None:
    scenario = load(game)
    found = units_of(scenario)
    assert sorted(u.counter.id for u in found) == sorted(scenario.counters)
    started = {u.counter.id for u in units_of(scenario, at_start=True)}
    assert started == {unit for rule in scenario.setup.at_start for unit in rule.units}
    sides = [spec.id for spec in scenario.game.sides]
    assert [u.counter.id for side in sides for u in units_of(scenario, side)] == [u.counter.id for u in found]
    # Who is neither on the map nor to come is told so, never left blank.
    told = run(game)
    assert all(f"  {unit} " in told for unit in scenario.counters)


def test_a_line_has_counter_formation_hex_and_arrival() -> None:
    lines = {
        line.split()[0]: re.split(r" {2,}", line.strip()) for line in run("hurtgen").splitlines() if line.strip()
    }
    assert lines["us-112-1"] == [
        "us-112-1", "1/112th Inf (28th Inf Div)", "infantry 4-4-5 (2-2)", "Rgt 112, Div 28, Corps V", "0806",
    ]  # fmt: skip
    assert lines["us-4-art-1"][2:] == ["artillery 2-1-4 (1-1), range 12", "Div 4, Corps V", "turn 4: north or west"]


def test_a_side_is_named_by_any_of_its_words() -> None:
    assert run("hurtgen", "--side", "Alemães") == run("hurtgen", "--side", "german")
    assert "us-" not in run("hurtgen", "--side", "german")
    done = CliRunner().invoke(main, ["units", "hurtgen", "--side", "french"])
    assert done.exit_code == 2
    assert "american, german" in done.output


def test_json_has_what_the_game_s_files_say() -> None:
    answer = json.loads(run("hurtgen", "--format", "json", "--at-start"))
    assert answer["game"] == "hurtgen"
    unit = next(u for u in answer["units"] if u["id"] == "us-112-1")
    assert (unit["hexes"], unit["at_start"], unit["turn"], unit["figures"]) == (["0806"], True, None, "4-4-5")


def test_the_page_has_a_picture_of_each_face_and_needs_nothing_else() -> None:
    page = run("hurtgen", "--side", "american", "--at-start", "--format", "html")
    units = units_of(load("hurtgen"), "american", at_start=True)
    assert page.count('<img src="data:image/png;base64,') == sum(2 if u.reduced else 1 for u in units)
    assert all(f"<code>{u.counter.id}</code>" in page for u in units)
    assert "http" not in page.replace("http-equiv", "")
