"""What the README shows works as shown."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.commands import here

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = [re.sub(r"(?m)^ {4}", "", block) for block in re.findall(r"(?m)(?:^ {4}.*\n)+", README)]
COMMANDS = [
    line.partition("  #")[0].strip()
    for block in BLOCKS
    for line in block.splitlines()
    if line.startswith(("validator ", "modulegen "))
]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the README's sheet in it, whole and before its combats."""
    (sheet,) = [block for block in BLOCKS if block.startswith("sheet 1")]
    (tmp_path / "turno.sheet").write_text(sheet, "utf-8")
    (tmp_path / "plano.sheet").write_text(sheet.partition("combat 0905")[0], "utf-8")
    return tmp_path


def test_the_sheet_shown_is_played_well(desk: Path) -> None:
    done = here("validator", "check", "--format", "json", desk / "turno.sheet")
    answer = json.loads(done.stdout)
    assert [f for f in answer["findings"] if f["severity"] == "illegal"] == []
    assert len(answer["moves"]) and len(answer["combats"])


@pytest.mark.parametrize("line", [c for c in COMMANDS if re.search(r"(turno|plano)\.sheet", c)])
def test_the_validator_s_commands_do_what_they_say(desk: Path, line: str) -> None:
    words = shlex.split(line.partition(" >")[0])
    done = here(*words, cwd=desk)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "  ! " not in done.stdout, "an example should be one that the rules allow"


def test_every_command_named_exists() -> None:
    named = {tuple(shlex.split(line)[:2]) for line in COMMANDS}
    assert len(named) > 8
    for program, name in sorted(named):
        assert here(program, name, "--help").returncode == 0


def test_every_file_linked_is_there() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / target).exists(), target
