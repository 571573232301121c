"""The command line: what it says, what it leaves in place, and how it ends."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen.cli import main
from hexforge.modulegen.diff import compare
from hexforge.scenarios.commands import HOME


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(w) for w in words])


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture
def standing(tmp_path: Path, game: Path) -> tuple[Path, Path, bytes]:
    """A game, the folder for modules, and the module that stands in it already."""
    out = tmp_path / "dist"
    out.mkdir()
    (out / "RiverWar.vmod").write_bytes(b"what stood here before")
    return game, out, b"what stood here before"


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


def test_a_folder_that_cannot_be_written(standing: tuple[Path, Path, bytes], tmp_path: Path) -> None:
    game, _, _ = standing
    (tmp_path / "file").write_text("no folder")
    result = run("build", game, "--out", tmp_path / "file" / "dist")
    assert result.exit_code == 2
    assert "file" in result.stderr
    assert (tmp_path / "file").read_text() == "no folder"


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder that nobody may write to; root, whom permissions do not bind, through a read-only mount."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        yield
        folder.chmod(0o755)
        return
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_read_only_folder(standing: tuple[Path, Path, bytes]) -> None:
    game, out, before = standing
    with read_only(out):
        result = run("build", game, "--out", out)
    assert result.exit_code == 2
    assert "Permission denied" in result.stderr or "Read-only" in result.stderr
    assert (out / "RiverWar.vmod").read_bytes() == before


def test_a_refused_folder(standing: tuple[Path, Path, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    game, out, before = standing

    def refuse(part: Path) -> Any:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(part))

    monkeypatch.setattr("hexforge.scenarios.text.files._nameless", refuse)
    result = run("build", game, "--out", out)
    assert result.exit_code == 2
    assert f"{out}: Permission denied" in result.stderr
    assert (out / "RiverWar.vmod").read_bytes() == before


def test_a_full_disk_leaves_what_stood_there(standing: tuple[Path, Path, bytes]) -> None:
    game, out, before = standing

    def limit() -> None:
        # No file may grow beyond this: the module's is cut off in the middle, as on a full disk.
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    done = subprocess.run(
        [sys.executable, "-m", "hexforge.modulegen", "build", str(game), "--out", str(out), "--no-cache"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=limit,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert os.strerror(errno.EFBIG) in done.stderr
    assert [p.name for p in out.iterdir()] == ["RiverWar.vmod"]
    assert (out / "RiverWar.vmod").read_bytes() == before


def test_an_unreadable_font(
    standing: tuple[Path, Path, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hexforge.modulegen.plan import markers
    from hexforge.modulegen.render import raster

    game, out, before = standing
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    for path in raster.font_folder().glob("*.ttf"):
        (fonts / path.name).write_bytes(b"this is no font")
    monkeypatch.setattr(raster, "font_folder", lambda: fonts)
    for cached in (raster.font_files, raster._face, markers.drawn_by):
        cached.cache_clear()
    try:
        result = run("build", game, "--out", out, "--no-cache")
    finally:
        monkeypatch.undo()
        for cached in (raster.font_files, raster._face, markers.drawn_by):
            cached.cache_clear()
    assert result.exit_code == 2
    assert ".ttf" in result.stderr
    assert "Traceback" not in result.output
    assert (out / "RiverWar.vmod").read_bytes() == before


def test_two_games_do_not_share_a_file(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    other = tmp_path / "other"
    shutil.copytree(game, other)
    edit(other / "game.yaml", "name: river-war", "name: other-war")
    assert run("build", game, "--out", out).exit_code == 0
    before = (out / "RiverWar.vmod").read_bytes()
    refused = run("build", other, "--out", out)
    assert refused.exit_code == 2
    assert "that of the game 'river-war'" in refused.stderr
    assert "'other-war' would overwrite it" in refused.stderr
    assert (out / "RiverWar.vmod").read_bytes() == before
    assert run("build", other, "--out", out / "Other.vmod").exit_code == 0
    # A file that the user names is overwritten; so is the module of an earlier state of the same game.
    assert run("build", other, "--out", out / "RiverWar.vmod").exit_code == 0
    assert run("build", other, "--out", out).exit_code == 0
    assert "that of the game 'other-war'" in run("build", game, "--out", out).stderr


@pytest.mark.parametrize("built_before", [False, True])
def test_two_states_of_a_game_are_not_built_over_each_other(game: Path, tmp_path: Path, built_before: bool) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    shutil.copytree(game, other)
    if built_before:
        assert run("build", game, "--out", out).exit_code == 0
    refused = run("build", game, other, "--out", out)
    assert refused.exit_code == 2
    assert f"that of {game}" in refused.stderr
    assert run("build", other, "--out", out).exit_code == 0


def test_a_module_that_was_made_elsewhere_is_not_overwritten(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    theirs = out / "RiverWar.vmod"
    with zipfile.ZipFile(theirs, "w") as archive:
        data = '<data version="1"><name>River &amp; war</name><VassalVersion>3.7.0</VassalVersion></data>'
        archive.writestr("moduledata", data)
    before = theirs.read_bytes()
    refused = run("build", game, "--out", out)
    assert refused.exit_code == 2
    assert "'River & war', which was not made here" in refused.stderr
    assert theirs.read_bytes() == before


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("counters.yaml", "ink"),
        ("board.yaml", "title"),
        ("board.yaml", "woods"),
        ("counters_markers.yaml", "picture"),
        ("charts.yaml", "frame"),
    ],
)
def test_a_key_that_a_palette_lacks(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, key: str
) -> None:
    from hexforge.modulegen.render import templates

    art = tmp_path / "art"
    shutil.copytree(templates.art_folder(), art, ignore=shutil.ignore_patterns("__pycache__"))
    palette = art / "palettes" / file
    text = palette.read_text("utf-8")
    assert f"{key}:" in text
    palette.write_text(text.replace(f"{key}:", f"{key}_:"), "utf-8")
    monkeypatch.setattr(templates, "art_folder", lambda: art)
    cached = (templates._palette, templates.environment)
    for one in cached:
        one.cache_clear()
    try:
        result = run("build", game, "--out", tmp_path / "out", "--no-cache", "--jobs", "1")
    finally:
        monkeypatch.undo()
        for one in cached:
            one.cache_clear()
    assert result.exit_code == 2, result.output
    assert f"{palette}: lacks the key " in result.stderr
    assert f"{key}\n" in result.stderr
    assert not (tmp_path / "out").exists()


def test_build_says_what_it_did_and_then_does_nothing(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = run("build", game, "--out", out, "--json")
    assert first.exit_code == 0, first.output
    (built,) = json.loads(first.stdout)
    assert built["built"]
    module = Path(built["path"])
    data = module.read_bytes()
    again = run("build", game, "--out", out)
    assert "unchanged" in again.stdout
    assert module.read_bytes() == data
    assert run("build", game, "--out", out, "--quiet").output == ""


def test_up_to_date_is_never_claimed_wrongly(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def built() -> bool:
        (result,) = json.loads(run("build", game, "--out", out, "--json").stdout)
        return bool(result["built"])

    assert built()
    assert not built()
    module = out / "RiverWar.vmod"
    data = module.read_bytes()
    module.write_bytes(data[:-1] + b"x")
    assert built(), "the module was tampered with"
    assert module.read_bytes() == data
    module.unlink()
    assert built(), "the module was gone"
    edit(game / "text.pt.yaml", "Norte", "Nortada")
    assert built(), "a text has changed"
    edit(game / "text.pt.yaml", "Nortada", "Norte")
    assert built(), "and was changed back, but another module stands there"
    assert module.read_bytes() == data
    (result,) = json.loads(run("build", game, "--out", out, "--lang", "en", "--json").stdout)
    assert result["built"], "another language"
    assert built(), "the module in place is in the other language"


def test_a_change_of_the_program_is_a_change(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hexforge.modulegen import build_key

    assert run("build", game, "--out", tmp_path).exit_code == 0
    monkeypatch.setattr(build_key, "_program_digest", lambda: "another")
    assert "unchanged" not in run("build", game, "--out", tmp_path).stdout


def test_a_language_that_the_game_has_not(game: Path, tmp_path: Path) -> None:
    from hexforge.modulegen.vassal.module import read_module

    edit(game / "game.yaml", "family: somnium", "family: somnium\nlanguages: [pt]")
    (game / "text.en.yaml").unlink()
    target = tmp_path / "x.vmod"
    assert run("build", game, "--out", target, "--lang", "en").exit_code == 0
    module = read_module(target)
    assert "Reinforcements" in {map_.name for map_ in module.maps}, "the words of all games are English"
    assert "Norte" in module.sides, "the game's own are those that it has"
    result = run("build", game, "--out", target, "--lang", "xx")
    assert result.exit_code == 2
    assert "'xx' is not one of 'en', 'pt'" in result.stderr


def test_a_third_language_of_a_game_is_a_file_alone(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hexforge.modulegen.vassal.module import read_module

    (game / "text.nl.yaml").write_text("sides: {north: Noorden}\n", "utf-8")
    (tmp_path / "module.nl.yaml").write_text("map: {reserves: Versterkingen}\n", "utf-8")
    monkeypatch.setenv("HEXFORGE_WORDS", str(tmp_path))
    target = tmp_path / "x.vmod"
    built = run("build", game, "--out", target, "--lang", "nl")
    assert (built.exit_code, built.stderr) == (0, "")
    module = read_module(target)
    assert {"Map", "Versterkingen", "Losses"} <= {map_.name for map_ in module.maps}
    assert {"Noorden", "Sul"} <= set(module.sides)


def test_out_may_name_the_file(game: Path, tmp_path: Path) -> None:
    assert run("build", game, "--out", tmp_path / "other.vmod").exit_code == 0
    assert (tmp_path / "other.vmod").is_file()


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
    from hexforge.validator.app.cli import main as validator

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
    import shutil

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
