"""Lines of a report wrapped to a terminal's width by rich, what follows below what it continues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Final

import click

_LEAST: Final = 30
"""Columns below which nothing is wrapped: whoever has so few scrolls."""
_HEAD: Final = re.compile(r"^ *(?:│ |.*?\S {2,}(?=\S))?")
"""What stands before the text of a line: blanks, the bar of a quotation, a first column."""


def wrapped(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines, those that are longer than `width` (0 for none) on several; their colours stay."""
    for line in lines:
        if width < _LEAST or len(plain := click.unstyle(line)) <= width:
            yield line
        else:
            yield from _wrapped(line, plain, width)


def _wrapped(line: str, plain: str, width: int) -> Iterator[str]:
    from rich.console import Console
    from rich.text import Text

    head = len(_HEAD.match(plain)[0])  # type: ignore[index]
    hang = head if 0 < head <= width // 3 else len(plain) - len(plain.lstrip()) + 2
    out = StringIO()
    console = Console(
        file=out, width=width, color_system="standard", force_terminal=True, no_color=False, force_jupyter=False
    )
    text = Text.from_ansi(line)
    first, rest = (text[:hang], text[hang:]) if hang == head else (Text(), text)
    bar = "│ " if plain[:hang].endswith("│ ") else ""
    for number, row in enumerate(rest.wrap(console, width - len(first) if first else width - hang)):
        row.rstrip()
        console.print(first if not number else " " * (hang - len(bar)) + bar, row, sep="", end="\n", soft_wrap=True)
    yield from out.getvalue().splitlines()
