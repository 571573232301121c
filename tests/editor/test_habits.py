"""What runs by itself: hooks, the workflow, the container, completion, commands that watch."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from types import SimpleNamespace
from typing import Any

import click
import pytest
import yaml
from click.shell_completion import BashComplete
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.validator.app.cli import main as validator
from tests import starters

ROOT = Path(__file__).resolve().parents[2]
EDITOR = ROOT / "docs" / "editor"
PROGRAMS = {"validator": validator, "modulegen": modulegen}
SHEET = "sheet 1\ngame hurtgen\nturn 2 american movement\nmove us-112-1: 0806 0907\n"
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
WORKFLOW: dict[str, Any] = yaml.safe_load((EDITOR / "action.yml").read_text("utf-8"))


def _run(words: list[str]) -> click.testing.Result:
    return CliRunner().invoke(PROGRAMS[words[0]], words[1:])


@pytest.mark.parametrize(
    ("hook", "file", "code"),
    [
        ("modulegen-check", "", 0),
        ("validator-check", "good.sheet", 0),
        ("validator-check", "bad.sheet", 1),
        ("validator-format", "good.sheet", 0),
    ],
)
def test_hooks_run_what_they_name(hook: str, file: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "good.sheet").write_text(SHEET, "utf-8")
    (tmp_path / "bad.sheet").write_text(SHEET.replace("0907", "1212"), "utf-8")
    (told,) = [one for one in HOOKS if one["id"] == hook]
    given = [str(tmp_path / file)] if told.get("pass_filenames", True) else ["normandy"]
    assert not file or re.search(told["files"], file)
    assert _run([*shlex.split(told["entry"]), *given]).exit_code == code


def test_every_hook_has_what_pre_commit_asks_for() -> None:
    assert {one["id"] for one in HOOKS} == {
        "modulegen-check",
        "modulegen-lint",
        "validator-check",
        "validator-format",
    }
    for one in HOOKS:
        assert {"id", "name", "entry", "language"} <= set(one) and one["language"] == "python"
        program, name, *_ = shlex.split(one["entry"])
        assert name in PROGRAMS[program].lazy, one["entry"]
    assert re.search(next(one["files"] for one in HOOKS if one["id"] == "modulegen-lint"), "dist/Game.vmod")


@pytest.mark.parametrize("page", ["docs/editor.md", "docs/pt/editor.md"])
def test_the_hooks_shown_are_there(page: str) -> None:
    (shown,) = re.findall(r"```yaml\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    (repo,) = yaml.safe_load(shown)["repos"]
    assert [one["id"] for one in repo["hooks"]] == [one["id"] for one in HOOKS]


def test_the_workflow_judges_and_leaves_its_findings_for_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = WORKFLOW["jobs"]["judge"]["steps"]
    (line,) = [step["run"] for step in steps if step.get("run", "").startswith("validator")]
    (upload,) = [step["with"] for step in steps if "upload-sarif" in step.get("uses", "")]
    monkeypatch.chdir(tmp_path)
    Path("turn2.sheet").write_text(SHEET.replace("0907", "1212"), "utf-8")
    assert _run(shlex.split(line)).exit_code == 1
    (run,) = json.loads(Path(upload["sarif_file"]).read_text("utf-8"))["runs"]
    assert "error" in [one["level"] for one in run["results"]]


def test_the_container_installs_the_project_and_starts_its_programs() -> None:
    told = (EDITOR / "Containerfile").read_text("utf-8")
    assert re.search(r"^FROM python:3\.\d+-slim$", told, re.MULTILINE)
    assert re.search(r'pip install --no-cache-dir "/src\[(\w+)\]"', told)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "editor" in project["optional-dependencies"]
    (command,) = re.findall(r'^CMD \["([\w.]+)"', told, re.MULTILINE)
    assert re.search(r'^ENTRYPOINT \["python", "-m"\]$', told, re.MULTILINE)
    assert command in {target.rpartition(".cli")[0].removesuffix(".app") for target in project["scripts"].values()}


@pytest.mark.parametrize(
    ("program", "typed", "offered"),
    [
        (validator, "validator tra", {"transcribe"}),
        (validator, "validator check --format sa", {"sarif"}),
        (modulegen, "modulegen bui", {"build"}),
        (modulegen, "modulegen build --wat", {"--watch"}),
        (modulegen, "modulegen map hurt", {"hurt", "hurtgen"}),
        (modulegen, "modulegen build my-", {"my-"}),
        (validator, "validator check tu", {"tu"}),
        (validator, "validator reach tu", {"tu"}),
    ],
)
def test_bash_completes(
    program: click.Command, typed: str, offered: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = typed.split(maxsplit=1)[0]
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    found = BashComplete(program, {}, name, f"_{name.upper()}_COMPLETE").complete()
    assert {line.partition(",")[2] for line in found.splitlines()} == offered


def test_the_completion_of_the_pages_is_what_click_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BashComplete, "_check_version", staticmethod(lambda: None))
    done = CliRunner().invoke(validator, prog_name="validator", env={"_VALIDATOR_COMPLETE": "bash_source"})
    assert done.exit_code == 0 and "complete -o nosort -F _validator_completion validator" in done.output


# ------------------------------------------------------------------------------------------------ watching


class _Watched:
    """A command that goes on, and the lines that it writes."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.lines: Queue[str] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(line)

    def wait_for(self, part: str, patience: float = 30) -> None:
        """Read until a line has a part."""
        end = time.monotonic() + patience
        read = []
        while time.monotonic() < end:
            try:
                read.append(self.lines.get(timeout=0.2))
            except Empty:
                continue
            if part in read[-1]:
                return
        raise AssertionError(f"{part!r} is not in {read}")


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[_Watched]:
    sheet = tmp_path / "a.sheet"
    sheet.write_text(SHEET, "utf-8")
    found = _Watched("hexforge.validator", "check", str(sheet), "--watch", "--quiet", "--lang", "en")
    yield found
    found.process.kill()
    found.process.wait()


