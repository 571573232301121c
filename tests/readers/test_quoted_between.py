"""What forums mark as quoted is no order of the writer's; what he goes on with below a quote comes behind it."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.quoting import rows
from hexforge.validator.reading.mails.threads import read_mails


def played(text: str) -> tuple[list[Any], list[str], str]:
    """What a text plays, what became of its lines that are not blank, and the verdict on the one game in it."""
    (letter,) = read_mails(text.encode(), "post.txt")
    (game,) = games_of([letter])
    sheet = game.sheet()
    parts = {n: p.part for p in account_of(sheet) for n in range(p.first, p.last + 1)}
    return list(sheet.statements), [parts[n] for n in sorted(parts)], judge(sheet).verdict


@pytest.mark.parametrize("mark", ["[quote]", '[quote="Bruno"]', "[QUOTE=Bruno;1234]", '[quote="Bruno, post:3"]'])
def test_what_a_forum_quotes_is_not_played(mark: str) -> None:
    statements, parts, verdict = played(
        "game hurtgen\nturn 2 american movement\n112-1: 0806 0907\n"
        f"{mark}\n112-1: 0806 0807\n[/quote]\n112-2: 0807 0908\n"
    )
    moves = [s.path for s in statements if isinstance(s, st.Move)]
    assert moves == [("0806", "0907"), ("0807", "0908")]
    assert "judged" not in parts[3:6]
    assert verdict == "legal"


def test_marks_in_a_line_and_within_each_other() -> None:
    text = "own\n[quote]one[/quote]\n[quote=A]two\n[quote=B]three[/quote]\n[/quote] mine\nmine [quote]x[/quote]"
    assert [row.depth for row in rows(text)] == [0, 1, 1, 2, 0, 0]
    assert [row.text for row in rows(text)][:4] == ["own", "one", "two", "three"]


@pytest.mark.parametrize("mark", ["[quote]", "[/quote]"])
def test_a_mark_without_its_other_half_hides_nothing(mark: str) -> None:
    statements, _, verdict = played(f"game hurtgen\nturn 2 american movement\n{mark}\n112-1: 0806 0807 0907 0908\n")
    assert [s.path[0] for s in statements if isinstance(s, st.Move)] == ["0806"]
    assert verdict == "illegal"


@pytest.mark.parametrize(
    "below", ["1340-eng: 0706 0606\n", "turn 2 american combat\n", "turn 3 american movement\n"]
)
def test_who_goes_on_below_a_quote_has_written_it_behind_what_stands_above(below: str) -> None:
    statements, _, _ = played(
        f"game hurtgen\nturn 2 american movement\n1340-eng: 0707 0706\n> 112-3: 0807 0908\nfine with me\n{below}"
    )
    lines = [s.line for s in statements]
    assert lines == sorted(lines)
    says = [type(s).__name__ for s in statements if isinstance(s, st.TurnStart | st.Move)]
    assert says[:2] == ["TurnStart", "Move"]
    assert len(says) == 3


def test_what_answers_between_the_lines_was_written_before_what_stands_above() -> None:
    statements, _, _ = played(
        "turn 2 german movement\n983-1: 1007 1107\n\n> game hurtgen\n> turn 2 american combat\n> combat 1007\n"
        "> attack 112-2\nroll 5 3\n"
    )
    assert [s.side for s in statements if isinstance(s, st.TurnStart)] == ["american", "german"]
