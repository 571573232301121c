"""What the ground gives the defender."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexforge.scenarios.hexgrid import grid
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import GameMap, HexsideRun
from hexforge.validator.referee.combat.terrain import Cover, cover, cover_from_afar


def ground(
    game: str,
    *terrains: str,
    lines: dict[str, str] | None = None,
    fortified: bool = False,
    attackers: tuple[str, ...] = ("1009",),
    defender: str = "german",
    lines_need_all: bool = True,
) -> Cover:
    scenario = load(game)
    map_ = GameMap.blank(grid(20, 20, scenario.map.grid.low), "open")
    map_ = map_.with_terrain(["1010"], terrains or ("open",))
    runs = tuple(
        HexsideRun(kind=kind, sides=[side]) for side, kinds in (lines or {}).items() for kind in kinds.split()
    )
    map_ = replace(map_, hexside_runs=runs, fortified=frozenset({"1010"} if fortified else ()))
    return cover(
        map_,
        scenario.tables,
        scenario.game.rules.combat,
        target="1010",
        attackers=attackers,
        defender=defender,
        lines_need_all=lines_need_all,
    )


@pytest.mark.parametrize(
    ("game", "terrain", "columns"),
    [
        ("bastogne", "open", 0),
        ("bastogne", "rough", -1),
        ("bastogne", "town", -2),
        ("bastogne", "forest", -2),
        ("bastogne", "forest_rough", -3),
        ("metz", "woods", -1),
        ("metz", "airfield", -1),
        ("metz", "rough_woods", -2),
        ("hurtgen", "mountain", -3),
        ("hurtgen", "forest", -2),
    ],
)
def test_every_terrain_of_the_printed_table(game: str, terrain: str, columns: int) -> None:
    assert ground(game, terrain).columns == columns


def test_several_terrains_give_the_largest_only() -> None:
    assert ground("bastogne", "town", "rough").columns == -2


@pytest.mark.parametrize(
    ("terrain", "columns"), [("open", -2), ("rough", -2), ("forest", -2), ("forest_rough", -3)]
)
def test_a_river_is_one_more_candidate_for_the_largest(terrain: str, columns: int) -> None:
    assert ground("bastogne", terrain, lines={"1009/1010": "river"}).columns == columns


def test_a_river_before_some_of_the_attackers_helps_only_by_option() -> None:
    lines = {"1009/1010": "river"}
    assert ground("bastogne", lines=lines, attackers=("1009", "1011")).columns == 0
    assert ground("bastogne", lines=lines, attackers=("1009", "1011"), lines_need_all=False).columns == -2


def test_different_waters_before_all_attackers_do_as_well_as_one() -> None:
    lines = {"1009/1010": "our", "1010/1011": "clerf"}
    assert ground("bastogne", lines=lines, attackers=("1009", "1011")).columns == -2


def test_fortifications_are_added() -> None:
    assert ground("metz", "town", fortified=True).columns == -4
    assert ground("metz", lines={"1009/1010": "fortification"}).columns == -2
    assert ground("metz", "town", lines={"1009/1010": "river fortification"}).columns == -4
    assert ground("metz", "town", fortified=True, lines={"1009/1010": "siegfried"}).columns == -4


def test_a_fortified_line_serves_its_own_side_only() -> None:
    lines = {"1009/1010": "fortification"}
    assert ground("metz", lines=lines, defender="american").columns == 0
    assert ground("metz", fortified=True, defender="american").columns == -2


def test_one_attacker_from_behind_the_line_undoes_it() -> None:
    assert ground("metz", lines={"1009/1010": "fortification"}, attackers=("1009", "1011")).columns == 0


def test_a_dam_counts_like_a_river() -> None:
    assert ground("hurtgen", lines={"1009/1010": "dam"}).columns == -2
    assert ground("hurtgen", "town", lines={"1009/1010": "dam river"}).columns == -2


def test_the_causes_are_named() -> None:
    cover_ = ground("metz", "woods", lines={"1009/1010": "river fortification"})
    assert cover_.parts == (("river", -2), ("fortification", -2))
    assert set(cover_.misreadings) == {-1, -2, -3, -5}


def test_from_afar_no_hexside_counts_but_the_works_of_the_hex_do() -> None:
    scenario = load("metz")
    map_ = GameMap.blank(grid(20, 20, scenario.map.grid.low), "open").with_terrain(["1010"], ("town",))
    map_ = replace(
        map_, hexside_runs=(HexsideRun(kind="river", sides=["1009/1010"]),), fortified=frozenset({"1010"})
    )
    assert cover_from_afar(map_, scenario.tables, "1010").columns == -4
