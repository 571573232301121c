"""What people type for a statement, beside its canonical form: both are read as the same."""

from __future__ import annotations

from functools import cache

import pytest

from hexforge.scenarios.loader import load
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import vocabulary_of, write_statement
from hexforge.validator.notation.words import Vocabulary
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_line, read_sheet

FORMS = {
    "move us-112-1: 0806 0907": """
        mover us-112-1 0806 0907
        mova us-112-1: 0806 0907
        move us-112-1: 0806, 0907.
        Mover: us-112-1: 0806 0907
        MOVER US-112-1 DE 0806 PARA 0907
        mover 112-1 0806 0907
        mover 112-1: 0806 > 0907
        mover 112-1: 0806->0907
        mover 112-1: 0806 → 0907
        mover 112-1: 0806→0907
        mover 112-1: 0806 --> 0907
        mover 112-1: 0806 => 0907
        mover us-112-1: 0806 para 0907
        mover us-112-1: 0806 até 0907
        mover us–112–1: 0806 0907
        mover us-112-1 (0806) para (0907)
        mover us-112-1 do hex 0806 para o hex 0907
        moves us-112-1 from 0806 to 0907
        moved us-112-1 from hex 0806 to hex 0907
        - mover us-112-1: 0806 0907
        * mover us-112-1: 0806 0907
        • mover us-112-1: 0806 0907
        1) mover us-112-1: 0806 0907
        2. mover us-112-1: 0806 0907
        a) mover us-112-1: 0806 0907
        andou us-112-1: 0806 0907
        112-1 andou de 0806 para 0907
        mvt us-112-1: 0806 0907
        mv 112-1 0806 0907
        mover o batalhão 112-1: 0806 0907
        move the regiment 112-1 0806 0907
        mover a infantaria 112-1: 0806 0907
        mover us-112-1: 0806 0907 (2 PM)
        move us-112-1: 0806 0907 (2 MP)
        mover us-112-1: 0806 0907, custo 2 PMs
        mover us-112-1: 0806 (1 PM) 0907 (2 pontos de movimento)
        move us-112-1: 0806 0907 // two points
        **mover us-112-1: 0806 0907**
        **Mover** us-112-1: `0806` `0907`
        - _mover us-112-1: 0806 0907_
        ✅ mover us-112-1: 0806 0907
        ➡️ mover us-112-1: 0806 ➡️ 0907 👍
        1️⃣ mover us-112-1: 0806 0907
        mover;us-112-1;0806;0907
        | mover | us-112-1 | 0806 | 0907 |
        112-1: 0806 0907
        o 112-1: 0806 > 0907
        112-1;0806;0907
        | 112-1 | 0806 | 0907 |
        mover\tus-112-1\t0806\t0907
        mover\u00a0us-112-1:\u00a00806\u00a00907
        us-112-1: 0806 0907
    """.replace("        us-112-1: 0806 0907\n", ""),
    "move us-112-1: 0907": """
        mover us-112-1 para 0907
        mover us-112-1 0907
        move us-112-1 to 0907
        mova us-112-1 → 0907
        desloca us-112-1 para o hex 0907
    """,
    "move us-893-td: 0306 - 0707": """
        mover us-893-td: 0306-0707
        mover us-893-td 0306 > 0707
        mover us-893-td de 0306 para 0707
        mover 893 0306 → 0707
        mover 893-td: 0306 – 0707
    """,
    "move us-112-1 us-112-2 us-112-3: 0807 0908": """
        mover us-112-1, us-112-2 e us-112-3: 0807 0908
        move us-112-1, us-112-2 and us-112-3: 0807 > 0908
        movem 112-1 112-2 112-3 de 0807 para 0908
        movam us-112-1 + us-112-2 + us-112-3: 0807 0908
        movem us-112-1+us-112-2+us-112-3: 0807 0908
        move us-112-1 & us-112-2 & us-112-3 from 0807 to 0908
    """,
    "turn 2 american movement": """
        turno 2 americano movimento
        turno 2 - americano - movimento
        Turno 2: americano, movimento
        turno 2 — fase de movimento americana
        Turn 2 - American - Movement
        turn 2, American movement phase.
        turno 2 (americano) movimento:
        TURNO 2 / AMERICANOS / MOVIMENTO
        turn 2 movement american
        2º turno americano, movimento
        American turn 2, movement
        2nd American turn: movement phase
        fase de movimento americana, turno 2
    """,
    "retreat us-112-1 us-112-2: 0806": """
        112-1 e 112-2 recuam para 0806
        os 112-1 e 112-2 recuam para 0806
        us-112-1 and us-112-2 retreat to 0806
    """,
    "attack us-112-1": """
        ataca a 112-1
        attack with the 112-1
        A 112-1 ataca
        ataca o regimento 112-1
        attacked by us-112-1
    """,
    "move us-112-1: 0806 - 0907": """
        112-1 move 0806-0907
        movem 112-1 0806-0907
    """,
    "declare odds 9-1 column 7-1": """
        odds 9-1 column 7-1
        proporção: 9-1, coluna 7-1
    """,
    "declare column 7-1": """
        coluna 7-1
        Column: 7-1
    """,
    "declare 48:4 odds 9-1 column 7-1": """
        48:4 9-1 7-1
        declaro 48 x 4, 9-1, coluna 7-1
    """,
    "support offboard 30": """
        apoio de fora do mapa 30
        apoio: 30 pontos fora do mapa
        supported by offboard 30
        support with 30 offboard
        support 30 off-board points
        apoio: 30 pontos de fora do mapa
    """,
    "airstrike 0710 points 6": """
        ataque aéreo 0710, 6 pontos
        ataque aéreo em 0710 com 6 pontos
        air strike at 0710: 6 points
        ataque aéreo ao HEX 0710, 6 pontos
        air strike over hex 0710 with 6 points
    """,
    "exit us-112-1: 0101 to west": """
        sai us-112-1 em 0101 pelo oeste
    """,
    "enter us-112-1: 0812 from south": """
        entra us-112-1 em 0812 pelo sul
    """,
    "build bridge 0304/0305": """
        construir ponte 0304-0305
    """,
    'players american="Ana" german="Bruno"': """
        Players: American = Ana, German = Bruno
        jogadores americano: Ana; alemão: Bruno
        jogadores americano Ana, alemão Bruno
        Jogadores: Ana (americano), Bruno (alemão)
    """,
    "option inverse_rounding=ceil": """
        option inverse_rounding ceil
    """,
    "combat 1007": """
        combate 1007
        combate: 1007
        Combate 1007:
        combate em 1007
        combate no hex 1007
        combat at 1007
        combat against 1007.
        combate contra 1007
    """,
    "attack us-112-1 us-112-2": """
        atacam us-112-1 e us-112-2
        ataque: us-112-1, us-112-2
        ataca 112-1 112-2.
        attackers: us-112-1 and us-112-2
        atacantes: 112-1; 112-2
        attacks us-112-1, us-112-2
    """,
    "support us-112-1 offboard 30": """
        apoia us-112-1 fora do mapa 30
        apoio: us-112-1 e fora-do-mapa 30
        supports us-112-1, off-board: 30
        apoio 112-1 fora 30
    """,
    "declare 10:4 odds 2-1 column 1-1": """
        declarar 10:4 2-1 1-1
        declara 10:4 = 2-1 → 1-1
        declaro 10:4 (2-1) 1-1
        declare 10 to 4, 2-1, column 1-1
        declarar 10 a 4 proporção 2-1 coluna 1-1
        declare 10 against 4 odds 2:1 column 1:1
        declarar 10:4 2-1 coluna 1-1
        declarar 10:4 proporção 2-1 1-1
    """,
    "declare value 40 column 11-20": """
        declarar valor 40 11-20
        declare value 40, 11-20
    """,
    "roll 5 3": """
        dados 5 3
        dados: 5+3
        dados 5+3
        dados: 5 + 3
        dados 5 e 3
        dados 5, 3.
        dados 5/3
        dados 5-3
        dados (5,3)
        dados 5 3 = 8
        dados: 5+3=8
        dado 2d6: 5 3
        roll 2d6 5 3
        rolls 5 and 3
        dice: 5 3
        d6 5 3
        rolou 5 e 3
        rolou cinco e três
        dice: five and three
    """.replace("        d6 5 3\n", ""),
    "result DRB AVI": """
        resultado DRB/AVI
        resultado: DRB-AVI
        resultado drb avi.
        resultado DRB e AVI
        result DRB + AVI
        results: DRB, AVI
        resultado DRB / AVI
    """,
    "lose ge-983-1": """
        perde ge-983-1
        perdeu ge-983-1
        baixa 983-1
        baixas: ge-983-1
        perda: ge-983-1.
        loses ge-983-1
        losses: ge-983-1
        perca ge-983-1
        ge-983-1 perde um passo
        perde um passo: ge-983-1
        perde 1 passo ge-983-1
        ge-983-1 loses one step
        983-1 loses a step
    """,
    "lose ge-983-1 ge-983-1": """
        ge-983-1 perde dois passos
        lose two steps: 983-1
    """,
    "eliminate ge-983-1": """
        ge-983-1 eliminada
        983-1 eliminated
        elimina ge-983-1
        eliminada: ge-983-1
        destruída 983-1
        eliminated: ge-983-1
        destroyed ge-983-1
    """,
    "retreat ge-983-1 ge-983-2: 1007 1107": """
        recuam ge-983-1 e ge-983-2: 1007 1107
        recua 983-1 983-2 1007 1107
        recuo: ge-983-1, ge-983-2: 1007 > 1107
        retreats ge-983-1 and ge-983-2 from 1007 to 1107
        retiram ge-983-1 ge-983-2 de 1007 para 1107
    """,
    "retreat ge-983-1: 1107": """
        recua 983-1 para 1107
        recua 983-1 → 1107
        retreat ge-983-1 to 1107
    """,
    "retreat ge-983-1: 1201 to north": """
        recua ge-983-1: 1201 para norte
        recua ge-983-1 1201 ao norte
        retreats ge-983-1: 1201 to north.
    """,
    "advance us-112-2 us-707-tank: 1007": """
        avanca 112-2 707-tank 1007
        avanço: us-112-2, us-707-tank → 1007
    """,
    "enter ge-1055-1: 0812 0912 from south by road": """
        entra ge-1055-1: 0812 0912 do sul por estrada
        entrada: ge-1055-1: 0812 > 0912 desde sul pela estrada
        entrar 1055-1 0812 0912 do sul por estrada
        enters ge-1055-1 0812 0912 from south by road.
    """,
    "bombard 0709 by offboard 20": """
        bombardment of 0709 by offboard 20
        bombardear 0709 com 20 pontos fora do mapa
        bombardeio: 0709 por fora do mapa 20
        bombardeia o hex 0709 com fora-do-mapa 20
        bombardment 0709 by off-board 20
        Bombardeiam no hex 0709 por fora do mapa: 20.
    """,
    "airstrike 0609 points 6": """
        ataque aéreo 0609 pontos 6
        ataque aéreo: 0609 pontos: 6
        air strike 0609 points 6
        ataque aéreo no hex 0609, pontos 6.
        Ataque Aereo em 0609 pontos 6
    """,
    "air 3": """
        apoio aéreo 3
        aérea: 3
        air support 3
        air points 3
    """,
    "airroll 6": """
        dado aéreo 6
        dado aéreo: 6
        dado do ar: 6
        air roll 6
        air die: 6
    """,
    "clear 0809 by us-112-1 roll 4": """
        limpa 0809 com us-112-1 dado 4
        desobstruir hex 0809 por 112-1 dado 4
    """,
    "score american 20 german 80": """
        pontos: americano 20, alemão 80
        placar americano 20 e alemão 80
    """,
}


