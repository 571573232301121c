"""Where a rule just holds and where it just does not: each of these is one step beside what another test shows."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.replay import Judgement

from .combat_sheets import assault, faults, play, scenario


def severities(judged: Judgement, code: str) -> list[str]:
    return [f.severity for f in judged.findings if f.code == code]


# ------------------------------------------------------------------------------------ unity of command (5.1.4)

APART = """a1 infantry 3-3-6 regiment 1 division 71 @ 1009 | a2 infantry 3-3-6 regiment 1 division 71 @ 1009
| a3 infantry 3-3-6 regiment 2 division 72 @ 1011 | a4 infantry 3-3-6 regiment 2 division 72 @ 1011
| a5 infantry 3-3-6 regiment 3 division 72 @ 0101 | g1 infantry 1-1-5 @ 1010"""


@pytest.mark.parametrize(
    ("option", "attackers", "columns"),
    [
        ("yes", "a1 a2 a3 a4", 3),  # two for the division of one regiment, one for the regiment of the other
        ("no", "a1 a2 a3 a4", 2),
        ("yes", "a1 a2", 2),
        ("yes", "a3 a4", 1),
        ("yes", "a1 a2 a3", 2),
    ],
)
def test_a_regiment_beside_a_whole_division_has_a_column_of_its_own_where_regiments_add_up(
    option: str, attackers: str, columns: int
) -> None:
    judged = assault("hurtgen", APART, f"attack {attackers}", header=f"partial|option regimental_stacks={option}")
    assert sum(s.columns for s in judged.combats[0].shifts if s.rule == "H 5.1.4") == columns


# ------------------------------------------------------------------------- outline of the perimeter (B 8.0, P)


def beside_the_perimeter(distance: int) -> str:
    """A hex so far from the outline that the printed map's file assumes."""
    field = scenario("bastogne").map
    area = field.area["bastogne-perimeter"]
    far = {h: min(field.grid.distance(h, a) for a in area) for h in field.grid.neighbours}
    return next(h for h, d in sorted(far.items()) if d == distance)


@pytest.mark.parametrize(("distance", "severity"), [(2, "doubtful"), (3, "doubtful"), (4, "illegal")])
def test_a_gun_is_in_doubt_as_far_from_the_outline_as_it_may_be_wrong(distance: int, severity: str) -> None:
    assert (rule := scenario("bastogne").game.rules.combat.artillery.perimeter) and rule.margin == 3
    target = beside_the_perimeter(0)
    enemy = scenario("bastogne").map.grid.neighbours[target][0]
    judged = assault(
        "bastogne",
        f"a1 infantry 3-4-10 division 101 @ {target} | g1 infantry 4-4-8 @ {enemy}"
        f" | a7 artillery 2-1-8 range 40 division 9 @ {beside_the_perimeter(distance)}",
        "attack g1 | guard a7",
        header="partial",
        turn="22 german",
        target=target,
        board="map printed",
    )
    assert severities(judged, "artillery-support") == [severity]


# ------------------------------------------------------------------------------ withdrawals of Metz (M 4.2.2, R81)

DIVISIONS = """partial
unit w1 american infantry 3-3-6 regiment 101 division 26
unit w2 american infantry 3-3-6 regiment 104 division 26
unit w3 american infantry 3-3-6 regiment 328 division 26
unit x1 american infantry 4-1-6 reduced 2-1 regiment 2 division 5
unit x2 american infantry 4-4-6 regiment 10 division 5
unit x3 american infantry 4-4-6 regiment 11 division 5
unit g1 german infantry 1-3-6
unit g2 german infantry 1-3-6
unit g3 german infantry 20-9-6
position
w1 1010
w2 1010
w3 0205
g1 1009
g2 1011
x1 2010 reduced
x2 2501
x3 2502
g3 2011
turn 17 american movement
airroll 3
turn 17 american combat
turn 17 german movement
turn 17 german combat
"""
"""The 26th and the 5th are as strong as each other when turn 17 begins; two regiments of the 26th are encircled."""
LOST = "combat 2010\n attack g3\n roll 6 5\n eliminate x1\n advance g3: 2011 2010\n"


@pytest.mark.parametrize("lost", ["", LOST])
def test_turn_17_decides_who_leaves_in_turn_18(lost: str) -> None:
    """That the 5th is the weaker one from turn 17's combats on does not make it go in place of the 26th."""
    judged = play("metz", f"{DIVISIONS}{lost}turn 18 american movement\nairroll 3\n", board="map blank open 28x23")
    assert faults(judged) == []
    assert judged.position.hex_of("w1") == "1010"
    assert (judged.position.hex_of("x1") is None) == bool(lost)
    gone = {u for u, state in judged.position.units.items() if state.where == "withdrawn"}
    assert gone == {"w3"}


# --------------------------------------------------------------------------------------- duty to attack (4.1.2)


