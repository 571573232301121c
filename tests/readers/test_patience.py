"""However many lines a letter has in words of its own, reading takes bounded time, and the rest is named."""

from __future__ import annotations

from typing import Final

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.notation import games
from hexforge.validator.notation import statements as st
from hexforge.validator.reading import intake
from hexforge.validator.reading.infer_game import MOST_TRIES, Patience
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.line_classifier import Ear, Meant
from hexforge.validator.reading.mails.threads import read_mails
from hexforge.validator.reading.sheet import read_sheet

HEAD: Final = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n"
OWN_WORDS: Final = "us-112-{} goes 0806 to 0907\n"
CANONICAL: Final = "move us-112-3: 0806 0907\n"
MAIL: Final = "From: A <a@example.org>\nSubject: turn 2\nContent-Type: text/plain; charset=utf-8\n\n"


def _moves(sheet: st.Sheet) -> list[int]:
    return [s.line for s in sheet.statements if isinstance(s, st.Move)]


def test_without_patience_the_notation_alone_is_read_and_the_rest_is_named() -> None:
    text = HEAD + OWN_WORDS.format(1) + OWN_WORDS.format(2) + CANONICAL
    full = read_sheet(text)
    assert (_moves(full), full.problems) == ([5, 6, 7], ())
    head = Patience()
    read_sheet(HEAD, patience=head)
    tired = read_sheet(text, patience=Patience(MOST_TRIES - head.left + 1))
    assert _moves(tired) == [5, 7]
    assert [(p.line, p.expected.key) for p in tired.problems] == [(6, "notation.expected.notation")]
    assert judge(tired).verdict == "unread"


def test_what_an_impatient_ear_hears_is_no_talk() -> None:
    ear = Ear(games.vocabulary("hurtgen"), games.known("hurtgen"))  # type: ignore[arg-type]
    assert ear.hears("what a fine day for a game")[1] is Meant.NO
    ear.patience = Patience(0)
    assert ear.hears("what a fine evening for a game") == (None, Meant.YES)
    assert isinstance(ear.hears(CANONICAL)[0], st.Move)
    assert ear.hears("")[1] is Meant.NO
    assert ear.hears("# a remark")[1] is Meant.NO


def test_a_letter_does_not_take_the_patience_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Patience] = []

    def patience(left: int = 12, whole: Patience | None = None) -> Patience:
        given.append(Patience(left, whole))
        return given[-1]

    monkeypatch.setattr(intake, "Patience", patience)
    bodies = [
        HEAD + "".join(OWN_WORDS.format(1 + n % 3) + f"we spoke of {n} {what}\n" for n in range(12))
        for what in ("things", "games")
    ]
    first, second = (read_mails((MAIL + body).encode(), f"{n}.eml") for n, body in enumerate(bodies))
    found = games_of(first)[0].sheet()
    named = {problem.line for problem in found.problems}
    rows = [n for n, line in enumerate(found.lines, 1) if line.startswith("we spoke")]
    assert max(rows) in named
    games_of([*first, *second])
    assert [p.left < 12 for p in given[-2:]] == [True, True]


def test_the_letters_of_one_thread_have_a_patience_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MOST_OF_A_GAME", 100)
    said = "".join(OWN_WORDS.format(1 + n % 3) for n in range(6))
    mails = [MAIL + HEAD + said] + [MAIL + "".join(f"we spoke of {n} games\n" for n in range(50))] * 2
    letters = [read_mails(body.encode(), f"{n}.eml")[0] for n, body in enumerate(mails)]
    found = games_of(letters)[0].sheet()
    named = {problem.line for problem in found.problems}
    last = max(n for n, line in enumerate(found.lines, 1) if line.strip())
    assert last in named
    assert len(_moves(found)) == 6


def test_what_a_tired_ear_heard_is_heard_anew() -> None:
    ear = Ear(games.vocabulary("hurtgen"), games.known("hurtgen"))  # type: ignore[arg-type]
    ear.patience = Patience(0)
    assert ear.hears(OWN_WORDS.format(1)) == (None, Meant.YES)
    ear.patience = Patience()
    assert isinstance(ear.hears(OWN_WORDS.format(1))[0], st.Move)


def test_lines_as_people_write_them_take_a_small_part_of_it() -> None:
    patience = Patience()
    read_sheet(HEAD + "".join(OWN_WORDS.format(1 + n % 3) for n in range(100)), patience=patience)
    assert patience.left > 0.9 * MOST_TRIES
