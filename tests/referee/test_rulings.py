"""Rulings in a sheet: what they waive, what they put right, and that nothing of it can be overlooked."""

from __future__ import annotations

import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hexforge.scenarios.text.words import Words
from hexforge.validator.app.batch import check_all
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.as_json import write_junit
from hexforge.validator.report.html import write_html
from hexforge.validator.report.text import write_text
from hexforge.validator.report.workbook import write_workbook
from tests.report.test_workbook import read

HEAD = """\
sheet 1
game hurtgen
partial
map blank open 12x8
unit a1 american infantry 4-4-5 regiment 109 division 28 size II
unit a2 american infantry 4-4-5 regiment 110 division 28 size II
unit g1 german infantry 2-2-5 regiment 983 division 275 size II reduced 1-1
position
  a1 0304
  a2 0505
  g1 0504
turn 2 american movement
"""
FAR = HEAD + "move a1: 0304 0404\nturn 2 american combat\ncombat 0504\n  attack a1 a2\n  declare 8:2 odds 5-1\n"
"""The odds on line 17 are wrong by the table (H 5.1.1), and nothing else is."""


def answer(text: str, *, strict: bool = False) -> Answer:
    return judge(read_sheet(text, "mesa.sheet"), strict=strict)


def findings_by_line(found: Answer) -> list[tuple[int, str, str]]:
    return [(f.line, f.code, f.severity) for f in found.findings]


@pytest.mark.parametrize(
    "accept",
    [
        "accept 17 because agreed",
        "accept because agreed",
        "accept line 17 because agreed",
        "waive lines 16-18: agreed",
        "accept 17 H 5.1 because agreed",
        "accept 17 H5.1.1 because agreed",
        "accept 17 5.1 because agreed",
        "accept 17 odds by Carla because agreed",
        "aceitar linha 17 porque combinado",
        "aceitar a linha 17 porque combinado",
        'Aceite 17 H 5.1 por "Carla Dias" pois combinado # por carta',
    ],
)
def test_a_line_is_accepted_as_a_director_would_type_it(accept: str) -> None:
    assert findings_by_line(answer(FAR)) == [(17, "odds", "illegal")]
    found = answer(FAR + accept + "\n  roll 3 4\n")
    assert findings_by_line(found) == [(17, "odds", "waived")]
    assert (found.verdict, found.by_ruling) == ("legal", True)
    (finding,) = found.findings
    assert finding.waived == "illegal" and finding.ruled is not None
    assert finding.ruled.source == "mesa.sheet" and finding.ruled.line == 18
    assert finding.ruled.reason in ("agreed", "combinado")
    assert found.combats[0].roll == 7, "the combat goes on below"


@pytest.mark.parametrize("rule", ["H 5.1.4", "5.1.2", "B 5.1", "H 5.10", "5", "stacking"])
def test_what_another_rule_says_is_not_waived(rule: str) -> None:
    found = answer(FAR + f"accept 17 {rule} because agreed\n")
    if rule == "5":  # a number is a line
        assert findings_by_line(found) == [(17, "odds", "waived")]
        return
    assert findings_by_line(found) == [(17, "odds", "illegal"), (18, "ruling", "warning")]
    assert found.verdict == "illegal"


def test_an_accept_that_nothing_comes_of_is_told() -> None:
    found = answer(FAR + "accept 16 because agreed\naccept 99 because agreed\n")
    assert findings_by_line(found) == [
        (17, "odds", "illegal"),
        (18, "ruling", "warning"),
        (19, "ruling", "warning"),
    ]
    assert not found.by_ruling


@pytest.mark.parametrize("accept", ["accept 13 because agreed", "accept because agreed"])
def test_what_cannot_be_read_cannot_be_accepted(accept: str) -> None:
    found = answer(HEAD + f"mvoe a1: 0304 0404\n{accept}\n")
    assert found.verdict != "legal"
    assert findings_by_line(found)[1:] == [(14, "ruling", "warning")]


@pytest.mark.parametrize(
    "line", ["accept 17", "accept 17 because", "put a1 0404", "put a1 because x", "put because x"]
)
def test_there_is_no_ruling_without_a_reason_or_an_object(line: str) -> None:
    assert {f.code for f in answer(HEAD + line + "\n").findings} == {"syntax"}


def test_judging_goes_on_beyond_what_is_waived() -> None:
    text = FAR + "accept because agreed\nturn 2 german movement\nmove g1: 0504 0304\n"
    assert answer(text, strict=True).stopped
    assert [line for line, *_ in findings_by_line(answer(text, strict=True))] == [17, 20]
    assert [
        line for line, *_ in findings_by_line(answer(text.replace("accept because agreed", ""), strict=True))
    ] == [17]


def test_units_are_put_right() -> None:
    found = answer(
        HEAD
        + "put a1 0404 reduced by Carla because a slip, and so on\n"
        + "move a1: 0404 0403\n"
        + "put a1 to 0403 because of nothing\n"
        + "put g1 reduced because a loss was forgotten\n"
        + "put a2 eliminated because it could not get away\n"
        + "colocar a2 0101 porque it could after all\n"
        + "control 0202 german because they passed\n"
    )
    assert {code for _, code, _ in findings_by_line(found)} == {"ruling"}
    assert found.verdict == "legal" and found.by_ruling
    assert found.position is not None
    units = found.position.units
    assert (units["a1"].hex, units["a1"].step, units["a1"].moved) == ("0403", "reduced", True)
    assert (units["g1"].hex, units["g1"].step) == ("0504", "reduced")
    assert (units["a2"].hex, units["a2"].step, units["a2"].where) == ("0101", "full", "")
    assert found.position.control["0202"] == "german"
    reasons = [f.ruled.reason for f in found.findings if f.ruled]
    assert reasons[0] == "a slip, and so on"


