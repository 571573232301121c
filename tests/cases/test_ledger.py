"""The cases of games of which only some rules are known: verdicts, what follows from lines, and the accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from hexforge.validator.check import judge
from hexforge.validator.readers.sheet import read_sheet
from hexforge.validator.referee.findings import CODES, RULEBOOK

from .catalogue import HOME, Case, differences

FILE = HOME / "ledger" / "normandy.yaml"
ITEMS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))["cases"]
PREDICATES = {c["id"] for c in yaml.safe_load((HOME / "normandy.yaml").read_text("utf-8"))["cases"]}
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
