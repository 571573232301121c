"""What is a statement, what is nearly one, and what is talk, by the notation and a game's own words."""

from __future__ import annotations

from typing import Final

import pytest

from hexforge.validator.notation import games
from hexforge.validator.notation.vocabulary import notation
from hexforge.validator.reading.line_classifier import Ear, Meant

TALK: Final = """
Jogada abaixo:
Role os dados você, por favor
Entre uma coisa e outra, jogo amanhã
Losses were heavy on both sides
Train was late, sorry
Dice hate me
Resultado final: você ganhou
Exit strategy needed :)
Left a message for you
Turn 3 is yours
Player names as before
Option 2 sounds good
Lost my notes
Situação complicada
2. Cadê o Caio?
Tel. 3555-0199
Encontro dia 22, às 18h
R$ 50,00
domingo, 22 de novembro de 2026 10:00
On Sun, Nov 22, 2026 at 10:00 AM Ana <ana@example.org> wrote:
Em seg., 22 de nov. de 2026 às 10:00, Ana <ana@example.org> escreveu:
Enviado do meu iPhone
cuidado com o 0907
O 112 foi de 0806 para 0907 e daí cercou tudo
Attack went badly for me, sorry
The attack on 0905 went well
""".strip().splitlines()
MEANT: Final = """
move us-112-1: 0806 0907
mvoe us-112-1: 0806 0907
us-112-1 0806 0907
o us-112-1 vai de 0806 para 0907
turn 2 amercan movment
turno dois americano movimento
Combate:
reslutado DRB AVI
DRB AVI
decalre 12:4 3-1
rool 5 3
combta 1007
scroe american 20 german 80
suport us-229-1
posiçao
Bruno, move us-112-1: 0806 0907
option inverse_rounding=ceil
""".strip().splitlines()
CONTEXT: Final = [
    "Jogo amanhã",
    "Perdeu, playboy!",
    "Turno 3 amanhã",
    "parical",
    "Clara",
    "Turn 3 tomorrow? Game on!",
    "lose lehr",
    "Result attached",
    "Result: miss",
    "result HIT",
    "result DRBB AVII",
    "9-1",
    "odds 9-1, column 7-1 after shifts",
    "30 off-board points in support",
]


@pytest.fixture(scope="module")
def ear() -> Ear:
    words = games.vocabulary("hurtgen")
    assert words is not None
    return Ear(words, games.scenario("hurtgen"))


@pytest.mark.parametrize("text", TALK)
def test_talk_is_talk(ear: Ear, text: str) -> None:
    assert ear.hears(text) == (None, Meant.NO)
    assert Ear(notation()).hears(text)[1] is Meant.NO


@pytest.mark.parametrize("text", MEANT)
def test_what_is_nearly_a_statement_is_no_talk(ear: Ear, text: str) -> None:
    assert ear.hears(text)[1] is Meant.YES


@pytest.mark.parametrize("text", CONTEXT)
def test_of_some_lines_only_their_place_can_tell(ear: Ear, text: str) -> None:
    assert ear.hears(text)[1] is Meant.PERHAPS


@pytest.mark.parametrize("text", ["8 -> DRB AVI", "DRB (8)", "5 3 = DRB AVI"])
def test_a_result_with_its_dice_is_no_talk(ear: Ear, text: str) -> None:
    assert ear.nears(text)