@pytest.mark.parametrize("fate", ["withdrawn", "exited", "retreated", "due", "eliminated"])
def test_units_are_taken_off(fate: str) -> None:
    found = answer(HEAD + f"put a1 {fate} because so it was\n")
    assert found.position is not None
    assert (found.position.units["a1"].hex, found.position.units["a1"].where) == (None, fate)


def test_what_is_put_must_exist() -> None:
    found = answer(HEAD + "put a7 0404 because x\nput a1 9999 because x\ncontrol 9999 german because x\n")
    assert [code for _, code, _ in findings_by_line(found)] == ["unknown-unit", "unknown-hex", "unknown-hex"]


def test_nothing_that_is_ruled_can_be_overlooked() -> None:
    found = answer(FAR + 'accept 17 by Carla because "<b>agreed</b>"\nput g1 0505 because why not\n')
    english, portuguese = Words("en"), Words("pt")
    for quiet in (True, False):
        text = write_text([found, found], english, quiet=quiet)
        assert text.count("LEGAL BY RULING (1 waived, 1 note)") == 4
        assert "waived (illegal)  line 17" in text
        assert "by ruling of Carla (mesa.sheet, line 18): <b>agreed</b>" in text
        assert "by ruling (mesa.sheet, line 19): why not" in text
    assert "LEGAL POR DECISÃO (1 relevado" in write_text([found], portuguese)
    page = write_html([found, found], [], english)
    assert "legal by ruling" in page and "waived (illegal)" in page and "&lt;b&gt;agreed" in page
    (case, *_) = ElementTree.fromstring(write_junit([found], [], english).encode()).iter("testcase")
    assert case[0].tag == "skipped" and "waived (illegal)" in case[0].attrib["message"]
    assert "Carla" in (case[0].text or "")
    cells = [
        str(cell) for page in read(write_workbook([found], [], english)).values() for row in page for cell in row
    ]
    assert "legal by ruling" in cells and "waived (illegal)" in cells
    assert any("Carla" in cell for cell in cells)
    json = found.as_json()
    assert json["by_ruling"] and json["findings"][0]["original_severity"] == "illegal"
    assert json["findings"][0]["ruling"] == {
        "source": "mesa.sheet", "line": 18, "by": "Carla", "reason": "<b>agreed</b>",
    }  # fmt: skip


def test_who_is_put_into_a_place_has_come_to_it() -> None:
    head = "sheet 1\ngame bastogne\nmap blank open 30x20\nname 1109 Bastogne\nname 1402 Noville\n"
    transit = (
        "unit r1 american armored_infantry 4-4-20 division 10\nunit g1 german infantry 2-3-8\n"
        "position\n  r1 1105\n  g1 1110\n  status r1 arrived 18 from north\n  status r1 in-transit\n"
        "turn 19 american movement\nput r1 {} because it was moved by mistake\nturn 19 american combat\n"
        "combat 1110\n  attack r1\n  declare 4:3 odds 1-1 column 1-1\n  roll 4 6\n  result IMP\n"
    )
    assert answer(head + transit.format("1109")).verdict == "legal"
    assert answer(head + transit.format("1010")).verdict == "illegal"
    away = (
        'unit a1 american infantry 2-3-8\nunit g2 german armor 6-4-16 division "2 Pz"\n'
        "position\n  a1 2015\n  g2 1405\nturn 20 german movement\nput g2 1402 because it had gone there\n"
        "turn 20 german combat\nturn 20 american movement\nturn 20 american combat\n"
        "turn 21 german movement\nexit g2: 1402 1401 to north\nturn 21 german combat\n"
        "score american 0 german 15\n"
    )
    assert answer(head + away).verdict == "legal"


def test_a_log_of_who_ruled_is_not_the_players_action() -> None:
    found = answer(HEAD + "put a1 0404 because x\n")
    assert not found.moves and not found.actions


def test_a_ruling_in_a_mail_is_told_with_the_mail_and_its_sender(tmp_path: Path) -> None:
    head = "From: Ana <ana@example.org>\nDate: Mon, 2 Nov 2026 10:00:00 +0000\n\nOi Bruno,\n\n"
    mail = tmp_path / "turn.eml"
    mail.write_text(head + FAR + "accept because we agreed\n", "utf-8")
    (found,) = check_all([mail]).answers
    ruled = [f.ruled for f in found.findings if f.severity == "waived"]
    assert [(r.source, r.line, "Ana" in r.by) for r in ruled if r] == [(str(mail), 20, True)]


def test_many_rulings_take_no_longer_than_many_lines() -> None:
    text = FAR + "accept 1-1000 because agreed\n" * 20 + "accept because agreed\n" * 5_000
    begun = time.process_time()
    found = answer(text)
    assert time.process_time() - begun < 10
    assert (17, "odds", "waived") in findings_by_line(found)
