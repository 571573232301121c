"""The notation, feature by feature."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.scenarios.text.words import Words
from hexforge.validator.notation import base, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.decoding import UnreadableSheet
from hexforge.validator.reading.sheet import read_bytes, read_file, read_sheet

START = "sheet 1\ngame hurtgen\nposition\n  a1 0705\n"


def read(text: str) -> tuple[base.Statement, ...]:
    sheet = read_sheet(text)
    assert not sheet.problems
    return sheet.statements


def test_header() -> None:
    text = """\
sheet 1   # the notation's version
GAME bastogne
players american="Ana Lúcia" german=Bruno
option inverse_rounding=ceil
partial
map blank open 18x12
terrain town+rough 1010
name 0306 Germeter
name 1109 1110 "Hill #400"
road 0304 0305 0306
sûre 0304/0305
fortification 0608
fortification 0608/0609 0609/0610
bridge 0304/0305
area beyond-kall 1109 1108
"""
    assert read(text) == (
        statements_head.SheetVersion(1, 1),
        statements_head.GameName(2, "bastogne"),
        statements_head.Players(3, (("american", "Ana Lúcia"), ("german", "Bruno"))),
        statements_head.OptionSetting(4, "inverse_rounding", "ceil"),
        statements_head.Partial(5),
        statements_head.MapBlank(6, ("open",), 18, 12),
        statements_head.TerrainEdit(7, ("town", "rough"), ("1010",)),
        statements_head.PlaceName(8, ("0306",), "Germeter"),
        statements_head.PlaceName(9, ("1109", "1110"), "Hill #400"),
        statements_head.WayEdit(10, "road", ("0304", "0305", "0306")),
        statements_head.HexsideEdit(11, "sure", (("0304", "0305"),)),
        statements_head.FortifiedHexes(12, ("0608",)),
        statements_head.HexsideEdit(13, "fortification", (("0608", "0609"), ("0609", "0610"))),
        statements_head.BridgeEdit(14, (("0304", "0305"),)),
        statements_head.AreaEdit(15, "beyond-kall", ("1109", "1108")),
    )


def test_units_and_position() -> None:
    text = """\
sheet 1
game bastogne
unit g7 german artillery 2-1-6 range 7 regiment 179 division 79 size ii reduced 1-1
unit g8 german artillery 2-1-6 corps 766 range 9
position
  g7 0609 reduced
  marker bridge 4817/4917
  air american 5
  cleared 1108
  control german 1314
  status g7 arrived 17
  due g8 23 north
  lost german infantry 1-2-5
  left german lehr west 22
turn 23 german movement
"""
    assert read(text)[2:-1] == (
        statements_head.UnitDefinition(3, "g7", "german", "artillery", 2, 1, 6, 7, "179", "79", size="II",
                          reduced_attack=1, reduced_defence=1),
        statements_head.UnitDefinition(4, "g8", "german", "artillery", 2, 1, 6, 9, corps="766"),
        statements_head.PositionStart(5),
        statements_head.Placement(6, "g7", "0609", True),
        statements_head.MarkerPlacement(7, "bridge", ("4817", "4917")),
        statements_head.AirPoints(8, "american", 5),
        statements_head.ClearedTrail(9, "1108"),
        statements_head.Control(10, "german", "1314"),
        statements_head.UnitStatus(11, "g7", "arrived", 17),
        statements_head.Due(12, "g8", 23, "north"),
        statements_head.LostUnit(13, "german", "infantry", 1, 2, 5),
        statements_head.LeftMap(14, "german", "lehr", "west", 22),
    )  # fmt: skip


def test_a_combat_keeps_its_order() -> None:
    text = (
        START
        + """\
turn 2 american combat
combat 0609
  attack a1 a2
  support a7 offboard 20
  guard g7
  guard air 3
  air 2
  announce attacker 11
  declare 11:4 odds 2:1 column 13 – 24
  roll 3 4
  result drb avb
  retreat g1: 2001 to north
  advance a1: 0609
