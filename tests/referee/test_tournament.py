"""A director's file: what holds for which game, how it is told, and what is wrong with it."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

import hexforge
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.keys import json_schemas
from hexforge.validator.app.cli import main
from hexforge.validator.judging.check import check_file, check_logs
from hexforge.validator.judging.situation import situation
from hexforge.validator.reading import tournament
from hexforge.validator.reading.tournament import whole
from tests.docs.pages import blocks
from tests.referee.test_rulings import FAR, findings_by_line

HEAD = "tournament: Copa\ndirector: Carla\n"
WAIVED = "waivers:\n  - sheet: mesa-1/turn.sheet\n    line: 17\n    reason: agreed, by mail\n"
PUT = "rulings:\n  - sheet: mesa-1/turn.sheet\n    line: 17\n    reason: agreed, by mail\n"


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A sheet with wrong odds on line 17, two folders below where the file lies."""
    (tmp_path / "mesa-1").mkdir()
    path = tmp_path / "mesa-1" / "turn.sheet"
    path.write_text(FAR, "utf-8")
    return path


def rule(sheet: Path, text: str) -> Path:
    path = sheet.parent.parent / "tournament.yaml"
    path.write_text(HEAD + text, "utf-8")
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, words)])


def test_a_line_is_waived_from_above(sheet: Path) -> None:
    assert findings_by_line(check_file(sheet)) == [(17, "odds", "illegal")]
    file = rule(sheet, WAIVED)
    answer = check_file(sheet)
    assert findings_by_line(answer) == [(17, "odds", "waived")]
    (finding,) = answer.findings
    assert finding.ruled is not None
    assert (finding.ruled.source, finding.ruled.line, finding.ruled.by) == (str(file), 4, "Carla")
    assert finding.ruled.reason == "agreed, by mail"
    assert answer.by_ruling and answer.verdict == "legal"


@pytest.mark.parametrize("rule_", ["H 5.1", "h5.1.1", "odds", "stacking"])
def test_a_rule_alone_is_waived(sheet: Path, rule_: str) -> None:
    rule(sheet, WAIVED + f"    rule: {rule_}\n    by: Davi\n")
    found = findings_by_line(check_file(sheet))
    if rule_ == "stacking":
        assert found == [(17, "odds", "illegal"), (17, "ruling", "warning")]
    else:
        assert found == [(17, "odds", "waived")]


def test_a_second_waiver_of_what_is_waived_is_told(sheet: Path) -> None:
    rule(sheet, "waivers:\n" + "".join(
        f"  - {{sheet: mesa-1/turn.sheet, line: 17, reason: {why}}}\n" for why in ("one", "two")))  # fmt: skip
    found = [(f.severity, f.ruled.reason) for f in check_file(sheet).findings if f.ruled and f.line == 17]
    assert sorted(found) == [("waived", "one"), ("warning", "two")]


def test_what_holds_for_a_game_holds_for_its_files(sheet: Path) -> None:
    games = "games:\n  - {name: mesa 1, files: mesa-1, game: hurtgen, players: {american: Ana, german: Bruno}"
    file = rule(sheet, f"options: {{zoe_to_zoe: no}}\n{games}, options: {{inverse_rounding: ceil}}}}\n"
                       "waivers: [{game: mesa 1, line: 17, reason: agreed}]\n")  # fmt: skip
    other = sheet.parent.parent / "other.sheet"
    other.write_text(FAR, "utf-8")
    mine, theirs = check_file(sheet), check_file(other)
    assert (mine.verdict, theirs.verdict) == ("legal", "illegal")
    assert (mine.edition.options["inverse_rounding"], theirs.edition.options["inverse_rounding"]) == (
        "ceil",
        "truncate",
    )
    assert mine.edition.options["zoe_to_zoe"] == theirs.edition.options["zoe_to_zoe"] == "no"
    assert mine.players == {"american": "Ana", "german": "Bruno"} and not theirs.players
    assert mine.as_json()["tournament"] == {
        "file": str(file), "tournament": "Copa", "director": "Carla", "game": "mesa 1",
        "players": {"american": "Ana", "german": "Bruno"}, "first": None, "last": None,
        "options": {"inverse_rounding": "ceil", "zoe_to_zoe": "no"},
    }  # fmt: skip
    assert situation(sheet).judgement.options["zoe_to_zoe"] == "no"
    assert check_file(sheet, {"zoe_to_zoe": "yes"}).edition.options["zoe_to_zoe"] == "yes"


