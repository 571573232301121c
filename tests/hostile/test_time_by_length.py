"""Four times as much of anything takes about four times as long, however small its pieces are."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.validator.judging.check import judge
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.record import record_lines
from hexforge.validator.notation.cursor import MAX_LINE, logical_lines
from hexforge.validator.notation.records import Attached
from hexforge.validator.reading.sheet import read_sheet
from tests.examples import leading
from tests.hostile.test_small_files_long_runs import ROLL, log_of

MOST = 9
"""Times as long that four times as much may take: what grows with the square takes sixteen times as long."""
HEAD = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n"
UNDO = f"UNDO\ttrue\\\x1bLOG\tCHAT* UNDO: {ROLL}\\\x1bLOG\tUNDO\tfalse"
PIECES = [f"+/{i}/piece;;;a;x{i}/M;0;{i};{i};0" for i in range(100)]


def talk(count: int) -> list[str]:
    lines = [f"CHAT<A> - hello {n}" for n in range(count)]
    return ["\\\x1bLOG\t".join(lines[n : n + 20]) for n in range(0, count, 20)]


def drags(count: int) -> list[str]:
    ends = ((n % 100, n // 100) for n in range(count))
    return [f"M/{i}/M/{x + 1}/{i}/null/M/{x}/{i}/null/pw\\\x1bLOG\tCHAT* x{i} moves *" for i, x in ends]


LOGS: dict[str, tuple[int, Callable[[int], list[str]]]] = {
    "chat": (4000, talk),
    "drags": (800, drags),
    "undone throws": (1500, lambda count: [f"CHAT{ROLL}", UNDO] * (count // 2)),
    "properties": (1500, lambda count: [f"MutableProperty\tp{n % 9}\t{n}\t{n + 1}\tM" for n in range(count)]),
    "deletions": (800, lambda count: [f"+/n{n}/piece;;;a;x/M;0;0;1;0\\\x1bLOG\t-/n{n}" for n in range(count)]),
    "unknown": (1500, lambda count: [f"STRANGE\t{n}" for n in range(count)]),
}
SHEETS: dict[str, tuple[int, str, str]] = {
    "units that nobody knows": (150, "", "move us-{}-x: 0705 0805"),
    "units that nobody knows, in one combat": (80, "turn 2 american combat\ncombat 0905", "attack us-{}-x"),
    "losses that are told once more": (
        200,
        "turn 2 american combat\ncombat 1007\nattack us-112-1\nroll 3 4\nresult DRB",
        "lose ge-983-1",
    ),
    "lines that nobody can read": (150, "", "foo {} bar"),
    "phases that nobody can read": (
        60,
        "turn 3 american movement",
        "turn 3 germann movement\nmove ge-983-1: 0705 0305\nturn 3 amerikan movement\nmove us-112-1: 0705 0305",
    ),
    "talk": (40, "", "then we had a coffee and spoke of the weather {}"),
}


def seconds(work: Callable[[], object]) -> float:
    """The best of three: other work on the machine only ever adds to it."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.parametrize("kind", leading(3, LOGS))
def test_a_log_is_told_in_time_by_its_length(kind: str) -> None:
    count, steps = LOGS[kind]

    def told(size: int) -> float:
        data = encode_payload(log_of(["PLAYER\tpw\tA\tB", *PIECES], steps(size)))
        return seconds(lambda: record_lines(read_chain([Attached("a.vlog", data, True)])))

    assert told(4 * count) < MOST * told(count)


@pytest.mark.parametrize("kind", leading(2, SHEETS))
def test_a_sheet_is_judged_in_time_by_its_length(kind: str) -> None:
    count, head, line = SHEETS[kind]

    def judged(size: int) -> float:
        text = f"{HEAD}{head}\n" + "".join(f"{line}\n".format(n) for n in range(size))
        return seconds(lambda: judge(read_sheet(text)))

    judged(1)  # what is loaded once
    assert judged(4 * count) < MOST * judged(count)


def test_what_stands_behind_a_word_that_was_put_in_for_another() -> None:
    points = "," * (MAX_LINE - 20)
    line = next(logical_lines([f"run12 {points}b 0907"]))
    first, second = line.tokens[0], line.tokens[-1]
    began = time.process_time()
    for _ in range(20):
        assert line.gap(replace(first, text="put-in"), second) == " "
        assert line.gap(replace(first, text="put-in"), replace(second, column=7)) == " "
    assert time.process_time() - began < 2
