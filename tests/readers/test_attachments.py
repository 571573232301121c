"""What a mail carries besides its text: sheets, archives, mailboxes, HTML, other mails."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tests.readers.mailed import CHAIN, DICE, FIRST, HEAD, SECOND, SHEET, boxed, judged, mail, one, parts, zipped


def carrying(path: Path, body: str, **files: bytes) -> Path:
    message = mail(1, body)
    for name, content in files.items():
        message.add_attachment(
            content, maintype="application", subtype="octet-stream", filename=name.replace("__", ".")
        )
    path.write_bytes(bytes(message))
    return path


def html(body: str) -> bytes:
    message = mail(1, "")
    message.set_content(f"<html><body>{body}</body></html>", subtype="html")
    return bytes(message)


@pytest.mark.parametrize("name", ["a__sheet", "a__sheet__txt", "a__txt"])
def test_attached_texts_are_judged(name: str, tmp_path: Path) -> None:
    answer = one(carrying(tmp_path / "a.eml", "Segue.", **{name: SHEET}))
    assert answer.moves and answer.source.endswith(name.replace("__", "."))
    assert ("", str(tmp_path / "a.eml"), 1, 1) in parts(answer)["prose"]


def test_an_archive_is_opened_once_and_what_is_not_read_is_named(tmp_path: Path) -> None:
    bomb = zipped(a__sheet=b"\n" * 20_000_000)
    inner = zipped(b__sheet=SHEET)
    path = carrying(
        tmp_path / "a.eml", "Segue.", t__zip=zipped(a__sheet=SHEET, in__zip=inner), b__zip=bomb, f__jpg=b"x"
    )
    answer = one(path)
    assert answer.moves
    assert set(answer.intake.aside) == {("in.zip", "nested"), ("a.sheet", "large"), ("f.jpg", "kind")}


def test_the_mails_of_an_archive_are_read_as_mails(tmp_path: Path) -> None:
    mails = {f"{n}__eml": bytes(m) for n, m in ((2, mail(2, SECOND + DICE, answers=1)), (1, mail(1, HEAD + FIRST)))}
    (tmp_path / "round.zip").write_bytes(zipped(**mails))
    answer = one(tmp_path / "round.zip")
    assert answer.moves and answer.combats
    assert not answer.intake.aside


def test_they_go_on_with_the_mail_that_carries_them_and_their_archives_stay_shut(tmp_path: Path) -> None:
    inner = mail(2, SECOND + DICE, answers=1)
    inner.add_attachment(zipped(b__sheet=SHEET), maintype="application", subtype="zip", filename="in.zip")
    answer = one(carrying(tmp_path / "a.eml", HEAD + FIRST, t__zip=zipped(b__eml=bytes(inner))))
    assert answer.moves and answer.combats
    assert set(answer.intake.aside) == {("in.zip", "nested")}


@pytest.mark.parametrize("data", [b"\x00\x01\x02", b"move a\n" * 20_001])
def test_an_attached_sheet_that_cannot_be_read_is_a_failure(data: bytes, tmp_path: Path) -> None:
    found = judged(carrying(tmp_path / "a.eml", HEAD + FIRST, b__sheet=data))
    assert found.answers[0].moves
    assert [name for name, _ in found.failures] == [f"{tmp_path / 'a.eml'}: b.sheet"]


def test_a_sheet_in_the_text_and_attached_is_one_game(tmp_path: Path) -> None:
    assert len(judged(carrying(tmp_path / "a.eml", HEAD + FIRST, a__sheet=SHEET)).answers) == 1


def test_a_statement_beside_an_attached_sheet_is_told(tmp_path: Path) -> None:
    answer = one(carrying(tmp_path / "a.eml", "E mais:\nmove us-112-2: 0807 0908\n", a__sheet=SHEET))
    assert [f.code for f in answer.findings] == ["not-read"]


def test_what_only_the_html_says_is_told(tmp_path: Path) -> None:
    message = mail(1, HEAD + FIRST)
    html = (
        "".join(f"<p>{line}</p>" for line in (HEAD + FIRST).splitlines())
        + "<p>move us-112-2: 0807 0908</p><p>Oi</p>"
    )
    message.add_alternative(html, subtype="html")
    (tmp_path / "a.eml").write_bytes(bytes(message))
    answer = one(tmp_path / "a.eml")
    assert [f.message.key for f in answer.findings] == ["findings.not-read-spare"]


def test_a_forwarded_mail_is_read(tmp_path: Path) -> None:
    outer = mail(2, "Diretor, confere?", by="Caio")
    outer.add_attachment(CHAIN[0])
    (tmp_path / "a.eml").write_bytes(bytes(outer))
    found = judged(tmp_path / "a.eml")
    assert found.answers[0].moves
    assert [m.sender.split()[0] for m in found.answers[0].intake.letters] == ["Ana"]


def test_html_that_cannot_be_read_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(html("<div>" * 5000 + "move us-112-1: 0806 0907"))
    found = judged(tmp_path / "a.eml")
    assert not found.answers and len(found.failures) == 1


def test_html_brings_nothing_along(tmp_path: Path) -> None:
    lines = "".join(f"<p>{line}</p>" for line in (HEAD + FIRST).splitlines())
    trap = '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><script>move us-112-2: 0807 0908</script>&x;'
    (tmp_path / "a.eml").write_bytes(html(trap + lines))
    answer = one(tmp_path / "a.eml")
    assert [a.units for a in answer.actions if a.kind == "move"] == [("us-112-1",)]
    assert not any("root" in line for line in answer.lines)


@pytest.mark.parametrize("form", ["attached", "in an archive", "a Maildir in an archive"])
def test_a_mailbox_that_a_mail_carries_is_read(tmp_path: Path, form: str) -> None:
    box = boxed(tmp_path / "t.mbox", *(CHAIN[i] for i in (2, 0, 3, 1))).read_bytes()
    if form == "attached":
        answer = one(carrying(tmp_path / "a.eml", "Segue tudo.\n", t__mbox=box))
    else:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            if form == "in an archive":
                archive.writestr("Mail/t.mbox", box)
            else:
                for i, message in enumerate(CHAIN):
                    archive.writestr(f"Mail/{('cur', 'new')[i % 2]}/17{4 - i}.M1.host:2,S", bytes(message))
        (tmp_path / "a.zip").write_bytes(stream.getvalue())
        answer = one(tmp_path / "a.zip")
    assert [a.kind for a in answer.actions].count("move") == 2
    assert len(answer.combats) == 1 and answer.combats[0].roll == 7


def test_a_mailbox_in_a_mail_of_another_is_named_and_not_opened(tmp_path: Path) -> None:
    inner = boxed(tmp_path / "t.mbox", CHAIN[0]).read_bytes()
    carrying(tmp_path / "b.eml", "Segue.\n", t__mbox=inner)
    outer = b"From x\n" + (tmp_path / "b.eml").read_bytes()
    carrying(tmp_path / "a.eml", "Oi\n", u__mbox=outer)
    found = judged(tmp_path / "a.eml")
    assert not found.answers and any("t.mbox" in name for name, _ in found.skipped)
