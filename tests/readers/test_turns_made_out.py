"""A turn's line with a misspelt side is made out, and the lines below it are judged."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.judging.situation import format_sheet
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_sheet


def test_a_misspelt_side_is_made_out() -> None:
    sheet = read_sheet("planilha 1\njogo hurtgen\nturno 2 amricano movimento\nmover us-112-1: 0806 0907\n")
    (problem,) = sheet.problems
    assert problem.assumed == "turno 2 americano movimento"
    assert [type(s).__name__ for s in sheet.statements][-2:] == ["TurnStart", "Move"]


def test_words_of_three_letters_are_made_out() -> None:
    (*_, problem) = read_sheet("sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nrol 5 3\n").problems
    assert "`roll`" in str(problem.expected)


LEADS = (
    "Valeu! Meu turno 2 alemão.",
    "Oi! Turno 2 alemão.",
    "Segue o turno 2 alemão:",
    "meu turno 2, alemão",
    "Thanks! German turn 2:",
    "Here is my turn 2 (german)",
)


@pytest.mark.parametrize("lead", LEADS)
def test_a_sentence_opens_the_phase_that_stands_alone_below_it(lead: str) -> None:
    text = f"sheet 1\ngame hurtgen\nturn 2 american combat\n{lead}\n\nMovement:\nmove ge-983-1: 1107 1206\n"
    sheet = read_sheet(text)
    assert not sheet.problems
    assert sheet.statements[-2:-1] == (st.TurnStart(4, 2, "german", "movement"),)
    again = read_sheet(format_sheet(text).text)
    assert not again.problems and again.statements[-2:-1] == sheet.statements[-2:-1]
    ahead = f"From: b@example.org\nSubject: hurtgen\n\nOi,\n\n{lead}\n\nMovement\nmove ge-983-1: 1107 1206\n"
    (game,) = games_of(threads(read_mails(ahead.encode(), "a.eml"))[0][0])
    assert [(s.number, s.side, s.phase) for s in game.sheet().statements if isinstance(s, st.TurnStart)] == [
        (2, "german", "movement")
    ]


@pytest.mark.parametrize("lead", ["How was your turn 2, German?", "Seu turno 2 alemão foi ótimo!", *LEADS])
def test_a_sentence_alone_opens_nothing_and_the_phase_before_does_not_go_on(lead: str) -> None:
    head = "sheet 1\ngame hurtgen\nturn 2 american movement\nmove us-112-1: 0806 0907\nturn 2 american combat\n"
    sheet = read_sheet(f"{head}{lead}\nBoa sorte\nmovement\nmove ge-983-1: 1107 1206\n")
    assert [s.number for s in sheet.statements if isinstance(s, st.TurnStart)] == [2, 2]
    assert {4 + 2, 4 + 4} <= {problem.line for problem in sheet.problems}


def test_a_phase_that_was_played_goes_on_in_the_next_turn_if_its_side_is_said() -> None:
    head = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\nturn 2 american combat\n"
    assert read_sheet(f"{head}movement\n").problems
    (*_, last) = read_sheet(f"{head}American movement\n").statements
    assert last == st.TurnStart(6, 3, "american", "movement")


def turns(subject: str, body: str) -> list[tuple[int, int, str, str]]:
    """Line, number, side and phase of each turn that a mail opens."""
    mail = f"From: b@example.org\nSubject: {subject}\n\n{body}"
    games = [game for thread in threads(read_mails(mail.encode(), "a.eml"))[0] for game in games_of(thread)]
    found = [s for game in games for s in game.sheet().statements if isinstance(s, st.TurnStart)]
    return [(s.line, s.number, s.side, s.phase) for s in found]


AMERICANS = "Ann,\n\nMy move, sorry.\n\n112-1: 0806 0907\n707-tank: 0807 0907\n"
GERMANS = "Valeu!\n\nMovimento\n983-1 e 983-2: 1007 1107\n\nCombate\nnada\n"


def test_a_subject_opens_the_movement_of_those_who_move() -> None:
    opened = [(2, "american", "movement")]
    assert [t[1:] for t in turns("Hurtgen T2 US", AMERICANS)] == opened
    assert [t[1:] for t in turns("Hurtgen, turno 2 americano", AMERICANS)] == opened
    assert not turns("Hurtgen T2 German", AMERICANS), "nobody moves who may"
    assert not turns("Re: Hurtgen T2 US", AMERICANS), "which turn an answer is of, its subject does not say"
    assert not turns("Hurtgen", AMERICANS)


def test_the_other_player_answers_under_the_same_subject() -> None:
    assert [t[1:] for t in turns("Hurtgen T2 German", GERMANS)] == [
        (2, "german", "movement"),
        (2, "german", "combat"),
    ]
    assert not turns("Re: Hurtgen T2 US", GERMANS)


HEADERS = (
    "Turno 2\nmovimento americano",
    "TURNO 2\n\nFase de movimento do americano",
    "Turno 2\n---------\nAmericano\nMovimento",
    "Americanos - Turno 2\nMovimento:",
    "American\nTurn 2 movement",
    "TURN 2 AMERICAN\nMovement:",
    "Turn 2\nAmerican movement phase",
    "T2 - movimento americano",
    "Turno nº 2 - Americano - Movimento",
    "Turno 2. Movimento americano.",
    "Turno 2 | Americano | Movimento",
    "== Turno 2, americano, movimento ==",
    "**Turno 2 - movimento americano**",
    "Jogada americana, turno 2, movimento",
    "US Turn 2 - Movement",
    "[Turn 2] American player's movement",
    "Fala Bruno, beleza? Segue meu turno 2 do Hürtgen, movimento americano.",
    "Oi! Turno 2, movimento americano.",
    "Hi Bruno! Sorry for the delay. Here's my turn 2, American movement. Cheers",
    "Tudo bem contigo? Turno 2, movimento americano.",
    "Segundo turno, movimento dos americanos",
    "Second turn, American movement",
)


BESIDE = (
    "O 983 fugiu. Turno 2, movimento americano.",
    "Turno 2, movimento americano? Ou combate?",
    "Não sei se é turno 2. Turno 3, movimento americano.",
    "Recuei os tanques! Turno 2, movimento americano.",
    "Combat is over. Turn 2, American movement.",
)


@pytest.mark.parametrize("line", BESIDE)
def test_a_sentence_beside_a_header_that_may_tell_of_play_is_not_swallowed(line: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{line}\nmove us-112-1: 0806 0907\n")
    assert 3 in {p.line for p in sheet.problems}


def test_a_part_of_a_header_alone_is_told() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nTurno 2\ncombate 1007\natacar us-112-1\n")
    assert [p.line for p in sheet.problems] == [3]


def test_a_header_that_says_a_thing_twice_is_not_put_together() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nTurno 2 americano\nTurno 3 movimento\nmove us-112-1: 0806 0907\n")
    assert {3, 4} <= {p.line for p in sheet.problems} and len(sheet.statements) == 2


def test_what_stands_below_a_header_that_nobody_understood_breaks_no_rule() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nSegundo dia\nmove us-112-1: 0806 0907\nmove us-112-2: 0806 0907\n")
    assert [(p.line, p.below) for p in sheet.problems] == [(3, ()), (4, (5,))] and len(sheet.statements) == 2


@pytest.mark.parametrize(
    "header",
    [
        "Segue meu turno 2 do H\u00fcrtgen, movimento americano.",
        "Bom, turno 2 americano, movimento:",
        "Here's my turn 2, American movement (H\u00fcrtgen)",
    ],
)
def test_a_header_in_a_sentence_is_one(header: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{header}\nmove us-112-1: 0806 0907\nCombate:\n")
    assert not sheet.problems
    turns = [s for s in sheet.statements if isinstance(s, st.TurnStart)]
    assert [(t.number, t.side, t.phase) for t in turns] == [(2, "american", "movement"), (2, "american", "combat")]


@pytest.mark.parametrize(
    "header",
    [
        "My long awaited turn 2, American movement!",
        "hurtgen turn 2 american movment",
    ],
)
def test_one_among_strange_words_is_made_out_and_told(header: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{header}\nmove us-112-1: 0806 0907\n")
    assert [p.assumed for p in sheet.problems] == ["turn 2 american movement"]
    assert isinstance(sheet.statements[-1], st.Move)


@pytest.mark.parametrize(
    "line",
    [
        "turn 2 american movement or combat",
    ],
)
def test_who_speaks_of_a_phase_opens_none(line: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{line}\nmove us-112-1: 0806 0907\n")
    assert sheet.problems and not any(isinstance(s, st.TurnStart) for s in sheet.statements)


@pytest.mark.parametrize(
    "head",
    [
        "Metz - turno 1 - americano\ndado a\u00e9reo: 4\nMovimento",
        "metz t1 us\nairroll 4\nmv",
        "Metz turn 1 US\nair die 4",
        "Game: Metz\nT1 American\nair die 4",
        "Metz, turno 1, americano\nOi Bruno, demorei mas saiu.\nMovimento:\ndado a\u00e9reo 4",
        "Hi, Metz turn 1 American.\nair die 4",
        "Bruno, o turno 1 americano (Metz):\nMovimento\ndado a\u00e9reo 4",
        "Minha vez. Metz, turno 1 americano.\nMovimento\ndado a\u00e9reo 4",
        "Bruno, here is my turn 1 of Metz, American\nMovement:\nair die 4",
    ],
)
def test_a_turn_and_its_side_open_what_is_told_below_them(head: str) -> None:
    text = f"{head}\n101 0520 0621\n"
    (game,) = games_of(threads(read_mails(text.encode(), "mail.txt"))[0][0])
    sheet = game.sheet()
    written = write_sheet(sheet.statements)
    assert not sheet.problems
    assert "turn 1 american movement" in written
    assert written.rstrip().endswith("airroll 4\nmove us-101: 0520 0621")


def test_a_turn_and_its_side_open_nothing_where_no_phase_is_told() -> None:
    text = "Metz\nT1 US\n0721 looks weak to me.\nDRB AVB\n"
    games = games_of(threads(read_mails(text.encode(), "mail.txt"))[0][0])
    assert not any(isinstance(s, st.TurnStart) for game in games for s in game.sheet().statements)


def test_what_cannot_be_read_above_the_first_move_opens_no_other_phase() -> None:
    text = "Metz T1 US\nair die: 4, so I have 10 air points\n101 0520 0621\nCombat\n0721: 101\n"
    (game,) = games_of(threads(read_mails(text.encode(), "mail.txt"))[0][0])
    sheet = game.sheet()
    assert [p.line for p in sheet.problems] == [2]
    assert [s.phase for s in sheet.statements if isinstance(s, st.TurnStart)] == ["movement", "combat"]


def test_who_speaks_of_the_turn_of_a_game_opens_none() -> None:
    text = "Bruno, your turn 1 American of Metz went well\nMovement\n101 0520 0621\n"
    games = games_of(threads(read_mails(text.encode(), "mail.txt"))[0][0])
    assert not any(isinstance(s, st.TurnStart) for game in games for s in game.sheet().statements)


def test_a_turn_told_with_more_beside_it_is_no_talk() -> None:
    (game,) = games_of(
        threads(read_mails(b"Metz, turno 1, americano. Dado do ar: 4.\n101 0520 0621\n", "m.txt"))[0][0]
    )
    assert {2, 3} == {f.line for f in judge(game.sheet()).findings if f.severity == "unread"}


def test_figures_below_orders_of_no_sheet_are_no_talk() -> None:
    told = "That's 48 to 4. I rolled a five and a three, which gives DRB AVI."
    text = f"Hi Bruno, Hurtgen again.\nus-112-1 goes from 0806 to 0907\n\n{told}\n\nCheers\n"
    (game,) = games_of(threads(read_mails(text.encode(), "mail.txt"))[0][0])
    marks = game.sheet().intake.marks
    assert [n for n, mark in marks.items() if mark.part == "not-read"] == [2, 4]


def test_dice_below_a_ratio_are_no_column() -> None:
    text = "Bastogne T16 german combat\n3806: 77-1 e 77-2\n6:4 = 1-1\n3-4 IMP\n"
    (game,) = games_of(threads(read_mails(text.encode(), "mail.txt"))[0][0])
    assert "declare 6:4 odds 1-1\n  roll 3 4\n  result IMP" in write_sheet(game.sheet().statements)
