"""Mails that answer each other are one game, however they come: in a mailbox, a Maildir, a folder, or one alone."""

from __future__ import annotations

import io
import json
import mailbox
import shutil
import zipfile
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import hexforge
from hexforge.scenarios.words import Words
from hexforge.validator.cli import main
from hexforge.validator.judging import Judged, check_all
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.as_json import write_json
from hexforge.validator.report.html import write_html
from hexforge.validator.report.junit import write_junit
from hexforge.validator.report.text import write_text
from hexforge.validator.report.workbook import write_workbook
from tests.report.test_workbook import read

HEAD = "sheet 1\ngame hurtgen\npartial\n"
FIRST = "turn 2 american movement\nmove us-112-1: 0806 0907\n"
SECOND = "turn 2 american combat\ncombat 1007\n  attack us-112-1\n  declare 4:4 odds 1-1\n"
DICE = "  roll 3 4\n"
THIRD = "turn 2 german movement\nmove ge-983-1: 1007 1107\n"


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def mail(number: int, body: str, *, answers: int = 0, by: str = "Ana", subject: str = "Hurtgen") -> EmailMessage:
    """A mail of day `number`, which answers that of another day."""
    message = EmailMessage()
    message["From"] = f"{by} <{by.lower()}@example.org>"
    message["Date"] = format_datetime(datetime(2026, 11, number, 10, tzinfo=UTC))
    message["Message-ID"] = f"<{number}@example.org>"
    message["Subject"] = f"Re: {subject}" if answers else subject
    if answers:
        message["In-Reply-To"] = f"<{answers}@example.org>"
        message["References"] = " ".join(f"<{n}@example.org>" for n in range(1, answers + 1))
    message.set_content(body)
    return message


def boxed(path: Path, *mails: EmailMessage) -> Path:
    box = mailbox.mbox(path)
    for message in mails:
        box.add(message)
    box.close()
    return path


CHAIN = (
    mail(1, f"Oi!\n\n{HEAD}{FIRST}\nAbraço,\nAna\n"),
    mail(2, f"Boa.\n\nEm dom., Ana escreveu:\n{quoted(HEAD + FIRST)}", answers=1, by="Bruno"),
    mail(3, f"{SECOND}{DICE}\n> Boa.\n>\n> Em dom., Ana escreveu:\n{quoted(quoted(HEAD + FIRST))}", answers=2),
    mail(4, f"Minha vez:\n{THIRD}\nOn Tue, Ana wrote:\n{quoted(SECOND + DICE)}", answers=3, by="Bruno"),
)


def judged(path: Path) -> Judged:
    return check_all([path])


def one(path: Path) -> Answer:
    (answer,) = judged(path).answers
    return answer


def parts(answer: Answer) -> dict[str, list[tuple[str, str, int, int]]]:
    """What became of the lines, by part."""
    found: dict[str, list[tuple[str, str, int, int]]] = {}
    for a in answer.account:
        found.setdefault(a.part, []).append((a.why, a.source, a.first, a.last))
    return found


