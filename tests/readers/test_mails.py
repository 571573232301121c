"""Mails as people type them: of each line is understood what stands beside it in `mails/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation.records import Account
from hexforge.validator.notation.statements import Sheet
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.mime import Letter
from hexforge.validator.reading.mails.threads import read_mails, threads

MAILS: Final = Path(__file__).parent / "mails"
MARK: Final = re.compile(r"([SWpqN])(?: (.*)|)")
IN_HTML: Final = re.compile(r"<!--([SWpqN])-->")
MEANT: Final = {
    "S": {"judged", "stays"},
    "W": {"judged", "stays"},
    "p": {"prose", "quoted"},
    "q": {"quoted"},
    "N": {"not-read"},
}
MISSED: Final = {
    ("natural-en-moves", 7),
    ("natural-pt-combate", 11),
}
"""Statements that nobody can take today, and that are named as not read: who acts stands before what he does."""


@dataclass(frozen=True, eq=False)
class Example:
    """A mail, its bytes, and what each line of its text that is not blank is meant as, by number."""

    name: str
    data: bytes
    suffix: str
    meant: dict[int, str]
    in_html: bool = False


def examples() -> Iterator[Example]:
    """All mails of the folder."""
    for path in sorted(MAILS.glob("*.txt")):
        yield from examples_in(path)


def examples_in(path: Path) -> Iterator[Example]:
    """The mails of a file."""
    for part in re.split(r"(?m)^=== ", path.read_text("utf-8"))[1:]:
        name, _, rest = part.partition("\n")
        head, _, body = rest.partition("\n\n")
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        yield example(name.strip(), fields, body.strip("\n") + "\n")


def example(name: str, fields: dict[str, str], body: str) -> Example:
    """One mail as its program packs it."""
    form = fields.pop("Form", "plain")
    if form == "html":
        marks = IN_HTML.findall(body)
        return Example(
            name, packed(fields, IN_HTML.sub("", body), form), ".eml", dict(enumerate(marks)), in_html=True
        )
    matches = [found for line in body.splitlines() if (found := MARK.fullmatch(line))]
    assert len(matches) == len(body.splitlines()), name
    text = "".join(f"{m[2] or ''}\n" for m in matches)
    meant = {n: m[1] for n, m in enumerate(matches, 1) if (m[2] or "").strip(" >\t")}
    if form == "text":
        return Example(name, text.encode(), ".txt", meant)
    return Example(name, packed(fields, text, form), ".eml", meant)


def packed(fields: dict[str, str], text: str, form: str) -> bytes:
    message = EmailMessage()
    for field, value in fields.items():
        message[field] = value
    if form == "html":
        message.set_content(text, subtype="html", cte="quoted-printable")
    else:
        ways = {"quoted-printable": "quoted-printable", "base64": "base64"}
        charset = "latin-1" if form == "latin-1" else "utf-8"
        message.set_content(
            text.replace("–", "-") if form == "latin-1" else text, charset=charset, cte=ways.get(form, "8bit")
        )
    if form == "flowed":
        message.set_param("format", "flowed")
    return bytes(message)


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
LEAST: Final = 0.95
"""The share of the lines meant as statements that the reader takes, slips of the pen among them."""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_each_line_is_what_its_writer_meant(example: Example) -> None:
    texts, became = understood(example)
    assert set(became) == set(example.meant), "every line, and no other, is accounted for"
    wrong = {(example.name, n) for n, meant in example.meant.items() if became[n] not in MEANT[meant]}
    assert wrong <= MISSED, {n: (texts[n], became[n]) for _, n in wrong}
    assert all(became[n] == "not-read" for _, n in wrong), "what is not taken is told"


def test_nearly_all_that_is_meant_as_a_statement_is_taken() -> None:
    """Whether it can be taken or not: of those that cannot (`N`), each is named, which the test above holds."""
    taken = said = 0
    for example in EXAMPLES:
        _, became = understood(example)
        meant = [n for n, mark in example.meant.items() if mark in "SWN"]
        said += len(meant)
        taken += sum(became[n] in ("judged", "stays") for n in meant)
    assert taken >= said * LEAST, f"{taken} of {said}"


def canonical(example: Example) -> str:
    """The games that a mail tells, as the notation writes them."""
    return "".join(write_sheet(sheet.statements) for sheet in taken(example)[1])


def test_what_is_taken_is_what_was_meant() -> None:
    parts = re.split(r"(?m)^=== (.+)\n", (MAILS / "later.sheets").read_text("utf-8"))[1:]
    expected = {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}
    assert {e.name: canonical(e).strip() for e in EXAMPLES if e.name in expected} == expected
    assert len(expected) >= 30


def test_the_corpus_is_what_the_page_says() -> None:
    assert len(EXAMPLES) >= 60
    assert {mark for example in EXAMPLES for mark in example.meant.values()} == set(MEANT)
