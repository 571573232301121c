"""Mails as they are given to the commands and the library, and what reports tell of them."""

from __future__ import annotations

import io
import json
import mailbox
import shutil
from html import escape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import hexforge
from hexforge.scenarios.text.words import Words
from hexforge.validator.app.batch import check_all
from hexforge.validator.app.cli import main
from hexforge.validator.report.as_json import write_json, write_junit
from hexforge.validator.report.html import write_html
from hexforge.validator.report.text import write_text
from hexforge.validator.report.workbook import write_workbook
from tests.readers.mailed import CHAIN, FIRST, HEAD, SHEET, boxed, judged, mail, one, parts, quoted, zipped
from tests.report.test_workbook import read


def test_flowed_lines_are_joined_and_unstuffed(tmp_path: Path) -> None:
    message = mail(1, HEAD + "turn 2 american movement\nmove us-112-1 \nus-112-2: 0806 0907\n > talk\n")
    message.set_param("format", "flowed")
    (tmp_path / "a.eml").write_bytes(bytes(message))
    answer = one(tmp_path / "a.eml")
    assert [a.units for a in answer.actions if a.kind == "move"] == [("us-112-1", "us-112-2")]
    assert parts(answer)["prose"][-1][2:] == (7, 7)


def test_the_library_takes_mails_too(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(bytes(CHAIN[0]))
    assert hexforge.check(tmp_path / "a.eml").moves
    (tmp_path / "b.eml").write_bytes(bytes(mail(1, "Oi")))
    with pytest.raises(hexforge.HexforgeError):
        hexforge.check(tmp_path / "b.eml")


def test_a_folder_names_what_it_skips(tmp_path: Path) -> None:
    (tmp_path / "a.sheet").write_bytes(SHEET)
    (tmp_path / "foto.jpg").write_bytes(b"x")
    (tmp_path / "oi.eml").write_bytes(bytes(mail(1, "Oi, tudo bem?")))
    (tmp_path / "leia.txt").write_text("Torneio de 2026\n", "utf-8")
    found = judged(tmp_path)
    assert not found.failures
    assert sorted(Path(name).name for name, _ in found.skipped) == ["foto.jpg", "leia.txt", "oi.eml"]


def test_a_broken_mail_does_not_hide_its_mailbox(tmp_path: Path) -> None:
    deep = "".join(f"Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n" for i in range(300))
    box = b"From a\nFrom: a\n" + deep.encode() + b"\n\nFrom ana\n" + bytes(CHAIN[0])
    (tmp_path / "t.mbox").write_bytes(box)
    found = judged(tmp_path / "t.mbox")
    assert found.answers[0].moves
    assert [name for name, _ in found.failures] == [f"{tmp_path / 't.mbox'}[1]"] and not found.skipped


def test_a_line_that_begins_with_from_splits_no_mailbox(tmp_path: Path) -> None:
    body = "Oi\n\nFrom here on it is yours.\n\n" + HEAD + FIRST
    text = b"From ana Sun Nov  1 10:00:00 2026\n" + bytes(mail(1, body)) + b"\n"
    (tmp_path / "t.mbox").write_bytes(text)
    assert one(tmp_path / "t.mbox").moves


def test_standard_input_may_be_a_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(CHAIN[0])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    (answer,) = check_all(["-"]).answers
    assert answer.moves and answer.intake.letters


@pytest.mark.parametrize(
    "text", [f"Oi!\n\n{HEAD}{FIRST}\nAna\n", f"turn 2 american combat\n\nAna wrote:\n{quoted(HEAD + FIRST)}"]
)
def test_standard_input_may_be_the_text_of_a_mail(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    (answer,) = check_all(["-"]).answers
    assert answer.moves and not answer.counts["unread"]


def test_folders_of_mailboxes_are_found(tmp_path: Path) -> None:
    (tmp_path / "correio").mkdir()
    folder = mailbox.Maildir(tmp_path / "correio" / "hurtgen")
    folder.add(CHAIN[0])
    shutil.copy(boxed(tmp_path / "x.mbox", CHAIN[3]), tmp_path / "correio" / "Inbox")
    assert one(tmp_path / "correio").moves


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_report_tells_the_mails_and_what_was_not_judged(language: str, tmp_path: Path) -> None:
    path = boxed(tmp_path / "t.mbox", CHAIN[0], mail(9, "Até <b>logo</b>", subject="Fim"))
    found, words = judged(path), Words(language)
    skipped = [(name, words.say(what)) for name, what in found.skipped]
    shown = [what for _, what in skipped]
    text = write_text(found.answers, words, skipped=skipped)
    page = write_html(found.answers, [], words, skipped=skipped)
    for line in ("Ana <ana@example.org>, 2026-11-01 10:00 +0000", "Oi!", "Abraço,", shown[0]):
        assert line in text and escape(line, quote=False) in page
    pages = read(write_workbook(found.answers, [], words, skipped=skipped))
    rows = [row for page in pages.values() for row in page]
    assert any("Oi!" in str(row) for row in rows) and any(shown[0] in row for row in rows)
    assert escape(shown[0], quote=False) in write_junit(found.answers, [], words, skipped=skipped)
    data = found.answers[0].as_json()
    assert {line["part"] for line in data["lines"]} == {"judged", "prose"}
    assert json.loads(write_json([], [], skipped, many=False)) == {"source": skipped[0][0], "skipped": shown[0]}


def ran(*words: str | Path) -> tuple[int, Any]:
    """Exit status and JSON of `validator check`."""
    done = CliRunner().invoke(main, ["check", "--format", "json", *map(str, words)])
    return done.exit_code, json.loads(done.stdout)


def test_json_names_what_a_folder_has_besides_games(tmp_path: Path) -> None:
    (tmp_path / "a.sheet").write_bytes(SHEET)
    (tmp_path / "foto.jpg").write_bytes(b"x")
    status, told = ran(tmp_path)
    assert status == 0
    assert [(Path(one["source"]).name, "skipped" in one) for one in told] == [
        ("a.sheet", False),
        ("foto.jpg", True),
    ]
    assert "foto.jpg" in told[1]["skipped"]


def test_json_of_one_game_stays_an_object_and_names_what_is_besides(tmp_path: Path) -> None:
    path = boxed(tmp_path / "t.mbox", CHAIN[0], mail(9, "Oi, tudo bem?", subject="Fim"))
    _, told = ran(path)
    assert told["moves"] and [one["source"] for one in told["skipped"]] == [f"{path}[2]"]
    _, alone = ran(boxed(tmp_path / "u.mbox", CHAIN[0]))
    assert "skipped" not in alone


@pytest.mark.parametrize(
    ("carried", "status"),
    [
        ({"in__zip": b"inner"}, 2),
        ({"foto__jpg": b"x"}, 0),
        ({"big__sheet": b"\n" * 20_000_000}, 2),
        ({"big__jpg": b"\n" * 20_000_000}, 0),
    ],
)
def test_what_an_archive_carries_and_nobody_opened_has_its_exit_status(
    carried: dict[str, bytes], status: int, tmp_path: Path
) -> None:
    """It may hold a game: an archive within an archive, or a sheet that is too large; a picture holds none."""
    files = {name: zipped(b__sheet=SHEET) if data == b"inner" else data for name, data in carried.items()}
    for name, more in (("game.zip", {"a__sheet": SHEET}), ("none.zip", {})):
        (tmp_path / name).write_bytes(zipped(**more, **files))
        assert ran(tmp_path / name)[0] == status
    site = ["audit", str(tmp_path / "game.zip"), "-o", str(tmp_path / "site"), "--jobs", "1"]
    assert CliRunner().invoke(main, site).exit_code == status
