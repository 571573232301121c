"""What stands alone above the line that it belongs to: `Bombardment:` above its hex, a hex above who attacks it.

Remarks that stand behind a statement, in brackets or behind a dash: `u1: 0806 0907 (to close the gap)`.

One is left out only where the line says nothing with it, and where no word of it may name who or where, tell how or
what becomes of somebody, count, deny, doubt or take back anything; else the line stays unread, and is named.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from ...notation import base, statements
from ...notation.cursor import LogicalLine, Token, ended, in_place
from ...notation.words import Vocabulary
from ..phases import header_parts
from .continued import FIGHTS
from .deeds import talk
from .spoken import phrased, with_units

_ATTACK: Final = base.WORDS[statements.Attack][0]
_FOUGHT: Final = frozenset(
    base.WORDS[cls][0] for cls in (statements.Attack, statements.Bombard, statements.AirStrike)
)
_BOMBARD: Final = base.WORDS[statements.Bombard][0]
_TARGET: Final = base.WORDS[statements.Combat][0]
_SUPPORT: Final = base.WORDS[statements.Support][0]


def joined(lines: Iterable[LogicalLine], words: Vocabulary, heads: set[int]) -> Iterator[LogicalLine]:
    """The lines, with the word of a heading in the line below it, and the numbers of headings in `heads`."""
    above: LogicalLine | None = None
    attacks = _Attacks(words)
    for line in _bombarded(list(lines), words, heads):
        if above is not None and attacks.are_headed(above, line):
            heads.add(above.line)
            above = None
        if above is not None and (whole := _headed(above, line, words)) is not None:
            heads.add(above.line)
            above = whole
            continue
        if above is not None:
            yield attacks.told(_begun(above, line, words), line)
        above = line
    if above is not None:
        yield attacks.told(above, None)


class _Attacks:
    """Combats below a heading, `Attacks`, until a phase opens: hexes, and who attacks them, may stand alone."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._headed = False
        self._hex = False
        self._fights = False
        """Whether the phase that was opened last is said to be one of combat: else the word alone opens that."""

    def are_headed(self, above: LogicalLine, line: LogicalLine) -> bool:
        """Whether a line is such a heading, and what stands below it begins a combat by itself."""
        only, words = _alone(above), self._words
        if only is None or line.too_long or words.meaning("statements", only.key) not in (_ATTACK, _TARGET):
            return False
        if words.meaning("phases", only.key) and not self._fights:
            return False
        first = line.tokens[0]
        begins = words.meaning("statements", first.key) in (*_FOUGHT, _TARGET) and len(line.tokens) > 1
        begins = begins and any(_on_map(token, words) for token in line.tokens)
        placed = _place(line, words) is not None or (_alone(line) is not None and _on_map(first, words))
        self._headed = self._headed or begins or placed
        return begins or placed

    def told(self, line: LogicalLine, below: LogicalLine | None) -> LogicalLine:
        """A hex alone as what begins a combat, units alone below it as who attacks there."""
        words, hex_ = self._words, self._hex
        self._hex = False
        if line.too_long or not line.tokens:
            return line
        if parts := header_parts(line.tokens, words):
            phase = parts.get("phases")
            self._headed = False
            self._fights = phase is not None and words.meaning("phases", phase.key) == FIGHTS
        if not self._headed:
            return line
        begun = words.meaning("statements", line.tokens[0].key) == _TARGET
        only = _alone(line) or _place(line, words)
        if begun or (only is not None and _on_map(only, words) and below is not None and _lists(below, words)):
            self._hex = True
            told = (in_place(only, "statements", _TARGET, words), only) if only is not None and not begun else ()
            return replace(line, tokens=told) if told else line
        if hex_ and _lists(line, words):
            return replace(line, tokens=(in_place(line.tokens[0], "statements", _ATTACK, words), *line.tokens))
        return line


def _lists(line: LogicalLine, words: Vocabulary) -> bool:
    """Whether a line is of units alone."""
    joints = ("+", "&", "/")
    told = with_units(line.tokens, words, ())
    named = [t for t in told if t.text not in joints and words.meaning("fillers", t.key) != "and"]
    return bool(named) and all(words.one(t.key) for t in named)


def _bombarded(lines: Sequence[LogicalLine], words: Vocabulary, heads: set[int]) -> Iterator[LogicalLine]:
    """The lines, a target and the guns below it that are said to bombard as one, and a heading above the two."""
    at = 0
    while at < len(lines):
        start = at + (len(lines) > at + 1 and _says_only(lines[at], _BOMBARD, words))
        target, guns = (lines[start], lines[start + 1]) if start + 1 < len(lines) else (None, None)
        hex_ = _target(target, words) if target is not None else None
        if hex_ is None and target is not None and start == at:
            hex_ = _bombards(target, words)
        headed = start > at or (hex_ is not None and target is not None and _bombards(target, words) is not None)
        if target is None or guns is None or hex_ is None or not _fires(guns, words, headed=headed):
            yield lines[at]
            at += 1
            continue
        behind = lines[start + 2] if start + 2 < len(lines) else None
        if not headed and behind is not None and _attacks(behind.tokens[0], words):
            yield lines[at]  # guns that fire for those who attack
            at += 1
            continue
        units = guns.tokens[2 if guns.tokens[1].text == ":" else 1 :]
        told = in_place(hex_, "statements", _BOMBARD, words), hex_, in_place(units[0], "words", "by", words)
        heads.update(line.line for line in (*lines[at:start], guns))
        yield replace(target, tokens=(*told, *units), end=units[-1].behind)
        at = start + 2


