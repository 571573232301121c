"""The cases of games of which only some rules are known: verdicts, what follows from lines, and the accounts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hexforge.scenarios.compiled import load_extension
from hexforge.scenarios.text.words import Words
from hexforge.validator.app.cli import main
from hexforge.validator.judging.chain import course_of_sheets
from hexforge.validator.judging.check import check_file, judge
from hexforge.validator.judging.continuing import written
from hexforge.validator.judging.replayed import Replayed
from hexforge.validator.judging.situation import sheet_situation
from hexforge.validator.notation import games
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.units import name, names_of
from hexforge.validator.rules.findings import CODES, RULEBOOK
from tests import yamls

from .catalogue import HOME, Case, differences

FILE = HOME / "ledger" / "normandy.yaml"
ITEMS: list[dict[str, Any]] = yamls.read(FILE)["cases"]
PREDICATES = {c["id"] for c in yamls.read(HOME / "normandy.yaml")["cases"]}
RULE = re.compile(r"N( 20(\.[0-9])*o?)?")


def answered(item: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a case, as JSON."""
    return judge(read_sheet(item["sheet"], f"{item['id']}.sheet")).as_json()


@pytest.mark.parametrize("item", ITEMS, ids=[item["id"] for item in ITEMS])
def test_case(item: Mapping[str, Any]) -> None:
    answer, expect = answered(item), item["expect"]
    case = Case(item["id"], item["title"], item["sheet"], expect)
    found = [*differences(case, answer), *_missing(expect, answer)]
    assert not found, f"{item['title']}\n" + "\n".join(found)
    _shaped(answer, item["sheet"])


