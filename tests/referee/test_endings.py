"""How games of one's own are won: strength destroyed, places turn by turn, at once, by levels."""

from __future__ import annotations

from typing import Any

from hexforge.validator.judging.answer import Answer
from tests.referee.conftest import Judge

SHEET = """name 0606 Saltgate
unit c1 crown footmen 3-3-4
unit l1 league footmen 4-4-4 reduced 2-2
unit l2 league footmen 5-5-4 reduced 2-2
position
  c1 0606
  l1 0908 {step}
  {second}
turn 1 crown movement
turn 1 crown combat
turn 1 league movement
turn 1 league combat
turn 2 crown movement
turn 2 crown combat
"""
PLAIN = [{"side": s, "phase": p} for s in ("crown", "league") for p in ("movement", "combat")]


def ended(judged: Judge, *, step: str = "", second: str = "gone l2 eliminated", **victory: Any) -> Answer:
    base: dict[str, Any] = {"section": "6.1", "objectives": [], "destroyed": {"crown": 2}, **victory}
    return judged(SHEET.format(step=step, second=second), sequence=PLAIN, victory=base)


def score(answer: Answer) -> int:
    return int(answer.as_json()["score"]["crown"])


def keys(answer: Answer) -> list[str]:
    return [f.message.key.removeprefix("findings.") for f in answer.findings]


def test_strength_destroyed_counts_as_the_game_says(judged: Judge) -> None:
    assert score(ended(judged)) == 2
    assert score(ended(judged, step="reduced", destroyed_counted="steps")) == 6
    assert score(ended(judged, destroyed_counted="factors")) == 10
    assert score(ended(judged, destroyed_counted="factors", destroyed_every=3)) == 2


def test_a_place_may_score_turn_by_turn(judged: Judge) -> None:
    place = {"place": "saltgate", "points": {"crown": 5}, "section": "6.1"}
    assert score(ended(judged, objectives=[place])) == 7
    assert score(ended(judged, objectives=[{**place, "each_turn": True}])) == 7
    both = ended(judged, objectives=[place, {**place, "each_turn": True}])
    assert score(both) == 12
    parts = {p["cause"]: p["points"] for p in both.as_json()["score_parts"]}
    assert parts == {"objective": 5, "turns": 5, "destroyed": 2}


def test_as_a_turn_ends_its_points_may_be_counted_or_not_yet(judged: Judge) -> None:
    """Two points for the unit destroyed; five for the place as each turn ends, twice by the end of the second."""
    victory: dict[str, Any] = {
        "section": "6.1",
        "destroyed": {"crown": 2},
        "objectives": [{"place": "saltgate", "points": {"crown": 5}, "each_turn": True, "section": "6.1"}],
    }

    def wrong(sheet: str, points: int) -> bool:
        text = SHEET.format(step="", second="gone l2 eliminated") + f"{sheet}score crown {points} league 0\n"
        return "score" in [f.code for f in judged(text, sequence=PLAIN, victory=victory).findings]

    assert [n for n in (0, 2, 7, 12) if not wrong("", n)] == [7], "in the middle of the second turn"
    last = "turn 2 league movement\nturn 2 league combat\n"
    assert [n for n in (0, 2, 7, 12) if not wrong(last, n)] == [7, 12]


def test_a_side_may_win_at_once(judged: Judge) -> None:
    rule = {"side": "crown", "place": "saltgate", "section": "6.2"}
    at_turn = {**rule, "at": "turn"}
    assert keys(ended(judged, sudden=[rule])).count("won-at-once") == 1
    assert keys(ended(judged, sudden=[rule])).count("played-on") == 1
    assert "won-at-once" not in keys(ended(judged, sudden=[{**rule, "turns": [3, 6]}]))
    assert "won-at-once" in keys(ended(judged, sudden=[{**rule, "points": 2}]))
    assert "won-at-once" not in keys(ended(judged, sudden=[{**rule, "lead": 3}]))
    told = {f.message.key.removeprefix("findings."): f.line for f in ended(judged, sudden=[rule]).findings}
    late = {f.message.key.removeprefix("findings."): f.line for f in ended(judged, sudden=[at_turn]).findings}
    assert (told["won-at-once"], late["won-at-once"]) == (14, 17), "as a phase ends, and as the turn ends"
    nowhere = {**rule, "place": "kiln"}
    assert "won-at-once" not in keys(ended(judged, sudden=[nowhere]))
    alone = {"side": "crown", "none_left": True, "section": "6.2"}
    assert "won-at-once" not in keys(ended(judged, sudden=[alone]))


def test_a_victory_has_a_level(judged: Judge) -> None:
    levels = [
        {"name": "rout", "side": "crown", "least": 10},
        {"name": "edge", "side": "crown", "by": "points", "least": 2},
        {"name": "draw", "by": "points", "least": 0},
    ]
    assert ended(judged, levels=levels).as_json()["level"] == "edge"
    assert ended(judged, levels=levels, destroyed={"crown": 10}).as_json()["level"] == "rout"
    assert ended(judged, levels=levels, destroyed={"crown": 1}).as_json()["level"] == "draw"
    assert "level" not in ended(judged).as_json()
    twice = [{"name": "clear", "by": "ratio", "least": 2}]
    assert ended(judged, levels=twice).as_json()["level"] == "clear"
    behind = [{"name": "draw", "of": "league", "least": -2}, {"name": "ours", "side": "crown", "least": 0}]
    assert ended(judged, levels=behind).as_json()["level"] == "draw"
    assert ended(judged, levels=behind, destroyed={"crown": 3}).as_json()["level"] == "ours"


def test_any_unit_may_score_by_leaving(judged: Judge) -> None:
    exits = [{"side": "crown", "edge": "east", "last_turn": 6, "points": 3, "section": "6.3"}]
    base: dict[str, Any] = {"section": "6.1", "objectives": [], "destroyed": {}, "exits": exits}
    sheet = "unit c1 crown footmen 3-3-4\nposition\n  c1 1105\nturn 1 crown movement\nexit c1: 1105 to east\n"
    answer = judged(sheet, sequence=PLAIN, victory=base)
    assert [f.message.key for f in answer.findings if f.severity == "illegal"] == []
    assert score(answer) == 3


def test_of_formations_that_left_before_nobody_knows_the_strength(judged: Judge) -> None:
    """Exits that count by strength: `left` says who went and not how strong, so that a score is doubtful."""
    exits = [{"side": "crown", "edge": "east", "last_turn": 6, "points": 1, "counted": "factors", "section": "6.3"}]
    base: dict[str, Any] = {"section": "6.1", "objectives": [], "destroyed": {}, "exits": exits}
    sheet = (
        "unit c1 crown footmen 3-3-4\nposition\n  c1 1105\n  {}\nturn 2 crown movement\nscore crown 4 league 0\n"
    )
    found = {
        line: [
            f.severity
            for f in judged(sheet.format(line), sequence=PLAIN, victory=base).findings
            if f.code == "score"
        ]
        for line in ("left crown 5 east 1", "left crown 5 west 1", "scored crown 0")
    }
    assert found == {
        "left crown 5 east 1": ["doubtful"],
        "left crown 5 west 1": ["illegal"],
        "scored crown 0": ["illegal"],
    }
