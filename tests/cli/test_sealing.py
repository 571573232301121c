"""`validator seal` and `validator open`: a secret that is kept, and one link for one text."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.commands import here

PLAYED = """turn 2 american movement
move us-112-1: 0806 0907
turn 2 american combat
combat 1007
  attack us-112-1
  roll sealed
"""


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with both players' secrets and a sheet that waits."""
    lines = [here("validator", "seal", name, "--length", "9", cwd=tmp_path).stdout for name in ("Ana", "bruno")]
    head = 'sheet 1\ngame hurtgen\nplayers american="Ana" german="Bruno"\n'
    (tmp_path / "turn.sheet").write_text(head + "".join(lines) + PLAYED, "utf-8")
    return tmp_path


def _sealed(desk: Path, *files: str) -> list[dict[str, Any]]:
    """What is found of sealed throws in a game."""
    judged = here("validator", "check", *files, "--format", "json", cwd=desk)
    return [f for f in json.loads(judged.stdout)["findings"] if f["code"] == "sealed"]


def test_a_secret_is_its_owner_s_alone_and_never_written_over(desk: Path) -> None:
    path = desk / "bruno.seal"
    before = path.read_bytes()
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = here("validator", "seal", "bruno", cwd=desk)
    assert (again.returncode, path.read_bytes()) == (2, before)
    assert "bruno.seal" in again.stderr
    shown = here("validator", "seal", "bruno", "--show", cwd=desk)
    assert shown.stdout in (desk / "turn.sheet").read_text("utf-8")
    assert shown.stderr == "9 links are left\n"
    assert json.loads(before)["last"] not in shown.stdout


def test_the_same_line_for_the_same_text_and_none_for_another(desk: Path) -> None:
    ask = ("validator", "open", "turn.sheet", "--secret", "bruno.seal")
    first = here(*ask, cwd=desk)
    assert first.returncode == 0
    assert first.stdout.startswith("open bruno 1 ")
    assert here(*ask, cwd=desk).stdout == first.stdout
    if os.name == "posix":
        assert stat.S_IMODE((desk / "bruno.seal").stat().st_mode) == 0o600
    sheet = desk / "turn.sheet"
    sheet.write_text(sheet.read_text("utf-8").replace("us-112-1", "us-112-2").replace("0806", "0807"), "utf-8")
    other = here(*ask, cwd=desk)
    assert (other.returncode, other.stdout) == (2, "")
    assert "link 1 of bruno was given for another text" in other.stderr
    text = sheet.read_text("utf-8") + first.stdout + "turn 2 german movement\n"
    sheet.write_text(text, "utf-8")
    shown = here(*ask, cwd=desk)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert here("validator", "open", "turn.sheet", "--secret", "ana.seal", cwd=desk).returncode == 2


def test_a_sheet_is_written_with_the_answer_and_goes_on(desk: Path) -> None:
    done = here("validator", "open", "turn.sheet", "--secret", "bruno.seal", "-o", "opened.sheet", cwd=desk)
    text = (desk / "opened.sheet").read_text("utf-8")
    faces = done.stdout.splitlines()[1].partition("roll ")[2]
    assert text.endswith(f"{done.stdout.splitlines()[0]}\n  roll {faces}\n")
    found = [f["message"] for f in _sealed(desk, "opened.sheet")]
    assert found == [f"opened: {faces}; what follows from it is still to be told"]
    position = here("validator", "position", "opened.sheet", "--sheet", "-o", "next.sheet", cwd=desk)
    assert position.returncode == 0
    following = desk / "next.sheet"
    following.write_text(
        following.read_text("utf-8") + "turn 2 german movement\nturn 2 german combat\ncombat 0907\n"
        "  attack ge-983-1\n  roll sealed\n",
        "utf-8",
    )
    assert here("validator", "open", "next.sheet", "--secret", "bruno.seal", cwd=desk).returncode == 2
    assert here("validator", "open", "next.sheet", "--secret", "ana.seal", cwd=desk).stdout.startswith(
        "open ana 1 "
    )
    assert not [f for f in _sealed(desk, "next.sheet") if f["severity"] != "info"]
    assert "open bruno 1 " in following.read_text("utf-8")


def test_an_answer_is_given_to_a_mail_and_read_in_one(desk: Path) -> None:
    head = (
        "From: {}@example.org\nMessage-ID: <{}@example.org>\nDate: Sat, 07 Nov 2026 1{}:00:00 +0000\n"
        "{}Subject: turn 2\n\n"
    )
    sheet = (desk / "turn.sheet").read_text("utf-8")
    (desk / "1.eml").write_text(head.format("ana", 1, 1, "") + "Hello Bruno,\n\n" + sheet + "\nAna\n", "utf-8")
    given = here("validator", "open", "1.eml", "--secret", "bruno.seal", cwd=desk)
    line = given.stdout.splitlines()[0]
    quoted = "".join(f"> {text}\n" for text in sheet.splitlines())
    answer = f"{line}\nBad luck!\n\n{quoted}"
    (desk / "2.eml").write_text(head.format("bruno", 2, 2, "In-Reply-To: <1@example.org>\n") + answer, "utf-8")
    judged = here("validator", "check", "1.eml", "2.eml", "--format", "json", cwd=desk)
    found = json.loads(judged.stdout)
    assert [f["message"] for f in found["findings"] if f["code"] == "sealed"] == [
        f"opened: {given.stdout.splitlines()[1].partition('roll ')[2]}; what follows from it is still to be told"
    ]
    assert not [f for f in found["findings"] if f["severity"] in ("illegal", "unread")]


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"player": "b", "length": 9e99, "last": "", "given": {}}', "\0" * 9]
)
def test_what_is_no_secret_is_said_in_a_line(desk: Path, text: str) -> None:
    (desk / "odd.seal").write_text(text, "utf-8")
    done = here("validator", "open", "turn.sheet", "--secret", "odd.seal", cwd=desk)
    assert (done.returncode, done.stderr) == (2, "validator: odd.seal is no secret file of `validator seal`\n")
