"""Which games there are in what was named: files one by one, mails, folders."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.archive import Metadata, write_metadata, zip_bytes
from hexforge.validator.app.discover import NothingThere, gather
from hexforge.validator.notation.records import Attached
from hexforge.validator.reading.decoding import UnreadableSheet
from hexforge.validator.reading.mails import mime
from hexforge.validator.reading.mails.threads import read_mails


def log(path: Path, saved: int | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(container(saved))
    return path


def container(saved: int | None) -> bytes:
    return zip_bytes([("savedata", write_metadata(Metadata(date_saved=saved))), ("savedGame", b"begin_save")])


def mail(path: Path, **files: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    message = EmailMessage()
    message.set_content("Segue.")
    for name, data in files.items():
        message.add_attachment(data, maintype="application", subtype="zip", filename=name.replace("_", "."))
    path.write_bytes(bytes(message))
    return path


def names(games: list[list[str | Attached]]) -> list[list[str]]:
    return [[part.name if isinstance(part, Attached) else Path(part).name for part in game] for game in games]


def test_logs_named_are_one_game_in_the_order_given(tmp_path: Path) -> None:
    late, early = log(tmp_path / "b.vlog", 2), log(tmp_path / "a.vlog", 1)
    found = gather([str(late), str(early)])
    assert names(found.games) == [["b.vlog", "a.vlog"]]
    assert not found.many and len(found) == 1


def test_each_folder_is_a_game_in_the_order_of_saving(tmp_path: Path) -> None:
    log(tmp_path / "ana-bia" / "bia-1.vlog", 200)
    log(tmp_path / "ana-bia" / "ana-2.vlog", 300)
    log(tmp_path / "ana-bia" / "ana-1.vlog", 100)
    mail(tmp_path / "ana-bia" / "fim.eml", bia_vlog=container(400))
    log(tmp_path / "caio" / "turn10.vlog")
    log(tmp_path / "caio" / "turn2.vlog")
    (tmp_path / "caio" / "notes.txt").write_text("x")
    (tmp_path / "x.sheet").write_text("sheet 1\n")
    found = gather([str(tmp_path)])
    assert names(found.games) == [
        ["ana-1.vlog", "bia-1.vlog", "ana-2.vlog", "bia.vlog"],
        ["turn2.vlog", "turn10.vlog"],
    ]
    assert [Path(p).name for p in found.sheets] == ["x.sheet"]
    assert found.many and len(found) == 3


def test_a_mail_gives_its_logs_to_the_game_and_its_sheets_to_themselves(tmp_path: Path) -> None:
    first = log(tmp_path / "a.vlog")
    letter = mail(tmp_path / "m.eml", b_vlog=container(None), c_sheet=b"sheet 1\ngame hurtgen\n")
    found = gather([str(first), str(letter)])
    assert names(found.games) == [["a.vlog", "b.vlog"]]
    assert [game.source for game in found.typed] == [f"{letter}: c.sheet"]


def test_a_damaged_log_still_has_its_place(tmp_path: Path) -> None:
    log(tmp_path / "g" / "b.vlog", 5)
    (tmp_path / "g" / "a.vlog").write_bytes(b"PK\x03\x04cut")
    assert names(gather([str(tmp_path)]).games) == [["a.vlog", "b.vlog"]]


def test_a_mail_without_anything_is_no_failure_and_is_named(tmp_path: Path) -> None:
    found = gather([str(mail(tmp_path / "m.eml"))])
    assert not found.failures and not found.typed
    assert [Path(path).name for path, _ in found.skipped] == ["m.eml"]


def test_links_that_lead_to_no_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "round").mkdir()
    (tmp_path / "round" / "a.sheet").write_text("sheet 1\ngame hurtgen\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "round" / "folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "round" / "gone.sheet").symlink_to(tmp_path / "nothing")
    found = gather([str(tmp_path / "round")])
    assert [Path(path).name for path, _ in found.skipped] == ["folder", "gone.sheet"]
    assert {said.key for _, said in found.skipped} == {"validator.skipped.link"}


def test_hidden_folders_are_named_and_hold_no_games(tmp_path: Path) -> None:
    for name in (".git", "table"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.sheet").write_text("sheet 1\ngame hurtgen\n")
    for part in ("cur", "new"):
        (tmp_path / ".Sent" / part).mkdir(parents=True)
    (tmp_path / ".Sent" / "cur" / "1").write_text("From: a@example.org\nSubject: turn\n\nHi\n")
    found = gather([str(tmp_path)])
    assert [Path(path).parent.name for path in found.sheets] == ["table"]
    assert {Path(path).name: said.key for path, said in found.skipped} == {
        ".git": "validator.skipped.hidden",
        "1": "validator.skipped.talk",
    }


def test_an_empty_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NothingThere):
        gather([str(tmp_path)])
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.sheet").write_text("sheet 1\n")
    monkeypatch.setattr("hexforge.validator.app.discover.MAX_FILES", 2)
    with pytest.raises(NothingThere) as caught:
        gather([str(tmp_path)])
    assert caught.value.most == 2


@pytest.mark.parametrize("head", [b"", b"From: a@example.org\nSubject: turn\n\n"], ids=["a text", "a mail"])
def test_a_text_of_too_many_lines_is_refused_before_any_is_looked_at(
    head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mime, "rows", lambda *_, **__: pytest.fail("rows were made"))
    data = head + b"\n" * (mime.MAX_ROWS + 1) + b"turn 2 american movement\n"
    with pytest.raises(UnreadableSheet, match=str(mime.MAX_ROWS)):
        read_mails(data, "long.eml" if head else "long.txt")
