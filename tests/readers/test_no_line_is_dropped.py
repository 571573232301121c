"""No line of any input is dropped in silence: each that is not blank is judged, prose, quoted or not read."""

from __future__ import annotations

from collections import Counter
from email.message import EmailMessage
from html import escape
from typing import Final, get_args

from hypothesis import example, given
from hypothesis import strategies as s

from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation.cursor import logical_lines, physical_lines
from hexforge.validator.notation.records import Part
from hexforge.validator.reading.decoding import UnreadableSheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.mime import Letter
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_sheet
from tests.examples import examples

SAID: Final = (
    "sheet 1", "planilha 1", "game hurtgen", "jogo metz", "game nowhere", "partial", "position", "  us-112-1 0806",
    "turn 2 american movement", "turno 2 alemão movimento", "turn 2 american combat", "turn two american combat",
    "move us-112-1: 0806 0907", "mvoe us-112-1: 0806 0907", "move us-112-2: \\", "0807 0908", "combat 1007",
    "combat", "  attack us-112-1 us-112-2 us-112-3 us-707-tank us-109-1 us-109-2", "us-893-td", "  roll 3 4",
    "  result DRB AVI", "score american 20", "# nota", ",;", "--", "-- ", "Oi Ana,", "Abraço", "On Sun, Ana wrote:",
    "De: Ana <ana@example.org>", "Enviado: domingo, 1 de novembro de 2026 10:02", "Para: Bruno", "Assunto: turno 2",
    "cuidado com o 0907", "", "   ", "\t", "From here on", "=" * 70, "\x0b\x0c", "\u2028", "sheet 2",
    "* combat 1007 *",
)  # fmt: skip
ANY: Final = s.text(s.characters(blacklist_categories=("Cs", "Cc")), max_size=30)
LINE: Final = s.sampled_from(SAID) | ANY
LINES: Final = s.lists(s.tuples(s.sampled_from(["", "", "", "> ", ">> ", "  "]), LINE), max_size=25).map(
    lambda found: [mark + line for mark, line in found]
)


def accounted(letters: list[Letter]) -> Counter[tuple[str, int]]:
    """How often each row of letters is accounted for, by its file and number."""
    found: Counter[tuple[str, int]] = Counter()
    for thread in threads(letters)[0]:
        games = games_of(thread)
        for game in games:
            sheet = game.sheet()
            for part in account_of(sheet):
                assert part.part in get_args(Part)
                numbers = range(part.first, part.last + 1)
                lines = rows(thread)
                found.update((part.source, n) for n in numbers if (part.source, n) in lines)
        if not games:
            found.update(rows(thread))
    return found


def rows(letters: list[Letter]) -> set[tuple[str, int]]:
    return {
        (f"{letter.source}: {typed.name}" if typed.name else letter.source, row.number)
        for letter in letters
        for typed in letter.texts
        for row in typed.rows
        if not row.blank
    }


@examples(40, deadline=None)
@given(LINES)
@example(["move us-112-1: 0806 0907", "", "> sheet 1", "> game hurtgen", "> turn 2 american movement"])
@example(["sheet 1", "game hurtgen", "combat", "attack a1", "roll 3 4"])
def test_every_line_of_a_text_is_accounted_for_once(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    letters = read_mails(text.encode(), "a.txt")
    (letter,) = letters
    assert [row.number for row in letter.texts[0].rows] == list(range(1, len(physical_lines(text)) + 1))
    assert accounted(letters) == Counter(rows(letters))


@examples(40, deadline=None)
@given(LINES)
@example(["combat", "  attack a1", "move us-112-1: \\", "0806 0907", "# nota \\", "0806"])
def test_every_line_of_a_sheet_is_accounted_for(lines: list[str]) -> None:
    text = "\n".join(["sheet 1", "game hurtgen", *lines]) + "\n"
    sheet = read_sheet(text)
    parts = account_of(sheet)
    numbers = [n for part in parts for n in range(part.first, part.last + 1)]
    said = {n for n, line in enumerate(sheet.lines, 1) if line.strip().lstrip("> \t")}
    assert len(numbers) == len(set(numbers)) and said <= set(numbers)
    spoken = {token.line for line in logical_lines(list(sheet.lines)) for token in line.tokens}
    prose = {n for part in parts if part.part == "prose" for n in range(part.first, part.last + 1)}
    assert not prose & spoken, "whatever the reader hears is judged, or named as not read"


@examples(30, deadline=None)
@given(s.lists(s.tuples(LINES, s.sampled_from(["plain", "flowed", "html", "both"])), min_size=1, max_size=3))
def test_every_line_of_a_thread_is_accounted_for_once(bodies: list[tuple[list[str], str]]) -> None:
    letters: list[Letter] = []
    for number, (lines, form) in enumerate(bodies, 1):
        letters += read_mails(bytes(mail(number, lines, form)), f"{number}.eml")
        (letter,) = letters[number - 1 :]
        heard = "\n".join(row.text for typed in letter.texts for row in typed.rows)
        said = "\n".join(shown(lines))
        assert sorted(squeezed(said) - squeezed(heard)) == []
    assert accounted(letters) == Counter(rows(letters))


def squeezed(text: str) -> set[str]:
    """The words of a text, without what quotes them and what nobody sees."""
    return set("".join(c if c.isalnum() and c.isascii() else " " for c in text).split())


def shown(lines: list[str]) -> list[str]:
    """Lines without what no mail program sends."""
    return ["".join(c for c in line if c.isprintable() or c == "\t") for line in lines]


def mail(number: int, lines: list[str], form: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["Message-ID"] = "ana@example.org", f"<{number}@example.org>"
    if number > 1:
        message["In-Reply-To"] = f"<{number - 1}@example.org>"
    clean = shown(lines)
    text = "\n".join(clean) + "\n"
    page = "".join(f"<div>{escape(line)}</div>" for line in clean)
    if form == "html":
        message.set_content(page, subtype="html", cte="base64")
        return message
    message.set_content(text, cte="base64")
    if form == "flowed":
        message.set_param("format", "flowed")
    if form == "both":
        message.add_alternative(page, subtype="html", cte="base64")
    return message


@examples(40, deadline=None)
@given(s.binary(max_size=200), s.sampled_from([b"", b"From: a\n", b"From: a\n\n", b"From a\nFrom: a\n\n"]))
def test_any_bytes_are_a_mail_or_an_error(data: bytes, head: bytes) -> None:
    try:
        letters = read_mails(head + data, "a.eml")
    except UnreadableSheet:
        return
    assert accounted(letters) == Counter(rows(letters))
    for thread in threads(letters)[0]:
        for game in games_of(thread):
            judge(game.sheet())
