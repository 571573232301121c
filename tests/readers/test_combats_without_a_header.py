"""Who tells his combats right below his moves has gone on to the phase of combat, without a word of it."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_sheet

MOVES = "jogo hurtgen\nturno 2 movimento americano\n112-1: 0806 0907\n112-2: 0807 0908\n"
COMBAT = "atacar 112-1, 112-2\ndados 5 3\nDVI AE\n112-1 é eliminado\n112-2 recua para 0807\n"


def sheet_of_mail(text: str) -> st.Sheet:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@example.org", "turno"
    mail.set_content(f"Oi Bruno,\n{text}\nAbraço,\nAna\n", cte="8bit")
    [sheet] = [game.sheet() for thread in threads(read_mails(bytes(mail), "a.eml"))[0] for game in games_of(thread)]
    return sheet


def turns(sheet: st.Sheet) -> list[tuple[int, str, str]]:
    return [(s.number, s.side, s.phase) for s in sheet.statements if isinstance(s, st.TurnStart)]


FOUGHT = [(2, "american", "movement"), (2, "american", "combat")]


@pytest.mark.parametrize(
    "line",
    [
        "combate 1007",
        "Combate em 1007: 112-1 e 112-2",
        "1007 atacado por 112-1 e 112-2",
        "bombard 1007 by 28-art-1",
    ],
)
def test_the_first_combat_opens_its_phase(line: str) -> None:
    sheet = sheet_of_mail(f"{MOVES}{line}\n")
    assert turns(sheet) == FOUGHT
    assert isinstance(sheet.statements[-1], st.Engagement)
    assert not [f for f in judge(sheet).findings if f.code == "wrong-phase"]


def test_lines_keep_their_numbers_and_a_header_below_says_it_again() -> None:
    sheet = sheet_of_mail(f"{MOVES}combate 1007\n{COMBAT}turno 2 combate americano\ncombate 0905\natacar 109-1\n")
    assert turns(sheet) == FOUGHT
    assert [s.line for s in sheet.statements if isinstance(s, st.Combat)] == [6, 13]


@pytest.mark.parametrize(
    "line",
    ["combat: none", "Combates: nenhum", "no attacks this turn", "sem combates neste turno", "Não ataco ninguém."],
)
def test_who_fights_nobody_has_gone_on_and_is_held_to_his_duties(line: str) -> None:
    sheet = sheet_of_mail(f"{MOVES}{line}\n")
    assert turns(sheet) == FOUGHT
    assert {(f.line, f.code) for f in judge(sheet).findings} == {(6, "must-attack")}


@pytest.mark.parametrize("line", ["no combate eu ganho", "no attack could stop them", "sem combates?"])
def test_other_talk_of_combats_opens_no_phase(line: str) -> None:
    assert turns(sheet_of_mail(f"{MOVES}{line}\n")) == FOUGHT[:1]


def test_in_a_sheet_the_phase_is_said() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nturn 2 american movement\ncombat 1007\n  attack us-112-1\n")
    assert [f.line for f in judge(sheet).findings if f.code == "wrong-phase"] == [4]


@pytest.mark.parametrize("header", ["trno 2 comabte americano", "turno 2 comabte americano"])
def test_a_misspelt_header_opens_no_phase_beside_that(header: str) -> None:
    sheet = sheet_of_mail(f"{MOVES}{header}\ncombate 1007\n{COMBAT}")
    assert turns(sheet) == FOUGHT
    assert [p.line for p in sheet.problems] == [6]


def test_a_header_that_is_typed_again_rightly_is_one() -> None:
    head = "sheet 1\ngame hurtgen\nturn 2 american movement\ntrn 2 american combat\nturn 2 american combat\n"
    sheet = read_sheet(head)
    assert turns(sheet) == FOUGHT
    assert [(p.line, bool(p.assumed)) for p in sheet.problems] == [(4, True)]


QUOTED = "".join(f"> {line}\n" for line in f"{MOVES}combate 1007\n{COMBAT}".splitlines())


def test_the_first_combat_opens_its_phase_where_an_answer_quotes_it() -> None:
    answer = f"turno 2 alemão movimento\n983-1 0709 0708\n\nEm 12/03/2026 21:04, Ana escreveu:\n{QUOTED}"
    sheet = sheet_of_mail(answer)
    assert turns(sheet) == [*FOUGHT, (2, "german", "movement")]
    assert not [f for f in judge(sheet).findings if f.code == "wrong-phase"]


def test_a_combat_of_a_phase_that_is_over_opens_no_other() -> None:
    over = "turno 2 movimento alemão\n983-1 0709 0708\nturno 2 movimento americano\ncombate 1007\n"
    sheet = sheet_of_mail(f"{MOVES}{over}turno 2 combate alemão\ncombate 0907\natacar 983-1\n")
    assert turns(sheet) == [FOUGHT[0], (2, "german", "movement"), (2, "german", "combat")]
