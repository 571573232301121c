"""What the YAML library objects to, as whoever edits the file would put it.

The library speaks of tokens and nodes, in English. Its two readers (libyaml and the one in Python) word the same
defect differently; each entry of `_PLAIN` knows both.
"""

from __future__ import annotations

import re
from typing import Final

import yaml

from hexforge.scenarios.words import Message, message

_PLAIN: Final = tuple(
    (re.compile(pattern), key)
    for pattern, key in (
        (r"tab character", "tab"),
        (r"cannot start any token", "quotes"),
        (r"(quoted|double-quoted) scalar.*(unexpected|document)", "open-quotes"),
        (r"unknown escape", "backslash"),
        (r"flow (sequence|mapping)", "open-bracket"),
        (r"simple key", "no-colon"),
        (r"mapping values are not allowed", "colon"),
        (r"sequence entries are not allowed", "dash"),
        (r"block mapping.*(expected key|block end)", "indent"),
        (r"block collection", "indent-list"),
        (r"alias|anchor|constructor for the tag|tag handle|scanning a tag", "quotes"),
        (r"node content", "quotes"),
        (r"block scalar", "block-text"),
        (r"single document|document start", "one-document"),
        (r"unhashable", "bracket-key"),
    )
)
"""What the library says, its context and its problem in one line, and what that means; the first that fits."""


_SLIPS: Final = (
    (re.compile("[ \\t]*\N{NO-BREAK SPACE}"), "hard-blank"),
    (re.compile(r"[ ]*-(?:[{\[]|[A-Za-z_]\w*: )"), "dash-blank"),
)
"""Beginnings of lines that the library stumbles over only later, and what is wrong with them."""


def _before(text: str, line: int) -> tuple[Message, int] | None:
    """What is wrong with the line, counted from 0, or with one of the two before it."""
    lines = text.split("\n")
    for number in range(max(0, line - 2), min(line + 1, len(lines))):
        for pattern, key in _SLIPS:
            if pattern.match(lines[number]):
                return message(f"scenario.yaml.plain.{key}"), number
    return None


def plain(error: yaml.MarkedYAMLError, text: str) -> tuple[Message, yaml.Mark | None]:
    """What is wrong in an editor's words, and the place to look at; the library's own words where they are new."""
    said = " ".join(part for part in (error.context, error.problem) if part)
    mark = error.problem_mark or error.context_mark
    key = next((key for pattern, key in _PLAIN if pattern.search(said)), None)
    if error.context and "scanning an" in error.context:
        mark = error.context_mark
    character = text[mark.index : mark.index + 1] if mark else ""
    if key == "quotes" and character == "\t":
        key = "tab"
    line = 0
    if key == "quotes" and not character:
        # Nothing begins at the end of the file: what was opened before wants its end.
        key, line = "open-bracket", text.count("\n", 0, max(text.rfind("["), text.rfind("{"))) + 1
    if mark and (slip := _before(text, mark.line)):
        said_so, number = slip
        return said_so, yaml.Mark("", 0, number, 0, "", 0)
    if key is None:
        return message("scenario.yaml.library", detail=said), mark
    opened = error.context_mark or mark
    if key == "open-quotes":
        # The library comes to the end of the file before it sees that there are no more.
        mark = opened
    line = line or (opened.line + 1 if opened else 0)
    return message(f"scenario.yaml.plain.{key}", character=character, line=line), mark
