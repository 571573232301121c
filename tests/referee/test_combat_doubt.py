"""What of a combat's judgement rests on ground that no rulebook prints."""

from __future__ import annotations

import pytest

from hexforge.validator.rules.findings import Finding
from tests.examples import FULL
from tests.referee.combat_sheets import play, scenario


def printed(game: str, text: str) -> list[Finding]:
    judged = play(game, text, board="map printed")
    return [f for f in judged.findings if f.severity in ("illegal", "doubtful")]


METZ = """partial
    unit a1 american armor 12-4-10
    unit g1 german infantry 1-3-6
    position
    a1 {start}
    g1 {target}
    turn 4 american combat
    combat {target}
    attack a1
    declare 12:3 odds 4-1 column {column}"""


def test_where_no_reading_of_the_hexsides_changes_the_columns_they_raise_no_doubt() -> None:
    # 0608 is printed as town and fortification: a river or another line before it would add nothing.
    found = printed("metz", METZ.format(start="0607", target="0608", column="4-1"))
    assert [(f.severity, f.rule, f.rests_on) for f in found] == [("illegal", "M 5.1.2", ())]


@pytest.mark.parametrize(
    ("column", "severity"),
    [("1-3", "illegal"), ("1-2", "doubtful"), ("4-1", "doubtful"), ("5-1", "illegal"), ("9-1", "illegal")],
)
def test_a_column_that_other_ground_of_the_target_would_give_is_doubtful(column: str, severity: str) -> None:
    # From 4-1 a river takes two columns, works two more; open ground without a river none, and no ground adds one.
    map_ = scenario("metz").map
    target = next(
        h
        for h in map_.grid
        if map_.provenance.get(h) == "assumed"
        and map_.terrain[h] == ("woods",)
        and any(map_.terrain[n] == ("open",) for n in map_.grid.neighbours[h])
    )
    start = next(n for n in map_.grid.neighbours[target] if map_.terrain[n] == ("open",))
    found = printed("metz", METZ.format(start=start, target=target, column=column))
    assert [f.severity for f in found] == [severity]
    assert any(target in str(doubt) for doubt in found[0].rests_on) == (severity == "doubtful")


def test_ground_that_the_sheet_describes_is_not_in_doubt() -> None:
    sheet = METZ.format(start="1009", target="1010", column="4-1")
    found = printed("metz", f"terrain town 1010\nfortification 1010\n{sheet}")
    assert [f.severity for f in found] == ["illegal"]


@pytest.mark.parametrize(("hex_", "severity"), [("0805", "doubtful"), ("4007", "illegal")])
def test_the_outline_of_the_perimeter_is_doubted_near_it_only(hex_: str, severity: str) -> None:
    found = printed(
        "bastogne",
        f"""partial
        unit g1 german infantry 30-4-8
        unit a1 american infantry 3-4-10
        unit a7 american artillery 3-1-8 range 50
        position
        g1 1106
        a1 1107
        a7 {hex_}
        turn 22 german combat
        combat 1107
        attack g1
        guard a7""",
    )
    assert [(f.rule, f.severity) for f in found] == [("B 8.0", severity)]


def test_an_assumed_range_makes_a_gun_out_of_reach_doubtful() -> None:
    found = printed(
        "hurtgen",
        """partial
        position
        ge-189-1 1812
        us-109-1 0105
        turn 3 german combat
        bombard 0105 by ge-189-1""",
    )
    reach = [f for f in found if f.code == "artillery-range"]
    assert [(f.severity, *map(str, f.rests_on)) for f in reach] == [("doubtful", "range of ge-189-1")]


SUMS = """partial
    position printed
    us-112-1 1109
    ge-1055-1 1110
    turn 5 german combat
    combat 1109
    attack ge-1055-1
    {line}"""


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("declare 1:6 odds 1-3", "illegal"),  # who defends is printed, whatever the attacker is worth
        ("announce defender 6", "illegal"),
        ("declare 2:4 odds 1-2", "doubtful"),  # the attacker's strength is not
        ("declare 2:6 odds 1-3", "illegal"),
        ("declare 90:4 odds 9-1", "illegal"),  # no unit of its kind is worth so much
    ],
)
def test_a_sum_rests_on_the_strengths_of_its_own_side(line: str, severity: str) -> None:
    found = printed("hurtgen", SUMS.format(line=line))
    assert max(f.severity for f in found if f.code == "odds") == severity


def test_of_two_wrong_figures_on_a_line_that_one_is_doubtful_which_data_could_make_right() -> None:
    found = printed("hurtgen", SUMS.format(line="declare 2:6 odds 1-3"))
    assert [(f.declared, f.severity) for f in found if f.code == "odds"] == [(2, "doubtful"), (6, "illegal")]


def test_a_column_that_two_data_together_would_give_is_doubtful_and_names_both() -> None:
    # The river takes two columns, and so would the woods behind it if it were not there: neither alone is enough.
    found = printed("metz", METZ.format(start="0211", target="0110", column="4-1"))
    assert [f.severity for f in found] == ["doubtful"]
    assert len(found[0].rests_on) == 2


@pytest.mark.parametrize("game", ["bastogne", "hurtgen", "metz"])
def test_a_column_too_high_is_doubtful_only_where_less_help_for_the_defender_gives_it(game: str) -> None:
    map_, columns = scenario(game).map, scenario(game).tables.crt.columns
    targets = [h for h in map_.grid if map_.provenance.get(h) == "assumed" and len(map_.grid.neighbours[h]) == 6]
    for target in targets[:: len(targets) // (40 if FULL else 4)]:
        text = METZ.format(start=map_.grid.neighbours[target][0], target=target, column="{column}")
        for column in columns[columns.index("5-1") :]:  # one attacker in front cannot surround: no column is gained
            found = printed(game, text.format(column=column))
            assert [f.severity for f in found if f.code in ("column", "shifts")] == ["illegal"], (target, column)
