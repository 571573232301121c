"""Without the libraries of an extra its commands say in a line how to get it; all others work without any."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.scenarios import console
from hexforge.scenarios.console import LIBRARIES, Extra, install_command
from hexforge.validator.app.cli import main as validator

ROOT = Path(__file__).parents[2]
SHEET = str(ROOT / "scenarios" / "hurtgen" / "examples" / "turn2-well.sheet")


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """Takes a library away; gives its name as it is installed."""
    library = str(request.param)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr(console, "install_command", lambda extra: f"GET {extra}")
    return library.replace("_", "-")


@pytest.mark.parametrize(
    ("program", "command", "extra", "lacking"),
    [
        (program, command, extra, library)
        for program, command, extra in (
            (validator, ["serve", "--no-open"], "serve"),
            (validator, ["serve", "--no-open"], "xlsx"),
            (modulegen, ["map", "hurtgen", "--no-open"], "serve"),
            (modulegen, ["preview", "hurtgen", "--out", "none"], "print"),
            (validator, ["check", SHEET, "-o", "none.xlsx"], "xlsx"),
            (validator, ["dice", SHEET, "-o", "none.xlsx"], "xlsx"),
            (validator, ["audit", SHEET, "-o", "none"], "xlsx"),
            (validator, ["audit", SHEET, "-o", "none", "--cluster", "tcp://127.0.0.1:1"], "cluster"),
            (validator, ["lsp"], "editor"),
        )
        for library in LIBRARIES[extra]  # type: ignore[index]
    ],
    indirect=["lacking"],
)
def test_a_command_says_in_a_line_what_it_lacks(
    program: click.Command, command: list[str], extra: Extra, lacking: str, there: Path
) -> None:
    for language, sentence in (
        ("en", f"this needs the library {lacking}, which is not installed: GET {extra}\n"),
        ("pt", f"isto precisa da biblioteca {lacking}, que não está instalada: GET {extra}\n"),
    ):
        done = CliRunner().invoke(program, command, env={"HEXFORGE_LANG": language})
        assert (done.exit_code, done.stderr.partition(": ")[2]) == (2, sentence)
    assert not any(there.iterdir())


def test_the_core_needs_none_of_them(tmp_path: Path) -> None:
    """In a process of their own, for here they may be loaded."""
    names = {name for names in LIBRARIES.values() for name in names} | {"numpy", "scipy"}
    run = (
        f"import sys; sys.modules.update(dict.fromkeys({sorted(names)}))\n"
        "from importlib import import_module\n"
        "for program, *words in eval(sys.argv[1]):\n"
        "    try: import_module(f'hexforge.{program}').main(words)\n"
        "    except SystemExit as end: assert end.code == 0, (program, words)\n"
        "print('all run')"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    commands = (
        ["modulegen.cli", "check", "hurtgen"],
        ["modulegen.cli", "build", "metz", "--scale", "0.25", "--out", str(tmp_path)],
        ["modulegen.cli", "lint", str(tmp_path / "Metz.vmod")],
        ["validator.app.cli", "check", SHEET, "-o", str(tmp_path / "report.html")],
        ["validator.app.cli", "page", SHEET, "-o", str(tmp_path / "page.html")],
        ["validator.app.cli", "dice", SHEET],
    )
    line = [sys.executable, "-c", run, repr(commands)]
    done = subprocess.run(line, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.endswith("all run\n"), (done.stdout, done.stderr)


@pytest.mark.parametrize("extra", LIBRARIES)
@pytest.mark.parametrize("pipx", [False, True])
def test_the_way_to_install_is_the_one_that_was_gone(
    extra: Extra, pipx: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "the game's"
    folder.mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    if pipx:
        (tmp_path / "pipx_metadata.json").write_text("{}")
    pip = "pipx install --force" if pipx else "pip install"
    unknown = f'{pip} "PATH-TO-HEXFORGE[{extra}]"'
    url, gone = folder.as_uri(), folder.with_name("gone").as_uri()
    git = {"url": "https://example.org/h.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
    for told, wanted in (
        ({"url": url, "dir_info": {}}, f'{pip} "{folder}[{extra}]"'),
        ({"url": url, "dir_info": {"editable": True}}, f'{pip} -e "{folder}[{extra}]"'),
        ({"url": gone, "archive_info": {}}, unknown),
        (git, f'{pip} "hexforge[{extra}] @ git+https://example.org/h.git@abc"'),
        ({"url": "https://example.org/h.whl"}, f'{pip} "hexforge[{extra}] @ https://example.org/h.whl"'),
        (None, unknown),
    ):
        known = Known(None if told is None else json.dumps(told))
        monkeypatch.setattr("importlib.metadata.distribution", lambda name, known=known: known)
        assert install_command(extra) == wanted


class Known:
    """An installed distribution that tells only where it came from."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self.text
