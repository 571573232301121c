"""The recipes of CONTRIBUTING.md hold: files that they name are there, and the worked one does what it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
FOLDERS = ("art", "modulegen", "scenarios", "validator")
SHEET = """sheet 1
game bastogne
{option}partial
map blank open 20x20
unit g1 german infantry 4-4-5
position
  g1 0505
turn {turn} german movement
move g1: 0505 {way}
"""


def follow(recipe: str, tree: Path) -> set[str]:
    """Does to a tree what a recipe's differences say; the files that changed."""
    changed = set()
    for text in re.findall(r"^```diff\n(.*?)^```", recipe, re.MULTILINE | re.DOTALL):
        head, *hunks = re.split(r"^@@\n", text, flags=re.MULTILINE)
        (name,) = re.findall(r"^\+\+\+ b/(.*)", head, re.MULTILINE)
        file = tree / name
        for hunk in hunks:
            lines = hunk.splitlines(keepends=True)
            old = "".join(line[1:] for line in lines if line[0] in " -")
            new = "".join(line[1:] for line in lines if line[0] in " +")
            before = file.read_text("utf-8")
            assert before.count(old) == 1, f"{name} has not once:\n{old}"
            file.write_text(before.replace(old, new), "utf-8")
        changed.add(name)
    return changed


@pytest.fixture(scope="module")
def recipe() -> str:
    return PAGE.partition("### An option\n")[2].partition("\n### ")[0]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, recipe: str) -> Path:
    """A copy of the program in which the recipe for an option was followed."""
    copied = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "hexforge", copied / "hexforge", ignore=shutil.ignore_patterns(*FOLDERS))
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copied / folder, ignore=shutil.ignore_patterns("__pycache__"))
    changed = follow(recipe, copied)
    assert 0 < len(changed) <= 3
    return copied


def findings(tree: Path, sheet: str, *words: str) -> list[str]:
    """The codes of what the program of a tree finds illegal, or cannot read, in a sheet."""
    path = tree / "turn.sheet"
    path.write_text(sheet, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "hexforge.validator", "check", "--format", "json", path, *words],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 3), done.stderr
    return [f["code"] for f in json.loads(done.stdout)["findings"] if f["severity"] in ("illegal", "unread")]


HALF, MORE = "0506 0507 0508", "0506 0507 0508 0509"
"""Three points, the half of five rounded up, and one point more."""


@pytest.mark.parametrize(
    ("option", "turn", "way", "told"),
    [
        ("option night_halves=yes\n", 22, HALF, []),
        ("option night_halves=yes\n", 22, MORE, ["movement-cost"]),
        ("option night_halves=yes\n", 23, MORE, []),
        ("option night_halves=no\n", 22, MORE, []),
        ("", 22, MORE, []),
    ],
)
def test_night_halves_allowances_as_the_recipe_says(
    tree: Path, option: str, turn: int, way: str, told: list[str]
) -> None:
    assert findings(tree, SHEET.format(option=option, turn=turn, way=way)) == told


def test_the_option_may_be_given_on_the_command_line(tree: Path) -> None:
    sheet = SHEET.format(option="", turn=22, way=MORE)
    assert findings(tree, sheet, "--option", "night_halves=yes") == ["movement-cost"]


def test_the_recipe_is_needed(tree: Path, recipe: str) -> None:
    """Without it there is no such option."""
    game = tree / "scenarios" / "bastogne" / "game.yaml"
    with_it = game.read_text("utf-8")
    shutil.copy(ROOT / "scenarios" / "bastogne" / "game.yaml", game)
    try:
        sheet = SHEET.format(option="option night_halves=yes\n", turn=22, way=HALF)
        assert findings(tree, sheet) == ["syntax"]
    finally:
        game.write_text(with_it, "utf-8")


def test_files_and_folders_that_are_named_are_there() -> None:
    named = {n for n in re.findall(r"`([\w./-]+)`", PAGE) if "/" in n or re.search(r"\.(md|py|yaml)$", n)}
    places = ("", "validator/", "scenarios/bastogne/", "docs/")
    missing = [n for n in named if not any((ROOT / p / n).exists() for p in places)]
    assert [n for n in missing if "LANGUAGE" not in n] == []
    assert len(named) > 25