bombard 0610 by a7 a8 offboard 30
airstrike 0611 points 6
score american 120 german 90
"""
    )
    _, combat, bombard, strike, score = read(text)[4:]
    assert combat == st.Combat(
        6,
        ("0609",),
        (
            st.Attack(7, ("a1", "a2")),
            st.Support(8, ("a7",), 20),
            st.Guard(9, ("g7",)),
            st.GuardAir(10, 3),
            st.AirSupport(11, 2),
            st.Announce(12, "attacker", 11),
            st.Declare(13, 11, 4, None, "2-1", "13-24"),
            st.Roll(14, (3, 4)),
            st.Result(15, ("DRB", "AVB")),
            st.Retreat(16, ("g1",), ("2001",), "north"),
            st.Advance(17, ("a1",), ("0609",)),
        ),
    )
    assert bombard == st.Bombard(18, ("0610",), units=("a7", "a8"), offboard=30)
    assert strike == st.AirStrike(19, ("0611",), points=6)
    assert score == st.Score(20, (("american", 120), ("german", 90)))


def test_a_way_left_open() -> None:
    lines = """\
turn 2 american movement
move a1 a2: 0705 - 0604 0603
move a1: 0705–0604
enter a9: 0101 0201 from west by road
"""
    assert read(START + lines)[5:] == (
        st.Move(6, ("a1", "a2"), ("0705", "-", "0604", "0603")),
        st.Move(7, ("a1",), ("0705", "-", "0604")),
        st.Enter(8, ("a9",), ("0101", "0201"), "west", "road"),
    )


def test_quoted_mail_and_continuation() -> None:
    text = r"""> sheet 1
>> game hurtgen
> > position
>  a1 0705
> turn 2 american movement
> move a1: \
>  0705 \ # on
> 0704
> recover a1"""
    assert read(text)[-2:] == (st.Move(6, ("a1",), ("0705", "0704")), st.Recover(9, ("a1",)))


def test_rail_is_a_way_before_the_turn_and_a_move_in_it() -> None:
    statements = read(
        "sheet 1\ngame metz\nferrovia 0101 0102\nturno 3 alemão movimento\nferrovia g3: 0101 - 0102\n"
    )
    assert statements[2] == statements_head.WayEdit(3, "rail", ("0101", "0102"))
    assert statements[4] == st.RailMove(5, ("g3",), ("0101", "-", "0102"))


def test_portuguese_with_and_without_accents() -> None:
    text = """\
PLANILHA 1
jogo hurtgen
opcao inverse_rounding=ceil
mapa vazio aberto 18x12
unidade a1 americano infantaria_blindada 3-4-5 divisão 28 reduzida 1-1
posição
  a1 0705
  situação a1 em-transito
turno 2 americano combate
combate 0609
  atacar a1
  defender aéreo 3
  anunciar atacante 11
  dados 3 4
  recuar g1: 0609 para norte
  avancar a1: 0609