def test_check_judges_again_what_has_changed_and_outlives_errors(watched: _Watched, tmp_path: Path) -> None:
    sheet = tmp_path / "a.sheet"
    watched.wait_for("LEGAL")
    sheet.write_bytes(b"\0" * 50)
    watched.wait_for("validator: ")
    sheet.write_text(SHEET.replace("0907", "1212"), "utf-8")
    watched.wait_for("ILLEGAL")
    assert watched.process.poll() is None


def test_what_cannot_be_watched_is_said(tmp_path: Path) -> None:
    assert "standard input is not watched" in _run(["validator", "check", "-", "--watch", "--lang", "en"]).output
    done = CliRunner().invoke(modulegen, ["build", "hurtgen", "--watch", "--json"], env={"HEXFORGE_LANG": "en"})
    assert (done.exit_code, "--json is an answer at the end" in done.output) == (2, True)


def test_building_is_watched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    built: list[object] = []

    def stop(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hexforge.modulegen.cli_build._build_one", lambda game, options, quiet: built.append(game))
    monkeypatch.setattr("hexforge.scenarios.commands.time.sleep", stop)
    done = CliRunner().invoke(modulegen, ["build", "hurtgen", "metz", "--watch", "--out", str(tmp_path)])
    assert (done.exit_code, built) == (0, ["hurtgen", "metz"])


def test_checking_is_watched_and_goes_on_after_errors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    starters.write(game := tmp_path / "my-game")
    text = (game / "map.yaml").read_text("utf-8")
    versions = ["a: [", text + "\n"]

    def edit(_seconds: float) -> None:
        if not versions:
            raise KeyboardInterrupt
        (game / "map.yaml").write_text(versions.pop(0), "utf-8")

    # What a check itself waits for is not a pause between two looks.
    monkeypatch.setattr("hexforge.scenarios.commands.time", SimpleNamespace(sleep=edit, monotonic=time.monotonic))
    done = CliRunner().invoke(modulegen, ["check", str(game), "--watch"], env={"HEXFORGE_LANG": "en"})
    assert done.exit_code == 0 and "cannot be read as YAML" in done.output, done.output
    assert done.output.count("my-game: 0 errors") == 2
