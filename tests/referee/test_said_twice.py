"""An order that stands twice in a phase is told as that, and moves nobody a second time."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

HEAD = "sheet 1\ngame hurtgen\nturn 2 american movement\n"


def found(lines: str, head: str = HEAD) -> tuple[str, list[tuple[int, str, str]]]:
    answer = judge(read_sheet(head + lines))
    return answer.verdict, [(f.line, f.message.key.rpartition(".")[2], f.severity) for f in answer.findings]


@pytest.mark.parametrize(
    "again",
    [
        "move us-112-1 us-707-tank: 0807 0907",
        "move us-707-tank us-112-1: 0807 0907",
        "112-1 and 707 to 0907",
    ],
)
def test_an_order_that_is_said_twice_counts_once(again: str) -> None:
    position = (
        "sheet 1\ngame hurtgen\npartial\nposition\nus-112-1 0807\nus-707-tank 0807\nturn 2 american movement\n"
    )
    verdict, told = found(f"move us-112-1 us-707-tank: 0807 0907\n{again}\n", position)
    assert verdict == "legal"
    assert told == [(9, "said-twice", "info")]


def test_the_end_alone_may_stand_first() -> None:
    verdict, told = found("112-1 to 0907\nmove us-112-1: 0806 0907\n")
    assert verdict == "legal"
    assert (5, "said-twice", "info") in told


def test_the_same_die_again_may_be_one_throw_where_the_moves_are_there_again() -> None:
    head = "sheet 1\ngame metz\nmap blank open 20x20\nunit a1 american infantry 3-4-6\nposition\na1 1010\n"
    head += "turn 6 american movement\n"
    orders = "airroll 4\nmove a1: 1010 1011\n"
    verdict, told = found(orders + orders, head)
    assert verdict == "doubtful"
    assert [severity for line, _, severity in told if line > 9] == ["doubtful", "info"]
    assert found("airroll 4\nairroll 4\n", head)[0] == "illegal"
    assert found("airroll 4\nairroll 5\n", head)[0] == "illegal"


def test_who_is_said_twice_to_leave_the_map_has_left_it_once() -> None:
    head = "sheet 1\ngame bastogne\npartial\nmap blank open 51x26\nroad 1403 1402 1401\n"
    head += "unit g1 german armor 6-5-15\nposition\n  g1 1403\nturn 23 german movement\n"
    out = "exit g1: 1403 1402 1401 to north by road\n"
    _, once = found(out, head)
    _, told = found(out + out, head)
    assert told == [*once, (11, "said-twice", "info")]
    assert "illegal" in {severity for *_, severity in found(out + "exit g1: 1403 1402 to north\n", head)[1]}


@pytest.mark.parametrize(
    "lines",
    [
        "move us-1340-eng: 0707 0706\nmove us-1340-eng: 0706 0707\nmove us-1340-eng: 0707 0706\n",
        "move us-1340-eng: 0707 0706\nmove us-1340-eng: 0707 0807 0706\n",
        "move us-1340-eng: 0707 0706 0707\nmove us-1340-eng: 0707 0706 0707\n",
        "move us-1340-eng: 0707 0706\nmove us-1340-eng us-20-eng: 0707 0706\n",
    ],
)
def test_another_order_is_none_that_is_said_twice(lines: str) -> None:
    verdict, told = found(lines)
    assert verdict == "illegal"
    assert "said-twice" not in [key for _, key, _ in told]
