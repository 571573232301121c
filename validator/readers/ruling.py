"""Read what a director rules in a tournament's file, which says it in the words of the notation."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from hexforge.scenarios.words import SOURCE
from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.cursor import Cursor, SyntaxProblem, Unread, expected
from hexforge.validator.readers.notation.lexer import logical_lines
from hexforge.validator.readers.notation.words import Vocabulary


def read_ruling(
    cls: type[st.Put] | type[st.RuledControl], text: str, words: Vocabulary, declared: Collection[str] = ()
) -> st.Put | st.RuledControl | SyntaxProblem:
    """What stands behind the word of a ruling, up to `because`, or why it cannot be read; all on line 1.

    `declared` are units of the sheet's own. Who rules so and why is left empty: that stands elsewhere.
    """
    word = base.WORDS[cls][0]
    line = next(logical_lines([f"{word} {' '.join(text.split())} because {word}"]))
    at = Cursor(line, words, SOURCE, declared)
    try:
        if line.too_long:
            raise at.fail("line-length")
        at.step()
        found = base.read_statement(cls, at, word)
    except Unread as error:
        return error.problem
    assert isinstance(found, st.Put | st.RuledControl)
    if found.by or found.reason != word:
        return at.problem(expected("ruling-alone"))
    return at.problems[0] if at.problems else replace(found, reason="")
