"""What the ground gives the defender."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import GameMap
from hexforge.scenarios.schema.map import HexsideRun
from hexforge.scenarios.text.hexgrid import grid
from hexforge.validator.rules.combat.conditions import Battle, Forces
from hexforge.validator.rules.combat.modifiers import HexModifiers, ground_of, shifts
from hexforge.validator.rules.context import Context
from hexforge.validator.rules.ground import Ground as Land
from hexforge.validator.rules.position import Position


def battle(
    game: str,
    *terrains: str,
    lines: dict[str, str] | None = None,
    fortified: bool = False,
    defender: str = "german",
    lines_need_all: bool = True,
) -> Battle:
    """An attack on 1010, on a blank map but for what is said."""
    scenario = load(game)
    map_ = GameMap.blank(grid(20, 20, scenario.map.grid.low), "open")
    map_ = replace(map_, terrain={**map_.terrain, "1010": terrains or ("open",)})
    runs = tuple(
        HexsideRun(kind=kind, sides=[side]) for side, kinds in (lines or {}).items() for kind in kinds.split()
    )
    map_ = replace(map_, hexside_runs=runs, fortified=frozenset({"1010"} if fortified else ()))
    options = {} if lines_need_all else {"river_needs_all": "no"}
    ctx = Context(scenario, Land(scenario, map_), {}, options)
    return Battle(ctx, Position.empty(map_.grid, {}, ctx.sides), ctx.enemy(defender))


def ground(game: str, *terrains: str, attackers: tuple[str, ...] = ("1009",), **more: Any) -> HexModifiers:
    there = battle(game, *terrains, **more)
    return ground_of(there, Forces(("1010",), (), (), fronts=attackers), there.modifiers.columns)


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
    assert ground(game, terrain).total == columns


def test_several_terrains_give_the_largest_only() -> None:
    assert ground("bastogne", "town", "rough").total == -2


@pytest.mark.parametrize(
    ("terrain", "columns"), [("open", -2), ("rough", -2), ("forest", -2), ("forest_rough", -3)]
)
def test_a_river_is_one_more_candidate_for_the_largest(terrain: str, columns: int) -> None:
    assert ground("bastogne", terrain, lines={"1009/1010": "river"}).total == columns


def test_a_river_before_some_of_the_attackers_helps_only_by_option() -> None:
    lines = {"1009/1010": "river"}
    assert ground("bastogne", lines=lines, attackers=("1009", "1011")).total == 0
    assert ground("bastogne", lines=lines, attackers=("1009", "1011"), lines_need_all=False).total == -2


def test_different_waters_before_all_attackers_do_as_well_as_one() -> None:
    lines = {"1009/1010": "our", "1010/1011": "clerf"}
    assert ground("bastogne", lines=lines, attackers=("1009", "1011")).total == -2


def test_fortifications_are_added() -> None:
    assert ground("metz", "town", fortified=True).total == -4
    assert ground("metz", lines={"1009/1010": "fortification"}).total == -2
    assert ground("metz", "town", lines={"1009/1010": "river fortification"}).total == -4
    assert ground("metz", "town", fortified=True, lines={"1009/1010": "siegfried"}).total == -4


def test_a_fortified_line_serves_its_own_side_only() -> None:
    lines = {"1009/1010": "fortification"}
    assert ground("metz", lines=lines, defender="american").total == 0
    assert ground("metz", fortified=True, defender="american").total == -2


def test_one_attacker_from_behind_the_line_undoes_it() -> None:
    assert ground("metz", lines={"1009/1010": "fortification"}, attackers=("1009", "1011")).total == 0


def test_a_dam_counts_like_a_river() -> None:
    assert ground("hurtgen", lines={"1009/1010": "dam"}).total == -2
    assert ground("hurtgen", "town", lines={"1009/1010": "dam river"}).total == -2


def test_the_causes_are_named() -> None:
    found = ground("metz", "woods", lines={"1009/1010": "river fortification"})
    assert [(held.cause, held.value) for held in found.counted] == [("river", -2), ("fortification", -2)]
    assert set(found.misreadings) == {-1, -2, -3, -5}


def test_from_afar_no_hexside_counts_but_the_works_of_the_hex_do() -> None:
    there = battle("metz", "town", lines={"1009/1010": "river"}, fortified=True)
    found = shifts(there, Forces(("1010",), (), ()), there.modifiers.bombardment)
    assert [(shift.cause, shift.columns) for shift in found] == [("terrain", -2), ("fortification", -2)]
