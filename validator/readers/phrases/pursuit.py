"""What verbs of motion mean behind a combat's result: into its hex they are the advance, out of it the retreat.

`the 104th and 328th move into 0721`, `o 112 entra em 1007`; `983-1 goes to 1107`. Only whose side is known, and who
therefore attacks or defends, is taken so.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, ended, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order
from hexforge.validator.readers.phrases.spoken import phrased

_MOTION: Final = frozenset(base.WORDS[cls][0] for cls in (st.Move, st.Enter))
WITH_WAYS: Final = (st.Move, st.Enter, st.Exit, st.RailMove)
"""Statements of play that say where units go."""


@dataclass(frozen=True, slots=True)
class Fought:
    """A combat that is open: the hexes that are attacked, the side that does so, whether its result is told.

    `resolving`: the line at hand tells it.
    """

    targets: frozenset[str]
    side: str
    resolved: bool = True
    resolving: bool = False


def pursued(line: LogicalLine, words: Vocabulary, declared: Container[str], fought: Fought | None) -> LogicalLine:
    """The line as an advance or a retreat, if its units move into the hexes of a combat or out of them."""
    if fought is None or line.too_long or not line.tokens or line.tokens[0].kind != "word":
        return line
    tokens = phrased(ended(line.tokens, declared), words)
    told = order.told_first(tokens, words, declared)
    if words.meaning("statements", told[0].key) == base.WORDS[st.Advance][0]:
        known = fought.resolved or fought.resolving
        return _onward(line, told, words, declared, fought) if known else line
    if not fought.resolved:
        return line  # `112-1 moves into 1007` may tell the attack
    if words.meaning("statements", told[0].key) not in _MOTION:
        told = order.moved_first(tokens, words, declared)
    if len(told) < 2 or words.meaning("statements", told[0].key) not in _MOTION:
        return line
    sides = {words.side(words.one(t.key)) for t in told[1:] if order.names_unit(t, words, declared)}
    hexes = [hex_ for t in told[1:] for hex_ in words.hexes_of(t.text)]
    if len(sides) != 1 or "" in sides or not hexes:
        return line
    attacks, into = fought.side in sides, hexes[-1] in fought.targets
    if attacks != into or (not attacks and not fought.targets.isdisjoint(hexes[1:])):
        return line
    word = base.WORDS[st.Advance if attacks else st.Retreat][0]
    return line.of((in_place(told[0], "statements", word, words), *told[1:]))


def _onward(
    line: LogicalLine, told: tuple[Token, ...], words: Vocabulary, declared: Container[str], fought: Fought
) -> LogicalLine:
    """`112-2 and 112-3 advance`, which says no hex, as an advance into the one that was attacked."""
    units = [t for t in told[1:] if order.names_unit(t, words, declared)]
    alone = all(t.text in (",", "+", "&", ":") or order.is_subject(t, words, declared) for t in told[1:])
    if (
        not units
        or not alone
        or len(fought.targets) != 1
        or {words.side(words.one(t.key)) for t in units} != {fought.side}
    ):
        return line
    (hex_,) = fought.targets
    return line.of((*told, replace(units[-1], text=hex_, key=hex_)))