def test_a_director_may_keep_rulings_to_himself(sheet: Path) -> None:
    sheet.write_text(FAR + "accept because we say so\nput g1 0505 because so\n", "utf-8")
    assert check_file(sheet).verdict == "legal"
    rule(sheet, "rulings_in_sheets: false\n" + WAIVED)
    answer = check_file(sheet)
    assert findings_by_line(answer) == [
        (17, "odds", "waived"),
        (18, "ruling", "illegal"),
        (19, "ruling", "illegal"),
    ]
    assert answer.position is not None and answer.position.units["g1"].hex == "0504"


def test_other_players_or_another_game_are_told(sheet: Path) -> None:
    games = "games: [{name: m, files: mesa-1/turn.sheet, game: metz, players: {american: Ana, french: Bruno}}]\n"
    rule(sheet, games)
    sheet.write_text(FAR.replace("partial", 'partial\nplayers american="Davi"'), "utf-8")
    found = [f for f in check_file(sheet).findings if f.code == "ruling"]
    assert [f.severity for f in found] == ["warning"] * 3
    sheet.write_text(FAR.replace("partial", 'partial\nplayers american="ANA"'), "utf-8")
    assert len([f for f in check_file(sheet).findings if f.code == "ruling"]) == 2


def test_it_is_told_in_every_form(sheet: Path, tmp_path: Path) -> None:
    rule(sheet, WAIVED)
    for form in ("text", "json", "html", "junit"):
        done = run(tmp_path, "--format", form)
        assert done.exit_code == 0
        assert "Copa" in done.output and "Carla" in done.output and "agreed, by mail" in done.output, form
    suite = ElementTree.fromstring(run(sheet, "--format", "junit").output).find("testsuite")
    assert suite is not None and suite.attrib["skipped"] == "1"
    assert "tournament.yaml" not in run(tmp_path, "-q").output.partition("by ruling")[0].partition("Not judged")[2]
    assert run(tmp_path, "-o", tmp_path / "t.xlsx").exit_code == 0


