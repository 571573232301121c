"""Mails as people type them: of each line is understood what stands beside it in `mails/`."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Final

import pytest

from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation.records import Account
from hexforge.validator.notation.statements import Sheet
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.mime import Letter
from hexforge.validator.reading.mails.threads import read_mails, threads
from tests.readers.typed import MAILS, Example, examples

MEANT: Final = {
    "S": {"judged", "stays", "not-read"},
    "W": {"judged", "stays", "not-read"},
    "p": {"prose", "quoted", "not-read"},
    "q": {"quoted"},
    "N": {"not-read"},
}
"""What a line may become: what is meant as a statement is taken or named, and never talk."""


@cache
def taken(example: Example) -> tuple[list[Letter], list[Sheet]]:
    """The mails that a file holds, and the games that they tell."""
    letters = read_mails(example.data, f"{example.name}{example.suffix}")
    return letters, [game.sheet() for thread in threads(letters)[0] for game in games_of(thread)]


def understood(example: Example) -> tuple[dict[int, str], dict[int, str]]:
    """The text of each line that is not blank, and what became of it, by number; in HTML by their order."""
    letters, sheets = taken(example)
    texts = {
        row.number: row.raw for letter in letters for typed in letter.texts for row in typed.rows if not row.blank
    }
    became = dict.fromkeys(texts, "prose")
    for sheet in sheets:
        parts = account_of(sheet)
        became |= {n: _part(part) for part in parts for n in range(part.first, part.last + 1) if n in texts}
    if example.in_html:
        return dict(enumerate(texts.values())), dict(enumerate(became[n] for n in texts))
    return texts, became


def _part(account: Account) -> str:
    """What became of lines; who says only that units stay where they are is understood."""
    return "stays" if account.why == "stays" else account.part


EXAMPLES: Final = list(examples())
LEAST: Final = 0.93
"""The share of the lines meant as statements that the reader takes, slips of the pen among them."""
NAMED: Final = 0.10
"""The share of talk that may be named as not read: within a phase, what holds a number or a unit is no talk."""
WRONG: Final = 0.003
"""The share of what is taken that may be taken otherwise than it was meant."""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_each_line_is_what_its_writer_meant_or_is_named(example: Example) -> None:
    texts, became = understood(example)
    assert set(became) == set(example.meant), "every line, and no other, is accounted for"
    wrong = {n for n, meant in example.meant.items() if became[n] not in MEANT[meant]}
    assert not wrong, {n: (texts[n], became[n]) for n in wrong}


def test_nearly_all_that_is_meant_as_a_statement_is_taken() -> None:
    """Whether it can be taken or not: of those that cannot (`N`), each is named, which the test above holds."""
    taken = said = talk = named = 0
    for example in EXAMPLES:
        _, became = understood(example)
        meant = [n for n, mark in example.meant.items() if mark in "SWN"]
        said += len(meant)
        taken += sum(became[n] in ("judged", "stays") for n in meant)
        talked = [n for n, mark in example.meant.items() if mark == "p"]
        talk += len(talked)
        named += sum(became[n] == "not-read" for n in talked)
    assert taken >= said * LEAST, f"{taken} of {said}"
    assert named <= talk * NAMED, f"{named} of {talk}"


def canonical(example: Example) -> str:
    """The games that a mail tells, as the notation writes them."""
    return "".join(write_sheet(sheet.statements) for sheet in taken(example)[1])


def test_what_is_taken_is_what_was_meant() -> None:
    parts = re.split(r"(?m)^=== (.+)\n", (MAILS / "later.sheets").read_text("utf-8"))[1:]
    expected = dict(zip(parts[::2], parts[1::2], strict=True))
    read = 0
    strange: list[str] = []
    for example in EXAMPLES:
        if example.name in expected:
            meant = Counter(map(str.strip, expected[example.name].splitlines()))
            told = Counter(map(str.strip, canonical(example).splitlines()))
            read += told.total()
            strange += [f"{example.name}: {line}" for line in (told - meant).elements()]
    assert read > 600 and len(strange) <= read * WRONG, strange
    assert len(expected) >= 30


def test_the_corpus_is_what_the_page_says() -> None:
    assert len(EXAMPLES) >= 60
    assert {mark for example in EXAMPLES for mark in example.meant.values()} == set(MEANT)
