"""`modulegen build`: what it writes, when, and what it leaves in place."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hexforge.modulegen import build_key
from hexforge.modulegen.plan import markers
from hexforge.modulegen.render import raster, templates
from hexforge.modulegen.vassal.module import read_module

from .run import edit, run


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
    assert run("build", game, "--out", tmp_path).exit_code == 0
    monkeypatch.setattr(build_key, "_program_digest", lambda: "another")
    assert "unchanged" not in run("build", game, "--out", tmp_path).stdout


def test_a_language_that_the_game_has_not(game: Path, tmp_path: Path) -> None:
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
