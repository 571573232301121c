"""The shape that the notation promises of every answer, whatever its verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hexforge.validator.rules.findings import CODES, RULEBOOK, SLIPS
from tests.referee.played import scenario

from .catalogue import Case

RULE = re.compile(r"[BMH] [0-9]{1,2}(\.[0-9]{1,2}){1,2}")
GRANTS = {
    "B": {"5.1.1", "5.1.2", "5.1.3", "5.1.4", "4.2.1"},
    "M": {"5.1.2", "5.1.3", "5.1.4"},
    "H": {"5.1.2", "5.1.3", "5.1.4"},
}
"""Sections that grant columns, by the letter of the game."""
HEX = re.compile(r"[0-9]{4}")
WHERES = {"absent", "due", "withdrawn", "exited", "retreated", "eliminated"}


def hold(answer: Mapping[str, Any], case: Case) -> None:
    """Asserts that the answer to a case has it."""
    lines = case.sheet.count("\n") + 1
    assert answer["source"] == f"{case.id}.sheet"
    severities = {f["severity"] for f in answer["findings"]}
    worst = (severity for severity in ("illegal", "unread", "doubtful") if severity in severities)
    assert answer["verdict"] == next(worst, "legal")
    for finding in answer["findings"]:
        _finding(finding, lines)
    for combat in answer["combats"]:
        _combat(combat, answer["game"], lines)
    for move in answer["moves"]:
        assert set(move) >= {"line", "units", "path", "cost", "left"}
        assert 1 <= move["line"] <= lines
        assert move["units"]
        assert all(HEX.fullmatch(h) for h in move["path"])
        assert move["cost"] >= 0
        assert (2 * move["cost"]) % 1 == 0
    for unit, state in answer["position"].items():
        assert state["step"] in ("full", "reduced", "eliminated"), unit
        assert ("where" in state) == (state["hex"] is None), unit
        assert state["hex"] is None or HEX.fullmatch(state["hex"]), unit
        assert state.get("where", "absent") in WHERES, unit
        assert state["step"] != "eliminated" or state["hex"] is None, unit
    assert all(points >= 0 for points in answer["air"].values())
    assert set(answer["score"]) == {"american", "german"}


def _finding(finding: Mapping[str, Any], lines: int) -> None:
    assert finding["code"] in CODES
    assert 1 <= finding["line"] <= lines
    # What a sheet goes on from is a rule of nobody's.
    of_nobody = finding["code"] == "syntax" or (finding["code"], finding["severity"]) == ("continuation", "info")
    assert of_nobody or RULE.fullmatch(finding["rule"]), finding
    assert finding["message"].strip()
    assert "{" not in finding["message"], finding
    assert finding["severity"] == "unread" or finding["code"] != "syntax", finding
    assert finding["severity"] != "unread" or finding["code"] in ("syntax", *SLIPS), finding
    assert (finding["severity"] == "doubtful") <= (finding["rests_on"] != RULEBOOK), finding
    assert (finding["severity"] == "illegal") <= (finding["rests_on"] == RULEBOOK), finding


def _combat(combat: Mapping[str, Any], game: str, lines: int) -> None:
    played = scenario(game)
    assault = combat["kind"] == "combat"
    assert combat["kind"] in ("combat", "bombard", "airstrike")
    assert 1 <= combat["line"] <= lines
    assert all(HEX.fullmatch(h) for h in combat["target"])
    assert ("value" in combat) != assault
    assert all((part in combat) == assault for part in ("attack", "defence", "odds"))
    table = played.tables.crt if assault else played.tables.bombardment
    assert table is not None
    assert combat["column"] in table.columns
    assert not assault or combat["odds"] in table.columns
    for shift in combat["shifts"]:
        letter, section = shift["rule"].split()
        assert letter == played.game.letter
        assert section in GRANTS[letter] if assault else section == "5.1.2"
        assert shift["columns"] != 0
    if combat["roll"] is not None:
        index = table.columns.index(combat["column"])
        assert combat["result"] == table.row(combat["roll"])[index]
