"""Lines that cannot be read are no broken rules: nobody is accused for want of one, and nobody acquitted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.validator.app.cli import main
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.worlds.unread import runs
from hexforge.validator.reading.sheet import read_sheet
from tests.generator.game import generate
from tests.referee.played import scenario

HEAD = """sheet 1
game hurtgen
map blank open 18x12
unit a1 american infantry 4-4-5
unit a2 american infantry 4-4-5
unit g1 german infantry 2-4-5
position
  a1 0304
  a2 0305
  g1 0504
"""
TURN = """turn 2 american movement
move a1: 0304 0404
move a2: 0305 0404
turn 2 american combat
combat 0504
  attack a1 a2
  declare 8:4 odds 2-1 column 2-1
  roll 6 5
  result DRB AVB
  lose g1 a1
  retreat g1: 0504 0604
turn 2 german movement
"""


def answer(turn: str) -> Answer:
    return judge(read_sheet(HEAD + turn))


def findings_by_line(turn: str) -> list[tuple[int, str, str]]:
    """Line, counted from the first turn on, code and severity of what is found, without notes."""
    before = HEAD.count("\n")
    return [(f.line - before, f.code, f.severity) for f in answer(turn).findings if f.severity != "info"]


def test_the_turn_is_legal_as_it_stands() -> None:
    assert findings_by_line(TURN) == []


def test_an_unread_line_is_neither_legal_nor_illegal() -> None:
    found = answer(TURN + "mvoe g1: 0604 0605\n")
    assert (found.verdict, found.counts["unread"], found.counts["illegal"]) == ("unread", 1, 0)


WHOLE = """sheet 1
game hurtgen
partial
option zoe_to_zoe=yes
map blank forest 18x12
road 0304 0404 0405 0406
river 0304/0404
bridge 0304/0404
unit a1 american infantry 4-4-4
unit g1 german infantry 2-4-5
position
  a1 0304
  g1 0504
