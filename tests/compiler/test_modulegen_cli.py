"""The command line: what it says of games and modules, and how it ends."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main
from hexforge.modulegen.diff import compare
from hexforge.scenarios.commands import HOME
from hexforge.validator.app.cli import main as validator

from .run import edit, run

BREAKAGES: list[tuple[str, str, str, str, str]] = [
    ("broken YAML", "game.yaml", "turns: {", "turns: [{", "game.yaml:"),
    (
        "a cell that is no number",
        "counters.csv",
        ",3,3,4,,2,2,",
        ",three,3,4,,2,2,",
        "counters.csv:2: no-1-1, column attack",
    ),
    ("a hex off the map", "setup.yaml", '"0805"', '"4105"', "4105"),
    ("a hex that is none", "setup.yaml", '"0805"', '"85"', "setup.yaml:"),
    ("a road that jumps", "map.yaml", "0402 0503 0603", "0402 0603", "jumps"),
    ("an unknown key", "tables.yaml", "crt:", "cart: 1\ncrt:", "tables.yaml:"),
    ("an unknown palette", "game.yaml", "counter: french", "counter: martian", "martian"),
    ("an unknown symbol", "counters.csv", ",engineer,", ",sapper,", "sapper"),
]


@pytest.mark.parametrize(("file", "old", "new", "said"), [b[1:] for b in BREAKAGES], ids=[b[0] for b in BREAKAGES])
def test_broken_files_end_in_one_clear_message(
    standing: tuple[Path, Path, bytes], file: str, old: str, new: str, said: str
) -> None:
    game, out, before = standing
    edit(game / file, old, new)
    result = run("build", game, "--out", out)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert list(out.iterdir()) == [out / "RiverWar.vmod"]
    assert (out / "RiverWar.vmod").read_bytes() == before


def test_all_errors_are_said_at_once(game: Path) -> None:
    edit(game / "counters.csv", ",3,3,4,,2,2,", ",three,3,4,,2,2,")
    edit(game / "map.yaml", "  .f....hhh...", "  .f..X.hhh...")
    result = run("check", game)
    assert result.exit_code == 2
    assert "three" in result.stderr
    assert "'X'" in result.stderr


def test_an_unknown_game(tmp_path: Path) -> None:
    result = run("build", "atlantis", "--out", tmp_path)
    assert result.exit_code == 2
    assert "atlantis" in result.stderr
    assert "hurtgen" in result.stderr


def test_new_writes_a_game_that_checks(tmp_path: Path) -> None:
    folder = tmp_path / "Meu Jogo"
    result = run("new", folder)
    assert result.exit_code == 0, result.output
    checked = run("check", folder, "--json")
    assert checked.exit_code == 0, checked.output
    found = json.loads(checked.stdout)
    assert (found["game"], found["problems"]) == ("meu-jogo", [])
    again = run("new", folder)
    assert again.exit_code == 2
    assert "not an empty folder" in again.stderr


def test_new_writes_a_turn_that_is_judged_and_one_with_mistakes(tmp_path: Path) -> None:
    folder = tmp_path / "Meu Jogo"
    assert run("new", folder).exit_code == 0
    sheets = folder / "examples"
    well = CliRunner().invoke(validator, ["check", "--format", "json", str(sheets / "turn1.sheet")])
    assert (well.exit_code, json.loads(well.stdout)["verdict"]) == (0, "legal")
    wrong = CliRunner().invoke(validator, ["check", "--format", "json", str(sheets / "turn1-mistakes.sheet")])
    assert wrong.exit_code == 1
    found = [(f["code"], f["severity"]) for f in json.loads(wrong.stdout)["findings"]]
    assert found == [("special", "illegal"), ("movement-cost", "illegal"), ("shifts", "illegal")]


def test_new_tells_editors_of_the_schemas(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    assert run("new", folder).exit_code == 0
    named = 0
    for path in folder.glob("*.yaml"):
        first = path.read_text("utf-8").partition("\n")[0]
        if not path.name.startswith("text."):
            target = folder / first.removeprefix("# yaml-language-server: $schema=")
            assert json.loads(target.read_text("utf-8"))["title"].endswith("File")
            named += 1
    assert named == 5
    for file in (*folder.glob("*.yaml"), *folder.glob("examples/*"), folder / "README.md"):
        assert "@" not in file.read_text("utf-8"), "a place for a name was left open"


def test_check_finds_contradictions(game: Path) -> None:
    edit(game / "setup.yaml", "totals: {north: 5", "totals: {north: 6")
    result = run("check", game)
    assert result.exit_code == 1
    assert "setup.yaml" in result.stdout


def test_check_tells_what_a_correction_touches(tmp_path: Path) -> None:
    for name in ("hurtgen", "somnium"):
        shutil.copytree(HOME / name, tmp_path / name)
    copy = tmp_path / "hurtgen"
    assert "->" not in run("check", copy).stdout
    edit(copy / "setup.yaml", '"0609"', '"0610"')
    edit(copy / "counters.csv", ",6,4,8,", ",7,4,8,")
    said = run("check", copy).stdout
    assert "6-4-8" in said and "7-4-8" in said and "set-up: 0807 (H 10.1.2)" in said
    assert any("0610" in line for line in json.loads(run("check", copy, "--json").stdout)["changes"])


def test_data_shows_what_is_assumed() -> None:
    result = run("data", "hurtgen", "--json")
    found = json.loads(result.stdout)
    assert sum(found["counts"]["hex"].values()) == 216
    assert sum(found["counts"]["strength"].values()) == 71
    listed = run("data", "hurtgen", "--kind", "strength", "--only", "printed")
    assert "ge-89-fus" in listed.stdout
    assert run("data", "hurtgen", "--kind", "colour").exit_code == 2


def test_list_and_schema(tmp_path: Path) -> None:
    assert {row["name"] for row in json.loads(run("list", "--json").stdout)} >= {"bastogne", "hurtgen", "metz"}
    assert run("schema", "--out", tmp_path).exit_code == 0
    schemas = {p.name: json.loads(p.read_text("utf-8")) for p in tmp_path.iterdir()}
    assert "properties" in schemas["game.yaml.schema.json"]
    assert "properties" in schemas["counters.csv.schema.json"]


def test_diff_of_games(game: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(game, other)
    assert run("diff", game, other).exit_code == 0
    edit(other / "counters.csv", ",3,3,4,,2,2,", ",9,3,4,,2,2,")
    edit(other / "map.yaml", "  .f....hhh...", "  ff....hhh...")
    edit(other / "setup.yaml", '"0805"', '"0806"')
    result = run("diff", game, other, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert {"what": "no-1-1.attack", "before": 3, "after": 9} in found["counters"]
    assert {"what": "0101", "before": "open", "after": "forest"} in found["map"]
    assert found["set-up"] == [{"what": "no-1-2", "before": "at start: 0805", "after": "at start: 0806"}]
    assert "3 -> 9" in run("diff", game, other).stdout


def test_diff_of_modules(game: Path, tmp_path: Path) -> None:
    for name in ("a.vmod", "b.vmod"):
        assert run("build", game, "--out", tmp_path / name).exit_code == 0
        edit(game / "setup.yaml", '"0805"', '"0806"') if name == "a.vmod" else None
    found = compare(str(tmp_path / "a.vmod"), str(tmp_path / "b.vmod"))
    assert [c.what for c in found["set-up setup.vsav"]] == ["no-1-2"]
    assert "pieces" not in found
    assert run("diff", tmp_path / "a.vmod", "hurtgen").exit_code == 2


def test_verify_and_inspect(game: Path, tmp_path: Path) -> None:
    assert run("build", game, "--out", tmp_path / "a.vmod").exit_code == 0
    assert run("verify", tmp_path / "a.vmod").exit_code == 0
    found = json.loads(run("inspect", tmp_path / "a.vmod", "--json").stdout)
    assert (found["name"], found["missing_prototypes"], found["images"]["missing"]) == ("River war", [], [])
    (tmp_path / "no.vmod").write_bytes(b"no module")
    for command in ("verify", "inspect"):
        result = run(command, tmp_path / "no.vmod")
        assert result.exit_code == 2
        assert "no.vmod" in result.stderr or "ZIP" in result.stderr


def test_watch_builds_again_and_outlives_errors(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "w.vmod"
    log = tmp_path / "log"
    words = [sys.executable, "-m", "hexforge.modulegen", "watch", str(game), "--out", str(out), "--interval", "0.1"]
    with log.open("w") as sink, subprocess.Popen(words, stdout=sink, stderr=sink) as process:

        def wait_for(said: str, times: int = 1) -> None:
            deadline = time.monotonic() + 60
            while log.read_text().count(said) < times:
                assert process.poll() is None
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.05)

        try:
            wait_for("version")
            edit(game / "text.pt.yaml", "Norte", "Nortada")
            wait_for("version", 2)
            edit(game / "setup.yaml", '"0805"', '"9905"')
            wait_for("waiting for a change")
            edit(game / "setup.yaml", '"9905"', '"0806"')
            wait_for("version", 3)
        finally:
            process.terminate()


def test_help_of_every_command_has_words() -> None:
    top = run("--help").stdout
    assert "Examples:" in top
    for name, command in main.commands.items():
        result = run(name, "--help")
        assert result.exit_code == 0
        assert name in top
        assert command.help


def test_module_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hexforge.modulegen", "--version"], capture_output=True, text=True, check=True
    )
    assert "modulegen" in done.stdout