@pytest.mark.parametrize(("side", "owes"), [("german", True), ("american", False)])
def test_contact_of_this_turn_obliges_the_side_that_moves_first_alone(side: str, owes: bool) -> None:
    """The enemy may have come to who moves second, so that its dominant terrain still excuses it."""
    enemy = "american" if side == "german" else "german"
    judged = play(
        "bastogne",
        f"terrain forest 1010\nunit u1 {side} infantry 3-4-8\nunit u2 {enemy} infantry 3-4-8\n"
        f"position\nu1 1010\nu2 1011\nstatus u1 engaged-since 22\nturn 22 {side} combat\n",
    )
    assert faults(judged) == ([("B 4.1.2", "must-attack")] if owes else [])


# ------------------------------------------------------------------------- several waters on one hexside (4.0)


@pytest.mark.parametrize("waters", ["river our", "our river", "clerf sure our", "our"])
def test_the_dearest_of_several_waters_on_a_hexside_is_paid_and_no_other(waters: str) -> None:
    ground = "".join(f"{kind} 1010/1011\n" for kind in waters.split())
    judged = play(
        "bastogne",
        f"{ground}unit g1 german infantry 3-4-8\nunit g2 german motorized_infantry 3-4-8\n"
        "position\ng1 1010\ng2 1010\nturn 22 german movement\nmove g1: 1010 1011\nmove g2: 1010 1011\n",
    )
    assert faults(judged) == []
    # Costs are halves of points.
    assert [m.cost for m in judged.moves] == [2 * (1 + 2), 2 * (1 + 3)]


def test_several_waters_on_a_hexside_help_a_defence_once() -> None:
    units = "a1 infantry 9-9-8 @ 1009 | g1 infantry 3-3-8 @ 1010"
    ground = "river 1009/1010|our 1009/1010|sure 1009/1010"
    judged = assault("bastogne", units, "attack a1", header="partial", ground=ground)
    assert [s.columns for s in judged.combats[0].shifts] == [-2]


# --------------------------------------------------------------------------- which line is the nearest (B 4.2.1, D)


@pytest.mark.parametrize(
    ("clerf", "barred"),
    [
        ("0505/0605", True),  # the only one, to the left
        ("1505/1605", False),  # the only one, to the right
        ("0505/0605 1204/1304", False),  # the nearest lies to the right, though another lies to the left
        ("0904/1004 1505/1605", True),
        ("0904/1004 0119/0219 1505/1605", True),
        ("1003/1103", False),  # straight above it
        ("0515/0615 1302/1402", False),  # the nearer one in straight line, though farther in rows or columns alone
        ("0504/0604 1119/1219", True),
        ("0904/1004 1101/1201", True),
        ("0505/0605 1101/1201", False),  # five columns to the left, four rows up: the latter is a little nearer
        ("0605/0705 1101/1201", True),  # four columns to the left
    ],
)
def test_east_of_a_river_is_east_of_its_nearest_hexside(clerf: str, barred: bool) -> None:
    judged = play(
        "bastogne",
        f"clerf {clerf}\nsure 1005/1105\nunit a1 american infantry 3-4-8\nunit g1 german infantry 3-4-8\n"
        "position\na1 1005\nstatus a1 reinforcement\ng1 2020\nturn 22 american movement\nmove a1: 1005 1105\n",
    )
    assert faults(judged) == ([("B 4.2.1", "river-crossing")] if barred else [])


# ----------------------------------------------------------------------------------------- bridges (M 10.0, R84)


def dry_hexside() -> tuple[str, str]:
    """Two hexes of Metz with nothing on the hexside between them, on ground that is a reconstruction."""
    field = scenario("metz").map
    for hex_, around in sorted(field.grid.neighbours.items()):
        for other in around:
            pair = (hex_, other) if hex_ < other else (other, hex_)
            if hex_[:2] > "06" and pair not in field.hexsides and pair not in field.links:
                return hex_, other
    raise AssertionError


@pytest.mark.parametrize(
    ("board", "drawn", "severity"),
    [
        ("map printed", "", "doubtful"),  # water may run where the reconstruction has none
        ("map printed", "border {a}/{b}\n", "illegal"),  # the sheet says what is there
        ("map blank open 28x23", "", "illegal"),
    ],
)
def test_a_bridge_where_no_water_is_drawn_is_in_doubt_on_a_reconstructed_map(
    board: str, drawn: str, severity: str
) -> None:
    a, b = dry_hexside()
    judged = play(
        "metz",
        f"partial\n{drawn.format(a=a, b=b)}unit e1 american engineer 1-1-6\nposition\ne1 {a}\n"
        f"turn 5 german combat\nturn 6 american movement\nairroll 3\nbuild bridge {a}/{b} by e1\n",
        board=board,
    )
    (found,) = [f for f in judged.findings if f.message.key == "findings.bridge-water"]
    assert found.severity == severity
    assert [(d.values["a"], d.values["b"]) for d in found.rests_on] == (
        [(min(a, b), max(a, b))] if severity == "doubtful" else []
    )
