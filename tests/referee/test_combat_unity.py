"""Unity of command: complete formations, and those that never are."""

from __future__ import annotations

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.schema.rules_combat import Unity
from hexforge.validator.rules.combat.unity import unity
from hexforge.validator.rules.position import Unit


def rules(game: str) -> Unity:
    return load(game).game.rules.combat.unity


def battalions(
    number: str, division: str, count: int, *, side: str = "american", kind: str = "infantry"
) -> dict[str, Unit]:
    return {
        f"{number}-{i}": Unit(
            f"{number}-{i}",
            side,
            kind,
            3,
            4,
            10,
            regiment=number,
            division=division,
            kinds=frozenset({kind, "guns"} if "artillery" in kind else {kind}),
            line=1,
        )
        for i in range(count)
    }


DIVISION = {**battalions("317", "80", 3), **battalions("318", "80", 3), **battalions("319", "80", 3)}


@pytest.mark.parametrize(
    ("game", "fighters", "attack", "defence"),
    [
        ("bastogne", ["317"], 1, 1),
        ("bastogne", ["317", "318"], 1, 1),
        ("bastogne", ["317", "318", "319"], 2, 1),
        ("hurtgen", ["317"], 1, 1),
        ("hurtgen", ["317", "318", "319"], 2, 1),
    ],
)
def test_regiments_and_divisions_of_battalions(game: str, fighters: list[str], attack: int, defence: int) -> None:
    units = [u for u in DIVISION if u.partition("-")[0] in fighters]
    assert unity(rules(game), DIVISION, units, "attack").columns == attack
    assert unity(rules(game), DIVISION, units, "defence").columns == defence


def test_a_battalion_less_is_no_regiment_unless_only_survivors_count() -> None:
    two = ["317-0", "317-1"]
    assert unity(rules("bastogne"), DIVISION, two, "attack").columns == 0
    assert unity(rules("bastogne"), DIVISION, two, "attack", counts=lambda u: u != "317-2").columns == 1


def test_an_option_counts_every_complete_regiment() -> None:
    two = [u for u in DIVISION if not u.startswith("319")]
    assert unity(rules("bastogne"), DIVISION, two, "attack", stacks=True).columns == 2
    assert unity(rules("bastogne"), DIVISION, list(DIVISION), "attack", stacks=True).columns == 4
    assert unity(rules("hurtgen"), DIVISION, list(DIVISION), "attack", stacks=True).columns == 3


@pytest.mark.parametrize("division", ["28", "28 di", "9 ad", "10"])
def test_divisions_that_did_not_act_whole_have_no_divisional_column(division: str) -> None:
    roster = {**battalions("109", division, 2), **battalions("110", division, 2)}
    assert unity(rules("bastogne"), roster, list(roster), "attack").columns == 1


def test_guns_need_not_take_part_and_earn_nothing() -> None:
    roster = {**battalions("179", "79", 3, kind="artillery"), **battalions("208", "79", 2)}
    assert unity(rules("bastogne"), roster, [u for u in roster if u.startswith("179")], "attack").columns == 0
    assert unity(rules("bastogne"), roster, [u for u in roster if u.startswith("208")], "attack").columns == 2


def test_every_counter_is_a_regiment_where_the_game_says_so() -> None:
    roster = {f"r{i}": Unit(f"r{i}", "german", "infantry", 1, 3, 6, division="361") for i in range(3)}
    assert unity(rules("metz"), roster, ["r0", "r1"], "attack").columns == 0
    assert unity(rules("metz"), roster, list(roster), "attack").columns == 1
    assert unity(rules("metz"), roster, list(roster), "defence").columns == 1


def test_a_combat_command_counts_as_a_regiment() -> None:
    def member(id_: str, kind: str, division: str) -> Unit:
        return Unit(id_, "american", kind, 2, 2, 20, division=division, kinds=frozenset({kind}))

    roster = {
        "bt": member("bt", "armor", "4"),
        "bib": member("bib", "mechanized_infantry", "4"),
        "bart": member("bart", "mechanized_artillery", "4"),
        "other": member("other", "mechanized_artillery", "9"),
    }
    assert unity(rules("bastogne"), roster, ["bt", "bib", "bart"], "attack").columns == 1
    assert unity(rules("bastogne"), roster, ["bt", "bib", "bart"], "defence").columns == 1
    assert unity(rules("bastogne"), roster, ["bt", "bib", "other"], "attack").columns == 0
    assert unity(rules("bastogne"), roster, ["bt", "bib"], "attack").columns == 0


def test_a_regiment_of_which_only_a_part_is_in_the_game_is_never_whole() -> None:
    assert unity(rules("hurtgen"), battalions("47", "9", 1), ["47-0"], "attack").columns == 0
    tank = battalions("16", "116", 1, side="german", kind="armor")
    other = battalions("60", "116", 2, side="german")
    assert unity(rules("hurtgen"), {**tank, **other}, ["16-0"], "attack").columns == 1
    assert unity(rules("hurtgen"), {**tank, **other}, ["16-0"], "defence").columns == 1


def test_what_a_sheet_declares_is_not_mixed_with_the_scenarios_own_counters() -> None:
    own = {
        f"own-{k}": Unit(f"own-{k}", "american", "infantry", 3, 4, 10, regiment="317", division="80") for k in "ab"
    }
    assert unity(rules("bastogne"), {**DIVISION, **own}, [f"317-{i}" for i in range(3)], "attack").columns == 1


def test_complete_formations_are_named() -> None:
    assert unity(rules("bastogne"), DIVISION, list(DIVISION), "attack").formations == (
        "317/80",
        "318/80",
        "319/80",
        "80",
    )
