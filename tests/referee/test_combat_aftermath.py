"""Losses and exchanges: what a result demands, of whom, and no more."""

from __future__ import annotations

import pytest

from tests.referee.combat_sheets import assault, faults, play

ONE = "a1 infantry 8-4-10 reduced 4-2 @ 1009 | g1 infantry 3-4-8 reduced 2-2 @ 1010"
TWO = f"{ONE} | g2 infantry 3-4-8 reduced 2-2 @ 1010"


def test_a_loss_that_is_not_taken_is_missed() -> None:
    judged = assault("bastogne", TWO, "attack a1 | roll 6 6 | result DRB AVB | retreat g1 g2: 1010 1011")
    assert faults(judged) == [("B 5.1.6", "losses"), ("B 5.1.6", "losses")]


def test_part_of_a_phase_owes_nothing_that_it_does_not_show() -> None:
    judged = assault("bastogne", TWO, "attack a1 | roll 6 6 | result DRB AVB", header="partial")
    assert faults(judged) == []


def test_a_result_that_demands_no_loss_costs_none() -> None:
    judged = assault("bastogne", ONE, "attack a1 | roll 6 6 | result DRI AVI | retreat g1: 1010 1011 | lose g1")
    assert faults(judged) == [("B 5.1.6", "losses")]


@pytest.mark.parametrize("word", ["lose", "eliminate"])
def test_a_reduced_unit_that_has_a_loss_is_gone(word: str) -> None:
    units = "a1 infantry 6-4-10 @ 1009 | g1 infantry 3-4-8 reduced 2-2 @ 1010 reduced"
    judged = assault("bastogne", units, f"attack a1 | roll 6 6 | result DRB AVI | {word} g1 | advance a1: 1010")
    assert faults(judged) == []
    assert judged.position.units["g1"].where == "eliminated"


def test_who_loses_a_step_is_not_thereby_eliminated() -> None:
    acts = "attack a1 | roll 6 6 | result DRB AVB | eliminate g1 | lose a1 | retreat g2: 1010 1011"
    assert faults(assault("bastogne", TWO, acts)) == [("B 5.1.6", "losses")]


def test_a_unit_that_is_to_be_eliminated_does_not_only_lose_a_step() -> None:
    units = "a1 infantry 40-4-10 reduced 20-2 @ 1009 | g1 infantry 3-4-8 reduced 2-2 @ 1010"
    acts = "attack a1 | roll 6 6 | result DE AVI | {} | retreat g1: 1010 1011"
    assert faults(assault("bastogne", units, acts.format("lose g1"))) == [("B 5.1.6", "losses")]
    judged = assault("bastogne", units, "attack a1 | roll 6 6 | result DE AVI | eliminate g1")
    assert faults(judged) == []


def test_guns_that_fire_from_afar_bear_no_loss() -> None:
    units = f"{TWO} | a7 artillery 2-1-8 range 7 reduced 1-1 @ 1005"
    judged = assault(
        "bastogne",
        units,
        "attack a1 | support a7 | roll 6 6 | result DRB AVB | lose g1 | lose a7 | retreat g1 g2: 1010 1011",
    )
    assert ("B 5.1.6", "losses") in faults(judged)


def test_losses_are_held_against_what_the_players_read() -> None:
    judged = assault("bastogne", ONE, "attack a1 | roll 6 6 | result DRB AVI | lose g1 | retreat g1: 1010 1011")
    assert faults(judged) == [("B 5.1.6", "result")]


ARMOUR = "a1 armor 6-4-20 reduced 3-2 @ 1009 | a2 infantry 3-4-10 reduced 2-2 @ 1009 | {} @ 1010"