@pytest.fixture(params=["mbox", "Maildir", "folder"])
def letters(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The chain out of order, in each kind of box."""
    shuffled = [CHAIN[i] for i in (2, 0, 3, 1)]
    if request.param == "mbox":
        return boxed(tmp_path / "t.mbox", *shuffled)
    target = tmp_path / "box"
    if request.param == "Maildir":
        folder = mailbox.Maildir(target)
        for message in shuffled:
            folder.add(message)
        return target
    target.mkdir()
    for i, message in enumerate(shuffled):
        (target / f"{i}.eml").write_bytes(bytes(message))
    return target


def test_a_chain_is_one_game_in_the_order_of_writing(letters: Path) -> None:
    answer = one(letters)
    assert [a.kind for a in answer.actions].count("move") == 2
    assert len(answer.combats) == 1 and answer.combats[0].roll == 7
    assert answer.counts["unread"] == 0
    assert [m.sender.split()[0] for m in answer.intake.letters] == ["Ana", "Bruno", "Ana", "Bruno"]
    assert [m.date[:10] for m in answer.intake.letters] == [f"2026-11-0{day}" for day in (1, 2, 3, 4)]
    assert answer.as_json()["mails"][3]["sender"] == "Bruno <bruno@example.org>"


def test_a_finding_names_the_mail_and_its_line(tmp_path: Path) -> None:
    wrong = mail(4, "Oi\n\nturn 2 german movement\nmove ge-983-1: 1007 0101\n", answers=3, by="Bruno")
    answer = one(boxed(tmp_path / "t.mbox", *CHAIN[:3], wrong))
    (finding,) = [f for f in answer.findings if f.severity == "illegal"]
    assert answer.step(finding.line).endswith("t.mbox[4]:4")
    assert answer.as_json()["findings"][-1]["file_line"] == 4


def test_a_top_posted_answer_goes_on_with_what_it_quotes(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(
        bytes(mail(2, f"{THIRD}\nOn Sun, Ana wrote:\n{quoted(HEAD + FIRST + SECOND)}"))
    )
    answer = one(tmp_path / "a.eml")
    assert [u for a in answer.actions for u in a.units if a.kind == "move"] == ["us-112-1", "ge-983-1"]


def test_what_an_answer_moves_illegally_is_not_acquitted(tmp_path: Path) -> None:
    own = "turn 2 american combat\nturn 2 german movement\nmove ge-983-1: 1007 0101\n"
    body = f"{own}\nAna wrote:\n{quoted(HEAD + FIRST)}"
    (tmp_path / "a.eml").write_bytes(bytes(mail(2, body)))
    assert one(tmp_path / "a.eml").verdict == "illegal"


def test_dice_below_a_quoted_combat_belong_to_it(tmp_path: Path) -> None:
    two = SECOND + "combat 0905\n  attack us-109-1\n"
    first = mail(1, HEAD + two)
    reply = mail(
        2, f"{quoted(HEAD + SECOND)}  roll 3 4\n{quoted(two[len(SECOND) :])}  roll 6 6\n", answers=1, by="Bruno"
    )
    answer = one(boxed(tmp_path / "t.mbox", first, reply))
    assert [c.roll for c in answer.combats] == [7, 12]


def test_a_quote_that_was_changed_is_told(tmp_path: Path) -> None:
    changed = (SECOND + DICE + THIRD).replace("roll 3 4", "roll 6 6")
    first = mail(1, HEAD + SECOND + DICE + THIRD)
    answer = one(boxed(tmp_path / "t.mbox", first, mail(2, "Ok\n\n" + quoted(HEAD + changed), answers=1)))
    (told,) = [f for f in answer.findings if f.code == "not-read"]
    assert answer.quote(told.line) == ">   roll 6 6"
    assert answer.combats[0].roll == 7


@pytest.mark.parametrize("header", ["turno 2 americano combate", "Combat phase", "turn 2 american combat"])
def test_a_quoted_header_is_the_one_that_was_typed(header: str, tmp_path: Path) -> None:
    end = f"move us-112-2: 0807 0908\n{header}\n"
    turn = f"{FIRST}{end}"
    asked = f"{quoted(HEAD + FIRST)}Are you sure?\n{quoted(end)}Here I go:\n{THIRD}"
    answer = one(boxed(tmp_path / "t.mbox", mail(1, HEAD + turn), mail(2, asked, answers=1, by="Bruno")))
    assert [f.code for f in answer.findings if f.severity == "unread"] == []
    assert [a.kind for a in answer.actions] == ["move", "move", "move"]


def told_apart(answer: Answer) -> list[dict[str, Any]]:
    """Findings of orders that another text gives otherwise."""
    said = "another text, or what is quoted here, gives other orders for"
    return [f for f in answer.as_json()["findings"] if f["message"].startswith(said)]


@pytest.mark.parametrize(
    ("own", "verdict", "refused", "moved"),
    [
        # 0806 to 0907 stands in the quote: who writes another way says what no longer holds
        ("move us-112-1: 0806 0807\n", "unread", [2], ["us-112-1"]),
        ("move 112-1: 0806 0807\n", "unread", [2], ["us-112-1"]),
        ("move us-112-1: 0807\nmove us-109-1: 0705 0706\n", "unread", [2], ["us-112-1", "us-109-1"]),
        # the same once more, and orders to others
        ("move us-112-1: 0806 0907\n", "legal", [], ["us-112-1"]),
        ("move us-109-1: 0705 0706\n", "legal", [], ["us-112-1", "us-109-1"]),
        # further from where the quote ends: the unit moves twice
        ("move us-112-1: 0907 0908\n", "illegal", [], ["us-112-1", "us-112-1"]),
    ],
)
def test_a_phase_that_is_written_anew_above_its_quote(
    own: str, verdict: str, refused: list[int], moved: list[str], tmp_path: Path
) -> None:
    """The older version is nowhere else at hand: nobody is accused of both, and neither is lost in silence."""
    own = "turn 2 american movement\n" + own
    (tmp_path / "a.eml").write_bytes(bytes(mail(2, f"{own}\nOn Sun, Ana wrote:\n{quoted(HEAD + FIRST)}")))
    answer = one(tmp_path / "a.eml")
    assert answer.verdict == verdict
    assert [f["file_line"] for f in told_apart(answer)] == refused
    assert [u for a in answer.actions for u in a.units if a.kind == "move"] == moved


def test_a_later_mail_that_moves_a_unit_otherwise_in_the_same_phase_is_not_read(tmp_path: Path) -> None:
    later = FIRST.replace("0907", "0807")
    answer = one(boxed(tmp_path / "t.mbox", mail(1, HEAD + FIRST), mail(2, later, answers=1)))
    assert answer.verdict == "unread"
    assert len(told_apart(answer)) == 1


def test_a_combat_that_is_written_anew_above_its_quote_is_not_read_with_all_of_it(tmp_path: Path) -> None:
    own = SECOND.replace("us-112-1", "us-112-2") + DICE
    (tmp_path / "a.eml").write_bytes(bytes(mail(2, f"{own}\nOn Sun, Ana wrote:\n{quoted(HEAD + SECOND + DICE)}")))
    answer = one(tmp_path / "a.eml")
    (found,) = told_apart(answer)
    assert "these 4 lines" in found["message"]
    assert len(answer.combats) == 1


def test_dice_of_another_quoted_combat_are_not_refused_with_one(tmp_path: Path) -> None:
    other = "turn 2 american combat\ncombat 0905\n  attack us-109-1\n"
    body = f"{quoted(HEAD + SECOND)}combat 1007\n  attack us-112-2\n{quoted(other)}  roll 6 6\n"
    (tmp_path / "a.eml").write_bytes(bytes(mail(2, body)))
    answer = one(tmp_path / "a.eml")
    assert ["these 2 lines" in found["message"] for found in told_apart(answer)] == [True]
    assert [c.roll for c in answer.combats] == [None, 12]


def test_of_mails_that_are_missing_the_quoted_lines_are_judged(tmp_path: Path) -> None:
    answer = one(boxed(tmp_path / "t.mbox", CHAIN[1], CHAIN[3]))
    assert [a.units for a in answer.actions if a.kind == "move"] == [("us-112-1",), ("ge-983-1",)]
    assert len(answer.combats) == 1


def test_sheets_with_heads_of_their_own_go_on_too(tmp_path: Path) -> None:
    second = mail(2, HEAD + SECOND + DICE, answers=1)
    answer = one(boxed(tmp_path / "t.mbox", CHAIN[0], second))
    assert answer.combats[0].roll == 7 and not answer.counts["unread"]


def test_mails_that_do_not_answer_each_other_are_games_of_their_own(tmp_path: Path) -> None:
    other = mail(2, HEAD + FIRST, subject="Outra mesa")
    assert len(judged(boxed(tmp_path / "t.mbox", CHAIN[0], other)).answers) == 2


def test_a_correction_of_a_turn_is_a_game_of_its_own(tmp_path: Path) -> None:
    other = mail(2, HEAD + FIRST.replace("0907", "0805"), answers=1)
    assert len(judged(boxed(tmp_path / "t.mbox", CHAIN[0], other)).answers) == 2


def test_a_copy_is_named_and_not_judged_again(tmp_path: Path) -> None:
    found = judged(boxed(tmp_path / "t.mbox", CHAIN[0], CHAIN[0]))
    assert len(found.answers) == 1 and len(found.skipped) == 1


def test_statements_of_no_game_are_an_error_of_the_answer(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(bytes(mail(1, "Oi, jogo assim:\n\nmove ge-983-1: 1007 1107\n\nBruno\n")))
    answer = one(tmp_path / "a.eml")
    assert (answer.verdict, [f.code for f in answer.findings]) == ("unread", ["not-read"])
    assert parts(answer)["not-read"] == [("outside", str(tmp_path / "a.eml"), 3, 3)]


def test_a_forwarded_turn_without_a_sheet_is_no_talk(tmp_path: Path) -> None:
    """It is judged where the mail names its game, else told."""
    head = "De: Ana <ana@example.org>\nEnviado: 1 de novembro de 2026 10:00\nPara: Bruno\nAssunto: turno 2\n"
    body = f"Confere?\n\n{head}\n{FIRST}"
    (tmp_path / "a.eml").write_bytes(bytes(mail(1, body, subject="turno 2")))
    assert [f.code for f in one(tmp_path / "a.eml").findings] == ["not-read"]
    (tmp_path / "a.eml").write_bytes(bytes(mail(1, body)))
    answer = one(tmp_path / "a.eml")
    assert (answer.game, [m.units for m in answer.moves]) == ("hurtgen", [("us-112-1",)])


# ------------------------------------------------------------------------------------------- attachments


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return data.getvalue()


def carrying(path: Path, body: str, **files: bytes) -> Path:
    message = mail(1, body)
    for name, content in files.items():
        message.add_attachment(
            content, maintype="application", subtype="octet-stream", filename=name.replace("__", ".")
        )
    path.write_bytes(bytes(message))
    return path


SHEET = (HEAD + FIRST).encode()


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


def html(body: str) -> bytes:
    message = mail(1, "")
    message.set_content(f"<html><body>{body}</body></html>", subtype="html")
    return bytes(message)


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


def test_a_thread_of_a_thousand_mails_takes_no_time_to_order(tmp_path: Path) -> None:
    from hexforge.validator.readers.mails.mime import Letter
    from hexforge.validator.readers.mails.threads import threads

    start = datetime(2026, 1, 1, tzinfo=UTC)
    chain = [
        Letter(f"{n}", date=start - timedelta(days=n), id=f"<{n}>", answers=(f"<{n - 1}>",)) for n in range(3000)
    ]
    (thread,), copies = threads(reversed(chain))
    assert [letter.id for letter in thread] == [letter.id for letter in chain] and not copies


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


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
def test_mails_without_ids_answer_by_their_subjects_in_whatever_order_they_lie(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    unnamed = []
    for message in CHAIN:
        bare = EmailMessage()
        for name in ("From", "Date", "Subject"):
            bare[name] = message[name]
        bare.set_content(message.get_content())
        unnamed.append(bare)
    answer = one(boxed(tmp_path / "t.mbox", *(unnamed[i] for i in order)))
    assert [a.kind for a in answer.actions].count("move") == 2


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


@pytest.mark.parametrize(
    "said", ["Em 01/11, Bruno escreveu:", "On 01.11.26 0907 Bruno wrote:", "No 1/112, disse Ana:"]
)
def test_a_date_that_looks_like_units_and_hexes_says_who_is_quoted(tmp_path: Path, said: str) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(bytes(mail(1, f"{SECOND}{DICE}\n{said}\n{quoted(HEAD + FIRST)}")))
    answer = one(path)
    assert answer.counts["unread"] == 0
    assert [(first, last) for _, _, first, last in parts(answer)["prose"]] == [(7, 7)]


@pytest.mark.parametrize(
    "line", ["ramal 0907", "Phone 1007", "Cel. 0806 0907", "Rua 112-1, ap. 0907", "Tel.: 0806-0907"]
)
def test_a_number_in_a_signature_is_no_hex(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(bytes(mail(1, f"{HEAD}{FIRST}\nAbraço,\nAna\n{line}\n")))
    answer = one(path)
    assert answer.counts["unread"] == 0 and answer.verdict == "legal"
    assert max(last for _, _, _, last in parts(answer)["prose"]) == 9


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
