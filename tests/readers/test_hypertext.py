"""What the reader of an HTML mail does not see as said is no statement, and is not dropped either."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.quoting import as_text
from hexforge.validator.reading.mails.threads import read_mails


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a<br><s>b c</s><br>d</p>", "a\n\n# b c\nd\n"),
        ("<p>move a1: 0304 <strike>0405</strike> 0404</p>", "move a1: 0304  0404\n# 0405\n"),
        ('<p>0908<span style="display: none">move</span></p>', "0908\n# move\n"),
        ('<span style="color: red; text-decoration:LINE-THROUGH">a</span>b', "b\n# a\n"),
        ("<p>a</p><p hidden>b</p>", "a\n\n# b\n"),
        ("<blockquote><del><p>a</p></del>b</blockquote>", "> \n> # a\n> b\n"),
    ],
)
def test_what_is_struck_out_or_hidden_is_a_comment_below_its_line(page: str, text: str) -> None:
    assert as_text(page) == text


def test_a_move_that_was_struck_out_is_not_judged_and_told() -> None:
    head = "sheet 1<br>game hurtgen<br>partial<br>turn 2 american movement<br>"
    moves = "<s>move us-109-1: 0705 0805 0905</s><br>move us-109-1: 0705 0805"
    mail = f"From: a@example.org\nContent-Type: text/html; charset=utf-8\n\n<p>{head}{moves}</p>\n"
    (game,) = games_of(read_mails(mail.encode(), "a.eml"))
    found = judge(game.sheet())
    assert (found.verdict, [move.path for move in found.moves]) == ("legal", [("0705", "0805")])
    assert ("prose", "comment") in {(part.part, part.why) for part in found.account}


@pytest.mark.parametrize("tag", ["noscript", "svg", "math", "object", "details", "figcaption", "legend", "caption"])
def test_what_a_program_without_scripts_shows_is_said(tag: str) -> None:
    said = "".join(as_text(f"<div>a</div><{tag}>mova us-112-1: 0806 0907</{tag}><div>b</div>").split())
    assert "movaus-112-1:08060907" in said
    assert as_text("<div>a<template>b</template><title>c</title></div>") == "a\n"


@pytest.mark.parametrize("tag", ["details", "figcaption", "legend", "summary"])
def test_what_begins_on_a_line_of_its_own_is_one(tag: str) -> None:
    assert as_text(f"<b>a</b><{tag}>b</{tag}><i>c</i>").split("\n") == ["a", "b", "c", ""]
