"""What stands alone above the line that it belongs to: `Bombardment:` above its hex, a hex above who attacks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, ended, in_place
from hexforge.validator.readers.notation.words import Vocabulary

_ATTACK: Final = base.WORDS[st.Attack][0]
_FOUGHT: Final = frozenset(base.WORDS[cls][0] for cls in (st.Attack, st.Bombard, st.AirStrike))
_BOMBARD: Final = base.WORDS[st.Bombard][0]
_TARGET: Final = base.WORDS[st.Combat][0]


def joined(lines: Iterable[LogicalLine], words: Vocabulary, heads: set[int]) -> Iterator[LogicalLine]:
    """The lines, with the word of a heading in the line below it, and the numbers of headings in `heads`."""
    above: LogicalLine | None = None
    for line in lines:
        if above is not None and (whole := _headed(above, line, words)) is not None:
            heads.add(above.line)
            above = whole
            continue
        if above is not None:
            yield _begun(above, line, words)
        above = line
    if above is not None:
        yield above


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
