"""Write statements as a turn sheet in a language, English being the canonical one.

What is written reads back as the same statements, line numbers apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hexforge.scenarios.words import SOURCE, Language
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.base import write_line
from hexforge.validator.readers.notation.kinds import Pen
from hexforge.validator.readers.notation.wordbooks import notation
from hexforge.validator.readers.notation.words import Vocabulary

_INDENT: Final = "  "


def write_statement(statement: st.Statement, lang: Language = SOURCE, words: Vocabulary | None = None) -> str:
    """One statement as one line, without indentation, sub-statements or line end.

    `words` are those of its game; without them a game's words stand as its ids.
    """
    return write_line(statement, Pen(words or notation(), lang))


def write_sheet(
    statements: Iterable[st.Statement], lang: Language = SOURCE, words: Vocabulary | None = None
) -> str:
    """A sheet, one statement a line, with a blank line before each turn and what belongs to a block indented."""
    pen = Pen(words or notation(), lang)
    lines: list[str] = []
    for statement in statements:
        if isinstance(statement, st.Opening) and lines:
            lines.append("")
        indent = _INDENT if isinstance(statement, st.Positioned) else ""
        lines.append(indent + write_line(statement, pen))
        if isinstance(statement, st.Engagement):
            lines += [_INDENT + write_line(act, pen) for act in statement.acts]
    return "\n".join(lines) + "\n"
