"""A password planted in a log stands on no page, in no answer to a mail, in no audit; packed data is unpacked."""

from __future__ import annotations

import base64
import gzip
import io
import re
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.scenarios.text.words import Words
from hexforge.validator.app.batch import Watcher
from hexforge.validator.app.cli import main
from hexforge.validator.app.reply import reply_to
from hexforge.validator.app.serve_judge import Task, judged
from tests.transcribe.test_planted_secrets import NAMES, PLANTED, base


def unpacked(data: bytes) -> Iterator[bytes]:
    """Data, and what is packed in it."""
    yield data
    for packed in re.findall(rb'id="data">([^<]*)</script>', data):
        yield gzip.decompress(base64.b64decode(packed))
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            for name in file.namelist():
                yield from unpacked(file.read(name))


def pages(log: Path, home: Path) -> Iterator[bytes]:
    """`watch` and `page`."""
    (written, *_) = [path for path, _ in Watcher(log.parent, home, Words("en")).look()]
    yield written.read_bytes()
    done = CliRunner().invoke(main, ["page", str(log), "-o", str(home / "page.html")])
    assert done.exit_code == 0, done.output
    yield (home / "page.html").read_bytes()


def replies(log: Path, home: Path) -> Iterator[bytes]:
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["Message-ID"] = "ana@example.org", "my log", "<1@example.org>"
    mail.set_content("Here is the log of my turn.\n")
    mail.add_attachment(log.read_bytes(), maintype="application", subtype="octet-stream", filename="a.vlog")
    (home / "turn.eml").write_bytes(bytes(mail))
    found = reply_to(home / "turn.eml").mail
    for part in found.walk():
        if not part.is_multipart():
            yield part.get_payload(decode=True)  # type: ignore[misc]


def served(log: Path, home: Path) -> Iterator[bytes]:
    outcome = judged(Task(((log.name, log.read_bytes()),), "en", {}))
    assert outcome.games
    for game in outcome.games:
        yield from (game.page, game.sheet.encode(), repr(game.record).encode())
    yield from outcome.downloads.values()
    yield repr((outcome.failures, outcome.skipped)).encode()


def audited(log: Path, home: Path) -> Iterator[bytes]:
    done = CliRunner().invoke(main, ["audit", str(log.parent), "-o", str(home / "site"), "--jobs", "1"])
    yield (done.output + done.stderr).encode()
    files = [path for path in (home / "site").rglob("*") if path.is_file()]
    assert len(files) > 10
    yield from (path.read_bytes() for path in files)


def looked_at(log: Path, home: Path) -> Iterator[bytes]:
    """`chain` and `dice`."""
    for command in ("chain", "dice"):
        for form in ("text", "json"):
            done = CliRunner().invoke(main, [command, str(log), "--format", form])
            yield (done.output + done.stderr).encode()
    for name in ("dice.html", "dice.xlsx"):
        CliRunner().invoke(main, ["dice", str(log), "-o", str(home / name)])
        yield (home / name).read_bytes()


@pytest.mark.parametrize("where", [pages, replies, served, audited, looked_at], ids=lambda f: f.__name__)
def test_a_password_is_told_nowhere(where: object, tmp_path: Path) -> None:
    assert callable(where)
    text = base()
    for old, new in (NAMES["chat"], NAMES["board"], NAMES["tracker"], NAMES["property"]):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "game").mkdir()
    (tmp_path / "home").mkdir()
    log = tmp_path / "game" / "a.vlog"
    log.write_bytes(text)
    said = [data for whole in where(log, tmp_path / "home") for data in unpacked(whole)]
    assert not [data[:80] for data in said if PLANTED.encode() in data]
    assert any(b"Alice" in data for data in said), "what is no secret is told"
