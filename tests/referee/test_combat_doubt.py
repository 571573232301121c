"""What of a combat's judgement rests on ground that no rulebook prints."""

from __future__ import annotations

import pytest

from hexforge.validator.rules.findings import Finding
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
    [("1-3", "illegal"), ("1-2", "doubtful"), ("3-1", "doubtful"), ("5-1", "doubtful"), ("9-1", "illegal")],
)
def test_a_column_that_other_ground_of_the_target_would_give_is_doubtful(column: str, severity: str) -> None:
    # From 4-1 woods take two columns and works two more; open ground takes none, and a ring of it adds one.
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
    assert any(f"terrain of {target}" in str(doubt) for doubt in found[0].rests_on) == (severity == "doubtful")


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
