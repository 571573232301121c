"""Moves told with verbs of motion, regiments named as a whole or by their number, combats told by their hex."""

from __future__ import annotations

import pytest

from hexforge.validator.notation import kinds
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails
from hexforge.validator.reading.sheet import read_sheet


def statements_read(game: str, side: str, phase: str, lines: str) -> list[str]:
    """What a phase says, as the notation writes it; nothing where a line of it cannot be read."""
    sheet = read_sheet(f"sheet 1\ngame {game}\nturn 2 {side} {phase}\n{lines}\n")
    return [] if sheet.problems else write_sheet(sheet.statements).split("\n\n")[-1].strip().splitlines()[1:]


@pytest.mark.parametrize(
    ("game", "side", "line", "move"),
    [
        ("hurtgen", "american", "893 TD sobe at\u00e9 0707 pela estrada", "move us-893-td: 0707"),
        ("hurtgen", "american", "1/112 drops down to 0907", "move us-112-1: 0907"),
        ("metz", "german", "15 vai do 1111 pro 1010", "move ge-15: 1111 - 1010"),
        ("metz", "german", "59, 73 e 74 v\u00e3o todos pra 1203", "move ge-59 ge-73 ge-74: 1203"),
        ("hurtgen", "american", "O 893 foi de 0306 at\u00e9 0707 pela estrada.", "move us-893-td: 0306 - 0707"),
        ("hurtgen", "american", "893 TD goes from 0306 to 0707 by road", "move us-893-td: 0306 - 0707"),
        ("metz", "american", "o 134 entrou no 0715", "move us-134: 0715"),
        ("metz", "american", "The 134 comes in 0715", "move us-134: 0715"),
        ("hurtgen", "german", "1055-1 entra pelo sul em 0812", "enter ge-1055-1: 0812 from south"),
        ("hurtgen", "german", "entram 1055-1 e 189-3 por 0812 do sul", "enter ge-1055-1 ge-189-3: 0812 from south"),
        (
            "hurtgen",
            "german",
            "1055-1 enters from the south by road at 0812 0912",
            "enter ge-1055-1: 0812 0912 from south by road",
        ),
        ("hurtgen", "german", "1055-1 in by 0812 to 0912", "enter ge-1055-1: 0812 0912"),
        ("hurtgen", "american", "112-1 and 112-2 leave 0101 to west", "exit us-112-1 us-112-2: 0101 to west"),
        (
            "hurtgen",
            "american",
            "112-1 e 112-2 deixam o mapa em 0101 para oeste",
            "exit us-112-1 us-112-2: 0101 to west",
        ),
        ("metz", "german", "1126 pra 0815", "move ge-1126: 0815"),
    ],
)
def test_verbs_of_motion_say_a_move(game: str, side: str, line: str, move: str) -> None:
    assert statements_read(game, side, "movement", line) == [move]


@pytest.mark.parametrize(
    "line",
    [
        "112-1 does not go to 0907",
        "112-1 crosses 0806",
        "2 us-112-1: 0806 0907",
        "os dois batalh\u00f5es do 112 v\u00e3o para 0907",
    ],
)
def test_what_may_mean_otherwise_is_no_move(line: str) -> None:
    assert statements_read("hurtgen", "american", "movement", line) == []


def test_in_a_combat_a_verb_of_motion_is_no_move() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nturn 2 american combat\n112-1 steps down to 0907\n")
    assert sheet.problems
    assert not any(isinstance(s, st.Move) for s in sheet.statements)


@pytest.mark.parametrize(
    "line",
    [
        "0907: 983-1 983-2, arty 275-art-1",
        "0907 by 983-1 + 983-2, arty 275-art-1",
        "0907 att 983/1+983/2 art 275-art-1",
    ],
)
def test_a_hex_and_who_attacks_it_are_a_combat(line: str) -> None:
    assert [x.strip() for x in statements_read("hurtgen", "german", "combat", line)] == [
        "combat 0907",
        "attack ge-983-1 ge-983-2",
        "support ge-275-art-1",
    ]


@pytest.mark.parametrize("none", ["none", "nenhum"])
def test_none_in_a_cell_is_no_unit(none: str) -> None:
    table = f"Hex | Attackers | Arty | Dice\n0709 | 112-1 112-3 | {none} | 2 1"
    acts = [x.strip() for x in statements_read("hurtgen", "american", "combat", table)]
    assert acts == ["combat 0709", "attack us-112-1 us-112-3", "roll 2 1"]


