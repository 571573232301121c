"""A move of a reinforcement that waits: where it may come on so, it is its entry."""

from __future__ import annotations

import pytest

from hexforge.scenarios.text.words import message
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

HEAD = "sheet 1\ngame hurtgen\npartial\nturn {turn} german movement\n{line}\n"


def judged(line: str, turn: int = 2) -> Answer:
    return judge(read_sheet(HEAD.format(turn=turn, line=line)))


@pytest.mark.parametrize(
    "line", ["move ge-1055-1: 0812 0912", "1055-1: 0812 0912", "o 1055-1 vai de 0812 para 0912"]
)
def test_a_reinforcement_that_is_due_comes_on_where_its_way_begins(line: str) -> None:
    found, entered = judged(line), judged("enter ge-1055-1: 0812 0912")
    assert (found.verdict, found.moves) == ("legal", entered.moves)
    assert [(f.severity, f.message.key, f.units) for f in found.findings] == [
        ("info", "findings.moves-in", ("ge-1055-1",))
    ]


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        ("move ge-1055-1: 0811 0812", 2),  # no hex of the edge
        ("move us-12-1: 0104 0204", 2),  # the enemy's
        ("move ge-982-1: 0812 0912", 2),
        ("move ge-16-1: 0812 0912", 4),  # due, by another edge
    ],
)
def test_who_may_not_come_on_there_is_not_on_the_map(line: str, turn: int) -> None:
    told = {(f.severity, f.code) for f in judged(line, turn).findings if f.severity != "info"}
    assert told <= {("illegal", "not-there"), ("illegal", "wrong-side")} and told


def test_what_is_wrong_with_the_way_is_told_of_the_entry_too() -> None:
    found = judged("move ge-1055-1: 0812 0712 0711 0610 0509")
    entered = judged("enter ge-1055-1: 0812 0712 0711 0610 0509")
    assert [f for f in found.findings if f.severity == "illegal"] == [
        f for f in entered.findings if f.severity == "illegal"
    ]


def test_where_it_enters_may_be_left_out() -> None:
    (found,) = judged("move ge-1055-1: 0811").findings
    assert (found.severity, found.message.key) == ("doubtful", "findings.off-map")
    assert found.rests_on == (message("findings.doubt.may-enter"),)
    (found,) = judged("move ge-60-1: 0811").findings
    assert found.severity == "illegal"
