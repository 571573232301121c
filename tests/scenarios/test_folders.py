"""Which copy of a game is meant by its name: the one below the current folder; when there are two it is said."""

from __future__ import annotations

import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from hexforge.modulegen.build_key import Options, inputs
from hexforge.scenarios import ScenarioError, find, load
from hexforge.scenarios.commands import HOME, named
from hexforge.scenarios.text.words import HexforgeWarning
from hexforge.validator.notation import games


@pytest.fixture
def unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder is one in which the project was unpacked, besides the one that is installed."""
    for part in ("hurtgen", "somnium"):
        shutil.copytree(HOME / part, tmp_path / "scenarios" / part)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "scenarios" / "hurtgen"


def test_the_programs_own_is_meant_where_there_is_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find("hurtgen") == HOME / "hurtgen"


@pytest.mark.parametrize("here", ["scenarios", "."])
def test_the_copy_below_the_current_folder_is_meant(
    unpacked: Path, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if here == ".":
        monkeypatch.chdir(unpacked.parent)
    with pytest.warns(HexforgeWarning, match="hurtgen is used, and not the copy of the game in"):
        assert find("hurtgen").resolve() == unpacked
    assert find(unpacked) == find(unpacked / "game.yaml") == unpacked
    assert find("metz") == HOME / "metz"


def test_the_projects_own_folder_is_no_second_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HOME.resolve().parent)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find("hurtgen") == HOME / "hurtgen"


@pytest.mark.filterwarnings("ignore::hexforge.scenarios.text.words.HexforgeWarning")
def test_whoever_asks_for_a_game_by_name_is_given_the_same(unpacked: Path) -> None:
    assert load("hurtgen").folder.resolve() == unpacked
    judged = games.scenario("hurtgen")
    assert judged is not None and judged.folder == unpacked
    assert inputs("hurtgen", Options(unpacked / "dist"))["folder"] == str(unpacked)


def test_a_game_of_ones_own_needs_no_path(unpacked: Path) -> None:
    own = unpacked.rename(unpacked.parent / "kall")
    assert named("kall") == Path("scenarios", "kall")
    judged = games.scenario("kall")
    assert judged is not None and judged.folder == own


@pytest.mark.parametrize("name", ["../hurtgen", "", ".", "a/b", "x" * 65, "atlantis"])
def test_no_other_folder_is_a_name(unpacked: Path, name: str) -> None:
    assert named(name) is None
    assert games.scenario(name) is None
    with pytest.raises(ScenarioError):
        find(name)


@pytest.mark.parametrize(
    "command",
    [
        ["modulegen", "check", "--quiet", "hurtgen"],
        ["modulegen", "data", "hurtgen", "--counts"],
        ["validator", "check", str(HOME / "hurtgen" / "examples" / "turn2-well.sheet")],
    ],
)
def test_commands_say_once_which_copy_they_use(unpacked: Path, command: list[str]) -> None:
    program, *words = command
    where = "scenarios/hurtgen"
    if program == "validator":
        # The sheet lies with the installed game, which it therefore means.
        sheet = unpacked.parent.parent / "turn2.sheet"
        shutil.copy(words[-1], sheet)
        words[-1] = str(sheet)
    done = subprocess.run(
        [sys.executable, "-m", f"hexforge.{program}", *words],
        capture_output=True,
        text=True,
        timeout=60,
        env={"HEXFORGE_LANG": "pt", "PATH": ""},
        check=False,
    )
    said = f"{program}: hurtgen: usa-se {where}, e não a cópia do jogo em {HOME / 'hurtgen'}\n"
    assert (done.returncode, done.stderr) == (0, said), done.stdout
