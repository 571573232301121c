"""What is sent of a table: the sheet, a mail with it, a log that VASSAL steps through, the page of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Final, Literal

from ...scenarios.text.words import Language, Words
from ..judging.check import judge
from ..judging.transcription import game_module, log_of
from ..reading.sheet import read_sheet
from ..report.html import game_page
from ..rules.phases import called
from .session import Session

FormName = Literal["sheet", "eml", "vlog", "html"]
FORMS: Final = ("sheet", "eml", "vlog", "html")


@dataclass(frozen=True, slots=True)
class Sent:
    """A file to be sent: its name, its type, and what is in it."""

    name: str
    kind: str
    data: bytes


def sent(session: Session, form: FormName, language: Language, *, module: str | None = None) -> Sent:
    """A game in a form. Raises NoModule, FormatError or OSError for a log without a module to be used."""
    return _FORMS[form](session, language, module)


def _name(session: Session, ending: str) -> str:
    phase = session.position.phase
    turn = f"-turn{phase.turn}" if phase is not None else ""
    return f"{session.scenario.name}{turn}.{ending}"


def _sheet(session: Session, language: Language, module: str | None) -> Sent:
    return Sent(_name(session, "sheet"), "text/plain; charset=utf-8", session.text.encode("utf-8", "replace"))


def _mail(session: Session, language: Language, module: str | None) -> Sent:
    """A draft: the turn as text that anybody can read and answer by hand, the sheet and the page attached."""
    w = Words(language, session.scenario.texts)
    mail = EmailMessage(policy=SMTP)
    phase = session.position.phase
    values = {"game": w.heading("title", "name", session.scenario.name), "what": ""}
    if phase is not None:
        word, _ = called(session.ctx, phase, session.ctx.weather(session.position))
        side, kind = w.heading("sides", phase.side), w.heading("phases", word)
        values["what"] = w("play.mail.phase", turn=phase.turn, side=side, phase=kind)
    mail["Subject"] = w("play.mail.subject", **values)
    mail["X-Unsent"] = "1"
    owed = [w.say(f.message) for f in session.closing if f.severity == "illegal"]
    fight = session.fight
    if fight is not None:
        owed = [w.say(f.message) for f in fight.outcome.findings if f.severity == "illegal"] or owed
    asked = ["", w("play.mail.owed"), *(f"- {line}" for line in owed)] if owed else []
    mail.set_content("\n".join((w("play.mail.lead", **values), *asked, "", session.text)))
    page = _page(session, language, module)
    mail.add_attachment(session.text.encode("utf-8", "replace"), "text", "plain", filename=_name(session, "sheet"))
    mail.add_attachment(page.data, "text", "html", filename=page.name)
    return Sent(_name(session, "eml"), "message/rfc822", mail.as_bytes())


def _page(session: Session, language: Language, module: str | None) -> Sent:
    answer = judge(read_sheet(session.text, _name(session, "sheet")))
    written = game_page(answer, Words(language), now=True)
    return Sent(_name(session, "html"), "text/html; charset=utf-8", written.encode("utf-8", "replace"))


def _log(session: Session, language: Language, module: str | None) -> Sent:
    name = session.scenario.name
    path = Path(module) if module else game_module(name, (Path(), Path("dist")))
    data = log_of(read_sheet(session.text, ""), session.scenario, path, language)
    return Sent(_name(session, "vlog"), "application/octet-stream", data)


_FORMS: Final[Mapping[FormName, Callable[[Session, Language, str | None], Sent]]] = {
    "sheet": _sheet, "eml": _mail, "vlog": _log, "html": _page,
}  # fmt: skip
