"""Mails as people type them, of `mails/`, each as its program packs it: what that folder's page says of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Final

MAILS: Final = Path(__file__).parent / "mails"
MARK: Final = re.compile(r"([SWpqN])(?: (.*)|)")
IN_HTML: Final = re.compile(r"<!--([SWpqN])-->")


@dataclass(frozen=True, eq=False)
class Example:
    """A mail, its bytes, and what each line of its text that is not blank is meant as, by number."""

    name: str
    data: bytes
    suffix: str
    meant: dict[int, str]
    in_html: bool = False


def examples() -> Iterator[Example]:
    """All mails of the folder."""
    for path in sorted(MAILS.glob("*.txt")):
        yield from examples_in(path)


def examples_in(path: Path) -> Iterator[Example]:
    """The mails of a file."""
    for part in re.split(r"(?m)^=== ", path.read_text("utf-8"))[1:]:
        name, _, rest = part.partition("\n")
        head, _, body = rest.partition("\n\n")
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        yield example(name.strip(), fields, body.strip("\n") + "\n")


def example(name: str, fields: dict[str, str], body: str) -> Example:
    """One mail as its program packs it."""
    form = fields.pop("Form", "plain")
    if form == "html":
        marks = IN_HTML.findall(body)
        return Example(
            name, packed(fields, IN_HTML.sub("", body), form), ".eml", dict(enumerate(marks)), in_html=True
        )
    matches = [found for line in body.splitlines() if (found := MARK.fullmatch(line))]
    assert len(matches) == len(body.splitlines()), name
    text = "".join(f"{m[2] or ''}\n" for m in matches)
    meant = {n: m[1] for n, m in enumerate(matches, 1) if (m[2] or "").strip(" >\t")}
    if form == "text":
        return Example(name, text.encode(), ".txt", meant)
    return Example(name, packed(fields, text, form), ".eml", meant)


def packed(fields: dict[str, str], text: str, form: str) -> bytes:
    message = EmailMessage()
    for field, value in fields.items():
        message[field] = value
    if form == "html":
        message.set_content(text, subtype="html", cte="quoted-printable")
    else:
        ways = {"quoted-printable": "quoted-printable", "base64": "base64"}
        charset = "latin-1" if form == "latin-1" else "utf-8"
        message.set_content(
            text.replace("–", "-") if form == "latin-1" else text, charset=charset, cte=ways.get(form, "8bit")
        )
    if form == "flowed":
        message.set_param("format", "flowed")
    return bytes(message)
