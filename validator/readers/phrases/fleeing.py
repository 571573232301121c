"""Retreats of which it is said who goes by the part in the combat: `the defender retreats to 1107`, `ambos recuam`.

The words for whom are declared under `subjects` in `art/words/notation.LANGUAGE.yaml`; a side says it as well.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.headers import FATES
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, ended, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order
from hexforge.validator.readers.phrases.spoken import phrased, with_units
from hexforge.validator.readers.phrases.ways import from_first

_RETREAT: Final = base.WORDS[st.Retreat][0]
_EMPTY: Final = ("fillers", "beside-turns", "lead-ins", "adverbs")
_JOINTS: Final = (":", ",", "(", ")", "/")
_ONE: Final = "1"


def fled(
    line: LogicalLine, words: Vocabulary, declared: Container[str], attacking: str, *, alone: bool = False
) -> LogicalLine:
    """The line as the retreat of a side, or of `both` or `all`, if it says that and nothing else.

    `attacking`: the side that attacks, "" where nobody knows. `alone`: the result of the combat is told, and nobody
    is named beside a retreat, so that `retreat to 1107` is of all whom the result drives back.
    """
    if line.too_long or not line.tokens:
        return line
    tokens = from_first(phrased(ended(line.tokens, declared), words), words)
    told = [i for i, t in enumerate(tokens) if words.meaning("statements", t.key) == _RETREAT]
    if len(told) != 1 or any(order.names_unit(t, words, declared) for t in tokens):
        return line
    if any(words.meaning("words", a.key) == "by" and words.meaning("roles", b.key) for a, b in pairwise(tokens)):
        return line  # `retreat u1: 1107 by attacker`, who led it
    who = [t for t in tokens if t.key not in declared and _subject(t, words, attacking)]
    way = [t for t in tokens if words.hexes_of(t.text) or t.text == "->"]
    rest = [t for i, t in enumerate(tokens) if i not in told and t not in who and t not in way]
    subjects = {_subject(t, words, attacking) for t in who}
    subjects -= {"all"} if len(subjects) > 1 else set()  # `all attackers`
    if alone and not who and told == [0]:
        who, subjects = [tokens[0]], {"all"}
    if len(subjects) != 1 or not any(t.text != "->" for t in way) or not _says_nothing(rest, words):
        return line
    subject = in_place(who[0], "subjects", subjects.pop(), words)
    colon = Token("mark", ":", ":", way[0].line, way[0].column)
    return line.of((tokens[told[0]], subject, colon, *_way(way)))


def lacks_hex(line: LogicalLine, words: Vocabulary, declared: Container[str], attacking: str) -> bool:
    """Whether a line says of a side, or of all, that they retreat, and not where to: `todos recuam 1 hex`."""
    if line.too_long or not line.tokens:
        return False
    tokens = phrased(ended(line.tokens, declared), words)
    told = [t for t in tokens if words.meaning("statements", t.key) == _RETREAT]
    who = [t for t in tokens if t.key not in declared and _subject(t, words, attacking)]
    if len(told) != 1 or not who or any(order.names_unit(t, words, declared) for t in tokens):
        return False
    return _says_nothing([t for t in tokens if t not in told and t not in who], words)


def names_nobody(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether a line names no unit, no part in the combat that units have, and nothing else that becomes of any."""
    tokens = phrased(with_units(line.tokens, words, declared), words)
    fates = [t for t in tokens if t.kind == "word" and words.meaning("statements", t.key) in FATES]
    return len(fates) <= 1 and not any(
        order.names_unit(t, words, declared) or _subject(t, words, "-") for t in tokens
    )


def _subject(token: Token, words: Vocabulary, attacking: str) -> str:
    """Whom a word means of those who fight; "" for none."""
    side = words.meaning("sides", token.key) if token.kind == "word" and attacking else None
    if side is not None:
        return "attacker" if side == attacking else "defender"
    return (words.meaning("subjects", token.key) or "") if token.kind == "word" else ""


def _way(tokens: Sequence[Token]) -> Iterator[Token]:
    """Hexes, with the arrows between them."""
    begun = False
    for token in tokens:
        if begun or token.text != "->":
            yield token
        begun = True


def _says_nothing(tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether words stand beside a subject, a retreat and a way and say no more: `units`, `the`, `1 hex`."""
    for i, token in enumerate(tokens):
        following = tokens[i + 1].key if i + 1 < len(tokens) else ""
        counts = _ONE in (token.text, words.meaning("numbers", token.key))
        if counts and words.meaning("besides", following) == "hexes":
            continue
        unit = (
            words.meaning("statements", token.key) == "unit" or words.meaning("besides", token.key) == "battalion"
        )
        small = "to" in (words.meaning("words", token.key), words.meaning("slashed", token.key))
        small = small or words.meaning("words", token.key) in ("from", "by")
        empty = any(words.meaning(section, token.key) for section in _EMPTY)
        if token.kind == "word" and not (unit or small or empty):
            return False
        if token.kind != "word" and token.text not in _JOINTS:
            return False
    return True
