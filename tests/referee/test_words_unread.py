"""Words of a position that no rule reads are told, so that a misspelt one is not lost."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from hexforge.scenarios.loader import load
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.opening import read_by

HEAD = """sheet 1
game hurtgen
map blank open 18x12
unit a1 american infantry 3-4-5
position
  a1 1009
"""
TURN = "turn 3 american movement\n"


def findings_by_line(line: str, head: str = HEAD) -> list[tuple[int, str, str]]:
    return [(f.line, f.code, f.severity) for f in judge(read_sheet(head + line + "\n" + TURN)).findings]


@pytest.mark.parametrize("line", ["marker smoke 0303", "status a1 flying"])
def test_what_says_nothing_to_the_referee_is_a_warning(line: str) -> None:
    assert findings_by_line(line) == [(7, "special", "warning")]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("marker brigde 0303/0304", "bridge"),
        ("marker bridge 0303", ""),
        ("status a1 reliased", "released"),
        ("status a1 engaged-snce 2", "engaged-since"),
        ("area kall-trial 0303", "kall-trail"),
    ],
)
def test_what_is_misspelt_is_not_read(line: str, meant: str) -> None:
    head, positioned = (HEAD.replace("unit", f"{line}\nunit"), "") if line.startswith("area") else (HEAD, line)
    (finding,) = judge(read_sheet(head + positioned + "\n" + TURN)).findings
    assert finding.severity == "unread"
    assert str(finding.message).endswith(f"perhaps {meant}" if meant else "to the referee")


def test_nobody_is_accused_for_a_misspelt_word_of_the_position() -> None:
    sheet = "sheet 1\ngame metz\nmap blank open 28x23\nunit g1 german infantry 1-4-4\nposition\n  g1 0607\n"
    turn = "turn 4 german movement\nmove g1: 0607 0608\n"
    kept = {f.severity for f in judge(read_sheet(f"{sheet}  status g1 garrison\n{turn}")).findings}
    slip = {
        f.severity for f in judge(read_sheet(f"{sheet}  status g1 garison\n  status g1 garrison\n{turn}")).findings
    }
    assert "illegal" in kept and "illegal" not in slip and "unread" in slip


@pytest.mark.parametrize(
    "line",
    [
        "marker bridge 0303/0304",
        "status a1 moved",
        "status a1 reduzida",
        "status a1 arrived 2",
        "status a1 motorizada",
    ],
)
def test_what_a_rule_reads_is_not(line: str) -> None:
    assert findings_by_line(line) == []


@pytest.mark.parametrize("flag", ["arrived", "engaged-since", "chegou"])
def test_a_flag_that_says_since_when_needs_a_turn(flag: str) -> None:
    assert findings_by_line(f"status a1 {flag}") == [(7, "syntax", "unread")]


def test_a_player_of_no_side_is_told() -> None:
    head = HEAD.replace("map blank", 'players american="Ana" gorman="Bob"\nmap blank')
    assert (3, "syntax", "unread") in findings_by_line("", head)


def test_marks_of_a_game_s_own_rules_are_known() -> None:
    marks = read_by(asdict(load("bastogne").game.rules))
    assert {"in-transit", "passed-noville", "passed-bastogne"} <= marks
    assert "flying" not in marks
