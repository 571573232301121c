"""Logs of which something was taken out or written over: what was done is not known, and nobody is acquitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import Chat, Command, Log, Null, RemovePiece, SetTurn, Undo
from hexforge.modulegen.vassal.payload import group, leaf
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save, save_bytes
from hexforge.scenarios import load
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_logs
from hexforge.validator.logs.typed import Listener
from tests.transcribe.gestures import say, thrown

HOME = Path(__file__).resolve().parents[1] / "data" / "engine"
Steps = list[list[Command]]


def spoilt(name: str, spoil: Callable[[Steps], Steps], folder: Path) -> Answer:
    """The judgement of a log after something was done to its steps."""
    game = read_save(HOME / f"{name}.vlog")
    steps = [[c.command if isinstance(c, Log) else c for c in node.commands()] for node in game.steps]
    made = [group(*[leaf(Log(command)) for command in step]) for step in spoil(steps)]
    path = folder / f"{name}.vlog"
    path.write_bytes(save_bytes(group(*game.restore, *made), game.module, game.saved))
    return check_logs([path], lang="en")


def found(answer: Answer) -> list[tuple[str, str]]:
    return [(f.code, f.severity) for f in answer.findings if f.severity != "info"]


def rolls(step: Sequence[Command]) -> bool:
    return any(isinstance(c, Chat) and c.text.startswith("*** ") for c in step)


def test_a_declared_combat_without_dice_is_doubtful_once_the_tracker_has_gone_on(tmp_path: Path) -> None:
    """The throw that was taken out was the last of the log, so that no later one shows the gap."""
    assert found(spoilt("attack_first", list, tmp_path)) == []
    answer = spoilt("attack_first", lambda steps: [s for s in steps if not rolls(s)], tmp_path)
    assert found(answer) == [("roll", "doubtful")] and answer.verdict == "doubtful"


def test_dice_may_still_be_thrown_while_the_phase_lasts(tmp_path: Path) -> None:
    def thrown_later(steps: Steps) -> Steps:
        return steps[: next(i for i, step in enumerate(steps) if rolls(step))]

    answer = spoilt("attack_first", thrown_later, tmp_path)
    assert found(answer) == [("roll", "warning")] and answer.verdict == "legal"


def renamed(steps: Steps) -> Steps:
    """An attacker whom the module named, called otherwise than any counter is."""
    return [
        [Chat(c.text.replace("us-707-", "us-607-")) if isinstance(c, Chat) else c for c in step] for step in steps
    ]


def test_an_attacker_whom_no_module_has_is_not_left_out_in_silence(tmp_path: Path) -> None:
    assert found(spoilt("advance_before_retreat", list, tmp_path)) == []
    answer = spoilt("advance_before_retreat", renamed, tmp_path)
    (doubt,) = (f for f in answer.findings if f.severity == "doubtful")
    assert doubt.code == "special" and "us-607-tank" in str(doubt.message)


def without_throws(steps: Steps) -> Steps:
    """All that the dice did taken out, and what the module says of them left."""
    return [[c for c in step if not rolls([c])] or [Null()] for step in steps]


def test_what_the_module_says_of_dice_that_the_log_does_not_hold_is_doubtful(tmp_path: Path) -> None:
    assert found(spoilt("killed_by_mistake", list, tmp_path)) == []
    assert found(spoilt("killed_by_mistake", without_throws, tmp_path)) == [("roll", "doubtful")]


@pytest.mark.parametrize("others", [False, True])
def test_dice_that_were_typed_alone_are_doubtful(others: bool, tmp_path: Path) -> None:
    """Whether or not others fell: a claim is no throw."""

    def typed(steps: Steps) -> Steps:
        told = [[say("roll 4 1")] if rolls(step) else step for step in steps]
        return [*told, [thrown((3,))]] if others else told

    assert ("roll", "doubtful") in found(spoilt("attack_first", typed, tmp_path))


def test_who_waits_and_is_taken_out_of_the_game_is_told(tmp_path: Path) -> None:
    """Until he is due nobody would miss him."""
    game = read_save(HOME / "attack_first.vlog")
    waiting = next(v.id for v in LogReplay(game).pieces() if v.map == "Reforços" and v.properties.get("UnitId"))
    answer = spoilt("attack_first", lambda steps: [*steps[:2], [RemovePiece(waiting)], *steps[2:]], tmp_path)
    assert found(answer) == [("special", "doubtful")]


@pytest.mark.parametrize("left_out", ["begins", "ends", "all between"])
def test_half_an_undo_is_no_undo(left_out: str, tmp_path: Path) -> None:
    def halved(steps: Steps) -> Steps:
        at = next(i for i, step in enumerate(steps) if any(isinstance(c, Undo) for c in step))
        kept = {
            "begins": [c for c in steps[at] if not (isinstance(c, Undo) and c.begins)],
            "ends": [c for c in steps[at] if not (isinstance(c, Undo) and not c.begins)],
            "all between": [c for c in steps[at] if isinstance(c, Undo)],
        }
        return [*steps[:at], kept[left_out], *steps[at + 1 :]]

    assert found(spoilt("flip_by_mistake", list, tmp_path)) == []
    answer = spoilt("flip_by_mistake", halved, tmp_path)
    assert any("an undo lacks" in str(f.message) and f.severity == "doubtful" for f in answer.findings)


@pytest.mark.parametrize(
    "talk",
    ["attack at dawn", "Combat phase", "result none", "attack 3", "atacar Vossenack", "combat 1007 was hard"],
)
def test_what_a_module_says_in_words_is_talk(talk: str) -> None:
    assert Listener(load("hurtgen")).hear(f"* {talk}") is None


@pytest.mark.parametrize("name", ["h1", "attack_first", "undo_combat"])
def test_a_turn_that_was_turned_too_early_and_taken_back_is_no_phase(name: str, tmp_path: Path) -> None:
    """It is the first that is done, so that no phase has been told yet."""
    game = read_save(HOME / f"{name}.vlog")
    (rest,) = [c for node in game.restore for c in node.commands() if isinstance(c, SetTurn)]
    on = SetTurn(rest.tracker, rest.state.replace(";9;0\\;", ";9;1\\;"))
    assert on.state != rest.state

    def turned(steps: Steps) -> Steps:
        return [[on], [Undo(True), rest, Undo(False)], *steps]

    phases = [
        [line for line in check.lines if line.startswith("turn")]
        for check in (spoilt(name, list, tmp_path), spoilt(name, turned, tmp_path))
    ]
    assert phases[0] == phases[1]
