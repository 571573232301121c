"""What players declare, held against the figures: each error under its own rule, and only once."""

from __future__ import annotations

import pytest

from hexforge.scenarios.text.words import Words
from hexforge.validator.rules.findings import Finding, doubts_told
from tests.referee.combat_sheets import assault, faults

TOWN = "a1 infantry 4-4-10 @ 1009 | a2 infantry 4-4-10 @ 1009 | g1 infantry 1-2-8 @ 1010"


def faults_of_declaration(
    declared: str, *, units: str = TOWN, ground: str = "terrain town 1010", **more: str
) -> list[tuple[str, str]]:
    names = " ".join(u.split()[0] for u in units.split("|") if u.strip().startswith("a"))
    return faults(
        assault("bastogne", units, f"attack {names} | {declared}", ground=ground, header="partial", **more)
    )


@pytest.mark.parametrize(
    ("declared", "wrong"),
    [
        ("declare 8:2 odds 4-1 column 2-1", []),
        ("declare 8:2 odds 4:1 column 2:1", []),
        ("declare 8:2", []),
        ("declare odds 4-1", []),
        ("declare column 2-1", []),
        ("declare 9:2 odds 4-1 column 2-1", [("B 5.1.1", "odds")]),
        ("declare 8:3 odds 2-1 column 1-2", [("B 5.1.1", "odds")]),
        ("declare 9:3 odds 3-1 column 1-1", [("B 5.1.1", "odds"), ("B 5.1.1", "odds")]),
        ("declare 8:2 odds 5-1 column 3-1", [("B 5.1.1", "odds")]),
        ("declare 8:2 odds 5-1 column 2-1", [("B 5.1.1", "odds")]),
        ("declare 8:2 odds 4-1 column 4-1", [("B 5.1.2", "shifts")]),
        ("declare 8:2 odds 4-1 column 3-1", [("B 5.1.2", "shifts")]),
        ("declare 8:2 odds 4-1 column 9-1", [("B 5.1", "column")]),
        ("declare 8:2 odds 4-1 column 11-2", [("B 5.1", "column")]),
    ],
)
def test_sums_odds_and_column(declared: str, wrong: list[tuple[str, str]]) -> None:
    assert faults_of_declaration(declared) == wrong


@pytest.mark.parametrize(("odds", "legal"), [("9-1", True), ("10-1", True), ("11-1", False), ("8-1", False)])
def test_odds_beyond_the_table_go_by_their_name_or_its_end(odds: str, legal: bool) -> None:
    units = "a1 infantry 40-4-10 @ 1009 | g1 infantry 1-4-8 @ 1010"
    assert (faults_of_declaration(f"declare 40:4 odds {odds} column 9-1", units=units, ground="") == []) == legal


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        ("DVB ARI", []),
        ("ARI DVB", []),
        ("DRB AVB", [("B 5.1.6", "result")]),
        ("DVB AVI", [("B 5.1.6", "result")]),
        ("DB", [("B 5.1.6", "result")]),
    ],
)
def test_results_of_the_right_column(result: str, wrong: list[tuple[str, str]]) -> None:
    assert faults_of_declaration(f"declare 8:2 odds 4-1 column 2-1 | roll 5 3 | result {result}") == wrong


def test_what_no_cell_holds_is_put_aside_for_what_the_dice_give() -> None:
    acts = "attack a1 a2 | roll 5 3 | result AVB DVB | lose g1 | retreat a1 a2: 1009 1008"
    judged = assault("bastogne", TOWN, acts, ground="terrain town 1010")
    assert faults(judged) == [("B 5.1.6", "result")]


def test_a_result_that_follows_from_a_wrong_column_is_no_second_error() -> None:
    assert faults_of_declaration("declare 8:2 odds 4-1 column 4-1 | roll 5 3 | result DRI AVB") == [
        ("B 5.1.2", "shifts")
    ]
    assert faults_of_declaration("declare 8:2 odds 4-1 column 4-1 | roll 5 3 | result DVB ARI") == [
        ("B 5.1.2", "shifts")
    ]


@pytest.mark.parametrize(
    ("dice", "severity"),
    [("3 4", None), ("12", "warning"), ("0 7", "illegal"), ("3 4 5", "illegal"), ("3", "illegal")],
)
def test_dice(dice: str, severity: str | None) -> None:
    judged = assault("bastogne", TOWN, f"attack a1 a2 | roll {dice}", header="partial")
    found = [f.severity for f in judged.findings if f.code == "roll"]
    assert found == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("announced", "wrong"),
    [
        ("announce attacker 8 | announce defender 2", 0),
        ("announce defender 2 | announce attacker 8", 1),
        ("announce attacker 6 | announce defender 2", 1),
        ("announce attacker 8 | announce defender 3", 1),
        ("announce attacker 8 | announce defender 2 | announce attacker 9", 1),
        ("announce attacker 8 | announce defender 2 | announce defender 3", 1),
    ],
)
def test_announcements(announced: str, wrong: int) -> None:
    found = faults_of_declaration(f"{announced} | declare 8:2 odds 4-1 column 2-1")
    assert found == [("B 5.1.1", "odds")] * wrong


def test_nothing_joins_after_the_defender_has_spoken() -> None:
    units = f"{TOWN} | a7 artillery 2-1-8 range 7 @ 1005"
    acts = "attack a1 a2 | announce attacker 10 | announce defender 2 | support a7 | declare 10:2 odds 5-1"
    assert faults(assault("bastogne", units, acts, header="partial")) == [("B 5.1.1", "odds")]


def doubtful(judged_findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(f.code, doubts_told(f.rests_on, Words("en"))) for f in judged_findings if f.severity == "doubtful"]


def test_figures_from_an_assumed_strength_are_doubted_but_arithmetic_is_not() -> None:
    units = "a1 infantry 4-4-10 @ 1009 | g1 infantry 3-4-8 @ 1010 reduced"
    judged = assault("bastogne", units, "attack a1 | declare 4:3 odds 1-1 column 1-1", header="partial")
    assert doubtful(judged.findings) == [("odds", "reduced strength of g1")]
    assert faults(judged) == []
    judged = assault("bastogne", units, "attack a1 | declare 4:2 odds 3-1 column 3-1", header="partial")
    assert faults(judged) == [("B 5.1.1", "odds")]


def test_messages_come_in_both_languages() -> None:
    judged = assault("bastogne", TOWN, "attack a1 a2 | declare 8:2 odds 4-1 column 4-1", ground="terrain town 1010")
    finding = next(f for f in judged.findings if f.code == "shifts")
    assert Words("en").say(finding.message) == "the column is 2-1, not 4-1: -2 for terrain is missing"
    assert Words("pt").say(finding.message) == "a coluna é 2-1, não 4-1: falta -2 por terreno"


@pytest.mark.parametrize(("again", "doubted"), [("4 3", []), ("6 5", ["doubtful"])])
def test_other_dice_for_the_same_combat_are_doubted(again: str, doubted: list[str]) -> None:
    judgement = assault("bastogne", TOWN, f"attack a1 a2 | roll 3 4 | roll {again}", header="partial")
    assert [f.severity for f in judgement.findings if f.code == "roll"] == doubted
