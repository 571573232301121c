"""Rulings that a tournament may set otherwise, and what they change in a combat."""

from __future__ import annotations

import pytest

from tests.referee.combat_sheets import assault

REGIMENTS = (
    "a1 infantry 4-4-5 regiment 109 division 28 @ 1009 | a2 infantry 4-4-5 regiment 109 division 28 @ 1009"
    " | a3 infantry 4-4-5 regiment 110 division 28 @ 0910 | a4 infantry 4-4-5 regiment 110 division 28 @ 0910"
    " | a5 infantry 4-4-5 regiment 112 division 28 @ - | g1 infantry 1-4-5 @ 1010"
)


@pytest.mark.parametrize(
    ("option", "units", "ground", "default", "other"),
    [
        ("inverse_rounding=ceil", "a1 infantry 3-4-5 @ 1009 | g1 infantry 1-4-5 @ 1010", "", "1-1", "1-2"),
        ("inverse_rounding=ceil", "a1 infantry 4-4-5 @ 1009 | g1 infantry 1-8-5 @ 1010", "", "1-2", "1-2"),
        (
            "clamp_before_shift=no",
            "a1 infantry 44-4-5 @ 1009 | g1 infantry 1-4-5 @ 1010",
            "terrain town 1010",
            "7-1",
            "9-1",
        ),
        (
            "river_needs_all=no",
            "a1 infantry 8-4-5 @ 1009 | a2 infantry 8-4-5 @ 0910 | g1 infantry 1-4-5 @ 1010",
            "river 1009/1010",
            "4-1",
            "2-1",
        ),
        ("regimental_stacks=yes", REGIMENTS, "", "5-1", "6-1"),
    ],
)
def test_options(option: str, units: str, ground: str, default: str, other: str) -> None:
    attackers = " ".join(u.split()[0] for u in units.split("|") if u.strip()[0] == "a" and "@ -" not in u)
    for header, column in (("partial", default), (f"partial|option {option}", other)):
        judged = assault("hurtgen", units, f"attack {attackers}", ground=ground, header=header)
        assert judged.combats[0].column == column


def test_only_survivors_may_be_asked_to_make_a_regiment_whole() -> None:
    units = (
        "a1 infantry 4-4-5 regiment 109 division 28 @ 1009"
        " | a2 infantry 4-4-5 regiment 109 division 28 @ 1509 reduced"
        " | a3 infantry 4-4-5 regiment 110 division 28 @ - | g1 infantry 1-4-5 @ 1010 | g2 infantry 8-4-5 @ 1510"
    )
    acts = (
        "attack g2 | result DRB AVI | lose a2 | turn 5 american movement | turn 5 american combat"
        " | combat 1010 | attack a1"
    )
    for option, column in (("original", "1-1"), ("surviving", "2-1")):
        judged = assault(
            "hurtgen",
            units,
            acts,
            target="1509",
            turn="4 german",
            header=f"partial|option unity_counts={option}",
        )
        assert not judged.position.units["a2"].alive
        assert judged.combats[1].column == column
