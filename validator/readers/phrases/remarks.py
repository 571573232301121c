"""Remarks that stand behind a statement, in brackets or behind a dash: `u1: 0806 0907 (to close the gap)`.

One is left out only where the line says nothing with it, and where no word of it may name who or where, tell how or
what becomes of somebody, count, deny, doubt or take back anything; else the line stays unread, and is named.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import product
from typing import Final

from hexforge.validator.readers.notation.lexer import LogicalLine, Token
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases.deeds import talk
from hexforge.validator.readers.phrases.spoken import phrased

_BRACKETS: Final = re.compile(r"[(\[][^()\[\]]*[)\]]\s*[.!;,]*\s*$")
_DASH: Final = re.compile(r"(?<=\s)(?:-{1,3}|\u2013|\u2014)(?=\s+[^\W\d_])")
_POINTS: Final = re.compile("[0-9]{1,3}")
_PAIR: Final = 2
_MOST: Final = 16
"""Words that a remark has at most."""
_MOST_DASHES: Final = 4
_STOPS: Final = ".,;:!\u2026'\u2019\"()[]-"
_EMPTY: Final = ("fillers", "beside-turns", "lead-ins", "intents", "adverbs", "terrain", "copulas", "slashed")
"""Sections whose words say nothing by themselves."""
_SMALL: Final = frozenset(
    ("to", "from", "by", "at", "via", "for", "into", "as", "after", "because", "against", "turn", "line")
)
_VERBS: Final = ("statements", "behind-units", "taking", "giving", "shortened")
_TELLING: Final = ("deeds", "crowds", "musings", "reckonings", "doubts")
_BENT: Final = ("ando", "endo", "indo", "ing")
"""How words end that say what somebody is about, and give no order."""
_LONG: Final = 3
"""Words of which names are talk: fewer may say where else."""


def before_remark(text: str) -> str:
    """What stands before the brackets that a line ends with, or before its first dash; "" where there are none."""
    found = _BRACKETS.search(text) or _DASH.search(text)
    return text[: found.start()].rstrip() if found else ""


def without_remarks(
    line: LogicalLine, words: Vocabulary, declared: Container[str], *, moving: bool
) -> Iterator[LogicalLine]:
    """The line without a remark at its end, in each way that there may be one; nothing for any other line.

    `moving`: units move here, so that `closing in` says no more than where they go.
    """
    if line.too_long or line.line != line.end[0] or line.line > len(line.texts):
        return
    text = line.texts[line.line - 1]
    starts = [m.start() for m in [_BRACKETS.search(text)] if m]
    starts += [m.start() for m in _DASH.finditer(text)][:_MOST_DASHES]
    for start in starts:
        kept = tuple(t for t in line.tokens if t.column <= start)
        said = line.tokens[len(kept) :]
        if not kept or not said or "?" in text[start:]:
            continue
        if _says_nothing(said, words, declared, moving=moving) or _is_left(phrased(kept, words)[-1], said, words):
            yield LogicalLine(line.line, kept, kept[-1].behind, line.too_long, line.texts)


def _is_left(last: Token, said: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a remark says how many points are left behind those that are spent, which the referee counts."""
    counted = last.kind == "word" and (
        _POINTS.fullmatch(last.text) or words.meaning("words", last.key) in ("offboard", "points")
    )
    told = [t.key.strip(_STOPS) for t in said if t.text.strip(_STOPS)]
    told = [key for key in told if words.meaning("words", key) != "points"]
    left = [key for key in told if words.meaning("besides", key) == "left"]
    return bool(counted) and len(left) == 1 and len(told) == _PAIR and any(_POINTS.fullmatch(key) for key in told)


def _says_nothing(said: Sequence[Token], words: Vocabulary, declared: Container[str], *, moving: bool) -> bool:
    spoken = [t for t in said if t.text.strip(_STOPS)]
    if not 0 < len(spoken) <= _MOST or any(t.kind != "word" for t in spoken):
        return False
    keys = [t.key.strip(_STOPS) for t in spoken]
    if words.meaning("fillers", keys[0]) == "and" or words.meaning("also", keys[0]) or _takes_back(keys):
        return False  # `(and the tanks)`: one more
    if len(keys) == 1 and any(words.meaning(s, keys[0]) for s in ("adverbs", "wholes", "fillers")):
        return False  # `(both)`
    named = [t for t in spoken[1:] if t.text[:1].isupper() and t.key.strip(_STOPS) not in words.first_of_places]
    if named or (len(keys) < _LONG and any(key in words.first_of_places for key in keys)):
        return False
    if len(keys) == 1 and words.nearly("statements", keys[0]):
        return False
    aims = [moving and words.meaning("words", key) == "to" for key in ("", *keys)]
    return not any(
        _tells(key, token.text, words, declared, about=aim or (moving and key.endswith(_BENT)))
        for key, token, aim in zip(keys, spoken, aims, strict=False)
    )


def _tells(key: str, text: str, words: Vocabulary, declared: Container[str], *, about: bool) -> bool:
    """Whether a word may say something beside a statement; `about`: it says what for, or what somebody is about."""
    if key in words.first_of_places:
        return False
    letters = key.replace("'", "").replace("\u2019", "").replace("-", "")
    if not letters.isalpha() or key in words.units or key in declared or words.like(key):
        return True
    said = talk()
    if said["staying"].get(key) == "denied" or any(key in said[s] for s in ("doubts", "crowds")):
        return True
    if words.are_codes(text.strip(_STOPS)) or any(words.meaning(s, key) for s in ("numbers", "ordinals")):
        return True
    if words.meaning("words", key) in _SMALL or any(words.meaning(section, key) for section in _EMPTY):
        return False
    mute = (*_EMPTY, *(_VERBS if about else ()))
    if any(key in table for section, table in words.known.items() if section not in mute):
        return True
    return not about and said["musings"].get(key) != "past" and any(key in said[s] for s in _TELLING)


def _takes_back(keys: Sequence[str]) -> bool:
    return any("-".join(keys[i : i + n]) in talk()["retractions"] for i, n in product(range(len(keys)), (1, 2, 3)))
