"""Units that stay are an honest line without effect: told as such, and no mail is unread for it."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import games
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails
from hexforge.validator.reading.phrases.continued import stays

HEAD = "From: a@example.org\n\nhurtgen\nTurn 2, American movement\nus-112-1: 0806 0907\n"


def became(line: str) -> tuple[str, str]:
    """What became of a line of a phase of movement, and the verdict on all of them."""
    (letter,) = read_mails(f"{HEAD}{line}\n".encode(), "turn.eml")
    (game,) = games_of([letter])
    parts = {n: p for p in account_of(game.sheet()) for n in range(p.first, p.last + 1)}
    return parts[max(parts)].why, judge(game.sheet()).verdict


@pytest.mark.parametrize(
    "line",
    [
        "o 3/12 fica onde est\u00e1",
        "us-12-1 stays",
        "o resto fica parado",
        "Everything else stays put.",
        "146-eng stays",
        "o 109 inteiro hold",
        "109-3 n\u00e3o anda",
        "109-1 and 109-2 don't move",
        "o 20 de engenharia fica onde t\u00e1\n1340 eng idem",
    ],
)
def test_who_stays_is_told_so_and_the_mail_is_clean(line: str) -> None:
    assert became(line) == ("stays", "legal")


@pytest.mark.parametrize(
    "line",
    [
        "109-3 sits tight in 0705",
        "us-12-1 stays with us-12-2 and us-12-3 retreats",
        "o 3/12 fica onde est\u00e1, 0705",
    ],
)
def test_who_says_more_is_not_passed_over(line: str) -> None:
    assert became(line) == ("unread", "unread")


def test_none_moves_as_a_line_that_nobody_read() -> None:
    assert became("o 20 eng sobe a serra pra 0808\n1340 eng idem") == ("unread", "unread")


@pytest.mark.parametrize("line", ["the 15 holds 2", "did the 15 stay?", "15 leaves", "it stays", "ge-15 does move"])
def test_what_may_mean_otherwise_is_none(line: str) -> None:
    words = games.vocabulary("metz")
    assert words is not None
    assert not stays(line, words)
    assert stays("111 fica", words)
    assert stays("O 320\u00ba fica.", words)