@pytest.mark.parametrize(
    ("enemy", "bearer", "legal"),
    [
        ("g1 armor 6-4-15", "a1", True),
        ("g1 armor 6-4-15", "a2", False),
        ("g1 antitank 1-4-6", "a2", False),
        ("g1 mechanized_infantry 4-4-16", "a2", True),
    ],
)
def test_armour_bears_the_loss_against_armour_and_anti_tank_guns(enemy: str, bearer: str, legal: bool) -> None:
    judged = assault(
        "bastogne",
        ARMOUR.format(enemy),
        f"attack a1 a2 | roll 5 5 | result DRI AVB | lose {bearer} | retreat g1: 1010 1011",
    )
    assert (faults(judged) == []) == legal


@pytest.mark.parametrize("kind", ["armor", "tank_destroyer", "assault_gun", "mechanized_cavalry"])
def test_whoever_is_armour_by_the_sentence_itself_bears_its_loss(kind: str) -> None:
    units = f"a1 {kind} 6-4-20 @ 1009 | a2 infantry 3-4-10 @ 1009 | g1 armor 6-4-15 @ 1010"
    told = "attack a1 a2 | roll 5 5 | result DRI AVB | lose {} | retreat g1: 1010 1011"
    assert faults(assault("bastogne", units, told.format("a1"))) == []
    assert faults(assault("bastogne", units, told.format("a2"))) != []


EXCHANGE = (
    "a1 armor 15-4-20 reduced 8-2 @ 1009 | a2 infantry 3-4-10 @ 1009 | a3 infantry 2-3-10 @ 1009"
    " | a7 artillery 5-1-8 range 9 @ 1005 | g1 infantry 3-4-8 @ 1010 | g2 artillery 2-1-6 range 7 @ 1010"
)


@pytest.mark.parametrize(
    ("told", "legal"),
    [
        ("eliminate g2 | eliminate a3 | retreat g1: 1010 1011", True),
        ("eliminate g1 g2 | eliminate a2 a3", True),
        ("eliminate g1 g2 | eliminate a1", True),
        ("eliminate g1 g2 | eliminate a2", False),
        ("eliminate g1 g2 | eliminate a7", False),
        ("eliminate a3 | retreat g1 g2: 1010 1011", False),
        ("lose g1 | eliminate a2 a3 | retreat g1 g2: 1010 1011", False),
    ],
)
def test_exchanges(told: str, legal: bool) -> None:
    judged = assault("bastogne", EXCHANGE, f"attack a1 a2 a3 | roll 6 6 | result EMP | {told}")
    assert (faults(judged) == []) == legal


def test_an_attacker_who_has_too_little_gives_all_he_has() -> None:
    units = "a1 infantry 3-4-10 @ 1009 | a7 artillery 30-1-8 range 9 @ 1005 | g1 infantry 3-8-8 @ 1010"
    judged = assault(
        "bastogne", units, "attack a1 | support a7 | roll 6 6 | result EMP | eliminate g1 | eliminate a1"
    )
    assert faults(judged) == []
    assert judged.combats[0].column == "4-1"


def test_nobody_advances_after_an_exchange_unless_the_tournament_says_so() -> None:
    acts = "attack a1 a2 a3 | roll 6 6 | result EMP | eliminate g1 g2 | eliminate a2 a3 | advance a1: 1010"
    assert faults(assault("bastogne", EXCHANGE, acts)) == [("B 5.2", "advance")]
    assert faults(assault("bastogne", EXCHANGE, acts, header="option advance_after_emp=yes")) == []


def test_a_bombardment_hits_one_unit_and_drives_nobody_back() -> None:
    def bombard(acts: str) -> list[tuple[str, str]]:
        return faults(
            play(
                "bastogne",
                f"""unit a1 american artillery 3-1-8 range 9
                unit g1 german infantry 3-4-8 reduced 2-2
                unit g2 german infantry 3-4-8 reduced 2-2
                position
                a1 1005
                g1 1010
                g2 1010
                turn 22 american combat
                bombard 1010 by a1
                roll 6 6
                result DB
                {acts}""",
            )
        )

    assert bombard("lose g1") == []
    assert bombard("") != []
    assert bombard("lose g1|lose g2") != []
    assert bombard("lose g1|retreat g1: 1010 1011") != []