def _bombards(line: LogicalLine, words: Vocabulary) -> Token | None:
    """The hex of a line that says no more than that it is bombarded: `Bombardment 1: 0709`."""
    told = [t for t in ended(line.tokens, ()) if t.text not in (":", "-")] if not line.too_long else []
    if len(told) < 2 or words.meaning("statements", told[0].key) != _BOMBARD or not _on_map(told[-1], words):
        return None
    counts = len(told) == 3 and told[1].text.isdigit() and len(told[1].text) <= 2
    return told[-1] if len(told) == 2 or counts else None


def _says_only(line: LogicalLine, word: str, words: Vocabulary) -> bool:
    only = _alone(line)
    return only is not None and words.meaning("statements", only.key) == word


def _target(line: LogicalLine, words: Vocabulary) -> Token | None:
    """The hex of a line that names no more than what is fired at: `Target: 0709`, `Alvo: Vossenack (1007)`."""
    told = ended(line.tokens, ()) if not line.too_long else ()
    if len(told) < 2 or told[1].text != ":" or not _is_target(told[0], words):
        return None
    if words.meaning("phases", told[0].key):
        return None  # `combat: 0709`
    hexes = [t for t in told[2:] if _on_map(t, words)]
    return _place(replace(line, tokens=told[2:]), words) or (hexes[0] if len(hexes) == len(told[2:]) == 1 else None)


def _fires(line: LogicalLine, words: Vocabulary, *, headed: bool) -> bool:
    """Whether a line says which guns bombard, and not where."""
    if line.too_long or len(line.tokens) < 2 or any(words.is_hex(t.text) for t in line.tokens):
        return False
    said = {words.meaning(section, line.tokens[0].key) for section in ("statements", "labels")}
    return _BOMBARD in said or (headed and _SUPPORT in said and line.tokens[1].text == ":")


def _headed(above: LogicalLine, line: LogicalLine, words: Vocabulary) -> LogicalLine | None:
    """A line that begins with its hex, with the word above it; None for any other two."""
    only = _alone(above)
    if only is None or line.too_long or words.meaning("statements", only.key) not in _FOUGHT:
        return None
    at = 1 if len(line.tokens) > 1 and _is_target(line.tokens[0], words) else 0
    at += int(at == 1 and line.tokens[at].text == ":")
    if at >= len(line.tokens) or not _on_map(line.tokens[at], words):
        return None
    hex_, *rest = line.tokens[at:]
    if words.meaning("statements", only.key) != _ATTACK:
        rest = [t for t in rest if not (_in_brackets(t, line) and _stands_there(t, words))]
    if not rest and words.meaning("statements", only.key) == _BOMBARD:
        # Whose guns they are is told in lines of their own, which support no bombardment: it is named as not read.
        rest = [in_place(hex_, "words", "by", words)]
    return replace(line, tokens=(replace(only, line=hex_.line, column=hex_.column), hex_, *rest))


def _begun(above: LogicalLine, line: LogicalLine, words: Vocabulary) -> LogicalLine:
    """A hex alone above the line that tells who attacks it as what begins the combat; else the line itself."""
    only = _alone(above) or _place(above, words)
    if only is None or line.too_long or not _on_map(only, words) or not _attacks(line.tokens[0], words):
        return above
    if len(line.tokens) == 1 or any(words.is_hex(t.text) for t in line.tokens):
        return above
    return replace(above, tokens=(in_place(only, "statements", _TARGET, words), only))


def _alone(line: LogicalLine) -> Token | None:
    """The one word of a line; None for one of several."""
    told = ended(line.tokens, ())
    return told[0] if len(told) == 1 and told[0].kind == "word" and not line.too_long else None


def _place(line: LogicalLine, words: Vocabulary) -> Token | None:
    """The hex of a line that says no more than it and its name: `Vossenack (1007)`, `1007 Vossenack:`."""
    told = [t for t in ended(line.tokens, ()) if t.text not in ("(", ")", ":", "-")]
    hexes = [t for t in told if words.is_hex(t.text)]
    if len(hexes) != 1:
        return None
    name = " ".join(t.key for t in told if t is not hexes[0])
    return hexes[0] if hexes[0].text in words.places.get(name, ()) else None


def _in_brackets(token: Token, line: LogicalLine) -> bool:
    text = line.texts[token.line - 1][: token.column - 1]
    return text.count("(") > text.count(")")


def _stands_there(token: Token, words: Vocabulary) -> bool:
    """Whether a unit fires from nowhere, and so is named as who is bombarded."""
    unit = next(iter(words.like(token.key)), token.key)
    counter = words.counters.get(unit)
    return counter is not None and counter.range is None


def _is_target(token: Token, words: Vocabulary) -> bool:
    said = {words.meaning(section, token.key) for section in ("statements", "labels")}
    return _TARGET in said or words.meaning("fillers", token.key) == "hex"


def _attacks(token: Token, words: Vocabulary) -> bool:
    return _ATTACK in {words.meaning(section, token.key) for section in ("statements", "shortened", "labels")}


def _on_map(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.is_hex(token.text) and (words.grid is None or token.text in words.grid)


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
