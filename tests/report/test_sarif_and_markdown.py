"""Findings where code hosts and forums show them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from hexforge.scenarios.text.words import Words
from hexforge.validator.app.batch import Form
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_file, check_logs, judge
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.pages import FormName, Rest
from hexforge.validator.report.text import code, plain

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "scenarios" / "hurtgen" / "examples" / "turn2-mistakes.sheet"
NONE = Rest()
EVIL = "[x](javascript:alert(1)) <b> ``` | *a*"


def written(form: FormName, *answers: Answer, rest: Rest = NONE) -> str:
    report = Form(form, "en").report()
    return "".join(map(str, report.whole(map(report.part, answers), rest)))


def run(*answers: Answer, rest: Rest = NONE) -> Any:
    found = json.loads(written("sarif", *answers, rest=rest))
    assert found["version"] == "2.1.0"
    (only,) = found["runs"]
    return only


def test_each_finding_is_a_result_on_its_line() -> None:
    answer = check_file(EXAMPLE)
    found = run(answer)
    assert len(found["results"]) == len(answer.findings)
    first = found["results"][0]
    assert (first["ruleId"], first["level"]) == ("stacking", "error")
    assert first["message"]["text"] == "4 units end in 0907; at most 3 may; computed 4"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("turn2-mistakes.sheet")
    assert place["region"]["startLine"] == 16 and place["region"]["snippet"]["text"].startswith("move us-112-2")
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules)) and {result["ruleId"] for result in found["results"]} == set(rules)


def test_a_finding_in_a_log_names_its_step() -> None:
    played = ROOT / "tests" / "data" / "played"
    found = run(check_logs([played / "a.vlog", played / "b-gap.vlog"]))
    places = [result["locations"][0] for result in found["results"]]
    assert "a.vlog:0" in [place.get("logicalLocations", [{}])[0].get("name") for place in places]
    assert all("region" not in place["physicalLocation"] for place in places)


def test_what_is_waived_is_suppressed_and_what_failed_is_told() -> None:
    text = "sheet 1\ngame hurtgen\npartial\naccept 5: agreed\nturn 2 german movement\nmove us-112-1: 0806 0907\n"
    answer = judge(read_sheet(text.replace("accept 5", "accept 6"), "a b.sheet"))
    waived = [result for result in run(answer)["results"] if "suppressions" in result]
    assert waived and "agreed" in waived[0]["suppressions"][0]["justification"]
    assert waived[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.sheet"
    (invocation,) = run(rest=Rest([("x.png", "is not text")]))["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "is not text"


def test_markdown_says_what_is_wrong_and_how_combats_were_worked_out() -> None:
    text = written("md", check_file(EXAMPLE))
    page = MarkdownIt().render(text)
    assert "<h2>" in page and "<strong>illegal</strong>" in page
    assert "<code>move us-112-2 us-112-3 us-707-tank: 0807 0907</code>" in page
    assert "48:4 = 9-1" in page and "<strong>DRB AVI</strong>" in page


def test_nothing_of_a_sheet_is_markup() -> None:
    answer = judge(read_sheet(f"sheet 1\ngame hurtgen\n{EVIL}\nmove {EVIL}: 0101 0102\n", f"{EVIL}.sheet"))
    page = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(written("md", answer))
    assert "<a " not in page and "<b>" not in page and "<em>" not in page
    assert MarkdownIt().render(plain(EVIL)).strip() == ("<p>[x](javascript:alert(1)) &lt;b&gt; ``` | *a*</p>")
    assert MarkdownIt().renderInline(code("a `b` ``c``")) == "<code>a `b` ``c``</code>"
    assert Words("en")("report.combats") in written("md", check_file(EXAMPLE))
