"""`validator reply`: the verdict in plain words, to whom it belongs, in the language that he wrote in."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from hexforge.validator.app.cli import main
from hexforge.validator.app.reply import reply_to

LEGAL = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\nmove us-109-1: 0705 0805\n"
WRONG = LEGAL.replace("0805", "1505")


def letter(folder: Path, text: str, **heads: str) -> Path:
    mail = EmailMessage()
    heads = {"From": "Ana <ana@example.org>", "Subject": "turno 2", "Message-ID": "<7@example.org>", **heads}
    for name, value in heads.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    path = folder / "turno.eml"
    path.write_bytes(bytes(mail))
    return path


def answered(path: Path, *more: str) -> tuple[int, EmailMessage]:
    out = path.parent / "answer.eml"
    done = CliRunner().invoke(main, ["reply", str(path), "-o", str(out), *more])
    return done.exit_code, cast(
        EmailMessage, email.message_from_bytes(out.read_bytes(), policy=email.policy.default)
    )


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


@pytest.fixture
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page is drawn, which takes longer than all else."""
    monkeypatch.setattr("hexforge.validator.app.reply._pages", lambda judged, words, told: iter(()))


def test_the_answer_goes_back_with_verdict_and_page(tmp_path: Path) -> None:
    path = letter(tmp_path, f"Hello, here is my turn.\n\n{WRONG}\nCheers, Ana\n", References="<1@example.org>")
    code, mail = answered(path, "--from", "Carla <carla@example.org>")
    assert code == 1
    assert (mail["To"], mail["Subject"]) == ("ana@example.org", "Re: turno 2")
    assert (mail["In-Reply-To"], mail["References"]) == ("<7@example.org>", "<1@example.org> <7@example.org>")
    assert mail["From"] == "Carla <carla@example.org>" and mail["X-Unsent"] == "1"
    said = text_of(mail)
    assert "something is not as the rules have it" in said and "move us-109-1: 0705 1505" in said
    (page,) = mail.iter_attachments()
    assert page.get_filename() == "verdict.html" and "us-109-1" in page.get_content()
    # Nobody reads where on the director's disk his mail lies.
    assert str(tmp_path) not in said and str(tmp_path) not in page.get_content() and "turno.eml: " in said


@pytest.mark.usefixtures("no_page")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Oi, segue meu turno em anexo.\n\n{}\nAbraço", "pt"),
        ("Hi, here is my turn, the one you asked for.\n\n{}\nRegards", "en"),
        ("{}", "en"),
    ],
)
def test_it_is_in_the_language_of_the_mail(tmp_path: Path, text: str, language: str) -> None:
    path = letter(tmp_path, text.format(LEGAL))
    code, mail = answered(path)
    assert code == 0
    assert ("nada de ilegal" in text_of(mail)) == (language == "pt")
    assert "nada de ilegal" in text_of(answered(path, "--lang", "pt")[1])


def test_a_mail_without_a_game_is_answered_too(tmp_path: Path) -> None:
    code, mail = answered(letter(tmp_path, "Oi Carla, você está bem?\n"))
    assert code == 0 and "não há planilha nem registro" in text_of(mail)
    assert not list(mail.iter_attachments())


def test_a_reply_is_to_one_mail(tmp_path: Path) -> None:
    data = letter(tmp_path, LEGAL).read_bytes()
    box = tmp_path / "box.mbox"
    box.write_bytes(b"".join(b"From ana\n" + data + b"\n" for _ in range(2)))
    done = CliRunner().invoke(main, ["reply", str(box), "--lang", "en"])
    assert done.exit_code == 2 and "holds 2 mails" in done.stderr


@pytest.mark.usefixtures("no_page")
def test_heads_of_strangers_make_no_heads_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "evil.eml"
    path.write_bytes(
        b"From: =?utf-8?q?Ana=0ABcc:_all=40example.org?= <ana@example.org>\n"
        b"Reply-To: x\n y@example.org, <script>@example.org\n"
        b"Subject: =?utf-8?q?turno=0D=0ABcc:_spam=40example.org?=\n"
        b"Message-ID: <a@b>\n\n" + LEGAL.encode()
    )
    mail = email.message_from_bytes(bytes(reply_to(path).mail), policy=email.policy.default)
    assert "Bcc" not in mail and "Cc" not in mail
    known = "To Subject In-Reply-To References Content-Language Auto-Submitted X-Unsent MIME-Version"
    assert set(mail.keys()) <= {*known.split(), "Content-Type", "Content-Transfer-Encoding"}
