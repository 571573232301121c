"""What a fair referee says to the logs of tests/data/engine, whose README tells what the players did."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_logs

HOME = Path(__file__).resolve().parents[1] / "data" / "engine"
HONEST = (
    "attack_first",
    "all_declared_first",
    "advance_before_retreat",
    "flip_by_mistake",
    "misdrop",
    "turn_back",
    "undo_combat",
    "drag_to_losses",
    "air",
    "mz2",
    "naturalchat",
    "b0",
    "h1",
    "killed_by_mistake",
    "slip_after_advance",
)


@cache
def judged(*names: str) -> Answer:
    return check_logs([HOME / f"{name}.vlog" for name in names], lang="en")


def bad(answer: Answer) -> list[tuple[str, int, str, str]]:
    """What a verdict rests on: code, step, line, message."""
    return [
        (f.code, answer.steps[f.line][1], answer.quote(f.line), str(f.message))
        for f in answer.findings
        if f.severity in ("illegal", "doubtful")
    ]


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_log_is_accused_of_nothing(name: str) -> None:
    assert bad(judged(name)) == []
    # One player has gone through the phases of both, which is told.
    warned = {f.code for f in judged(name).findings if f.severity == "warning"}
    assert warned <= ({"wrong-phase"} if name == "air" else set())


@pytest.mark.parametrize(
    ("name", "code", "step", "quote", "named"),
    [
        ("combat_phase_move", "wrong-phase", 3, "found us-110-1 0407", ("us-110-1", "0307", "0407")),
        ("ghost_kill", "losses", 1, "found ge-983-1 lost", ("ge-983-1", "1007")),
        ("dup", "log-chain", 1, "# us-110-1: stands twice; one more was put in 0407", ("us-110-1", "0407")),
        (
            "from_palette",
            "log-chain",
            1,
            "# us-110-1: stands twice; one more was put in 0806",
            ("us-110-1", "0806"),
        ),
    ],
)
def test_a_cheat_is_found_at_its_step_and_nothing_else(
    name: str, code: str, step: int, quote: str, named: tuple[str, ...]
) -> None:
    ((found, at, line, told),) = bad(judged(name))
    assert (found, at, line) == (code, step, quote)
    assert all(word in told for word in named)
    (finding,) = (f for f in judged(name).findings if f.severity == "illegal")
    assert finding.units == (named[0],)


def test_a_piece_moved_between_the_logs_is_found_where_the_chain_breaks() -> None:
    answer = judged("h1", "c_ghost")
    (finding,) = (f for f in answer.findings if f.severity == "illegal")
    assert finding.code == "log-chain" and "ge-985-1 0903 -> 0904" in str(finding.message)
    assert answer.steps[finding.line] == ("c_ghost.vlog", 0)
    assert answer.position is not None and answer.position.hex_of("ge-985-1") == "0904"


def test_prose_that_means_a_statement_is_taken() -> None:
    lines = judged("naturalchat").lines
    assert "  support offboard 30" in lines and "  result DE AVB" in lines


def test_dice_before_the_declaration_are_judged_with_a_warning() -> None:
    answer = judged("roll_then_declare")
    assert bad(answer) == []
    (combat,) = answer.combats
    assert (combat.target, combat.roll) == (("1007",), 10)
    (warning,) = (f for f in answer.findings if f.severity == "warning")
    assert answer.steps[warning.line][1] == 5 and "6 4" in str(warning.message) and "1007" in str(warning.message)


def test_the_points_of_air_support_are_those_of_the_buttons() -> None:
    assert "  air 3" in judged("air").lines


def test_set_up_ends_where_the_next_log_begins() -> None:
    answer = judged("b0", "b1")
    assert "special" not in {code for code, _, _, _ in bad(answer)}
    assert any(line.startswith("move ge-2-1 ge-2-2: 4202") for line in answer.lines)
    # What is left is what was done against a result of no effect.
    assert {(code, step) for code, step, _, _ in bad(answer)} == {
        ("losses", 45),
        ("retreat", 46),
        ("advance", 47),
    }
    assert bad(judged("b1")) == [(c, s, q, m) for c, s, q, m in bad(answer)]


def test_a_stray_drag_beside_a_combat_is_a_finding_of_its_own() -> None:
    answer = judged("b3")
    assert ("wrong-phase", 14, "found ge-39-2 3909") in {found[:3] for found in bad(answer)}
    assert "attacked-twice" not in {f.code for f in answer.findings}
    assert [line for line in answer.lines if line.startswith("combat")] == ["combat 3810", "combat 3303"]
    # The real ones are still found: entries, an enemy moved, stacking, guns, a retreat that was owed.
    assert {"entry", "reinforcement", "wrong-side", "stacking", "artillery-reuse", "retreat"} <= {
        code for code, _, _, _ in bad(answer)
    }


def test_journeys_by_rail_are_read_from_drags() -> None:
    lines = judged("mz2").lines
    assert "enter ge-401art: 2821 - 2418 from east by rail" in lines
    assert "rail ge-saarpfalz-art: 2418 - 1118" in lines


@pytest.mark.parametrize(
    ("names", "verdict", "found"),
    [
        (("tracker_early",), "legal", {("wrong-phase", "warning")}),
        (("owed_a", "owed_b"), "legal", {("wrong-phase", "warning")}),
        # Without the German's log nobody has carried out what the dice say.
        (("owed_a",), "illegal", {("retreat", "illegal"), ("losses", "illegal")}),
        (("declared_a", "declared_b"), "legal", set()),
        (("plain_twice",), "doubtful", {("roll", "doubtful")}),
        (("undo_dice",), "illegal", {("undone-roll", "illegal")}),
    ],
)
def test_what_was_done_beside_the_order_is_weighed(
    names: tuple[str, ...], verdict: str, found: set[tuple[str, str]]
) -> None:
    answer = judged(*names)
    assert {(f.code, f.severity) for f in answer.findings if f.severity != "info"} == found
    assert answer.verdict == verdict


def test_marks_declare_a_combat_that_plain_dice_are_thrown_for() -> None:
    assert bad(judged("marked_and_typed_a", "marked_and_typed_b")) == []
    late = judged("marked_after_dice")
    assert bad(late) == []
    (warning,) = (f for f in late.findings if f.severity == "warning")
    assert "before the combat against 1007 was declared" in str(warning.message)
    assert "  support us-art-1 us-28-art-1 us-28-art-2 us-28-art-3 us-28-art-4 offboard 50" in late.lines


def test_who_throws_until_it_pleases_and_then_marks_is_doubted() -> None:
    thrice = judged("marked_after_three")
    assert [(code, told[:3]) for code, _, _, told in bad(thrice)] == [("roll", "3 4"), ("roll", "1 6")]
    assert "  roll 6 5" in thrice.lines
