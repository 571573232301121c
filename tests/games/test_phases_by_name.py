"""Phases with an id: sheets, answers, charts and the tracker call them so; numbers count the others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hexforge.modulegen.build import compile_plan
from hexforge.modulegen.draw import Cache
from hexforge.modulegen.plan import plan
from hexforge.modulegen.render.condition_words import turns_words
from hexforge.modulegen.render.rule_words import phase_steps
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load
from hexforge.scenarios.schema.base import in_turns
from hexforge.scenarios.text.files import cache_folder
from hexforge.validator.judging.check import check_logs, judge
from hexforge.validator.judging.replay import replay
from hexforge.validator.judging.transcription import log_of, transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.notation import games
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import vocabulary_of, write_sheet
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.position_export import standing

GAMES = Path(__file__).parent
LONGRIDGE, KESTREL = GAMES / "longridge", GAMES / "kestrel"
HEAD = "sheet 1\ngame longridge\npartial\nposition\n  gr-1 0507\n  bl-1 0501\n"
PLAYED = (
    "turn 1 grey approach\nmark gr-1 as dug-in\nturn 1 grey march-on\nturn 1 grey straggling\nturn 1 grey combat\n"
)


@pytest.fixture(autouse=True)
def known() -> None:
    for home in (LONGRIDGE, KESTREL):
        games.learn(home)


@pytest.mark.parametrize("title", ["marching-on", "Marching on", "march-on"])
def test_a_sheet_and_a_mail_open_a_phase_by_its_id_or_its_title(title: str) -> None:
    sheet = read_sheet(f"{HEAD}turn 1 grey approach\nTurn 1 South {title}\n")
    opened = [s for s in sheet.statements if isinstance(s, st.TurnStart)][-1]
    assert (opened.side, opened.phase, opened.name) == ("grey", "movement", "march-on")
    assert "turn 1 grey march-on" in write_sheet(sheet.statements, "en", vocabulary_of(load(LONGRIDGE)))


def test_a_position_says_after_which_phase_it_is_by_its_id() -> None:
    sheet = read_sheet(f"{HEAD}turn 1 grey movement\nturn 1 grey movement\n")
    found = replay(load(LONGRIDGE), sheet)
    written = write_sheet(standing(found.ctx, found.position), "en", vocabulary_of(load(LONGRIDGE)))
    assert written.startswith("position after turn 1 grey march-on\n")
    assert found.ctx.names(replay(load(LONGRIDGE), read_sheet(f"{HEAD[:24]}{written}")).position.phase) == (
        "movement",
        "march-on",
    )


def test_answers_and_charts_call_it_by_its_title_and_say_there_what_is_done_in_it() -> None:
    answer = judge(
        read_sheet(HEAD + PLAYED.replace("turn 1 grey march-on\n", "turn 1 grey march-on\nrally bl-1\n"))
    )
    assert {played.kind for f in answer.findings if (played := answer.phase_of(f.line))} == {"march-on"}
    planned = plan(load(LONGRIDGE), "en")
    steps = planned.words.steps(planned.scenario.game.sequence)
    assert steps[2:4] == ["South: Approach", "South: Marching on"]
    told = [" ".join(phase_steps(planned.scenario, planned.words.text, i)) for i in (2, 3)]
    assert ["Dug in" in one for one in told] == [True, False]
    assert ["Winded: units may take it" in one for one in told] == [False, True]


def test_a_log_of_the_module_is_read_with_the_phases_by_name(tmp_path: Path) -> None:
    scenario = load(LONGRIDGE)
    data, _ = compile_plan(plan(scenario, "en"), Cache(cache_folder()), 1)
    module, log = tmp_path / "longridge.vmod", tmp_path / "made.vlog"
    module.write_bytes(data)
    log.write_bytes(log_of(read_sheet(HEAD + PLAYED), scenario, module))
    text = transcript(read_chain([log])).text
    assert "turn 1 grey approach" in text and "turn 1 grey march-on" in text
    assert check_logs([log]).verdict == "legal"


def test_reactions_and_what_the_weather_leaves_out_are_not_counted() -> None:
    kestrel = load(KESTREL).game
    assert sorted(kestrel.reactions) == [1, 7]
    assert kestrel.counted("red", "movement", 2)[:2] == (6, 9)
    ridge = load(LONGRIDGE).game
    weather = {"dry": (1, 2), "wet": (3, 6)}
    first = ridge.sequence[2].model_copy(update={"weather": ("dry",)})
    wet = ridge.model_copy(
        update={"weather": weather, "sequence": (*ridge.sequence[:2], first, *ridge.sequence[3:])}
    )
    assert wet.counted("grey", "movement", 2, "dry") == (2, 3)
    assert wet.counted("grey", "movement", 3, "wet") == (3,)


def test_spans_of_turns_are_those_turns_and_no_others() -> None:
    ridge = load(LONGRIDGE)
    night = next(rule for rule in ridge.game.rules.combat.modifiers if rule.name == "night").when[0]
    assert [turn for turn in range(1, 7) if in_turns(night.turns, turn)] == [3, 6]  # type: ignore[union-attr]
    assert turns_words(plan(ridge, "en").words.text, night.turns) == "turns 3, 6"  # type: ignore[union-attr]


@pytest.mark.parametrize("wrong", ["3-1", "1-3 2-5", "1-", "[1, 2, 3]", "[]", "one"])
def test_what_is_no_span_of_turns_is_told(wrong: str, tmp_path: Path) -> None:
    shutil.copytree(LONGRIDGE, tmp_path / "longridge")
    file = tmp_path / "longridge" / "game.yaml"
    value = wrong if wrong.startswith("[") else f'"{wrong}"'
    file.write_text(file.read_text("utf-8").replace('{turns: "3 6", divide', f"{{turns: {value}, divide"), "utf-8")
    with pytest.raises(ScenarioError):
        load(tmp_path / "longridge")
