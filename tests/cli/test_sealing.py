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


def test_typed_and_sealed_throws_are_told_apart_and_a_tournament_may_want_sealed_ones(desk: Path) -> None:
    here("validator", "open", "turn.sheet", "--secret", "bruno.seal", "-o", "opened.sheet", cwd=desk)
    sheet = desk / "opened.sheet"
    text = sheet.read_text("utf-8")
    faces = text.rpartition("roll ")[2].strip()
    sheet.write_text(f"{text}combat 0907\n  attack us-112-2\n  roll 3 4\n", "utf-8")
    seen = json.loads(here("validator", "dice", "opened.sheet", "--format", "json", cwd=desk).stdout)
    assert [throw["how"] for throw in seen["throws"]] == ["sealed", "typed"]
    assert seen["how"] == {"sealed": 1, "typed": 1}
    told = here("validator", "dice", "opened.sheet", cwd=desk, env={"HEXFORGE_LANG": "pt"}).stdout
    assert "Rolagens lacradas, em que não é preciso confiar em ninguém: 1;" in told
    for form in ("text", "html", "md"):
        shown = here("validator", "check", "opened.sheet", "--format", form, cwd=desk).stdout
        assert "Sealed throws" in shown
        assert "link 1 of bruno" in shown
    answer = json.loads(here("validator", "check", "opened.sheet", "--format", "json", cwd=desk).stdout)
    assert answer["sealed"] == [
        {
            "line": 11,
            "throw": "roll",
            "dice": "2d6",
            "faces": [*map(int, faces.split())],
            "player": "bruno",
            "link": 1,
        }
    ]
    assert "sealed" not in {f["code"] for f in answer["findings"]}
    (desk / "tournament.yaml").write_text("tournament: Copa\ndirector: Carla\ndice: sealed\n", "utf-8")
    (found,) = _sealed(desk, "opened.sheet")
    assert (found["line"], found["severity"]) == (16, "illegal")
    assert found["ruling"]["reason"] == "dice: sealed"
    assert "waits" not in answer
    waits = json.loads(here("validator", "check", "turn.sheet", "--format", "json", cwd=desk).stdout)
    assert waits["waits"] is True
    assert "LEGAL SO FAR" in here("validator", "check", "turn.sheet", cwd=desk).stdout


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
