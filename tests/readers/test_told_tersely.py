"""Lines of few words: ways before who goes them, dice beside what came of them, codes in small letters."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails
from hexforge.validator.reading.sheet import read_sheet

MOVES = "sheet 1\ngame hurtgen\nturn 2 american movement\n"
FIGHTS = "sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nattack us-112-2\n"


def written(text: str) -> list[str]:
    sheet = read_sheet(text)
    assert not sheet.problems
    return [line.strip() for line in write_sheet(sheet.statements).splitlines()]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("0806\u21920907 112-1", "move us-112-1: 0806 0907"),
        ("0807->0908: 112-2, 112-3", "move us-112-2 us-112-3: 0807 0908"),
        ("0807-0908 112-2 and 112-3", "move us-112-2 us-112-3: 0807 - 0908"),
        ("Germeter -> 0908 112-2", "move us-112-2: 0807 0908"),
    ],
)
def test_the_way_may_stand_before_who_goes_it(typed: str, meant: str) -> None:
    assert written(f"{MOVES}{typed}\n")[-1] == meant


@pytest.mark.parametrize(
    ("game", "typed"),
    [("hurtgen", "0806->0907"), ("hurtgen", "0806->0907 112-1 109-1 0705"), ("metz", "0707->0807 1215")],
)
def test_no_way_without_who_goes_it_is_taken(game: str, typed: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame {game}\nturn 2 american movement\n{typed}\n")
    assert sheet.problems and not any(isinstance(s, st.Move) for s in sheet.statements)


@pytest.mark.parametrize(
    "typed",
    [
        "5+3 DRB AVI",
        "5+3=8 DRB AVI",
        "5 3 DRB AVI",
        "5+3 = 8 = DRB AVI",
        "dados 5 e 3, drb avi",
    ],
)
def test_dice_and_what_came_of_them(typed: str) -> None:
    assert written(f"{FIGHTS}{typed}\n")[-2:] == ["roll 5 3", "result DRB AVI"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("drb avi", "result DRB AVI"),
        ("deu drb/avi", "result DRB AVI"),
        ("Os dados lan\u00e7ados foram 5 e 3", "roll 5 3"),
    ],
)
def test_codes_in_small_letters_and_dice_in_a_sentence(typed: str, meant: str) -> None:
    assert written(f"{FIGHTS}{typed}\n")[-1] == meant


@pytest.mark.parametrize("typed", ["de", "ae", "de de"])
def test_common_words_are_no_codes(typed: str) -> None:
    assert read_sheet(f"{FIGHTS}{typed}\n").problems


@pytest.mark.parametrize("verb", ["ataquei", "Ataquem", "ataquemos"])
def test_verbs_whose_stem_is_spelt_otherwise(verb: str) -> None:
    assert written(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{verb} 1007 com 112-2\n")[-2:] == [
        "combat 1007",
        "attack us-112-2",
    ]


@pytest.mark.parametrize("line", ["Offboard 30", "30 fora do mapa", "drb avi"])
def test_what_belongs_to_a_combat_is_taken_from_a_mail(line: str) -> None:
    text = "game hurtgen\nturn 2 american combat\ncombat 1007\nattack 112-2\n"
    (letter,) = read_mails(f"{text}{line}\nroll 5 3\n".encode(), "turn.txt")
    (game,) = games_of([letter])
    parts = {n: p.part for p in account_of(game.sheet()) for n in range(p.first, p.last + 1)}
    assert parts[5] == "judged"


def test_a_total_with_points_that_were_told_so_is_not_found_fault_with() -> None:
    text = f"{FIGHTS}Offboard 30\ndeclare 34:4\n"
    assert "odds" not in [f.code for f in judge(read_sheet(text)).findings]


@pytest.mark.parametrize(
    "typed",
    [
        "combat 1007: attack 112-2, roll 3 4",
        "combat 1007, attack with 112-2, roll 3 4",
        "combat 1007 attack 112-2 roll 3 4",
    ],
)
def test_a_combat_in_one_line_that_begins_each_part_with_its_word(typed: str) -> None:
    head = "sheet 1\ngame hurtgen\nturn 2 american combat\n"
    assert written(f"{head}{typed}\n")[-3:] == ["combat 1007", "attack us-112-2", "roll 3 4"]


@pytest.mark.parametrize("bullet", ["+", "*"])
def test_a_bullet_may_touch_its_line(bullet: str) -> None:
    assert written(f"{MOVES}{bullet}112-2 0807 0908\n")[-1] == "move us-112-2: 0807 0908"


@pytest.mark.parametrize(
    "line",
    ["I lose a step and retreat to Germeter", "perco um passo e recuo pra Germeter", "we fall back to Germeter"],
)
def test_who_loses_or_retreats_without_a_name_is_no_talk(line: str) -> None:
    text = "game hurtgen\nturn 2 american combat\ncombat 1007\nattack 112-2\nroll 3 4\nresult DVI ARB\n"
    (letter,) = read_mails(f"{text}{line}\n".encode(), "turn.txt")
    (game,) = games_of([letter])
    sheet = game.sheet()
    assert account_of(sheet)[-1].part == "not-read"
    assert "illegal" not in {f.severity for f in judge(sheet).findings if f.code in ("retreat", "losses")}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1\u00ba/112: 0806 para 0907", "move us-112-1: 0806 0907"),
        ("2\u00ba/112 e 3\u00ba/112: de 0807 para 0908", "move us-112-2 us-112-3: 0807 0908"),
        ("II+III/112: 0807 0908", "move us-112-2 us-112-3: 0807 0908"),
    ],
)
def test_units_and_ways_in_the_manner_of_forms(typed: str, meant: str) -> None:
    assert written(f"{MOVES}{typed}\n")[-1] == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("The dice: 6 and 1.", ["roll 6 1"]),
        ("2 e 5 nos dados", ["roll 2 5"]),
        ("The dice came up six and four, which is DRB AVB.", ["roll 6 4", "result DRB AVB"]),
        ("Odds: 8-1 Column: 6-1", ["declare odds 8-1 column 6-1"]),
        ("S\u00e3o 14 contra 3, ou seja 4-1.", ["declare 14:3 odds 4-1"]),
        ("Defender loss: 983-1", ["lose ge-983-1"]),
        ("983-2 elim", ["eliminate ge-983-2"]),
        (
            "1007: 112/1,2,3 + 707 + 30 fora",
            ["attack us-112-1 us-112-2 us-112-3 us-707-tank", "support offboard 30"],
        ),
    ],
)
def test_what_else_is_told_of_a_combat(typed: str, meant: list[str]) -> None:
    head = "sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\n"
    attack = "" if "707" in typed else "attack us-112-2\n"
    assert written(f"{head}{attack}{typed}\n")[-len(meant) :] == meant


def test_nobody_is_left_out_of_those_who_attack() -> None:
    head = "sheet 1\ngame hurtgen\nturn 2 american combat\n"
    line = "I attack Vossenack with 112-1 and the tanks, supported by 30 points of off-board artillery"
    sheet = read_sheet(f"{head}{line}\n")
    assert sheet.problems and not any(isinstance(s, st.Combat) and s.acts for s in sheet.statements)


def test_a_phase_goes_on_from_one_whose_header_is_misspelt() -> None:
    text = "hurtgen turn 2 us movment\n112-1 to 0907\nus combat\n112-1 attacks 1007\nrolled 6 5\n"
    (letter,) = read_mails(text.encode(), "turn.txt")
    (game,) = games_of([letter])
    told = [line.strip() for line in write_sheet(game.sheet().statements).splitlines()]
    assert told[-4:] == ["turn 2 american combat", "combat 1007", "attack us-112-1", "roll 6 5"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("the 2/110 goes to 0308 from 0307", "move us-110-2: 0307 0308"),
    ],
)
def test_who_goes_along_and_where_from_may_stand_behind_the_way(typed: str, meant: str) -> None:
    assert written(f"{MOVES}{typed}\n")[-1] == meant


@pytest.mark.parametrize(
    "typed",
    [
        "110-1 to 0308 with ge-983-1",
        "110-1 to 0308 with the tanks",
        "110-1 to 0308 with support of 28-art-1",
        "110-1 goes to 0308 with 110-2 to 0309",
    ],
)
def test_who_may_not_go_along_is_not_taken(typed: str) -> None:
    sheet = read_sheet(f"{MOVES}{typed}\n")
    assert sheet.problems and not any(isinstance(s, st.Move) for s in sheet.statements)


@pytest.mark.parametrize("typed", ["48:4 makes 9-1, drops to 7-1"])
def test_odds_and_the_column_that_they_become(typed: str) -> None:
    assert written(f"{FIGHTS}{typed}\n")[-1] == "declare 48:4 odds 9-1 column 7-1"
