"""Every action of a game is told: when, by whom, with which units, hexes and dice."""

from __future__ import annotations

import pytest

import hexforge
from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.answer import Answer
from hexforge.validator.report.text import write_text

SHEET = """\
sheet 1
game hurtgen
players american="Ana" german="Bruno"
partial
map blank open 12x9
trail 0406 0506
area kall-trail 0406 0506
unit a1 american infantry 3-4-5 reduced 1-1
unit a2 american infantry 3-4-5 reduced 1-1
unit a5 american engineer 2-2-5
unit g1 german infantry 2-2-5 reduced 1-1
position
  a1 0304 reduced
  a2 0604
  a5 0406
  g1 0605
turn 5 american movement
move a2: 0604 0603
clear 0406 by a5 roll 4
recover a1
turn 5 american combat
combat 0605
  attack a2
  roll 3 6
  result DVB
  lose g1
  retreat g1: 0605 0606
  advance a2: 0605
"""


@pytest.fixture(scope="module")
def answer() -> Answer:
    return hexforge.check(SHEET)


def test_each_says_when_who_where_and_with_which_dice(answer: Answer) -> None:
    told = [
        (a["action"], a["of"], a["phase"], a["side"], a["player"], a["units"], a["hexes"], a["dice"])
        for a in answer.as_json()["actions"]
    ]
    assert told == [
        ("move", None, "movement", "american", "Ana", ["a2"], ["0604", "0603"], []),
        ("clear", None, "movement", "american", "Ana", ["a5"], ["0406"], [4]),
        ("recover", None, "movement", "american", "Ana", ["a1"], [], []),
        ("combat", None, "combat", "american", "Ana", ["a2"], ["0605"], [3, 6]),
        ("lose", 22, "combat", "german", "Bruno", ["g1"], [], []),
        ("retreat", 22, "combat", "german", "Bruno", ["g1"], ["0605", "0606"], []),
        ("advance", 22, "combat", "american", "Ana", ["a2"], ["0605"], []),
    ]
    assert {a["turn"] for a in answer.as_json()["actions"]} == {5}


def test_the_line_is_told_in_the_language_asked_for(answer: Answer) -> None:
    assert [a["text"] for a in answer.as_json("pt")["actions"]][:3] == [
        "mover a2: 0604 0603",
        "desobstruir 0406 por a5 dado 4",
        "recuperar a1",
    ]


def test_works_and_recoveries_stand_among_the_moves(answer: Answer) -> None:
    lines = write_text([answer], Words("en")).split("Moves\n")[1].splitlines()
    assert lines[0].endswith("American: Movement")
    assert [line.split(maxsplit=2)[2] for line in lines[1:4]] == [
        "a2: 0604 0603 (cost 2, left 3)",
        "clear 0406 by a5 roll 4",
        "recover a1",
    ]
