"""A line that goes on with the list of units above it in words that name none: `and the third battalion as well`.

Whoever is meant is one more of the list, which is not whole without him: such a line is no talk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import Token, logical_lines
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases.company import is_kind
from hexforge.validator.readers.phrases.deeds import talk

_OPEN: Final = (",", "+", "&", "/")
_MOST: Final = 10
"""Words that such a line has at most."""
_ENDS: Final = re.compile(r"[.!?]+$")
_FIGURES: Final = (st.Declare, st.Roll, st.Result, st.Announce, st.Score)
_SMALL: Final = ("fillers", "beside-turns", "adverbs", "wholes", "ordinals")
_LEAST: Final = 3


def lists(statement: st.Statement | None) -> bool:
    """Whether a statement may end with a list of units."""
    listing = isinstance(statement, st.Act | st.Play | st.Engagement | st.Positioned)
    return listing and not isinstance(statement, _FIGURES)


def goes_on(above: str, text: str, words: Vocabulary) -> bool:
    """Whether a line may name more units, below one that lists some."""
    line = next(logical_lines([text]), None)
    if line is None or line.too_long or not line.tokens or text.rstrip().endswith(("!", "?")):
        return False
    told = [t for t in line.tokens if t.kind == "word"]
    if not told or len(told) > _MOST or any(_speaks(t, words) for t in told):
        return False
    if _is_open(above, words):
        return True
    bare = [t for t in told if _ENDS.sub("", t.key)]
    named = any(_names(t, words) for t in bare)
    return named and (text.lstrip()[:1] in _OPEN or _joins(bare, words) or all(_may_be(t, words) for t in bare))


def _is_open(above: str, words: Vocabulary) -> bool:
    """Whether a line ends with what another of a list follows."""
    last = above.rstrip()
    return last.endswith(_OPEN) or words.meaning("fillers", last.rpartition(" ")[2].casefold()) == "and"


def _joins(told: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a line begins with what leads to one more: `and`, `with`, `also`, `as well as`."""
    first = told[0].key
    small = words.meaning("fillers", first) == "and" or words.meaning("words", first) == "by"
    runs = ("-".join(t.key for t in told[:count]) for count in range(1, _LEAST + 1))
    return small or any(words.meaning(section, run) for run in runs for section in ("adverbs", "fillers"))


def _names(token: Token, words: Vocabulary) -> bool:
    """Whether a word may say who is meant: a kind, a number, all or the rest of something."""
    key = _ENDS.sub("", token.key)
    kind = is_kind(token, words) or words.meaning("arms", key) is not None or words.calls.names(key) == key
    number = key[:1].isdigit() or words.meaning("ordinals", key) is not None
    whole = words.meaning("wholes", key) is not None and words.meaning("fillers", key) is None
    return kind or number or whole or talk()["crowds"].get(key) is not None


def _may_be(token: Token, words: Vocabulary) -> bool:
    key = _ENDS.sub("", token.key)
    small = any(words.meaning(section, key) for section in _SMALL)
    return small or _names(token, words) or words.meaning("words", key) in ("from", "by")


def _speaks(token: Token, words: Vocabulary) -> bool:
    """Whether a word makes a line a sentence of its own: a verb, or what begins a statement."""
    key = _ENDS.sub("", token.key)
    if words.meaning("fillers", key) == "and":
        return False  # `e`, which `é` is too where accents count for nothing
    begun = base.beginning(words.meaning("statements", key) or "")
    supports = any(issubclass(cls, st.Support) for cls in begun)
    said = (talk()["musings"].get(key), words.meaning("copulas", key), words.meaning("behind-units", key))
    return (bool(begun) and not supports) or any(said)
