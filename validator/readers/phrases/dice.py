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


def each_named(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`d1=5 d2=3`, `die 1: 5, die 2: 3` as one throw, `Roll 1: 5 3` without the number of the throw.

    One die of several alone, `die 1: 5`, is left without its word, so that it is not read; any other line is
    itself.
    """
    if len(tokens) > _LEAST and tokens[2].text == ":" and _numbered(tokens, 0, words)[0] == _LEAST:
        thrown = [t for t in tokens[_LEAST:] if t.text not in (",", "+") and not words.meaning("fillers", t.key)]
        if words.thrown is not None and _shows(thrown, words):
            return (next((t for t in tokens[:_LEAST] if _throws(t, words)), tokens[0]), *thrown)
    if len(tokens) > _LEAST and tokens[1].text == ":" and _throws(tokens[0], words):
        tokens = tokens[2:] if _numbered(tokens, 2, words)[1] else tokens
    faces: list[Token] = []
    numbers: list[str] = []
    at = 0
    while at < len(tokens):
        at, number = _numbered(tokens, at, words)
        if not number or at >= len(tokens) or not _FACE.fullmatch(tokens[at].text):
            return tokens
        numbers.append(number)
        faces.append(tokens[at])
        at += 1
    if len(faces) == 1 and words.thrown is not None and words.thrown.count > 1:
        return tuple(faces)
    if numbers != [str(i + 1) for i in range(len(faces))] or not _shows(faces, words):
        return tokens
    return (in_place(tokens[0], "statements", base.WORDS[st.Roll][0], words), *faces)


def _shows(faces: Sequence[Token], words: Vocabulary) -> bool:
    """Whether words are faces of the dice that the game throws."""
    figures = [int(t.text) for t in faces if _FACE.fullmatch(t.text)]
    return words.thrown is not None and len(figures) == len(faces) and words.thrown.shows(figures)


def _numbered(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[int, str]:
    """Where the face begins of the die that is named at a place, and the die's number; "" where none is named."""
    if words.meaning("fillers", tokens[at].key) == "and" and at + 1 < len(tokens):
        at += 1
    glued, number = _DIE.fullmatch(tokens[at].key), ""
    if glued:
        at, number = at + 1, glued[1]
    elif at + 2 < len(tokens) and _throws(tokens[at], words) and tokens[at + 2].text in (":", "="):
        at, number = at + 2, _COUNT.sub("", tokens[at + 1].text)
    elif at + 1 < len(tokens) and _throws(tokens[at + 1], words) and not tokens[at].text.isdigit():
        at, number = at + 2, words.meaning("ordinals", tokens[at].key) or ""
    while at < len(tokens) and tokens[at].text in (":", "=", "-", "->"):
        at += 1
    return at, number if _FACE.fullmatch(number) else ""


def _throws(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("statements", token.key) == base.WORDS[st.Roll][0]


_COUNT: Final = re.compile("^#")
_DIE: Final = re.compile("d([1-9])")
_FACE: Final = re.compile("[0-9]")


def uncounted(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`2 dados: 4 e 4` without how many dice the game throws."""
    roll = len(tokens) > _LEAST and words.meaning("statements", tokens[1].key) == base.WORDS[st.Roll][0]
    if not roll or words.thrown is None or tokens[0].text != str(words.thrown.count):
        return tokens
    return tokens[1:] if any(t.text.isdigit() for t in tokens[2:]) else tokens
