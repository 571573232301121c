"""The example sheets: those played well are lawful, those with mistakes have the ones that their comments tell."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from hexforge.scenarios.commands import extensions, names
from hexforge.validator.app.cli import main
from hexforge.validator.judging.check import check_file

SCENARIOS: Final = Path(__file__).parents[2] / "scenarios"
EXAMPLES: Final = sorted(SCENARIOS.glob("*/examples/*.sheet"))
# Line, code and whether the finding rests on reconstructed data, as the comment above each mistake says.
MISTAKES: Final = {
    "bastogne/turn16-mistakes": """
        49 special doubtful
        84 special illegal
        107 movement-cost doubtful
        111 must-stop illegal
        114 special illegal
        118 stacking illegal
        126 must-attack illegal
        129 artillery-support illegal
        137 artillery-range doubtful
        142 shifts doubtful
        148 retreat illegal
        156 result illegal
        163 column illegal
        171 special doubtful
        174 entry illegal
        186 artillery-support illegal
        188 odds illegal
        197 not-there illegal
        199 entry illegal
        209 shifts doubtful
        215 losses illegal
    """,
    "normandy/june25-mistakes": """
        24 fact doubtful
        26 special illegal
        28 account illegal
        30 special illegal
        35 account illegal
        39 wrong-phase illegal
        43 account illegal
        47 account illegal
        49 special illegal
        51 special illegal
    """,
    "metz/turn1-mistakes": """
        40 special illegal
        43 special doubtful
        93 special illegal
        99 must-stop illegal
        102 river-crossing doubtful
        105 stacking illegal
        110 movement-cost doubtful
        114 must-attack illegal
        116 air-limits illegal
        122 air-points illegal
        130 attacked-twice illegal
        140 shifts doubtful
        152 result illegal
        157 shifts doubtful
        166 entry illegal
        168 special illegal
        171 rail illegal
        178 recovery illegal
        179 recovery illegal
        184 air-points illegal
        186 bridge-building illegal
        188 entry illegal
    """,
    "hurtgen/turn2-mistakes": """
        16 stacking illegal
        19 must-stop illegal
        22 movement-cost doubtful
        25 moved-twice illegal
        27 syntax unread
        29 must-attack illegal
        29 must-attack illegal
        29 must-attack illegal
        33 column doubtful
        42 artillery-support illegal
        43 odds illegal
        45 result illegal
        46 retreat illegal
        46 retreat illegal
        52 entry illegal
        54 reinforcement illegal
        58 must-attack doubtful
        58 must-attack doubtful
        62 score doubtful
        62 score doubtful
    """,
}


def name_of(path: Path) -> str:
    return f"{path.parents[1].name}/{path.stem}"


def found_in(path: Path) -> list[str]:
    findings = check_file(path).findings
    return [f"{f.line} {f.code} {f.severity}" for f in findings if f.severity != "info"]


def test_each_game_has_both_kinds_of_example() -> None:
    games = {path.parents[1].name for path in EXAMPLES}
    assert games == {*names(), *extensions()}
    assert {name_of(p) for p in EXAMPLES if p.stem.endswith("-mistakes")} == set(MISTAKES)
    assert len([p for p in EXAMPLES if p.stem.endswith("-well")]) == len(games)


@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.stem.endswith("-well")], ids=name_of)
def test_what_is_played_well_has_nothing_to_object_to(path: Path) -> None:
    assert found_in(path) == []


@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.stem.endswith("-mistakes")], ids=name_of)
def test_the_mistakes_are_those_that_the_comments_tell(path: Path) -> None:
    assert sorted(found_in(path)) == sorted(line.strip() for line in MISTAKES[name_of(path)].strip().splitlines())


def test_a_portuguese_report_has_no_english_keywords() -> None:
    sheet = SCENARIOS / "metz/examples/turn1-mistakes.sheet"
    done = CliRunner().invoke(main, ["check", str(sheet), "--lang", "pt"])
    assert "declarado norte" in done.stdout
    assert "não cabe `aéreo`" in done.stdout
    assert "north" not in done.stdout and "`air`" not in done.stdout
