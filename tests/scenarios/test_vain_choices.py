"""Choices that can come to nothing are told with file and line, many slips of one game at a time."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load
from tests.scenarios.slips import told_of

GAMES = Path(__file__).parent.parent / "games"
Slip = tuple[str, str, str, str]

COPIED = """    - {side: alder, types: rifles motor, points: 2, rebuild: 2, places: [alderham],
      edges: [west], section: "5.1"}
    - {side: alder, types: rifles motor, points"""
SLIPS: dict[str, tuple[Slip, ...]] = {
    "kestrel": (
        (
            "game.yaml",
            "  - {side: blue, phase: combat}",
            "  - {side: blue, phase: combat, contact: within}",
            "`contact`",
        ),
        ("game.yaml", "turns: [2, 8]}", "turns: [2, 8], weather: fog}", "'fog' is no weather"),
        ("game.yaml", "{more: 2, ways: road", "{ways: road", "expected `times` or `more`"),
        ("game.yaml", "{side: blue, edges: [west], section", "{side: blue, section", "has no source"),
        ("game.yaml", "units: {marks: unsupplied}", "units: {marks: routed}", "anything of the mark 'unsupplied'"),
        (
            "game.yaml",
            "{side: red, edges: [east],",
            "{side: red, edges: [east], direct: false,",
            "nobody would ever",
        ),
        ("game.yaml", "factors, least: 12}], what", "factors, least: 120}], what", "to lose"),
        ("game.yaml", "{guns: battery,", "{guns: battery guard,", "no unit of the type guard has a range"),
        ("game.yaml", "far: [{types", "far: [{hexes: 1}, {types", "number 1 of the list fits whatever"),
        ("tables.yaml", "mark: routed", "mark: routd", "anything of the mark 'routd'"),
        ("victory.yaml", "least: 10}", "least: 1}", "'small' is never reached"),
        ("victory.yaml", "levels:", 'sudden: [{side: red, section: "8"}]\nlevels:', "says when in no way"),
        ("victory.yaml", "[4, 8]", "[4, 18]", "turn 18"),
        ("tables.yaml", "  dice: 1d6", "  dice: 1d6\n  die_modifier_most: 2", "the game has none"),
        ("counters.csv", "II,1,4,2,4,2,,", "II,1,4,2,4,,,", "has no range"),
        (
            "counters.csv",
            "infantry,X,1,5,5,4,",
            "infantry,X,1,5,5,40,",
            "no other unit of the type infantry more than 4",
        ),
        ("text.en.yaml", "{clear: Clear,", "{", "no words for clear"),
        ("text.en.yaml", "levels: {great: Great victory, ", "levels: {", "no words for great"),
    ),
    "lowmarch": (
        ("game.yaml", "turns: [1, 2], shows", "turns: [1, 1], shows", ""),
        ("game.yaml", "{shows: {", "{turns: [3, 8], shows: {", "turn 2 has 0 rows"),
        ("game.yaml", "rebuild: 2, places: [holm, ford]", "rebuild: 2", "come back"),
        ("game.yaml", "points: 1, section", "points: 1, step: null, section", "buys nothing"),
        ("game.yaml", "phase: movement, ", "phase: movement, ways: rail, ", "nobody who would go along rail"),
        ("game.yaml", "headquarters: staff, ", "", "has no `headquarters`"),
        (
            "game.yaml",
            "    - {side: east, points: 1, held",
            '    - {side: west, types: infantry, turns: [1, 3], points: 2, section: "6"}\n'
            "    - {side: east, points: 1, held",
            "in turns 2 to 3",
        ),
        ("game.yaml", "hexes: 6}, edges: [east]", "hexes: 60}, edges: [east]", "longer than the map"),
        ("game.yaml", "way: rail, hexes: 10", "way: rail, hexes: 1000", "longer than the map"),
        (
            "game.yaml",
            "phase: attrition, steps",
            "phase: attritoin, steps",
            "there are movement, combat, attrition",
        ),
    ),
    "tarnhollow": (
        ("tables.yaml", "fails: {retreat: 2, mark: shaken}", "fails: {retreat: 2, mark: shakn}", "mark 'shakn'"),
        ("tables.yaml", "field: {costs: {foot: 1,", "field: {costs: {foot: 11,", "the most is 4"),
        ("game.yaml", "leave: {kind: points, points: 1}", "leave: {kind: points, points: 11}", "any has is 8"),
        ("game.yaml", "{kind: columns, columns: -1}", "{kind: columns, columns: -11}", "past the whole table"),
        ("game.yaml", "phase: initiative, shows", "phase: movement, shows", "the sequence of play has 2"),
        ("counters.csv", ",8 6,", ",18 6,", "always end alike"),
        (
            "game.yaml",
            "      - {name: led,",
            "      - {name: reeling, what: {kind: barred, units: {marks: shaken}}}\n      - {name: led,",
            "does what 'shaken' does",
        ),
    ),
    "ashvale": (
        ("tables.yaml", '"1..2", "3..4"', '"1..2", "4..4"', "does not go on"),
        ("game.yaml", "  - {side: umber, phase: combat}\n", "", "umber has no phase of combat"),
        ("game.yaml", 'shows: "8-10"', 'shows: "8-11"', "never show 8-11"),
        ("game.yaml", "{kind: die, die: -2}", "{kind: die, die: -12}", "more than they can differ"),
        ("tables.yaml", '"-3..-2", "-1..0"', '"-3..-2", "0"', "'0' does not go on"),
        (
            "tables.yaml",
            "{defender: {units: all}, ",
            "{defender: {units: all, steps: 1}, ",
            "steps or units besides",
        ),
    ),
    "thornmere": (("game.yaml", '"3-4 1-2": 2, "0-1": 1', '"3-4 1-2": 1', "and none comes back"),),
    "karst": (
        ("game.yaml", "headquarters: hq", "headquarters: line", "no `headquarters` of `rules.supply` names it"),
        ("game.yaml", "headquarters: hq", "headquarters: line", "drawn as headquarters"),
        ("game.yaml", "edges: [south]", "edges: [north]", "is a source of empire too"),
        ("tables.yaml", "infantry: 2, alpine", "infantry: 0, alpine", "infantry counts 0"),
        ("tables.yaml", "steps: 1, retreat: 2", "steps: 1, retreat: 12", "across the whole map"),
    ),
    "mirefield": (
        ("game.yaml", "stacking: {limit: 2,", "stacking: {limit: 2, points: {motor: 7},", "may end nowhere"),
        (
            "game.yaml",
            "    - {side: alder, types: rifles motor, points",
            COPIED,
            "number 1 of the list says already",
        ),
        ("game.yaml", "who: tanks", "who: boats", "it is a phase of nobody"),
        ("game.yaml", "  rifles: {", "  boats: {symbol: infantry, movement: foot}\n  rifles: {", "phase of nobody"),
    ),
    "fallowmoor": (
        ("game.yaml", "types: [foot, horse]}", "types: [foot, foot]}", "names foot twice"),
        ("game.yaml", "types: [foot, foot]}", "types: [foot, foot]}", "combined arms by itself"),
    ),
}


@pytest.mark.parametrize("game", SLIPS)
def test_slips_are_told_where_they_are(tmp_path: Path, game: str) -> None:
    folder = tmp_path / game
    shutil.copytree(GAMES / game, folder)
    assert not load(folder, strict=False).warnings or game == "lowmarch"
    found = told_of(folder, [slip[:3] for slip in SLIPS[game]])
    for file, _, _, said in SLIPS[game]:
        told = [p for p in found if Path(p.file).name == file and said in str(p)]
        assert told and (told[0].line or file.startswith("text")), (said, [str(p) for p in found])


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("tables.yaml", "fails: {mark: shaken}", "fails: {}", "costs it nothing"),
        ("tables.yaml", "fails: {steps: all}", "fails: {steps: some}", "steps"),
        ("counters.csv", ",8 6,", ",8 x,", "'8 x' is no morale"),
        ("game.yaml", "passes: at_most", "passes: most", "passes"),
    ],
)
def test_tests_of_morale_are_whole(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    folder = tmp_path / "tarnhollow"
    shutil.copytree(GAMES / "tarnhollow", folder)
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(ScenarioError) as caught:
        load(folder)
    assert [p for p in caught.value.problems if Path(p.file).name == file and said in str(p) and p.line]


def test_a_morale_that_nothing_tests_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "tarnhollow"
    shutil.copytree(GAMES / "tarnhollow", folder)
    table = folder / "tables.yaml"
    table.write_text(
        re.sub(r"morale: \{dice.*?fails: (\{.*?\})\}", "advance: true", table.read_text("utf-8")), "utf-8"
    )
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("passes: at_most", 'shows: "2-6"'), "utf-8")
    found = [str(p) for p in load(folder, strict=False).warnings]
    assert any("nothing in this game tests it" in said for said in found)


def test_a_type_that_is_never_tested_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "tarnhollow"
    shutil.copytree(GAMES / "tarnhollow", folder)
    counters = folder / "counters.csv"
    counters.write_text(re.sub(r"(,horse,X,.*,)[78],", r"\1,", counters.read_text("utf-8")), "utf-8")
    found = [p for p in load(folder, strict=False).warnings if "no unit of the type horse has any" in str(p)]
    assert [Path(p.file).name for p in found] == ["game.yaml"]


def test_a_place_that_nobody_holds_and_a_railway_on_a_road_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "lowmarch"
    shutil.copytree(GAMES / "lowmarch", folder)
    for file, old, new in (
        ("victory.yaml", "ford: east, ", ""),
        ("setup.yaml", '"0704"', '"0705"'),
        ("game.yaml", "way: rail, ", "way: road, "),
    ):
        text = (folder / file).read_text("utf-8")
        (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    told = " ".join(map(str, load(folder, strict=False).warnings))
    assert "nobody holds ford" in told and "perhaps rail is meant" in told


def test_a_code_of_a_game_has_nothing_of_its_familys(tmp_path: Path) -> None:
    folder = tmp_path / "tolliver"
    shutil.copytree(GAMES / "tolliver", folder)
    table = folder / "tables.yaml"
    own = "  DR: {defender: {steps: 1}}\n"
    table.write_text(re.sub(r"(?m)^  DR: .*\n", own, table.read_text("utf-8")), "utf-8")
    result = load(folder, strict=False).tables.results["DR"]
    assert result.defender.steps is not None and result.defender.retreat is None


def test_reinforcements_need_a_phase_in_which_they_come(tmp_path: Path) -> None:
    folder = tmp_path / "harrow"
    shutil.copytree(GAMES / "harrow", folder)
    rules, first = folder / "game.yaml", "  - {side: blue, phase: movement, does: [rail]"
    text = rules.read_text("utf-8")
    assert first in text
    rules.write_text(text.replace(first, f"{first}, entry: false"), "utf-8")
    (problem,) = (p for p in load(folder).warnings if p.message.key == "scenario.setup.no-phase")
    assert (Path(problem.file).name, problem.line) == ("setup.yaml", 12)
    assert "no phase in which anybody comes on the map" in str(problem)
