"""Talk that tells of play is told from talk that does not, by the words of a game."""

from __future__ import annotations

import time

import pytest

from hexforge.validator.notation import games
from hexforge.validator.notation.vocabulary import notation
from hexforge.validator.reading.phrases.deeds import Deeds


def deeds(name: str) -> Deeds:
    words, scenario = games.vocabulary(name), games.known(name)
    assert words is not None and scenario is not None
    return Deeds(words, scenario)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("hurtgen", "o 109 todo vai pra 0805"),
        ("hurtgen", "The 47th's only battalion goes to 0703"),
        ("hurtgen", "resolvi deixar o 3/12 onde est\u00e1"),
        ("hurtgen", "acho que o 109 vai pra 0805"),
        ("metz", "O 328\u00ba e o 2\u00ba Grupo de Cavalaria cruzam o rio"),
        ("metz", "CCA takes my hit"),
        ("bastogne", "From the north edge came the 3rd Panzer, as far as 3402"),
        ("bastogne", "turn 4 german comabt"),
    ],
)
def test_units_and_what_becomes_of_them_are_play_anywhere(game: str, line: str) -> None:
    assert deeds(game).told(line, playing=False)


@pytest.mark.parametrize(
    "line",
    ["DRB it was", "48 contra 4", "13x5", "5 5", "Foram 26 pontos contra 5.", "os dados deram 6 e 5", "col 2-1",
     "Desculpa, o hex \u00e9 0905", "0806, please", "so 0905",
     "attacker has to go back", "os demais permanecem onde est\u00e3o", "panzers: tank advances"],
)  # fmt: skip
def test_figures_and_those_without_a_name_are_play_where_a_phase_has_begun(line: str) -> None:
    assert deeds("hurtgen").told(line, playing=True)
    assert not deeds("hurtgen").told(line, playing=False)


@pytest.mark.parametrize(
    "line",
    ["please disregard my last move", "I take that back", "scrap that", "sorry, wrong hex, should be 0906",
     "desconsidere o \u00faltimo movimento", "a primeira linha n\u00e3o vale", "errata: era 0906",
     "volto atr\u00e1s", "Ignora, errei o hex: era 0905", "Na verdade era 0905", "quis dizer 0905",
     "em vez disso 0806", "pensando bem, o 112-1 n\u00e3o se mexe", "On second thought the 112-1 stays put",
     "oops forget that", "PS: the first move is void", "strike the last line", "should read 0806",
     "Ignora isso, mando amanh\u00e3 certinho.", "Esque\u00e7am tudo isso, vou mandar de novo",
     "ignore all of this please",
     "Oops, forget the whole turn, I will send it again on Monday after work, promise."],
)  # fmt: skip
def test_who_takes_back_what_was_said_is_not_passed_over(line: str) -> None:
    assert deeds("hurtgen").told(line, playing=True)
    assert deeds("hurtgen").told(line, playing=False), "an answer stands above what it quotes"
    assert not Deeds(notation()).told(line, playing=True)


def test_a_deed_at_the_end_of_a_long_line_counts() -> None:
    chat = "The weather here is dreadful and my cat was ill again. "
    for count in range(30, 44):  # wherever the pieces that it is looked at in meet
        assert deeds("hurtgen").told(chat * count + "Then us-109-1 goes from 0705 to 0905. " + chat, playing=False)
    assert not deeds("hurtgen").told(chat * 100, playing=False)


@pytest.mark.parametrize(
    "line",
    [
        "my cat does not like to be ignored, and the last winter was cold as well",
        "If it is not meant for you, delete this message and all copies.",
        "Favor apagar esta mensagem e tudo o que nela vem",
        "vi que o 109 apanhou bastante ontem, que azar",
        "I really thought the 109th would hold",
        "concordo, o 11\u00ba panzer t\u00e1 longe demais",
        "Em dom., 1 de nov. de 2026 10:02, Ana <ana@example.org>",
        "On Sun, Nov 1, 2026 at 10:02 AM Ana <ana@example.org> wrote:",
        "Fone: +55 11 3555-0199",
        "22/11/2026 10:05",
        "Depois te mando o resto.",
        "n\u00e3o esque\u00e7a de mandar a sua jogada",
        "Don't forget your move!",
        "foi um massacre kkkk, te devo uma cerveja",
        "Yes, I did. They are in 0907 now.",
        "Sales Engineer | Example Ltd.",
    ],
)
def test_who_thinks_asks_remembers_or_writes_of_other_things_only_talks(line: str) -> None:
    assert not deeds("hurtgen").told(line, playing=True)


def test_without_a_game_a_year_is_no_hex() -> None:
    assert not Deeds(notation()).told("Torneio de 2026", playing=False)
    assert not Deeds(notation()).told("vou pra casa no 2130", playing=False)
    assert Deeds(notation()).told("us-109-1 vai pra 0805", playing=False)


@pytest.mark.parametrize("piece", ["<", "a", "1", "-", "a@", "0705 ", "10:"])
def test_talk_without_a_blank_is_weighed_in_time(piece: str) -> None:
    began = time.process_time()
    deeds("hurtgen").told(piece * (200_000 // len(piece)), playing=False)
    assert time.process_time() - began < 3


def test_an_address_names_no_unit() -> None:
    assert not deeds("hurtgen").told("From: us-109-1@0705.example moves", playing=False)


@pytest.mark.parametrize(
    ("game", "line"), [("metz", "ss37 reduz"), ("metz", "37ss morreu"), ("hurtgen", "d 53"), ("hurtgen", "64")]
)
def test_names_without_a_blank_and_dice_without_one_are_play(game: str, line: str) -> None:
    assert deeds(game).told(line, playing=True)


@pytest.mark.parametrize("line", ["64!", "I am 64", "d 78", "gr8 game"])
def test_other_figures_are_no_dice(line: str) -> None:
    assert not deeds("hurtgen").told(line, playing=True)
