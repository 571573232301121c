"""Mails that nobody's reader was made for: little of what they say passes as talk, and no talk is accused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from hexforge.validator.reading.mail_lines import is_encoded
from tests.examples import leading
from tests.readers.test_mails import understood
from tests.readers.typed import MAILS, examples_in

UNSEEN: Final = sorted((MAILS / "unseen").glob("*.txt"))
IN_THE_GATE: Final = MAILS / "unseen" / "mixed.txt"
LEAST: Final = {
    "english": (0.42, 0.05),
    "freer": (0.50, 0.02),
    "mixed": (0.40, 0.06),
    "portuguese": (0.56, 0.03),
}
"""By file: the share of statements that is taken at least, and that passes as talk at most."""
NAMED: Final = 0.10
"""The share of talk that may be named as not read."""
TAKEN: Final = 0.55
"""The share of all their statements that is taken at least."""


@pytest.mark.parametrize("path", leading(1, sorted(UNSEEN, key=IN_THE_GATE.__ne__)), ids=lambda path: path.stem)
def test_what_is_said_is_taken_or_told(path: Path) -> None:
    said: Counter[str] = Counter()
    talk: Counter[str] = Counter()
    for example in examples_in(path):
        _, became = understood(example)
        for number, mark in example.meant.items():
            (talk if mark == "p" else said)[became[number]] += 1
    taken, acquitted = LEAST[path.stem]
    assert said["judged"] + said["stays"] >= taken * said.total(), said
    assert said["prose"] <= acquitted * said.total(), said
    assert talk["not-read"] <= NAMED * talk.total(), talk


def test_more_than_half_of_all_is_taken() -> None:
    became = [
        (mark, understood(e)[1][n]) for path in UNSEEN for e in examples_in(path) for n, mark in e.meant.items()
    ]
    said = [found for mark, found in became if mark in "SWN"]
    assert sum(found in ("judged", "stays") for found in said) >= TAKEN * len(said)


def test_there_is_a_file_for_each() -> None:
    assert [path.stem for path in UNSEEN] == sorted(LEAST)


def test_a_file_in_letters_that_nobody_reads_is_told_at_once() -> None:
    """An attachment that a mail holds as its text is prose, however long; a way without a space is none of it."""
    data = "Ox87VztUO1g7WjtPO1I7VDtVOx87ATsbOx87VTteO0w7aztSO147WDteO3U7WjtWO147HzsbO107"
    assert is_encoded(data)
    assert is_encoded(f" {data}=")
    assert not is_encoded("0806/0907/0908/1008/1009/1109/1110/1210/1211/1311/1312")
    assert not is_encoded("attack0905withallthatstandsbesideitandwiththeguns")
