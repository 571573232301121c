"""How a map calls its hexes (`grid: numbering`): in the files, and in sheets of the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexforge.modulegen.starter import LIKE
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load
from hexforge.validator.judging.check import check_file
from hexforge.validator.notation.statements import Engagement, Move
from hexforge.validator.notation.vocabulary import vocabulary_of
from hexforge.validator.reading.sheet import read_sheet
from tests import starters

COLUMNS = "ABCDEFGHIJ"
HEX = re.compile(r"(?<![\w.])(\d\d)(\d\d)(?!\w)")


def renamed(text: str) -> str:
    """A file whose hexes are called A1 in place of 0101; years stay."""
    return HEX.sub(lambda m: f"{COLUMNS[int(m[1]) - 1]}{int(m[2])}" if 0 < int(m[1]) <= 10 else m[0], text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The classic starter, its columns called by letters."""
    home = tmp_path / "mine"
    starters.write(home, "en", LIKE["classic"])
    for name in ("map.yaml", "setup.yaml", "victory.yaml"):
        path = home / name
        path.write_text(renamed(path.read_text("utf-8")), "utf-8")
    numbered(home, "{columns: letters}")
    return home


def numbered(home: Path, numbering: str) -> None:
    path = home / "map.yaml"
    text = re.sub(
        r"low: even(, numbering: \{.*?\})?", f"low: even, numbering: {numbering}", path.read_text("utf-8")
    )
    path.write_text(text, "utf-8")


def test_files_and_sheets_call_hexes_as_the_map_does(folder: Path) -> None:
    game = load(folder)
    assert game.map.grid.hexes[:2] == ("A1", "A2")
    assert game.map.place["bridge-town"].hexes == ("E5",)
    words = vocabulary_of(game)
    for way in ("F8 G8 G7", "f8 G8 g7", "F8->G8->G7", "F8 para G8 para G7"):
        text = f"sheet 1\ngame mine\nturn 1 south movement\nmove so-1: {way}\n"
        sheet = read_sheet(text, lookup=lambda *_: words)
        assert sheet.problems == ()
        (move,) = (s for s in sheet.statements if isinstance(s, Move))
        assert move.path == ("F8", "G8", "G7")


@pytest.mark.parametrize(
    "line", ["combat F8 G8", "combat f8, g8", "combat F8 and G8: so-1", "bombard F8 G8 by so-1"]
)
def test_a_combat_may_be_against_several_hexes(folder: Path, line: str) -> None:
    words = vocabulary_of(load(folder))
    sheet = read_sheet(f"sheet 1\ngame mine\nturn 1 south combat\n{line}\n", lookup=lambda *_: words)
    assert sheet.problems == ()
    (fight,) = (s for s in sheet.statements if isinstance(s, Engagement))
    assert fight.targets == ("F8", "G8")


def test_an_examples_answer_is_the_same_by_any_name(folder: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain" / "mine"
    starters.write(plain, "en", LIKE["classic"])
    for name in ("turn1.sheet", "turn1-mistakes.sheet"):
        sheet = folder / "examples" / name
        sheet.write_text(renamed(sheet.read_text("utf-8")), "utf-8")
        mine, theirs = check_file(sheet), check_file(plain / "examples" / name)
        assert [(f.line, f.code) for f in mine.findings] == [(f.line, f.code) for f in theirs.findings]


@pytest.mark.parametrize(
    ("numbering", "said"),
    [
        ("{columns: letters, rows: letters}", "one of them must be digits"),
        ("{columns: letters, columns_from: 0}", "letters begin with A"),
        ("{columns_from: 95}", "too few for 104"),
        ("{columns: letter}", "letters"),
        ("{column: letters}", "column"),
    ],
)
def test_a_numbering_with_two_readings_is_refused(folder: Path, numbering: str, said: str) -> None:
    numbered(folder, numbering)
    with pytest.raises(ScenarioError, match=said) as caught:
        load(folder)
    assert [(p.file, p.line) for p in caught.value.problems] == [(str(folder / "map.yaml"), 4)]


@pytest.mark.parametrize(
    ("wrong", "said"), [("0505", "a name like A1"), ("5E", "a name like A1"), ("E9", "E9"), ("A1/C3", "touch")]
)
def test_a_hex_that_the_map_has_not_is_told(folder: Path, wrong: str, said: str) -> None:
    path = folder / "map.yaml"
    text = path.read_text("utf-8")
    old = "A4/A5" if "/" in wrong else 'hexes: "E5"'
    path.write_text(text.replace(old, wrong if "/" in wrong else f'hexes: "{wrong}"', 1), "utf-8")
    with pytest.raises(ScenarioError, match=re.escape(said)) as caught:
        load(folder)
    assert all(p.line for p in caught.value.problems)
