"""Victory points, part by part (10.2, Metz 11.2)."""

from __future__ import annotations

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.text.hexgrid import grid
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

HEAD = """\
sheet 1
game {game}
partial
map blank open {size}
{more}
position
{position}
turn {turn}
"""


def answer(game: str, turn: str, position: str = "", more: str = "", size: str = "", *, after: str = "") -> Answer:
    own = load(game).map.grid
    size = size or f"{own.columns}x{own.rows}"
    text = HEAD.format(game=game, size=size, more=more, position=position, turn=turn) + after
    return judge(read_sheet(text))


def test_a_place_belongs_to_whoever_was_there_last() -> None:
    units = "name 0306 Schmidt\nname 0308 Germeter\nunit a1 american infantry 4-4-5\nunit g1 german infantry 1-2-5"
    position = "  a1 0305\n  g1 0308\n  control german 0306\n"
    before = answer("hurtgen", "9 american movement", position, units)
    assert before.score == {"american": 0, "german": 20 + 10}
    passed = answer("hurtgen", "9 american movement", position, units, after="move a1: 0305 0306 0206\n")
    assert passed.score == {"american": 20, "german": 10}


def test_all_hexes_of_a_place_are_wanted() -> None:
    names = "name 0608 Metz\nname 0707 Metz\nunit g1 german infantry 1-3-6\nunit a1 american infantry 4-4-6"
    held = "  g1 2808\n  a1 0101\n  control german 0608\n"
    assert answer("metz", "5 german movement", held, names).score == {"american": 0, "german": 0}
    held += "  control german 0707\n"
    assert answer("metz", "5 german movement", held, names).score == {"american": 0, "german": 100}


def test_the_printed_map_starts_with_the_line_of_the_set_up() -> None:
    found = judge(read_sheet("sheet 1\ngame metz\npartial\nturn 1 american movement\nairroll 4\n"))
    objectives = load("metz").victory.objectives
    assert found.score == {"american": 0, "german": sum(o.points.get("german", 0) for o in objectives)}


def test_destroyed_units_of_this_sheet_and_before_it() -> None:
    more = "unit a1 american infantry 4-4-5\nunit g1 german infantry 1-2-5 reduced 1-1"
    position = "  a1 1009\n  g1 1010 reduced\n  lost german infantry 1-2-5\n  lost american infantry 4-4-5\n"
    fight = "combat 1010\n  attack a1\n  eliminate g1\n"
    found = answer("hurtgen", "5 american combat", position, more, after=fight)
    assert found.score == {"american": 10, "german": 5}
    assert [(p.side, p.cause, p.points) for p in found.parts] == [
        ("american", "destroyed", 10),
        ("german", "destroyed", 5),
    ]


@pytest.mark.parametrize(("edge", "turn", "points"), [("west", 23, 5), ("west", 24, 0), ("north", 22, 0)])
def test_exits_of_before_count_by_edge_and_turn(edge: str, turn: int, points: int) -> None:
    found = answer("bastogne", "26 american combat", f"  left german lehr {edge} {turn}\n")
    assert found.score["german"] == points
    assert found.score["american"] == (0 if points else 50)


@pytest.mark.parametrize(("passed", "points"), [("  status g1 passed-noville\n", 5), ("", 0)])
def test_the_second_panzer_must_have_passed_noville(passed: str, points: int) -> None:
    unit = "unit g1 german armor 6-5-15 division 2"
    leaves = "exit g1: 0501 to north\n"
    found = answer("bastogne", "22 german movement", "  g1 0501\n" + passed, unit, after=leaves)
    assert found.score["german"] == points


@pytest.mark.parametrize(("turn", "points"), [("20 german combat", 5 * 1), ("20 german movement", 0)])
def test_a_third_of_the_reduced_is_lost_at_the_end_of_the_game(turn: str, points: int) -> None:
    units = "".join(f"unit g{i} german infantry 2-4-6\n" for i in range(5)) + "unit a1 american infantry 4-4-6"
    position = "".join(f"  g{i} 200{i + 1} reduced\n" for i in range(5)) + "  a1 0101\n"
    found = answer("metz", turn, position, units)
    # five reduced Germans: one counts as destroyed, for two points
    assert found.score["american"] == (2 if points else 0)
    assert found.score["german"] == 0


def test_one_unit_behind_the_line_is_enough_and_two_are_no_more() -> None:
    field = grid(10, 12, load("metz").map.grid.low)
    sides = [f"{a}/{b}" for a in field for b in field.neighbours[a] if (a[:2], b[:2]) == ("05", "06")]
    units = "\nunit a1 american infantry 4-4-6\nunit a2 american infantry 4-4-6"
    line = "siegfried " + " ".join(sides) + units
    size = "10x12"
    assert answer("metz", "9 american combat", "  a1 0505\n", line, size).score["american"] == 0
    east = answer("metz", "9 american combat", "  a1 0605\n  a2 0801\n", line, size)
    assert east.score["american"] == 20
    gap = "siegfried " + " ".join(sides[:5] + sides[6:]) + units
    assert answer("metz", "9 american combat", "  a1 0605\n", gap, size).score["american"] == 0


def test_a_wrong_score_is_found_on_its_line() -> None:
    more = "name 0306 Schmidt\nunit g1 german infantry 1-2-5"
    found = answer("hurtgen", "9 german combat", "  g1 0306\n", more, after="score american 0 german 25 red 3\n")
    assert [(f.line, f.code, f.declared, f.computed, f.rule) for f in found.findings] == [
        (11, "score", 25, 20, "H 10.2"),
        (11, "wrong-side", "red", None, "H 10.2"),
    ]


def test_a_score_that_reconstructed_places_could_explain_is_doubtful() -> None:
    text = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\nscore american {} german {}\n"
    computed = judge(read_sheet(text.format(0, 0))).score
    for more, severity in ((10, "doubtful"), (3, "illegal"), (100, "illegal")):
        wrong = text.format(computed["american"] + more, computed["german"])
        assert [f.severity for f in judge(read_sheet(wrong)).findings] == [severity]
