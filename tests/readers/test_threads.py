"""Mails that answer each other are one game, however they come: in a mailbox, a Maildir, a folder, or one alone."""

from __future__ import annotations

import mailbox
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from hexforge.validator.judging.answer import Answer
from hexforge.validator.notation import statements
from hexforge.validator.reading.mails.mime import Letter
from hexforge.validator.reading.mails.threads import threads
from tests.readers.mailed import CHAIN, DICE, FIRST, HEAD, SECOND, THIRD, boxed, judged, mail, one, parts, quoted


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


def test_a_thread_of_a_thousand_mails_takes_no_time_to_order(tmp_path: Path) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    chain = [
        Letter(f"{n}", date=start - timedelta(days=n), id=f"<{n}>", answers=(f"<{n - 1}>",)) for n in range(3000)
    ]
    (thread,), copies = threads(reversed(chain))
    assert [letter.id for letter in thread] == [letter.id for letter in chain] and not copies


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
def test_mails_without_ids_answer_by_their_subjects_in_whatever_order_they_lie(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    unnamed = []
    for message in CHAIN:
        bare = EmailMessage()
        for name in ("From", "To", "Date", "Subject"):
            bare[name] = message[name]
        bare.set_content(message.get_content())
        unnamed.append(bare)
    answer = one(boxed(tmp_path / "t.mbox", *(unnamed[i] for i in order)))
    assert [a.kind for a in answer.actions].count("move") == 2


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


def test_what_follows_is_told_below_the_quoted_dice_that_it_is_of_though_others_look_alike(tmp_path: Path) -> None:
    other = "combat 0907\n  attack us-112-2\n  declare 4:4 odds 1-1\n"
    asked = f"{SECOND}{DICE}{other}{DICE}"
    between = f"{quoted(SECOND + DICE)}result DRB\n{quoted(other + DICE)}result DVB\n"
    answer = one(boxed(tmp_path / "t.mbox", mail(1, HEAD + FIRST + asked), mail(2, between, answers=1)))
    assert answer.sheet is not None
    fights = [s for s in answer.sheet.statements if isinstance(s, statements.Combat)]
    results = [[act.codes for act in s.acts if isinstance(act, statements.Result)] for s in fights]
    assert results == [[("DRB",)], [("DVB",)]]
