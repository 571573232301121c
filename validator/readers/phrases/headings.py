"""What stands alone above the line that it belongs to: `Bombardment:` above its hex, a hex above who attacks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, ended, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phases import header_parts
from hexforge.validator.readers.phrases.idle import FIGHTS
from hexforge.validator.readers.phrases.spoken import with_units

_ATTACK: Final = base.WORDS[st.Attack][0]
_FOUGHT: Final = frozenset(base.WORDS[cls][0] for cls in (st.Attack, st.Bombard, st.AirStrike))
_BOMBARD: Final = base.WORDS[st.Bombard][0]
_TARGET: Final = base.WORDS[st.Combat][0]
_SUPPORT: Final = base.WORDS[st.Support][0]


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