def test_it_may_lie_elsewhere(sheet: Path, tmp_path: Path) -> None:
    found = rule(sheet, "options: {zoe_to_zoe: no}\n")
    moved = tmp_path / "mesa-1" / "rulings.yaml"
    moved.write_text(HEAD + "options: {zoe_to_zoe: yes, inverse_rounding: ceil}\n", "utf-8")
    data = json.loads(run(sheet, "--tournament", moved, "--format", "json").output)
    assert (data["options"]["zoe_to_zoe"], data["options"]["inverse_rounding"]) == ("yes", "ceil")
    data = json.loads(run(sheet, "--format", "json").output)
    assert data["options"]["zoe_to_zoe"] == "no" and data["tournament"]["file"] == str(found)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("optoins: {}\n", 3, "not a key"),
        ("options:\n  inverse_rounding: up\n", 4, "ceil"),
        ("options:\n  inverse_roundin: ceil\n", 4, "inverse_rounding"),
        ("waivers:\n  - sheet: mesa-1/turn.sheet\n    line: x\n    reason: y\n", 5, "whole number"),
        ("waivers:\n  - sheet: mesa-1/turn.sheet\n    line: 3\n", 4, "missing"),
        ("waivers:\n  - sheet: mesa-1/turn.sheet\n    reason: y\n", 4, "`step`"),
        ("waivers:\n  - {line: 3, reason: y}\n", 4, "`sheet`"),
        ("waivers:\n  - sheet: mesa-2/turn.sheet\n    line: 3\n    reason: y\n", 4, "mesa-2"),
        ("waivers:\n  - sheet: ../../../../etc/passwd\n    line: 3\n    reason: y\n", 4, "passwd"),
        ("waivers:\n  - game: mesa 2\n    line: 3\n    reason: y\n", 4, "mesa 2"),
        ("games:\n  - name: a\n    files: mesa-1\n  - name: a\n    files: mesa-1\n", 6, "already"),
        (PUT + "    putt: a1 0304\n", 7, "not a key"),
        (PUT, 4, "`put`"),
        (PUT + "    put: a1 0304\n    control: 0504 german\n", 4, "not both"),
        (PUT + "    put: a1\n", 7, "a hex, or one of"),
        (PUT + "    put: a1 0304 reducd\n", 7, "`reducd`"),
        (PUT + "    put: a1 0304 because late\n", 7, "`reason`"),
        (PUT + "    put: a9 0304\n", 7, "no unit a9"),
        (PUT + "    control: 0504 germen\n", 7, "german"),
        (PUT.replace("17", "170") + "    put: a1 0304\n", 5, "its last is 17"),
        (
            PUT.replace("line: 17", "step: 2").replace("sheet: mesa-1/turn.sheet", "game: m")
            + "    put: a1 0304\n",
            4,
            "`sheet` beside `step`",
        ),
        (PUT.replace("mesa-1", "mesa-2") + "    put: a1 0304\n", 4, "mesa-2"),
        ("dates: {first: soon}\n", 3, "a date"),
        ("dates: {first: 2026-12-20, last: 2026-11-01}\n", 3, "2026-11-01, is before"),
        ("games: [\n", 4, "opened in line 3"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_line(sheet: Path, text: str, line: int, says: str) -> None:
    file = rule(sheet, text)
    with pytest.raises(ScenarioError) as caught:
        check_file(sheet)
    assert len(caught.value.problems) == 1, "one mistake, one error"
    assert f"{file}:{line}: " in str(caught.value) and says in str(caught.value)
    assert run(sheet.parent).exit_code == 2
    (sheet.parent / "again.sheet").write_text(FAR, "utf-8")
    assert run(sheet.parent).output.count(f"{file}:{line}: ") == 1


def test_units_are_put_right_from_above(sheet: Path) -> None:
    file = rule(sheet, WAIVED + PUT + "    put: a1 a2 0707 reduzida\n    by: Davi\n")
    answer = check_file(sheet)
    assert findings_by_line(answer) == [(17, "odds", "waived"), (17, "ruling", "info")]
    ruled = answer.findings[1].ruled
    assert ruled is not None
    assert (ruled.source, ruled.line, ruled.by, ruled.reason) == (str(file), 8, "Davi", "agreed, by mail")
    assert answer.position is not None
    assert [(u.hex, u.step) for u in map(answer.position.units.get, ("a1", "a2")) if u] == [("0707", "reduced")] * 2
    assert [action.kind for action in answer.actions] == ["move", "combat"], "nobody played it"


def test_what_is_put_right_takes_its_place_below_its_line(sheet: Path) -> None:
    def moved(line: int) -> set[str]:
        rule(sheet, PUT.replace("17", str(line)) + "    put: a1 0202\n")
        found = check_file(sheet)
        assert (line, "ruling", "info") in findings_by_line(found)
        assert found.position is not None and found.position.units["a1"].hex == "0202"
        return {f.code for f in found.findings if f.severity == "illegal"}

    assert moved(14) > {"odds"}, "who was put away cannot attack"
    assert moved(16) == {"odds"}, "within a combat it waits for the end of that"


def test_a_place_is_given_to_a_side_from_above(sheet: Path) -> None:
    rule(sheet, "rulings_in_sheets: false\ngames: [{name: m, files: mesa-1}]\n"
                + PUT.replace("sheet: mesa-1/turn.sheet", "game: m") + "    control: 0807 german\n")  # fmt: skip
    answer = check_file(sheet)
    assert findings_by_line(answer) == [(17, "odds", "illegal"), (17, "ruling", "info")]
    assert answer.position is not None and answer.position.control["0807"] == "german"


def test_what_is_no_yaml_is_told_from_the_folder_that_one_is_in(
    sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule(sheet, "tournament: Cup\n\tdirector: Ana\n")
    monkeypatch.chdir(sheet.parent.parent)
    result = run(sheet, "--lang", "en")
    assert result.exit_code == 2 and result.stderr.startswith(
        f"validator: tournament.yaml:{HEAD.count(chr(10)) + 2}: "
    )
    assert "a tab stands where blanks belong" in result.stderr


def test_an_option_of_another_game_is_no_mistake(sheet: Path) -> None:
    rule(sheet, "options: {other_game_only: yes}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament, "_offered", lambda name: name == "other_game_only")
        assert "other_game_only" not in check_file(sheet).edition.options


def test_a_step_of_a_log_is_waived(tmp_path: Path) -> None:
    log = tmp_path / "ana-2.vlog"
    log.write_bytes(Path("tests/data/played-hurtgen/ana-2.vlog").read_bytes())
    before = check_logs([str(log)])
    bad = next(f for f in before.findings if f.severity in ("illegal", "doubtful", "warning"))
    step = before.steps[bad.line][1]
    waiver = f"waivers: [{{sheet: ana-2.vlog, step: {step}, reason: agreed}}]\n"
    (tmp_path / "tournament.yaml").write_text(HEAD + waiver, "utf-8")
    after = check_logs([str(log)])
    assert [f.severity for f in after.findings if f.line == bad.line and f.code == bad.code] == ["waived"]


def test_a_ruling_on_a_log_holds_for_that_log_alone(tmp_path: Path) -> None:
    for table in ("mesa-1", "mesa-2"):
        (tmp_path / table).mkdir()
        (tmp_path / table / "ana.vlog").write_bytes(Path("tests/data/played-hurtgen/ana-2.vlog").read_bytes())
    mine, other = (str(tmp_path / table / "ana.vlog") for table in ("mesa-1", "mesa-2"))
    before = check_logs([mine])
    bad = next(f for f in before.findings if f.severity == "illegal")
    step = before.steps[bad.line][1]
    on = f"{{sheet: mesa-1/ana.vlog, step: {step}, reason: agreed"
    rulings = f"waivers: [{on}}}]\nrulings: [{on}, put: us-893-td reduced}}]\n"
    (tmp_path / "tournament.yaml").write_text(HEAD + rulings, "utf-8")

    def waived(log: str) -> bool:
        return "waived" in [f.severity for f in check_logs([log]).findings]

    def reduced(log: str) -> bool:
        return situation(log).position.units["us-893-td"].step == "reduced"

    assert (waived(mine), waived(other)) == (True, False)
    assert (reduced(mine), reduced(other)) == (True, False)


MAIL = """From: {who} <{who}@example.org>
Subject: turn 3
Date: Tue, 03 Nov 2026 1{n}:00:00 +0000
Message-ID: <m{n}@example.org>
{more}Content-Type: text/plain; charset=utf-8

"""
ANSWERED = """sheet 1
game hurtgen
partial
map blank open 18x12
unit a1 american infantry 4-4-5
unit g1 german infantry 4-3-5
position
  a1 0505
  g1 0909
turn 3 american movement
move a1: 0505 0705
turn 3 american combat
"""


def test_what_is_ruled_holds_for_a_log_in_a_mail(tmp_path: Path) -> None:

    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@example.org", "turn 2"
    mail.set_content("Here it is.\n")
    log = Path("tests/data/played-hurtgen/ana-2.vlog").read_bytes()
    mail.add_attachment(log, maintype="application", subtype="octet-stream", filename="ana-2.vlog")
    (tmp_path / "turn.eml").write_bytes(bytes(mail))
    (before,) = hexforge.check_all([tmp_path / "turn.eml"]).answers
    bad = next(f for f in before.findings if f.severity == "illegal")
    step = before.steps[bad.line][1]
    rulings = f"options: {{zoe_to_zoe: no}}\nwaivers: [{{sheet: turn.eml, step: {step}, reason: agreed}}]\n"
    (tmp_path / "tournament.yaml").write_text(HEAD + rulings, "utf-8")
    (answer,) = hexforge.check_all([tmp_path / "turn.eml"]).answers
    assert answer.edition.options["zoe_to_zoe"] == "no"
    assert "waived" in [f.severity for f in answer.findings if f.line == bad.line]


def test_options_hold_for_a_mailbox(tmp_path: Path) -> None:
    reply = "In-Reply-To: <m1@example.org>\n"
    mails = [
        MAIL.format(who="ana", n=1, more="") + ANSWERED,
        MAIL.format(who="bruno", n=2, more=reply) + "turn 3 german movement\nmove g1: 0909 0808\n",
    ]
    box = "".join(f"From ana@example.org Tue Nov 03 10:00:00 2026\n{mail}\n" for mail in mails)
    (tmp_path / "letters.mbox").write_text(box, "utf-8")
    (tmp_path / "tournament.yaml").write_text(HEAD + "options: {zoe_to_zoe: no}\n", "utf-8")
    (answer,) = hexforge.check_all([tmp_path / "letters.mbox"]).answers
    assert answer.edition.options["zoe_to_zoe"] == "no"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A mailbox with a game in two mails, each with a wrong move on its line, and another game in a third."""
    reply = "In-Reply-To: <m1@example.org>\n"
    mails = [
        MAIL.format(who="ana", n=1, more="") + ANSWERED,
        MAIL.format(who="bruno", n=2, more=reply) + "Hi Ana,\n\nturn 3 german movement\nmove g1: 0909 0707\n",
        MAIL.format(who="carla", n=3, more="") + "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n"
        "move us-112-1: 0806 1010\n",
    ]
    path = tmp_path / "letters.mbox"
    path.write_text("".join(f"From a@example.org Tue Nov 03 10:00:00 2026\n{mail}\n" for mail in mails), "utf-8")
    return path


def in_box(box: Path, ruling: str) -> list[list[tuple[str, str]]]:
    """What is wrong in each game of a mailbox under a ruling."""

    (box.parent / "tournament.yaml").write_text(HEAD + ruling, "utf-8")
    answers = hexforge.check_all([box]).answers
    return [[(f.code, f.severity) for f in a.findings if f.severity not in ("info", "doubtful")] for a in answers]


def test_a_line_of_one_mail_of_a_mailbox_is_ruled_on_by_the_mails_name(box: Path) -> None:
    """It is called as in the answer; the same line of another mail, and of another game, stays as it is."""
    wrong = ("not-adjacent", "illegal")
    assert [game.count(wrong) for game in in_box(box, "")] == [2, 1]
    second, third = (
        f"waivers: [{{sheet: 'letters.mbox[{n}]', line: {line}, reason: agreed}}]\n" for n, line in ((2, 4), (3, 5))
    )
    assert in_box(box, second) == [[wrong, ("not-adjacent", "waived")], [wrong]]
    assert in_box(box, third) == [[wrong, wrong], [("not-adjacent", "waived")]]
    idle = "waivers: [{sheet: 'letters.mbox[2]', line: 40, reason: agreed}]\n"
    assert in_box(box, idle) == [[wrong, wrong, ("ruling", "warning")], [wrong]]
    put = "rulings: [{sheet: 'letters.mbox[2]', line: 4, control: 0504 american, reason: agreed}]\n"
    assert [len(game) for game in in_box(box, put)] == [2, 1]


@pytest.mark.parametrize(
    ("file", "said"), [("letters.mbox", "letters.mbox[2]"), ("letters.mbox[4]", "3"), ("letters.mbox[0]", "3")]
)
def test_a_mail_that_a_mailbox_has_not_or_that_is_not_named_is_told(box: Path, file: str, said: str) -> None:
    text = f"waivers: [{{sheet: '{file}', line: 4, reason: agreed}}]\n"
    (box.parent / "tournament.yaml").write_text(HEAD + text, "utf-8")
    with pytest.raises(ScenarioError) as told:
        whole(box)
    (problem,) = told.value.problems
    assert problem.line == 3 and said in str(told.value)


def test_what_is_ruled_holds_for_a_game_in_several_mails(tmp_path: Path) -> None:
    first, second = tmp_path / "1.eml", tmp_path / "2.eml"
    first.write_text(MAIL.format(who="ana", n=1, more="") + ANSWERED, "utf-8")
    reply = "In-Reply-To: <m1@example.org>\n"
    text = "Hi Ana,\n\nturn 3 german movement\nmove g1: 0909 0707\n"
    second.write_text(MAIL.format(who="bruno", n=2, more=reply) + text, "utf-8")
    rulings = """options: {zoe_to_zoe: no}
games: [{name: table 1, files: [1.eml, 2.eml]}]
waivers: [{sheet: 2.eml, line: 4, reason: agreed}]
rulings: [{sheet: 2.eml, line: 3, put: a1 0304, reason: slipped}]
"""
    (tmp_path / "tournament.yaml").write_text(HEAD + rulings, "utf-8")
    (answer,) = hexforge.check_all([tmp_path]).answers
    assert answer.tournament is not None and answer.tournament["game"] == "table 1"
    assert answer.edition.options["zoe_to_zoe"] == "no"
    assert [f.severity for f in answer.findings if f.code == "not-adjacent"] == ["illegal", "waived"]
    assert answer.as_json()["position"]["a1"]["hex"] == "0304"


@pytest.mark.parametrize("ruling", ["waivers: [{%s}]", "rulings: [{%s, put: a1 0304}]"])
@pytest.mark.parametrize(("other", "wrong"), [("b.sheet", True), ("b.vlog", True), ("b.pdf", False)])
def test_a_line_of_a_game_in_several_files_is_of_none(tmp_path: Path, ruling: str, other: str, wrong: bool) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "a.sheet").write_text(FAR, "utf-8")
    (tmp_path / "m" / other).write_text(FAR, "utf-8")
    games = "games: [{name: m, files: m}]\n"
    text = HEAD + games + ruling % "game: m, line: 10, reason: agreed" + "\n"
    (tmp_path / "tournament.yaml").write_text(text, "utf-8")
    if not wrong:
        assert check_file(tmp_path / "m" / "a.sheet").tournament
        return
    with pytest.raises(ScenarioError, match="name one by `sheet`"):
        check_file(tmp_path / "m" / "a.sheet")


def test_a_step_is_one_of_a_log_and_not_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "ana.sheet").write_text(FAR, "utf-8")
    game = "games: [{name: m, files: ana.sheet}]\n"
    waiver = "waivers: [{game: m, step: 3, reason: agreed}]\n"
    (tmp_path / "tournament.yaml").write_text(HEAD + game + waiver, "utf-8")
    with pytest.raises(ScenarioError, match="`sheet` beside `step`"):
        check_file(tmp_path / "ana.sheet")


def test_the_file_that_is_shown_is_a_good_one(tmp_path: Path) -> None:
    (shown,) = (b.text for b in blocks("docs/tournament.md") if b.info == "yaml")
    folder = tmp_path / "rodada-1"
    folder.mkdir()
    (folder / "mesa-1.sheet").write_text(FAR, "utf-8")
    (tmp_path / "tournament.yaml").write_text(shown, "utf-8")
    answer = check_file(folder / "mesa-1.sheet")
    assert answer.tournament is not None and answer.tournament["game"] == "mesa 1"


def test_editors_have_a_schema() -> None:
    schema = json_schemas()["tournament.yaml"]
    assert {
        "tournament",
        "director",
        "dates",
        "options",
        "games",
        "points",
        "waivers",
        "rulings",
        "days_for_a_turn",
        "dice",
        "rulings_in_sheets",
    } == set(schema["properties"])
