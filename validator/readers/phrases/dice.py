"""Dice as people tell them where a combat waits for them: `6-4!`, `6/4`, `six-four, DRB AVB`; a sum before them.

Elsewhere such figures may be totals or odds, and are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary

_PARTS: Final = re.compile(r"[^\W_]+")


def awaited(line: LogicalLine, words: Vocabulary) -> LogicalLine:
    """The line with the word of a throw before it, where it is dice alone, or these and what came of them.

    One of a pair that is joined is no 1: that is a ratio.
    """
    if line.too_long or words.thrown is None:
        return line
    told = [t for t in line.tokens if t.text not in ("!", "=", "->", ":", "/")]
    codes = len(told)
    while codes and words.are_codes(told[codes - 1].text.strip(".")):
        codes -= 1
    faces = [face for token in told[:codes] for face in _faces(token, words)]
    joined = len(told[:codes]) == 1 or "/" in (t.text for t in line.tokens)
    if (
        not faces
        or "" in faces
        or (joined and "1" in faces)
        or not words.thrown.shows([int(face) for face in faces])
    ):
        return line
    first = line.tokens[0]
    roll = in_place(first, "statements", base.WORDS[st.Roll][0], words)
    said = [roll, *(replace(first, kind="word", text=face, key=face) for face in faces)]
    if codes < len(told):
        said += [replace(first, kind="mark", text="->", key="->"), *told[codes:]]
    return replace(line, tokens=tuple(said))


def _faces(token: Token, words: Vocabulary) -> Sequence[str]:
    """The faces that a word says, one or several; "" for what is none."""
    if token.kind != "word":
        return ("",)
    if words.meaning("fillers", token.key) == "and":
        return ()
    found = [words.meaning("numbers", part) or part for part in _PARTS.findall(token.key.rstrip("!."))]
    return [face if face.isdigit() and len(face) == 1 else "" for face in found] or ("",)


def without_sum(tokens: Sequence[Token], line: LogicalLine, words: Vocabulary) -> Sequence[Token]:
    """A throw without the sum that stands before its faces, or in brackets behind: `11 (6+5)`, `6 and 5 (11)`."""
    if "(" not in line.texts[line.line - 1]:
        return tokens
    places = [i for i, t in enumerate(tokens) if i and t.text.isdigit()]
    faces = [int(tokens[i].text) for i in places]
    if len(faces) < _LEAST or words.thrown is None:
        return tokens
    for at, others in ((places[0], faces[1:]), (places[-1], faces[:-1])):
        first = at == places[0]
        if (first or _bracketed(tokens[at], line)) and words.thrown.shows(others) and 2 * sum(others) == sum(faces):
            return (*tokens[:at], *tokens[at + 1 :])
    return tokens


def _bracketed(token: Token, line: LogicalLine) -> bool:
    """Whether a word stands alone in brackets."""
    text, start = line.texts[token.line - 1], token.column - 1
    return text[:start].rstrip().endswith("(") and text[start + len(token.text) :].lstrip().startswith(")")


_LEAST: Final = 3
"""Figures of a throw with its sum."""


def uncounted(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`2 dados: 4 e 4` without how many dice the game throws."""
    roll = len(tokens) > _LEAST and words.meaning("statements", tokens[1].key) == base.WORDS[st.Roll][0]
    if not roll or words.thrown is None or tokens[0].text != str(words.thrown.count):
        return tokens
    return tokens[1:] if any(t.text.isdigit() for t in tokens[2:]) else tokens
