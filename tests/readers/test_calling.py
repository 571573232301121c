"""Units by words, combats by sentences, figures as people reckon them: taken where one reading fits, else left."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet


def statements_read(game: str, phase: str, line: str, before: str = "") -> list[str]:
    """What a line says below others, as the notation writes it; nothing where it cannot be read."""
    sheet = read_sheet(f"sheet 1\ngame {game}\nturn 2 {phase}\n{before}{line}\n")
    if sheet.problems:
        return []
    told = [x.strip() for x in write_sheet(sheet.statements).split("\n\n")[-1].strip().splitlines()]
    return told[1 + before.count("\n") :]


@pytest.mark.parametrize(
    ("game", "side", "line", "move"),
    [
        ("hurtgen", "german", "116 Pz recon drops down to 1308", "ge-116pz-cav: 1308"),
        ("hurtgen", "german", "o 16 panzer desce de 1406 pra 1207 passando por 1306", "ge-16-1: 1406 1306 - 1207"),
        ("hurtgen", "german", "cavalaria da 116 vai pra 1308", "ge-116pz-cav: 1308"),
        ("hurtgen", "american", "os tanques do 707 v\u00e3o pra 0907", "us-707-tank: 0907"),
        ("hurtgen", "american", "The 47th's only battalion goes to 0703", "us-47-1: 0703"),
        ("hurtgen", "american", "ca\u00e7a-tanques 893 pra 0808", "us-893-td: 0808"),
        ("metz", "american", "CCA da 4\u00aa: 0523 0522 0622", "us-4ad-cca: 0523 0522 0622"),
        ("metz", "american", "6ad-cca e ccb 0420 - 0716", "us-6ad-cca us-6ad-ccb: 0420 - 0716"),
        ("metz", "american", "10\u00aa DB toda pro 0306", "us-10ad-cca us-10ad-ccb us-10ad-ccr: 0306"),
        ("metz", "american", "2\u00ba e 3\u00ba GCav para 0722", "us-2gcav us-3gcav: 0722"),
        ("metz", "american", "The 104th proceeds to 0622 from 0522.", "us-104: 0522 0622"),
        ("metz", "american", "o 328 e o 101 avan\u00e7am juntos de 0623 para 0722", "us-328 us-101: 0623 0722"),
        ("metz", "german", "SS37 pulls out to 0609", "ge-ss-37: 0609"),
        ("metz", "german", "SS 38 vai para 0511", "ge-ss-38: 0511"),
        ("bastogne", "german", "Lehr tanks 3910 3810 3711", "ge-lehr-tank: 3910 3810 3711"),
        ("bastogne", "german", "o 14 pqd inteiro, de 4611 a 4513", "ge-14-1 ge-14-2 ge-14-3: 4611 - 4513"),
        ("bastogne", "german", "39-1+39-2: 3809 p/ 3709", "ge-39-1 ge-39-2: 3809 3709"),
    ],
)
def test_units_in_words(game: str, side: str, line: str, move: str) -> None:
    assert statements_read(game, f"{side} movement", line) == [f"move {move}"]


@pytest.mark.parametrize(
    ("game", "side", "line"),
    [
        ("metz", "german", "11th Panzer to 1010"),
        ("metz", "american", "CCA to 0819"),
        ("hurtgen", "german", "artilharia da 116 para 1405"),
        ("bastogne", "german", "fuzileiros da 26 para 4007"),
        ("bastogne", "american", "inf e art da CCR param em 1208"),
        ("bastogne", "american", "506-1 leaves Noville for 1407."),
        ("hurtgen", "american", "20-eng vai pro front, 0609"),
        ("hurtgen", "german", "1055-2 entra atr\u00e1s deles, para em 0812"),
        ("bastogne", "german", "2/1 sai de 4202 e chega em 3703 pela estrada (4103 4002 3903)"),
    ],
)
def test_what_fits_several_or_says_more_is_not_taken(game: str, side: str, line: str) -> None:
    assert statements_read(game, f"{side} movement", line) == []


def test_a_head_says_what_it_says() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nunit a1 american armor 4-4-5 division 28 regiment 707\n")
    assert [x for x in write_sheet(sheet.statements).splitlines() if x.startswith("unit")] == [
        "unit a1 american armor 4-4-5 regiment 707 division 28"
    ]


@pytest.mark.parametrize(
    ("game", "side", "line", "told"),
    [
        (
            "hurtgen",
            "american",
            "Vossenack (1007) atacado pelo 112-1 e os tanques do 707, com 30 de artilharia de fora",
            ["combat 1007", "attack us-112-1 us-707-tank", "support offboard 30"],
        ),
        (
            "hurtgen",
            "german",
            "ataco 1107 com o 16, o 156/1 e o 156/2",
            ["combat 1107", "attack ge-16-1 ge-156-1 ge-156-2"],
        ),
        (
            "hurtgen",
            "german",
            "0907: 983-1 983-2, arty 275-1 275-2",
            ["combat 0907", "attack ge-983-1 ge-983-2", "support ge-275-art-1 ge-275-art-2"],
        ),
        (
            "metz",
            "american",
            "0719, as tr\u00eas da 4\u00aa DB, art do XII",
            ["combat 0719", "attack us-4ad-cca us-4ad-ccb us-4ad-ccr", "support us-xii-art"],
        ),
        (
            "metz",
            "american",
            "0918 4ad-cca 4ad-ccb + 3 a\u00e9reos",
            ["combat 0918", "attack us-4ad-cca us-4ad-ccb", "air 3"],
        ),
        ("metz", "american", "1111 ataque a\u00e9reo com 10 pontos", ["airstrike 1111 points 10"]),
        (
            "hurtgen",
            "american",
            "ataco 1007 com 112-1 e 112-2, dados 5 e 3, DRB AVI",
            ["combat 1007", "attack us-112-1 us-112-2", "roll 5 3", "result DRB AVI"],
        ),
    ],
)
def test_combats_told_as_sentences(game: str, side: str, line: str, told: list[str]) -> None:
    assert statements_read(game, f"{side} combat", line) == told


@pytest.mark.parametrize(
    "line",
    [
        "15 e 110 atacam o 319 em 0910",
        "0819 attacked out of 0818 by 1126, 1125",
        "1126 defende 0818",
        "0819 attacked by 1126 and CCA",
    ],
)
def test_what_says_more_than_a_combat_is_not_taken(line: str) -> None:
    assert statements_read("metz", "german combat", line) == []


COMBAT = "combat 1007\nattack us-112-1\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("14 a 4", "declare 14:4"),
        ("9-1, cai pra 7-1 por causa da cidade", "declare odds 9-1 column 7-1"),
        ("saiu 3-1, na coluna fica 2-1", "declare odds 3-1 column 2-1"),
        ("25 a 5 d\u00e1 5-1, fica 4-1", "declare 25:5 odds 5-1 column 4-1"),
        ("27 to 7 is 3-1, no shifts", "declare 27:7 odds 3-1 column 3-1"),
        ("13 against 6 = 2-1", "declare 13:6 odds 2-1"),
        ("roll was 11 (6+5)", "roll 6 5"),
    ],
)
def test_figures_as_they_are_reckoned(line: str, told: str) -> None:
    assert statements_read("hurtgen", "american combat", line, COMBAT) == [told]


@pytest.mark.parametrize("line", ["not 3:1 but 2:1", "3 to 1, a column down"])
def test_a_ratio_that_may_be_odds_or_column_is_not_taken(line: str) -> None:
    assert statements_read("hurtgen", "american combat", line, COMBAT) == []


def test_a_header_without_the_word_of_a_turn() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nok ger 7 mvt:\nmove ge-984-1: 0905 0906\n")
    assert write_sheet(sheet.statements).split("\n\n")[-1].splitlines()[0] == "turn 7 german movement"
    assert read_sheet("sheet 1\ngame hurtgen\nGerman combat 1\n").problems
