"""The API is what its page shows, is imported when it is used, and does what the commands do."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import hexforge
from hexforge import api
from hexforge.validator.app.cli import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "scenarios" / "hurtgen" / "examples"


def test_the_examples_on_the_page_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    found = doctest.testfile(str(ROOT / "docs" / "api.md"), module_relative=False, optionflags=flags)
    assert (found.failed, found.attempted > 10) == (0, True)


def test_the_page_names_all_that_is_offered() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    functions = [name for name in hexforge.__all__ if name[0].islower()]
    assert [name for name in functions if f"{name}(" not in page] == []
    assert hexforge.__all__ == api.__all__ == sorted(api.__all__)
    assert all(getattr(hexforge, name) is getattr(api, name) for name in hexforge.__all__)
    with pytest.raises(AttributeError):
        hexforge.nothing  # noqa: B018


def test_an_import_loads_nothing_else() -> None:
    script = "import hexforge, sys; print([name for name in sys.modules if name.startswith('hexforge.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_check_answers_as_the_command_does() -> None:
    path = EXAMPLES / "turn2-mistakes.sheet"
    printed = CliRunner().invoke(main, ["check", str(path), "--format", "json"]).stdout
    assert json.loads(printed) == json.loads(json.dumps(hexforge.check(path).as_json()))
