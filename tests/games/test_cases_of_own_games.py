"""Invented games that are data alone: each is judged by its own rules, case by case as its rules.md has them."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexforge.scenarios.loader import load
from hexforge.validator.judging import questions
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replay import replay
from hexforge.validator.judging.situation import situation
from hexforge.validator.notation import games, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.journey import reach
from hexforge.validator.rules.position_export import standing
from tests.cases.catalogue import Case, cases, differences, unexpected

HOMES = {path.parent.name: path.parent for path in sorted(Path(__file__).parent.glob("*/cases.yaml"))}
CASES = {case.id: (name, case) for name, home in HOMES.items() for case in cases([home / "cases.yaml"])}
FEWEST = 25


@pytest.mark.parametrize(("name", "case"), CASES.values(), ids=CASES)
def test_it_is_judged_by_its_own_rules(name: str, case: Case) -> None:
    games.learn(HOMES[name])
    answer = judge(read_sheet(case.sheet)).as_json()
    assert [*differences(case, answer), *unexpected(case, answer)] == []


@pytest.mark.parametrize("name", HOMES)
def test_a_game_has_cases_of_either_kind_and_no_program(name: str) -> None:
    verdicts = [case.expect["verdict"] for home, case in CASES.values() if home == name]
    assert len(verdicts) >= FEWEST
    assert {"legal", "illegal"} <= set(verdicts)
    assert {path.suffix for path in HOMES[name].iterdir()} <= {".yaml", ".csv", ".md"}


def up_to_combats(case: Case) -> Iterator[str]:
    """The case's sheet, cut off at the end of each of its combat phases."""
    turns = [s for s in read_sheet(case.sheet).statements if isinstance(s, st.TurnStart)]
    lines = case.sheet.splitlines(keepends=True)
    for turn, after in zip(turns, [*(t.line for t in turns[1:]), len(lines) + 1], strict=True):
        if turn.phase == "combat":
            yield "".join(lines[: after - 1])


@pytest.mark.full
def test_what_is_owed_before_the_end_is_what_is_missed_at_the_end(tmp_path: Path) -> None:
    """Of a sheet that ends with a combat phase `duties` tells who and whom `check` misses, and nobody else."""
    compared = Counter[str]()
    for name, case in CASES.values():
        games.learn(HOMES[name])
        for text in up_to_combats(case) if "partial" not in case.sheet else ():
            (path := tmp_path / "turn.sheet").write_text(text, "utf-8")
            findings = [f for f in judge(read_sheet(text)).findings if f.code == "must-attack"]
            at = max((f.line for f in findings), default=0)
            if at and any(line.startswith("turn") for line in text.splitlines()[at:]):
                continue  # what was missed in a phase that is over
            owed = questions.open_duties(situation(path))
            missed = {f.hexes for f in findings if f.message.key == "findings.must-be-attacked" and f.line == at}
            idle = {f.units for f in findings if f.message.key != "findings.must-be-attacked" and f.line == at}
            assert {(hex_,) for hex_, _ in owed.spared} == missed, case.id
            assert {(duty.unit,) for duty in owed.attacks} == idle, case.id
            compared.update(spared=len(missed), idle=len(idle))
    assert compared["spared"] > 3
    assert compared["idle"] > 3


CAVALRY_FIRST = """sheet 1
game kestrel
position
  bl-1 0404
  re-1 0504
turn 2 blue combat
"""


@pytest.mark.parametrize(
    "duty", ["units: adjacent, enemies: true", "units: none, enemies: true", "units: adjacent"]
)
def test_a_duty_of_one_phase_of_several_is_not_acquitted(tmp_path: Path, duty: str) -> None:
    """A sheet that does not say which of two phases of combat it plays: in the second, all have the duty."""
    home = tmp_path / "kestrel"
    shutil.copytree(HOMES["kestrel"], home)
    rules = (home / "game.yaml").read_text("utf-8").replace("units: adjacent, enemies: true", duty)
    late, early = "  - {side: blue, phase: combat, who: cavalry}\n", "  - {side: blue, phase: combat}\n"
    assert late in rules and early in rules and duty in rules
    rules = rules.replace(late, "#").replace(early, late).replace("#", early)
    (home / "game.yaml").write_text(rules, "utf-8")
    found = replay(load(home), read_sheet(CAVALRY_FIRST))
    assert found.verdict == "doubtful"
    assert {f.severity for f in found.findings if f.code == "must-attack"} == {"doubtful"}
    plain = CAVALRY_FIRST.replace("position\n", "position after turn 2 blue combat\n")
    again = replay(load(home), read_sheet(plain.replace("turn 2 blue combat\n  bl", "turn 2 blue movement\n  bl")))
    assert again.verdict == "illegal"


def test_a_position_in_mid_turn_says_who_goes_first() -> None:
    games.learn(HOMES["tarnhollow"])
    turns = "turn 2 crimson initiative\ninitiative 5\nturn 2 cobalt movement\n"
    sheet = f"sheet 1\ngame tarnhollow\nposition after turn 1 cobalt rally\n  cr-h 0101\n  co-h 1001\n{turns}"
    found = replay(load(HOMES["tarnhollow"]), read_sheet(sheet))
    assert [s.side for s in standing(found.ctx, found.position) if isinstance(s, statements_head.Leading)] == [
        "cobalt"
    ]


def test_nobody_reaches_a_hex_in_which_he_may_not_stand_beside_others() -> None:
    games.learn(HOMES["kestrel"])
    sheet = "sheet 1\ngame kestrel\nposition\n  bl-1 0303\n  bl-2 0304\n  bl-3 0403\nturn 1 blue movement"
    found = replay(load(HOMES["kestrel"]), read_sheet(sheet))
    within = reach(found.ctx, found.position, "bl-1")
    assert "0304" in within
    assert "0403" not in within


