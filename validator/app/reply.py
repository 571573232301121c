"""The answer to a mail: the verdict on what it holds in plain words, in the mail's own language, with the page.

Nothing is sent: the answer is a mail in a file, which a program for mails opens as a draft.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

from ...scenarios.console import open_file, safe, without_folders
from ...scenarios.text.words import SOURCE, HexforgeError, Language, Words, languages, message
from ..judging.situation import format_typed
from ..reading.open_lines import LETTERS
from ..report import wording
from ..report.pages import Rest
from .batch import check_all

if TYPE_CHECKING:
    from ..judging.answer import Answer
    from ..judging.check import Manner
    from ..reading.mails.mime import Letter
    from ..rules.findings import Finding
    from .batch import Judged


MOST_FINDINGS: Final = 40
"""Findings that a mail tells one by one; the page has all."""
_TOLD: Final = ("illegal", "unread", "doubtful", "waived", "warning")
_HEADS: Final = 200_000
_LONGEST: Final = 200
_FEWEST: Final = 2
"""Words of a language that tell it from another."""


class NotOneMail(HexforgeError):
    """A file that holds no mail, or many."""


@dataclass(frozen=True)
class Reply:
    """The answer, and what it rests on."""

    mail: EmailMessage
    judged: Judged
    language: Language


def reply_to(
    path: str | Path,
    options: Mapping[str, str] | None = None,
    *,
    sender: str = "",
    language: Language | None = None,
    **how: Unpack[Manner],
) -> Reply:
    """Judge what a mail holds and write the answer to it. `sender`: whose answer it is, "" to leave that open.

    Raises NotOneMail, and UnreadableSheet for what is no mail.
    """
    from ..reading.mails.threads import read_letters

    letters = read_letters(path)
    if len({letter.source for letter in letters}) != 1:
        raise NotOneMail(message("reply.one-mail", file=str(path), count=len(letters)))
    judged = check_all([path], options, **how)
    spoken = language or _language(letters, judged.answers)
    words = Words(spoken)
    mail = _head(path, letters[0], words, sender)

    def told(text: str) -> str:
        return without_folders(text, [str(Path(path).parent)])

    mail.set_content(told("\n".join(_lines(judged, words)) + "\n"))
    for name, page in _pages(judged, words, told):
        mail.add_attachment(page.encode("utf-8", "replace"), maintype="text", subtype="html", filename=name)
    return Reply(mail, judged, spoken)


# ------------------------------------------------------------------------------------------------ head


def _head(path: str | Path, letter: Letter, words: Words, sender: str) -> EmailMessage:
    """Who answers whom on what; nothing that a stranger wrote makes a head of its own."""
    with open_file(path) as file:
        asked = BytesHeaderParser(policy=policy.compat32).parsebytes(file.read(_HEADS))
    mail = EmailMessage(policy=policy.SMTP)
    to = next((found for name in ("Reply-To", "From") if (found := _addresses(asked.get_all(name, [])))), "")
    if to:
        mail["To"] = to
    if sender:
        mail["From"] = _line(sender)
    subject = _line(letter.subject)
    mail["Subject"] = subject if re.match(r"(?i)re:", subject) else f"Re: {subject}".strip()
    if letter.id:
        mail["In-Reply-To"] = letter.id
        mail["References"] = " ".join((*letter.answers[::-1][-20:], letter.id))
    mail["Content-Language"] = words("report.html-language")
    mail["Auto-Submitted"] = "auto-generated"
    # Programs for mails that know it open the file as one that is still to be sent.
    mail["X-Unsent"] = "1"
    return mail


def _addresses(values: Sequence[object]) -> str:
    """Addresses alone, without the names, which may be anything."""
    found = (address for _, address in getaddresses([str(value) for value in values]))
    plain = (a for a in found if re.fullmatch(r"[\w.+'=-]{1,64}@[\w.-]{1,200}", a, re.ASCII))
    return ", ".join(list(dict.fromkeys(plain))[:5])


def _line(text: str) -> str:
    return " ".join(safe(text).split())[:_LONGEST]


def _language(letters: Sequence[Letter], answers: Sequence[Answer]) -> Language:
    """The language that most of the mail's own words are of; else that of its sheet."""
    said = [word for letter in letters for typed in letter.texts for row in typed.rows for word in _words(row.text)]
    counts = {language: _known(said, language) for language in languages()}
    best = max(counts, key=lambda language: (counts[language], language == SOURCE))
    if counts[best] >= _FEWEST and list(counts.values()).count(counts[best]) == 1:
        return best
    return next((a.sheet.language for a in answers if a.sheet is not None and not a.steps), best)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.casefold())


