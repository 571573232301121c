"""The worked examples of section 4 of the three rulebooks, on the maps that the games are played on."""

from __future__ import annotations

import pytest

from tests.referee.played import faults, illegal, play


@pytest.mark.parametrize(
    ("game", "unit", "turn", "way", "cost"),
    [
        pytest.param("bastogne", "armor 6-4-20", 20, "1607 - 2902 3002 3103 3203 3303", 19, id="B 4.0"),
        pytest.param("hurtgen", "infantry 3-4-5", 3, "0807 0907 1007 1108 1109", 5, id="H 4.0"),
    ],
)
def test_a_printed_move_comes_out_on_the_printed_map(game: str, unit: str, turn: int, way: str, cost: int) -> None:
    start = way[:4]
    game_sheet = f"unit a1 american {unit}\nposition\n a1 {start}\nturn {turn} american movement\nmove a1: {way}\n"
    judgement = play(game, game_sheet, blank=False)
    assert not faults(judgement)
    assert judgement.moves[0].cost == 2 * cost


def test_the_move_from_delme_to_beyond_donnelay_is_legal_and_costs_no_more_than_printed() -> None:
    # The two hexes beyond Moyenvic lie "to the southeast", on whichever ways the players choose.
    judgement = play(
        "metz",
        """unit a1 american armor 7-5-10
        position
          a1 0616
        turn 4 american movement
        airroll 3
        move a1: 0616 - 0721 0822 0922 1023
        """,
        blank=False,
    )
    assert not illegal(judgement)
    assert judgement.moves[0].cost <= 20


def test_one_point_left_does_not_buy_forest_and_rough() -> None:
    way = "1607 - 2902 3002 3103 3203 3303 3202"
    sheet = f"unit a1 american armor 6-4-20\nposition\n a1 1607\nturn 20 american movement\nmove a1: {way}\n"
    judgement = play("bastogne", sheet, blank=False)
    assert faults(judgement) in ([("movement-cost", "illegal")], [("movement-cost", "doubtful")])


SITTING = """terrain {ground} {own}
unit {me} {side} infantry 3-4-6
unit {foe} {enemy} infantry 3-4-6
position
  {me} {own}
  {foe} 0911
turn {turn} {side} movement
{die}
turn {turn} {side} combat
"""


@pytest.mark.parametrize(
    ("game", "side", "ground", "turn"),
    [("bastogne", "german", "forest", 20), ("metz", "american", "town", 4), ("hurtgen", "american", "town", 3)],
)
def test_who_sits_in_dominant_terrain_need_neither_leave_nor_attack(
    game: str, side: str, ground: str, turn: int
) -> None:
    enemy = "american" if side == "german" else "german"
    die = "airroll 3" if game == "metz" else ""
    names = {"me": "m1", "foe": "f1", "side": side, "enemy": enemy, "own": "0910", "turn": turn, "die": die}
    assert not faults(play(game, SITTING.format(ground=ground, **names)))
    assert faults(play(game, SITTING.format(ground="open", **names))) == [("must-attack", "illegal")]
