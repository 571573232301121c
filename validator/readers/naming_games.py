"""The game that a sheet names, before a line of it is read: its words are needed to read the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from hexforge.validator.readers.notation.lexer import LogicalLine, Token, logical_lines, physical_lines
from hexforge.validator.readers.notation.wordbooks import notation
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases.natural import parted

_HEAD: Final = 8
"""Words of a first line that may name the game as well."""
_NOTHING: Final = Token("stray", "", "", 0, 0)
Lookup: TypeAlias = Callable[[str, str], Vocabulary | None]
"""The words of a game, given its name and the file of the sheet; None for one that nobody knows."""


def game_named(lines: Iterable[LogicalLine]) -> str:
    """The name in the first line that names a game; "" without one."""
    words = notation()
    for line in (part for whole in lines for part in parted(whole, words)):
        first, *rest = [t for t in line.tokens[:3] if t.kind != "mark"] or line.tokens[:1] or [_NOTHING]
        if rest and first.kind == "word" and words.meaning("statements", first.key) == "game":
            return rest[0].key
        if words.meaning("statements", first.key) == "sheet" and (name := named_behind(line.tokens, words)):
            return name
    return ""


def named_behind(tokens: Sequence[Token], words: Vocabulary) -> str:
    """The game that the line names which begins a sheet: `sheet 1, game metz`; "" for one that says no more."""
    told = [t for t in tokens[1:_HEAD] if t.kind != "mark"]
    at = next((i for i, t in enumerate(told[:-1]) if words.meaning("statements", t.key) == "game"), -1)
    return told[at + 1].key if at >= 0 else ""


def known_words(name: str, source: str) -> Vocabulary | None:
    """The words of one of the games that this program knows, given its name and the file that names it."""
    from hexforge.validator import games

    return games.vocabulary(games.meant(name, source), source)


def vocabulary_for(text: str, source: str = "", lookup: Lookup = known_words) -> Vocabulary:
    """The words that a sheet may use: those of the game that it names, else the notation's."""
    return lookup(game_named(logical_lines(physical_lines(text))), source) or notation()
