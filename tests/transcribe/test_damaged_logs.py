"""Logs of which something was taken out or written over: what was done is not known, and nobody is acquitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import Chat, Command, Log
from hexforge.modulegen.vassal.save import read_save, save_bytes
from hexforge.modulegen.vassal.tree import group, leaf
from hexforge.scenarios import load
from hexforge.validator.report.answer import Answer
from hexforge.validator.transcribe.judged import check_logs
from hexforge.validator.transcribe.typed import Listener

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


@pytest.mark.parametrize(
    "talk",
    ["attack at dawn", "Combat phase", "result none", "attack 3", "atacar Vossenack", "combat 1007 was hard"],
)
def test_what_a_module_says_in_words_is_talk(talk: str) -> None:
    assert Listener(load("hurtgen")).hear(f"* {talk}") is None
