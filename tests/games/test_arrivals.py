"""When units come on the map that a line of the order of arrival binds to phases or to a last turn."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load
from hexforge.validator.judging import questions
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.situation import situation
from hexforge.validator.notation import games
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet

HOME = Path(__file__).parent / "saltway"
MILITIA = '  - {turn: 2, until: 3, hexes: "0105", phases: [landing], section: "5.4", units: le-mil}\n'


def landing(home: Path, militia: str = MILITIA) -> Path:
    """A game whose militia lands in a phase of its own in turn 2 or 3; its riders ride in as they always did."""
    shutil.copytree(HOME, home)
    changes = {
        "game.yaml": (
            "  - {side: league, phase: movement}\n  - {side: league, phase: combat}\n",
            "  - {side: league, phase: landing, does: [enter]}\n"
            "  - {side: league, phase: movement}\n  - {side: league, phase: combat}\n",
        ),
        "setup.yaml": ('  - {hexes: "0307", section: "5.2", units: le-mil}\n', ""),
    }
    for name, (old, new) in changes.items():
        text = (home / name).read_text("utf-8")
        assert text.count(old) == 1
        (home / name).write_text(text.replace(old, new), "utf-8")
    setup = (home / "setup.yaml").read_text("utf-8")
    assert "reinforcements:\n" in setup
    (home / "setup.yaml").write_text(setup.replace("reinforcements:\n", "reinforcements:\n" + militia), "utf-8")
    for text_file in home.glob("text.*.yaml"):
        text_file.write_text(text_file.read_text("utf-8") + "phases: {landing: Landing}\n", "utf-8")
    return home


@pytest.fixture
def known(tmp_path: Path) -> Iterator[None]:
    games.learn(landing(tmp_path / "saltway"))
    yield
    games.learn(HOME)


def illegal_findings(enters: str, phase: str, turn: int) -> set[tuple[str, str]]:
    sheet = read_sheet(f"sheet 1\ngame saltway\nturn {turn} league {phase}\nenter {enters}\n")
    assert any(isinstance(s, st.Enter) for s in sheet.statements)
    findings = judge(sheet).findings
    return {(f.message.key.partition(".")[2], f.rule) for f in findings if f.severity == "illegal"}


@pytest.mark.parametrize(
    ("unit", "phase", "turn", "wrong"),
    [
        ("le-mil", "landing", 2, set()),
        ("le-mil", "landing", 3, set()),
        ("le-mil", "landing", 1, {("not-due", "S 5.4")}),
        ("le-mil", "landing", 4, {("overdue", "S 5.4")}),
        ("le-mil", "movement", 2, {("entry-phase", "S 5.4")}),
        # A phase that another line names is closed to a line that names none; so is no phase of movement.
        ("le-rid-2", "landing", 2, {("entry-phase", "S 5.3")}),
        ("le-rid-2", "movement", 2, set()),
        ("le-rid-2", "movement", 4, set()),
    ],
)
@pytest.mark.usefixtures("known")
def test_units_come_in_their_phase_and_in_time(unit: str, phase: str, turn: int, wrong: set[object]) -> None:
    assert illegal_findings(f"{unit}: 0105", phase, turn) == wrong


@pytest.mark.parametrize(("turn", "due"), [(1, set()), (2, {"le-mil"}), (3, {"le-mil"}), (4, set())])
@pytest.mark.usefixtures("known")
def test_who_may_enter_is_asked_up_to_the_last_turn(tmp_path: Path, turn: int, due: set[str]) -> None:
    (path := tmp_path / "turn.sheet").write_text(f"sheet 1\ngame saltway\nturn {turn} league landing\n", "utf-8")
    assert set(questions.open_duties(situation(path)).due) & {"le-mil"} == due


def test_a_phase_that_no_line_names_is_open_to_all(tmp_path: Path) -> None:
    games.learn(landing(tmp_path / "saltway", MILITIA.replace("phases: [landing], ", "")))
    assert [illegal_findings(f"{unit}: 0105", "landing", 2) for unit in ("le-mil", "le-rid-2")] == [set(), set()]
    games.learn(HOME)


@pytest.mark.parametrize(
    ("wrong", "key"),
    [("phases: [combat]", "scenario.setup.no-entry-phase"), ("until: 1", "scenario.setup.until-early")],
)
def test_lines_that_let_nobody_in_are_refused(tmp_path: Path, wrong: str, key: str) -> None:
    right = "phases: [landing]" if "phases" in wrong else "until: 3"
    home = landing(tmp_path / "saltway", MILITIA.replace(right, wrong))
    with pytest.raises(ScenarioError) as caught:
        load(home)
    assert [p.message.key for p in caught.value.problems] == [key]


@pytest.mark.parametrize(("holder", "wrong"), [("league", set()), ("crown", {("entry-held", "S 5.4")})])
def test_who_comes_where_his_side_holds_the_hex_comes_nowhere_else(
    tmp_path: Path, holder: str, wrong: set[object]
) -> None:
    games.learn(landing(tmp_path / "saltway", MILITIA.replace("units:", "held: true, units:")))
    sheet = f"position printed\n  control {holder} 0105\nturn 2 league landing\nenter le-mil: 0105\n"
    findings = judge(read_sheet(f"sheet 1\ngame saltway\n{sheet}")).findings
    games.learn(HOME)
    told = {(f.message.key.partition(".")[2], f.rule) for f in findings if f.severity == "illegal"}
    assert told & {("entry-held", "S 5.4")} == wrong