turn 2 american movement
move a1: 0304 0404
turn 2 american combat
turn 2 german movement
"""


@pytest.mark.parametrize("line", range(3, 13))
def test_no_typo_above_the_first_turn_makes_anything_illegal(line: int) -> None:
    lines = WHOLE.splitlines()
    assert judge(read_sheet(WHOLE)).verdict == "legal"
    start = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    word = lines[line - 1].split()[0]
    for at in range(max(1, len(word) - 1)):
        turned = word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
        lines[line - 1] = lines[line - 1][:start] + turned + lines[line - 1][start + len(word) :]
        found = judge(read_sheet("\n".join(lines)))
        assert turned == word or found.verdict == "unread", turned
        word = turned


@pytest.mark.parametrize("line", range(2, 12))
def test_no_typo_makes_anything_illegal(line: int) -> None:
    lines = TURN.splitlines()
    lines[line - 1] = lines[line - 1].lstrip()[:2] + "qq" + lines[line - 1].lstrip()[2:]
    found = findings_by_line("\n".join(lines) + "\n")
    assert (line, "syntax", "unread") in found
    assert "illegal" not in {severity for _, _, severity in found}


def test_what_has_nothing_to_do_with_the_typo_stays_illegal() -> None:
    found = answer(TURN.replace("declare 8:4", "declare 9:4").replace("move a2: 0305 0404", "mvoe x"))
    assert found.verdict == "illegal"
    assert [f.code for f in found.findings if f.severity == "illegal"] == ["not-adjacent", "odds"]


@pytest.mark.parametrize(
    "header", ["trun 2 american movement", "turn 2 amercan movment", "TURN 2 american mov-ement"]
)
def test_a_misspelt_turn_is_told_once_and_the_lines_below_are_judged_as_meant(header: str) -> None:
    found = answer(TURN.replace("turn 2 american movement", header))
    (unread,) = [f for f in found.findings if f.severity != "info"]
    assert (unread.severity, unread.line, unread.below) == ("unread", 11, ())
    assert "`turn 2 american movement`" in found.words("en").say(unread.message)
    assert [move.line for move in found.moves] == [12, 13]


def test_faults_below_a_misspelt_turn_are_doubtful_and_name_it() -> None:
    faulty = TURN.replace("american movement", "amercan movement").replace("0305 0404", "0305 0705")
    found = answer(faulty)
    faults = [f for f in found.findings if f.severity == "doubtful"]
    assert [(f.line, f.code) for f in faults] == [(13, "not-adjacent"), (16, "not-adjacent"), (21, "retreat")]
    for fault in faults:
        assert fault.as_json(found.words("en"))["rests_on"] == "line 11, which cannot be read"
    assert found.verdict == "unread"


def test_what_follows_from_a_move_below_a_misspelt_turn_is_doubtful_and_nothing_else() -> None:
    turn = "turn 2 american movement\nmove a2: 0305 0705\nturn 2 american combat\n"
    turn += "turn 2 german movement\nmove g1: 0504 0604 0704 0804\nmove g2: 0101 0301\n"
    found = judge(read_sheet(HEAD.replace("position", "unit g2 german infantry 2-4-5\nposition\n  g2 0101") + turn))
    guilty = [f for f in found.findings if f.severity == "illegal"]
    assert [f.line for f in guilty] == [14, 17, 18], "the move itself, the zone that it made, and a gap in a way"
    turn = turn.replace("american movement", "amercan movement")
    found = judge(read_sheet(HEAD.replace("position", "unit g2 german infantry 2-4-5\nposition\n  g2 0101") + turn))
    severities = {f.line: f.severity for f in found.findings if f.severity != "info"}
    assert severities == {13: "unread", 14: "doubtful", 17: "doubtful", 18: "illegal"}


def test_below_a_turn_that_nobody_can_make_out_no_line_is_judged() -> None:
    found = answer(TURN.replace("turn 2 american movement", "turn american mvt"))
    unread = found.findings[0]
    assert (unread.line, unread.below) == (11, (12, 13))
    assert unread.as_json(found.words("en"))["below"] == [12, 13]
    assert "lines 12-13" in found.words("en").say(unread.message)
    assert "illegal" not in {f.severity for f in found.findings}


def test_a_misspelt_combat_that_can_be_made_out_is_judged_as_assumed() -> None:
    found = answer(TURN.replace("combat 0504\n", "combta 0504\n"))
    (unread,) = found.findings
    assert (unread.line, unread.severity, unread.below) == (15, "unread", ())
    assert "`combat 0504`" in found.words("en").say(unread.message)
    assert [combat.target for combat in found.combats] == [("0504",)]
    assert found.verdict == "unread"


def test_below_a_combat_that_nobody_can_make_out_no_line_is_judged() -> None:
    lines = TURN.replace("combat 0504\n", "combta\n").splitlines(keepends=True)
    found = answer("".join(line for line in lines if "retreat" not in line))
    unread = next(f for f in found.findings if f.severity == "unread")
    assert unread.below == tuple(range(16, 21))
    assert found.combats == ()
    assert found.verdict == "unread"


def test_prose_that_begins_like_a_turn_opens_none() -> None:
    found = answer(TURN.replace("combat 0504\n", "Turn went well for me\ncombat 0504\n"))
    assert [(f.line, f.severity) for f in found.findings if f.severity != "info"] == [(15, "unread")]
    assert len(found.combats) == 1


def test_who_attacks_may_be_said_above_the_combat() -> None:
    """It is not read, and whatever the combat lacks for want of it accuses nobody."""
    turn = "turn 2 american combat\n{}combat 0504\n  declare 8:4 odds 2-1 column 2-1\n  roll 6 6\n  result IMP\n"
    close = HEAD.replace("a1 0304", "a1 0404").replace("a2 0305", "a2 0404")
    found = [judge(read_sheet(close + turn.format(lines))) for lines in ("attack a1 a2\n", "")]
    assert [answer.verdict for answer in found] == ["unread", "illegal"]


@pytest.fixture(scope="module")
def game() -> str:
    """Two turns in which nobody breaks a rule."""
    return generate(scenario("hurtgen"), 4, turns=2).text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  retreat ge-luft-2: 0709 0609", "  rtereat ge-luft-2: 0709 0609"),
        ("  lose us-47-1", "  lose xus-47-1"),
        ("  lose us-893-td", "lose"),
        ("combat 0804", "combat 084"),
        ("combat 0509", "combat 05q9"),
        ("  retreat us-893-td: 0907 0806", "  retreat us-893-td: 097 0806"),
        ("  us-110-1 0307", "0307"),
        ("  ge-983-2 1007", "  ge-983-2z1007"),
    ],
)
def test_what_follows_from_an_unread_line_in_later_phases_accuses_nobody(game: str, old: str, new: str) -> None:
    assert f"{old}\n" in game and judge(read_sheet(game)).verdict == "legal"
    found = judge(read_sheet(game.replace(f"{old}\n", f"{new}\n", 1)))
    assert [f for f in found.findings if f.severity == "illegal"] == []
    assert found.verdict == "unread"


def test_what_is_wrong_elsewhere_stays_illegal_in_later_phases(game: str) -> None:
    text = game.replace("  retreat ge-luft-2: 0709 0609\n", "  rtereat ge-luft-2: 0709 0609\n")
    line = next(one for one in game.splitlines() if "move us-28-eng: 0102 0201" in one)
    found = judge(read_sheet(text.replace(line, "move us-12-1: 0101 0102\nmove us-12-2: 0101 0202 0303")))
    assert [f.units for f in found.findings if f.severity == "illegal"][:1] == [("us-12-1",)]


def test_runs() -> None:
    assert runs((3, 4, 5, 9, 11, 12)) == "3-5, 9, 11-12"


@pytest.mark.parametrize(
    ("called", "severity"),
    [("the 77th", "doubtful"), ("77-1", "doubtful"), ("us-77-1", "doubtful"), ("a1", "illegal")],
)
def test_a_unit_may_be_meant_by_a_part_of_its_id(called: str, severity: str) -> None:
    head = HEAD.replace("position\n", "unit us-77-1 american infantry 4-4-5\nposition\n  us-77-1 0702\n")
    turn = f"turn 2 american movement\nmvoe {called}: somewhere qq 0802\nmove us-77-1: 0803 0804\n"
    found = judge(read_sheet(head + turn)).findings
    assert [f.severity for f in found if f.code == "not-there"] == [severity]


def test_points_of_a_die_that_cannot_be_read_are_not_missed() -> None:
    die = "air die: 4, so I have 10 air points"
    turn = f"turn 1 american movement\n{die}\nturn 1 american combat\nairstrike 1111 points 6\n  roll 6 6\n"
    found = judge(read_sheet(f"sheet 1\ngame metz\npartial\n{turn}")).findings
    assert [(f.line, f.severity) for f in found if f.code == "air-points"] == [(7, "doubtful")]


@pytest.mark.parametrize(("line", "severity"), [("984-1: 0905 0904", "illegal"), ("984-1 to 0904", "doubtful")])
def test_a_stack_of_units_that_the_mail_itself_brings_there_is_judged(
    line: str, severity: str, tmp_path: Path
) -> None:
    mail = tmp_path / "mail.txt"
    mail.write_text(f"game hurtgen\nturn 2 german movement\n{line}\n275-eng: 1003 0904\nI and II/985: 0903 0904\n")
    told = json.loads(CliRunner().invoke(main, ["check", "--format", "json", str(mail)]).stdout)
    assert [f["severity"] for f in told["findings"] if f["code"] == "stacking"] == [severity]