def test_a_line_that_stands_for_itself_is_no_rest_of_one_that_cannot_be_read() -> None:
    text = "hurtgen\nT3 german movement\n984-2 segue o 984-1\n985/1 e 985/2: 0903, 0904\n"
    (letter,) = read_mails(f"From: a@example.org\n\n{text}".encode(), "turn.eml")
    (game,) = games_of([letter])
    moves = [s for s in game.sheet().statements if isinstance(s, st.Move)]
    assert [s.units for s in moves] == [("ge-985-1", "ge-985-2")]


COMBAT = "combat 1007\n  attack us-112-1 us-112-2\n  declare 8:4 odds 2-1 column 1-3\n  roll 3 4\n"


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("The 112-1 and 112-2 move into 1007.", "advance us-112-1 us-112-2: 1007"),
        ("112-1 goes to 1007", "advance us-112-1: 1007"),
        ("112-1 ocupa 1007", "advance us-112-1: 1007"),
        ("112-1 and 112-2 advance", "advance us-112-1 us-112-2: 1007"),
        ("avançam o 112-1 e o 112-2.", "advance us-112-1 us-112-2: 1007"),
        ("112-1, 112-2 e 707 avançam", "advance us-112-1 us-112-2 us-707-tank: 1007"),
        ("983-1 vai pra 1107", "retreat ge-983-1: 1107"),
        ("983-1 moves 1007 1107", "retreat ge-983-1: 1007 1107"),
    ],
)
def test_behind_a_result_motion_is_the_advance_and_the_retreat(line: str, act: str) -> None:
    assert statements_read("hurtgen", "american", "combat", f"{COMBAT}  result DRB AVI\n{line}")[-1].strip() == act


@pytest.mark.parametrize(
    "lines",
    [
        f"{COMBAT}112-1 moves into 1007",
        f"{COMBAT}result DRB AVI\n983-1 moves into 1007",
        f"{COMBAT}result DRB AVI\n983-1 advances",
        f"{COMBAT}result DRB AVI\n112-1 does not advance",
        f"{COMBAT}112-1 advances",
        f"{COMBAT}result DRB AVI\nboth retreat",
        "we go for the village\n112-1 and 112-2 move into 1007",
        "112-1 entra em 1007",
    ],
)
def test_any_other_motion_in_a_phase_of_combat_is_named_as_not_read(lines: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{lines}\n")
    assert sheet.problems[-1].line == 4 + lines.count("\n")
    assert not any(isinstance(s, st.Move | st.Enter) for s in sheet.statements)


@pytest.mark.parametrize(
    "typed",
    [
        "893-td de 0306 para 0707",
        "893-td 0306 para 0707",
        "893-td sai de 0306 para 0707",
        "893-td sai de 0306 e vai para 0707",
        "893-td de 0306 para o 0707",
    ],
)
def test_what_leads_to_a_hex_is_no_verb_that_is_spelt_alike(typed: str) -> None:
    """`para` is to, and `pára` stops: a way between hexes that do not touch is left open."""
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american movement\n{typed}\n")
    assert not sheet.problems
    assert [s.path for s in sheet.statements if isinstance(s, st.Move)] == [("0306", kinds.OPEN, "0707")]


def test_a_verb_behind_a_way_that_says_what_for_is_no_more_of_it() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nturn 2 american movement\n112-1: 0806 0907 (to close on 1007)\n")
    assert sheet.problems and not any(isinstance(s, st.Move) for s in sheet.statements)


@pytest.mark.parametrize("line", ["leave 109-1 in 0705", "I leave the 109-1 at 0705", "leave 109-1 alone in 0705"])
def test_who_leaves_a_unit_somewhere_takes_it_off_no_map(line: str) -> None:
    assert statements_read("hurtgen", "american", "movement", line) == []


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("Coluna final: 7-1", "  declare column 7-1"),
        ("Participam: 112-1, 112-2", "  attack us-112-1 us-112-2"),
    ],
)
def test_a_form_that_is_filled_in_is_read(line: str, act: str) -> None:
    assert statements_read("hurtgen", "american", "combat", f"combat 1007\n{line}")[-1] == act
