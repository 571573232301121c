"""A game of differences and a ten-sided die, four steps, overruns, disruption, weather by dice, by data alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.vassal.story import Event
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replay import replay
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.blocks import LoggedThrow
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.draft import SheetDraft
from hexforge.validator.logs.locations import Origin, TrackerReading
from hexforge.validator.logs.phases import dice
from hexforge.validator.notation import base, games
from hexforge.validator.notation import statements as st
from tests.generator.game import Game, swapped, written
from tests.generator.own import play

HOME = Path(__file__).parent / "ashvale"
LOG = Path(__file__).parents[1] / "data" / "ashvale" / "chores.vlog"


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    """The game is known by its name while these tests run."""
    games.learn(HOME)


SEEDS = range(4)


@pytest.fixture(scope="module")
def played() -> dict[int, Game]:
    """Games that are played from a seed, each written once."""
    return {seed: play(load(HOME), seed) for seed in SEEDS}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_that_breaks_no_rule_is_legal(played: dict[int, Game], seed: int) -> None:
    game = played[seed]
    found = [f for f in replay(load(HOME), game.sheet).findings if f.severity not in ("info", "warning")]
    assert [(f.line, f.code, str(f.message)) for f in found] == []
    assert game.moves > 40
    assert game.combats > 8


def planted(scenario: Scenario, game: Game) -> Iterator[tuple[base.Statement, base.Statement]]:
    """Mistakes: a statement of the game, and the wrong one in its place."""
    for old in game.sheet.statements:
        if isinstance(old, st.Move) and len(old.path) > 1:
            yield old, replace(old, path=(*old.path, *(old.path[-2], old.path[-1]) * 9))
        elif isinstance(old, st.Combat):
            acts = list(old.acts)
            losses = [a for a in acts if isinstance(a, st.Lose | st.Eliminate)]
            told = next(a for a in acts if isinstance(a, st.Result))
            other = next(code for code in ("A2", "D2") if (code,) != told.codes)
            yield old, replace(old, acts=tuple(replace(a, codes=(other,)) if a is told else a for a in acts))
            if losses and told.codes != ("E",):
                yield old, replace(old, acts=tuple(a for a in acts if a is not losses[0]))
            for back in [a for a in acts if isinstance(a, st.Retreat)][:1]:
                yield old, replace(old, acts=tuple(a for a in acts if a is not back and not _after(acts, back, a)))
        elif isinstance(old, st.WeatherRoll):
            yield old, replace(old, faces=(11,))


def _after(acts: list[base.Act], back: base.Act, act: base.Act) -> bool:
    """What is told after a retreat: its price, and who advances."""
    return acts.index(act) > acts.index(back) and not isinstance(act, st.Retreat)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_planted_is_found_where_it_is(played: dict[int, Game], seed: int) -> None:
    scenario, game = load(HOME), played[seed]
    tried: Counter[str] = Counter()
    for old, wrong in list(planted(scenario, game))[seed::12]:
        sheet = written(swapped(game.sheet, old, wrong)).sheet
        last = old.line + len(getattr(old, "acts", ()))
        found = [f.line for f in replay(scenario, sheet).findings if f.severity == "illegal"]
        header = max(s.line for s in sheet.statements if isinstance(s, st.TurnStart) and s.line <= old.line)
        assert found and min(found) in (header, *range(old.line, last + 1)), (old, wrong, found[:3])
        tried[type(old).__name__] += 1
    assert tried["Combat"] and tried["Move"]


def test_module_has_a_face_a_step_and_throws_ten_sides(tmp_path: Path) -> None:
    for arguments in (["build", HOME, "--out", tmp_path], ["verify", tmp_path / "Ashvale.vmod"]):
        done = CliRunner().invoke(modulegen, [str(a) for a in arguments])
        assert done.exit_code == 0, done.output
    with ZipFile(tmp_path / "Ashvale.vmod") as module:
        names = set(module.namelist())
        text = module.read("buildFile.xml").decode()
    faces = {f"images/te-1-inf{face}.png" for face in ("", "-reduced", "-reduced-2", "-reduced-3")}
    assert faces <= names and "images/te-hq-reduced.png" not in names
    assert "Step_Level == Steps" in text and "Step4Attack" in text
    assert 'nSides="10"' in text
    assert "Teal: Weather" in text and "Umber: Recovery" in text
    assert "weather $CombatFaces$" in text and "[rally " in text and "overrun " in text


def test_log_of_weather_overrun_and_rally_by_button_is_read() -> None:
    """Played in the engine with a ten-sided die; what the buttons wrote into the chat stands in the sheet."""
    found = transcript(read_chain([LOG]))
    assert found is not None
    lines = [line.strip() for line in found.text.splitlines()]
    assert lines[lines.index("turn 2 teal weather") + 1] == "weather 7"
    overrun = ["overrun 0904", "attack te-1-arm", "result E", "eliminate um-1-inf", "advance te-1-arm: 0804 0904"]
    assert lines[lines.index("overrun 0904") :][:6] == [*overrun, "move te-1-arm: 0904 1004"]
    assert lines[lines.index("combat 0905") :][:4] == ["combat 0905", "attack te-1-arm", "roll 2", "lose te-1-arm"]
    assert lines[-1] == "rally te-1-arm roll 8"
    assert not [line for line in lines if "dice" in line]


@pytest.mark.parametrize(("die", "face", "taken"), [("1d6", 4, False), ("1d10", 4, True), ("CombatDice", 7, True)])
def test_dice_that_the_game_has_not_are_named_and_count_for_nothing(die: str, face: int, taken: bool) -> None:
    """A module has a button of ordinary dice, and this game is played with ten sides."""
    draft = SheetDraft.of(load(HOME), cast(Any, None))
    draft.clock = TrackerReading(2, "teal", "combat")
    dice(draft, Event("dice", text=die, numbers=(face,)), Origin("a.vlog", 1), typed=False)
    assert [isinstance(entry.what, LoggedThrow) for entry in draft.kept] == [taken]
    assert [note.message.key for note in draft.noted] == ([] if taken else ["logs.note.strange-dice"])


@pytest.mark.parametrize(("die", "faces"), [("1d10", (11,)), ("CombatDice", (0, 3)), ("2d10", (4,) * 13)])
def test_dice_that_cannot_be_are_named_and_leave_doubt(die: str, faces: tuple[int, ...]) -> None:
    """Whoever changed them in a log may have hidden what was thrown: a combat without dice alone is no more."""
    draft = SheetDraft.of(load(HOME), cast(Any, None))
    draft.clock = TrackerReading(2, "teal", "combat")
    dice(draft, Event("dice", text=die, numbers=faces), Origin("a.vlog", 1), typed=False)
    assert not [entry for entry in draft.kept if isinstance(entry.what, LoggedThrow)]
    assert [(n.code, n.severity, n.message.key) for n in draft.noted] == [
        ("roll", "doubtful", "logs.note.impossible-dice")
    ]
