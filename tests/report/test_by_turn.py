"""Reports go turn by turn, and on a terminal no line is wider than it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import click
import pytest

from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_file, judge
from hexforge.validator.notation import games
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.html import write_html
from hexforge.validator.report.replay_judged import replay
from hexforge.validator.report.text import MarkdownReport, TextReport, wrapped, write_text
from hexforge.validator.report.wording import Headings

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
GAMES = SCENARIOS.parent / "tests" / "games"
PHASES = ["American: Movement", "American: Combat", "German: Movement", "German: Combat"]


def hurtgen() -> Answer:
    answer = check_file(SCENARIOS / "hurtgen" / "examples" / "turn2-mistakes.sheet")
    return replace(answer, source="a.sheet")


def test_findings_combats_and_moves_stand_below_their_phases() -> None:
    text = write_text([hurtgen()], Words("en"))
    found = text.split("\nCombats\n")[0]
    assert [line.split(" · ")[-1] for line in found.splitlines() if line.startswith("Turn 2")] == PHASES
    combat = found[found.index("American: Combat") : found.index("German: Movement")]
    assert "line 43" in combat and "line 25" not in combat and "line 52" not in combat
    moves = text.split("\nMoves\n")[1]
    assert moves.index("American: Movement") < moves.index("line 15") < moves.index("German: Movement")
    assert moves.index("German: Movement") < moves.index("line 52")


def test_pages_and_forum_posts_go_by_turn_as_well() -> None:
    answer = hurtgen()
    chapters = re.findall(
        r'<h3 class="turn">Turn 2 · 2 Nov 1944 · (.*)</h3>', write_html([answer], [], Words("en"))
    )
    assert chapters == PHASES
    assert MarkdownReport(Words("en")).part(answer).count("### Turn 2") == len(PHASES)


TWICE = """sheet 1
game lowmarch
partial
position
  we-1 0304
  we-p1 0404
  ea-1 1305
turn 1 west movement
move we-1: 0304 0305
turn 1 west combat
turn 1 west movement
move we-p1: 0404 0405
turn 1 west attrition
turn 1 east movement
"""


def test_phases_of_a_kind_that_a_side_has_twice_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_FOLDERS", dict(games._FOLDERS))
    games.learn(GAMES / "lowmarch")
    answer = replace(judge(read_sheet(TWICE)), source="a.sheet")
    told = Headings(answer, answer.words("en"))
    assert [told(line).split(" · ")[-1] for line in (9, 12, 14)] == [
        "Western: movement 1", "Western: movement 2", "Eastern: movement",
    ]  # fmt: skip
    moves = write_text([answer], Words("en")).split("\nMoves\n")[1]
    assert moves.index("movement 1") < moves.index("line 9") < moves.index("movement 2") < moves.index("line 12")
    found = replay(answer, ("en",))
    assert found is not None
    assert [(step.phase, step.number) for step in found.steps if step.kind == "move"] == [
        ("movement", 1), ("movement", 2),
    ]  # fmt: skip
    before, after = TWICE.split("turn 1 west combat\n")
    begun = before[: before.index("turn 1")].replace("position", "position after turn 1 west combat")
    later = judge(read_sheet(begun + after))
    assert Headings(later, later.words("en"))(8).endswith("Western: movement 2")


def test_days_of_accounts_have_names_in_both_languages() -> None:
    answer = check_file(SCENARIOS / "normandy" / "examples" / "june25-mistakes.sheet")
    said = [Headings(answer, answer.words(code))(39) for code in ("en", "pt")]
    assert said == ["25 Jun 1944, P.M. · Replacements", "25 jun 1944, Tarde · Reposições"]
    assert Headings(answer, answer.words("en"))(3) == ""


def test_lines_are_wrapped_to_the_terminal_and_keep_their_colours() -> None:
    answer = hurtgen()
    wide, narrow = (TextReport(Words("en"), color=True, width=width).part(answer)[0] for width in (0, 50))
    assert max(len(click.unstyle(line)) for line in narrow.splitlines()) <= 50 < max(map(len, wide.splitlines()))
    words = [[word for word in click.unstyle(text).split() if word != "│"] for text in (wide, narrow)]
    assert words[0] == words[1]
    assert re.search(r"\x1b\[[0-9;]*mDRB AVI\x1b\[0m", narrow)


def test_what_goes_on_stands_below_what_it_continues() -> None:
    lines = ["  line 16  us-112-2 us-112-3 us-707-tank: 0807 0907", "    │ " + "word " * 9]
    assert list(wrapped(lines, 38)) == [
        "  line 16  us-112-2 us-112-3",
        "           us-707-tank: 0807 0907",
        "    │ word word word word word word",
        "    │ word word word",
    ]
