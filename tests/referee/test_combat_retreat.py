"""Retreats: where to, over what, in chains, encircled, off the map."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hexforge.validator.rules.combat.encirclement import encircled, free_hexes
from tests.examples import examples
from tests.referee.combat_sheets import assault, faults, play, scenario

ONE = "a1 infantry 8-4-10 reduced 4-2 @ 1009 | g1 infantry 3-4-8 reduced 2-2 @ 1010"
WON = "attack a1 | roll 6 6 | result DRI AVI"


@pytest.mark.parametrize(
    ("way", "wrong"),
    [
        ("1010 1011", []),
        ("1010 0911", []),
        ("1010 0910", [("B 5.3", "retreat")]),
        ("1010 1009", [("B 5.3", "enemy-occupied")]),
        ("1010 1011 1012", [("B 5.3", "retreat")]),
        ("1010 1012", [("B 5.3", "not-adjacent")]),
        ("1010", [("B 5.1.6", "retreat")]),
        ("1011 1012", [("B 5.3", "not-there")]),
    ],
)
def test_a_retreat_goes_one_free_hex(way: str, wrong: list[tuple[str, str]]) -> None:
    assert faults(assault("bastogne", ONE, f"{WON} | retreat g1: {way}")) == wrong


def test_units_may_scatter_but_all_must_go() -> None:
    units = f"{ONE} | g2 infantry 1-0-8 @ 1010"
    assert faults(assault("bastogne", units, f"{WON} | retreat g1: 1010 1011 | retreat g2: 1010 1111")) == []
    assert faults(assault("bastogne", units, f"{WON} | retreat g1: 1010 1011")) == [("B 5.1.6", "retreat")]


def test_who_need_not_go_stays() -> None:
    units = f"{ONE} | g2 infantry 3-4-8 @ 1510"
    judged = assault("bastogne", units, f"{WON} | retreat g1: 1010 1011 | retreat g2: 1510 1511")
    assert faults(judged) == [("B 5.1.6", "retreat")]


def test_attackers_retreat_by_the_same_rules() -> None:
    units = "a1 infantry 4-4-10 @ 1009 | a7 artillery 1-1-8 range 9 @ 1005 | g1 infantry 3-5-8 @ 1010"
    lost = "attack a1 | support a7 | roll 3 4 | result DVI ARI"
    assert faults(assault("bastogne", units, f"{lost} | retreat a1: 1009 1008")) == []
    assert faults(assault("bastogne", units, f"{lost} | retreat a1: 1009 0910")) == [("B 5.3", "retreat")]
    assert faults(assault("bastogne", units, lost)) == [("B 5.1.6", "retreat")]


# ------------------------------------------------------------------------------------------------ water

TYPES = {
    "bastogne": {
        "dies": "armor assault_gun tank_destroyer mechanized_cavalry",
        "loses": "motorized_infantry mechanized_infantry armored_engineer artillery mechanized_artillery rocket",
        "free": "infantry parachute glider engineer",
    },
    "metz": {
        "dies": "armor tank_destroyer mechanized_cavalry",
        "loses": "armored_infantry artillery",
        "free": "infantry engineer construction_engineer fortress_infantry security",
    },
    "hurtgen": {
        "dies": "armor tank_destroyer mechanized_cavalry",
        "loses": "infantry engineer artillery mortar antitank armored_infantry fortress_infantry armored_engineer",
        "free": "",
    },
}
CASES = [
    (game, kind, fate) for game, fates in TYPES.items() for fate, kinds in fates.items() for kind in kinds.split()
]


@pytest.mark.parametrize(("game", "kind", "fate"), CASES)
def test_what_water_does_to_each_type(game: str, kind: str, fate: str) -> None:
    units = f"a1 infantry 20-4-10 @ 1009 | g1 {kind} 3-4-8 reduced 2-2 @ 1010"
    acts = {"dies": "eliminate g1", "loses": "lose g1", "free": ""}
    for other, told in acts.items():
        judged = assault(
            game,
            units,
            f"attack a1 | roll 3 4 | result DRI AVI | retreat g1: 1010 1011 | {told}",
            ground="river 1010/1011",
        )
        letter = game[0].upper()
        wrong = [f for f in faults(judged) if f != (f"{letter} 5.1.6", "result")]
        assert (wrong == []) == (other == fate), (other, wrong)
        assert all(rule == f"{letter} 5.3.2" for rule, _ in wrong)


@pytest.mark.parametrize(
    ("game", "ground"),
    [
        ("bastogne", "road 1010 1011"),
        ("metz", "rail 1010 1011"),
        ("metz", "bridge 1010/1011"),
        ("hurtgen", "bridge 1010/1011"),
        ("hurtgen", "dam 1010/1011"),
    ],
)
def test_a_bridge_carries_everybody(game: str, ground: str) -> None:
    units = "a1 infantry 8-4-10 @ 1009 | g1 armor 3-4-8 @ 1010"
    judged = assault(
        game, units, "attack a1 | result DRI AVI | retreat g1: 1010 1011", ground=f"river 1010/1011|{ground}"
    )
    assert [f for f in faults(judged) if f[1] != "result"] == []
    assert judged.position.units["g1"].step == "full"


def test_a_unit_hit_in_the_combat_dies_in_the_water() -> None:
    units = "a1 infantry 12-4-10 @ 1009 | g1 motorized_infantry 3-4-16 reduced 2-2 @ 1010"
    acts = "attack a1 | roll 6 6 | result DRB AVI | lose g1 | retreat g1: 1010 1011"
    assert faults(assault("bastogne", units, acts, ground="river 1010/1011")) == [("B 5.3.2", "losses")]
    assert faults(assault("bastogne", units, f"{acts} | eliminate g1", ground="river 1010/1011")) == []


def test_armour_with_water_on_every_free_side_may_be_taken_off_at_once() -> None:
    units = "a1 infantry 8-4-10 @ 1009 | g1 armor 3-4-8 @ 1010"
    water = "river 1010/1011 1010/0911 1010/1111"
    assert faults(assault("bastogne", units, f"{WON} | eliminate g1", ground=water)) == []
    assert faults(assault("bastogne", units, f"{WON} | eliminate g1")) == [("B 5.1.6", "losses")]


# ------------------------------------------------------------------------------------------ encirclement

RING = "a1 infantry 8-4-10 @ 1009 | a2 infantry 4-4-10 @ 1011 | g1 infantry 3-4-8 reduced 2-2 @ 1010"
DRIVEN = "attack a1 a2 | roll 6 6 | result DRI AVI"
HIT = "attack a1 a2 | roll 5 6 | result DRB AVI | lose g1"


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("retreat g1: 1010 0910 0810 | lose g1", []),
        ("retreat g1: 1010 0910 0810", [("B 5.3.3", "losses")]),
        ("retreat g1: 1010 0910", [("B 5.3.3", "retreat")]),
        ("eliminate g1", [("B 5.1.6", "losses")]),
    ],
)
def test_an_encircled_unit_goes_two_hexes_with_a_loss(told: str, wrong: list[tuple[str, str]]) -> None:
    judged = assault("bastogne", RING, f"{DRIVEN} | {told}")
    assert [f for f in faults(judged) if f[1] != "result"] == wrong


def test_through_friends_there_is_no_loss() -> None:
    units = f"{RING} | g2 infantry 3-4-8 @ 0910"
    judged = assault("bastogne", units, f"{DRIVEN} | retreat g1: 1010 0910 0810")
    assert [f for f in faults(judged) if f[1] != "result"] == []
    judged = assault("bastogne", units, f"{DRIVEN} | retreat g1: 1010 0910 0810 | lose g1")
    assert [f for f in faults(judged) if f[1] != "result"] == [("B 5.3.3", "losses")]


def test_who_was_hit_gets_out_only_through_friends() -> None:
    assert [f for f in faults(assault("bastogne", RING, f"{HIT} | eliminate g1")) if f[1] != "result"] == []
    alone = assault("bastogne", RING, f"{HIT} | retreat g1: 1010 0910 0810")
    assert [f for f in faults(alone) if f[1] != "result"] == [("B 5.3.3", "losses")]
    friends = assault("bastogne", f"{RING} | g2 infantry 3-4-8 @ 0910", f"{HIT} | retreat g1: 1010 0910 0810")
    assert [f for f in faults(friends) if f[1] != "result"] == []


def test_a_second_hex_in_an_enemy_zone_kills() -> None:
    units = f"{RING} | a3 infantry 4-4-10 @ 0710"
    acts = f"{DRIVEN} | retreat g1: 1010 0910 0810"
    assert ("B 5.3.3", "losses") in faults(assault("bastogne", units, acts))
    assert [f for f in faults(assault("bastogne", units, f"{acts} | eliminate g1")) if f[1] != "result"] == []


# ------------------------------------------------------------------------------------------------ chains

FULL = f"{ONE} | " + " | ".join(f"g{n} infantry 3-4-8 @ 1011" for n in range(2, 6))


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("retreat g1: 1010 1011 | retreat g2: 1011 1012", []),
        ("retreat g1: 1010 1011 | retreat g1: 1011 1012", []),
        ("retreat g1: 1010 1011", [("B 5.3.1", "stacking")]),
        ("retreat g1: 1010 1011 | retreat g2: 1011 1012 1013", [("B 5.3.1", "retreat")]),
        ("retreat g1: 1010 1011 | retreat g2: 1011 0911", [("B 5.3.1", "retreat")]),
    ],
)
def test_a_full_hex_makes_room_for_one(told: str, wrong: list[tuple[str, str]]) -> None:
    judged = assault("bastogne", f"{FULL} | a3 infantry 3-4-10 @ 0811", f"{WON} | {told}")
    assert faults(judged) == wrong


def test_chains_begin_at_the_games_own_limit() -> None:
    units = f"{ONE} | " + " | ".join(f"g{n} infantry 3-4-8 @ 1011" for n in range(2, 5))
    assert faults(assault("hurtgen", units, f"{WON} | retreat g1: 1010 1011")) == [("H 5.3.1", "stacking")]
    judged = assault("bastogne", units, f"{WON} | retreat g1: 1010 1011")
    assert faults(judged) == []


# --------------------------------------------------------------------------------------------- off the map

EDGES = [
    ("bastogne", "american", "north", "eliminated"),
    ("bastogne", "american", "south", "retreated"),
    ("bastogne", "german", "south", "eliminated"),
    ("bastogne", "german", "west", "retreated"),
    ("metz", "american", "east", "eliminated"),
    ("metz", "german", "west", "eliminated"),
    ("metz", "german", "east", "retreated"),
    ("hurtgen", "german", "west", "eliminated"),
    ("hurtgen", "american", "east", "eliminated"),
    ("hurtgen", "american", "west", "retreated"),
]


@pytest.mark.parametrize(("game", "side", "edge", "where"), EDGES)
def test_the_edge_decides_what_becomes_of_a_unit(game: str, side: str, edge: str, where: str) -> None:
    columns, rows = scenario(game).map.grid.columns, scenario(game).map.grid.rows
    hexes = {
        "north": ("2001" if columns > 20 else "0901", "2002" if columns > 20 else "0902"),
        "south": (f"20{rows}", f"20{rows - 1}"),
        "west": ("0105", "0205"),
        "east": (f"{columns}10", f"{columns - 1:02d}10"),
    }[edge]
    loser, winner = (("a1", "american"), ("g1", "german"))[:: 1 if side == "american" else -1]
    turn = {"bastogne": 22, "metz": 6, "hurtgen": 6}[game]
    judged = play(
        game,
        f"""partial
        unit {loser[0]} {loser[1]} infantry 3-4-8
        unit {winner[0]} {winner[1]} infantry 20-4-8
        position
        {loser[0]} {hexes[0]}
        {winner[0]} {hexes[1]}
        turn {turn} {winner[1]} combat
        combat {hexes[0]}
        attack {winner[0]}
        result DRI AVI
        retreat {loser[0]}: {hexes[0]} to {edge}""",
        board=f"map blank open {columns}x{rows}",
    )
    assert faults(judged) == []
    state = judged.position.units[loser[0]]
    assert (state.where, state.step == "eliminated") == (where, where == "eliminated")
    assert state.left is not None and state.left.edge == edge


@pytest.mark.parametrize(
    ("hex_", "edge"), [("1001", "west"), ("1501", "north"), ("2822", "east"), ("0323", "south")]
)
def test_perimeter_hexes_of_no_printed_edge_have_one_to_retreat_by(hex_: str, edge: str) -> None:
    units = f"a1 infantry 20-4-10 @ {scenario('metz').map.grid.neighbours[hex_][-1]} | g1 infantry 3-4-8 @ {hex_}"
    other = next(e for e in ("north", "east") if e != edge)
    for way, legal in ((edge, True), (other, False)):
        judged = assault(
            "metz",
            units,
            f"attack a1 | result DRI AVI | retreat g1: {hex_} to {way}",
            target=hex_,
            header="partial",
            board="map blank open 28x23",
        )
        assert (faults(judged) == []) == legal, (way, judged.findings)


# -------------------------------------------------------------------------------------------- properties


@examples(60, deadline=None)
@given(
    enemies=some.sets(
        some.sampled_from(["1009", "1011", "0910", "0911", "1110", "1111", "0810", "1210"]), min_size=1
    ),
    friends=some.sets(some.sampled_from(["1009", "1011", "0910", "0911", "1110", "1111"])),
)
def test_every_free_hex_is_a_legal_retreat_and_no_other_is(enemies: set[str], friends: set[str]) -> None:
    friends -= enemies
    board = scenario("bastogne").map.grid
    attackers = [h for h in enemies if board.adjacent(h, "1010")]
    if not attackers:
        return
    names = {h: f"a{i}" for i, h in enumerate(sorted(enemies), 1)}
    units = [f"{names[h]} infantry 20-4-10 @ {h}" for h in sorted(enemies)]
    units += [f"g{i} infantry 3-4-8 @ {h}" for i, h in enumerate(sorted(friends), 2)]
    units.append("g1 infantry 3-4-8 @ 1010")
    told = f"attack {' '.join(names[h] for h in sorted(attackers))} | roll 6 6"

    def judged(way: str) -> list[tuple[str, str]]:
        result = assault("bastogne", " | ".join(units), f"{told} | result DRI AVI | {way}", header="partial")
        return [f for f in faults(result) if f[1] != "result"]

    before = play(
        "bastogne",
        "\n".join(
            [
                "partial",
                *(
                    f"unit {u.partition(' @ ')[0].replace(' ', ' american ' if u[0] == 'a' else ' german ', 1)}"
                    for u in units
                ),
                "position",
                *(f"{u.split()[0]} {u.split()[-1]}" for u in units),
                "turn 22 american combat",
            ]
        ),
    )
    free = free_hexes(before.ctx, before.position, "g1")
    assert encircled(before.ctx, before.position, "1010", "german") == (not free)
    for neighbour in before.position.grid.neighbours["1010"]:
        assert (judged(f"retreat g1: 1010 {neighbour}") == []) == (neighbour in free), neighbour
