"""Words that a misspelt one may be: the likeliest first, in the language of the sheet."""

from __future__ import annotations

import difflib

import pytest

from hexforge.scenarios.console import alike
from hexforge.scenarios.loader import load
from hexforge.validator.notation.vocabulary import vocabulary_of
from hexforge.validator.reading.sheet import read_sheet

PORTUGUESE = "sheet 1\ngame hurtgen\nturno 2 americano movimento\nmover us-112-1: 0806 0907\n"
ENGLISH = "sheet 1\ngame hurtgen\nturn 2 american movement\nmove us-112-1: 0806 0907\n"


@pytest.mark.parametrize(
    "key", ["x", "atack", "combatt", "artilary-o", "a" * 40, "attac\u02ab", "m\u0376\u0336ve", "A!combat"]
)
def test_whatever_difflib_finds_alike_is_found(key: str) -> None:
    words = vocabulary_of(load("hurtgen"))
    for section in ("statements", "sides", "phases"):
        wanted = difflib.get_close_matches(key, words.known[section], n=1000, cutoff=0.7)
        assert {*wanted} <= {*alike(key, words.known[section], 1000, 0.7)}


def test_letters_that_changed_places_count_as_in_common_but_for_one() -> None:
    assert alike("uers", ["uses", "sure", "rue"], 3, 0.7) == ["uses"]
    assert alike("as", ["is", "sa", "as", "was"], 2) == ["as", "was"]
    assert alike("", ["a"]) == []


@pytest.mark.parametrize(
    ("head", "line", "likely"),
    [
        (PORTUGUESE, "mvoer us-112-2: 0807 0908", "`mover`"),
        (PORTUGUESE, "mvoe us-112-2: 0807 0908", "`mover`"),
        (PORTUGUESE, "recuprar us-112-2", "`recuperar`"),
        (PORTUGUESE, "retreatt us-112-2: 0807", "`recuar`"),
        (ENGLISH, "mvoe us-112-2: 0807 0908", "`move`"),
        (ENGLISH, "mvoer us-112-2: 0807 0908", "`move`"),
        (ENGLISH, "recaum us-112-2: 0807", "`retreat`"),
    ],
)
def test_suggestions_speak_the_sheet_s_language_the_likeliest_first(head: str, line: str, likely: str) -> None:
    for text in (head + line + "\n", head.replace("turn", line + "\nturn", 1)):
        told = [str(p.expected) for p in read_sheet(text).problems]
        assert any(f"perhaps {likely}" in hint for hint in told), told


def test_a_word_of_a_list_is_suggested_before_the_rest_of_it() -> None:
    sheet = read_sheet(PORTUGUESE + "sair us-112-1: 0201 para oste\n")
    assert str(sheet.problems[0].expected).startswith("an edge: oeste")