@cache
def hurtgen() -> Vocabulary:
    return vocabulary_of(load("hurtgen"))


def read(line: str) -> str:
    found = read_line(line, hurtgen())
    return write_statement(found) if found else "cannot be read"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(line.strip(), meant) for meant, lines in FORMS.items() for line in lines.strip().splitlines()],
)
def test_what_is_typed_is_read_as_meant(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize("meant", FORMS)
def test_what_is_written_is_read_as_it_stands(meant: str) -> None:
    assert read(meant) == meant


@pytest.mark.parametrize(
    "line",
    [
        "Ataque ao HEX 1007 com 112-1, 112-2",
        "attack on 1007 with us-112-1 and us-112-2",
        "112-1 e 112-2 atacam 1007",
    ],
)
@pytest.mark.parametrize("above", ["", "combat 1007\n"])
def test_an_attack_on_a_hex_is_a_combat_and_who_attacks(line: str, above: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{above}{line}\n")
    assert sheet.problems == ()
    (combat,) = (s for s in sheet.statements if isinstance(s, st.Combat))
    assert combat.targets == ("1007",) and combat.acts[0].__dict__["units"] == ("us-112-1", "us-112-2")


@pytest.mark.parametrize("line", ["112-1: 0806 0907", "112-1;0806;0907", "112-1 -> 0907"])
def test_units_and_a_way_are_a_move_where_nothing_else_can_be_meant(line: str) -> None:
    def read_in(phase: str) -> list[type[base.Statement]]:
        sheet = read_sheet(f"sheet 1\ngame hurtgen\n{phase}\n{line}\n")
        return [*map(type, sheet.statements[-1:]), *(type(sheet) for _ in sheet.problems)]  # type: ignore[list-item]

    assert read_in("turn 2 american movement") == [st.Move]
    assert read_in("turn 2 american combat")[-1] is st.Sheet
    assert read_in("turn 2 american combat\ncombat 1007")[-1] is st.Sheet


@pytest.mark.parametrize("first", ["planiha 1", "shet 1", "Planlha 1"])
@pytest.mark.parametrize("suffix", [".txt", ".sheet"])
def test_a_sheet_whose_first_word_is_misspelt_is_read(first: str, suffix: str) -> None:
    text = f"{first}\njogo hurtgen\nparcial\nturno 2 americano movimento\nmover us-112-1: 0806 0907\n"
    sheet = read_sheet(text) if suffix == ".sheet" else read_txt(text)
    assert isinstance(sheet.statements[-1], st.Move)
    (found,) = sheet.problems
    assert found.line == 1 and found.assumed == "planilha 1"


def read_txt(text: str) -> st.Sheet:
    (thread,) = threads(read_mails(text.encode(), "a.txt"))[0]
    (game,) = games_of(thread)
    return game.sheet()


def problem(line: str, start: str = "turn 2 american movement") -> str:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{start}\n{line}\n")
    (found,) = sheet.problems
    return str(found.expected)


@pytest.mark.parametrize(
    ("line", "candidates"),
    [
        ("recover us-112", "us-112-1, us-112-2, us-112-3"),
        ("recover ge-983", "ge-983-1, ge-983-2"),
    ],
)
def test_a_part_of_an_id_that_several_have_is_not_guessed(line: str, candidates: str) -> None:
    assert candidates in problem(line)


def test_dice_that_do_not_make_their_sum_are_not_read() -> None:
    assert "`8`" in problem("combat 1007\nroll 5 + 3 = 9", "turn 2 american combat")


def test_the_sheet_s_own_units_are_meant_too() -> None:
    head = "sheet 1\ngame hurtgen\nunit us-900-7 american infantry 1-1-5\nunit e american infantry 1-1-5\n"
    sheet = read_sheet(head + "turn 2 american movement\nrecover 900-7\nrecover us-112-1 e us-112-2\n")
    assert not sheet.problems
    assert [write_statement(s) for s in sheet.statements[-2:]] == [
        "recover us-900-7",
        "recover us-112-1 e us-112-2",
    ]


def test_a_unit_that_is_declared_takes_the_name_it_is_given() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nunit 112-1 american infantry 1-1-5\nposition\n  112-1 0705\n")
    assert [write_statement(s) for s in sheet.statements[2:]] == [
        "unit 112-1 american infantry 1-1-5", "position", "112-1 0705",
    ]  # fmt: skip


def test_a_way_that_is_left_open_on_the_next_line_stays_so() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nturn 2 american movement\nmove us-893-td: 0306 \\\n- 0707\n")
    assert write_statement(sheet.statements[-1]) == "move us-893-td: 0306 - 0707"