@pytest.mark.parametrize(
    ("told", "hexes", "verdict"),
    [("", 4, "doubtful"), ("", 3, "legal"), ("  forecast dry\n", 4, "legal"), ("  forecast mud\n", 4, "illegal")],
)
def test_what_untold_weather_means_for_supply_is_doubtful(
    tmp_path: Path, told: str, hexes: int, verdict: str
) -> None:
    """In mud the depot is too far, and foot that has no supply goes a point less."""
    home = tmp_path / "corrick"
    shutil.copytree(HOMES["corrick"], home)
    rules = (home / "game.yaml").read_text("utf-8")
    second = next(line for line in rules.splitlines() if "before: unmoved" in line)
    rules = rules.replace(second, "  - {side: red, phase: movement, who: foot}")
    (home / "game.yaml").write_text(rules, "utf-8")
    way = " ".join(["0204", "0304", "0404", "0504", "0604"][: hexes + 1])
    start = f"position after turn 3 red combat\n{told}  r-1 0204\n  r-dep 0504\n  b-9 1204\n"
    sheet = f"sheet 1\ngame corrick\npartial\n{start}turn 3 red movement\nmove r-1: {way}\n"
    found = replay(load(home), read_sheet(sheet))
    assert found.verdict == verdict
    doubts = {doubt.key for f in found.findings if f.severity == "doubtful" for doubt in f.rests_on}
    assert doubts == ({"findings.doubt.weather"} if verdict == "doubtful" else set())


def test_a_position_says_what_comes_of_the_choices_of_corrick() -> None:
    """Who has moved before and the weather of an area: a sheet that goes on from one is judged alike."""
    games.learn(HOMES["corrick"])
    head = "sheet 1\ngame corrick\npartial\nposition\n  r-t1 0204\n  r-dep 0204\n  b-9 1104\n"
    sheet = f"{head}  r-1 0504 reduced\n  b-1 0604\nturn 3 red movement\nweather 3\nmove r-t1: 0204 0304\n"
    found = replay(load(HOMES["corrick"]), read_sheet(f"{sheet}turn 3 red combat\n"))
    kept = list(standing(found.ctx, found.position))
    assert [(s.weather, s.area) for s in kept if isinstance(s, statements_head.WeatherNow)] == [
        ("dry", ""),
        ("mud", "south"),
    ]
    assert [s.unit for s in kept if isinstance(s, statements_head.UnitStatus) and s.flag == "moved"] == ["r-t1"]


@pytest.mark.parametrize(
    ("turn", "way", "cost"),
    [(2, "0306 0307 0308", 2), (3, "0306 0307 0308", 4), (3, "0306 0305 0304", 2), (4, "0306 0307 0305", None)],
)
def test_weather_of_an_area_by_turns(tmp_path: Path, turn: int, way: str, cost: int | None) -> None:
    """Without dice: dry but for the South, where it is mud in turns 3 and 4."""
    home = tmp_path / "corrick"
    shutil.copytree(HOMES["corrick"], home)
    text = (home / "game.yaml").read_text("utf-8")
    dice = text[text.index("weather_die:") : text.index("movement_classes:")]
    fixed = "weather: {dry: [1, 7], mud: [8, 8]}\nweather_areas: {south: {mud: [3, 4]}}\n"
    (home / "game.yaml").write_text(text.replace(dice, fixed), "utf-8")
    start = "partial\nposition\n  r-t1 0306\n  r-dep 0306\n  b-9 1104\n"
    sheet = f"sheet 1\ngame corrick\n{start}turn {turn} red movement\nmove r-t1: {way}\n"
    found = replay(load(home), read_sheet(sheet))
    if cost is None:
        assert found.verdict == "illegal"
    else:
        assert (found.verdict, found.moves[0].cost / 2) == ("legal", cost)


@pytest.mark.parametrize(("phase", "verdict"), [("trains", "legal"), ("movement", "illegal")])
def test_trains_may_have_a_phase_of_their_own(tmp_path: Path, phase: str, verdict: str) -> None:
    home = tmp_path / "corrick"
    shutil.copytree(HOMES["corrick"], home)
    text = (home / "game.yaml").read_text("utf-8")
    later = "  - {side: blue, phase: movement}\n"
    assert later in text
    trains = f"  - {{side: blue, phase: trains, does: [rail]}}\n{later}"
    (home / "game.yaml").write_text(text.replace(later, trains), "utf-8")
    with (home / "text.en.yaml").open("a", encoding="utf-8") as words:
        words.write("phases: {trains: Railway}\n")
    start = "partial\nposition\n  b-1 0502\n  b-9 1104\n"
    sheet = f"sheet 1\ngame corrick\n{start}turn 1 blue {phase}\nrail b-1: 0502 0602 0702\n"
    assert replay(load(home), read_sheet(sheet)).verdict == verdict


def test_nobody_comes_on_the_map_between_two_enemies_either() -> None:
    games.learn(HOMES["corrick"])
    start = "partial\nposition\n  r-1 1204\n  r-2 {other}\n  r-dep 1104\n  b-9 0704\n"
    sheet = f"sheet 1\ngame corrick\n{start}turn 2 blue movement\nenter b-4: 1205\n"
    found = [replay(load(HOMES["corrick"]), read_sheet(sheet.format(other=h))) for h in ("1206", "1106")]
    keys = [{f.message.key for f in one.findings if f.severity == "illegal"} for one in found]
    assert keys == [{"findings.zone-bond"}, set()]