def _known(said: Sequence[str], language: Language) -> int:
    own = set(Words(language)("reply.known-words").casefold().split())
    return sum(word in own for word in said)


# ------------------------------------------------------------------------------------------------ text


def _lines(judged: Judged, w: Words) -> Iterator[str]:
    yield w("reply.hello")
    yield ""
    for answer in judged.answers:
        yield from _answer(answer, answer.words(w.language))
    for source, error in judged.failures:
        why = w.say(error.message) if isinstance(error, HexforgeError) else str(error)
        yield safe(w("reply.unreadable", file=source, why=why))
        yield ""
    if not judged.answers and not judged.failures:
        yield w("reply.nothing")
        yield from (f"- {safe(w.say(what))}" for _, what in judged.skipped)
        yield ""
    if judged.answers:
        yield w("reply.page")
        yield ""
    yield w("reply.machine")


def _answer(answer: Answer, w: Words) -> Iterator[str]:
    """The verdict on a game, each finding with its place, and how the game stands."""
    found = [f for f in answer.findings if f.severity in _TOLD and not f.asked]
    verdict = "without-rules" if answer.shade == "info" else answer.verdict
    yield safe(w(f"reply.verdict.{verdict}", name=answer.source or answer.game, count=len(found)))
    if told := wording.not_judged_in_a_line(answer.scenario, w):
        yield safe(told)
    yield ""
    yield from _open_lines(answer, w)
    for finding in found[:MOST_FINDINGS]:
        yield from _finding(finding, answer, w)
    if len(found) > MOST_FINDINGS:
        yield w("reply.more", count=len(found) - MOST_FINDINGS)
        yield ""
    if answer.score:
        yield safe(w("reply.score", score=wording.purse(answer.score, w)))
        yield ""
    yield safe(wording.edition(answer, w, 12))
    yield ""


def _open_lines(answer: Answer, w: Words) -> Iterator[str]:
    """The lines that were not read as a list to tick, and above them the turn as it was understood."""
    asked = [f for f in answer.findings if f.asked]
    if not asked:
        return
    yield w("reply.open")
    yield ""
    for finding in asked:
        yield safe(f"[ ] {finding.asked}  {answer.quote(finding.line)}")
        for letter, (line, left) in zip(LETTERS, finding.proposed, strict=False):
            yield safe(f"      {letter}) {line}" + (f"   {w('report.without', words=left)}" if left else ""))
        yield ""
    if answer.sheet is not None:
        yield w("reply.turn")
        yield ""
        yield from (safe(f"    {line}") for line in format_typed(answer.sheet, w.language).text.splitlines())
        yield ""


def _finding(finding: Finding, answer: Answer, w: Words) -> Iterator[str]:
    where = " · ".join(filter(None, (wording.place(finding, answer, w), finding.rule)))
    yield safe(f"- {wording.severity(finding, w)}, {where}")
    if quote := answer.quote(finding.line):
        yield safe(f"    {quote}")
    yield safe(f"  {w.say(finding.message)}")
    if figures := wording.figures(finding, w):
        yield safe(f"  {figures}")
    if ruling := wording.ruling(finding, w):
        yield safe(f"  {ruling}")
    yield ""


def _pages(judged: Judged, w: Words, told: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """The page of the game; of several, one report of all. `told`: what is told, as others may read it."""
    from ..report.html import HtmlReport

    if judged.answers:
        report = HtmlReport(w, playable=len(judged.answers) == 1, said=told)
        whole = report.whole(map(report.part, judged.answers), Rest(many=len(judged.answers) > 1))
        yield w("reply.file"), told("".join(whole))
