"""Units of up to six steps: strength at each, losses, recovery, and how a sheet says how many are lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.validator.judging.answer import Answer
from tests.referee.conftest import HOME, Judge

FOUR = """unit c1 crown footmen 6-6-4 reduced 4-4 3-3 1-1
unit c2 crown footmen 3-3-4 reduced 2-2
unit l1 league footmen 5-5-4 reduced 4-4 2-2 1-1 1-1 1-1
position
  c1 0505 {step}
  c2 0505
  l1 0506 {enemy}
turn 1 crown combat
combat 0506
  attack c1 c2
{told}
"""


def fight(judged: Judge, told: str, *, step: str = "", enemy: str = "") -> Answer:
    return judged(FOUR.format(step=step, enemy=enemy, told=told), tables=LOSES)


ROWS = ("2,3,4", "5,6", "7", "8,9", "10,11,12")
LOSES = {
    "crt": {"rows": dict.fromkeys(ROWS, ["IMP"] * 6)},
    "results": {"IMP": {"defender": {"steps": 3}}},
}
"""Every attack costs the defender three steps."""


def figures(answer: Answer) -> tuple[int, int]:
    combat = answer.as_json()["combats"][0]
    return combat["attack"], combat["defence"]


def wrong(answer: Answer) -> list[tuple[str, object]]:
    found = [f for f in answer.findings if f.severity == "illegal" and f.code != "must-attack"]
    return [(f.message.key.removeprefix("findings."), f.computed) for f in found]


def steps(answer: Answer) -> dict[str, str]:
    return {u: state["step"] for u, state in answer.as_json()["position"].items()}


@pytest.mark.parametrize(("step", "attack"), [("", 9), ("reduced", 7), ("reduced 2", 6), ("reduced 3", 4)])
def test_each_step_has_its_strength(judged: Judge, step: str, attack: int) -> None:
    assert figures(fight(judged, "  roll 6 6", step=step, enemy="reduced 4")) == (attack, 1)


def test_losses_go_down_the_steps(judged: Judge) -> None:
    told = "  roll 5 4\n  result IMP\n  lose l1\n  lose l1\n  lose l1"
    answer = fight(judged, told)
    assert steps(answer)["l1"] == "reduced-3"
    assert wrong(answer) == []
    less = fight(judged, told.replace("\n  lose l1", "", 1))
    assert wrong(less) == [("loss-missing", 1)]
    more = fight(judged, told + "\n  lose l1")
    assert [key for key, _ in wrong(more)] == ["no-loss"]
    gone = fight(judged, told.replace("lose l1\n  lose l1\n  lose l1", "eliminate l1"), enemy="reduced 3")
    assert wrong(gone) == []
    assert "l1" not in steps(gone) or steps(gone)["l1"] == "eliminated"


def test_a_unit_is_eliminated_only_by_its_last_step(judged: Judge) -> None:
    whole = fight(judged, "  roll 5 4\n  result IMP\n  eliminate l1", enemy="reduced 2")
    assert [key for key, _ in wrong(whole)] == ["not-eliminated"]


def test_more_steps_lost_than_there_are(judged: Judge) -> None:
    keys = {f.message.key for f in fight(judged, "", step="reduced 4").findings}
    assert "findings.steps-lost" in keys
    assert "findings.steps-lost" not in {f.message.key for f in fight(judged, "", step="reduced 3").findings}


def test_a_step_is_turned_back_at_a_time(judged: Judge) -> None:
    sheet = FOUR[: FOUR.index("turn 1")].format(step="reduced 3", enemy="reduced 5").replace("0506", "0909")
    answer = judged(sheet + "turn 1 crown movement\nrecover c1\n", replacements=[
        {"side": "crown", "points": 2, "step": 1, "section": "3.8"}], movement={"recovery": []})  # fmt: skip
    assert steps(answer)["c1"] == "reduced-2"
    assert [f for f in answer.findings if f.severity == "illegal"] == []


def test_counters_of_more_steps_are_checked(tmp_path: Path) -> None:
    folder = tmp_path / "saltway"
    shutil.copytree(HOME, folder)
    rows = (folder / "counters.csv").read_text("utf-8").splitlines()
    rows[0] += ",further"
    rows[1:] = [f"{row}," for row in rows[1:]]
    for wrong, said in (("3-3", "is more than"), ("1-1 1-1 1-1 1-1 1-1", "4 at most"), ("1/1", "attack-defence")):
        (folder / "counters.csv").write_text("\n".join([rows[0], rows[1] + wrong, *rows[2:]]), "utf-8")
        done = CliRunner().invoke(modulegen, ["check", str(folder)])
        assert said in " ".join(done.output.split()), done.output
        assert done.exit_code


def test_a_game_may_begin_with_steps_lost(tmp_path: Path) -> None:
    folder = tmp_path / "saltway"
    shutil.copytree(HOME, folder)
    text = (folder / "setup.yaml").read_text("utf-8")
    line = next(line for line in text.splitlines() if "units:" in line)
    (folder / "setup.yaml").write_text(text.replace(line, line.replace("units:", "reduced: 2, units:")), "utf-8")
    done = CliRunner().invoke(modulegen, ["check", str(folder)])
    assert "begins with 2 steps lost" in " ".join(done.output.split())