def _missing(expect: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[str]:
    for want in expect.get("effects", ()):
        if not any(all(effect[key] == value for key, value in want.items()) for effect in answer["effects"]):
            yield f"no effect {want} among {answer['effects']}"
    for path, value in expect.get("accounts", {}).items():
        got: Any = answer["accounts"]
        for key in path.split("."):
            got = got[key]
        if got != value:
            yield f"{path} is {got}, not {value}"
    if "as_stated" in expect and answer["as_stated"] != expect["as_stated"]:
        yield f"as stated: {answer['as_stated']}"
    if expect["verdict"] == "illegal":
        rules = {want["rule"] for want in expect["findings"]}
        for f in answer["findings"]:
            if f["severity"] == "illegal" and f["rule"] not in rules:
                yield f"unexpected: {f['rule']} {f['message']}"


def _shaped(answer: Mapping[str, Any], sheet: str) -> None:
    for finding in answer["findings"]:
        assert finding["code"] in CODES
        assert 1 <= finding["line"] <= sheet.count("\n") + 1
        assert finding["code"] == "syntax" or RULE.fullmatch(finding["rule"]), finding
        assert "{" not in finding["message"], finding
        assert (finding["severity"] == "doubtful") <= (finding["rests_on"] != RULEBOOK), finding
    for fact in answer["facts"]:
        assert fact["used_by"], fact


def test_every_predicate_is_a_sheet() -> None:
    assert {item["predicate"] for item in ITEMS} == PREDICATES
    assert len({item["id"] for item in ITEMS}) == len(ITEMS)


def test_a_fact_that_is_missing_is_never_taken_for_granted() -> None:
    """Without its facts no sheet that is legal as stated is legal any more."""
    for item in ITEMS:
        answer = answered(item)
        if answer["verdict"] == "legal" and answer["as_stated"]:
            bare = "\n".join(line for line in item["sheet"].splitlines() if not line.strip().startswith("fact"))
            again = answered({"id": item["id"], "sheet": bare})
            assert again["verdict"] != "legal" or not _rests(item), item["id"]


def _rests(item: Mapping[str, Any]) -> bool:
    """Whether the verdict, and not only an account, rests on the facts of a case."""
    return bool(item["expect"].get("as_stated"))


# ------------------------------------------------------------------------------------- around the accounts

FIRST = """sheet 1
game normandy
count truck 2
unit hq-352 german infantry-hq division 352
position
  truck-1 B1410
  attach truck-1 hq-352
  level 7
turn 25 jun night engineering
"""
SECOND = """sheet 1
game normandy
continues first.sheet
turn 26 jun am movement
bonus hq-352 2
turn 26 jun night engineering
demolish 6
"""


def test_a_sheet_goes_on_from_the_accounts_of_another(tmp_path: Path) -> None:
    (tmp_path / "first.sheet").write_text(FIRST, "utf-8")
    second = tmp_path / "second.sheet"
    second.write_text(SECOND, "utf-8")
    found = check_file(second).as_json()
    assert (found["verdict"], found["accounts"]["port"]["level"]) == ("legal", 6)
    assert found["accounts"]["markers"]["truck"]["pool"] == 1
    (tmp_path / "first.sheet").write_text(SECOND.replace("first", "second"), "utf-8")
    assert "continuation" in {f.code for f in check_file(second).findings}
    (tmp_path / "first.sheet").unlink()
    assert {f.severity for f in check_file(second).findings if f.code == "continuation"} == {"unread"}


def test_the_words_of_accounts_belong_to_their_games_alone() -> None:
    sheet = "sheet 1\ngame metz\nturn 1 american movement\nfact ezoc 0101\ntruck a1\n"
    assert [p.found for p in read_sheet(sheet).problems] == ["fact", "truck"]


@pytest.mark.parametrize("command", [["units", "normandy"], ["units", "normandy", "--format", "json"]])
def test_the_names_are_listed(command: list[str]) -> None:
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0
    assert "truck-1" in done.output and "infantry-hq" in done.output


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_names_are_a_page_with_the_pictures_of_the_markers(language: str, tmp_path: Path) -> None:
    page = tmp_path / "units.html"
    done = CliRunner().invoke(main, ["units", "normandy", "-o", str(page), "--lang", language])
    assert done.exit_code == 0, done.output
    text, game = page.read_text("utf-8"), load_extension("normandy")
    shown = [kind for kind in game.game.markers if kind in {n.marker for n in names_of(game)}]
    assert len(shown) > 6
    assert text.count("<img") == sum(len(game.game.markers[kind].faces) for kind in shown)
    for named in names_of(game):
        assert name(named, Words(language).of(game.texts)) in unescape(text)


@pytest.mark.parametrize("command", [["reach", "SHEET", "hq-352"], ["odds", "SHEET", "B1410", "--with", "hq-352"]])
def test_questions_of_a_map_are_told_where_the_accounts_are(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "first.sheet"
    path.write_text(FIRST, "utf-8")
    done = CliRunner().invoke(main, [str(path) if word == "SHEET" else word for word in command])
    assert done.exit_code == 2
    assert "validator check" in done.stderr and len(done.stderr.splitlines()) == 1


DUTIES = {
    "position\n  level 6\nturn 24 jun am movement": {"clock": 5, "stake": 6},
    "turn 24 jun am movement": {"stake": 10},
    "position\n  level 0\nturn 24 jun am movement": {"stake": 0},
    "position\n  level 2 captured\nturn 24 jun am movement": {"repair": 5},
    "position\n  level 9 captured\nturn 24 jun am movement": {"income": 5},
    "turn 1 jul am end\nfact supply ost-1 none": {"isolated": 1},
    "turn 28 jun night end\nfact supply ost-1 none": {},
    "stock record 3\nturn 1 jul am end\nfact line south none\nfact line east none": {"record": 3},
    "option rangers_reserve=yes\nposition\n  level 0 captured\nchoose rangers-5 held\nturn 6 jun am invasion 1": {
        "die": "",
        "repair": 5,
    },
    "position\n  level 0 captured\nroll rangers-5 4\nturn 6 jun am invasion 2": {
        "sent": "pointe-du-hoc",
        "repair": 5,
    },
}


@pytest.mark.parametrize("lines", DUTIES)
def test_duties_say_what_the_accounts_leave_to_do(lines: str, tmp_path: Path) -> None:
    path = tmp_path / "a.sheet"
    path.write_text(f"sheet 1\ngame normandy\n{lines}\n", "utf-8")
    done = CliRunner().invoke(main, ["duties", str(path), "--format", "json"])
    assert {one["what"]: one["value"] for one in json.loads(done.stdout)["due"]} == DUTIES[lines]
    for language in ("en", "pt"):
        told = CliRunner().invoke(main, ["duties", str(path), "--lang", language])
        assert len(told.stdout.splitlines()) == max(1, len(DUTIES[lines])) and "{" not in told.stdout


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_form_of_report_shows_accounts_and_facts(language: str, tmp_path: Path) -> None:
    sheet = next(item["sheet"] for item in ITEMS if item["id"] == "L-20.3-a")
    path, words = tmp_path / "a.sheet", Words(language)
    path.write_text(sheet, "utf-8")
    for form in ("text", "html"):
        done = CliRunner().invoke(main, ["check", str(path), "--format", form, "--lang", language])
        title, facts = words("report.accounts.title"), words("report.accounts.facts")
        assert done.exit_code == 0
        assert title in done.output and facts in done.output
        assert "fact source B1412" in done.output


def test_a_sheet_reads_the_same_in_the_other_language() -> None:
    vocabulary = games.vocabulary("normandy")
    for item in ITEMS:
        told = read_sheet(item["sheet"])
        again = read_sheet(write_sheet(told.statements, "pt", vocabulary))
        meant = [replace(s, line=0) for s in told.statements]
        assert [replace(s, line=0) for s in again.statements] == meant, item["id"]


def test_a_sheet_of_far_too_many_units_is_judged_in_time_and_told_so() -> None:
    lines = [f"place x-{n} B1410" for n in range(3000)] + [f"fact ezoc B{n:04d}" for n in range(1000, 4000)]
    found = judge(read_sheet("sheet 1\ngame normandy\nturn 6 jun am movement\n" + "\n".join(lines)))
    assert any("2000" in Words("en").say(f.message) for f in found.findings if f.code == "fact")


LEGAL = [item for item in ITEMS if item["expect"]["verdict"] == "legal"]
"""Games of which nothing has to be put right before they go on."""


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_the_position_of_a_game_holds_its_accounts(lang: str) -> None:
    for item in LEGAL:
        sheet = read_sheet(item["sheet"], "before.sheet")
        then = sheet_situation(sheet, None)
        following = read_sheet(written(then, ["-"], None, None, lang), "after.sheet")
        assert not following.problems, item["id"]
        now = sheet_situation(following, None)
        assert not [f for f in now.judgement.findings if f.severity != "info"], item["id"]
        assert _kept(now) == _kept(then), item["id"]


def _kept(found: Replayed) -> object:
    """What the rest of a game hangs on."""
    books = found.position.accounts
    record, port = books.record, books.port
    left = None if record.points is None else record.points - record.used
    pieces = {id_: (s.where, s.hex, s.under, s.steps) for id_, s in books.states.items() if s.where != "pool"}
    placed = {id_: state for id_, state in pieces.items() if state[1] or state[0] == "eliminated"}
    totals = [books.total(side) for side in found.context.sides]
    return placed, (port.level, port.captured, port.held), books.stock, record.lost, left, totals, books.landed


def test_what_stands_above_the_first_turn_is_taken_as_it_is() -> None:
    head = (
        "sheet 1\ngame normandy\nstock points 4\neliminate kg-2\nland rangers-5 at omaha\ncapture\nscore allied 3\n"
    )
    answer = judge(
        read_sheet(f"{head}turn 29 jun am movement\nland rangers-5 at omaha\nscore allied 3\n", "x.sheet")
    )
    illegal = [f.line for f in answer.findings if f.severity == "illegal"]
    assert set(illegal) == {9}  # it has landed, and landing has a phase of its own
    accounts = answer.as_json()["accounts"]
    assert (accounts["port"]["captured"], accounts["supply_points"]["stock"]) == (True, 4)


def test_accounts_go_on_from_a_file_that_has_another_name_by_now(tmp_path: Path) -> None:
    before = tmp_path / "renamed.sheet"
    before.write_text("sheet 1\ngame normandy\ncount truck 4\nturn 28 jun am movement\ntruck truck-1 at B1410\n")
    digits = sha256(before.read_bytes()).hexdigest()[:16]
    after = tmp_path / "after.sheet"
    head = f"sheet 1\ngame normandy\ncontinues was.sheet hash {digits}\n\n"
    after.write_text(f"{head}turn 29 jun am movement\nmove truck-1: B1415 B1416\n")
    found = {(f.line, f.message.key) for f in check_file(after).findings}
    assert (6, "findings.elsewhere") in found  # it is where that sheet left it
    assert [flaw.message.key for flaw in course_of_sheets([before, after]).flaws] == []