"""
    found = read(text)
    assert found[4] == statements_head.UnitDefinition(
        5, "a1", "american", "armored_infantry", 3, 4, 5, division="28", reduced_attack=1, reduced_defence=1
    )
    assert found[7] == statements_head.UnitStatus(8, "a1", "in-transit")
    assert found[8] == st.TurnStart(9, 2, "american", "combat")
    assert found[9] == st.Combat(
        10,
        ("0609",),
        (
            st.Attack(11, ("a1",)),
            st.GuardAir(12, 3),
            st.Announce(13, "attacker", 11),
            st.Roll(14, (3, 4)),
            st.Retreat(15, ("g1",), ("0609",), "north"),
            st.Advance(16, ("a1",), ("0609",)),
        ),
    )


def test_ids_that_are_also_keywords() -> None:
    found = read("sheet 1\ngame hurtgen\nunit our german infantry 1-1-1\nposition\n  our 0705\n  cleared 0405\n")
    assert found[4:] == (statements_head.Placement(5, "our", "0705"), statements_head.ClearedTrail(6, "0405"))


@pytest.mark.parametrize(
    ("line", "column", "found", "expected"),
    [
        ("move a1 north", 14, "", "`:`"),
        ("move a1: 0705 07x4", 15, "07x4", "hex"),
        ("move a1: 705", 10, "705", "hex"),
        ("move a1: 0705 -", 16, "", "hex"),
        ("  mvoe a1: 0705", 3, "mvoe", "perhaps `move`"),
        ("bombard 0609 using a7", 14, "using", "end of the line"),
        ("enter a9: 0101 from 0202", 21, "0202", "edge"),
        ("build bridge 0304 by a5", 19, "by", "other hex"),
        ("attack a1", 1, "attack", "before this"),
        ("Dear Bruno, here is my turn", 1, "Dear", "statement"),
    ],
)
def test_problems_say_where_and_what(line: str, column: int, found: str, expected: str) -> None:
    sheet = read_sheet(f"{START}turn 2 american movement\n{line}\nrecover a1\n")
    (problem,) = sheet.problems
    assert (problem.line, problem.column, problem.found) == (6, column, found)
    assert expected in str(problem.expected)
    assert sheet.statements[-1] == st.Recover(7, ("a1",))


def test_a_combat_whose_first_line_is_unreadable_is_one_problem() -> None:
    sheet = read_sheet(
        f"{START}turn 2 american combat\ncombat 06x9\n  attack a1\n  roll 3 4\ncombat 0610\n  attack a1\n"
    )
    assert [p.line for p in sheet.problems] == [6]
    assert sheet.statements[-1] == st.Combat(9, ("0610",), (st.Attack(10, ("a1",)),))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("game hurtgen\n", [1]),
        ("sheet 2\ngame hurtgen\n", [1]),
        ("sheet 1\nturn 2 american combat\n", [2]),
        ("sheet 1\ngame hurtgen\ngame metz\n", [3]),
        ("sheet 1\ngame hurtgen\nmove a1: 0101\n", [3]),
        ("sheet 1\ngame hurtgen\nstatus a1 moved\n", [3]),
        (START + "turn 2 american combat\nterrain forest 0304\n", [6]),
        ("sheet 1\nturn x\n", [2, 2]),
    ],
)
def test_statements_out_of_place(text: str, lines: list[int]) -> None:
    assert [p.line for p in read_sheet(text).problems] == lines


def test_bounds(tmp_path: object) -> None:
    long = read_sheet("sheet 1\ngame hurtgen\nroad " + "0304 " * 5000 + "\npartial\n")
    assert [str(p.expected) for p in long.problems] == ["a shorter line"]
    assert long.statements[-1] == statements_head.Partial(4)
    noise = read_sheet("sheet 1\ngame hurtgen\n" + "nonsense\n" * 3000 + "partial\n")
    assert len(noise.problems) == 1000
    assert noise.statements[-1] == statements_head.Partial(3003)


def test_files_that_cannot_be_read() -> None:
    with pytest.raises(UnreadableSheet, match="cannot be read"):
        read_file("no-such-file.sheet")
    with pytest.raises(UnreadableSheet, match="no statement"):
        read_bytes(b"Dear Bruno,\nhow are you?\n", "mail")
    with pytest.raises(UnreadableSheet, match="too large"):
        read_bytes(b"#" * 8_000_001, "huge")


def test_sides_and_types_that_the_game_does_not_know() -> None:
    text = """\
sheet 1
game hurtgen
unit a1 amercian infantry 1-1-1
unit a2 american hussars 1-1-1
position
  control axis 0304
