"""Choices that can come to nothing are told with file and line, many slips of one game at a time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.problems import ScenarioError

GAMES = Path(__file__).parent.parent / "games"
Slip = tuple[str, str, str, str]

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
        ("game.yaml", "{guns: battery,", "{guns: battery guard,", "no unit of the type guard has a range"),
        ("game.yaml", "far: [{types", "far: [{hexes: 1}, {types", "number 1 of the list fits whatever"),
        ("tables.yaml", "mark: routed", "mark: routd", "anything of the mark 'routd'"),
        ("victory.yaml", "least: 10}", "least: 1}", "'small' is never reached"),
        ("victory.yaml", "levels:", 'sudden: [{side: red, section: "8"}]\nlevels:', "says when in no way"),
        ("victory.yaml", "[4, 8]", "[4, 18]", "turn 18"),
        ("tables.yaml", "  dice: 1d6", "  dice: 1d6\n  die_modifier_most: 2", "the game has none"),
        ("counters.csv", "II,1,4,2,4,2,,", "II,1,4,2,4,,,", "has no range"),
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
        ("game.yaml", "phase: attrition, steps", "phase: attritoin, steps", "'attritoin' is no phase"),
    ),
    "ashvale": (
        ("tables.yaml", '"1..2", "3..4"', '"1..2", "4..4"', "does not go on"),
        ("game.yaml", "  - {side: umber, phase: combat}\n", "", "umber has no phase of combat"),
        ("game.yaml", 'shows: "8-10"', 'shows: "8-11"', "never show 8-11"),
    ),
}


@pytest.mark.parametrize("game", SLIPS)
def test_slips_are_told_where_they_are(tmp_path: Path, game: str) -> None:
    folder = tmp_path / game
    shutil.copytree(GAMES / game, folder)
    assert not load(folder, strict=False).warnings or game == "lowmarch"
    for file, old, new, _ in SLIPS[game]:
        text = (folder / file).read_text("utf-8")
        assert old in text, old
        (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    try:
        found = load(folder, strict=False).warnings
    except ScenarioError as error:
        found = error.problems
    for file, _, _, said in SLIPS[game]:
        told = [p for p in found if Path(p.file).name == file and said in str(p)]
        assert told and (told[0].line or file.startswith("text")), (said, [str(p) for p in found])
