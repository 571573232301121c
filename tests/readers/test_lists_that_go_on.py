"""Lists of units of which a line, or a word, is not read: an attack is never judged as if it were whole."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import games
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_each

HEAD = {
    "en": "Hi,\n\nHürtgen\nTurn 2, American movement\n112-1: 0806 0907\n112-2 112-3: 0807 0907\nCombat\n",
    "pt": "Oi,\n\nHürtgen\nTurno 2 americano, movimento\n112-1: 0806 0907\n112-2 112-3: 0807 0907\nCombate\n",
}
TAIL = {"en": "\n62:4, 9-1, column 7-1\nroll 6 1\n", "pt": "\n62:4, 9-1, coluna 7-1\ndados 6 1\n"}
LISTS = {
    "en": ("Attack on 1007 with 112-1, 112-2", "attack 1007: us-112-1 us-112-2,", "1007 by 112-1 and 112-2"),
    "pt": ("Ataque a 1007: 112-1, 112-2", "atacar 1007 com us-112-1 us-112-2,", "112-1 e 112-2 atacam 1007"),
}
UNREAD = {
    "en": """
        and the third battalion as well | and us-112-33 | + the third | the third too | and the tanks
        as well as the tanks of the 707th | and the rest of the regiment | with all the guns""",
    "pt": """
        e o terceiro batalhão também | mais o terceiro | o terceiro também | e os tanques | e us-112-33
        e o resto do regimento | e todo o resto | com toda a artilharia""",
}
READ = {"en": "and 112-3 | + 112-3 | and 3/112", "pt": "e o 112-3 | mais o 112-3 | + 112-3 | e o 3/112"}
TALK = {
    "en": "And good luck! | And that is it. | And over to you",
    "pt": "E boa sorte! | E é isso | E agora é contigo",
}


def pieces(text: str) -> list[str]:
    return [piece.strip() for line in text.strip().splitlines() for piece in line.split("|")]


def read(language: str, above: str, below: str) -> tuple[st.Sheet, dict[int, str]]:
    text = f"{HEAD[language]}{above}\n{below}{TAIL[language]}"
    (game,) = games_of(threads(read_mails(text.encode(), "turn.txt"))[0][0])
    sheet = game.sheet()
    return sheet, {n: part.part for part in account_of(sheet) for n in range(part.first, part.last + 1)}


CASES = [(language, above) for language in LISTS for above in LISTS[language]]


@pytest.mark.parametrize("language", LISTS)
def test_talk_below_a_list_is_talk(language: str) -> None:
    for below in pieces(TALK[language]):
        assert read(language, LISTS[language][0], below)[1][9] == "prose", below


@pytest.mark.parametrize(
    "line",
    [
        "attack 1007 with 112-1, 112-2 and tanks",
        "attack 1007 with 112-1, tanks and 112-2",
        "attack 112-1, tanks, 112-2",
        "112-1 and tanks attack 1007",
        "attack 1007 with 112-1 and company",
        "112-1 e batalhão 0806 0907",
        "move 112-1, tanks, 112-2: 0806 0907",
    ],
)
def test_no_kind_of_unit_is_left_out_that_may_be_one_more(line: str) -> None:
    words = games.vocabulary("hurtgen")
    assert words is not None
    named = {unit for said in read_each(line, words) for unit in getattr(said, "units", ())}
    assert not named or named - set(words.units)


@pytest.mark.parametrize(
    "line",
    [
        "attack 1007 with the battalions 112-1 and tanks us-707-tank",
        "ataque a 1007 com os tanques 707 e infantaria 112-1",
    ],
)
def test_a_kind_beside_its_unit_is_no_other(line: str) -> None:
    words = games.vocabulary("hurtgen")
    assert words is not None
    attack = read_each(line, words)[-1]
    assert isinstance(attack, st.Attack)
    assert {*attack.units} == {"us-112-1", "us-707-tank"}


TABLE = """sheet 1
game hurtgen
turn 2 american combat
hex | attackers | odds | column | dice
1007 | 112-1 | {} | 6-1
"""


@pytest.mark.parametrize(
    ("cells", "declared"),
    [
        ("62:4 9-1 | 7-1", (62, 4, "9-1", "7-1")),
        ("62:4 = 9-1 | col 7-1", (62, 4, "9-1", "7-1")),
        ("62:4 | 7-1", (62, 4, None, "7-1")),
        ("9-1 | 7-1", (None, None, "9-1", "7-1")),
        ("9:1 | 7-1", (None, None, "9-1", "7-1")),
        ("odds 9-1 | 7-1", (None, None, "9-1", "7-1")),
    ],
)
def test_odds_and_column_of_a_row_are_one_declaration(
    cells: str, declared: tuple[int | None, int | None, str | None, str | None]
) -> None:
    (game,) = games_of(threads(read_mails(TABLE.format(cells).encode(), "turn.txt"))[0][0])
    (combat,) = [s for s in game.sheet().statements if isinstance(s, st.Combat)]
    (said,) = [act for act in combat.acts if isinstance(act, st.Declare)]
    assert (said.attack, said.defence, said.odds, said.column) == declared