turn 2 axis combat
"""
    sheet = read_sheet(text)
    assert [(p.line, p.column, p.found) for p in sheet.problems] == [
        (3, 9, "amercian"),
        (4, 18, "hussars"),
        (6, 11, "axis"),
        (7, 8, "axis"),
    ]
    assert "american" in str(sheet.problems[0].expected) and "german" not in str(sheet.problems[0].expected)
    assert "antitank, armor, armored_engineer" in str(sheet.problems[1].expected)
    assert [s.unit for s in sheet.statements if isinstance(s, statements_head.UnitDefinition)] == ["a2"]


def problems(text: str) -> list[tuple[int, int, str]]:
    return [(p.line, p.column, p.found) for p in read_sheet(text).problems]


def test_terrains_that_the_game_does_not_know_are_left_out_of_what_is_read() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nmap blank swamp 9x9\nterrain town+swamp+forest 0304\n")
    assert [(p.line, p.column, p.found) for p in sheet.problems] == [(3, 11, "swamp"), (4, 14, "swamp")]
    assert sheet.statements[2:] == (
        statements_head.MapBlank(3, (), 9, 9),
        statements_head.TerrainEdit(4, ("town", "forest"), ("0304",)),
    )


def test_each_mistake_of_a_line_is_told() -> None:
    assert problems("sheet 1\ngame hurtgen\nunit a1 axis hussars 1-1\n") == [
        (3, 9, "axis"),
        (3, 14, "hussars"),
        (3, 22, "1-1"),
    ]


def test_a_turn_of_a_side_that_is_none_is_still_a_turn() -> None:
    assert problems("sheet 1\ngame hurtgen\nturn 2 axis movement\nmove a1: 0101 0102\n") == [(3, 8, "axis")]


def test_the_game_is_known_before_it_is_named() -> None:
    sheet = read_sheet('sheet 1\njogadores alemã="Ana"\ngame hurtgen\n')
    assert not sheet.problems
    assert sheet.statements[1] == statements_head.Players(2, (("german", "Ana"),))


def test_the_words_of_a_game_are_asked_for_once() -> None:
    asked: list[tuple[str, str]] = []

    def lookup(name: str, source: str) -> None:
        asked.append((name, source))

    read_sheet("sheet 1\ngame Nowhere\ngame hurtgen\n", "a.sheet", lookup)
    assert asked == [("nowhere", "a.sheet")]


def test_a_game_that_nobody_knows_may_have_any_words() -> None:
    sheet = read_sheet("sheet 1\ngame nowhere\nunit a1 red hussars 1-1-1\nmap blank deep_mud 9x9\n")
    assert not sheet.problems
    assert sheet.statements[2] == statements_head.UnitDefinition(3, "a1", "red", "hussars", 1, 1, 1)


def test_a_game_has_the_words_of_its_files_and_no_others() -> None:
    text = "sheet 1\ngame {}\nunit a1 alemã caça-tanques 1-1-1\nour 0304/0305\nrio-our 0304/0305\n"
    assert problems(text.format("bastogne")) == []
    assert problems(text.format("hurtgen")) == [(4, 1, "our"), (5, 1, "rio-our")]


def test_broken_files_of_a_game_do_not_stop_the_reader(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("name: mine\n", "utf-8")
    path = tmp_path / "a.sheet"
    path.write_text("sheet 1\ngame mine\nunit a1 red hussars 1-1-1\n", "utf-8")
    assert not read_file(path).problems


def test_what_is_optional_comes_in_any_order() -> None:
    lines = "turn 2 american movement\nenter a9: 0101 by road from west\nclear 0405 roll 4 by a1\n"
    assert read(START + lines)[5:] == (
        st.Enter(6, ("a9",), ("0101",), "west", "road"),
        st.ClearTrail(7, "0405", "a1", 4),
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("enter a9: 0101 0201 onwards", "`from`, `by` or the end of the line"),
        ("enter a9: 0101 0201 from nowhere", "an edge: north, south, east, west"),
        ("map", "one of: `printed`, `blank`"),
        ("build", "`bridge`"),
        ("move a1: 0101 by road", "the end of the line"),
        ("name 0306 Hill 400", "in quotes"),
    ],
)
def test_hints_follow_from_the_declaration(line: str, expected: str) -> None:
    (problem, *_) = [p for p in read_sheet(f"{START}turn 2 american movement\n{line}\n").problems if p.column > 1]
    assert expected in str(problem.expected)


def test_hints_speak_the_language_of_the_sheet() -> None:
    text = (
        "planilha 1\njogo hurtgen\nposição\n  a1 0705\nturno 2 americano movimento\n"
        "movre a1: 0705 0704\nentrar a9: 0101 de cima\nturno 3 alemao combate\nturno 4 alemães luta\n"
    )
    found = [str(p.expected) for p in read_sheet(text).problems]
    assert found == [
        "a statement, perhaps `mover`",
        "an edge: norte, sul, leste, oeste",
        "a phase: movimento, combate",
    ]
    assert Words("pt").say(read_sheet(text).problems[0].expected) == "uma instrução, talvez `mover`"
