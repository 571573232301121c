"""Tests in several copies of a process (`tests/forked.py`) come out as they would in one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

FIXTURES = """
import os, pytest

@pytest.fixture(scope="session", autouse=True)
def session(tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    begun = base.parent / f"{base.name}.begun"
    assert not begun.exists(), "set up twice in one process"
    begun.touch()
    yield
    (base.parent / f"{base.name}.torn-down").touch()

@pytest.fixture(scope="module")
def pid():
    return os.getpid()
"""
ONE = """
import os, warnings, pytest

def test_passes(pid): assert pid == os.getpid()
def test_is_in_the_process_of_its_file(pid): assert pid == os.getpid()
def test_fails(pid):
    print("said before")
    warnings.warn("heed this", FutureWarning)
    assert pid == 0
@pytest.mark.skip(reason="not today")
def test_is_skipped(): ...
@pytest.mark.xfail
def test_is_expected_to_fail(): assert False
"""
OTHER = "import pytest\n@pytest.mark.parametrize('n', range(20))\ndef test_other(n, tmp_path, capfd): print(n)\n"
ERROR = "def test_without_fixture(nowhere): ...\n"
DEADLY = "import os\ndef test_before(): ...\ndef test_dies(): os._exit(0)\ndef test_after(): ...\n"


def run(folder: Path, *arguments: str, **files: str) -> tuple[int, str]:
    """Exit code and output of pytest in a folder of such files of tests."""
    (folder / "conftest.py").write_text(FIXTURES)
    (folder / "pytest.ini").write_text("[pytest]\n")
    # A folder with fixtures of its own, of which the other tests are to know nothing.
    (folder / "beside").mkdir()
    (folder / "beside" / "conftest.py").write_text("")
    (folder / "beside" / "test_beside.py").write_text("def test_beside(): ...\n")
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "tests.forked", "-p", "no:cacheprovider", "--basetemp=temp"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, re.sub(r" in [\d.]+s", "", done.stdout) + done.stderr


def test_they_come_out_as_in_one_process(tmp_path: Path) -> None:
    def outcome(folder: str, *arguments: str) -> tuple[int, list[str]]:
        (tmp_path / folder).mkdir()
        code, said = run(tmp_path / folder, "-rA", *arguments, one=ONE, other=OTHER, error=ERROR)
        end = [line.split(" - ")[0] for line in said[said.index("short test summary") :].splitlines()]
        assert ("said before" in said, "FutureWarning: heed this" in said) == (True, True)
        return code, sorted(end)

    alone = outcome("alone")
    assert alone[0] == 1
    assert any("1 failed, 23 passed, 1 skipped, 1 xfailed, 1 warning, 1 error" in line for line in alone[1])
    assert outcome("three", "--forks", "3") == alone
    assert outcome("many", "--forks", "9") == alone


def test_a_session_is_set_up_and_torn_down_once_in_each_process(tmp_path: Path) -> None:
    files = {f"file{n}": OTHER for n in range(6)}
    assert run(tmp_path, "--forks", "2", **files)[0] == 0
    begun, ended = ({p.stem for p in (tmp_path / "temp").glob(f"*.{what}")} for what in ("begun", "torn-down"))
    assert begun == ended <= {"fork-0", "fork-1"}


@pytest.mark.parametrize("forks", ["1", "3"])
def test_a_process_that_ends_in_a_test_has_failed_it_and_those_after_it(tmp_path: Path, forks: str) -> None:
    code, said = run(tmp_path, "--forks", forks, deadly=DEADLY, other=OTHER)
    assert code == 1
    assert "the process ended in this test (status 0)" in said
    failed = {line.split(" - ")[0] for line in said.splitlines() if line.startswith("FAILED")}
    assert {"FAILED test_deadly.py::test_dies", "FAILED test_deadly.py::test_after"} <= failed
    # Without another process nobody runs the other file.
    assert len(failed) == {"1": 22, "3": 2}[forks]


def test_what_cannot_be_collected_runs_nothing(tmp_path: Path) -> None:
    code, said = run(tmp_path, "--forks", "2", broken="import nowhere\n", other=OTHER)
    assert (code, "passed" in said) == (2, False)


def test_after_the_first_failure_no_further_file_is_begun(tmp_path: Path) -> None:
    files = {f"file{n}": "def test_fails(): assert False\n" for n in range(30)}
    code, said = run(tmp_path, "--forks", "2", "-x", **files)
    assert code == 1
    assert len([line for line in said.splitlines() if line.startswith("FAILED")]) < 8


def test_a_fixture_that_breaks_in_the_end_is_told(tmp_path: Path) -> None:
    late = (
        "import pytest\n@pytest.fixture(scope='module')\ndef late():\n    yield\n    raise OSError('too late')\n"
        "def test_late(late): ...\n"
    )
    code, said = run(tmp_path, "--forks", "2", late=late, other=OTHER)
    assert (code, "OSError: too late" in said, "22 passed, 1 error" in said) == (1, True, True)
